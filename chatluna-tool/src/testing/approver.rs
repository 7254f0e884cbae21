//! Prepared answers.

use crate::BoxFuture;
use crate::permission::{Answer, ApprovalRequest, Approver};
use std::collections::VecDeque;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// An approver that gives prepared answers, in order, and remembers what it was asked.
///
/// Past its last answer it refuses. Clones share the script.
#[derive(Clone, Debug, Default)]
pub struct ScriptedApprover {
    script: Arc<Mutex<Script>>,
}

#[derive(Debug, Default)]
struct Script {
    answers: VecDeque<Answer>,
    questions: Vec<ApprovalRequest>,
}

impl ScriptedApprover {
    /// An approver with these answers.
    pub fn new(answers: impl IntoIterator<Item = Answer>) -> Self {
        let approver = Self::default();
        approver.script().answers.extend(answers);
        approver
    }

    /// What it was asked so far.
    pub fn questions(&self) -> Vec<ApprovalRequest> {
        self.script().questions.clone()
    }

    fn script(&self) -> MutexGuard<'_, Script> {
        self.script.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Approver for ScriptedApprover {
    fn ask<'a>(&'a self, request: &'a ApprovalRequest) -> BoxFuture<'a, Answer> {
        let mut script = self.script();
        script.questions.push(request.clone());
        let answer = script.answers.pop_front();
        let none = || Answer::Reject("the test has no more answers".to_owned());
        let answer = answer.unwrap_or_else(none);
        Box::pin(async { answer })
    }
}
