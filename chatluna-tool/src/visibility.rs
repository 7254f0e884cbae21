//! Which tools a session sees: filters, each of which can only take away.

use crate::permission::Pattern;
use std::fmt;

/// Takes tools away by name. In a pattern, `*` stands for any characters and `?` for one; the whole
/// name has to match.
///
/// A runtime, an agent and a session can each have filters; a session sees the tools that all of them
/// let through. What a filter hides is unknown to the model.
///
/// ```
/// use chatluna_tool::ToolFilter;
///
/// let filter = ToolFilter::new().include(["file_*", "weather"]).exclude(["*_delete"]);
/// assert!(filter.lets_through("file_read"));
/// assert!(!filter.lets_through("file_delete")); // to exclude wins
/// assert!(!filter.lets_through("deploy"));
/// assert_eq!(filter.unmatched(["file_read", "file_delete"]), ["weather"]);
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[must_use = "a filter does nothing until a runtime or a session is given it"]
pub struct ToolFilter {
    include: Option<Vec<Pattern>>,
    exclude: Vec<Pattern>,
}

impl ToolFilter {
    /// Lets everything through.
    pub fn new() -> Self {
        Self::default()
    }

    /// Of the program's tools, lets only those through whose name matches one of these patterns, or
    /// of those of an earlier `include`. An empty list lets none through.
    ///
    /// The tools that the runtime brings itself, such as `task_output`, come along with those they
    /// serve; only [`exclude`](Self::exclude) takes them away.
    pub fn include<P: Into<String>>(mut self, patterns: impl IntoIterator<Item = P>) -> Self {
        let include = self.include.get_or_insert_default();
        include.extend(patterns.into_iter().map(pattern));
        self
    }

    /// Lets no tool through whose name matches one of these patterns.
    pub fn exclude<P: Into<String>>(mut self, patterns: impl IntoIterator<Item = P>) -> Self {
        self.exclude.extend(patterns.into_iter().map(pattern));
        self
    }

    /// Whether a tool of the program of this name gets through.
    pub fn lets_through(&self, name: &str) -> bool {
        !self.excludes(name) && self.includes(name)
    }

    fn includes(&self, name: &str) -> bool {
        let include = self.include.as_deref();
        include.is_none_or(|patterns| is_one_of(patterns, name))
    }

    pub(crate) fn excludes(&self, name: &str) -> bool {
        is_one_of(&self.exclude, name)
    }

    /// The patterns that match none of these names, in the order in which they were given: mostly
    /// typos.
    pub fn unmatched<'name>(&self, names: impl IntoIterator<Item = &'name str>) -> Vec<&str> {
        let mut left: Vec<&Pattern> = self.include.iter().flatten().chain(&self.exclude).collect();
        for name in names {
            left.retain(|pattern| !pattern.matches(name));
        }
        left.into_iter().map(Pattern::as_str).collect()
    }
}

fn pattern(text: impl Into<String>) -> Pattern {
    Pattern::new(text.into())
}

fn is_one_of(patterns: &[Pattern], name: &str) -> bool {
    patterns.iter().any(|pattern| pattern.matches(name))
}

/// An entry of a filter that matches no tool. `Display` says whose filter it is, and what to do.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct FilterLint {
    /// The agent whose filter it is; `None` is the runtime's.
    pub agent: Option<String>,
    /// The entry.
    pub pattern: String,
}

impl fmt::Display for FilterLint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { agent, pattern } = self;
        write!(f, "the entry `{pattern}` of the filter of ")?;
        match agent {
            None => write!(f, "the runtime")?,
            Some(agent) => write!(f, "the agent `{agent}`")?,
        }
        write!(f, " matches no tool; correct the name or remove the entry")
    }
}

#[cfg(test)]
mod tests {
    use super::ToolFilter;

    #[test]
    fn an_include_of_nothing_lets_nothing_through() {
        let none = ToolFilter::new().include(Vec::<String>::new());
        assert!(!none.lets_through("add"));
        assert!(ToolFilter::new().lets_through("add"));
    }

    #[test]
    fn includes_add_up_and_an_exclude_beats_them() {
        let filter = ToolFilter::new()
            .include(["math_*"])
            .include(["text_?"])
            .exclude(["math_div"]);
        let names = ["math_add", "math_div", "text_a", "text_ab", "other"];
        let seen = names.map(|name| filter.lets_through(name));
        assert_eq!(seen, [true, false, true, false, false]);
        assert_eq!(filter.unmatched(names), Vec::<&str>::new());
        assert_eq!(
            filter.unmatched(["other"]),
            ["math_*", "text_?", "math_div"]
        );
    }
}
