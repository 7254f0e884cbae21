//! The command line of a program: what it prints of calls that are long, and of calls that take long.
#![cfg(all(target_os = "linux", feature = "cli"))]

#[path = "folder.rs"]
mod folder;

use folder::Folder;
use rustix::pty::{OpenptFlags, grantpt, openpt, ptsname, unlockpt};
use serde_json::json;
use std::error::Error;
use std::ffi::OsStr;
use std::fs::{self, File};
use std::io::{self, Read};
use std::os::unix::ffi::OsStrExt;
use std::path::Path;
use std::process::{Command, Output, Stdio};

type Tested = Result<(), Box<dyn Error>>;

/// How a call that outlives its step goes, below what is printed of it.
const HAND_OVER: [&str; 3] = [
    "render: goes on in the background as task_1",
    "render: task_1 is told to end, for this program does",
    "(the reel is put away)",
];

fn program(arguments: &[&str]) -> Command {
    let mut program = Command::new(env!("CARGO_BIN_EXE_command_line"));
    program.args(arguments).env_remove("NO_COLOR");
    program
}

fn run(arguments: &[&str]) -> Result<Output, Box<dyn Error>> {
    Ok(program(arguments).stdin(Stdio::null()).output()?)
}

/// A file with a reply that calls `render`, then `work`.
fn reply(folder: &Path) -> Result<String, Box<dyn Error>> {
    let call = |id, name| json!({"id": id, "type": "function", "function": {"name": name, "arguments": "{}"}});
    let calls = [call("a", "render"), call("b", "work")];
    fs::create_dir_all(folder)?;
    let file = folder.join("reply.json");
    fs::write(
        &file,
        json!({"role": "assistant", "tool_calls": calls}).to_string(),
    )?;
    Ok(file.display().to_string())
}

/// What a program prints on a terminal, standard output apart.
fn on_terminal(arguments: &[&str]) -> Result<(String, String), Box<dyn Error>> {
    let mut side = File::from(openpt(OpenptFlags::RDWR | OpenptFlags::NOCTTY)?);
    grantpt(&side)?;
    unlockpt(&side)?;
    let name = ptsname(&side, Vec::new())?;
    let terminal = File::options()
        .read(true)
        .write(true)
        .open(OsStr::from_bytes(name.to_bytes()))?;
    let child = program(arguments)
        .env("TERM", "xterm")
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(terminal)
        .spawn()?;
    let output = child.wait_with_output()?;
    let mut shown = Vec::new();
    // The last end of it is closed: that is an error here, once all is read.
    let _: io::Result<usize> = side.read_to_end(&mut shown);
    Ok((String::from_utf8(shown)?, String::from_utf8(output.stdout)?))
}

/// Lines as a person sees them: without colours and without bars, which are drawn over.
fn lines(shown: &str) -> Vec<String> {
    let mut plain = String::new();
    let mut rest = shown;
    while let Some((before, escape)) = rest.split_once("\x1b[") {
        plain.push_str(before);
        let end = escape.find(|letter: char| letter.is_ascii_alphabetic());
        let end = end.map_or(escape.len(), |end| end + 1);
        // The line is written anew.
        if escape[..end].ends_with('K') {
            let line = plain.rfind('\n').map_or(0, |at| at + 1);
            plain.truncate(line);
        }
        rest = &escape[end..];
    }
    plain.push_str(rest);
    let lines = plain
        .lines()
        .map(|line| line.rsplit('\r').next().unwrap_or(line));
    lines
        .map(str::to_owned)
        .filter(|line| !line.is_empty())
        .collect()
}

#[test]
fn a_call_that_outlives_its_step_is_told_to_end_and_waited_for() -> Tested {
    let folder = Folder::new();
    let file = reply(&folder.0)?;
    let output = run(&["turn", &file])?;
    check(
        &String::from_utf8(output.stderr)?,
        &String::from_utf8(output.stdout)?,
    )?;
    let (shown, out) = on_terminal(&["turn", &file])?;
    check(&lines(&shown).join("\n"), &out)
}

fn check(shown: &str, out: &str) -> Tested {
    let shown: Vec<&str> = shown.lines().collect();
    let [first, render, work, sum, told, put_away] = &*shown else {
        return Err(format!("{shown:#?}").into());
    };
    assert_eq!([*first, *told, *put_away], HAND_OVER);
    let is_row = |row: &str, end: &str| row.starts_with("ok ") && row.contains(end);
    assert!(is_row(render, "render {} -> "), "{render}");
    assert!(is_row(work, "work {} -> done"), "{work}");
    assert!(sum.starts_with("2 calls, 0 not done, "), "{sum}");
    let messages: serde_json::Value = serde_json::from_str(out)?;
    let text = messages[0]["content"].as_str().unwrap_or_default();
    assert!(text.contains("task_1"), "{text}");
    assert_eq!(messages[1]["content"], "done");
    Ok(())
}

#[test]
fn a_call_by_a_person_is_told_to_end_and_waited_for() -> Tested {
    let output = run(&["call", "render"])?;
    let (out, err) = (
        String::from_utf8(output.stdout)?,
        String::from_utf8(output.stderr)?,
    );
    assert!(out.contains("task_1"), "{out}");
    assert_eq!(err.lines().collect::<Vec<_>>(), &HAND_OVER[1..]);
    Ok(())
}

#[test]
fn a_person_gets_the_whole_of_a_result() -> Tested {
    let output = run(&["call", "count", "--lines", "5000"])?;
    let out = String::from_utf8(output.stdout)?;
    assert_eq!(out.lines().count(), 5_000);
    assert_eq!(out.lines().nth(2_500), Some("line 2501"));
    Ok(())
}

#[test]
fn tasks_of_a_program_that_has_ended_are_listed_and_nothing_is_changed() -> Tested {
    let (folder, data) = (Folder::new(), Folder::new());
    let file = reply(&folder.0)?;
    let mut turn = program(&["turn", &file]);
    turn.env("CHATLUNA_TOOL_FOLDER", &data.0);
    assert!(turn.output()?.status.success());
    let place = data.0.display().to_string();
    let before = fs::read(data.0.join("tasks.redb"))?;
    let listed = run(&["tasks", "list", "--data-dir", &place])?;
    let out = String::from_utf8(listed.stdout)?;
    assert!(out.starts_with("task_1  cancelled  "), "{out}");
    assert!(
        fs::read(data.0.join("tasks.redb"))? == before,
        "it was changed"
    );
    Ok(())
}
