//! What a task costs in memory while it runs, beyond its own future.

use cap::Cap;
use chatluna_tool::{Runtime, SessionInfo, TaskStatus, ToolCall, tool, tools};
use std::alloc::System;
use std::error::Error;
use std::num::NonZeroUsize;
use std::time::Duration;

const TASKS: usize = 10_000;

/// What a task may cost: 4 KiB.
const BUDGET: usize = 4_096;

/// Waits
#[tool(traits(parallel, effect = "read", timeout = 10))]
async fn waits(seconds: u64) {
    tokio::time::sleep(Duration::from_secs(seconds)).await;
}

/// Counts what is allocated and not freed.
#[global_allocator]
static MEMORY: Cap<System> = Cap::new(System, usize::MAX);

#[tokio::test(start_paused = true)]
async fn a_task_that_runs_costs_less_than_its_budget() -> Result<(), Box<dyn Error>> {
    let all = NonZeroUsize::new(TASKS).ok_or("there are some")?;
    let runtime = Runtime::builder()
        .tools(tools![waits])
        .max_concurrency(all)
        .build()?;
    let session = runtime.session(SessionInfo::new("s"));
    // What is made once is there before, the first task of them.
    session.call("waits", r#"{"seconds": 600}"#).await;
    let before = MEMORY.allocated();
    let calls = (0..TASKS)
        .map(|number| ToolCall::new("waits", r#"{"seconds": 600}"#).id(format!("call_{number}")));
    drop(session.execute(calls.collect::<Vec<_>>()).await);
    let tasks = session.background().list();
    let live = tasks
        .iter()
        .filter(|task| task.status == TaskStatus::Working);
    assert_eq!(live.count(), TASKS + 1);
    drop(tasks);
    let each = MEMORY.allocated().saturating_sub(before) / TASKS;
    println!("{each} bytes a task, its future included");
    assert!(each < BUDGET, "{each} bytes a task");
    Ok(())
}
