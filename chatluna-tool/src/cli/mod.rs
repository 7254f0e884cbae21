//! A command line over a runtime: look at its tools, call one, answer a model's reply.
//!
//! ```no_run
//! use chatluna_tool::{BuildError, Runtime, cli};
//! use std::process::ExitCode;
//!
//! #[tokio::main]
//! async fn main() -> Result<ExitCode, BuildError> {
//!     let runtime = Runtime::builder().collect().build()?;
//!     Ok(cli::main(runtime).await)
//! }
//! ```

mod call;
mod list;
mod turn;

use crate::identity::SessionInfo;
use crate::permission::AllowAll;
use crate::runtime::Runtime;
use crate::session::Session;
use anstyle::{AnsiColor, Style};
use clap::{CommandFactory, Parser, Subcommand};
use std::fmt;
use std::io::{ErrorKind, Write};
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Arc;

/// Look at the tools of this program and call them.
#[derive(Parser)]
#[command(version = None::<&str>, disable_version_flag = true)]
struct Arguments {
    #[command(subcommand)]
    command: Option<Command>,
}

#[derive(Subcommand)]
enum Command {
    /// List the tools, a line each
    List {
        /// Print an array of definitions as JSON
        #[arg(long)]
        json: bool,
    },
    /// Show all that is known of a tool
    Show {
        /// The tool
        name: String,
    },
    /// Print the JSON schema of a tool's arguments
    Schema {
        /// The tool
        name: String,
    },
    /// Call a tool and print its result; exit code 1 when the call fails
    Call {
        /// The tool
        name: String,
        /// Its arguments, a JSON object
        #[arg(default_value = "{}")]
        json: String,
        /// Approve what the policy asks about
        #[arg(long)]
        yes: bool,
    },
    /// Run the tool calls of a model's reply and print the messages that go back
    ///
    /// The reply is a response or a message of OpenAI's Chat Completions API.
    /// The messages go to standard output, what happened to standard error.
    Turn {
        /// A file with the reply, or `-` for standard input
        file: String,
        /// Approve what the policy asks about
        #[arg(long)]
        yes: bool,
    },
}

/// A mistake of the person at the command line; it ends with exit code 2.
struct Usage(String);

impl<T: fmt::Display> From<T> for Usage {
    fn from(message: T) -> Self {
        Self(message.to_string())
    }
}

/// What a command ends with.
enum Outcome {
    /// Text for standard output.
    Printed(String),
    /// A tool call that failed, in words for standard error.
    Failed(String),
}

/// How errors begin.
const ERROR: Style = AnsiColor::Red.on_default().bold();

/// Runs the command that the program's arguments name.
///
/// Without a command it prints the help and the tools. The exit code is 0, or
/// 1 when a tool called with `call` failed, or 2 when the command line is wrong.
pub async fn main(runtime: Runtime) -> ExitCode {
    let arguments = match Arguments::try_parse() {
        Ok(arguments) => arguments,
        Err(error) => {
            // Nothing is left to say when the terminal is gone.
            let _ = error.print();
            return ExitCode::from(u8::try_from(error.exit_code()).unwrap_or(2));
        }
    };
    let outcome = match arguments.command {
        None => Ok(Outcome::Printed(overview(&runtime))),
        Some(command) => run(command, &runtime).await,
    };
    finish(outcome)
}

async fn run(command: Command, runtime: &Runtime) -> Result<Outcome, Usage> {
    let printed = match command {
        Command::List { json } => list::list(&session(runtime, false), json),
        Command::Show { name } => list::show(&session(runtime, false), &name)?,
        Command::Schema { name } => list::schema(&session(runtime, false), &name)?,
        Command::Call { name, json, yes } => {
            return call::call(&session(runtime, yes), &name, json).await;
        }
        Command::Turn { file, yes } => turn::turn(&session(runtime, yes), &file).await?,
    };
    Ok(Outcome::Printed(printed))
}

fn overview(runtime: &Runtime) -> String {
    let program = std::env::args_os().next().map(PathBuf::from);
    let name = program.as_ref().and_then(|path| path.file_stem());
    let name = name.map_or_else(String::new, |name| name.to_string_lossy().into_owned());
    let help = Arguments::command().bin_name(name).render_help();
    let tools = list::list(&session(runtime, false), false);
    format!("{}\nTools:\n{tools}", help.ansi())
}

fn finish(outcome: Result<Outcome, Usage>) -> ExitCode {
    match outcome {
        Ok(Outcome::Printed(text)) => print(&text),
        Ok(Outcome::Failed(text)) => {
            anstream::eprintln!("{ERROR}error:{ERROR:#} {text}");
            ExitCode::FAILURE
        }
        Err(Usage(message)) => {
            anstream::eprintln!("{ERROR}error:{ERROR:#} {message}");
            ExitCode::from(2)
        }
    }
}

/// A reader that has seen enough, such as `head`, is no failure.
fn print(text: &str) -> ExitCode {
    let mut stdout = anstream::stdout().lock();
    match writeln!(stdout, "{}", text.trim_end_matches('\n')).and_then(|()| stdout.flush()) {
        Err(error) if error.kind() != ErrorKind::BrokenPipe => ExitCode::FAILURE,
        _ => ExitCode::SUCCESS,
    }
}

/// The session of the command line; `yes` answers every question.
fn session(runtime: &Runtime, yes: bool) -> Session {
    let info = SessionInfo::new("cli");
    if yes {
        runtime.session_asking(info, Arc::new(AllowAll))
    } else {
        runtime.session(info)
    }
}
