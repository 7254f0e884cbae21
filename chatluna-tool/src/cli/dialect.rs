//! A tool in a provider's dialect.

use crate::definition::ToolDefinition;
use crate::provider::{Dialect, Sent, anthropic, cut_description, gemini, openai};
use clap::ValueEnum;
use clap::builder::PossibleValue;
use serde_json::{Value, json};

/// A dialect, and the request that it is for.
#[derive(Clone, Copy, Debug)]
pub(super) enum Form {
    Dialect(Dialect),
    /// Another request in the dialect of OpenAI.
    OpenAiResponses,
}

impl ValueEnum for Form {
    fn value_variants<'a>() -> &'a [Self] {
        &[
            Self::Dialect(Dialect::OpenAi),
            Self::Dialect(Dialect::OpenAiStrict),
            Self::OpenAiResponses,
            Self::Dialect(Dialect::Anthropic),
            Self::Dialect(Dialect::AnthropicStrict),
            Self::Dialect(Dialect::Gemini),
            Self::Dialect(Dialect::Mcp),
        ]
    }

    fn to_possible_value(&self) -> Option<PossibleValue> {
        Some(PossibleValue::new(match self {
            Self::Dialect(dialect) => dialect.as_str(),
            Self::OpenAiResponses => "openai-responses",
        }))
    }
}

impl Form {
    fn dialect(self) -> Dialect {
        match self {
            Self::Dialect(dialect) => dialect,
            Self::OpenAiResponses => Dialect::OpenAi,
        }
    }

    /// The tool as a request holds it, and where asked for, a line for each loss below.
    pub(super) fn print(self, tool: &ToolDefinition, with_losses: bool) -> String {
        let mut text = format!("{:#}\n", self.request(tool));
        if with_losses {
            let dialect = self.dialect();
            let (_, cut) = cut_description(tool.description(), dialect);
            text.push('\n');
            let losses = tool.lowered(dialect).losses.iter().chain(&cut);
            losses.for_each(|loss| text += &format!("{loss}\n"));
        }
        text
    }

    fn request(self, tool: &ToolDefinition) -> Value {
        let tools = std::slice::from_ref(tool);
        let mut tools = match self {
            Self::OpenAiResponses => openai::responses::tools(tools),
            Self::Dialect(Dialect::OpenAi) => openai::tools(tools),
            Self::Dialect(Dialect::OpenAiStrict) => openai::strict_tools(tools),
            Self::Dialect(Dialect::Anthropic) => anthropic::tools(tools),
            Self::Dialect(Dialect::AnthropicStrict) => anthropic::strict_tools(tools),
            Self::Dialect(Dialect::Gemini) => gemini::tools(tools),
            Self::Dialect(Dialect::Mcp) => tools.iter().map(mcp).collect(),
        };
        tools[0].take()
    }
}

/// A tool as the list of an MCP server holds it.
fn mcp(tool: &ToolDefinition) -> Value {
    let sent = Sent::of(tool, Dialect::Mcp);
    json!({
        "name": sent.name,
        "description": sent.description,
        "inputSchema": sent.schema,
    })
}
