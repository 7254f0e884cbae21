//! What goes wrong in a call: [`ToolError`] from a tool, [`ErrorKind`] for the model's side.

use std::error::Error;
use std::fmt;

/// The machine-readable kind of a failed call.
///
/// `Display` and [`as_str`](Self::as_str) give the stable text that the model
/// reads: `invalid_arguments`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum ErrorKind {
    /// No visible tool has this name.
    UnknownTool,
    /// The tool is one to search for and was not loaded: it was not run, and the answer is its
    /// definition. It is loaded from then on.
    NotLoaded,
    /// The argument text is no JSON object.
    MalformedArguments,
    /// The arguments do not fit the tool's parameters.
    InvalidArguments,
    /// A rule of the policy forbids the call.
    DeniedByPolicy,
    /// A person, or whoever answers in their place, refused the call.
    DeniedByUser,
    /// The call has to be approved and nobody is there to ask.
    NoApprover,
    /// The call has to be approved and nobody answered in time.
    Expired,
    /// The call took longer than its timeout and was dropped; a plain `fn` that runs is left alone.
    Timeout,
    /// The call was cancelled before it ended.
    Cancelled,
    /// The same call has failed twice in this turn, and was not run again.
    Repeated,
    /// The tool's code panicked.
    Panicked,
    /// The tool returned an error.
    Failed,
    /// The tool returned an error that other arguments may cure.
    Retry,
    /// The host program lacks what the call needs: a tokio runtime, a state value.
    Unavailable,
}

impl ErrorKind {
    pub(crate) const ALL: [Self; 15] = [
        Self::UnknownTool,
        Self::NotLoaded,
        Self::MalformedArguments,
        Self::InvalidArguments,
        Self::DeniedByPolicy,
        Self::DeniedByUser,
        Self::NoApprover,
        Self::Expired,
        Self::Timeout,
        Self::Cancelled,
        Self::Repeated,
        Self::Panicked,
        Self::Failed,
        Self::Retry,
        Self::Unavailable,
    ];

    /// The kind in snake case.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::UnknownTool => "unknown_tool",
            Self::NotLoaded => "not_loaded",
            Self::MalformedArguments => "malformed_arguments",
            Self::InvalidArguments => "invalid_arguments",
            Self::DeniedByPolicy => "denied_by_policy",
            Self::DeniedByUser => "denied_by_user",
            Self::NoApprover => "no_approver",
            Self::Expired => "expired",
            Self::Timeout => "timeout",
            Self::Cancelled => "cancelled",
            Self::Repeated => "repeated",
            Self::Panicked => "panicked",
            Self::Failed => "failed",
            Self::Retry => "retry",
            Self::Unavailable => "unavailable",
        }
    }
}

impl fmt::Display for ErrorKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// The error of a tool: text for the model and what kind of failure it is.
///
/// ```
/// use chatluna_tool::ToolError;
///
/// fn parse(port: &str) -> Result<u16, ToolError> {
///     port.parse().map_err(|_| ToolError::retry(format!("`{port}` is no port")))
/// }
/// # assert!(parse("80").is_ok());
/// # assert_eq!(parse("x").unwrap_err().to_string(), "`x` is no port");
/// ```
#[must_use = "an error does nothing until it is returned"]
pub struct ToolError(Box<Inner>);

struct Inner {
    kind: ErrorKind,
    message: String,
    source: Option<Box<dyn Error + Send + Sync>>,
}

impl ToolError {
    /// An error with this text.
    pub fn new(message: impl fmt::Display) -> Self {
        Self::of_kind(ErrorKind::Failed, message)
    }

    /// An error that keeps another as its source and shows its text.
    pub fn wrap(error: impl Error + Send + Sync + 'static) -> Self {
        let mut own = Self::new("");
        own.0.source = Some(Box::new(error));
        own
    }

    /// An error after which the model may try again with other arguments.
    pub fn retry(message: impl fmt::Display) -> Self {
        Self::of_kind(ErrorKind::Retry, message)
    }

    /// What kind of failure it is.
    pub fn kind(&self) -> ErrorKind {
        self.0.kind
    }

    /// An error of a kind of its own, for [`Tool`](crate::Tool)s that know better than `failed`.
    pub fn of_kind(kind: ErrorKind, message: impl fmt::Display) -> Self {
        Self(Box::new(Inner {
            kind,
            message: message.to_string(),
            source: None,
        }))
    }
}

impl fmt::Display for ToolError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.0.source {
            Some(source) => source.fmt(f),
            None => f.write_str(&self.0.message),
        }
    }
}

impl fmt::Debug for ToolError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {self}", self.0.kind)
    }
}

impl Error for ToolError {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        // The text is the wrapped error's own, so its source comes next.
        self.0.source.as_deref().and_then(Error::source)
    }
}

impl From<String> for ToolError {
    fn from(message: String) -> Self {
        Self::new(message)
    }
}

impl From<&str> for ToolError {
    fn from(message: &str) -> Self {
        Self::new(message)
    }
}

impl From<std::io::Error> for ToolError {
    fn from(error: std::io::Error) -> Self {
        Self::wrap(error)
    }
}

impl From<serde_json::Error> for ToolError {
    fn from(error: serde_json::Error) -> Self {
        Self::wrap(error)
    }
}
