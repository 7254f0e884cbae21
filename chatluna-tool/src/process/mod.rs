//! Programs that a tool runs, and that die with its call.
//!
//! [`CallContext::spawn_command`] starts here:
//!
//! ```
//! use chatluna_tool::{CallContext, ToolError, tool};
//!
//! /// Counts the lines of a text
//! #[tool(traits(parallel, effect = "read"))]
//! async fn count_lines(text: String, call: &CallContext) -> Result<String, ToolError> {
//!     call.spawn_command("wc").arg("-l").stdin(text).text().await
//! }
//! ```

mod capture;
mod environment;
mod group;

pub use capture::Captured;

use crate::context::CallContext;
use crate::error::{ErrorKind, ToolError};
use crate::ready_call::no_tokio;
use capture::Capture;
use futures_util::future::{Either, join3, select};
use group::Group;
use std::ffi::{OsStr, OsString};
use std::path::PathBuf;
use std::pin::pin;
use std::process::{ExitStatus, Stdio};
use std::time::Duration;
use std::{fmt, io};
use tokio::io::AsyncWriteExt;
use tokio::process::{Child, ChildStdin};
use tokio::time::timeout;

/// How many bytes of each stream are kept when the command does not say (50 KiB).
pub const DEFAULT_OUTPUT_CAP: usize = 50 << 10;

/// How long a program that is told to end may take to do so.
const GRACE: Duration = Duration::from_secs(1);
/// How long the streams of a program that has ended are read on: what it started may hold them open.
const PIPES: Duration = Duration::from_millis(250);
/// The most characters of what a program complains that its error quotes.
const MAX_COMPLAINT: usize = 2_000;

/// A program to run for a call: its name and its arguments, never a line for a shell.
///
/// It runs in the session's directory, with a reduced environment: where programs and homes are,
/// the language and the time zone, and what [`env`](Self::env) adds; keys and tokens of the host
/// program are not passed on. On Unix it has a process group of its own, and all of it is killed
/// when the call is cancelled, timed out or dropped, when its tool panics, and when the program
/// itself has ended. What leaves the group (`setsid`) is out of reach. Elsewhere the program alone
/// is killed.
#[derive(Clone)]
#[must_use = "nothing runs before `output` or `text` is awaited"]
pub struct Command {
    call: CallContext,
    program: OsString,
    arguments: Vec<OsString>,
    variables: Vec<(OsString, OsString)>,
    directory: Option<PathBuf>,
    stdin: Vec<u8>,
    cap: usize,
}

/// What a program left behind.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Output {
    /// How it ended.
    pub status: ExitStatus,
    /// What it wrote.
    pub stdout: Captured,
    /// What it complained of.
    pub stderr: Captured,
}

impl CallContext {
    /// A program that dies with the call. See [`process`](crate::process).
    pub fn spawn_command(&self, program: impl AsRef<OsStr>) -> Command {
        Command {
            call: self.clone(),
            program: program.as_ref().to_owned(),
            arguments: Vec::new(),
            variables: Vec::new(),
            directory: self.session().directory.clone(),
            stdin: Vec::new(),
            cap: DEFAULT_OUTPUT_CAP,
        }
    }
}

impl Command {
    /// Adds an argument.
    pub fn arg(mut self, argument: impl AsRef<OsStr>) -> Self {
        self.arguments.push(argument.as_ref().to_owned());
        self
    }

    /// Adds arguments.
    pub fn args<A: AsRef<OsStr>>(mut self, arguments: impl IntoIterator<Item = A>) -> Self {
        let arguments = arguments.into_iter();
        self.arguments
            .extend(arguments.map(|argument| argument.as_ref().to_owned()));
        self
    }

    /// Sets a variable of the environment.
    pub fn env(mut self, name: impl AsRef<OsStr>, value: impl AsRef<OsStr>) -> Self {
        let variable = (name.as_ref().to_owned(), value.as_ref().to_owned());
        self.variables.push(variable);
        self
    }

    /// Sets the directory in which the program starts. At first the session's, else that of the
    /// host program.
    pub fn directory(mut self, path: impl Into<PathBuf>) -> Self {
        self.directory = Some(path.into());
        self
    }

    /// Sets what the program reads. At first nothing.
    pub fn stdin(mut self, bytes: impl Into<Vec<u8>>) -> Self {
        self.stdin = bytes.into();
        self
    }

    /// Sets how many bytes of each stream are kept: half of them from its beginning, half from its
    /// end. At first [`DEFAULT_OUTPUT_CAP`]. The program is read to its end all the same.
    pub fn output_cap(mut self, bytes: usize) -> Self {
        self.cap = bytes;
        self
    }

