//! Tasks in a folder: they survive the end of the process, whenever it comes.
#![cfg(feature = "store")]

#[path = "folder.rs"]
mod folder;

use chatluna_tool::{
    BuildError, Effect, FnTool, Runtime, Session, SessionInfo, Task, TaskId, TaskStatus, ToolCall,
    ToolDefinition, ToolFilter, ToolMode, Traits, anthropic, tool, tools,
};
use folder::Folder;
use futures_util::FutureExt;
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet};
use std::error::Error;
use std::fs;
use std::io::{BufRead, BufReader, Read};
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Duration;
use tokio::time::sleep;

type Tested = Result<(), Box<dyn Error>>;

/// Where a child keeps its tasks, and what it takes its chances from.
const CHILD: [&str; 2] = ["CHATLUNA_TOOL_FOLDER", "CHATLUNA_TOOL_SEED"];

const SESSIONS: [&str; 2] = ["s", "t"];

fn open(folder: &Path) -> Result<Runtime, BuildError> {
    Runtime::builder().data_dir(folder).build()
}

fn session(runtime: &Runtime, id: &str) -> Session {
    runtime.session(SessionInfo::new(id))
}

async fn ended(session: &Session, text: &'static str) -> TaskId {
    let background = session.background();
    let task = background.adopt("work", move |_| async move { text }).await;
    background.wait(&task).await;
    task
}

fn text(task: Option<Task>) -> Option<String> {
    task?.result.map(|result| result.text().into_owned())
}

fn offered(session: &Session) -> Vec<String> {
    let notices = session.notices().drain();
    notices.into_iter().map(|notice| notice.id).collect()
}

#[tokio::test]
async fn a_restart_keeps_results_and_notices() -> Tested {
    let folder = Folder::new();
    let runtime = open(&folder.0)?;
    let s = session(&runtime, "s");
    let told = ended(&s, "told").await;
    let untold = ended(&s, "untold").await;
    assert!(s.notices().acknowledge("notice_of_task_1").await);
    let endless = |_| std::future::pending::<()>();
    let running = s.background().adopt("runs", endless).await;
    // As a crash would leave it: nothing of this process writes any more.
    let copy = Folder::new();
    fs::create_dir_all(&copy.0)?;
    fs::copy(folder.0.join("tasks.redb"), copy.0.join("tasks.redb"))?;

    let again = open(&copy.0)?;
    let t = session(&again, "t");
    assert!(t.background().list().is_empty() && offered(&t).is_empty());
    let s = session(&again, "s");
    let background = s.background();
    assert_eq!(text(background.get(&told)).as_deref(), Some("told"));
    assert_eq!(text(background.get(&untold)).as_deref(), Some("untold"));
    let interrupted = background.get(&running).ok_or("it is kept")?;
    assert_eq!(interrupted.status, TaskStatus::Interrupted);
    assert!(interrupted.ended.is_some() && interrupted.result.is_none());
    let notices = s.notices().drain();
    let texts: Vec<_> = notices.iter().map(|notice| notice.text()).collect();
    assert_eq!(
        texts,
        [
            "background task task_2 (work) has completed:\nuntold",
            "background task task_3 (runs) was interrupted and is not run again; its effect may or \
             may not have happened",
        ]
    );
    assert!(
        s.definitions()
            .iter()
            .any(|tool| tool.name() == "task_output")
    );
    let next = ended(&s, "next").await;
    assert_eq!(next.as_str(), "task_4", "no id twice");
    Ok(())
}

#[tokio::test]
async fn an_id_is_not_used_again_after_its_task_is_forgotten() -> Tested {
    let folder = Folder::new();
    let runtime = open(&folder.0)?;
    let s = session(&runtime, "s");
    ended(&s, "one").await;
    assert_eq!(s.background().prune(Duration::ZERO).await, 1);
    drop((s, runtime));
    let runtime = open(&folder.0)?;
    let s = session(&runtime, "s");
    assert!(s.background().list().is_empty(), "it stays forgotten");
    assert_eq!(ended(&s, "two").await.as_str(), "task_2");
    Ok(())
}

