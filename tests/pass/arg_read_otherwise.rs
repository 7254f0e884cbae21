//! `serde(with | deserialize_with)` and `schemars(with | schema_with)`: no derive is asked of the type.
#![deny(warnings)]

mod support;

use chatluna_tool::tool;
use schemars::{Schema, SchemaGenerator, json_schema};
use serde::{Deserialize, Deserializer};
use serde_json::json;
use std::time::Duration;

mod seconds {
    pub(crate) fn deserialize<'de, D: serde::Deserializer<'de>>(
        from: D,
    ) -> Result<std::time::Duration, D::Error> {
        <u64 as serde::Deserialize>::deserialize(from).map(std::time::Duration::from_secs)
    }
}

struct Opaque(String);

fn opaque<'de, D: Deserializer<'de>>(from: D) -> Result<Opaque, D::Error> {
    String::deserialize(from).map(Opaque)
}

fn word(_: &mut SchemaGenerator) -> Schema {
    json_schema!({"type": "string", "pattern": "^[a-z]+$"})
}

/// Waits.
#[tool]
async fn wait(
    /// How long
    #[serde(with = "seconds")]
    #[schemars(with = "u64")]
    time: Duration,
    #[serde(default = "nobody", deserialize_with = "opaque")]
    #[schemars(schema_with = "word")]
    who: Opaque,
    #[schemars(with = "i8")] number: i64,
    #[schemars(with = "Option<u8>")] maybe: Option<i64>,
) -> String {
    format!("{time:?} {} {number} {maybe:?}", who.0)
}

/// Has names of generated code.
#[tool]
async fn named(
    #[serde(deserialize_with = "read_who")]
    #[schemars(with = "String")]
    who: Opaque,
    #[schemars(with = "u8")] deserializer: D,
    #[serde(with = "read_time")]
    #[schemars(with = "u64")]
    time: Duration,
) -> String {
    format!("{} {} {time:?}", who.0, deserializer.0)
}

#[derive(Deserialize)]
struct D(u8);

use opaque as read_who;
use seconds as read_time;

fn nobody() -> Opaque {
    Opaque("nobody".to_owned())
}

fn main() {
    let call = |arguments| support::call("wait", arguments);
    assert_eq!(call(json!({"time": 5, "number": 1})), "5s nobody 1 None");
    assert_eq!(call(json!({"time": 5, "number": 1, "who": null})), "5s nobody 1 None");
    assert_eq!(call(json!({"time": 5, "number": 1, "who": "li", "maybe": 2})), "5s li 1 Some(2)");
    let named = json!({"who": "li", "deserializer": 1, "time": 2});
    assert_eq!(support::call("named", named), "li 1 2s");
    let schema = support::definition("wait");
    assert_eq!(schema.parameters()["required"], json!(["time", "number"]));
    let who = json!({"type": "string", "pattern": "^[a-z]+$"});
    assert_eq!(schema.parameters()["properties"]["who"], who);
    let time = json!({"description": "How long", "type": "integer", "minimum": 0});
    assert_eq!(schema.parameters()["properties"]["time"], time);
}