    /// Runs the program, and gives what it wrote, without the line ends at the end.
    ///
    /// # Errors
    /// As [`output`](Self::output), and when the program ends with another status than 0: what it
    /// complained of is part of the error.
    pub async fn text(self) -> Result<String, ToolError> {
        let name = self.name();
        let output = self.output().await?;
        if output.status.success() {
            return Ok(output
                .stdout
                .text()
                .trim_end_matches(['\r', '\n'])
                .to_owned());
        }
        let complaint = output.stderr.text();
        let complaint = tail(complaint.trim());
        let joint = if complaint.is_empty() { "" } else { ": " };
        let status = output.status;
        Err(ToolError::new(format_args!(
            "`{name}` ended with {status}{joint}{complaint}"
        )))
    }

    /// Runs the program to its end, however it ends.
    ///
    /// # Errors
    /// When it cannot be started, or the call is cancelled: then the program has a second to end in
    /// good order.
    pub async fn output(mut self) -> Result<Output, ToolError> {
        let stdin = std::mem::take(&mut self.stdin);
        let mut child = self.spawn()?;
        // Dropped before the child, and so also when this future is.
        let group = Group::of(&child);
        let mut out = Capture::new(self.cap);
        let mut err = Capture::new(self.cap);
        let streams = (child.stdin.take(), child.stdout.take(), child.stderr.take());
        let status = {
            let feeding = feed(streams.0, stdin);
            let io = join3(feeding, out.fill(streams.1), err.fill(streams.2));
            let running = pin!(run(&mut child, io));
            match select(running, pin!(self.call.cancelled())).await {
                Either::Left((status, _)) => Some(status),
                Either::Right(_) => None,
            }
        };
        let Some(status) = status else {
            group.ask_to_end();
            let _ = timeout(GRACE, child.wait()).await;
            drop(group);
            let _ = timeout(GRACE, child.wait()).await;
            let name = self.name();
            return Err(ToolError::of_kind(
                ErrorKind::Cancelled,
                format_args!("the call was cancelled and `{name}` was stopped"),
            ));
        };
        drop(group);
        Ok(Output {
            status: status.map_err(|error| self.failed(&error))?,
            stdout: out.finish(),
            stderr: err.finish(),
        })
    }

    fn spawn(&self) -> Result<Child, ToolError> {
        if tokio::runtime::Handle::try_current().is_err() {
            return Err(no_tokio());
        }
        let mut command = tokio::process::Command::new(&self.program);
        command
            .args(&self.arguments)
            .env_clear()
            .envs(environment::reduced())
            .envs(self.variables.iter().map(|(name, value)| (name, value)))
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .kill_on_drop(true);
        if let Some(directory) = &self.directory {
            command.current_dir(directory);
        }
        #[cfg(unix)]
        command.process_group(0);
        command.spawn().map_err(|error| self.failed(&error))
    }

    fn name(&self) -> String {
        self.program.to_string_lossy().into_owned()
    }

    fn failed(&self, error: &io::Error) -> ToolError {
        let name = self.name();
        let directory = self.directory.as_ref().filter(|path| !path.is_dir());
        match (directory, error.kind()) {
            (Some(path), _) => ToolError::new(format_args!(
                "`{name}` cannot be run: there is no directory {}",
                path.display()
            )),
            (None, io::ErrorKind::NotFound) => ToolError::new(format_args!(
                "there is no program `{name}` here; it is not installed, or not on the `PATH`"
            )),
            (None, _) => ToolError::new(format_args!("`{name}` cannot be run: {error}")),
        }
    }
}

/// Waits for the program, and for its streams as long as it has not ended.
async fn run(child: &mut Child, io: impl Future) -> io::Result<ExitStatus> {
    let mut io = pin!(io);
    let ended = match select(pin!(child.wait()), &mut io).await {
        Either::Left((status, _)) => Either::Left(status),
        Either::Right((_, ending)) => Either::Right(ending.await),
    };
    match ended {
        Either::Left(status) => {
            let _ = timeout(PIPES, io).await;
            status
        }
        Either::Right(status) => status,
    }
}

/// A program that does not read to the end is no error.
async fn feed(stdin: Option<ChildStdin>, bytes: Vec<u8>) {
    if let Some(mut stdin) = stdin {
        let _ = stdin.write_all(&bytes).await;
        let _ = stdin.shutdown().await;
    }
}

/// The last characters of a text.
fn tail(text: &str) -> String {
    let skipped = text.chars().count().saturating_sub(MAX_COMPLAINT);
    let sign = if skipped > 0 { "…" } else { "" };
    sign.to_owned() + &text.chars().skip(skipped).collect::<String>()
}

impl fmt::Debug for Command {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Command")
            .field("program", &self.program)
            .field("arguments", &self.arguments)
            .finish_non_exhaustive()
    }
}