#[tokio::test]
async fn old_tasks_are_forgotten_at_the_start() -> Tested {
    let folder = Folder::new();
    let runtime = open(&folder.0)?;
    let s = session(&runtime, "s");
    ended(&s, "one").await;
    drop((s, runtime));
    drop(open(&folder.0)?);
    let runtime = Runtime::builder()
        .data_dir(&folder.0)
        .task_retention(Duration::ZERO)
        .build()?;
    assert!(session(&runtime, "s").background().list().is_empty());
    drop(runtime);
    let runtime = open(&folder.0)?;
    assert!(session(&runtime, "s").background().list().is_empty());
    Ok(())
}

#[tokio::test]
async fn a_folder_is_of_one_runtime() -> Tested {
    let folder = Folder::new();
    let _runtime = open(&folder.0)?;
    let error = open(&folder.0).err().ok_or("it was opened twice")?;
    let place = folder.0.display();
    assert!(
        error.to_string().contains(&format!(
            "the data folder `{place}` cannot be used: another runtime has it open; give each a \
             folder of its own"
        )),
        "{error}"
    );
    Ok(())
}

#[tokio::test]
async fn a_folder_that_cannot_be_made_is_a_fault() -> Tested {
    let folder = Folder::new();
    fs::write(&folder.0, "a file")?;
    let error = open(&folder.0.join("data")).err().ok_or("it was opened")?;
    assert!(error.to_string().contains("cannot be used: "), "{error}");
    fs::remove_file(&folder.0)?;
    Ok(())
}

#[tokio::test]
async fn a_damaged_file_is_set_aside_and_reported() -> Tested {
    let folder = Folder::new();
    let runtime = open(&folder.0)?;
    for _ in 0..20 {
        ended(&session(&runtime, "s"), "one").await;
    }
    drop(runtime);
    drop(open(&folder.0)?);
    let file = folder.0.join("tasks.redb");
    let whole = fs::read(&file)?;
    let mut middle = whole.clone();
    for byte in &mut middle[4_096..] {
        *byte ^= 0x5a;
    }
    let damaged: [&[u8]; 5] = [
        b"this is no database",
        &whole[..whole.len() / 3],
        &whole[..100],
        &[0; 8_192],
        &middle,
    ];
    for (number, bytes) in (1..).zip(damaged) {
        fs::write(&file, bytes)?;
        let runtime = open(&folder.0)?;
        let aside = folder.0.join(format!("tasks.redb.corrupt-{number}"));
        assert!(fs::metadata(&aside)?.len() > 0, "{number}: it is kept");
        let damage = runtime.report().damage;
        assert_eq!(damage.len(), 1, "{number}: {damage:?}");
        assert!(damage[0].contains(&*aside.to_string_lossy()), "{damage:?}");
        let s = session(&runtime, "s");
        assert!(s.background().list().is_empty(), "{number}");
        ended(&s, "it works").await;
    }
    Ok(())
}

/// Writes a long text
#[tool(traits(effect = "read"))]
async fn write(lines: usize) -> String {
    (1..=lines).map(|line| format!("line {line}\n")).collect()
}

fn writing(folder: &Path, retention: Duration) -> Result<Runtime, BuildError> {
    let builder = Runtime::builder().tools(tools![write]).data_dir(folder);
    builder.task_retention(retention).build()
}

async fn read(session: &Session, handle: &str) -> String {
    let wanted = json!({"handle": handle, "offset": 4_000, "limit": 1});
    let result = session.call("read_output", wanted).await;
    result.text().into_owned()
}

