//! What models and people are told about a tool.

use crate::arguments::{Parameter, Role};
#[cfg(any(feature = "cli", feature = "inventory", feature = "linkme"))]
use crate::guard::Panicked;
use crate::hints::Hints;
use crate::name::ToolName;
use crate::provider::{Dialect, Lowered, lower};
use crate::registry::{Origin, ToolRegistration};
#[cfg(feature = "validate")]
use crate::schema::Validator;
use crate::schema::{self, SchemaSource, Scrutiny};
use crate::tokens::estimate;
use crate::tool::{Effect, Traits};
use crate::tool_mode::ToolMode;
use schemars::JsonSchema;
use serde_json::Value;
use std::borrow::Cow;
use std::fmt;
use std::sync::{Arc, OnceLock};
use std::time::Duration;

/// Name, description, schemas and traits of a tool. Cheap to clone.
///
/// ```
/// use chatluna_tool::{Effect, ToolDefinition, Traits};
///
/// let definition = ToolDefinition::new("ping", "Answers with pong")
///     .traits(Traits::new().parallel().effect(Effect::Read));
/// assert_eq!(definition.name(), "ping");
/// ```
#[derive(Clone)]
pub struct ToolDefinition(Arc<Inner>);

#[derive(Clone)]
struct Inner {
    name: ToolName,
    title: Option<Cow<'static, str>>,
    description: Cow<'static, str>,
    traits: Traits,
    mode: Option<ToolMode>,
    keywords: Vec<Cow<'static, str>>,
    origin: Option<Origin>,
    /// About how many a model reads.
    tokens: OnceLock<usize>,
    parameters: Parameters,
    output: Cached,
}

/// What the arguments are, in our words and in those of each provider.
#[derive(Clone)]
struct Parameters {
    canonical: Cached,
    scrutiny: OnceLock<Scrutiny>,
    #[cfg(feature = "validate")]
    validator: OnceLock<Box<Validator>>,
    lowered: [OnceLock<Box<Lowered>>; Dialect::ALL.len()],
}

impl Parameters {
    const fn new(source: SchemaSource) -> Self {
        Self {
            canonical: Cached::new(source),
            scrutiny: OnceLock::new(),
            #[cfg(feature = "validate")]
            validator: OnceLock::new(),
            lowered: [const { OnceLock::new() }; Dialect::ALL.len()],
        }
    }
}

/// A schema and what makes it, on first need.
#[derive(Clone)]
struct Cached {
    source: SchemaSource,
    schema: OnceLock<Box<Value>>,
}

impl Cached {
    const fn new(source: SchemaSource) -> Self {
        let schema = OnceLock::new();
        Self { source, schema }
    }

    fn get(&self) -> &Value {
        self.schema
            .get_or_init(|| Box::new(schema::canonical(&self.source)))
    }
}

impl ToolDefinition {
    /// A tool without arguments. Whether the name is one is checked by
    /// [`RuntimeBuilder::build`](crate::RuntimeBuilder::build).
    pub fn new(name: impl AsRef<str>, description: impl Into<Cow<'static, str>>) -> Self {
        Self(Arc::new(Inner {
            name: ToolName::new(name.as_ref()),
            title: None,
            description: description.into(),
            traits: Traits::new(),
            mode: None,
            keywords: Vec::new(),
            origin: None,
            tokens: OnceLock::new(),
            parameters: Parameters::new(SchemaSource::Parameters {
                rows: &[],
                examples: &[],
            }),
            output: Cached::new(SchemaSource::None),
        }))
    }

    pub(crate) fn of_registration(tool: &'static ToolRegistration, name: ToolName) -> Self {
        let hints = tool.hints.unwrap_or(const { &Hints::new() });
        let keywords = hints.keywords.iter().copied();
        Self(Arc::new(Inner {
            name,
            title: tool.title.map(Cow::Borrowed),
            description: Cow::Borrowed(tool.description),
            traits: tool.traits,
            tokens: OnceLock::new(),
            mode: hints.mode,
            keywords: keywords.map(Cow::Borrowed).collect(),
            origin: Some(tool.origin),
            parameters: Parameters::new(SchemaSource::Parameters {
                rows: tool.parameters,
                examples: hints.examples,
            }),
            output: Cached::new(SchemaSource::Output(tool.output_schema)),
        }))
    }

    /// Sets the title, which people see instead of the name.
    #[must_use]
    pub fn title(mut self, title: impl Into<Cow<'static, str>>) -> Self {
        self.inner().title = Some(title.into());
        self
    }

