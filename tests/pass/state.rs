//! State by its type, through an `Arc`, and behind a trait object.
#![deny(warnings)]

mod support;

use chatluna_tool::{AllowAll, SessionInfo, tool};
use std::fmt::Display;
use std::sync::{Arc, Mutex};

struct Db(u8);

/// Counts.
#[tool]
async fn count(
    step: u8,
    counter: &Mutex<u8>,
    db: &Db,
    shared: &Arc<Db>,
    shown: &Arc<dyn Display + Send + Sync>,
) -> String {
    let mut counter = counter.lock().expect("it is not poisoned");
    *counter += step;
    format!("{counter} {} {} {shown}", db.0, shared.0)
}

/// Is a plain function.
#[tool]
fn blocking(db: &Db) -> u8 {
    db.0
}

fn main() {
    let shown: Arc<dyn Display + Send + Sync> = Arc::new("shown");
    let builder = support::collected().approver(AllowAll);
    let builder = builder
        .state(Mutex::new(1_u8))
        .state(Arc::new(Db(2)))
        .state(shown);
    let session = builder
        .build()
        .expect("it is complete")
        .session(SessionInfo::new("pass"));
    assert_eq!(
        support::call_in(&session, "count", serde_json::json!({"step": 1})),
        "2 2 2 shown"
    );
    assert_eq!(
        support::call_in(&session, "blocking", serde_json::json!({})),
        "2"
    );
}
