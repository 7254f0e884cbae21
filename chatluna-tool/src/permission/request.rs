//! What an approver is asked.

use super::{Permission, PermissionRequest, Risk};
use crate::arguments::masked;
use crate::context::CallContext;
use crate::identity::SessionInfo;
use crate::session::Session;
use crate::tool::Effect;
use std::borrow::Cow;

/// A call, or a wish of the host program, that waits for an answer.
#[derive(Clone, Debug)]
pub struct ApprovalRequest {
    session: Session,
    call: Option<CallContext>,
    /// Whether its tool runs already, and asks by itself.
    has_begun: bool,
    /// The arguments, where they are not to be shown as they came.
    masked: Option<String>,
    permission: Permission,
    reason: Cow<'static, str>,
}

impl ApprovalRequest {
    /// About a call that has not begun.
    pub(crate) fn of_call(
        call: &CallContext,
        permission: Option<Permission>,
        reason: Cow<'static, str>,
    ) -> Self {
        let own = || Permission::new(call.definition().tool_name().action().to_owned());
        Self {
            call: Some(call.clone()),
            masked: masked(call.arguments(), call.definition().rows()),
            ..Self::of_session(
                call.session_handle(),
                permission.unwrap_or_else(own),
                reason,
            )
        }
    }

    /// Asked by the tool of a call that runs: `ask:<name>` on the reason.
    pub(crate) fn of_tool(call: &CallContext, reason: Cow<'static, str>) -> Self {
        let permission = Permission::new(format!("ask:{}", call.name())).target(&*reason);
        Self {
            has_begun: true,
            ..Self::of_call(call, Some(permission), reason)
        }
    }

    pub(crate) fn of_session(
        session: &Session,
        permission: Permission,
        reason: Cow<'static, str>,
    ) -> Self {
        Self {
            session: session.clone(),
            call: None,
            has_begun: false,
            masked: None,
            permission,
            reason,
        }
    }

    pub(crate) fn call(&self) -> Option<&CallContext> {
        self.call.as_ref()
    }

    /// The wish as the policy judges it.
    pub(crate) fn judged(&self) -> PermissionRequest<'_> {
        let call = self.call.as_ref().filter(|_| !self.has_begun);
        let session = self.session.info();
        match call {
            Some(call) => {
                PermissionRequest::of_tool(call.definition(), Some(&self.permission), session)
            }
            None => PermissionRequest {
                effect: (!self.has_begun).then_some(Effect::Exec),
                ..PermissionRequest::new(&self.permission, Effect::Exec, session)
            },
        }
    }

    /// Whether the arguments can still be others.
    pub(crate) fn is_editable(&self) -> bool {
        self.call.is_some() && !self.has_begun
    }

    /// Whether an answer to the one answers the other.
    pub(crate) fn is_like(&self, other: &Self) -> bool {
        let asker = |request: &Self| {
            let info = request.session();
            (info.subject.clone(), info.agent.clone())
        };
        self.risk() != Risk::Critical
            && self.tool() == other.tool()
            && self.has_begun == other.has_begun
            && self.permission == other.permission
            && self.reason == other.reason
            && asker(self) == asker(other)
            && self.has_arguments_of(other)
    }

    fn has_arguments_of(&self, other: &Self) -> bool {
        match (&self.call, &other.call) {
            (Some(call), Some(other)) => call.arguments().is_like(other.arguments()),
            (call, other) => call.is_none() && other.is_none(),
        }
    }

    /// Whether the tool runs already, and asks by itself with [`CallContext::ask`].
    pub fn has_begun(&self) -> bool {
        self.has_begun
    }

    /// The id of the call; `None` for [`Session::authorize`].
    pub fn call_id(&self) -> Option<&str> {
        self.call.as_ref().map(CallContext::id)
    }

    /// The name of the tool.
    pub fn tool(&self) -> Option<&str> {
        self.call.as_ref().map(CallContext::name)
    }

    /// The arguments, as the JSON text that the model sent; `***` is the value of a secret one.
    pub fn arguments(&self) -> Option<&str> {
        let sent = self.call.as_ref().map(|call| call.arguments().text());
        self.masked.as_deref().or(sent)
    }

    /// Who asks.
    pub fn session(&self) -> &SessionInfo {
        self.session.info()
    }

    /// What it wants to do. A tool that asks by itself does `ask:<name>` to the reason.
    pub fn permission(&self) -> &Permission {
        &self.permission
    }

    /// How much is at stake.
    pub fn risk(&self) -> Risk {
        self.permission.risk
    }

    /// Why it asks: the deciding rule, or what the tool gave to [`CallContext::ask`].
    pub fn reason(&self) -> &str {
        &self.reason
    }
}
