//! Questions on a terminal: what is shown, which key answers, and what happens without one.
#![cfg(all(target_os = "linux", feature = "terminal"))]

use chatluna_tool::{
    Answer, ApprovalRequest, Approver, BoxFuture, Permission, PermissionPolicy, Risk, Runtime,
    Session, SessionInfo, Subject, ToolCall, approver, tool, tools,
};
use rustix::pty::{OpenptFlags, grantpt, openpt, ptsname, unlockpt};
use rustix::termios::{LocalModes, tcgetattr};
use serde_json::json;
use std::error::Error;
use std::fs::File;
use std::io::{Read, Write};
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

type Tested = Result<(), Box<dyn Error>>;

/// Which of the programs below a child is.
const SCENE: &str = "CHATLUNA_TOOL_SCENE";
const LEGEND: &str = "y once, t this turn, s this session, a always, n no, v never: ";

fn on_environment(args: &DeployArgs) -> Permission {
    let risk = if args.env == "prod" {
        Risk::Critical
    } else {
        Risk::Normal
    };
    Permission::new("deploy:run").target(&args.env).risk(risk)
}

/// Deploys the service
#[tool(args = DeployArgs, permission = on_environment, traits(parallel))]
async fn deploy(env: String) -> String {
    format!("deployed to {env}")
}

/// Tells how each question was answered.
struct Told(approver::TerminalApprover);

impl Approver for Told {
    fn ask<'a>(&'a self, request: &'a ApprovalRequest) -> BoxFuture<'a, Answer> {
        Box::pin(async move {
            let answer = self.0.ask(request).await;
            println!("\nanswered {answer:?}");
            answer
        })
    }

    fn name(&self) -> &str {
        self.0.name()
    }
}

fn session(timeout: Duration) -> Result<Session, chatluna_tool::BuildError> {
    let runtime = Runtime::builder()
        .tools(tools![deploy])
        .policy(PermissionPolicy::new().ask("*"))
        .approver(Told(approver::terminal()))
        .approval_timeout(timeout)
        .build()?;
    let subject = Subject::user("li").platform("matrix");
    let info = SessionInfo::new("s-1").agent("planner").subject(subject);
    Ok(runtime.session(info))
}

fn call(env: &str) -> ToolCall {
    ToolCall::new("deploy", json!({"env": env})).id(format!("c-{env}"))
}

/// The program that asks, in a process of its own.
#[tokio::test]
#[ignore = "the others run it"]
async fn program() -> Tested {
    let Ok(scene) = std::env::var(SCENE) else {
        return Ok(());
    };
    let session = session(Duration::from_secs(20))?;
    let hasty = self::session(Duration::from_millis(700))?;
    let results = match &*scene {
        "withdrawn" => {
            let mut results = hasty.execute([call("staging")]).await;
            results.extend(session.execute([call("test")]).await);
            results
        }
        scene => session.execute(scene.split(' ').map(call)).await,
    };
    for result in results {
        println!("\nresult {}", result.text());
    }
    println!("\nthe end");
    Ok(())
}

#[test]
fn without_a_tokio_runtime_nothing_panics() -> Tested {
    let request = Arc::new(Mutex::new(None));
    let runtime = Runtime::builder()
        .tools(tools![deploy])
        .policy(PermissionPolicy::new().ask("*"))
        .approver(Kept(Arc::clone(&request)))
        .build()?;
    let session = runtime.session(SessionInfo::new("s"));
    let tokio = tokio::runtime::Builder::new_current_thread()
        .enable_time()
        .build()?;
    tokio.block_on(session.execute([call("staging")]));
    let request = request
        .lock()
        .unwrap_or_else(PoisonError::into_inner)
        .take();
    let request = request.ok_or("something was asked")?;
    let asking = approver::terminal();
    let mut asked = Box::pin(asking.ask(&request));
    // Where this test has a terminal the question is open now, and withdrawn at the end.
    let answer = futures_util::FutureExt::now_or_never(&mut asked);
    assert!(
        matches!(answer, None | Some(Answer::Reject(_))),
        "{answer:?}"
    );
    Ok(())
}

/// Refuses, and keeps what it was asked.
struct Kept(Arc<Mutex<Option<ApprovalRequest>>>);

