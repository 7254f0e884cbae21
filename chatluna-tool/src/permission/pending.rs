//! The questions of a session that are not answered.

use super::approver::{Answer, Approver};
use super::{ApprovalRequest, Risk};
use crate::BoxFuture;
use crate::guard::{Guarded, guard};
use crate::identity::SessionInfo;
use futures_util::FutureExt;
use futures_util::future::Shared;
use serde::{Deserialize, Serialize};
use std::fmt;
use std::sync::{Arc, Mutex, PoisonError, Weak};
use std::time::{Duration, SystemTime};

/// The answer, or what a panic of the approver said.
pub(crate) type Answered = Result<Answer, Arc<str>>;

/// A question that somebody waits for; dropping the last handle withdraws it.
pub(crate) struct Open {
    request: Arc<ApprovalRequest>,
    asked: SystemTime,
    limit: Duration,
    answer: Shared<BoxFuture<'static, Answered>>,
}

impl Open {
    /// The answer, which all who ask the same share.
    pub(crate) fn answer(&self) -> impl Future<Output = Answered> + use<> {
        self.answer.clone()
    }
}

impl fmt::Debug for Open {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Open").field(&self.request).finish()
    }
}

/// The open questions, in the order in which they were asked.
#[derive(Debug, Default)]
pub(crate) struct Pending(Mutex<Vec<Weak<Open>>>);

impl Pending {
    /// Asks, or waits for the answer to the same question.
    pub(crate) fn open(
        &self,
        request: ApprovalRequest,
        approver: &Arc<dyn Approver>,
        limit: Duration,
    ) -> Arc<Open> {
        let mut list = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        list.retain(|open| open.strong_count() > 0);
        let alike =
            |open: &Arc<Open>| open.request.is_like(&request) && open.answer.peek().is_none();
        if let Some(open) = list.iter().filter_map(Weak::upgrade).find(alike) {
            return open;
        }
        let request = Arc::new(request);
        let answer = answer(Arc::clone(approver), Arc::clone(&request));
        let open = Arc::new(Open {
            request,
            asked: SystemTime::now(),
            limit,
            answer: answer.boxed().shared(),
        });
        list.push(Arc::downgrade(&open));
        open
    }

    pub(crate) fn list(&self) -> Vec<PendingApproval> {
        let list = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let open: Vec<Arc<Open>> = list.iter().filter_map(Weak::upgrade).collect();
        drop(list);
        open.iter().map(|open| PendingApproval::of(open)).collect()
    }
}

async fn answer(approver: Arc<dyn Approver>, request: Arc<ApprovalRequest>) -> Answered {
    let answer = match guard(|| approver.ask(&request)) {
        Ok(answer) => Guarded::new(answer).await,
        Err(panicked) => Err(panicked),
    };
    answer.map_err(|panicked| panicked.to_string().into())
}

/// A question that waits for an answer, as data: to be shown elsewhere, or to be answered by a
/// process that comes after this one ([`Session::resume`](crate::Session::resume)).
///
/// It holds the arguments as they came, secret ones included: keep it where you keep secrets.
/// `Debug` leaves them out.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[non_exhaustive]
pub struct PendingApproval {
    /// The provider's id of the call; none for a wish of the host program.
    pub call_id: Option<String>,
    /// The name of the tool.
    pub tool: Option<String>,
    /// The arguments, as JSON text.
    pub arguments: Option<String>,
    /// What it wants to do.
    pub action: String,
    /// What it wants to do it to.
    pub targets: Vec<String>,
    /// How much is at stake.
    pub risk: Risk,
    /// Why it asks.
    pub reason: String,
    /// Whether the tool runs already: such a call cannot be resumed.
    pub has_begun: bool,
    /// The session.
    pub session: String,
    /// The agent of the session.
    pub agent: Option<String>,
    /// The user of the session.
    pub user: Option<String>,
    /// The user's platform.
    pub platform: Option<String>,
    /// Seconds since 1970 at which it was asked.
    pub asked_at: u64,
    /// Seconds since 1970 from which on an answer comes too late.
    pub expires_at: u64,
}

impl PendingApproval {
    fn of(open: &Open) -> Self {
        let request = &open.request;
        let (info, permission) = (request.session(), request.permission());
        let subject = info.subject.as_ref();
        let arguments = request
            .call()
            .map(|call| call.arguments().text().to_owned());
        Self {
            call_id: request.call_id().map(str::to_owned),
            tool: request.tool().map(str::to_owned),
            arguments,
            action: permission.action().to_owned(),
            targets: permission.targets().to_vec(),
            risk: request.risk(),
            reason: request.reason().to_owned(),
            has_begun: request.has_begun(),
            session: info.id.clone(),
            agent: info.agent.clone(),
            user: subject.map(|subject| subject.user.clone()),
            platform: subject.and_then(|subject| subject.platform.clone()),
            asked_at: seconds(open.asked),
            expires_at: seconds(open.asked).saturating_add(open.limit.as_secs()),
        }
    }

    pub(crate) fn is_expired(&self) -> bool {
        seconds(SystemTime::now()) >= self.expires_at
    }

    /// Whether it was asked in a session like this one.
    pub(crate) fn is_of(&self, info: &SessionInfo) -> bool {
        let subject = info.subject.as_ref();
        self.session == info.id
            && self.agent == info.agent
            && self.user.as_ref() == subject.map(|subject| &subject.user)
            && self.platform.as_ref() == subject.and_then(|subject| subject.platform.as_ref())
    }

    /// Whether it asks what is asked now.
    pub(crate) fn is_like(&self, request: &ApprovalRequest) -> bool {
        let permission = request.permission();
        self.action == permission.action()
            && self.targets == permission.targets()
            && self.risk == request.risk()
    }
}

impl fmt::Debug for PendingApproval {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("PendingApproval")
            .field("call_id", &self.call_id)
            .field("tool", &self.tool)
            .field("action", &self.action)
            .field("targets", &self.targets)
            .field("reason", &self.reason)
            .finish_non_exhaustive()
    }
}

fn seconds(time: SystemTime) -> u64 {
    let since = time.duration_since(SystemTime::UNIX_EPOCH);
    since.map_or(0, |since| since.as_secs())
}
