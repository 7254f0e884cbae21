//! From a call as the model wrote it to a call that may run: look-up, arguments, permission.

use super::Session;
use super::judge::Judged;
use crate::arguments::Repair;
use crate::call::{ToolCall, ToolResult};
use crate::context::CallContext;
use crate::definition::ToolDefinition;
use crate::error::{ErrorKind, ToolError};
use crate::event::{CallEvent, EventKind};
use crate::failures::Fingerprint;
use crate::guard::{drop_guarded, guard};
use crate::identity::TurnInfo;
use crate::name::plain_name;
use crate::nearest::nearest;
use crate::permission::ApprovalRequest;
use crate::provider::original_tool_name;
use crate::reading::prepare;
use crate::ready_call::ReadyCall;
use crate::scheduler::Stage;
use crate::tool::{PreparedCall, Tool};
use serde_json::Value;
use std::sync::Arc;
use std::time::Duration;

/// The most names that an answer to an unknown name lists.
const MAX_NAMES: usize = 20;

/// A tool, and how its name was read where it was written otherwise.
pub(crate) type Meant<'session> = (&'session Arc<dyn Tool>, Option<Box<Repair>>);

impl Session {
    /// Look up, prepare, authorize: all that comes before anything runs.
    pub(super) fn stage(&self, call: ToolCall) -> Stage {
        let turn = self.turn();
        let fingerprint = turn.as_ref().map(|_| Fingerprint::of(&call));
        let checked = fingerprint.map(|fingerprint| self.failures().check(fingerprint));
        let mut stage = match checked {
            Some(Err(repeated)) => return self.answered(call, self.next_number(), repeated),
            _ => self.staged(call, turn),
        };
        if let Some(fingerprint) = fingerprint {
            stage.set_fingerprint(fingerprint, self.failures());
        }
        stage
    }

    fn staged(&self, call: ToolCall, turn: Option<Arc<TurnInfo>>) -> Stage {
        let number = self.next_number();
        let found = self.look_up(&call).and_then(|(tool, renamed)| {
            let (prepared, mended) = prepare(tool, &call)?;
            Ok((tool.definition(), prepared, mended, renamed))
        });
        match found {
            Ok((definition, prepared, None, None)) => {
                self.authorized(call, number, turn, definition, prepared)
            }
            Ok((definition, prepared, mended, renamed)) => {
                let mut call = call;
                let mut repairs: Vec<Repair> =
                    renamed.map(|renamed| *renamed).into_iter().collect();
                if let Some(mended) = mended {
                    call.arguments = mended.arguments;
                    repairs.extend(mended.repairs);
                }
                let mut stage = self.authorized(call, number, turn, definition, prepared);
                stage.set_repairs(repairs);
                stage
            }
            Err(error) => self.answered(call, number, error),
        }
    }

    fn authorized(
        &self,
        call: ToolCall,
        number: u64,
        turn: Option<Arc<TurnInfo>>,
        definition: &ToolDefinition,
        prepared: Box<dyn PreparedCall>,
    ) -> Stage {
        let judged = Judged {
            id: &call.id,
            number,
            definition,
            arguments: &call.arguments,
        };
        let doubt = match self.judge(judged, &*prepared) {
            Ok(doubt) => doubt,
            Err(error) => {
                drop_guarded(prepared);
                return self.answered(call, number, error);
            }
        };
        let context = CallContext::new(
            call.id,
            number,
            definition.clone(),
            call.arguments,
            self.clone(),
            turn,
        );
        let question = doubt
            .map(|(permission, reason)| ApprovalRequest::of_call(&context, permission, reason));
        Stage::Ready(ReadyCall::new(call.name, context, prepared, question))
    }

    /// Ends a call that does not even get a context.
    fn answered(&self, call: ToolCall, number: u64, error: ToolError) -> Stage {
        self.channel().send(|| CallEvent {
            id: call.id.clone(),
            tool: call.name.clone(),
            number,
            kind: EventKind::Finished {
                error: Some(error.kind()),
                elapsed: Duration::ZERO,
            },
        });
        Stage::answered(ToolResult::new(call.id, call.name, Err(error)))
    }