    /// Sets the traits.
    #[must_use]
    pub fn traits(mut self, traits: Traits) -> Self {
        self.inner().traits = traits;
        self
    }

    /// Sets when the model is sent the tool. What a tool says of itself beats what its session says.
    #[must_use]
    pub fn with_mode(mut self, mode: ToolMode) -> Self {
        self.inner().mode = Some(mode);
        self
    }

    /// Adds words and sample requests for `tool_search`, in any language. The model never reads them.
    ///
    /// They are at most [`MAX_KEYWORDS`](crate::MAX_KEYWORDS) of at most
    /// [`MAX_KEYWORD_BYTES`](crate::MAX_KEYWORD_BYTES) each, and not blank: anything else is a
    /// [`Fault`](crate::Fault) when the runtime is built.
    ///
    /// ```
    /// use chatluna_tool::ToolDefinition;
    ///
    /// let forecast = ToolDefinition::new("forecast", "Weather of a city")
    ///     .with_keywords(["rain", "do I need an umbrella tomorrow?"]);
    /// assert!(forecast.keywords().any(|keyword| keyword == "rain"));
    /// ```
    #[must_use]
    pub fn with_keywords(
        mut self,
        keywords: impl IntoIterator<Item = impl Into<Cow<'static, str>>>,
    ) -> Self {
        let keywords = keywords.into_iter().map(Into::into);
        self.inner().keywords.extend(keywords);
        self
    }

    /// Takes the schema of the arguments from `T`, a struct, an enum or a map.
    ///
    /// A variant without data is then `{"Variant": null}`: the arguments of a call are an object.
    #[must_use]
    pub fn arguments<T: JsonSchema>(mut self) -> Self {
        self.inner().parameters = Parameters::new(SchemaSource::Type(T::json_schema));
        self
    }

    /// Sets the schema of the arguments: a JSON schema whose root is an object and whose `$ref`s stay
    /// within it.
    ///
    /// Arguments are checked against it before the tool decodes them.
    #[must_use]
    pub fn arguments_schema(mut self, schema: Value) -> Self {
        self.inner().parameters = Parameters::new(SchemaSource::Value(Box::new(schema)));
        self
    }

    /// The name that the model calls.
    pub fn name(&self) -> &str {
        self.0.name.as_str()
    }

    /// The title for people, or the name.
    pub fn display_name(&self) -> &str {
        self.0.title.as_deref().unwrap_or(self.name())
    }

    /// What the tool does, for the model.
    pub fn description(&self) -> &str {
        &self.0.description
    }

    /// How far the tool reaches.
    pub fn effect(&self) -> Effect {
        self.0.traits.effect
    }

    /// Whether calls may run beside others of the step.
    pub fn is_parallel(&self) -> bool {
        self.0.traits.parallel
    }

    /// Whether a call goes on in the background when its timeout has passed.
    pub fn outlives_timeout(&self) -> bool {
        self.0.traits.background
    }

    /// How long a step waits for a call; `None` is the runtime's default.
    pub fn timeout(&self) -> Option<Duration> {
        self.0.traits.timeout
    }

    /// How many bytes of a result a model gets; `None` is the runtime's.
    #[inline]
    pub fn output_cap(&self) -> Option<usize> {
        self.0.traits.output_cap
    }

    /// When the model is sent the tool; `None` is as the session says.
    pub fn mode(&self) -> Option<ToolMode> {
        self.0.mode
    }

    /// About how many tokens its name, description and parameters are to a model, without what a
    /// provider puts around them: 4 % off OpenAI's `o200k_base` on average, 13 % at most.
    pub fn tokens(&self) -> usize {
        *self.0.tokens.get_or_init(|| {
            let schema = estimate(&self.parameters().to_string());
            estimate(self.name()) + estimate(self.description()) + schema
        })
    }

    /// The same tool with another description.
    pub(crate) fn with_description(&self, description: String) -> Self {
        let mut described = self.clone();
        let inner = described.inner();
        inner.description = description.into();
        inner.tokens = OnceLock::new();
        described
    }

    /// The same tool under another name.
    pub(crate) fn renamed(&self, name: &str) -> Self {
        let mut renamed = self.clone();
        let inner = renamed.inner();
        inner.name = ToolName::new(name);
        inner.tokens = OnceLock::new();
        renamed
    }

    /// What `tool_search` finds the tool by besides what the model reads of it.
    pub fn keywords(&self) -> impl Iterator<Item = &str> {
        self.0.keywords.iter().map(Cow::as_ref)
    }

