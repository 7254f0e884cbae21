//! What answers become: a yes or a refusal, and rules that are remembered.

use super::Session;
use super::refusal::{NOT_RUN, fate, panicked, rejected};
use crate::error::ToolError;
use crate::event::{Answerer, EventKind};
use crate::permission::{
    Answer, Answered, ApprovalRequest, Entry, Risk, Rule, Scope, Verdict, of_answer,
};
use serde_json::Value;
use tokio::time::Instant;

/// A yes, and the arguments that it is for where they are not those that were asked about.
#[derive(Debug)]
pub(crate) struct Approved {
    pub(super) at: Instant,
    pub(super) edited: Option<Value>,
}

/// How a question ended, and by whom.
pub(super) struct Settled {
    pub(super) outcome: Result<Approved, ToolError>,
    /// What the outcome is called in the audit log.
    pub(super) answer: &'static str,
    pub(super) by: Answerer,
}

impl Settled {
    pub(super) fn refused(error: ToolError, by: Answerer) -> Self {
        Self {
            answer: error.kind().as_str(),
            outcome: Err(error),
            by,
        }
    }
}

impl Session {
    /// What becomes of an answer.
    pub(super) fn settled(
        &self,
        request: &ApprovalRequest,
        answer: Answered,
        by: Answerer,
    ) -> Settled {
        let answer = match answer {
            Ok(answer) => answer,
            Err(panic) => return Settled::refused(panicked(&panic, fate(request)), by),
        };
        self.remember(request, &answer);
        let word = answer.as_str();
        let outcome = match answer {
            Answer::Once | Answer::Turn | Answer::Session | Answer::Always => {
                Ok(Approved::now(None))
            }
            Answer::Edited(arguments) if request.is_editable() => {
                Ok(Approved::now(Some(arguments)))
            }
            Answer::Edited(_) => Err(rejected(
                "it was approved with other arguments, too late to be changed",
                fate(request),
            )),
            Answer::Reject(why) => Err(rejected(&why, fate(request))),
            Answer::Never => Err(rejected("the answer is no for good", fate(request))),
        };
        Settled {
            outcome,
            answer: word,
            by,
        }
    }

    /// Keeps an answer for as long as it says.
    fn remember(&self, request: &ApprovalRequest, answer: &Answer) {
        if request.risk() == Risk::Critical {
            return;
        }
        let (verdict, scope) = match answer {
            Answer::Once | Answer::Edited(_) | Answer::Reject(_) => return,
            Answer::Turn if self.turn().is_none() => return,
            Answer::Turn => (Verdict::Allow, Some(Scope::Turn)),
            Answer::Session => (Verdict::Allow, Some(Scope::Session)),
            Answer::Always => (Verdict::Allow, None),
            Answer::Never => (Verdict::Deny, None),
        };
        let rules = of_answer(request, verdict);
        match scope {
            Some(scope) => self.memory().add(scope, &rules),
            None => self.keep(&rules),
        }
        self.memory().tell();
    }

    /// Keeps rules for good. Those that are kept already are not kept twice, as when equal questions
    /// have shared an answer.
    fn keep(&self, rules: &[Rule]) {
        let kept = self.grants().rules();
        let new = rules.iter().filter(|rule| !kept.contains(rule));
        let new: Vec<Rule> = new.cloned().collect();
        if new.is_empty() {
            return;
        }
        if let Err(error) = self.grants().add(&new) {
            tracing::error!(%error, "an answer could not be kept; it holds for the session");
            self.memory().add(Scope::Session, &new);
        }
    }

    pub(super) fn tell(&self, request: &ApprovalRequest, settled: &Settled) {
        let refusal = settled.outcome.as_ref().err();
        if let Some(call) = request.call() {
            call.emit(|| EventKind::Decided {
                refusal: refusal.map(ToolError::kind),
                by: settled.by.clone(),
            });
        }
        let (answer, by) = (settled.answer, &settled.by);
        tracing::info!(
            tool = request.tool(),
            action = request.permission().action(),
            answer,
            %by,
            "a question was answered"
        );
        if let Some(audit) = self.audit() {
            let why = refusal.map(ToString::to_string);
            let reason = why.as_deref().unwrap_or(request.reason());
            audit.write(&Entry::answered(request, answer, reason, by));
        }
    }
}

impl Approved {
    pub(super) fn now(edited: Option<Value>) -> Self {
        let at = Instant::now();
        Self { at, edited }
    }

    /// A yes to what was asked, and to nothing else.
    pub(crate) fn into_asked(self) -> Result<(), ToolError> {
        match self.edited {
            None => Ok(()),
            Some(_) => Err(rejected("nothing of it can be edited", NOT_RUN)),
        }
    }
}
