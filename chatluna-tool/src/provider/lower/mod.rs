//! Schemas in the dialects of providers, and arguments back.

mod dialect;
mod fits;
mod free;
mod kinds;
mod limits;
mod loss;
mod maps;
mod merge;
mod names;
mod narrow;
mod places;
mod references;
mod restore;
mod rules;
mod text;
mod words;

pub use dialect::{Dialect, UnknownDialect};
pub use loss::{Loss, LossAction};
pub(crate) use references::dangling;
pub use text::{cut_description, original_tool_name, tool_name};

use crate::schema::Compiled;
use fits::Lost;
use free::Free;
use loss::Losses;
use names::{NameRule, Names};
use narrow::Narrow;
use references::Inlining;
use restore::{Restore, Wire};
use serde_json::{Map, Value};
use std::collections::BTreeSet;

/// A schema that is more than `true` or `false`.
type Keywords = Map<String, Value>;

/// A schema in a provider's dialect, and what that cost.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Lowered {
    /// What the provider is sent.
    pub schema: Value,
    /// What it cannot say, in the order of the schema.
    pub losses: Vec<Loss>,
    /// Whether it is sent with `strict: true`: a strict dialect was asked for, and the schema can
    /// be said in it.
    pub strict: bool,
    source: Value,
    names: Names,
    dialect: Dialect,
}

/// A tool's schema in a provider's dialect.
///
/// Takes the schema of [`ToolDefinition::parameters`](crate::ToolDefinition::parameters) or any of
/// JSON Schema 2020-12 whose root is an object. What the dialect cannot say is said in words where
/// there are some, and is a [`Loss`] in any case. A schema that a strict dialect has no form for (a
/// map, a value of any type, for Anthropic a type within itself) is lowered for the same provider
/// without `strict`. The same schema gives the same bytes on every run.
///
/// ```
/// use chatluna_tool::provider::{Dialect, lower};
/// use serde_json::json;
///
/// let schema = json!({
///     "type": "object",
///     "properties": {
///         "城市": {"type": "string", "description": "The city", "format": "idn-hostname"},
///         "days": {"type": ["integer", "null"], "exclusiveMinimum": 0},
///     },
///     "required": ["城市"],
/// });
/// let lowered = lower(&schema, Dialect::Gemini);
/// assert_eq!(
///     lowered.schema,
///     json!({
///         "type": "object",
///         "properties": {
///             "arg_95ef92d2": {
///                 "description": "The city (in the format `idn-hostname`) (this is `城市`)",
///                 "type": "string",
///             },
///             "days": {"description": "more than 0", "type": "integer", "nullable": true},
///         },
///         "required": ["arg_95ef92d2"],
///     })
/// );
/// assert_eq!(
///     lowered.losses[0].to_string(),
///     "/properties/城市: `format` moved to the description"
/// );
/// let sent = json!({"arg_95ef92d2": "Oslo", "days": null});
/// assert_eq!(lowered.restore(sent), json!({"城市": "Oslo", "days": null}));
/// ```
pub fn lower(schema: &Value, dialect: Dialect) -> Lowered {
    let lowered = Lowered::of(schema, dialect);
    let refusals: Vec<Loss> = lowered.refusals().cloned().collect();
    if refusals.is_empty() {
        return lowered;
    }
    let mut plain = Lowered::of(schema, dialect.plain());
    plain.losses.splice(..0, refusals);
    plain
}

impl Lowered {
    fn of(schema: &Value, dialect: Dialect) -> Self {
        let mut losses = Losses::default();
        let source = merge::merged(schema, dialect, &mut losses);
        let names = wire_names(&source, dialect);
        let schema = spoken(&source, dialect, &names, &mut losses);
        if let Some(keyword) = limits::exceeded(&schema, dialect) {
            losses.add("", keyword, LossAction::NotStrict);
        }
        Self {
            schema,
            losses: losses.into_vec(),
            strict: dialect.is_strict(),
            source,
            names,
            dialect,
        }
    }

    /// What a strict schema has no form for.
    fn refusals(&self) -> impl Iterator<Item = &Loss> {
        let losses = self.losses.iter();
        losses.filter(|loss| loss.action == LossAction::NotStrict)
    }

    /// Arguments that the model sent, as the tool takes them: properties under their own names,
    /// maps as maps, and without the `null` that stands for a property that is not given.
    ///
    /// Arguments that do not fit the schema come back as far as they can be read, for the tool to
    /// refuse.
    #[must_use]
    pub fn restore(&self, arguments: Value) -> Value {
        let is_openai_strict = self.dialect == Dialect::OpenAiStrict;
        if self.names.is_empty() && !is_openai_strict {
            return arguments;
        }
        let wire = Wire {
            source: &self.source,
            names: &self.names,
            patterns: &Compiled::default(),
            lists_maps: is_openai_strict,
            null_is_absent: is_openai_strict,
        };
        Restore::new(wire, self.lost()).value(&self.source, &arguments)
    }

    /// Whether properties travel under other names.
    pub(crate) fn renames(&self) -> bool {
        !self.names.is_empty()
    }

    /// The name under which a property travels.
    pub(crate) fn wire_name<'a>(&'a self, name: &'a str) -> &'a str {
        self.names.wire(name)
    }

    /// The keywords that the model was not held to, by the schema that holds them.
    fn lost(&self) -> Lost<'_> {
        let lost = self.losses.iter().filter(|loss| loss.action.loosens());
        lost.filter_map(|loss| {
            let schema = self.source.pointer(&loss.pointer)?.as_object()?;
            Some((std::ptr::from_ref(schema), &*loss.keyword))
        })
        .collect()
    }
}

fn spoken(source: &Value, dialect: Dialect, names: &Names, losses: &mut Losses) -> Value {
    let inlining = Inlining::new(source);
    if dialect == Dialect::AnthropicStrict
        && let Some(pointer) = references::recursion(source)
    {
        losses.add(&pointer, "$ref", LossAction::NotStrict);
    }
    if dialect.is_narrow() {
        let mut narrow = Narrow {
            dialect,
            names,
            losses,
            inlining,
        };
        narrow.document(source)
    } else {
        let mut free = Free {
            dialect,
            names,
            losses,
            inlining,
        };
        free.schema(source, "")
    }
}

/// The names under which the properties of a schema travel, wherever in it they are.
fn wire_names(source: &Value, dialect: Dialect) -> Names {
    let Some(rule) = NameRule::of_properties(dialect) else {
        return Names::default();
    };
    let mut names = BTreeSet::new();
    places::all(source, &mut |schema| {
        for keyword in ["properties", "dependentSchemas"] {
            let named = schema.get(keyword).and_then(Value::as_object);
            names.extend(named.into_iter().flatten().map(|(name, _)| name.as_str()));
        }
        let required = schema.get("required").and_then(Value::as_array);
        names.extend(required.into_iter().flatten().filter_map(Value::as_str));
    });
    Names::of(&names, rule)
}
