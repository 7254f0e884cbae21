//! What the policy says of a call, and who is told.

use super::Session;
use super::refusal::{NOT_RUN, denied};
use crate::arguments::{Arguments, masked};
use crate::call::ToolCall;
use crate::definition::ToolDefinition;
use crate::error::ToolError;
use crate::event::{CallEvent, EventKind};
use crate::guard::{drop_guarded, guard};
use crate::permission::{
    AuditedCall, Decision, Entry, Explanation, Permission, PermissionRequest, Ruling, Verdict,
};
use crate::reading::prepare;
use crate::tool::PreparedCall;
use std::borrow::Cow;

/// A call that has no context yet.
#[derive(Clone, Copy)]
pub(super) struct Judged<'call> {
    pub(super) id: &'call str,
    pub(super) number: u64,
    pub(super) definition: &'call ToolDefinition,
    pub(super) arguments: &'call Arguments,
}

/// What is asked about: what the hook says, and why it is asked. Boxed: most calls do without.
pub(super) type Doubt = (Option<Permission>, Cow<'static, str>);

impl Session {
    /// What would be decided about a call, and why: nothing is run, asked or noted. Of a tool that a
    /// rule hides it tells that rule.
    ///
    /// # Errors
    /// Those of a call that does not come so far: `unknown_tool`, `malformed_arguments`,
    /// `invalid_arguments`, and `panicked` where the tool's own code did.
    pub fn explain(&self, call: &ToolCall) -> Result<Explanation, ToolError> {
        // Also of a tool that the policy hides.
        let view = self.view();
        let existing = view.existing(&call.name);
        let tool = match existing.filter(|tool| view.offers(tool)) {
            Some(tool) => tool,
            None => view.look_up(call)?.0,
        };
        let (prepared, _) = prepare(tool, call)?;
        let permission = permission_of(&*prepared);
        drop_guarded(prepared);
        let permission = permission?;
        let definition = tool.definition();
        let wish = PermissionRequest::of_tool(definition, permission.as_ref(), self.info());
        Ok(self.remembered().rules(self.policy()).explain(&wish))
    }

    /// Asks the tool what the call wants and the policy what it says to that: nothing to ask, or
    /// what.
    pub(super) fn judge(
        &self,
        call: Judged<'_>,
        prepared: &dyn PreparedCall,
    ) -> Result<Option<Box<Doubt>>, ToolError> {
        let permission = permission_of(prepared)?;
        let wish = PermissionRequest::of_tool(call.definition, permission.as_ref(), self.info());
        let remembered = self.has_rules().then(|| self.remembered());
        let ruling = match &remembered {
            Some(remembered) => remembered.rules(self.policy()).decide(&wish),
            None => self.policy().alone().unruled(&wish),
        };
        self.note(&wish, Some(call), &ruling);
        match ruling.verdict {
            Verdict::Allow => Ok(None),
            Verdict::Deny => Err(denied(&ruling, NOT_RUN)),
            Verdict::Ask => {
                let reason = ruling.cause.words();
                Ok(Some(Box::new((permission, reason))))
            }
        }
    }

    /// Whether every call of a tool would be refused, as far as that shows without its arguments.
    pub(super) fn would_refuse(&self, tool: &ToolDefinition) -> bool {
        let wish = PermissionRequest::of_tool(tool, None, self.info());
        let remembered = self.remembered();
        let ruling = remembered.rules(self.policy()).decide(&wish);
        // Where there are rules, one may allow what the tool's own hook calls it.
        let is_sure = ruling.cause.rule().is_some() || !self.has_rules();
        ruling.verdict == Verdict::Deny && is_sure
    }

    /// Tells whoever wants to know of decisions.
    #[inline]
    pub(super) fn note(
        &self,
        wish: &PermissionRequest<'_>,
        call: Option<Judged<'_>>,
        ruling: &Ruling<'_>,
    ) {
        tracing::debug!(
            action = wish.action(),
            verdict = ruling.verdict.as_str(),
            reason = %ruling.cause,
            "a wish was judged"
        );
        if self.is_watched() {
            self.report(wish, call, ruling);
        }
    }

    /// Whether anybody is told of decisions, apart from the log.
    fn is_watched(&self) -> bool {
        self.channel().is_heard() || self.audit().is_some() || self.shadow_policy().is_some()
    }

    /// Reports a decision, also what the policy in the shadow would say.
    #[cold]
    fn report(&self, wish: &PermissionRequest<'_>, call: Option<Judged<'_>>, ruling: &Ruling<'_>) {
        self.tell_of(call, || EventKind::Judged(Box::new(Decision::of(ruling))));
        self.write_down("judged", wish, call, ruling);
        let Some(shadow) = self.shadow_policy() else {
            return;
        };
        let remembered = self.remembered();
        let shadowed = remembered.rules(shadow).decide(wish);
        if shadowed.verdict != ruling.verdict {
            let (action, verdict) = (wish.action(), ruling.verdict.as_str());
            let (shadow, reason) = (shadowed.verdict.as_str(), &shadowed.cause);
            tracing::info!(action, verdict, shadow, %reason, "a policy in the shadow disagrees");
            self.write_down("shadowed", wish, call, &shadowed);
            self.tell_of(call, || {
                EventKind::Shadowed(Box::new(Decision::of(&shadowed)))
            });
        }
    }

    fn tell_of(&self, call: Option<Judged<'_>>, kind: impl FnOnce() -> EventKind) {
        if let Some(call) = call {
            self.channel().send(|| CallEvent {
                id: call.id.to_owned(),
                tool: call.definition.name().to_owned(),
                number: call.number,
                kind: kind(),
            });
        }
    }

    fn write_down(
        &self,
        event: &'static str,
        wish: &PermissionRequest<'_>,
        call: Option<Judged<'_>>,
        ruling: &Ruling<'_>,
    ) {
        let Some(audit) = self.audit() else { return };
        let masked = call.and_then(|call| masked(call.arguments, call.definition.rows()));
        let call = call.map(|call| AuditedCall {
            id: call.id,
            tool: call.definition.name(),
            arguments: masked.as_deref().unwrap_or(call.arguments.text()),
        });
        audit.write(&Entry::judged(event, call, wish, &Decision::of(ruling)));
    }
}

#[inline]
fn permission_of(prepared: &dyn PreparedCall) -> Result<Option<Permission>, ToolError> {
    guard(|| prepared.permission()).map_err(|panicked| panicked.error("the permission hook"))
}
