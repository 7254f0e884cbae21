//! Programs that a tool runs: bounded in time and memory, and nothing is left of them.
#![cfg(all(unix, feature = "process"))]

use chatluna_tool::{
    BuildError, CallContext, ErrorKind, PermissionPolicy, Runtime, Session, SessionInfo, ToolCall,
    ToolError, ToolResult, testing, tool, tools,
};
use serde_json::json;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::{Duration, Instant};

type Tested = Result<(), Box<dyn std::error::Error>>;

/// Runs a line of shell
#[tool(traits(parallel, timeout = "20s", background = false))]
async fn shell(script: &str, call: &CallContext) -> Result<String, ToolError> {
    call.spawn_command("sh").args(["-c", script]).text().await
}

/// Runs a line of shell, for a moment
#[tool(traits(parallel, timeout = 300, background = false))]
async fn shell_in_haste(script: &str, call: &CallContext) -> Result<String, ToolError> {
    call.spawn_command("sh").args(["-c", script]).text().await
}

/// Panics while a program runs
#[tool(traits(parallel, background = false))]
async fn panics(script: &str, call: &CallContext) -> Result<String, ToolError> {
    let running = call.spawn_command("sh").args(["-c", script]).text();
    let panicking = async {
        tokio::time::sleep(Duration::from_millis(300)).await;
        panic!("while it runs");
    };
    let (text, ()) = futures_util::future::join(running, panicking).await;
    text
}

fn session() -> Result<Session, BuildError> {
    let runtime = Runtime::builder()
        .tools(tools![shell, shell_in_haste, panics])
        .policy(PermissionPolicy::new().allow("tool:*"))
        .build()?;
    Ok(runtime.session(SessionInfo::new("process")))
}

fn call(tool: &str, script: &str) -> ToolCall {
    ToolCall::new(tool, json!({"script": script})).id("c")
}

/// A file of this test, in which a script notes the ids of its processes.
struct Noted(PathBuf);

impl Noted {
    fn new() -> Self {
        static NEXT: AtomicU32 = AtomicU32::new(0);
        let number = NEXT.fetch_add(1, Ordering::Relaxed);
        let name = format!("chatluna-tool-{}-{number}", std::process::id());
        Self(std::env::temp_dir().join(name))
    }

    /// The processes that were noted and still live.
    fn living(&self) -> Vec<String> {
        let ids = std::fs::read_to_string(&self.0).unwrap_or_default();
        assert!(!ids.is_empty(), "the script noted nothing");
        let is_living = |id: &&str| {
            let state = std::fs::read_to_string(Path::new("/proc").join(id).join("stat"));
            // A zombie has ended, and waits for whoever counts the dead.
            state.is_ok_and(|state| !state.contains(") Z "))
        };
        ids.lines().filter(is_living).map(str::to_owned).collect()
    }

    /// Nothing lives, at the latest after a moment.
    fn is_gone(&self) -> bool {
        let end = Instant::now() + Duration::from_secs(2);
        while !self.living().is_empty() && Instant::now() < end {
            std::thread::sleep(Duration::from_millis(10));
        }
        self.living().is_empty()
    }

    /// A script that forks, ignores the signal to end, and waits.
    fn stubborn(&self) -> String {
        let file = self.0.display();
        format!(
            "trap '' TERM; echo $$ >> {file}; \
             (trap '' TERM; echo $(exec sh -c 'echo $PPID') >> {file}; sleep 60) & \
             sleep 60 & echo $! >> {file}; wait; wait"
        )
    }
}

impl Drop for Noted {
    fn drop(&mut self) {
        let _ = std::fs::remove_file(&self.0);
    }
}

async fn run(session: &Session, call: ToolCall) -> Result<ToolResult, &'static str> {
    session
        .execute([call])
        .await
        .pop()
        .ok_or("one result a call")
}

#[tokio::test]
async fn a_program_gives_its_text_or_its_complaint() -> Tested {
    let context = testing::call_context().build();
    let text = context
        .spawn_command("sh")
        .args(["-c", "echo one; echo two"]);
    assert_eq!(text.text().await?, "one\ntwo");
    let read = context.spawn_command("cat").stdin("what it reads");
    assert_eq!(read.text().await?, "what it reads");
    let failing = context
        .spawn_command("sh")
        .args(["-c", "echo no >&2; exit 3"]);
    let error = failing.text().await.map_err(|error| error.to_string());
    assert_eq!(error, Err("`sh` ended with exit status: 3: no".to_owned()));
    let silent = context.spawn_command("false").text().await;
    assert_eq!(
        silent.map_err(|error| error.to_string()),
        Err("`false` ended with exit status: 1".to_owned())
    );
    let output = context
        .spawn_command("sh")
        .args(["-c", "echo a; kill -9 $$"])
        .output()
        .await?;
    assert!(!output.status.success());
    assert_eq!(output.stdout.text(), "a\n");
    Ok(())
}