impl Approver for Kept {
    fn ask<'a>(&'a self, request: &'a ApprovalRequest) -> BoxFuture<'a, Answer> {
        let mut kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        *kept = Some(request.clone());
        Box::pin(async { Answer::Reject("later".to_owned()) })
    }
}

/// A terminal, and a program on it.
struct Terminal {
    side: File,
    path: PathBuf,
    shown: Arc<Mutex<String>>,
    child: Child,
    /// What was shown up to here has been looked at.
    seen: usize,
}

impl Terminal {
    /// Runs the program with the terminal as its standard streams.
    fn run(scene: &str) -> Result<Self, Box<dyn Error>> {
        let mut command = Command::new("setsid");
        command.args(["--ctty", "--wait"]);
        Self::start(command, scene)
    }

    fn start(mut command: Command, scene: &str) -> Result<Self, Box<dyn Error>> {
        let side = openpt(OpenptFlags::RDWR | OpenptFlags::NOCTTY)?;
        grantpt(&side)?;
        unlockpt(&side)?;
        let name = ptsname(&side, Vec::new())?;
        let path = Path::new(std::ffi::OsStr::from_bytes(name.as_bytes())).to_owned();
        let inner = File::options().read(true).write(true).open(&path)?;
        command
            .stdin(inner.try_clone()?)
            .stdout(inner.try_clone()?)
            .stderr(inner);
        let child = as_program(&mut command, scene)?.spawn()?;
        drop(command);
        let side = File::from(side);
        let shown = Arc::new(Mutex::new(String::new()));
        read_on(side.try_clone()?, Arc::clone(&shown));
        Ok(Self {
            side,
            path,
            shown,
            child,
            seen: 0,
        })
    }

    /// Waits for a text, and gives what was shown up to its end since the last time.
    fn expect(&mut self, text: &str) -> Result<String, String> {
        let end = Instant::now() + Duration::from_secs(20);
        loop {
            let shown = self.shown.lock().unwrap_or_else(PoisonError::into_inner);
            let fresh = &shown[self.seen..];
            if let Some(position) = fresh.find(text) {
                let found = fresh[..position + text.len()].to_owned();
                self.seen += found.len();
                return Ok(found);
            }
            if Instant::now() > end {
                return Err(format!("no `{text}` in:\n{shown}"));
            }
            drop(shown);
            std::thread::sleep(Duration::from_millis(5));
        }
    }

    fn press(&mut self, keys: &str) -> std::io::Result<()> {
        self.side.write_all(keys.as_bytes())
    }

    /// Whether what is typed appears, as it does outside of questions.
    fn echoes(&self) -> Result<bool, Box<dyn Error>> {
        let inner = File::options().read(true).write(true).open(&self.path)?;
        let modes = tcgetattr(&inner)?.local_modes;
        Ok(modes.contains(LocalModes::ECHO | LocalModes::ICANON | LocalModes::ISIG))
    }
}

impl Drop for Terminal {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Reads until the program is gone. Lines end as they do in files.
fn read_on(mut side: File, shown: Arc<Mutex<String>>) {
    std::thread::spawn(move || {
        let mut bytes = Vec::new();
        let mut buffer = [0; 4_096];
        while let Ok(length @ 1..) = side.read(&mut buffer) {
            bytes.extend(&buffer[..length]);
            let text = String::from_utf8_lossy(&bytes).replace("\r\n", "\n");
            *shown.lock().unwrap_or_else(PoisonError::into_inner) = text;
        }
    });
}

/// This file again, as the program that asks.
fn as_program<'c>(command: &'c mut Command, scene: &str) -> std::io::Result<&'c mut Command> {
    let itself = std::env::current_exe()?;
    Ok(command
        .arg(itself)
        .args(["--exact", "program", "--ignored", "--nocapture"])
        .env(SCENE, scene))
}

#[test]
fn a_key_answers_a_question() -> Tested {
    for (key, word, answer, result) in [
        ("y", "once", "Once", "deployed to staging"),
        ("t", "turn", "Turn", "deployed to staging"),
        ("s", "session", "Session", "deployed to staging"),
        ("a", "always", "Always", "deployed to staging"),
        ("n", "no", "Reject", "error (denied"),
        ("\x03", "no", "Reject", "error (denied"),
        ("\x1b", "no", "Reject", "error (denied"),
        ("v", "never", "Never", "error (denied"),
    ] {
        let mut terminal = Terminal::run("staging")?;
        terminal.expect(LEGEND)?;
        assert!(!terminal.echoes()?);
        terminal.press(key)?;
        let echo = terminal.expect("\n")?;
        assert_eq!(echo, format!("{word}\n"), "{key:?}");
        terminal.expect(&format!("answered {answer}"))?;
        terminal.expect(&format!("result {result}"))?;
        assert!(terminal.echoes()?);
    }
    Ok(())
}

