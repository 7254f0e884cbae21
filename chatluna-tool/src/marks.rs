//! What a tool says of its call on the way.

use crate::background::Progress;
use crate::error::ErrorKind;
use serde_json::Value;
use std::collections::VecDeque;

/// How many lines of a log are kept.
const LOG_LINES: usize = 100;

/// How many bytes of a line of a log, or of a message of progress, are kept.
const LINE_BYTES: usize = 1_000;

/// What stands for what was cut off.
const CUT: char = '…';

#[derive(Default)]
pub(crate) struct Marks {
    /// The refusal that stands.
    pub(crate) refusal: Option<ErrorKind>,
    pub(crate) shown: Option<Box<Shown>>,
    pub(crate) progress: Option<Progress>,
    log: VecDeque<String>,
}

/// What people are shown of a call, and models are not.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Shown {
    pub(crate) title: Option<String>,
    pub(crate) metadata: Option<Value>,
}

/// What a call has said so far, for whoever looks at it from outside.
#[derive(Default)]
pub(crate) struct Told {
    pub(crate) title: Option<String>,
    pub(crate) progress: Option<Progress>,
    pub(crate) log: Vec<String>,
}

impl Marks {
    /// Keeps a line that is [`bounded`].
    pub(crate) fn log(&mut self, line: String) {
        if self.log.len() == LOG_LINES {
            self.log.pop_front();
        }
        self.log.push_back(line);
    }

    pub(crate) fn told(&self) -> Told {
        Told {
            title: self.shown.as_ref().and_then(|shown| shown.title.clone()),
            progress: self.progress.clone(),
            log: self.log.iter().cloned().collect(),
        }
    }
}

/// As much of a line as is kept and told: a tool may say anything, and many lines wait for whoever is
/// slow to read them.
pub(crate) fn bounded(mut line: String) -> String {
    if line.len() > LINE_BYTES {
        line.truncate(line.floor_char_boundary(LINE_BYTES));
        line.push(CUT);
        line.shrink_to_fit();
    }
    line
}
