//! Which provider's format a command speaks.

use crate::call::{ToolCall, ToolResult};
use crate::provider::{WireError, anthropic, gemini, openai};
use clap::ValueEnum;
use serde_json::Value;

/// The format of a reply and of what answers it.
#[derive(Clone, Copy, Debug, Default, ValueEnum)]
pub(super) enum Provider {
    /// OpenAI Chat Completions, which most servers speak
    #[default]
    Openai,
    /// OpenAI's Responses API
    OpenaiResponses,
    /// Anthropic Messages
    Anthropic,
    /// Gemini generateContent
    Gemini,
}

impl Provider {
    pub(super) fn calls(self, reply: &str) -> Result<Vec<ToolCall>, WireError> {
        match self {
            Self::Openai => openai::tool_calls(reply),
            Self::OpenaiResponses => openai::responses::tool_calls(reply),
            Self::Anthropic => anthropic::tool_calls(reply),
            Self::Gemini => gemini::tool_calls(reply),
        }
    }

    pub(super) fn messages(self, results: &[ToolResult]) -> Value {
        match self {
            Self::Openai => openai::tool_messages(results),
            Self::OpenaiResponses => openai::responses::tool_messages(results),
            Self::Anthropic => anthropic::tool_messages(results),
            Self::Gemini => gemini::tool_messages(results),
        }
    }
}
