//! What is found out about one tool.

use crate::definition::ToolDefinition;
use crate::owner::Owner;
use crate::provider::{Dialect, Loss, LossAction, cut_description, lower, tool_name};
use crate::registry::Origin;
use crate::report::Report;
use crate::testing::unsound;
use crate::tokens::estimate;
use crate::tool::Tool;
use serde_json::{Value, json};
use std::sync::Arc;

/// OpenAI: "a max of 128 functions are supported". So many declarations are Gemini's limit, too.
const MOST_TOOLS: usize = 128;

/// How bad it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Level {
    /// It does not work.
    Error,
    /// A model will stumble over it, or is not told.
    Warning,
    /// It is otherwise than it is written, and comes to the same.
    Note,
}

/// One thing to say of a tool, or of all of them together.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Remark {
    pub(super) level: Level,
    pub(super) text: String,
    /// Those that it is about; none where it is about what is written here.
    pub(super) dialects: Vec<Dialect>,
}

pub(super) struct Findings {
    pub(super) name: String,
    pub(super) source: Option<Origin>,
    /// The worst first.
    pub(super) remarks: Vec<Remark>,
    pub(super) tokens: Vec<(Dialect, usize)>,
}

impl Findings {
    pub(super) fn of(tool: &Arc<dyn Tool>, dialects: &[Dialect]) -> Self {
        let definition = tool.definition();
        let mut findings = Self {
            name: definition.name().to_owned(),
            source: definition.origin(),
            remarks: unsound(tool).into_iter().map(Remark::error).collect(),
            tokens: Vec::new(),
        };
        findings.lint(tool);
        for dialect in dialects {
            findings.send(definition, *dialect);
        }
        findings.remarks.sort_by_key(|remark| remark.level);
        findings
    }

    pub(super) fn count(&self, level: Level) -> usize {
        let remarks = self.remarks.iter();
        remarks.filter(|remark| remark.level == level).count()
    }

    fn lint(&mut self, tool: &Arc<dyn Tool>) {
        let report = Report::of(&Owner::Global, std::slice::from_ref(tool));
        let tool = format!("{}: ", self.name);
        let lints = report.lints.iter().map(ToString::to_string);
        let lints = lints.map(|lint| lint.strip_prefix(&tool).unwrap_or(&lint).to_owned());
        self.remarks.extend(lints.map(Remark::warning));
    }

    /// What becomes of the tool in a dialect.
    fn send(&mut self, tool: &ToolDefinition, dialect: Dialect) {
        let name = tool_name(tool.name(), dialect);
        let (description, cut) = cut_description(tool.description(), dialect);
        let lowered = lower(tool.parameters(), dialect);
        if name != tool.name() {
            self.remark(Level::Note, format!("sent as `{name}`"), dialect);
        }
        for loss in cut.iter().chain(&lowered.losses) {
            let level = level(loss, tool.parameters());
            self.remark(level, loss.to_string(), dialect);
        }
        let sent = json!({
            "name": name,
            "description": description,
            "parameters": lowered.schema,
        });
        self.tokens.push((dialect, estimate(&sent.to_string())));
    }

    /// What several dialects have in common is one remark.
    fn remark(&mut self, level: Level, text: String, dialect: Dialect) {
        let mut said = self.remarks.iter_mut();
        let said = said.find(|said| !said.dialects.is_empty() && said.text == text);
        if let Some(said) = said {
            said.dialects.push(dialect);
            return;
        }
        self.remarks.push(Remark {
            level,
            text,
            dialects: vec![dialect],
        });
    }
}

impl Remark {
    fn error(text: String) -> Self {
        Self::new(Level::Error, text)
    }

    pub(super) fn warning(text: String) -> Self {
        Self::new(Level::Warning, text)
    }

    fn new(level: Level, text: String) -> Self {
        Self {
            level,
            text,
            dialects: Vec::new(),
        }
    }

    /// On a request that holds so many tools.
    pub(super) fn of_request(count: usize, dialects: &[Dialect]) -> Option<Self> {
        let limited = dialects.iter().copied().filter(|dialect| {
            matches!(
                dialect,
                Dialect::OpenAi | Dialect::OpenAiStrict | Dialect::Gemini
            )
        });
        let dialects: Vec<Dialect> = limited.collect();
        (count > MOST_TOOLS && !dialects.is_empty()).then(|| Self {
            level: Level::Note,
            text: format!("a request takes {MOST_TOOLS} of these {count} tools"),
            dialects,
        })
    }
}

/// What the model does not read any more, or cannot send, is worse than what it reads in other words.
fn level(loss: &Loss, schema: &Value) -> Level {
    match loss.action {
        LossAction::Cut | LossAction::Narrowed | LossAction::NotStrict => Level::Warning,
        LossAction::Dropped if !forbids_keys(loss, schema) => Level::Warning,
        _ => Level::Note,
    }
}

/// Every tool forbids unknown keys, and refuses them when they come.
fn forbids_keys(loss: &Loss, schema: &Value) -> bool {
    let forbidding = schema.pointer(&loss.pointer);
    loss.keyword == "additionalProperties"
        && forbidding.is_some_and(|schema| schema["additionalProperties"] == false)
}
