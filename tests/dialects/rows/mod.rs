//! The rules of the dialects, keyword by keyword.

mod choices;
mod limits;
mod objects;
mod values;

use chatluna_tool::provider::{Dialect, Lowered, lower};
use serde_json::{Value, json};

/// The schema of a tool with the one argument `p`, which is required.
fn tool(p: &Value) -> Value {
    json!({
        "type": "object",
        "properties": {"p": p},
        "required": ["p"],
        "additionalProperties": false,
    })
}

fn lowered(p: &Value, dialect: Dialect) -> Lowered {
    lower(&tool(p), dialect)
}

/// What becomes of an argument.
fn said(p: &Value, dialect: Dialect) -> Value {
    lowered(p, dialect).schema["properties"]["p"].clone()
}

/// The losses of an argument, without what every closed root costs with Gemini.
fn lost(p: &Value, dialect: Dialect) -> Vec<String> {
    let losses = lowered(p, dialect).losses;
    let below = losses.iter().filter(|loss| !loss.pointer.is_empty());
    below.map(ToString::to_string).collect()
}

/// Says each argument in each dialect and compares.
fn becomes(dialects: &[Dialect], p: Value, expected: Value) {
    for dialect in dialects {
        assert_eq!(said(&p, *dialect), expected, "{dialect}");
    }
}

/// The same in each dialect as it was.
fn stays(dialects: &[Dialect], p: Value) {
    becomes(dialects, p.clone(), p);
}

const PLAIN: [Dialect; 3] = [Dialect::OpenAi, Dialect::Anthropic, Dialect::Mcp];
const STRICT: [Dialect; 2] = [Dialect::OpenAiStrict, Dialect::AnthropicStrict];
