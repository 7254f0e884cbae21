//! From the name that a model wrote to a tool that the session sees, and to arguments that were read.

use super::view::View;
use crate::arguments::Repair;
use crate::builtin::{self, written};
use crate::call::ToolCall;
use crate::definition::ToolDefinition;
use crate::error::{ErrorKind, ToolError};
use crate::name::plain_name;
use crate::nearest::nearest;
use crate::provider::original_tool_name;
use crate::reading::prepare;
use crate::ready_call::Notes;
use crate::tool::{PreparedCall, Tool};
use std::sync::Arc;

/// The most names that an answer to an unknown name lists.
const MAX_NAMES: usize = 20;

/// A tool, and how its name was read where it was written otherwise.
pub(crate) type Meant<'view> = (&'view Arc<dyn Tool>, Option<Box<Repair>>);

impl View<'_> {
    /// Finds the tool and reads the arguments, which become what was read.
    #[inline]
    pub(super) fn read(
        &self,
        call: &mut ToolCall,
        notes: &mut Notes,
    ) -> Result<(&ToolDefinition, Box<dyn PreparedCall>), ToolError> {
        if let Some(fingerprint) = notes.fingerprint {
            self.session.failures().check(fingerprint)?;
        }
        let (tool, renamed) = self.look_up(call)?;
        self.check_loaded(tool)?;
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
        let tools = self.registry().tools().iter();
        let names = tools.map(|tool| tool.definition().name());
        self.visible(original_tool_name(&call.name, names, call.dialect?)?)
    }

    /// The one visible tool that is called so but for what models put around names.
    fn undecorated(&self, name: &str) -> Option<&Arc<dyn Tool>> {
        let plain = plain_name(name);
        let is_alike = |tool: &&Arc<dyn Tool>| plain_name(tool.definition().name()) == plain;
        let mut seen = self.all().filter(is_alike);
        seen.next().filter(|_| seen.next().is_none())
    }

    /// The answer to a call that was not to be made yet: its tool is one to search for, and the model
    /// has not seen what arguments it takes. From now on it has.
    #[inline]
    fn check_loaded(&self, tool: &Arc<dyn Tool>) -> Result<(), ToolError> {
        if self.is_by_hand || !self.may_defer() {
            return Ok(());
        }
        self.load_called(tool)
    }

    #[cold]
    fn load_called(&self, tool: &Arc<dyn Tool>) -> Result<(), ToolError> {
        let definition = tool.definition();
        let name = definition.name();
        if builtin::NAMES.contains(&name) || !self.is_deferred(tool) || !self.load(name) {
            return Ok(());
        }
        Err(ToolError::of_kind(
            ErrorKind::NotLoaded,
            format_args!(
                "`{name}` was not run, for what it takes was not known yet; call it again with the \
                 arguments of its definition: {}",
                written(definition)
            ),
        ))
    }

    pub(super) fn unknown(&self, name: &str) -> ToolError {
        let told = self.told();
        let told = told.iter().map(|tool| tool.definition().name());
        let all = || self.all().map(|tool| tool.definition().name());
        let hint = match nearest(name, all()) {
            Some(near) => format!("did you mean `{near}`?"),
            None if all().next().is_none() => "there are no tools".to_owned(),
            None if self.can_search() => {
                format!("there are: {}; `tool_search` finds more", listed(told))
            }
            None => format!("there are: {}", listed(told)),
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
