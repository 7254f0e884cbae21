//! What `#[arg(..)]` says of a parameter, as data.

use super::bound::{Bound, Length, Range};
use serde::Serialize;
use serde_json::Value;

/// How people's forms treat an argument. Models are not told.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Role {
    /// Not to be shown. The runtime writes `***` where it writes the value for people, and keeps
    /// it out of errors; a program that prints a [`ToolCall`](crate::ToolCall) prints it whole.
    Secret,
    /// Text of more than one line.
    Multiline,
}

impl Role {
    /// `secret` or `multiline`.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Secret => "secret",
            Self::Multiline => "multiline",
        }
    }
}

/// A default that is known without running anything.
#[derive(Clone, Copy, Debug)]
pub enum Literal {
    /// `true` or `false`.
    Bool(bool),
    /// A whole number.
    Integer(i128),
    /// Any other number.
    Number(f64),
    /// Text.
    Text(&'static str),
}

impl Literal {
    pub(crate) fn to_json(self) -> Value {
        match self {
            Self::Bool(value) => value.into(),
            Self::Integer(integer) => Bound::Integer(integer).to_json(),
            Self::Number(number) => number.into(),
            Self::Text(text) => text.into(),
        }
    }
}

/// What most parameters do without.
pub struct Details {
    pub(crate) aliases: &'static [&'static str],
    pub(crate) default: Option<Literal>,
    pub(crate) range: Option<Range>,
    pub(crate) length: Option<Length>,
    pub(crate) pattern: Option<&'static str>,
    pub(crate) examples: &'static [fn() -> Value],
    pub(crate) role: Option<Role>,
    pub(crate) flattened: bool,
}

impl Details {
    /// Nothing.
    #[must_use]
    pub const fn new() -> Self {
        Self {
            aliases: &[],
            default: None,
            range: None,
            length: None,
            pattern: None,
            examples: &[],
            role: None,
            flattened: false,
        }
    }

    /// Sets the other names that a call may use.
    #[must_use]
    pub const fn aliases(mut self, aliases: &'static [&'static str]) -> Self {
        self.aliases = aliases;
        self
    }

    /// Sets the default that the schema shows.
    #[must_use]
    pub const fn default_value(mut self, default: Literal) -> Self {
        self.default = Some(default);
        self
    }

    /// Sets what a number has to lie in.
    #[must_use]
    pub const fn range(mut self, range: Range) -> Self {
        self.range = Some(range);
        self
    }

    /// Sets how long a string, an array or an object has to be.
    #[must_use]
    pub const fn length(mut self, length: Length) -> Self {
        self.length = Some(length);
        self
    }

    /// Sets the regular expression that a string has to match somewhere.
    #[must_use]
    pub const fn pattern(mut self, pattern: &'static str) -> Self {
        self.pattern = Some(pattern);
        self
    }

    /// Sets the examples that the schema shows.
    #[must_use]
    pub const fn examples(mut self, examples: &'static [fn() -> Value]) -> Self {
        self.examples = examples;
        self
    }

    /// Sets the role in forms.
    #[must_use]
    pub const fn role(mut self, role: Role) -> Self {
        self.role = Some(role);
        self
    }

    /// Makes the fields of the parameter's struct arguments of the tool.
    #[must_use]
    pub const fn flattened(mut self) -> Self {
        self.flattened = true;
        self
    }

    pub(crate) fn is_secret(&self) -> bool {
        self.role == Some(Role::Secret)
    }

    pub(super) fn is_constrained(&self) -> bool {
        self.range.is_some() || self.length.is_some() || self.pattern.is_some()
    }
}

impl Default for Details {
    fn default() -> Self {
        Self::new()
    }
}

/// What can be an example of an argument: anything `Serialize`.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be an example of an argument",
    label = "needs `Serialize`",
    note = "put `#[chatluna_tool::tool_type]` on your own type, or give the example as a literal"
)]
pub trait Example: Serialize {}

#[diagnostic::do_not_recommend]
impl<T: Serialize + ?Sized> Example for T {}

/// An example of an argument as JSON; `null` for what has no JSON.
pub fn json<T: Example + ?Sized>(value: &T) -> Value {
    serde_json::to_value(value).unwrap_or_default()
}