#[tokio::test]
async fn a_long_output_survives_a_restart() -> Tested {
    const DAY: Duration = Duration::from_secs(24 * 60 * 60);
    let folder = Folder::new();
    let own = "a/../ session: \u{4f60}";
    let runtime = writing(&folder.0, DAY)?;
    let s = session(&runtime, own);
    let result = s.call("write", json!({"lines": 5_000})).await;
    assert!(result.text().contains("output_1"), "{}", result.text());
    let places = fs::read_dir(folder.0.join("outputs"))?.collect::<Result<Vec<_>, _>>()?;
    let files = places.iter().map(|place| place.path().join("output_1.txt"));
    assert_eq!(files.filter(|file| file.exists()).count(), 1, "it is there");
    let soon = Box::pin(read(&s, "output_1")).now_or_never();
    assert!(
        soon.is_some(),
        "it is in memory, and nobody waits for a file"
    );
    drop((s, runtime));

    let runtime = writing(&folder.0, DAY)?;
    let s = session(&runtime, own);
    let soon = Box::pin(read(&s, "output_1")).now_or_never();
    assert_eq!(soon, None, "it is read from a file, on another thread");
    assert!(
        s.definitions()
            .iter()
            .any(|tool| tool.name() == "read_output")
    );
    let read_back = read(&s, "output_1").await;
    assert!(read_back.contains("line 4000"), "{read_back}");
    let result = s.call("write", json!({"lines": 4_000})).await;
    assert!(result.text().contains("output_2"), "{}", result.text());
    let other = session(&runtime, "other");
    assert_eq!(
        other.definitions().len(),
        1,
        "there is nothing to read for it"
    );
    other.call("write", json!({"lines": 4_000})).await;
    let strange = read(&other, "output_1").await;
    assert_eq!(
        strange,
        "error (failed): `output_1` was forgotten to make room for newer outputs; if it is still \
         needed, call its tool again, for less at a time"
    );
    drop((s, other, runtime));

    let foreign = folder.0.join("outputs/run1/model.bin");
    fs::create_dir_all(folder.0.join("outputs/run1"))?;
    fs::write(&foreign, "somebody else's")?;
    let runtime = writing(&folder.0, Duration::ZERO)?;
    let s = session(&runtime, own);
    assert_eq!(s.definitions().len(), 1, "what is old is swept");
    assert_eq!(names(&folder.0.join("outputs"))?, ["highest", "run1"]);
    assert!(foreign.exists(), "nothing else is");
    drop((s, runtime));

    let runtime = writing(&folder.0, DAY)?;
    let s = session(&runtime, own);
    let result = s.call("write", json!({"lines": 4_000})).await;
    let text = result.text();
    assert!(text.contains("output_3"), "a handle was used again: {text}");
    Ok(())
}

/// A runtime whose tools, all of these names, have to be searched for.
fn searching(
    folder: &Path,
    names: impl IntoIterator<Item = String>,
) -> Result<Runtime, BuildError> {
    let definition = |name: &str| {
        let definition = ToolDefinition::new(name, "Does a thing");
        definition.traits(Traits::new().effect(Effect::Read))
    };
    let builder = Runtime::builder()
        .data_dir(folder)
        .tool_mode(ToolMode::Search);
    let tools = names.into_iter();
    let tools = tools.map(|name| FnTool::new(definition(&name), |_: Value, _| async {}));
    tools
        .fold(builder, |builder, tool| builder.tool(tool))
        .build()
}

async fn load(session: &Session, names: &str) {
    let query = json!({"queries": [format!("select:{names}")]});
    session.execute([ToolCall::new("tool_search", query)]).await;
}

/// The tools that the model is told of.
fn told_of(session: &Session) -> Vec<String> {
    let definitions = session.definitions();
    let names = definitions.iter().map(|tool| tool.name().to_owned());
    names.collect()
}

#[tokio::test]
async fn what_a_model_has_found_stays_where_it_is_over_a_restart() -> Tested {
    let folder = Folder::new();
    let names = |names: &'static str| names.split(' ').map(str::to_owned);
    let open = |all| searching(&folder.0, names(all));
    let runtime = open("apple banana cherry date")?;
    let s = session(&runtime, "s");
    load(&s, "cherry,apple").await;
    load(&s, "banana").await;
    load(&session(&runtime, "t"), "date").await;
    let child = s.child(ToolFilter::new());
    load(&child, "date").await;
    let before = serde_json::to_string(&anthropic::tools(&s.definitions()))?;
    assert_eq!(told_of(&s), ["tool_search", "cherry", "apple", "banana"]);
    drop((s, child, runtime));

    let runtime = open("apple banana cherry date")?;
    let s = session(&runtime, "s");
    let after = serde_json::to_string(&anthropic::tools(&s.definitions()))?;
    assert_eq!(after, before);
    assert_eq!(told_of(&session(&runtime, "t")), ["tool_search", "date"]);
    let child = s.child(ToolFilter::new());
    assert_eq!(told_of(&child), ["tool_search"], "a child begins anew");
    drop((s, child, runtime));

    let runtime = open("banana cherry date")?;
    let s = session(&runtime, "s");
    assert_eq!(told_of(&s), ["tool_search", "cherry", "banana"]);
    load(&s, "date").await;
    drop((s, runtime));

    let runtime = open("apple banana cherry date")?;
    let s = session(&runtime, "s");
    let back = ["tool_search", "cherry", "apple", "banana", "date"];
    assert_eq!(told_of(&s), back, "a tool comes back to its place");
    Ok(())
}

