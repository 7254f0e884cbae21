//! What helps a model to find a tool and to call it well, besides the description.

use crate::build_error::Fault;
use crate::definition::ToolDefinition;
use crate::tool_mode::ToolMode;

/// How many keywords a tool has at most.
///
/// A search weighs every keyword of every tool, and the fiftieth tells it little that is new.
pub const MAX_KEYWORDS: usize = 50;

/// The longest keyword, in bytes of UTF-8.
///
/// That is room for a sample request of a sentence or two, also of Chinese, whose letters have
/// three bytes. Longer text is a description: a single word counts for less in it.
pub const MAX_KEYWORD_BYTES: usize = 300;

/// What `#[tool(example, keywords, mode)]` says. Few tools have any of it.
#[derive(Default)]
pub struct Hints {
    /// The examples of a whole call's arguments, as JSON.
    pub(crate) examples: &'static [&'static str],
    pub(crate) keywords: &'static [&'static str],
    pub(crate) mode: Option<ToolMode>,
}

impl Hints {
    /// None.
    #[must_use]
    pub const fn new() -> Self {
        Self {
            examples: &[],
            keywords: &[],
            mode: None,
        }
    }

    /// Sets the examples.
    #[must_use]
    pub const fn examples(mut self, examples: &'static [&'static str]) -> Self {
        self.examples = examples;
        self
    }

    /// Sets the keywords. Those that are constants are checked here, by rustc.
    #[must_use]
    #[track_caller]
    pub const fn keywords(mut self, keywords: &'static [&'static str]) -> Self {
        let mut rest = keywords;
        while let [keyword, others @ ..] = rest {
            if let Some(why) = keyword_fault(keyword) {
                panic!("{}", why);
            }
            rest = others;
        }
        self.keywords = keywords;
        self
    }

    /// Sets the mode.
    #[must_use]
    pub const fn mode(mut self, mode: ToolMode) -> Self {
        self.mode = Some(mode);
        self
    }
}

/// What is wrong with a keyword. The macro says the same of literals.
const fn keyword_fault(keyword: &str) -> Option<&'static str> {
    if keyword.trim_ascii().is_empty() {
        Some("a keyword is blank; remove it")
    } else if keyword.len() > MAX_KEYWORD_BYTES {
        Some("a keyword has over 300 bytes; shorten it, or make several of it")
    } else {
        None
    }
}

/// Checks the keywords of a tool made by hand; the macro's are checked when they are compiled.
pub(crate) fn check(tool: &ToolDefinition, faults: &mut Vec<Fault>) {
    let has_too_many = tool.keywords().nth(MAX_KEYWORDS).is_some();
    let too_many = "there are over 50 keywords; keep those that differ most";
    let each = tool.keywords().filter_map(keyword_fault);
    let whys = has_too_many.then_some(too_many).into_iter().chain(each);
    faults.extend(whys.map(|why| Fault::BadKeyword {
        tool: tool.name().to_owned(),
        why,
    }));
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        CallContext, Effect, FnTool, Runtime, SessionInfo, Traits, anthropic, gemini, openai,
    };
    use serde_json::{Map, Value};

    fn ping(keywords: &[&'static str]) -> Result<Runtime, Vec<String>> {
        let definition = ToolDefinition::new("ping", "Answers with pong")
            .traits(Traits::new().effect(Effect::Read))
            .with_mode(ToolMode::Auto(7))
            .with_keywords(keywords.iter().copied());
        let tool = FnTool::new(definition, |_: Map<String, Value>, _: CallContext| async {});
        let runtime = Runtime::builder().tool(tool).build();
        runtime.map_err(|error| error.faults().iter().map(Fault::to_string).collect())
    }

    #[test]
    fn no_provider_reads_a_mode_or_a_keyword() -> Result<(), Vec<String>> {
        let definitions = ping(&["Tischtennis"])?
            .session(SessionInfo::new("s"))
            .definitions();
        let [tool] = &definitions[..] else {
            return Err(vec!["not one tool".to_owned()]);
        };
        assert_eq!(tool.mode(), Some(ToolMode::Auto(7)));
        assert!(tool.keywords().eq(["Tischtennis"]));
        let sent = [
            openai::tools(&definitions),
            openai::responses::tools(&definitions),
            anthropic::tools(&definitions),
            gemini::tools(&definitions),
        ];
        for form in sent {
            let text = form.to_string();
            assert!(
                text.contains("ping") && !text.contains("Tischtennis"),
                "{text}"
            );
            assert!(
                !text.contains("mode") && !text.contains("keywords"),
                "{text}"
            );
        }
        Ok(())
    }

    #[test]
    fn keywords_of_a_tool_made_by_hand_are_checked_at_start_up() {
        let long = "x".repeat(MAX_KEYWORD_BYTES + 1);
        let long: &'static str = long.leak();
        let faults = ping(&["  ", "rain", long]).err().unwrap_or_default();
        let expected = [
            "in the definition of `ping`, a keyword is blank; remove it",
            "in the definition of `ping`, a keyword has over 300 bytes; shorten it, or make several of it",
        ];
        assert_eq!(faults, expected);
        assert!(ping(&["x"; MAX_KEYWORDS]).is_ok());
        let faults = ping(&["x"; MAX_KEYWORDS + 1]).err().unwrap_or_default();
        let expected =
            "in the definition of `ping`, there are over 50 keywords; keep those that differ most";
        assert_eq!(faults, [expected]);
    }
}
