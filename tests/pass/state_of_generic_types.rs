//! State whose type has parameters, through aliases and patterns.
#![deny(warnings)]

mod support;

use chatluna_tool::{AllowAll, SessionInfo, tool};
use std::fmt::Debug;
use std::sync::{Arc, RwLock};

struct Db<T, const SIZE: usize>([T; SIZE]);
type Three<T> = Db<T, 3>;
type Shared<T> = Arc<RwLock<T>>;

/// Sums.
#[tool]
async fn sum(
    more: u8,
    Db([first]): &Db<u8, 1>,
    three: &Three<u8>,
    shared: &Shared<Vec<u8>>,
    _: &Arc<dyn Debug + Send + Sync>,
    at: &fn(u8) -> u8,
) -> u8 {
    let shared: u8 = shared.read().expect("it is not poisoned").iter().sum();
    let three: u8 = three.0.iter().sum();
    at(more + first + three + shared)
}

fn main() {
    let shown: Arc<dyn Debug + Send + Sync> = Arc::new(());
    let twice: fn(u8) -> u8 = |number| number * 2;
    let builder = support::collected().approver(AllowAll);
    let builder = builder
        .state(Db([1_u8]))
        .state(Db([1_u8, 2, 3]))
        .state(Shared::new(RwLock::new(vec![10_u8])))
        .state(shown)
        .state(twice);
    let session = builder
        .build()
        .expect("it is complete")
        .session(SessionInfo::new("pass"));
    let arguments = serde_json::json!({"more": 1});
    assert_eq!(support::call_in(&session, "sum", arguments), "36");
}
