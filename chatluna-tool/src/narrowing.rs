//! Which of the linked tools a runtime takes, and under which names.

use crate::build_error::Fault;
use crate::name::ToolName;
use crate::permission::Pattern;
use crate::registry::ToolRegistration;

/// What the builder was told before `build`.
#[derive(Default)]
pub(crate) struct Narrowing {
    pub(crate) only: Option<Vec<Pattern>>,
    pub(crate) without: Vec<Pattern>,
    pub(crate) without_crates: Vec<String>,
    pub(crate) renames: Vec<(String, String)>,
    pub(crate) prefixes: Vec<(String, String)>,
}

/// A linked tool and the name it goes by.
pub(crate) struct Candidate {
    pub(crate) name: ToolName,
    pub(crate) registration: &'static ToolRegistration,
}

impl Candidate {
    pub(crate) fn new(registration: &'static ToolRegistration) -> Self {
        Self {
            name: ToolName::of_action(registration.action),
            registration,
        }
    }

    fn is_of(&self, krate: &str) -> bool {
        // Cargo allows hyphens where Rust has underscores.
        self.registration.origin.krate() == krate.replace('-', "_")
    }

    fn is_named(&self, patterns: &[Pattern]) -> bool {
        let name = self.name.as_str();
        patterns.iter().any(|pattern| pattern.matches(name))
    }
}

impl Narrowing {
    /// Applies all of it. Patterns see the names that the tools were given in the source.
    pub(crate) fn apply(&self, tools: Vec<Candidate>, faults: &mut Vec<Fault>) -> Vec<Candidate> {
        self.report_idle(&tools, faults);
        let mut tools = tools;
        tools.retain(|tool| self.keeps(tool));
        for tool in &mut tools {
            self.rename(tool);
        }
        tools
    }

    fn keeps(&self, tool: &Candidate) -> bool {
        let named = self.only.as_ref().is_none_or(|only| tool.is_named(only));
        named
            && !tool.is_named(&self.without)
            && !self.without_crates.iter().any(|krate| tool.is_of(krate))
    }

    fn rename(&self, tool: &mut Candidate) {
        let renamed = self.renames.iter();
        for (_, new) in renamed.filter(|(path, _)| tool.registration.origin.is_at(path)) {
            tool.name = ToolName::new(new);
        }
        for (krate, prefix) in &self.prefixes {
            if tool.is_of(krate) {
                tool.name = ToolName::new(&format!("{prefix}_{}", tool.name));
            }
        }
    }

    /// A line of the builder that changes nothing is a typo, or was left behind.
    fn report_idle(&self, tools: &[Candidate], faults: &mut Vec<Fault>) {
        let only = self.only.iter().flatten().map(|pattern| ("only", pattern));
        let without = self.without.iter().map(|pattern| ("without", pattern));
        for (line, pattern) in only.chain(without) {
            let pattern = std::slice::from_ref(pattern);
            if !tools.iter().any(|tool| tool.is_named(pattern)) {
                faults.push(Fault::idle(line, pattern[0].as_str()));
            }
        }
        let without = self
            .without_crates
            .iter()
            .map(|krate| ("without_crate", krate));
        let prefixes = self
            .prefixes
            .iter()
            .map(|(krate, _)| ("prefix_crate", krate));
        for (line, krate) in without.chain(prefixes) {
            if !tools.iter().any(|tool| tool.is_of(krate)) {
                faults.push(Fault::idle(line, krate));
            }
        }
        for (path, _) in &self.renames {
            if !tools
                .iter()
                .any(|tool| tool.registration.origin.is_at(path))
            {
                faults.push(Fault::idle("rename", path));
            }
        }
    }
}
