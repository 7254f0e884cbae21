//! The object that the runtime knows a tool as.

use crate::BoxFuture;
use crate::arguments::{ArgumentError, Arguments};
use crate::context::CallContext;
use crate::definition::ToolDefinition;
use crate::error::ToolError;
use crate::identity::SessionInfo;
use crate::output::ToolOutput;
use crate::permission::Permission;
use std::sync::Arc;
use std::time::Duration;

/// A tool. `#[tool]` and [`FnTool`](crate::FnTool) make one; implement it for anything else.
///
/// Everything here may panic: the runtime turns a panic into an error of the call at hand.
///
/// ```
/// use chatluna_tool::{
///     ArgumentError, Arguments, BoxFuture, CallContext, PreparedCall, Tool, ToolDefinition,
///     ToolError, ToolOutput,
/// };
/// use serde_json::Value;
/// use std::sync::Arc;
///
/// /// A tool that lives in another program.
/// struct Remote(ToolDefinition);
///
/// struct RemoteCall(Value);
///
/// impl Tool for Remote {
///     fn definition(&self) -> &ToolDefinition {
///         &self.0
///     }
///
///     fn prepare(
///         self: Arc<Self>,
///         arguments: &Arguments,
///     ) -> Result<Box<dyn PreparedCall>, ArgumentError> {
///         Ok(Box::new(RemoteCall(arguments.decode()?)))
///     }
/// }
///
/// impl PreparedCall for RemoteCall {
///     fn run(
///         self: Box<Self>,
///         call: CallContext,
///     ) -> BoxFuture<'static, Result<ToolOutput, ToolError>> {
///         Box::pin(async move {
///             // Here it would be sent somewhere.
///             Ok(ToolOutput::text(format!("{} got {}", call.name(), self.0)))
///         })
///     }
/// }
/// # let _ = chatluna_tool::Runtime::builder().tool(Remote(ToolDefinition::new("r", "Remote")));
/// ```
pub trait Tool: Send + Sync + 'static {
    /// What models and people are told about the tool.
    fn definition(&self) -> &ToolDefinition;

    /// Whether this session can see and call the tool.
    fn visible(&self, session: &SessionInfo) -> bool {
        let _ = session;
        true
    }

    /// Reads the arguments, before anything of the step runs.
    ///
    /// After an error the runtime looks at the schema of the definition: where that tells what was
    /// meant, the arguments are repaired and read once more.
    ///
    /// # Errors
    /// What is wrong with the arguments. The model reads it where the schema finds nothing.
    fn prepare(
        self: Arc<Self>,
        arguments: &Arguments,
    ) -> Result<Box<dyn PreparedCall>, ArgumentError>;
}

/// A call whose arguments have been read.
pub trait PreparedCall: Send {
    /// What the call wants to do, in the policy's words; `None` is `tool:<name>`.
    fn permission(&self) -> Option<Permission> {
        None
    }

    /// What the call must not run beside: another call of this key. Without a key it may run beside
    /// all.
    ///
    /// The parallel calls of one step run together; of those whose keys are equal, whatever their
    /// tools, one waits for the other, in call order, and so do calls of overlapping steps of the
    /// session. A call that goes on in the background gives up its key.
    fn key(&self) -> Option<String> {
        None
    }

    /// Runs the call. Dropping the future cancels it.
    fn run(self: Box<Self>, call: CallContext)
    -> BoxFuture<'static, Result<ToolOutput, ToolError>>;
}

/// How far a tool reaches.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Effect {
    /// Looks at things.
    Read,
    /// Changes things that can be changed back: files, records.
    Write,
    /// Runs programs, spends money, sends messages: anything at all.
    Exec,
}

impl Effect {
    /// `read`, `write` or `exec`.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Read => "read",
            Self::Write => "write",
            Self::Exec => "exec",
        }
    }
}

/// How the runtime may treat a tool.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Traits {
    /// Whether calls may run beside other parallel calls of the step.
    pub parallel: bool,
    /// How far the tool reaches.
    pub effect: Effect,
    /// How long a step waits for a call; `None` is the runtime's default.
    ///
    /// Time spent waiting for an approval does not count.
    pub timeout: Option<Duration>,
    /// Whether a call goes on in the background when its timeout has passed; else it is ended.
    ///
    /// It then holds nobody up any more: it gives up its key, and a call that is not parallel is no
    /// longer alone. Calls that its tool makes from there on take their turn like those of a step. A
    /// tool whose calls must never overlap sets this to `false`.
    pub background: bool,
    /// How many bytes of a result a model gets; `None` is what the runtime's
    /// [`OutputCap`](crate::OutputCap) says, which bounds the lines of any result but one of a tool
    /// with [`NO_OUTPUT_CAP`](Self::NO_OUTPUT_CAP).
    pub output_cap: Option<usize>,
}

impl Traits {
    /// The timeout of a tool that a step waits for without end: longer than anything runs.
    pub const NO_TIMEOUT: Duration = Duration::from_millis(u64::MAX);

    /// The output cap of a tool whose results are always given whole, however many bytes and lines
    /// they have: it bounds them itself.
    pub const NO_OUTPUT_CAP: usize = usize::MAX;

    /// The most careful: runs alone, [`Effect::Exec`], the runtime's default timeout, after which
    /// it goes on in the background.
    pub const fn new() -> Self {
        Self {
            parallel: false,
            effect: Effect::Exec,
            timeout: None,
            background: true,
            output_cap: None,
        }
    }

    /// Lets calls run beside others.
    #[must_use]
    pub const fn parallel(mut self) -> Self {
        self.parallel = true;
        self
    }

    /// Sets how far the tool reaches.
    #[must_use]
    pub const fn effect(mut self, effect: Effect) -> Self {
        self.effect = effect;
        self
    }

    /// Sets how long a step waits for a call.
    #[must_use]
    pub const fn timeout(mut self, timeout: Duration) -> Self {
        self.timeout = Some(timeout);
        self
    }

    /// Sets whether a call goes on in the background when its timeout has passed.
    #[must_use]
    pub const fn background(mut self, goes_on: bool) -> Self {
        self.background = goes_on;
        self
    }

    /// Sets how many bytes of a result a model gets; with [`NO_OUTPUT_CAP`](Self::NO_OUTPUT_CAP), all
    /// of it.
    #[must_use]
    pub const fn output_cap(mut self, bytes: usize) -> Self {
        self.output_cap = Some(bytes);
        self
    }
}

impl Default for Traits {
    fn default() -> Self {
        Self::new()
    }
}