#[tokio::test]
async fn arguments_are_never_read_by_a_shell() -> Tested {
    let context = testing::call_context().build();
    let echo = context
        .spawn_command("printf")
        .args(["%s|", "$(id)", "; ls", "a b"]);
    assert_eq!(echo.text().await?, "$(id)|; ls|a b|");
    Ok(())
}

#[tokio::test]
async fn what_cannot_be_run_says_why() {
    let context = testing::call_context().build();
    let missing = context.spawn_command("no-such-program").text().await;
    assert_eq!(
        missing.map_err(|error| error.to_string()),
        Err(
            "there is no program `no-such-program` here; it is not installed, or not on the `PATH`"
                .to_owned()
        )
    );
    let nowhere = context
        .spawn_command("ls")
        .directory("/no/such/folder")
        .text()
        .await;
    assert_eq!(
        nowhere.map_err(|error| error.to_string()),
        Err("`ls` cannot be run: there is no directory /no/such/folder".to_owned())
    );
}

#[tokio::test]
async fn the_environment_is_reduced() -> Tested {
    let context = testing::call_context()
        .session(SessionInfo::new("s").directory("/tmp"))
        .build();
    // Cargo sets this one for the test.
    assert!(std::env::var_os("CARGO_MANIFEST_DIR").is_some());
    let script = "echo \"${CARGO_MANIFEST_DIR-unset} ${PATH:+path} $ADDED $(pwd)\"";
    let told = context
        .spawn_command("sh")
        .args(["-c", script])
        .env("ADDED", "added");
    assert_eq!(told.text().await?, "unset path added /tmp");
    Ok(())
}

#[tokio::test]
async fn a_flood_is_capped() -> Tested {
    let context = testing::call_context().build();
    // 100 MB on one line.
    let flood = "head -c 100000000 /dev/zero | tr '\\0' 'x'; echo END";
    let output = context
        .spawn_command("sh")
        .args(["-c", flood])
        .output_cap(1_000)
        .output()
        .await?;
    assert_eq!(output.stdout.left_out(), 100_000_004 - 1_000);
    let text = output.stdout.text();
    assert!(
        text.ends_with("xEND\n") && text.len() < 1_100,
        "{}",
        text.len()
    );
    assert_eq!(output.stdout.bytes(), None);
    Ok(())
}

#[tokio::test]
async fn cancelling_ends_all_that_was_started() -> Tested {
    let session = session()?;
    let noted = Noted::new();
    let started = Instant::now();
    let cancelling = async {
        tokio::time::sleep(Duration::from_millis(300)).await;
        session.cancel("c");
    };
    let running = run(&session, call("shell", &noted.stubborn()));
    let (result, ()) = futures_util::future::join(running, cancelling).await;
    assert_eq!(result?.error(), Some(ErrorKind::Cancelled));
    assert!(started.elapsed() < Duration::from_secs(4));
    assert!(noted.is_gone(), "{:?}", noted.living());
    Ok(())
}

#[tokio::test]
async fn a_timeout_a_drop_and_a_panic_leave_nothing_behind() -> Tested {
    let session = session()?;
    let late = Noted::new();
    let result = run(&session, call("shell_in_haste", &late.stubborn())).await?;
    assert_eq!(result.error(), Some(ErrorKind::Timeout));
    assert!(late.is_gone(), "{:?}", late.living());

    let panicked = Noted::new();
    let result = run(&session, call("panics", &panicked.stubborn())).await?;
    assert_eq!(result.error(), Some(ErrorKind::Panicked));
    assert!(panicked.is_gone(), "{:?}", panicked.living());

    let dropped = Noted::new();
    let running = run(&session, call("shell", &dropped.stubborn()));
    let ended = tokio::time::timeout(Duration::from_millis(300), running).await;
    assert!(ended.is_err());
    assert!(dropped.is_gone(), "{:?}", dropped.living());
    Ok(())
}

#[tokio::test]
async fn what_a_program_leaves_running_is_ended_with_it() -> Tested {
    let session = session()?;
    let noted = Noted::new();
    let started = Instant::now();
    // The sleeper holds the pipes open.
    let script = format!("sleep 60 & echo $! >> {}; echo done", noted.0.display());
    let result = run(&session, call("shell", &script)).await?;
    assert_eq!(result.text(), "done");
    assert!(started.elapsed() < Duration::from_secs(3));
    assert!(noted.is_gone(), "{:?}", noted.living());
    Ok(())
}
