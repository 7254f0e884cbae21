//! `list`, `show` and `schema`.

use super::Usage;
use super::provider::Provider;
use crate::definition::ToolDefinition;
use crate::session::Session;
use anstyle::Style;
use serde_json::{Value, json};

const NAME: Style = Style::new().bold();

pub(super) fn list(session: &Session, as_json: bool) -> String {
    let definitions = session.definitions();
    if as_json {
        let all: Value = definitions.iter().map(definition).collect();
        return format!("{all:#}");
    }
    let names = definitions.iter().map(|tool| tool.name().len());
    let width = names.max().unwrap_or_default();
    let line = |tool: &ToolDefinition| {
        let (name, effect) = (tool.name(), tool.effect().as_str());
        let summary = tool.description().lines().next().unwrap_or_default();
        format!("  {NAME}{name:width$}{NAME:#}  {effect:5}  {summary}\n")
    };
    definitions.iter().map(line).collect()
}

pub(super) fn show(session: &Session, name: &str) -> Result<String, Usage> {
    let tool = session.definition(name)?;
    let timeout = match tool.timeout() {
        Some(timeout) => format!("{timeout:?}"),
        None => "the runtime's default".to_owned(),
    };
    let title = Some(tool.display_name()).filter(|title| *title != tool.name());
    let rows = [
        ("title", title.map(str::to_owned)),
        ("effect", Some(tool.effect().as_str().to_owned())),
        ("parallel", Some(tool.is_parallel().to_string())),
        ("timeout", Some(timeout)),
        ("source", tool.origin().map(|origin| origin.to_string())),
    ];
    let mut text = format!(
        "{NAME}{}{NAME:#}\n\n{}\n\n",
        tool.name(),
        tool.description()
    );
    for (label, value) in rows {
        text += &value
            .map(|value| format!("{label:8}  {value}\n"))
            .unwrap_or_default();
    }
    text += &format!("\narguments\n{:#}\n", tool.parameters());
    if let Some(output) = tool.output() {
        text += &format!("\nresult\n{output:#}\n");
    }
    Ok(text)
}

pub(super) fn schema(
    session: &Session,
    name: &str,
    dialect: Option<Provider>,
) -> Result<String, Usage> {
    let tool = session.definition(name)?;
    Ok(match dialect {
        Some(provider) => format!("{:#}", provider.tools(&[tool])[0]),
        None => format!("{:#}", tool.parameters()),
    })
}

fn definition(tool: &ToolDefinition) -> Value {
    json!({
        "name": tool.name(),
        "title": tool.display_name(),
        "description": tool.description(),
        "effect": tool.effect().as_str(),
        "parallel": tool.is_parallel(),
        "timeout_ms": tool.timeout().map(|timeout| timeout.as_millis()),
        "source": tool.origin().map(|origin| origin.to_string()),
        "parameters": tool.parameters(),
        "output": tool.output(),
    })
}
