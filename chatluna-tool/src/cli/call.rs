//! `call`.

use super::judging::Judging;
use super::turn::end_tasks;
use super::{Outcome, Usage, flags, live};
use crate::definition::ToolDefinition;
use crate::error::ErrorKind;
use crate::runtime::Runtime;
use clap::{ArgMatches, Args, Command, FromArgMatches};

const ABOUT: &str = "Call a tool and print its whole result; exit code 1 when the call fails";

/// One subcommand a tool.
pub(super) fn command(tools: &[ToolDefinition]) -> Command {
    let command = Command::new("call")
        .about(ABOUT)
        .subcommand_value_name("TOOL")
        .subcommand_help_heading("Tools")
        .subcommand_required(true)
        .arg_required_else_help(true)
        .disable_help_subcommand(true)
        .allow_external_subcommands(true)
        .subcommands(tools.iter().map(flags::command));
    Judging::augment_args(command)
}

pub(super) async fn call(runtime: &Runtime, matches: &ArgMatches) -> Result<Outcome, Usage> {
    let session = Judging::from_arg_matches(matches)?.session_of_person(runtime)?;
    let Some((name, matches)) = matches.subcommand() else {
        return Err(Usage("`call` takes the name of a tool".to_owned()));
    };
    // A name that was typed wrong is no call.
    let tool = session.definition(name)?;
    let arguments = flags::arguments(&tool, matches)?;
    let mut events = session.events();
    let result = session.call(name, arguments).await;
    live::tell_shadow(&mut events);
    end_tasks(&session).await;
    let text = result.text();
    Ok(match result.error() {
        None => Outcome::Printed(text.into_owned()),
        Some(ErrorKind::NoApprover) => {
            Outcome::Failed(format!("`{name}`: {text}; `--yes` approves it"))
        }
        Some(_) => Outcome::Failed(format!("`{name}`: {text}")),
    })
}
