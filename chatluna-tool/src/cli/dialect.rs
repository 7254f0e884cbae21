//! A tool in a provider's dialect.

use super::provider::Provider;
use crate::definition::ToolDefinition;
use crate::provider::{Dialect, Lowered, cut_description, lower, tool_name};
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

    fn provider(self) -> Option<Provider> {
        match self {
            Self::OpenAiResponses => Some(Provider::OpenaiResponses),
            Self::Dialect(Dialect::OpenAi | Dialect::OpenAiStrict) => Some(Provider::Openai),
            Self::Dialect(Dialect::Anthropic | Dialect::AnthropicStrict) => {
                Some(Provider::Anthropic)
            }
            Self::Dialect(Dialect::Gemini) => Some(Provider::Gemini),
            Self::Dialect(Dialect::Mcp) => None,
        }
    }

    /// The tool as a request holds it, and where asked for, a line for each loss below.
    pub(super) fn print(self, tool: &ToolDefinition, with_losses: bool) -> String {
        let dialect = self.dialect();
        let lowered = lower(tool.parameters(), dialect);
        let (description, cut) = cut_description(tool.description(), dialect);
        let name = tool_name(tool.name(), dialect);
        let sent = ToolDefinition::new(&name, description.into_owned());
        let sent = sent.arguments_schema(lowered.schema.clone());
        let mut text = format!("{:#}\n", self.request(&sent, &lowered));
        if with_losses {
            text.push('\n');
            let losses = lowered.losses.iter().chain(&cut);
            losses.for_each(|loss| text += &format!("{loss}\n"));
        }
        text
    }

    fn request(self, tool: &ToolDefinition, lowered: &Lowered) -> Value {
        let Some(provider) = self.provider() else {
            return json!({
                "name": tool.name(),
                "description": tool.description(),
                "inputSchema": tool.parameters(),
            });
        };
        let mut request = provider.tools(std::slice::from_ref(tool))[0].take();
        if lowered.strict {
            let holder = match provider {
                Provider::Openai => &mut request["function"],
                _ => &mut request,
            };
            holder["strict"] = true.into();
        }
        request
    }
}
