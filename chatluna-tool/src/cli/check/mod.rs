//! `check`: what is wrong with the tools, what becomes of them on the way to each provider, and which
//! rules of the policy do not do what they seem to.

mod findings;
mod print;

use super::judging::policy;
use super::{Outcome, Usage};
use crate::nearest::nearest;
use crate::provider::Dialect;
use crate::registry::Registry;
use crate::runtime::Runtime;
use crate::tool::Tool;
use clap::builder::PossibleValue;
use clap::{Args, ValueEnum};
use findings::{Findings, Level, Remark};
use print::Printed;
use std::collections::BTreeMap;
use std::sync::Arc;

/// A program whose tools were not linked has nothing that fails.
const NO_TOOLS: &str = "there are no tools to check; a crate that only holds tools has to be linked: \
                        `chatluna_tool::link!(the_crate);`";

#[derive(Args)]
pub(super) struct Check {
    /// The tools; without one, all of the program, also those that not every session sees
    #[arg(value_name = "TOOL")]
    names: Vec<String>,
    /// Check what becomes of the tools in this dialect; may be repeated [default: all]
    #[arg(long, value_enum)]
    dialect: Vec<Scope>,
    /// Check the rules in this file, TOML or JSON, instead of the program's
    ///
    /// The program's are checked with all tools, not with some.
    #[arg(long, value_name = "FILE")]
    policy: Option<String>,
    /// Print what was found as JSON
    #[arg(long)]
    json: bool,
    /// Exit with 1 also when there are warnings
    #[arg(long)]
    deny_warnings: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Scope {
    One(Dialect),
    All,
}

impl ValueEnum for Scope {
    fn value_variants<'a>() -> &'a [Self] {
        &[
            Self::One(Dialect::OpenAi),
            Self::One(Dialect::OpenAiStrict),
            Self::One(Dialect::Anthropic),
            Self::One(Dialect::AnthropicStrict),
            Self::One(Dialect::Gemini),
            Self::One(Dialect::Mcp),
            Self::All,
        ]
    }

    fn to_possible_value(&self) -> Option<PossibleValue> {
        let word = PossibleValue::new(match self {
            Self::One(dialect) => dialect.as_str(),
            Self::All => "all",
        });
        Some(match self {
            // Another request in the same dialect; `schema` knows it.
            Self::One(Dialect::OpenAi) => word.alias("openai-responses"),
            _ => word,
        })
    }
}

impl Check {
    pub(super) fn run(&self, runtime: &Runtime) -> Result<Outcome, Usage> {
        let tools = self.tools(&runtime.registry())?;
        if tools.is_empty() {
            return Ok(Outcome::Failed(NO_TOOLS.to_owned()));
        }
        let dialects = self.dialects();
        let findings = tools.iter().map(|tool| Findings::of(tool, &dialects));
        let findings: Vec<Findings> = findings.collect();
        let mut together = self.of_policy(runtime)?;
        together.extend(Remark::of_request(findings.len(), &dialects));
        let printed = Printed {
            findings: &findings,
            together: &together,
            counted: match self.dialect[..] {
                // Who asks for nothing in particular gets one number a tool.
                [] => &[Dialect::OpenAi],
                _ => &dialects,
            },
        };
        let has = |level| printed.count(level) > 0;
        let is_bad = has(Level::Error) || self.deny_warnings && has(Level::Warning);
        let text = if self.json {
            format!("{:#}", printed.json())
        } else {
            printed.text()
        };
        Ok(if is_bad {
            Outcome::Found(text)
        } else {
            Outcome::Printed(text)
        })
    }

    /// What is questionable about the rules.
    fn of_policy(&self, runtime: &Runtime) -> Result<Vec<Remark>, Usage> {
        let lints = match &self.policy {
            Some(file) => runtime.lints_of(&policy(file)?),
            None if self.names.is_empty() => runtime.policy_lints(),
            None => Vec::new(),
        };
        let lints = lints.iter().map(ToString::to_string);
        Ok(lints.map(Remark::warning).collect())
    }

    /// Each once, sorted by name.
    fn tools(&self, registry: &Registry) -> Result<Vec<Arc<dyn Tool>>, Usage> {
        if self.names.is_empty() {
            return Ok(registry.tools().to_vec());
        }
        let mut tools = BTreeMap::new();
        for name in &self.names {
            let tool = registry.get(name).ok_or_else(|| unknown(name, registry))?;
            tools.insert(name, Arc::clone(tool));
        }
        Ok(tools.into_values().collect())
    }