#[tokio::test]
async fn what_a_model_found_long_ago_is_forgotten_with_its_tasks() -> Tested {
    let folder = Folder::new();
    let open = || searching(&folder.0, ["apple".to_owned()]);
    let runtime = open()?;
    load(&session(&runtime, "s"), "apple").await;
    drop(runtime);
    let short = || {
        let builder = Runtime::builder().data_dir(&folder.0);
        builder.task_retention(Duration::ZERO).build()
    };
    drop(short()?);
    let runtime = open()?;
    assert_eq!(told_of(&session(&runtime, "s")), ["tool_search"]);
    Ok(())
}

/// What is in a folder, sorted.
fn names(folder: &Path) -> Result<Vec<String>, Box<dyn Error>> {
    let entries = fs::read_dir(folder)?.collect::<Result<Vec<_>, _>>()?;
    let names = entries.iter().map(|entry| entry.file_name().into_string());
    let mut names: Vec<String> = names.flatten().collect();
    names.sort();
    Ok(names)
}

/// What a child has told of in whole lines.
#[derive(Default)]
struct Told {
    begun: BTreeMap<String, String>,
    ended: BTreeSet<String>,
    acknowledging: BTreeSet<String>,
    acknowledged: BTreeSet<String>,
    loading: BTreeSet<String>,
    /// The tools of each session, in their order.
    loaded: BTreeMap<String, Vec<String>>,
}

/// The tools that a child may load: none is loaded by two.
fn loadable() -> impl Iterator<Item = String> {
    (0..CHILDREN * TOOLS).map(|number| format!("task_tool_{number}"))
}

/// How many children work in a folder, one after another.
const CHILDREN: u64 = 10;

/// How many tools a child loads at most.
const TOOLS: u64 = 12;

impl Told {
    fn read(&mut self, output: &str) -> Tested {
        let whole = output.rsplit_once('\n').map_or("", |(whole, _)| whole);
        for line in whole.lines().filter(|line| line.contains("task_")) {
            let mut words = line.split(' ');
            let (verb, task) = (words.next(), words.next().ok_or("a task")?);
            match verb {
                Some("begun") => {
                    let session = words.next().ok_or("a session")?.to_owned();
                    self.begun.insert(task.to_owned(), session);
                }
                Some("ended") => drop(self.ended.insert(task.to_owned())),
                Some("acknowledging") => drop(self.acknowledging.insert(task.to_owned())),
                Some("acknowledged") => drop(self.acknowledged.insert(task.to_owned())),
                Some("loading") => drop(self.loading.insert(task.to_owned())),
                Some("loaded") => {
                    let session = words.next().ok_or("a session")?.to_owned();
                    self.loading.remove(task);
                    self.loaded
                        .entry(session)
                        .or_default()
                        .push(task.to_owned());
                }
                _ => return Err(format!("not told: {line}").into()),
            }
        }
        Ok(())
    }

    /// How many of the tasks were interrupted.
    fn check(&self, runtime: &Runtime) -> Result<usize, Box<dyn Error>> {
        assert_eq!(runtime.report().damage, [""; 0]);
        self.check_loaded(runtime);
        let mut interrupted = 0;
        for (task, session_id) in &self.begun {
            let own = session(runtime, session_id);
            let known = own.background().get(&TaskId::new(&**task));
            let known = known.ok_or_else(|| format!("{task} is lost"))?;
            let is_offered = offered(&own).contains(&format!("notice_of_{task}"));
            match known.status {
                TaskStatus::Interrupted => interrupted += 1,
                TaskStatus::Completed => {
                    let result = text(Some(known));
                    assert_eq!(result.as_deref(), Some("the result"), "{task}");
                }
                other => return Err(format!("{task} is {other}").into()),
            }
            if self.ended.contains(task) {
                let status = own.background().get(&TaskId::new(&**task));
                let status = status.map(|task| task.status);
                assert_eq!(status, Some(TaskStatus::Completed), "{task} had ended");
            }
            if self.acknowledged.contains(task) {
                assert!(!is_offered, "{task} is offered again");
            } else if !self.acknowledging.contains(task) {
                assert!(is_offered, "{task} is not offered");
            }
            for other in SESSIONS.iter().filter(|other| **other != session_id) {
                let other = session(runtime, other);
                assert_eq!(other.background().get(&TaskId::new(&**task)), None);
            }
        }
        Ok(interrupted)
    }

