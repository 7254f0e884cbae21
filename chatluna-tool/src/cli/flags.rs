//! A tool's arguments as flags of the command line, made from its schema.

use super::{Usage, read};
use crate::definition::ToolDefinition;
use clap::{Arg, ArgAction, ArgMatches, Command};
use serde_json::{Map, Value};

/// Flags of `call` itself. An argument of one of these names is given with `--arg`.
const TAKEN: [&str; 7] = [
    "arg",
    "ask",
    "help",
    "json",
    "policy",
    "shadow-policy",
    "yes",
];

const HELP: &str = "\
A value that begins with `@` is the text of that file; `@@` stands for one `@`.
Give an array's flag once an item; objects are written as JSON.";

/// `call <tool>`.
pub(super) fn command(tool: &ToolDefinition) -> Command {
    let mut command =
        Command::new(tool.name().to_owned())
            .about(
                tool.description()
                    .lines()
                    .next()
                    .unwrap_or_default()
                    .to_owned(),
            )
            .long_about(tool.description().to_owned())
            .after_help(HELP)
            .arg(Arg::new("json").value_name("JSON").help(
                "The arguments as a JSON object, or `-` for standard input; flags win over it",
            ))
            .arg(
                Arg::new("arg")
                    .long("arg")
                    .value_name("NAME=VALUE")
                    .action(ArgAction::Append)
                    .help("An argument by name"),
            );
    for (name, schema) in properties(tool) {
        if !TAKEN.contains(&name.as_str()) {
            command = command.arg(flag(name, schema, is_required(tool, name)));
        }
    }
    command
}

fn flag(name: &str, schema: &Value, required: bool) -> Arg {
    let about = schema["description"].as_str().unwrap_or_default();
    let about = match (required, about) {
        (true, "") => "required".to_owned(),
        (true, about) => format!("{about} (required)"),
        (false, about) => about.to_owned(),
    };
    Arg::new(name.to_owned())
        .long(name.to_owned())
        .value_name(kind(schema).to_uppercase())
        .action(ArgAction::Append)
        .allow_hyphen_values(true)
        .help(about)
}

/// The arguments that the command line gives: the JSON, and over it the flags.
pub(super) fn arguments(tool: &ToolDefinition, matches: &ArgMatches) -> Result<String, Usage> {
    let json = matches
        .get_one::<String>("json")
        .map(|text| text_of_json(text))
        .transpose()?;
    let flags = given(tool, matches)?;
    match json {
        Some(json) if flags.is_empty() => Ok(json),
        None => Ok(Value::Object(flags).to_string()),
        Some(json) => {
            let object: Result<Map<String, Value>, _> = serde_json::from_str(&json);
            let mut object = object.map_err(|error| format!("the JSON is no object: {error}"))?;
            object.extend(flags);
            Ok(Value::Object(object).to_string())
        }
    }
}

fn text_of_json(text: &str) -> Result<String, Usage> {
    match text.strip_prefix('@') {
        Some(file) => read(file),
        None if text == "-" => read(text),
        None => Ok(text.to_owned()),
    }
}

fn given(tool: &ToolDefinition, matches: &ArgMatches) -> Result<Map<String, Value>, Usage> {
    let mut flags = Map::new();
    for (name, schema) in properties(tool) {
        if TAKEN.contains(&name.as_str()) {
            continue;
        }
        let values: Vec<&String> = matches.get_many(name).into_iter().flatten().collect();
        if !values.is_empty() {
            flags.insert(name.clone(), value_of(name, schema, &values)?);
        }
    }
    for pair in matches.get_many::<String>("arg").into_iter().flatten() {
        let (name, text) = pair
            .split_once('=')
            .ok_or_else(|| format!("`--arg {pair}` has no `=`; write `--arg name=value`"))?;
        let schema = &tool.parameters()["properties"][name];
        flags.insert(
            name.to_owned(),
            value_of(name, schema, &[&text.to_owned()])?,
        );
    }
    Ok(flags)
}

fn value_of(name: &str, schema: &Value, texts: &[&String]) -> Result<Value, Usage> {
    if kind(schema) == "array" {
        let lone = if let [text] = texts {
            parsed(text)
        } else {
            None
        };
        if let Some(list @ Value::Array(_)) = lone {
            return Ok(list);
        }
        return texts
            .iter()
            .map(|text| one_value(&schema["items"], text))
            .collect();
    }
    match texts {
        [text] => one_value(schema, text),
        _ => Err(Usage(format!(
            "`--{name}` is given {} times; it takes one value",
            texts.len()
        ))),
    }
}

/// Text where the schema wants text, else JSON. What is neither stays text: the tool's own check
/// says best what is wrong with it.
fn one_value(schema: &Value, text: &str) -> Result<Value, Usage> {
    let text = match text.strip_prefix('@') {
        Some(rest) if rest.starts_with('@') => rest.to_owned(),
        Some(file) => read(file)?,
        None => text.to_owned(),
    };
    let json = if kind(schema) == "string" {
        None
    } else {
        parsed(&text)
    };
    Ok(json.unwrap_or(Value::String(text)))
}

fn parsed(text: &str) -> Option<Value> {
    serde_json::from_str(text).ok()
}

/// The one type of a schema, else `json`.
fn kind(schema: &Value) -> &str {
    schema["type"].as_str().unwrap_or("json")
}

fn properties(tool: &ToolDefinition) -> impl Iterator<Item = (&String, &Value)> {
    let properties = tool.parameters()["properties"].as_object();
    properties.into_iter().flatten()
}

fn is_required(tool: &ToolDefinition, name: &str) -> bool {
    let required = tool.parameters()["required"].as_array();
    required.is_some_and(|names| names.iter().any(|other| other == name))
}