    /// Each once, in the order of [`Dialect::ALL`].
    fn dialects(&self) -> Vec<Dialect> {
        let is_all = self.dialect.is_empty() || self.dialect.contains(&Scope::All);
        let all = Dialect::ALL.iter().copied();
        all.filter(|dialect| is_all || self.dialect.contains(&Scope::One(*dialect)))
            .collect()
    }
}

fn unknown(name: &str, registry: &Registry) -> String {
    let names = registry.tools().iter().map(|tool| tool.definition().name());
    let hint = match nearest(name, names) {
        Some(near) => format!("did you mean `{near}`?"),
        None => "`check` alone checks all there are".to_owned(),
    };
    format!("no tool is named `{name}`; {hint}")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{BuildError, Effect, FnTool, PermissionPolicy, ToolDefinition, Traits};
    use clap::Parser;
    use serde_json::{Value, json};

    #[derive(Parser)]
    struct Line {
        #[command(flatten)]
        check: Check,
    }

    fn tool(name: &str, description: &'static str, schema: Value) -> impl Tool {
        let definition = ToolDefinition::new(name, description)
            .traits(Traits::new().effect(Effect::Read))
            .arguments_schema(schema);
        FnTool::new(definition, |arguments: Value, _| {
            std::future::ready(arguments)
        })
    }

    fn questionable() -> Result<Runtime, BuildError> {
        let code = json!({
            "type": "object",
            "properties": {
                "code": {"type": "integer", "description": "The code"},
                "labels": {
                    "type": "object",
                    "description": "What to call it",
                    "additionalProperties": {"type": "string"},
                },
            },
            "required": ["code"],
            "additionalProperties": false,
            "examples": [{"code": 7}, {"code": "x"}],
        });
        let note = json!({
            "type": "object",
            "properties": {"text": {"type": "string"}},
            "additionalProperties": false,
        });
        Runtime::builder()
            .tool(tool("2fa", "Checks a code", code))
            .tool(tool("note", "  ", note.clone()))
            .tool(tool("write", "Writes a note", note))
            .build()
    }

    /// What is printed, and whether that is a failure.
    fn checked(runtime: &Runtime, line: &[&str]) -> (String, bool) {
        let line = Line::parse_from([&["check"], line].concat());
        match line.check.run(runtime) {
            Ok(Outcome::Printed(text)) => (anstream::adapter::strip_str(&text).to_string(), false),
            Ok(Outcome::Found(text)) => (anstream::adapter::strip_str(&text).to_string(), true),
            Ok(Outcome::Failed(text) | Outcome::Interrupted(text)) | Err(Usage(text)) => {
                (text, true)
            }
        }
    }

    #[test]
    fn what_is_wrong_stands_below_the_tools_the_worst_first() -> Result<(), BuildError> {
        let expected = "  2fa    1 error, 2 warnings     78 tokens
  note   1 error, 1 warning      29 tokens
  write  1 warning               32 tokens

error: the example `{\"code\":\"x\"}` of `2fa` fails
      /code: expected an integer, got \"x\"
error: `note` has no description; say what it does: models choose tools by that
warning: 2fa: /properties/labels: `additionalProperties` not possible in a strict schema; sent without `strict` (anthropic-strict)
warning: 2fa: /properties/labels: `additionalProperties` dropped (gemini)
warning: note, write: the argument `text` has no description; write a doc comment on it
note: 2fa: /properties/labels: `additionalProperties` as an array of keys and values (openai-strict)
note: 2fa: the root: `examples` moved to the description (openai-strict, gemini)
note: 2fa: sent as `_2fa_666b8678` (gemini)
note: all tools: the root: `additionalProperties` dropped (gemini)

3 tools: 2 errors, 4 warnings; about 139 tokens
";
        let found = checked(&questionable()?, &[]);
        assert_eq!(found, (expected.to_owned(), true));
        Ok(())
    }

    #[test]
    fn several_dialects_have_a_column_each() -> Result<(), BuildError> {
        let line = ["write", "write", "--dialect=gemini", "--dialect=openai"];
        let expected = "            tokens  openai  gemini
  write  1 warning      32      27

warning: write: the argument `text` has no description; write a doc comment on it
note: write: the root: `additionalProperties` dropped (gemini)

1 tool: no errors, 1 warning; about 27 to 32 tokens
";
        let found = checked(&questionable()?, &line);
        assert_eq!(found, (expected.to_owned(), false));
        Ok(())
    }

    #[test]
    fn warnings_fail_only_where_they_are_denied() -> Result<(), BuildError> {
        let runtime = questionable()?;
        let line = ["write", "--dialect=gemini", "--json"];
        let (text, is_failure) = checked(&runtime, &line);
        assert!(!is_failure);
        let (_, is_failure) = checked(&runtime, &[&line[..], &["--deny-warnings"]].concat());
        assert!(is_failure);
        let lint = "the argument `text` has no description; write a doc comment on it";
        let expected = json!({
            "tools": [{
                "name": "write",
                "source": null,
                "errors": [],
                "warnings": [{"text": lint, "dialects": []}],
                "notes": [{
                    "text": "the root: `additionalProperties` dropped",
                    "dialects": ["gemini"],
                }],
                "tokens": {"gemini": 27},
            }],
            "warnings": [],
            "notes": [],
        });
        assert_eq!(text.parse().ok(), Some(expected));
        Ok(())
    }

    #[test]
    fn rules_that_do_not_do_what_they_seem_to_are_warnings() -> Result<(), BuildError> {
        let schema = json!({"type": "object"});
        let policy = PermissionPolicy::new().allow("tool:rite");
        let builder = Runtime::builder().tool(tool("write", "Writes", schema));
        let runtime = builder.policy(policy).build()?;
        let lint = "the rule allow `tool:rite` names no tool of this program; \
                    correct the name or remove the rule";
        let (text, is_failure) = checked(&runtime, &["--dialect=openai"]);
        assert!(!is_failure);
        assert!(text.contains(&format!("\nwarning: {lint}\n")), "{text}");
        assert!(text.contains("no errors, 1 warning;"), "{text}");
        let (text, is_failure) = checked(&runtime, &["--json", "--deny-warnings"]);
        assert!(is_failure);
        let found: Option<Value> = text.parse().ok();
        let warnings = json!([{"text": lint, "dialects": []}]);
        assert_eq!(found.map(|found| found["warnings"].clone()), Some(warnings));
        let (text, is_failure) = checked(&runtime, &["write", "--deny-warnings"]);
        assert!(!is_failure, "{text}");
        Ok(())
    }

    #[test]
    fn what_a_terminal_would_obey_is_made_visible() -> Result<(), BuildError> {
        let schema = json!({"type": "object", "properties": {"\u{1b}[2J": {"type": "string"}}});
        let runtime = Runtime::builder().tool(tool("clear", "Clears", schema));
        let (text, _) = checked(&runtime.build()?, &[]);
        let lint = r"warning: clear: the argument `\u{1b}[2J` has no description";
        assert!(text.contains(lint), "{text}");
        Ok(())
    }

    #[test]
    fn an_unknown_name_gets_the_nearest() -> Result<(), BuildError> {
        let runtime = questionable()?;
        for (name, expected) in [
            ("wrote", "no tool is named `wrote`; did you mean `write`?"),
            (
                "x",
                "no tool is named `x`; `check` alone checks all there are",
            ),
        ] {
            assert_eq!(checked(&runtime, &[name]), (expected.to_owned(), true));
        }
        Ok(())
    }

    #[test]
    fn a_runtime_without_tools_fails() -> Result<(), BuildError> {
        let found = checked(&Runtime::builder().build()?, &[]);
        assert_eq!(found, (NO_TOOLS.to_owned(), true));
        Ok(())
    }

    #[test]
    fn more_tools_than_a_request_takes_are_a_note() -> Result<(), BuildError> {
        let mut builder = Runtime::builder();
        for number in 0..129 {
            let name = format!("tool_{number:03}");
            builder = builder.tool(tool(&name, "Waits", json!({"type": "object"})));
        }
        let (text, is_failure) = checked(&builder.build()?, &[]);
        assert!(!is_failure);
        let note = "note: a request takes 128 of these 129 tools (openai, openai-strict, gemini)\n";
        assert!(text.contains(note), "{text}");
        Ok(())
    }
}
