//! Tool names and the rule they follow.

use std::borrow::{Borrow, Cow};
use std::fmt;
use std::hash::{Hash, Hasher};

/// The action of a call is this and the tool's name.
const TOOL: &str = "tool:";

/// The longest tool name, in bytes: what OpenAI and older Anthropic and Gemini clients accept.
pub const MAX_NAME_BYTES: usize = 64;

/// The name of a tool, kept behind the `tool:` of its permission action.
///
/// So neither the name nor the action is ever put together during a call.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct ToolName {
    action: Cow<'static, str>,
}

impl ToolName {
    pub(crate) fn new(name: &str) -> Self {
        let action = Cow::Owned(format!("{TOOL}{name}"));
        Self { action }
    }

    /// From a whole action: `tool:weather`.
    pub(crate) const fn of_action(action: &'static str) -> Self {
        let action = Cow::Borrowed(action);
        Self { action }
    }

    /// The name that the model sees: `weather`.
    pub fn as_str(&self) -> &str {
        &self.action[TOOL.len()..]
    }

    /// The permission action of every call to the tool: `tool:weather`.
    pub fn action(&self) -> &str {
        &self.action
    }
}

/// A map that is keyed by tool names is asked with the name alone.
impl Borrow<str> for ToolName {
    fn borrow(&self) -> &str {
        self.as_str()
    }
}

impl Hash for ToolName {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.as_str().hash(state);
    }
}

impl fmt::Debug for ToolName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?}", self.as_str())
    }
}

impl fmt::Display for ToolName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// Whether `name` is one to 64 of `a-z A-Z 0-9 _ -`: what every provider accepts.
pub const fn is_valid_name(name: &str) -> bool {
    matches!(name.len(), 1..=MAX_NAME_BYTES) && only_name_bytes(name)
}

const fn only_name_bytes(text: &str) -> bool {
    let bytes = text.as_bytes();
    let mut index = 0;
    while index < bytes.len() {
        if !matches!(bytes[index], b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'_' | b'-') {
            return false;
        }
        index += 1;
    }
    true
}

/// The name check of a const expression, at compile time.
#[track_caller]
pub const fn check_name(prefix: &str, name: &str) {
    assert!(!name.is_empty(), "the tool name is empty; give it a name");
    assert!(
        only_name_bytes(name),
        "a tool name consists of a-z, A-Z, 0-9, `_` and `-`; rename it"
    );
    assert!(
        action_len(prefix, name) - TOOL.len() <= MAX_NAME_BYTES,
        "a tool name has 64 characters at most, its prefix included; shorten it"
    );
}

/// The last segment of a module's path; nothing for a tool named as its module.
pub const fn module_prefix(path: &'static str, name: &str) -> &'static str {
    let bytes = path.as_bytes();
    let mut start = bytes.len();
    // Not past the `r#` of a raw identifier.
    while start > 0 && !matches!(bytes[start - 1], b':' | b'#') {
        start -= 1;
    }
    let (_, last) = path.split_at(start);
    if is_same(last, name) { "" } else { last }
}

const fn is_same(left: &str, right: &str) -> bool {
    let (left, right) = (left.as_bytes(), right.as_bytes());
    if left.len() != right.len() {
        return false;
    }
    let mut index = 0;
    while index < left.len() {
        if left[index] != right[index] {
            return false;
        }
        index += 1;
    }
    true
}

/// The length of [`action_bytes`].
pub const fn action_len(prefix: &str, name: &str) -> usize {
    let prefix = if prefix.is_empty() {
        0
    } else {
        prefix.len() + 1
    };
    TOOL.len() + prefix + name.len()
}

/// `tool:`, the prefix with its `_`, and the name, joined at compile time.
pub const fn action_bytes<const N: usize>(prefix: &str, name: &str) -> [u8; N] {
    let joint = if prefix.is_empty() { "" } else { "_" };
    let parts = [TOOL, prefix, joint, name];
    let (mut joined, mut part, mut at) = ([0; N], 0, 0);
    while part < parts.len() {
        let bytes = parts[part].as_bytes();
        let mut index = 0;
        while index < bytes.len() {
            joined[at] = bytes[index];
            (index, at) = (index + 1, at + 1);
        }
        part += 1;
    }
    joined
}

/// The bytes of an action as text.
pub const fn action_str(bytes: &'static [u8]) -> &'static str {
    match std::str::from_utf8(bytes) {
        Ok(text) => text,
        Err(_) => panic!("an action is joined from whole strings"),
    }
}

/// A tool's name without what models put around it: `functions.Get-Weather_tool`.
pub(crate) fn plain_name(name: &str) -> String {
    let name = name.rsplit(['.', ':', '/']).next().unwrap_or(name);
    let name = name.to_ascii_lowercase().replace('-', "_");
    name.strip_suffix("_tool").unwrap_or(&name).to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_that_every_provider_accepts() {
        assert!(is_valid_name("weather"));
        assert!(is_valid_name("get-weather_2"));
        assert!(is_valid_name(&"n".repeat(64)));
        for name in ["", "get weather", "天气", "a.b", &"n".repeat(65)] {
            assert!(!is_valid_name(name), "{name:?}");
        }
    }

    #[test]
    fn a_module_is_a_prefix_but_for_its_namesake() {
        assert_eq!(module_prefix("bot::tools::math", "add"), "math");
        assert_eq!(module_prefix("bot::tools::math", "math"), "");
        assert_eq!(module_prefix("bot", "add"), "bot");
        assert_eq!(module_prefix("bot::r#type", "of"), "type");
    }

    #[test]
    fn an_action_is_joined_at_compile_time() {
        const ACTION: &str = {
            const BYTES: [u8; action_len("math", "add")] = action_bytes("math", "add");
            action_str(&BYTES)
        };
        assert_eq!(ToolName::of_action(ACTION).as_str(), "math_add");
        assert_eq!(ACTION, "tool:math_add");
    }
}
