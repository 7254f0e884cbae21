//! Policies and rules as data: `{verdict, action, target?, who?, until?, final?}`.

use super::pattern::Pattern;
use super::{PermissionMode, PermissionPolicy, Rule, Verdict, Who};
use serde::de::Error as _;
use serde::ser::SerializeMap;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::collections::BTreeMap;
use std::time::SystemTime;

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct PolicyForm {
    #[serde(default)]
    mode: PermissionMode,
    #[serde(default)]
    rules: Vec<Rule>,
}

impl Serialize for PermissionPolicy {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let (mode, rules) = (self.mode, self.rules.clone());
        PolicyForm { mode, rules }.serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for PermissionPolicy {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let PolicyForm { mode, rules } = PolicyForm::deserialize(deserializer)?;
        Ok(Self { mode, rules })
    }
}

/// A rule as it is written in a file.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct RuleForm {
    verdict: Verdict,
    action: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    target: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    until: Option<String>,
    #[serde(default, rename = "final", skip_serializing_if = "is_false")]
    is_final: bool,
    #[serde(default, skip_serializing_if = "is_false")]
    unsafe_allow_all: bool,
    // Last: in TOML it is a table.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    who: Option<Who>,
}

#[allow(clippy::trivially_copy_pass_by_ref, reason = "serde calls it so")]
fn is_false(flag: &bool) -> bool {
    !flag
}

impl Serialize for Rule {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let until = |end| humantime::format_rfc3339_seconds(end).to_string();
        let form = RuleForm {
            verdict: self.verdict,
            action: self.action.as_str().to_owned(),
            target: self
                .target
                .as_ref()
                .map(|target| target.as_str().to_owned()),
            until: self.until.map(until),
            is_final: self.is_final,
            unsafe_allow_all: self.unsafe_allow_all,
            who: self.who.as_deref().cloned(),
        };
        form.serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for Rule {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let form = RuleForm::deserialize(deserializer)?;
        let until = form.until.as_deref().map(time);
        Ok(Self {
            target: form.target.map(Pattern::new),
            who: form.who.map(Box::new),
            until: until.transpose().map_err(D::Error::custom)?,
            is_final: form.is_final,
            unsafe_allow_all: form.unsafe_allow_all,
            ..Self::new(form.verdict, Pattern::new(form.action))
        })
    }
}

fn time(text: &str) -> Result<SystemTime, String> {
    humantime::parse_rfc3339(text).map_err(|error| {
        format!("`until` is `{text}`, which is no time such as `2026-12-31T23:59:59Z` ({error})")
    })
}

impl Serialize for Who {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        for (part, pattern) in Self::PARTS.iter().zip(&self.parts) {
            if let Some(pattern) = pattern {
                map.serialize_entry(part, pattern.as_str())?;
            }
        }
        map.end()
    }
}

impl<'de> Deserialize<'de> for Who {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let given = BTreeMap::<String, String>::deserialize(deserializer)?;
        let mut who = Self::default();
        for (part, pattern) in given {
            let known = Self::PARTS.iter().position(|known| *known == part);
            let index = known.ok_or_else(|| D::Error::unknown_field(&part, &Self::PARTS))?;
            who.parts[index] = Some(Pattern::new(pattern));
        }
        Ok(who)
    }
}