    /// Puts the arguments of whoever approved a call in place of those that came, after all the
    /// looks that those got. What would be asked about now is approved by being written.
    pub(super) fn edit(&self, call: &mut ReadyCall, arguments: Value) -> Result<(), ToolError> {
        let old = call.context();
        let edited = ToolCall::new(old.name(), arguments).id(old.id());
        let (tool, _) = self.look_up(&edited)?;
        let (prepared, mended) = prepare(tool, &edited)?;
        let judged = Judged {
            id: old.id(),
            number: old.number(),
            definition: tool.definition(),
            arguments: &edited.arguments,
        };
        if let Err(error) = self.judge(judged, &*prepared) {
            drop_guarded(prepared);
            return Err(error);
        }
        let arguments = mended.map_or(edited.arguments, |mended| mended.arguments);
        call.replace(old.with_arguments(arguments), prepared);
        Ok(())
    }

    /// Among the visible tools only: a hidden one is unknown.
    pub(super) fn visible(&self, name: &str) -> Option<&Arc<dyn Tool>> {
        let tool = self.0.runtime.registry().get(name);
        tool.filter(|tool| self.sees(tool))
    }

    /// The tool that a model means, and how its name was read if it is another.
    pub(crate) fn look_up(&self, call: &ToolCall) -> Result<Meant<'_>, ToolError> {
        let name = &call.name;
        if let Some(tool) = self.visible(name).or_else(|| self.renamed(call)) {
            return Ok((tool, None));
        }
        let tool = self.undecorated(name).ok_or_else(|| self.unknown(name))?;
        let own = tool.definition().name();
        Ok((tool, Some(Box::new(Repair::of_name(name, own)))))
    }

    /// The tool that travels under the call's name in its dialect.
    fn renamed(&self, call: &ToolCall) -> Option<&Arc<dyn Tool>> {
        let tools = self.0.runtime.registry().tools().iter();
        let names = tools.map(|tool| tool.definition().name());
        self.visible(original_tool_name(&call.name, names, call.dialect?)?)
    }

    /// The one visible tool that is called so but for what models put around names.
    fn undecorated(&self, name: &str) -> Option<&Arc<dyn Tool>> {
        let plain = plain_name(name);
        let tools = self.0.runtime.registry().tools().iter();
        let alike = tools.filter(|tool| plain_name(tool.definition().name()) == plain);
        let mut seen = alike.filter(|tool| self.sees(tool));
        seen.next().filter(|_| seen.next().is_none())
    }

    pub(super) fn sees(&self, tool: &Arc<dyn Tool>) -> bool {
        let action = tool.definition().tool_name().action();
        !self.policy().hides(action, self.info()) && self.shows(tool)
    }

    fn shows(&self, tool: &Arc<dyn Tool>) -> bool {
        guard(|| tool.visible(&self.0.info)).unwrap_or_else(|panicked| {
            let name = tool.definition().name();
            tracing::error!(%panicked, name, "a visibility hook panicked; its tool is hidden");
            false
        })
    }

    pub(super) fn unknown(&self, name: &str) -> ToolError {
        let definitions = self.definitions();
        let names = definitions.iter().map(ToolDefinition::name);
        let hint = match nearest(name, names.clone()) {
            Some(near) => format!("did you mean `{near}`?"),
            None if definitions.is_empty() => "there are no tools".to_owned(),
            None => format!("there are: {}", listed(names)),
        };
        let shown: String = name.chars().take(80).collect();
        ToolError::of_kind(
            ErrorKind::UnknownTool,
            format_args!("no tool is named `{shown}`; {hint}"),
        )
    }
}

fn listed<'a>(names: impl ExactSizeIterator<Item = &'a str>) -> String {
    let more = names.len().saturating_sub(MAX_NAMES);
    let shown: Vec<&str> = names.take(MAX_NAMES).collect();
    let shown = shown.join(", ");
    match more {
        0 => shown,
        more => format!("{shown} and {more} more"),
    }
}
