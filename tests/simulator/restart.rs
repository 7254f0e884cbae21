//! A batch whose program dies in the middle: what the next one finds.

use crate::case::{Case, Weather};
use crate::folder::Folder;
use crate::world::World;
use crate::{builder, start};
use chatluna_tool::{Runtime, Session, SessionInfo, Task, TaskId, TaskStatus, ToolResult};
use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;
use tokio::time::timeout;

/// Programs that die.
const SEEDS: u64 = 200;

/// What somebody was told of a program before it died.
#[derive(Default)]
struct Told {
    tasks: Vec<TaskId>,
    ended: BTreeMap<TaskId, ToolResult>,
    acknowledged: Vec<TaskId>,
}

#[test]
fn what_was_told_before_a_crash_holds_after_it() -> Result<(), String> {
    let (mut ended, mut interrupted) = (0, 0);
    for seed in 0..SEEDS {
        let case = Case::new(
            seed,
            Weather {
                limits: true,
                inner: true,
                ..Weather::default()
            },
        );
        let folder = Folder::new();
        let told = died(&case, seed, &folder.0)?;
        let lost = check(&told, &folder.0).map_err(|fault| format!("seed {seed}: {fault}"))?;
        ended += told.ended.len();
        interrupted += lost;
    }
    assert!(ended > 30 && interrupted > 5, "{ended} {interrupted}");
    Ok(())
}

fn tokio() -> Result<tokio::runtime::Runtime, String> {
    let tokio = tokio::runtime::Builder::new_current_thread()
        .enable_time()
        .start_paused(true)
        .build();
    tokio.map_err(|error| error.to_string())
}

/// Runs a batch for a while, and drops everything.
fn died(case: &Case, seed: u64, folder: &Path) -> Result<Told, String> {
    let tokio = tokio()?;
    let told = tokio.block_on(async {
        let runtime = builder(
            case.max_concurrency,
            chatluna_tool::LocalExecutor::default(),
        )
        .data_dir(folder)
        .build()
        .map_err(|error| error.to_string())?;
        let world = World::new(case);
        let info = SessionInfo::new("simulated").state(Arc::clone(&world));
        let session = runtime.session(info);
        world.open(session.clone());
        let mut told = Told::default();
        let steps = start(case, &world);
        let life = Duration::from_millis(1 + seed % 120);
        let acknowledging = acknowledge(&session, &mut told);
        let living = futures_util::future::join(steps.join_all(), acknowledging);
        let _ = timeout(life, living).await;
        for task in session.background().list() {
            told.tasks.push(task.id.clone());
            if let Some(result) = task.result {
                told.ended.insert(task.id, result);
            }
        }
        world.close();
        Ok::<_, String>(told)
    });
    drop(tokio);
    told
}

/// Acknowledges every other notice.
async fn acknowledge(session: &Session, told: &mut Told) {
    let mut notices = session.notices();
    loop {
        let notice = notices.next().await;
        if notice.id.len() % 2 == 0 || told.acknowledged.is_empty() {
            notices.acknowledge(&notice.id).await;
            told.acknowledged.push(notice.task.id);
        }
    }
}

/// How many tasks were interrupted.
fn check(told: &Told, folder: &Path) -> Result<usize, String> {
    let tokio = tokio()?;
    tokio.block_on(async {
        let runtime = Runtime::builder().data_dir(folder).build();
        let runtime = runtime.map_err(|error| error.to_string())?;
        let session = runtime.session(SessionInfo::new("simulated"));
        let offered = session.notices().drain();
        let mut interrupted = 0;
        for id in &told.tasks {
            let task = session.background().get(id);
            let task = task.ok_or_else(|| format!("{id} is lost"))?;
            let is_offered = offered.iter().any(|notice| notice.task.id == *id);
            fits(&task, told, is_offered)?;
            interrupted += usize::from(task.status == TaskStatus::Interrupted);
        }
        let other = runtime.session(SessionInfo::new("other"));
        if other.background().list().is_empty() && other.notices().drain().is_empty() {
            Ok(interrupted)
        } else {
            Err("another session has tasks".to_owned())
        }
    })
}

fn fits(task: &Task, told: &Told, is_offered: bool) -> Result<(), String> {
    let result = task.result.as_ref();
    let says = |result: &ToolResult| (result.error(), result.text().into_owned());
    let is_kept = match told.ended.get(&task.id) {
        Some(ended) => result.map(says) == Some(says(ended)),
        None => task.status.has_ended(),
    };
    let was_read = told.acknowledged.contains(&task.id);
    let is_cancelled = task.status == TaskStatus::Cancelled;
    if is_kept && is_offered != (was_read || is_cancelled) {
        return Ok(());
    }
    Err(format!("{task:?}, read: {was_read}, offered: {is_offered}"))
}
