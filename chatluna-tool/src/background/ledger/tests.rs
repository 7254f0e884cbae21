//! What a slow disk and a clock bring about.

use super::{DEFAULT_TASK_RETENTION, Ledger};
use crate::BoxFuture;
use crate::background::disk::{Change, Disk, DiskError};
use crate::background::task::{TaskId, TaskStatus};
use crate::call::ToolResult;
use crate::context::CallContext;
use crate::output::ToolOutput;
use crate::testing::call_context;
use futures_util::FutureExt;
use std::future::{pending, ready};
use std::sync::{Arc, Mutex};
use std::time::{Duration, SystemTime};
use tokio::sync::Semaphore;

/// Has written what the test says it has.
#[derive(Default)]
struct Slow(Arc<Allowed>);

/// With the ends that were handed in.
struct Allowed(Semaphore, Mutex<Vec<TaskStatus>>);

impl Default for Allowed {
    fn default() -> Self {
        Self(Semaphore::new(0), Mutex::default())
    }
}

impl Disk for Slow {
    fn write(&self, changes: Vec<Change>, _: u64) -> BoxFuture<'static, Result<(), DiskError>> {
        let status = |change| match change {
            Change::Put(stored) => Some(stored.task.status),
            _ => None,
        };
        if let Ok(mut handed) = self.0.1.lock() {
            handed.extend(changes.into_iter().filter_map(status));
        }
        let allowed = Arc::clone(&self.0);
        Box::pin(async move {
            if let Ok(permit) = allowed.0.acquire().await {
                permit.forget();
            }
            Ok(())
        })
    }
}

fn slow() -> (Ledger, Arc<Allowed>) {
    let disk = Slow::default();
    let allowed = Arc::clone(&disk.0);
    let ledger = Ledger {
        disk: Some(Box::new(disk)),
        ..Ledger::new(DEFAULT_TASK_RETENTION)
    };
    (ledger, allowed)
}

/// The session of every context of a test.
const SESSION: &str = "test";

fn begun(ledger: &Ledger) -> (TaskId, CallContext) {
    let (task, call) = (ledger.next_id(), call_context().build());
    drop(ledger.begin(task.clone(), &call));
    (task, call)
}

fn done() -> Option<ToolResult> {
    let output = ToolOutput::text("done");
    Some(ToolResult::new("call".into(), "test".into(), Ok(output)))
}

fn status(ledger: &Ledger, task: &TaskId) -> Option<TaskStatus> {
    ledger.get(SESSION, task).map(|task| task.status)
}

#[test]
fn a_result_that_is_known_is_not_lost_while_it_is_written() {
    let (ledger, _) = slow();
    let (task, _) = begun(&ledger);
    let finish = ledger.finish(SESSION, &task, done(), ready(()));
    assert!(finish.now_or_never().is_none(), "it is being written");
    ledger.lose(SESSION, &task);
    assert_eq!(status(&ledger, &task), Some(TaskStatus::Completed));
    let known = ledger.get(SESSION, &task).and_then(|task| task.result);
    assert_eq!(known, done());
}

#[test]
fn an_end_whose_outputs_are_still_written_is_handed_in_when_nobody_waits_any_more() {
    let (ledger, allowed) = slow();
    let (task, _) = begun(&ledger);
    let finish = ledger.finish(SESSION, &task, done(), pending());
    assert!(finish.now_or_never().is_none(), "its outputs are written");
    assert_eq!(status(&ledger, &task), Some(TaskStatus::Completed));
    let handed = allowed.1.lock().map(|handed| handed.clone());
    let ends = [TaskStatus::Working, TaskStatus::Completed];
    assert_eq!(handed.ok().as_deref(), Some(&ends[..]));
}

#[tokio::test]
async fn a_task_can_be_cancelled_while_its_result_is_written() {
    let (ledger, allowed) = slow();
    let (task, call) = begun(&ledger);
    let mut finish = Box::pin(ledger.finish(SESSION, &task, done(), ready(())));
    assert!((&mut finish).now_or_never().is_none());
    assert!(ledger.cancel(SESSION, &task) && call.is_cancelled());
    allowed.0.add_permits(1);
    assert!(
        (&mut finish).now_or_never().is_none(),
        "another end is written"
    );
    assert_eq!(status(&ledger, &task), Some(TaskStatus::Working));
    allowed.0.add_permits(1);
    finish.await;
    assert_eq!(status(&ledger, &task), Some(TaskStatus::Cancelled));
    assert!(ledger.offered(SESSION, 0, 9).is_empty(), "nobody is told");
    assert!(!ledger.cancel(SESSION, &task), "it has ended");
}

