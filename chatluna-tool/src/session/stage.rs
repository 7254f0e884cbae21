//! From a call as the model wrote it to a call that may run: look-up, arguments, permission.

use super::Session;
use super::judge::{Doubt, Judged};
use crate::arguments::Repair;
use crate::call::{ToolCall, ToolResult};
use crate::context::CallContext;
use crate::definition::ToolDefinition;
use crate::error::{ErrorKind, ToolError};
use crate::event::{CallEvent, EventKind};
use crate::guard::{drop_guarded, guard};
use crate::name::plain_name;
use crate::nearest::nearest;
use crate::permission::ApprovalRequest;
use crate::provider::original_tool_name;
use crate::reading::prepare;
use crate::ready_call::{Notes, ReadyCall};
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
    pub(crate) fn stage(&self, mut call: ToolCall) -> Stage {
        let (turn, number) = (self.turn(), self.next_number());
        let mut notes = Notes {
            fingerprint: turn.as_ref().map(|_| self.failures().fingerprint(&call)),
            repairs: Vec::new(),
        };
        let (definition, prepared) = match self.read(&mut call, &mut notes) {
            Ok(read) => read,
            Err(error) => return self.refused(call, number, error, notes),
        };
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
                return self.refused(call, number, error, notes);
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
        let ask = |doubt: Box<Doubt>| ApprovalRequest::of_call(&context, doubt.0, doubt.1);
        let question = doubt.map(|doubt| Box::new(ask(doubt)));
        Stage::Ready(ReadyCall::new(
            call.name, context, prepared, question, notes,
        ))
    }

    /// Finds the tool and reads the arguments, which become what was read.
    #[inline]
    fn read(
        &self,
        call: &mut ToolCall,
        notes: &mut Notes,
    ) -> Result<(&ToolDefinition, Box<dyn PreparedCall>), ToolError> {
        if let Some(fingerprint) = notes.fingerprint {
            self.failures().check(fingerprint)?;
        }
        let (tool, renamed) = self.look_up(call)?;
        let (prepared, mended) = prepare(tool, call)?;
        if let Some(renamed) = renamed {
            notes.repairs.push(*renamed);
        }
        if let Some(mended) = mended {
            call.arguments = mended.arguments;
            notes.repairs.extend(mended.repairs);
        }
        Ok((tool.definition(), prepared))
    }

    /// Ends a call that does not even get a context.
    #[cold]
    fn refused(&self, call: ToolCall, number: u64, mut error: ToolError, notes: Notes) -> Stage {
        self.cut_error(&mut error, self.output_cap());
        if let Some(fingerprint) = notes.fingerprint {
            self.failures().note(fingerprint, Some(error.kind()));
        }
        self.channel().send(|| CallEvent {
            id: call.id.clone(),
            tool: call.name.clone(),
            number,
            kind: EventKind::Finished {
                error: Some(error.kind()),
                elapsed: Duration::ZERO,
            },
        });
        let mut result = ToolResult::new(call.id, call.name, Err(error));
        result.set_repairs(notes.repairs);
        Stage::answered(result)
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
    #[inline]
    pub(super) fn visible(&self, name: &str) -> Option<&Arc<dyn Tool>> {
        self.existing(name).filter(|tool| self.sees(tool))
    }

    /// Seen or not.
    #[inline]
    pub(super) fn existing(&self, name: &str) -> Option<&Arc<dyn Tool>> {
        let tool = self.0.runtime.registry().get(name);
        tool.or_else(|| self.builtin(name))
    }

    /// The tool that the runtime brings under this name.
    #[cold]
    fn builtin(&self, name: &str) -> Option<&'static Arc<dyn Tool>> {
        let tools = self.0.shared.builtins.of(self);
        let named = |tool: &&Arc<dyn Tool>| tool.definition().name() == name;
        tools.into_iter().find(named)
    }

    /// The tool that a model means, and how its name was read if it is another.
    #[inline]
    pub(crate) fn look_up(&self, call: &ToolCall) -> Result<Meant<'_>, ToolError> {
        match self.visible(&call.name) {
            Some(tool) => Ok((tool, None)),
            None => self.look_further(call),
        }
    }

    /// What a name means that no visible tool has.
    #[cold]
    fn look_further(&self, call: &ToolCall) -> Result<Meant<'_>, ToolError> {
        let name = &call.name;
        if let Some(tool) = self.renamed(call) {
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
        let alike = self
            .tools()
            .filter(|tool| plain_name(tool.definition().name()) == plain);
        let mut seen = alike.filter(|tool| self.sees(tool));
        seen.next().filter(|_| seen.next().is_none())
    }

    #[inline]
    pub(super) fn sees(&self, tool: &Arc<dyn Tool>) -> bool {
        !self.hides(tool) && self.shows(tool)
    }

    /// Whether a rule hides it. Most policies have none.
    #[inline]
    fn hides(&self, tool: &Arc<dyn Tool>) -> bool {
        let policy = self.policy();
        let action = || tool.definition().tool_name().action();
        !policy.rules().is_empty() && policy.hides(action(), self.info())
    }

    #[inline]
    pub(super) fn shows(&self, tool: &Arc<dyn Tool>) -> bool {
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
