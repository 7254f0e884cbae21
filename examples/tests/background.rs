//! The chat with long work, and the command line over what it leaves.

#[allow(dead_code, reason = "a test has no use for its `main`")]
#[path = "../background.rs"]
mod background;

use background::{chat, session};
use std::error::Error;
use std::fs;
use std::path::PathBuf;
use std::process::Command;
use tokio::sync::mpsc;

type Tested = Result<(), Box<dyn Error>>;

/// A folder of one test, removed with it.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Self {
        let name = format!("chatluna-tool-{name}-{}", std::process::id());
        Self(std::env::temp_dir().join(name))
    }

    fn path(&self) -> &str {
        self.0.to_str().unwrap_or_default()
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

async fn talk(folder: Option<&str>, said: &[&str]) -> Result<Vec<String>, Box<dyn Error>> {
    let session = session(folder)?;
    let (lines, read) = mpsc::unbounded_channel();
    for line in said {
        lines.send((*line).to_owned())?;
    }
    drop(lines);
    let mut heard = Vec::new();
    chat(&session, read, |text| heard.push(text)).await;
    Ok(heard)
}

#[tokio::test]
async fn the_talk_goes_on_while_the_work_does() -> Tested {
    let heard = talk(None, &["render the trailer", "what is the time?"]).await?;
    assert_eq!(
        heard,
        [
            "It takes a while. I will tell you.",
            "You said: what is the time?",
            "Done: the trailer is in trailer.mp4",
        ]
    );
    Ok(())
}

/// The last task lets go of a folder a moment after its end.
async fn reopened(folder: &str) -> Result<chatluna_tool::Session, Box<dyn Error>> {
    for _ in 0..100 {
        if let Ok(session) = session(Some(folder)) {
            return Ok(session);
        }
        tokio::time::sleep(std::time::Duration::from_millis(10)).await;
    }
    session(Some(folder))
}

struct Ran {
    code: Option<i32>,
    out: String,
    err: String,
}

fn tasks(arguments: &[&str]) -> Result<Ran, Box<dyn Error>> {
    let ran = Command::new(env!("CARGO_BIN_EXE_quickstart"))
        .arg("tasks")
        .args(arguments)
        .output()?;
    Ok(Ran {
        code: ran.status.code(),
        out: String::from_utf8(ran.stdout)?,
        err: String::from_utf8(ran.stderr)?,
    })
}

#[tokio::test]
async fn the_command_line_shows_what_a_folder_holds() -> Tested {
    let folder = Folder::new("tasks");
    let data = ["--data-dir", folder.path()];
    let missing = tasks(&[&["list"], &data[..]].concat())?;
    assert_eq!(missing.code, Some(2));
    assert!(missing.err.contains("there is no `"), "{}", missing.err);

    assert_eq!(
        talk(Some(folder.path()), &["render the trailer"])
            .await?
            .len(),
        2
    );
    let session = reopened(folder.path()).await?;
    // Also while a program has it open.
    let ran = tasks(&[&["list"], &data[..]].concat())?;
    assert!(
        ran.out.starts_with("task_1  completed  ")
            && ran.out.contains("render of session terminal"),
        "{}{}",
        ran.out,
        ran.err
    );
    let busy = tasks(&[&["cancel", "task_1"], &data[..]].concat())?;
    assert_eq!(busy.code, Some(2));
    assert!(
        busy.err.contains("another runtime has it open"),
        "{}",
        busy.err
    );
    drop(session);

    let shown = tasks(&[&["show", "task_1"], &data[..]].concat())?;
    assert!(shown.out.contains("\nstarted: 2"), "{}", shown.out);
    assert!(
        shown
            .out
            .ends_with("\nresult:\nthe trailer is in trailer.mp4\n"),
        "{}",
        shown.out
    );
    let json = tasks(&[&["list", "--json"], &data[..]].concat())?;
    let json: serde_json::Value = serde_json::from_str(&json.out)?;
    assert_eq!(json[0]["session"], "terminal");
    assert_eq!(json[0]["status"], "completed");
    let ended = tasks(&[&["cancel", "task_1"], &data[..]].concat())?;
    assert_eq!(ended.code, Some(2));
    assert!(
        ended.err.contains("task_1 has ended already: completed"),
        "{}",
        ended.err
    );
    let unknown = tasks(&[&["show", "task_9"], &data[..]].concat())?;
    assert_eq!(unknown.code, Some(2));
    assert!(
        unknown
            .err
            .contains("no task is named `task_9`; `tasks list` shows all"),
        "{}",
        unknown.err
    );
    Ok(())
}

#[tokio::test]
async fn a_task_that_was_interrupted_can_be_cancelled() -> Tested {
    let folder = Folder::new("interrupted");
    let copy = Folder::new("crashed");
    let session = session(Some(folder.path()))?;
    session.call("render", r#"{"film": "trailer"}"#).await;
    // As a crash would leave it.
    fs::create_dir_all(&copy.0)?;
    fs::copy(folder.0.join("tasks.redb"), copy.0.join("tasks.redb"))?;
    let data = ["--data-dir", copy.path()];
    let cancelled = tasks(&[&["cancel", "task_1"], &data[..]].concat())?;
    assert_eq!(
        cancelled.out, "task_1 is cancelled: nobody is told of it\n",
        "{}",
        cancelled.err
    );
    let ran = tasks(&[&["list"], &data[..]].concat())?;
    assert!(ran.out.starts_with("task_1  cancelled  "), "{}", ran.out);
    let again = self::session(Some(copy.path()))?;
    assert!(again.notices().drain().is_empty());
    Ok(())
}

#[test]
fn a_program_without_a_folder_says_how_to_name_one() -> Tested {
    for wish in [&["list"][..], &["show", "task_1"], &["cancel", "task_1"]] {
        let ran = tasks(wish)?;
        assert_eq!(ran.code, Some(2));
        assert!(
            ran.err
                .contains("this program keeps no tasks; name a folder: --data-dir DIR"),
            "{}",
            ran.err
        );
    }
    Ok(())
}