    /// The JSON schema of the arguments: always an object with `properties`.
    pub fn parameters(&self) -> &Value {
        self.0.parameters.canonical.get()
    }

    /// The schema of the arguments in a provider's dialect, and what that cost; made once.
    ///
    /// ```
    /// use chatluna_tool::ToolDefinition;
    /// use chatluna_tool::provider::Dialect;
    ///
    /// let ping = ToolDefinition::new("ping", "Answers with pong");
    /// assert!(ping.lowered(Dialect::OpenAiStrict).strict);
    /// assert!(ping.lowered(Dialect::OpenAiStrict).losses.is_empty());
    /// ```
    pub fn lowered(&self, dialect: Dialect) -> &Lowered {
        let cached = &self.0.parameters.lowered[dialect as usize];
        cached.get_or_init(|| Box::new(lower(self.parameters(), dialect)))
    }

    /// The JSON schema of the result, where the tool returns [`Json`](crate::Json).
    pub fn output(&self) -> Option<&Value> {
        Some(self.0.output.get()).filter(|schema| !schema.is_null())
    }

    /// The examples of whole calls. What a tool made by `#[tool]` gives as such and is no JSON is
    /// left out; [`testing::check_all`](crate::testing) finds it.
    pub fn examples(&self) -> Vec<Value> {
        match self.0.parameters.canonical.source {
            SchemaSource::Parameters { examples, .. } => schema::parsed(examples),
            _ => Vec::new(),
        }
    }

    /// The examples of a tool made by `#[tool]` as they are written, JSON or not.
    #[cfg(any(feature = "cli", feature = "inventory", feature = "linkme"))]
    pub(crate) fn example_texts(&self) -> &'static [&'static str] {
        match self.0.parameters.canonical.source {
            SchemaSource::Parameters { examples, .. } => examples,
            _ => &[],
        }
    }

    /// How a form treats an argument, where `#[arg(..)]` says so.
    pub fn role(&self, argument: &str) -> Option<Role> {
        self.row(argument)?.details?.role
    }

    /// The arguments that have a role.
    #[cfg(feature = "cli")]
    pub(crate) fn roles(&self) -> impl Iterator<Item = (&'static str, Role)> {
        let rows = self.rows().iter();
        rows.filter_map(|row| Some((row.name, row.details?.role?)))
    }

    /// Where the source of the tool is, for tools made by `#[tool]`.
    pub fn origin(&self) -> Option<Origin> {
        self.0.origin
    }

    /// What a `JsonSchema` of the tool's types panics with.
    #[cfg(any(feature = "cli", feature = "inventory", feature = "linkme"))]
    pub(crate) fn schema_panic(&self) -> Option<Panicked> {
        let sources = [&self.0.parameters.canonical.source, &self.0.output.source];
        sources
            .into_iter()
            .find_map(|source| schema::generated(source).err())
    }

    pub(crate) fn tool_name(&self) -> &ToolName {
        &self.0.name
    }

    /// The table of a tool made by `#[tool]`.
    pub(crate) fn rows(&self) -> &'static [Parameter] {
        match self.0.parameters.canonical.source {
            SchemaSource::Parameters { rows, .. } => rows,
            _ => &[],
        }
    }

    pub(crate) fn row(&self, argument: &str) -> Option<&'static Parameter> {
        self.rows().iter().find(|row| row.name == argument)
    }

    /// Whether the schema was given, so that no type stands behind it.
    pub(crate) fn has_own_schema(&self) -> bool {
        matches!(self.0.parameters.canonical.source, SchemaSource::Value(_))
    }

    /// What is to be checked besides what decoding checks.
    pub(crate) fn scrutiny(&self) -> Scrutiny {
        let scrutiny = &self.0.parameters.scrutiny;
        *scrutiny.get_or_init(|| Scrutiny::of(self))
    }

    #[cfg(feature = "validate")]
    pub(crate) fn validator(&self) -> &Validator {
        let validator = &self.0.parameters.validator;
        validator.get_or_init(|| Box::new(Validator::of(self.parameters())))
    }

    pub(crate) fn has_default_arguments(&self) -> bool {
        matches!(
            self.0.parameters.canonical.source,
            SchemaSource::Parameters { rows: [], .. }
        )
    }

    fn inner(&mut self) -> &mut Inner {
        Arc::make_mut(&mut self.0)
    }
}

impl fmt::Debug for ToolDefinition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ToolDefinition")
            .field("name", &self.0.name)
            .field("description", &self.0.description)
            .field("traits", &self.0.traits)
            .finish_non_exhaustive()
    }
}