    fn check_loaded(&self, runtime: &Runtime) {
        for id in SESSIONS {
            let mut known = told_of(&session(runtime, id));
            known.retain(|name| name.starts_with("task_tool_") && !self.loading.contains(name));
            let told = self.loaded.get(id).cloned().unwrap_or_default();
            assert_eq!(known, told, "{id}");
        }
    }
}

#[tokio::test]
async fn a_kill_at_any_moment_loses_nothing() -> Tested {
    if std::env::var_os(CHILD[0]).is_some() {
        return child().await;
    }
    let (mut begun, mut interrupted, mut acknowledged, mut loaded) = (0, 0, 0, 0);
    for folder_number in 0..20 {
        let folder = Folder::new();
        let mut told = Told::default();
        let open = || searching(&folder.0, loadable());
        for round in 0..CHILDREN {
            let seed = 100 * folder_number + round;
            told.read(&killed(&folder.0, seed)?)?;
            let runtime = open()?;
            told.check(&runtime)?;
            drop(runtime);
        }
        let runtime = open()?;
        interrupted += told.check(&runtime)?;
        begun += told.begun.len();
        acknowledged += told.acknowledged.len();
        loaded += told.loaded.values().map(Vec::len).sum::<usize>();
    }
    println!(
        "200 kills: {begun} tasks, {interrupted} interrupted, {acknowledged} acknowledged, \
         {loaded} loaded"
    );
    assert!(begun > 200 && interrupted > 10 && acknowledged > 50 && loaded > 100);
    Ok(())
}

/// What a child prints until it is killed, a moment after a line.
fn killed(folder: &Path, seed: u64) -> Result<String, Box<dyn Error>> {
    let mut child = Command::new(std::env::current_exe()?)
        .args([
            "--exact",
            "a_kill_at_any_moment_loses_nothing",
            "--nocapture",
        ])
        .env(CHILD[0], folder)
        .env(CHILD[1], seed.to_string())
        .stdout(Stdio::piped())
        .spawn()?;
    let mut output = BufReader::new(child.stdout.take().ok_or("it was piped")?);
    let mut random = fastrand::Rng::with_seed(seed);
    let mut told = String::new();
    while !told.contains("open\n") && output.read_line(&mut told)? > 0 {}
    told.clear();
    for _ in 0..random.u32(0..40) {
        output.read_line(&mut told)?;
    }
    std::thread::sleep(Duration::from_micros(random.u64(0..3_000)));
    child.kill()?;
    child.wait()?;
    output.read_to_string(&mut told)?;
    Ok(told)
}

/// Works until it is killed.
async fn child() -> Tested {
    let seed: u64 = std::env::var(CHILD[1])?.parse()?;
    let folder = std::env::var_os(CHILD[0]).ok_or("a folder")?;
    let runtime = searching(Path::new(&folder), loadable())?;
    println!("open");
    let tellers = SESSIONS.map(|id| tell(session(&runtime, id), seed));
    let mut random = fastrand::Rng::with_seed(seed);
    for step in 0..TOOLS {
        let id = SESSIONS[random.usize(0..2)];
        let tool = format!("task_tool_{}", seed % 100 * TOOLS + step);
        let pause = Duration::from_micros(random.u64(0..4_000));
        let background = session(&runtime, id).background();
        let work = move |_| async move {
            sleep(pause).await;
            "the result"
        };
        let task = background.adopt("work", work).await;
        println!("begun {task} {id}");
        println!("loading {tool}");
        load(&session(&runtime, id), &tool).await;
        println!("loaded {tool} {id}");
        sleep(Duration::from_micros(random.u64(0..2_000))).await;
    }
    futures_util::future::join_all(tellers).await;
    Ok(())
}

/// Tells of what ends, and acknowledges some of it.
fn tell(session: Session, seed: u64) -> impl Future<Output = ()> {
    let mut random = fastrand::Rng::with_seed(seed ^ 1);
    let mut notices = session.notices();
    let telling = tokio::spawn(async move {
        loop {
            let notice = notices.next().await;
            let task = &notice.task.id;
            if notice.task.status == TaskStatus::Completed {
                println!("ended {task}");
            }
            if random.bool() {
                println!("acknowledging {task}");
                notices.acknowledge(&notice.id).await;
                println!("acknowledged {task}");
            }
        }
    });
    async {
        let _ = telling.await;
    }
}