#[test]
fn a_question_says_all_and_hides_nothing() -> Tested {
    let mut terminal = Terminal::run("a\u{202e}b\x1b[2J")?;
    terminal.expect("\n\n")?;
    let question = terminal.expect(LEGEND)?;
    let expected = r#"A call needs an approval.
  tool      deploy
  action    deploy:run
  target    a\u{202e}b\u{1b}[2J
  reason    the policy says ask `*`
  user      li
  platform  matrix
  agent     planner
  session   s-1
  arguments
    {
      "env": "a\u{202e}b\u001b[2J"
    }
"#;
    let (_, question) = question.split_once("A call").ok_or("a heading")?;
    assert_eq!(format!("A call{question}"), format!("{expected}{LEGEND}"));
    Ok(())
}

#[test]
fn of_a_critical_call_nothing_is_remembered() -> Tested {
    let mut terminal = Terminal::run("prod")?;
    let question = terminal.expect("y once, n no: ")?;
    assert!(question.contains("\n  risk      critical\n"), "{question}");
    terminal.press("a")?;
    terminal.expect("y once, n no: ")?;
    terminal.press("y")?;
    terminal.expect("answered Once")?;
    Ok(())
}

#[test]
fn what_is_no_answer_is_asked_again() -> Tested {
    let mut terminal = Terminal::run("staging")?;
    terminal.expect(LEGEND)?;
    for keys in ["x", "\r", "\x1b[A", "\x1b[1;5A", "\x1bOa", "部"] {
        terminal.press(keys)?;
        let again = terminal.expect(LEGEND)?;
        assert_eq!(again, format!("\n{LEGEND}"), "{keys:?}");
    }
    terminal.press("y")?;
    terminal.expect("answered Once")?;
    Ok(())
}

#[test]
fn questions_come_one_after_another() -> Tested {
    let mut terminal = Terminal::run("one two three")?;
    for (env, key, answer) in [
        ("one", "y", "Once"),
        ("two", "n", "Reject"),
        ("three", "y", "Once"),
    ] {
        let question = terminal.expect(LEGEND)?;
        assert!(
            question.contains(&format!("target    {env}\n")),
            "{question}"
        );
        terminal.press(key)?;
        terminal.expect(&format!("answered {answer}"))?;
    }
    terminal.expect("result deployed to one")?;
    terminal.expect("result error (denied")?;
    terminal.expect("result deployed to three")?;
    Ok(())
}

#[test]
fn a_withdrawn_question_leaves_the_key_to_the_next() -> Tested {
    let mut terminal = Terminal::run("withdrawn")?;
    terminal.expect(LEGEND)?;
    terminal.expect("(withdrawn)\n")?;
    // Meant for the first question: it is too late for that, and too early for the second.
    terminal.press("n")?;
    let question = terminal.expect(LEGEND)?;
    assert!(question.contains("target    test\n"), "{question}");
    terminal.press("y")?;
    terminal.expect("answered Once")?;
    terminal.expect("result deployed to test")?;
    assert!(terminal.echoes()?);
    Ok(())
}

#[test]
fn keys_come_from_the_terminal_where_standard_input_is_none() -> Tested {
    let mut command = Command::new("setsid");
    let shell = r#"exec "$0" "$@" </dev/null"#;
    command.args(["--ctty", "--wait", "sh", "-c", shell]);
    let mut terminal = Terminal::start(command, "staging")?;
    terminal.expect(LEGEND)?;
    terminal.press("y")?;
    terminal.expect("answered Once")?;
    Ok(())
}

#[test]
fn without_a_terminal_it_is_refused() -> Tested {
    let mut command = Command::new("setsid");
    command.arg("--wait").stdin(Stdio::null());
    let output = as_program(&mut command, "staging")?.output()?;
    let text = String::from_utf8_lossy(&output.stdout);
    assert!(text.contains("there is no terminal to ask on"), "{text}");
    assert!(text.contains("result error (denied"), "{text}");
    Ok(())
}
