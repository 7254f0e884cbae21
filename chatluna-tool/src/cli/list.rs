//! `list`, `show` and `schema`.

use super::Usage;
use super::dialect::Form;
use crate::arguments::Role;
use crate::definition::ToolDefinition;
use crate::session::Session;
use crate::tool::Traits;
use anstyle::Style;
use serde_json::{Map, Value, json};
use std::time::Duration;

const NAME: Style = Style::new().bold();

pub(super) fn list(session: &Session, as_json: bool) -> String {
    let definitions = session.all_definitions();
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
        Some(Traits::NO_TIMEOUT) => "none".to_owned(),
        Some(timeout) => format!("{timeout:?}"),
        None => "the runtime's default".to_owned(),
    };
    let title = Some(tool.display_name()).filter(|title| *title != tool.name());
    let rows = [
        ("title", title.map(str::to_owned)),
        ("effect", Some(tool.effect().as_str().to_owned())),
        ("parallel", Some(tool.is_parallel().to_string())),
        ("timeout", Some(timeout)),
        ("background", Some(tool.outlives_timeout().to_string())),
        ("roles", roles(&tool)),
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
    text += &examples(&tool);
    if let Some(output) = tool.output() {
        text += &format!("\nresult\n{output:#}\n");
    }
    Ok(text)
}

pub(super) fn schema(
    session: &Session,
    name: &str,
    dialect: Option<Form>,
    with_losses: bool,
) -> Result<String, Usage> {
    let tool = session.definition(name)?;
    Ok(match dialect {
        Some(form) => form.print(&tool, with_losses),
        None => format!("{:#}", tool.parameters()),
    })
}

/// `token: secret, text: multiline`.
fn roles(tool: &ToolDefinition) -> Option<String> {
    let role = |(argument, role): (&str, Role)| format!("{argument}: {}", role.as_str());
    let roles: Vec<String> = tool.roles().map(role).collect();
    (!roles.is_empty()).then(|| roles.join(", "))
}

/// A line each, as `call` takes them.
fn examples(tool: &ToolDefinition) -> String {
    let examples = tool.examples();
    let lines: Vec<String> = examples.iter().map(Value::to_string).collect();
    match &lines[..] {
        [] => String::new(),
        lines => format!("\nexamples\n{}\n", lines.join("\n")),
    }
}

fn milliseconds(timeout: Duration) -> Value {
    match timeout {
        Traits::NO_TIMEOUT => "none".into(),
        timeout => json!(timeout.as_millis()),
    }
}

fn definition(tool: &ToolDefinition) -> Value {
    let mut definition = json!({
        "name": tool.name(),
        "title": tool.display_name(),
        "description": tool.description(),
        "effect": tool.effect().as_str(),
        "parallel": tool.is_parallel(),
        "timeout_ms": tool.timeout().map(milliseconds),
        "background": tool.outlives_timeout(),
        "source": tool.origin().map(|origin| origin.to_string()),
        "parameters": tool.parameters(),
        "output": tool.output(),
    });
    let roles: Map<String, Value> = tool
        .roles()
        .map(|(argument, role)| (argument.to_owned(), role.as_str().into()))
        .collect();
    if !roles.is_empty() {
        definition["roles"] = roles.into();
    }
    definition
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::__private::{Details, Hints, Origin, ToolRegistration, Traits, parameter};
    use crate::{ArgumentError, BuildError, Effect, Runtime, SessionInfo};

    static LOGIN: ToolRegistration = ToolRegistration {
        action: "tool:login",
        title: None,
        description: "Opens a door",
        traits: Traits::new().effect(Effect::Read),
        parameters: &[
            parameter::<String>("token", "").details(const { &Details::new().role(Role::Secret) }),
            parameter::<String>("text", "")
                .details(const { &Details::new().role(Role::Multiline) }),
        ],
        hints: Some(const { &Hints::new().examples(&[r#"{"token": "t", "text": "a"}"#]) }),
        needed: &[],
        output_schema: |_| None,
        visibility: None,
        prepare: |_| Err(ArgumentError::new("never called")),
        origin: Origin::new("list", "login", file!(), line!(), 1),
    };

    #[test]
    fn people_see_roles_and_examples() -> Result<(), BuildError> {
        let runtime = Runtime::builder().tools([&LOGIN]).build()?;
        let session = runtime.session(SessionInfo::new("s"));
        let listed: Value = serde_json::from_str(&list(&session, true)).unwrap_or_default();
        let roles = json!({"token": "secret", "text": "multiline"});
        assert_eq!(listed[0]["roles"], roles);
        let shown = show(&session, "login").unwrap_or_default();
        assert!(
            shown.contains("roles     token: secret, text: multiline\n"),
            "{shown}"
        );
        let examples = "\nexamples\n{\"token\":\"t\",\"text\":\"a\"}\n";
        assert!(shown.ends_with(examples), "{shown}");
        Ok(())
    }
}
