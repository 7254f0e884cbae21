//! What a session knows of its tasks and is told of them, and another is not.

use crate::world::World;
use chatluna_tool::{Notice, Runtime, Session, SessionInfo, Task, TaskId, TaskStatus, ToolResult};
use std::collections::BTreeSet;
use std::time::Duration;

/// Checks the tasks of a batch, which have ended, and forgets them.
pub async fn check(runtime: &Runtime, session: &Session, world: &World) -> Result<(), String> {
    let tasks = session.background().list();
    known(&tasks, &world.notes().tasks)?;
    told(session, &tasks).await?;
    strange(runtime, &tasks).await?;
    let forgotten = session.background().prune(Duration::ZERO).await;
    holds(forgotten == tasks.len(), "tasks are left")
}

/// No task is lost, none is made up, each has its result.
fn known(tasks: &[Task], noted: &[(usize, TaskId, Option<ToolResult>)]) -> Result<(), String> {
    holds(tasks.len() == noted.len(), "the session knows other tasks")?;
    for task in tasks {
        let own = noted.iter().find(|(_, id, _)| *id == task.id);
        let own = own.ok_or_else(|| format!("nothing became {}", task.id))?;
        let is_its_own = task.status.has_ended() && task.result == own.2;
        holds(is_its_own, &format!("the session has {task:?}"))?;
    }
    Ok(())
}

/// Each end is told once by each listener, until it is acknowledged; a cancelled one never.
async fn told(session: &Session, tasks: &[Task]) -> Result<(), String> {
    let ended = tasks.iter();
    let ended = ended.filter(|task| task.status != TaskStatus::Cancelled);
    let expected: BTreeSet<String> = ended.map(|task| format!("notice_of_{}", task.id)).collect();
    let mut notices = session.notices();
    let offered = notices.drain();
    holds(ids(&offered) == expected, &format!("{offered:?} is told"))?;
    holds(offered.len() == expected.len(), "something is told twice")?;
    let in_order = offered.is_sorted_by_key(|notice| notice.task.ended);
    holds(in_order, "it is told out of order")?;
    holds(notices.drain().is_empty(), "it is told again")?;
    let (read, unread) = offered.split_at(offered.len() / 2);
    for notice in read {
        let was_open = notices.acknowledge(&notice.id).await;
        holds(was_open, "a notice is acknowledged already")?;
    }
    let again = session.notices().drain();
    holds(again == unread, "another listener is told something else")
}

/// Another session sees nothing of it.
async fn strange(runtime: &Runtime, tasks: &[Task]) -> Result<(), String> {
    let other = runtime.session(SessionInfo::new("other"));
    let background = other.background();
    for Task { id, .. } in tasks {
        let is_known = background.get(id).is_some()
            || background.cancel(id)
            || background.consume(id).await.is_some()
            || other
                .notices()
                .acknowledge(&format!("notice_of_{id}"))
                .await;
        holds(!is_known, &format!("another session knows {id}"))?;
    }
    holds(
        background.list().is_empty() && other.notices().drain().is_empty(),
        "another session has tasks",
    )
}

fn ids(notices: &[Notice]) -> BTreeSet<String> {
    notices.iter().map(|notice| notice.id.clone()).collect()
}

fn holds(rule: bool, otherwise: &str) -> Result<(), String> {
    rule.then_some(()).ok_or_else(|| otherwise.to_owned())
}
