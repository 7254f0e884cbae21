//! From a call as the model wrote it to a call that may run: look-up, arguments, permission.

use super::Session;
use super::judge::{Doubt, Judged};
use super::view::View;
use crate::call::{ToolCall, ToolResult};
use crate::context::CallContext;
use crate::error::ToolError;
use crate::event::{CallEvent, EventKind};
use crate::guard::drop_guarded;
use crate::permission::ApprovalRequest;
use crate::reading::prepare;
use crate::ready_call::{Notes, ReadyCall};
use crate::scheduler::Stage;
use serde_json::Value;
use std::time::Duration;

impl Session {
    /// Look up, prepare, authorize: all that comes before anything runs.
    pub(crate) fn stage(&self, view: &View<'_>, mut call: ToolCall) -> Stage {
        let number = self.next_number();
        let mut notes = Notes {
            fingerprint: view
                .turn
                .as_ref()
                .map(|_| self.failures().fingerprint(&call)),
            repairs: Vec::new(),
        };
        let (definition, prepared) = match view.read(&mut call, &mut notes) {
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
            view.turn.clone(),
        );
        let ask = |doubt: Box<Doubt>| ApprovalRequest::of_call(&context, doubt.0, doubt.1);
        let question = doubt.map(|doubt| Box::new(ask(doubt)));
        Stage::Ready(ReadyCall::new(
            call.name, context, prepared, question, notes,
        ))
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
        let view = self.view();
        let (tool, _) = view.look_up(&edited)?;
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
}
