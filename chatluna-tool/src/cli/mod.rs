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
mod check;
mod controls;
mod dialect;
mod explain;
mod flags;
mod judging;
mod list;
mod live;
mod provider;
mod tasks;
mod turn;

use crate::identity::SessionInfo;
use crate::runtime::Runtime;
use crate::session::Session;
use anstyle::{AnsiColor, Style};
use clap::{CommandFactory, FromArgMatches, Parser, Subcommand};
use clap_complete::Shell;
use dialect::Form;
use judging::Judging;
use provider::Provider;
use std::fmt;
use std::io::{ErrorKind, Read, Write};
use std::path::PathBuf;
use std::process::ExitCode;

/// Look at the tools of this program and call them
#[derive(Parser)]
#[command(version = None::<&str>, disable_version_flag = true, after_help = EXIT_CODES)]
struct Arguments {
    #[command(subcommand)]
    command: Option<Known>,
}

const EXIT_CODES: &str = "\
Exit codes: 0, or 1 when a tool called with `call` failed or `check` found errors, or 2 when the
command line is wrong, or 130 when `turn` was interrupted.";

/// All commands but `call`, whose subcommands are the tools.
#[derive(Subcommand)]
enum Known {
    /// List the tools, a line each
    List {
        /// Print an array of definitions as JSON
        #[arg(long)]
        json: bool,
    },
    /// Show all that is known of a tool
    Show {
        /// The tool
        #[arg(value_name = "TOOL")]
        name: String,
    },
    /// Print the JSON schema of a tool's arguments
    Schema {
        /// The tool
        #[arg(value_name = "TOOL")]
        name: String,
        /// Print the tool as requests in this dialect hold it
        #[arg(long, value_enum)]
        dialect: Option<Form>,
        /// Print below what the dialect cannot say, a line each
        #[arg(long, requires = "dialect")]
        losses: bool,
    },
    /// Check the tools: descriptions, examples, schemas, and what providers make of them
    ///
    /// An error is what does not work; a warning, what a model will stumble over or is not told, or a
    /// rule of the policy that does not do what it seems to; a note, what a provider is sent otherwise than it is written. The tokens are those of name,
    /// description and schema in OpenAI's vocabulary, estimated from the letters: some 5 % off, and at
    /// most 15 % in English and Chinese.
    Check(check::Check),
    /// Run the tool calls of a model's reply and print the messages that go back
    ///
    /// The messages go to standard output as a JSON array, what happened to standard error, a
    /// line a call; on a terminal the calls are shown while they run. The exit code is 0 also when
    /// calls fail: their messages say so. Ctrl-C cancels the calls that run and still prints a
    /// message for each; the exit code is then 130.
    Turn {
        /// A file with the reply, or `-` for standard input
        file: String,
        /// The format of the reply
        #[arg(long, value_enum, default_value_t)]
        provider: Provider,
        #[command(flatten)]
        judging: Judging,
    },
    /// Say what would be decided about a call, by which rule, and which rules that one beats
    Explain {
        /// The tool
        #[arg(value_name = "TOOL")]
        name: String,
        /// The arguments as a JSON object, or `-` for standard input
        #[arg(value_name = "JSON", default_value = "{}")]
        arguments: String,
        /// Judge by the policy in this file, TOML or JSON, instead of the program's
        #[arg(long, value_name = "FILE")]
        policy: Option<String>,
    },
    /// Look at tasks, calls that went on in the background, in a data folder
    Tasks(tasks::Tasks),
    /// Print a script that completes commands, tools and their arguments
    Completions {
        /// The shell
        shell: Shell,
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
    /// Text for standard output, of what is wrong with the tools.
    Found(String),
    /// Text for standard output, although it was cut short by Ctrl-C.
    Interrupted(String),
    /// A tool call that failed, in words for standard error.
    Failed(String),
}

/// How errors begin.
const ERROR: Style = AnsiColor::Red.on_default().bold();

/// Runs the command that the program's arguments name.
///
/// Without a command it prints the help and the tools. The exit code is 0, or 1 when a tool called
/// with `call` failed or `check` found errors, or 2 when the command line is wrong, or 130 when
/// `turn` was interrupted.
pub async fn main(runtime: Runtime) -> ExitCode {
    let matches = match command(&runtime).try_get_matches() {
        Ok(matches) => matches,
        Err(error) => {
            // Nothing is left to say when the terminal is gone.
            let _ = error.print();
            return ExitCode::from(u8::try_from(error.exit_code()).unwrap_or(2));
        }
    };
    finish(match matches.subcommand() {
        Some(("call", matches)) => call::call(&runtime, matches).await,
        _ => run(Arguments::from_arg_matches(&matches), &runtime).await,
    })
}

async fn run(
    arguments: Result<Arguments, clap::Error>,
    runtime: &Runtime,
) -> Result<Outcome, Usage> {
    let session = session(runtime);
    let printed = match arguments?.command {
        None => overview(runtime),
        Some(Known::List { json }) => list::list(&session, json),
        Some(Known::Show { name }) => list::show(&session, &name)?,
        Some(Known::Schema {
            name,
            dialect,
            losses,
        }) => list::schema(&session, &name, dialect, losses)?,
        Some(Known::Check(check)) => return check.run(runtime),
        Some(Known::Turn {
            file,
            provider,
            judging,
        }) => return turn::turn(runtime, &judging, &file, provider).await,
        Some(Known::Explain {
            name,
            arguments,
            policy,
        }) => explain::explain(runtime, &name, &arguments, policy.as_deref())?,
        Some(Known::Tasks(tasks)) => return tasks.run(runtime).await,
        Some(Known::Completions { shell }) => completions(runtime, shell),
    };
    Ok(Outcome::Printed(printed))
}

fn command(runtime: &Runtime) -> clap::Command {
    let tools = session(runtime).all_definitions();
    Arguments::command()
        .name(program())
        .bin_name(program())
        .subcommand(call::command(&tools))
}

/// What the person typed to get here, without its folders.
fn program() -> String {
    let path = std::env::args_os().next().map(PathBuf::from);
    let name = path.as_ref().and_then(|path| path.file_stem());
    name.map_or_else(String::new, |name| name.to_string_lossy().into_owned())
}

fn overview(runtime: &Runtime) -> String {
    let help = command(runtime).render_help();
    let tools = list::list(&session(runtime), false);
    format!("{}\nTools:\n{tools}", help.ansi())
}

fn completions(runtime: &Runtime, shell: Shell) -> String {
    let mut script = Vec::new();
    clap_complete::generate(shell, &mut command(runtime), program(), &mut script);
    String::from_utf8_lossy(&script).into_owned()
}

/// The text of a file, or of standard input for `-`.
fn read(file: &str) -> Result<String, Usage> {
    let mut text = String::new();
    let read = if file == "-" {
        std::io::stdin().read_to_string(&mut text)
    } else {
        std::fs::File::open(file).and_then(|mut file| file.read_to_string(&mut text))
    };
    read.map_err(|error| format!("cannot read `{file}`: {error}"))?;
    Ok(text)
}

fn finish(outcome: Result<Outcome, Usage>) -> ExitCode {
    match outcome {
        Ok(Outcome::Printed(text)) => print(&text),
        Ok(Outcome::Found(text)) => {
            print(&text);
            ExitCode::FAILURE
        }
        Ok(Outcome::Interrupted(text)) => {
            print(&text);
            ExitCode::from(turn::INTERRUPTED)
        }
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

/// The session in which the command line looks at things.
fn session(runtime: &Runtime) -> Session {
    runtime.session(SessionInfo::new("cli"))
}