#[tokio::test]
async fn old_tasks_of_all_sessions_are_forgotten_once_an_hour() {
    let ledger = Ledger::new(Duration::from_secs(60));
    let (task, _) = begun(&ledger);
    ledger.finish(SESSION, &task, done(), ready(())).await;
    let after = |minutes: u64| SystemTime::now() + Duration::from_secs(60 * minutes);
    ledger.forget_old_at("other", after(59)).await;
    assert!(ledger.get(SESSION, &task).is_some());
    ledger.forget_old_at("other", after(61)).await;
    assert_eq!(ledger.get(SESSION, &task), None, "an hour has passed");
    assert!(
        ledger.lock().is_empty(),
        "a session without tasks is forgotten"
    );
    let (task, _) = begun(&ledger);
    ledger.finish(SESSION, &task, done(), ready(())).await;
    ledger.forget_old_at("other", after(100)).await;
    assert!(
        ledger.get(SESSION, &task).is_some(),
        "not before the next hour"
    );
    ledger.forget_old_at(SESSION, after(100)).await;
    assert!(ledger.lock().is_empty(), "its own at once");
}

#[tokio::test]
async fn a_session_that_is_listened_to_is_not_forgotten() {
    let ledger = Ledger::new(Duration::ZERO);
    let (task, _) = begun(&ledger);
    let news = ledger.news(SESSION);
    ledger.finish(SESSION, &task, done(), ready(())).await;
    assert_eq!(ledger.prune(SESSION, Duration::ZERO).await, 1);
    assert!(Arc::ptr_eq(&news, &ledger.news(SESSION)));
    drop(news);
    ledger.close(SESSION);
    assert!(ledger.lock().is_empty());
}

/// The sessions whose lists of tools are known, after a look at a list so many minutes from now.
fn looked_at(ledger: &Ledger, session: &str, minutes: u64) -> (bool, Vec<String>) {
    let names = [Arc::from("apple")];
    let now = SystemTime::now() + Duration::from_secs(60 * minutes);
    let written = ledger.keep_loaded_at(session, &names, now);
    let known = ledger.lists();
    let mut known: Vec<String> = known.by_session.keys().cloned().collect();
    known.sort();
    (written.is_some(), known)
}

#[test]
fn a_list_is_written_when_it_changes_and_now_and_then() {
    let (ledger, _) = slow();
    let of = |names: &[&str]| names.iter().map(|name| (*name).to_owned()).collect();
    assert_eq!(ledger.loaded("s"), Some(Vec::new()));
    assert_eq!(looked_at(&ledger, "s", 0), (true, of(&["s"])));
    assert_eq!(looked_at(&ledger, "s", 50), (false, of(&["s"])));
    assert_eq!(looked_at(&ledger, "s", 61), (true, of(&["s"])));
    assert_eq!(looked_at(&ledger, "t", 62), (true, of(&["s", "t"])));
    let days = |days: u64| 24 * 60 * days;
    let retention = DEFAULT_TASK_RETENTION.as_secs() / 60;
    assert_eq!(looked_at(&ledger, "t", retention), (true, of(&["s", "t"])));
    let later = retention + days(1);
    assert_eq!(looked_at(&ledger, "t", later), (true, of(&["t"])));
    assert!(
        ledger.keep_loaded("u", &[]).is_none(),
        "there is none to keep"
    );
}

#[test]
fn a_list_in_use_is_never_old_however_short_the_retention() {
    let (mut ledger, _) = slow();
    ledger.retention = Duration::from_secs(60 * 10);
    for minutes in (0..120).step_by(4) {
        looked_at(&ledger, "s", minutes);
        let now = SystemTime::now() + Duration::from_secs(60 * minutes);
        let lists = ledger.lists();
        let used = lists.by_session.get("s").map(|own| own.used);
        let age = used.and_then(|used| now.duration_since(used).ok());
        assert!(age.is_some_and(|age| age < ledger.retention / 2), "{age:?}");
    }
}
