//! Questions that another part of the program answers.

use super::{Answer, ApprovalRequest, Approver};
use crate::BoxFuture;
use std::collections::BTreeMap;
use std::hash::{BuildHasher, RandomState};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use tokio::sync::{mpsc, oneshot};

/// An approver whose questions arrive at the other end, to be answered by id or by code.
///
/// ```
/// use chatluna_tool::{Answer, Runtime, SessionInfo, approver, tool, tools};
///
/// /// Deploys the service
/// #[tool]
/// async fn deploy(env: String) -> String {
///     format!("deployed to {env}")
/// }
///
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), chatluna_tool::BuildError> {
/// let (approver, mut questions) = approver::channel();
/// let answering = approver.clone();
/// tokio::spawn(async move {
///     while let Some(question) = questions.next().await {
///         // Here it would be shown to somebody, and answered later.
///         assert_eq!(question.request.tool(), Some("deploy"));
///         answering.answer(question.id, Answer::Once);
///     }
/// });
/// let runtime = Runtime::builder().tools(tools![deploy]).approver(approver).build()?;
/// let session = runtime.session(SessionInfo::new("s"));
/// assert_eq!(session.call("deploy", r#"{"env": "staging"}"#).await.text(), "deployed to staging");
/// # Ok(())
/// # }
/// ```
pub fn channel() -> (ChannelApprover, Questions) {
    let (sender, receiver) = mpsc::unbounded_channel();
    let desk = Desk {
        sender,
        open: Mutex::default(),
        codes: RandomState::new(),
    };
    (ChannelApprover(Arc::new(desk)), Questions(receiver))
}

/// Takes the answers to what arrives at [`Questions`]. Cheap to clone.
#[derive(Clone, Debug)]
pub struct ChannelApprover(Arc<Desk>);

#[derive(Debug)]
struct Desk {
    sender: mpsc::UnboundedSender<Question>,
    open: Mutex<Open>,
    codes: RandomState,
}

#[derive(Debug, Default)]
struct Open {
    next: u64,
    by_id: BTreeMap<u64, (Question, oneshot::Sender<Answer>)>,
}

/// A question that waits for an answer.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Question {
    /// What tells it from all others of its channel.
    pub id: u64,
    /// Four digits that no other open question of its channel has, to be typed back where an answer
    /// cannot be tied to its question otherwise, as in a chat.
    pub code: String,
    /// What is asked.
    pub request: ApprovalRequest,
}

/// The questions of a [`channel`], in the order in which they are asked.
///
/// Once it is dropped, whatever is asked is refused.
#[derive(Debug)]
pub struct Questions(mpsc::UnboundedReceiver<Question>);

impl Questions {
    /// The next question; `None` when the approver is gone. It may be answered or withdrawn already:
    /// then [`ChannelApprover::answer`] says so.
    ///
    /// Dropping the future loses nothing.
    pub async fn next(&mut self) -> Option<Question> {
        self.0.recv().await
    }
}

impl ChannelApprover {
    /// Answers a question. Whether it was open.
    pub fn answer(&self, id: u64, answer: Answer) -> bool {
        let open = self.lock().by_id.remove(&id);
        open.is_some_and(|(_, waiting)| waiting.send(answer).is_ok())
    }

    /// Answers the question with this code. Whether there was one.
    pub fn answer_code(&self, code: &str, answer: Answer) -> bool {
        let with_code = |question: &Question| question.code == code.trim();
        let id = self.open().into_iter().find(with_code);
        id.is_some_and(|question| self.answer(question.id, answer))
    }

    /// The questions that are open, in the order in which they were asked.
    pub fn open(&self) -> Vec<Question> {
        let questions = |open: MutexGuard<'_, Open>| -> Vec<Question> {
            let by_id = open.by_id.values();
            by_id.map(|(question, _)| question.clone()).collect()
        };
        questions(self.lock())
    }

    fn lock(&self) -> MutexGuard<'_, Open> {
        self.0.open.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Opens a question, and sends it on its way.
    fn raise(&self, request: &ApprovalRequest) -> Option<Raised> {
        let (sender, answer) = oneshot::channel();
        let mut open = self.lock();
        let id = open.next;
        open.next += 1;
        let code = self.code(id, &open);
        let request = request.clone();
        let question = Question { id, code, request };
        open.by_id.insert(id, (question.clone(), sender));
        drop(open);
        let raised = Raised {
            approver: self.clone(),
            id,
            answer,
        };
        self.0.sender.send(question).is_ok().then_some(raised)
    }

    /// A code that nobody can tell beforehand.
    fn code(&self, id: u64, open: &Open) -> String {
        let mut codes = (0_u64..).map(|attempt| {
            let number = self.0.codes.hash_one((id, attempt)) % 10_000;
            // With thousands of open questions four digits are not enough.
            match attempt {
                0..100 => format!("{number:04}"),
                _ => format!("{number:04}{id}"),
            }
        });
        let is_free = |code: &String| open.by_id.values().all(|(other, _)| other.code != *code);
        codes.find(is_free).unwrap_or_default()
    }
}

impl Approver for ChannelApprover {
    fn ask<'a>(&'a self, request: &'a ApprovalRequest) -> BoxFuture<'a, Answer> {
        Box::pin(async move {
            let gone = || Answer::Reject("nobody takes questions any more".to_owned());
            match self.raise(request) {
                Some(mut raised) => (&mut raised.answer).await.unwrap_or_else(|_| gone()),
                None => gone(),
            }
        })
    }

    fn name(&self) -> &str {
        "channel"
    }
}

/// A question that is taken back when nobody waits for its answer any more.
struct Raised {
    approver: ChannelApprover,
    id: u64,
    answer: oneshot::Receiver<Answer>,
}

impl Drop for Raised {
    fn drop(&mut self) {
        let withdrawn = self.approver.lock().by_id.remove(&self.id);
        drop(withdrawn);
    }
}
