//! Tools of every shape.
#![deny(clippy::pedantic, clippy::nursery, missing_docs, warnings)]
#![deny(rustdoc::all)]
#![forbid(unsafe_code)]

use chatluna_tool::{
    CallContext, Content, Json, Permission, SessionInfo, ToolError, tool, tool_type, tools, toolset,
};
use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};
use std::time::Duration;

const NAME: &str = "named";

/// A place.
#[tool_type]
pub struct Place {
    /// Its name.
    pub name: String,
    /// Its size.
    pub size: Option<u32>,
}

/// A unit.
#[tool_type]
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Unit {
    /// Water freezes at 0.
    Celsius,
    /// Water freezes at 32.
    Fahrenheit,
}

/// Has every key.
///
/// # Errors
///
/// Where nobody is.
#[tool(
    name = NAME,
    prefix = "every",
    title = "Every key",
    description = concat!("Has every key", "."),
    args = EveryArgs,
    crate = ::chatluna_tool,
    permission = |args| Permission::new("every:run").target(&args.place.name),
    visibility = |session| session.agent.is_none(),
    traits(parallel, effect = "write", timeout = "3s")
)]
pub async fn every(
    /// Where.
    place: Place,
    #[cfg(test)] gone: Missing,
    #[cfg(not(test))] here: u8,
    mut rest: BTreeMap<String, Vec<u8>>,
    r#type: Option<Unit>,
    call: &CallContext,
    state: &Arc<str>,
    locked: &Mutex<Vec<u8>>,
) -> Result<String, ToolError> {
    let first = rest.pop_first();
    call.ask(format!("{first:?}{here}{state}{locked:?}"))
        .await?;
    match r#type {
        Some(Unit::Celsius) => Ok(place.name),
        _ => Err(call.deny("nobody is there")),
    }
}

/// Borrows its arguments.
#[tool]
#[must_use]
pub fn lent(text: &str, list: &[Place]) -> String {
    let names: Vec<&str> = list.iter().map(|place| &*place.name).collect();
    format!("{text}{names:?}")
}

/// Returns data.
#[tool(traits(effect = "read", timeout = 30_000))]
#[must_use]
pub async fn data(size: (u8, u8), bytes: [u8; 4], unit: Unit) -> Json<Option<Place>> {
    std::future::ready(()).await;
    let size = u32::from(size.0) + u32::from(bytes[0]);
    let name = String::new();
    let is_known = unit == Unit::Celsius;
    Json(is_known.then_some(Place {
        name,
        size: Some(size),
    }))
}

/// Returns parts.
#[tool]
pub async fn parts() -> Vec<Content> {
    std::future::ready(vec![Content::from("part")]).await
}

/// Returns nothing.
#[tool(name = "r")]
pub fn r#return() {
    println!();
}

/// Is old.
#[tool]
#[deprecated = "ask `parts`"]
#[must_use]
pub fn old(number: Option<f64>) -> Option<String> {
    number.map(|number| number.to_string())
}

fn asked(args: &HookedArgs) -> Permission {
    Permission::new("hooked").target(&args.name)
}

const fn seen(_session: &SessionInfo) -> bool {
    true
}

/// Has hooks elsewhere.
#[tool(prefix = module, args = HookedArgs, permission = asked, visibility = seen)]
pub(crate) fn hooked(name: String, Place { size, .. }: &Place) -> Option<String> {
    size.is_some().then_some(name)
}

/// Is private.
#[tool(traits(effect = "exec"))]
async fn private(call: &CallContext, _: &Unit) -> String {
    std::future::ready(call.name()).await.to_owned()
}

/// The most of anything.
const MAX: u8 = 9;

mod seconds {
    use serde::{Deserialize, Deserializer};
    use std::time::Duration;

    pub fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<Duration, D::Error> {
        u64::deserialize(from).map(Duration::from_secs)
    }
}

/// Says all of its arguments.
#[tool(args = SaidArgs, example = r#"{"city": "Oslo", "name": "a"}"#, traits(parallel, key = city))]
pub async fn said(
    #[arg(pattern = "^[A-Z]", length(1..=80), example = "Oslo")] city: &str,
    #[arg(default = MAX, range(1..=MAX))] days: u8,
    #[arg(default = 0.5, range(0.0..))] share: f64,
    #[arg(secret, rename = "token")]
    #[serde(alias = "key")]
    key: Option<String>,
    #[serde(default, with = "seconds")]
    #[schemars(with = "u64")]
    wait: Duration,
    #[arg(flatten)] place: Place,
) -> String {
    let secret = key.is_some();
    std::future::ready(format!("{city}{days}{share}{secret}{wait:?}")).await + &place.name
}

/// What has tools for methods.
pub struct Store {
    size: u8,
}

#[toolset(prefix = "store", traits(parallel))]
impl Store {
    /// The default of a size.
    pub const SIZE: u8 = 3;

    /// Grows.
    #[tool(args = GrowArgs, permission = |args| Permission::new("grow").target(args.by.to_string()))]
    pub async fn grow(&self, #[arg(default = Self::SIZE)] by: u8) -> u8 {
        std::future::ready(self.size.saturating_add(by)).await
    }

    /// Shrinks.
    #[tool(traits(key = |args| args.by))]
    fn shrink(&self, by: u8, #[arg(default)] tags: &[String]) -> String {
        format!("{}{tags:?}", self.size.saturating_sub(by))
    }

    /// Counts stores.
    #[tool]
    #[must_use]
    pub fn counted() -> String {
        String::from("1")
    }
}

/// Texts.
#[toolset]
pub mod text {
    use chatluna_tool::tool;

    /// Trims.
    #[tool]
    #[must_use]
    pub fn trim(text: &str) -> String {
        text.trim().to_owned()
    }
}

/// Names tools, and has one inside.
#[must_use]
pub fn all() -> usize {
    /// Is inside.
    #[tool]
    fn inside(number: u8) -> String {
        number.to_string()
    }
    tools![every, lent, hooked, private, inside, said, Store::*, text::*].len()
}
