//! Unit tests of tools, without a model and without a person.
//!
//! A function that takes a [`CallContext`] is called like any other, with a
//! context that [`call_context`] makes:
//!
//! ```
//! use chatluna_tool::{Answer, CallContext, ToolError, testing};
//!
//! async fn deploy(env: String, call: &CallContext) -> Result<String, ToolError> {
//!     call.ask("deploying to production").await?;
//!     Ok(format!("deployed {env}"))
//! }
//!
//! # #[tokio::main(flavor = "current_thread")]
//! # async fn main() {
//! let call = testing::call_context().answers([Answer::Once]).build();
//! assert_eq!(deploy("prod".into(), &call).await.unwrap(), "deployed prod");
//! let refused = deploy("prod".into(), &call).await; // the script has no second answer
//! assert!(refused.is_err());
//! # }
//! ```
//!
//! [`tool`] calls a linked tool by its JSON, as a model would:
//!
//! ```standalone_crate
//! use chatluna_tool::{testing, tool};
//!
//! struct Greeting(&'static str);
//!
//! /// Greets
//! #[tool]
//! async fn greet(name: String, greeting: &Greeting) -> String {
//!     format!("{} {name}", greeting.0)
//! }
//!
//! # #[tokio::main(flavor = "current_thread")]
//! # async fn main() {
//! let result = testing::tool("greet").state(Greeting("hello")).call(r#"{"name": "Li"}"#).await;
//! assert_eq!(result.text(), "hello Li");
//! # }
//! ```
//!
//! `check_all` tries what every linked tool says of itself.

mod approver;
#[cfg(any(feature = "inventory", feature = "linkme"))]
mod check;
#[cfg(any(feature = "inventory", feature = "linkme"))]
mod linked;
#[cfg(any(feature = "cli", feature = "inventory", feature = "linkme"))]
mod sound;

pub use approver::ScriptedApprover;
#[cfg(any(feature = "inventory", feature = "linkme"))]
pub use check::check_all;
#[cfg(any(feature = "inventory", feature = "linkme"))]
pub use linked::{ToolTest, tool};
#[cfg(feature = "cli")]
pub(crate) use sound::unsound;

use crate::arguments::Arguments;
use crate::context::CallContext;
use crate::definition::ToolDefinition;
use crate::identity::{SessionInfo, TurnInfo};
use crate::permission::{Answer, Approver};
use crate::runtime_builder::RuntimeBuilder;
use crate::session::Session;
use crate::state::State;

/// Starts a [`CallContext`] for a unit test: of a tool `test` in a session `test`.
pub fn call_context() -> CallContextBuilder {
    CallContextBuilder {
        setup: Setup::of(RuntimeBuilder::default()),
        id: "call".to_owned(),
    }
}

/// Collects what a [`CallContext`] of a unit test holds.
#[derive(Debug)]
#[must_use]
pub struct CallContextBuilder {
    setup: Setup,
    id: String,
}

impl CallContextBuilder {
    /// Sets the id of the call.
    pub fn id(mut self, id: impl Into<String>) -> Self {
        self.id = id.into();
        self
    }

    /// Makes the context.
    pub fn build(self) -> CallContext {
        let definition = ToolDefinition::new("test", "a unit test");
        let session = self.setup.session();
        let turn = session.turn();
        let number = session.next_number();
        CallContext::new(
            self.id,
            number,
            definition,
            Arguments::default(),
            session,
            turn,
        )
    }
}

/// What a context or a call of a test is made of.
#[derive(Debug)]
struct Setup {
    builder: RuntimeBuilder,
    info: SessionInfo,
    turn: Option<TurnInfo>,
}

impl Setup {
    fn of(builder: RuntimeBuilder) -> Self {
        Self {
            builder,
            info: SessionInfo::new("test"),
            turn: None,
        }
    }

    #[allow(
        clippy::panic,
        reason = "the fault is the test's, and a panic is how a test fails"
    )]
    fn session(self) -> Session {
        let runtime = self.builder.build();
        let runtime = runtime.unwrap_or_else(|error| panic!("{error}"));
        let session = runtime.session(self.info);
        if let Some(turn) = self.turn {
            session.begin_turn(turn);
        }
        session
    }
}

/// What both builders take.
macro_rules! staged {
    ($builder:ty) => {
        impl $builder {
            /// Provides a value that is taken as `&T`.
            pub fn state<T: State>(mut self, value: T) -> Self {
                self.setup.builder = self.setup.builder.state(value);
                self
            }

            /// Sets the session, its own state included.
            pub fn session(mut self, info: SessionInfo) -> Self {
                self.setup.info = info;
                self
            }

            /// Sets the turn.
            pub fn turn(mut self, turn: TurnInfo) -> Self {
                self.setup.turn = Some(turn);
                self
            }

            /// Answers what [`CallContext::ask`] asks, in order; then refuses.
            pub fn answers(self, answers: impl IntoIterator<Item = Answer>) -> Self {
                self.approver(ScriptedApprover::new(answers))
            }

            /// Sets who answers. Without it nobody does.
            pub fn approver(mut self, approver: impl Approver) -> Self {
                self.setup.builder = self.setup.builder.approver(approver);
                self
            }
        }
    };
}

staged!(CallContextBuilder);
#[cfg(any(feature = "inventory", feature = "linkme"))]
staged!(ToolTest);
