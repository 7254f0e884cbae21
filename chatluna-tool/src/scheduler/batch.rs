//! Calls of a step that run together.

use super::{Stage, run};
use crate::call::ToolResult;
use crate::context::CallContext;
use crate::ready_call::{ReadyCall, no_tokio, shutting_down};
use std::sync::{Arc, Mutex, PoisonError};
use std::vec;
use tokio::sync::Semaphore;
use tokio::task::JoinSet;

/// Runs the calls of a batch on the runtime's threads, as many at once as the cap allows. Dropping
/// the future stops them all.
pub(super) async fn run_together(
    stages: impl Iterator<Item = Stage>,
    cap: usize,
    results: &mut Vec<ToolResult>,
) {
    let mut batch = Batch::default();
    stages.for_each(|stage| batch.enter(stage));
    if tokio::runtime::Handle::try_current().is_err() {
        batch.refuse_all();
    }
    let lanes = std::mem::take(&mut batch.lanes);
    let (asking, lanes): (Vec<_>, Vec<_>) = lanes.into_iter().partition(Lane::is_asking);
    // Whoever waits for an answer takes no worker, but has to share their number when it runs.
    let slots = (!asking.is_empty()).then(|| Arc::new(Semaphore::new(cap)));
    let workers = lanes.len().min(cap);
    let lanes = Arc::new(Mutex::new(lanes.into_iter()));
    let mut running: JoinSet<_> = (0..workers)
        .map(|_| work(Arc::clone(&lanes), slots.clone()))
        .collect();
    for lane in asking {
        running.spawn(lane.run(slots.clone()));
    }
    while let Some(joined) = running.join_next().await {
        for (index, result) in joined.into_iter().flatten() {
            batch.results[index] = Some(result);
        }
    }
    results.extend(batch.finish());
}

/// Calls that run together.
#[derive(Default)]
struct Batch {
    lanes: Vec<Lane>,
    /// In call order, as far as they are there.
    results: Vec<Option<ToolResult>>,
    /// The calls that are to be told when the batch is dropped: its threads only hear of that when
    /// they come to an await.
    told: Vec<(usize, CallContext)>,
}

/// Calls of one key, which run one after the other, with the places of their results.
struct Lane {
    key: Option<String>,
    calls: Vec<(usize, ReadyCall)>,
}

impl Lane {
    fn is_asking(&self) -> bool {
        self.calls.iter().any(|(_, call)| call.is_asking())
    }

    async fn run(self, slots: Option<Arc<Semaphore>>) -> Vec<(usize, ToolResult)> {
        let mut results = Vec::with_capacity(self.calls.len());
        for (index, mut call) in self.calls {
            let key = if call.is_asking() {
                // Its key is asked for anew: the answer may have changed it.
                let session = call.context().session_handle().clone();
                let settled = session.settle(&mut call).await;
                settled.and_then(|()| call.key())
            } else {
                Ok(self.key.clone())
            };
            let _slot = match &slots {
                Some(slots) => slots.acquire().await.ok(),
                None => None,
            };
            let result = match key {
                Ok(key) => run(&mut call, key).await,
                Err(refused) => call.refuse(refused),
            };
            results.push((index, result));
        }
        results
    }
}

impl Batch {
    fn enter(&mut self, stage: Stage) {
        let mut call = match stage {
            Stage::Ready(call) => call,
            Stage::Answered(result) => return self.results.push(Some(*result)),
        };
        match call.key() {
            Ok(key) => {
                let index = self.results.len();
                self.results.push(None);
                self.told.push((index, call.context().clone()));
                self.enter_lane(key, (index, call));
            }
            Err(panicked) => self.results.push(Some(call.refuse(panicked))),
        }
    }

    /// Puts a call behind those of its key; without one it has a lane of its own.
    fn enter_lane(&mut self, key: Option<String>, call: (usize, ReadyCall)) {
        let of_key = |lane: &&mut Lane| lane.key == key;
        let lane = key
            .as_ref()
            .and_then(|_| self.lanes.iter_mut().find(of_key));
        match lane {
            Some(lane) => lane.calls.push(call),
            None => self.lanes.push(Lane {
                key,
                calls: vec![call],
            }),
        }
    }

    /// Nothing can run.
    fn refuse_all(&mut self) {
        let lanes = std::mem::take(&mut self.lanes).into_iter();
        for (index, mut call) in lanes.flat_map(|lane| lane.calls) {
            self.results[index] = Some(call.refuse(no_tokio()));
        }
    }

    /// All results; those that are not there were lost with a runtime that was shut down.
    fn finish(mut self) -> Vec<ToolResult> {
        for (index, call) in std::mem::take(&mut self.told) {
            self.results[index].get_or_insert_with(|| {
                let (id, name) = (call.id().to_owned(), call.name().to_owned());
                ToolResult::new(id, name, Err(shutting_down()))
            });
        }
        std::mem::take(&mut self.results)
            .into_iter()
            .flatten()
            .collect()
    }
}

impl Drop for Batch {
    fn drop(&mut self) {
        let own = self.told.iter().filter(|(_, call)| !call.is_detached());
        own.for_each(|(_, call)| call.signal().fire());
    }
}

/// Runs lane after lane until none is left.
async fn work(
    lanes: Arc<Mutex<vec::IntoIter<Lane>>>,
    slots: Option<Arc<Semaphore>>,
) -> Vec<(usize, ToolResult)> {
    let mut results = Vec::new();
    let next = || lanes.lock().unwrap_or_else(PoisonError::into_inner).next();
    while let Some(lane) = next() {
        results.extend(lane.run(slots.clone()).await);
    }
    results
}
