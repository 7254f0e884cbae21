//! What a model gets of a result, and where the rest of it is.

use super::Session;
use crate::definition::ToolDefinition;
use crate::error::ToolError;
use crate::output::{Missing, Output, OutputCap, Outputs, Rest, ToolOutput};
use crate::tool::Traits;
use crate::work::Outcome;

/// The most bytes that stand before the text of an error.
const ERROR_BYTES: usize = 40;

impl Session {
    /// Leaves of an outcome what a model may get, and keeps the whole.
    #[inline]
    pub(crate) fn fit(&self, tool: &ToolDefinition, outcome: &mut Outcome) {
        let cap = self.output_cap_of(tool);
        if !outcome.as_ref().is_ok_and(|output| output.fits(cap)) {
            self.cut(outcome, cap);
        }
    }

    #[inline]
    fn output_cap_of(&self, tool: &ToolDefinition) -> OutputCap {
        match tool
            .output_cap()
            .filter(|_| self.0.overrides.output_cap.is_none())
        {
            None => self.output_cap(),
            Some(Traits::NO_OUTPUT_CAP) => OutputCap::NONE,
            Some(bytes) => self.output_cap().bytes(bytes),
        }
    }

    /// How much of a result a model gets where the tool does not say.
    pub(crate) fn output_cap(&self) -> OutputCap {
        let own = self.0.overrides.output_cap;
        own.unwrap_or(self.0.runtime.parts().output_cap)
    }

    #[cold]
    fn cut(&self, outcome: &mut Outcome, cap: OutputCap) {
        match outcome {
            Ok(output) => output.cut(cap, &self.rest()),
            Err(error) => self.cut_error(error, cap),
        }
    }

    /// Leaves of an error's text what a model may get.
    pub(super) fn cut_error(&self, error: &mut ToolError, cap: OutputCap) {
        let mut output = ToolOutput::text(error.to_string());
        let cap = cap.bytes(cap.bytes.saturating_sub(ERROR_BYTES));
        if !output.fits(cap) {
            output.cut(cap, &self.rest());
            *error = ToolError::of_kind(error.kind(), output.to_text());
        }
    }

    fn rest(&self) -> Rest<'_> {
        // What a model may not read is not kept either.
        if self.policy().hides("tool:read_output", self.info()) {
            return Rest::Lost;
        }
        Rest::Kept {
            outputs: self.outputs(),
            session: &self.info().id,
        }
    }

    /// Waits until the outputs are in files whose handles a model is about to read.
    #[inline]
    pub(crate) async fn outputs_written(&self) {
        #[cfg(feature = "store")]
        self.outputs().written().await;
    }

    /// Waits until no crash can undo what a model is about to be told: outputs, and tools that it has
    /// found.
    #[inline]
    pub(super) async fn told_for_good(&self) {
        self.outputs_written().await;
        if self.ledger().has_disk() && !self.appended().is_written() {
            Box::pin(self.appended().written()).await;
        }
    }

    /// The output of the session that has this handle, unless a file has to be looked for.
    pub(crate) fn output_at_hand(&self, handle: &str) -> Option<Result<Output, Missing>> {
        self.outputs().at_hand(&self.info().id, handle)
    }

    /// The output of the session that has this handle. It may read a file.
    pub(crate) fn output(&self, handle: &str) -> Result<Output, Missing> {
        self.outputs().open(&self.info().id, handle)
    }

    /// Whether the session has an output that was cut.
    pub(crate) fn has_outputs(&self) -> bool {
        self.outputs().has_any(&self.info().id)
    }

    fn outputs(&self) -> &Outputs {
        self.0.runtime.outputs()
    }
}
