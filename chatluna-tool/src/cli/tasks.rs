//! `tasks`: what went on in the background, and how it ended.

use super::controls::{escape_controls, escape_controls_of_lines};
use super::{Outcome, Usage};
use crate::background::{Ledger, Looked, Stored, Task, look};
use crate::runtime::Runtime;
use clap::{Args, Subcommand};
use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::time::Duration;

#[derive(Args)]
pub(super) struct Tasks {
    #[command(subcommand)]
    wish: Wish,
    /// The data folder of a program; the program's own if it has one
    #[arg(long, global = true, value_name = "DIR")]
    data_dir: Option<PathBuf>,
}

#[derive(Subcommand)]
enum Wish {
    /// List the tasks of all sessions, a line each
    List {
        /// Print an array of tasks as JSON
        #[arg(long)]
        json: bool,
    },
    /// Show a task with its log and its result
    Show {
        /// The task
        #[arg(value_name = "TASK")]
        id: String,
    },
    /// Tell nobody of a task that was interrupted
    Cancel {
        /// The task
        #[arg(value_name = "TASK")]
        id: String,
    },
}

impl Tasks {
    pub(super) async fn run(self, runtime: &Runtime) -> Result<Outcome, Usage> {
        let Looked { tasks, damage } = self.look(runtime)?;
        for damage in damage {
            anstream::eprintln!("{}", escape_controls(&damage));
        }
        Ok(Outcome::Printed(match self.wish {
            Wish::List { json: true } => format!("{:#}", data(&tasks)?),
            Wish::List { json: false } => list(&tasks),
            Wish::Show { id } => show(find(&tasks, &id)?),
            Wish::Cancel { id } => {
                let found = find(&tasks, &id)?;
                match &self.data_dir {
                    Some(folder) => cancel(&opened(folder)?, found).await?,
                    None => cancel(runtime.ledger(), found).await?,
                }
            }
        }))
    }

    fn look(&self, runtime: &Runtime) -> Result<Looked, Usage> {
        if let Some(folder) = &self.data_dir {
            return Ok(look(folder)?);
        }
        let own = runtime.ledger();
        if !own.has_disk() {
            return Err("this program keeps no tasks; name a folder: --data-dir DIR".into());
        }
        Ok(Looked {
            tasks: own.all(),
            damage: own.damage().to_vec(),
        })
    }
}

fn opened(folder: &Path) -> Result<Ledger, Usage> {
    // Whatever its age: how long tasks are known is for the program to say.
    let mut faults = Vec::new();
    let ledger = Ledger::open(Duration::MAX, folder, &mut faults);
    match faults.first() {
        Some(fault) => Err(fault.into()),
        None => Ok(ledger),
    }
}

fn find<'a>(tasks: &'a [Stored], id: &str) -> Result<&'a Stored, Usage> {
    let found = tasks.iter().find(|stored| stored.task.id.as_str() == id);
    found.ok_or_else(|| format!("no task is named `{id}`; `tasks list` shows all").into())
}

async fn cancel(ledger: &Ledger, stored: &Stored) -> Result<String, Usage> {
    let id = &stored.task.id;
    if ledger.withdraw(&stored.session, id).await {
        return Ok(format!("{id} is cancelled: nobody is told of it"));
    }
    let status = stored.task.status;
    Err(format!("{id} has ended already: {status}").into())
}

/// The tasks with their sessions.
fn data(tasks: &[Stored]) -> Result<serde_json::Value, serde_json::Error> {
    let data = tasks.iter().map(|stored| {
        let mut task = serde_json::to_value(&stored.task)?;
        task["session"] = stored.session.clone().into();
        Ok(task)
    });
    data.collect()
}

fn list(tasks: &[Stored]) -> String {
    if tasks.is_empty() {
        return "no tasks".to_owned();
    }
    let rows: Vec<_> = tasks.iter().map(row).collect();
    let width = |column: usize| rows.iter().map(|row| row[column].chars().count()).max();
    let widths: Vec<_> = (0..3).map(|column| width(column).unwrap_or(0)).collect();
    let lines = rows.iter().map(|[id, status, lasted, name, session]| {
        let [id_width, status_width, time_width] = [widths[0], widths[1], widths[2]];
        format!(
            "{id:id_width$}  {status:status_width$}  {lasted:>time_width$}  {name} of session {session}"
        )
    });
    lines.collect::<Vec<_>>().join("\n")
}

fn row(stored: &Stored) -> [String; 5] {
    let Task {
        id, status, name, ..
    } = &stored.task;
    [
        id.to_string(),
        status.to_string(),
        format!("{:.1?}", stored.task.lasted()),
        escape_controls(name),
        escape_controls(&stored.session),
    ]
}

fn show(stored: &Stored) -> String {
    let task = &stored.task;
    let mut text = list(std::slice::from_ref(stored));
    let started = humantime::format_rfc3339_seconds(task.started);
    let _ = write!(text, "\nstarted: {started}");
    if let Some(ended) = task.ended {
        let _ = write!(
            text,
            "\nended: {}",
            humantime::format_rfc3339_seconds(ended)
        );
    }
    for line in &task.log {
        let _ = write!(text, "\nlog: {}", escape_controls(line));
    }
    if let Some(result) = &task.result {
        let lines = escape_controls_of_lines(&result.text());
        let _ = write!(text, "\nresult:\n{lines}");
    }
    text
}
