//! `range`, `length`, `pattern` and `example`: in the schema, and enforced.
#![deny(warnings, trivial_casts, trivial_numeric_casts)]

mod support;

use chatluna_tool::tool;
use serde_json::json;
use std::num::NonZeroU8;

const MAX_DAYS: u8 = 14;
const MAX_PRICE: f64 = 99.5;
const DAYS: u8 = 3;
const CODE: &str = "^[A-Z]{3}$";

/// Finds flights.
#[tool]
async fn flights(
    #[arg(pattern = CODE, example = "OSL", example = "BGO")] to: &str,
    #[arg(default = DAYS, range(1..=MAX_DAYS))] days: u8,
    #[arg(default = MAX_PRICE, range(0.0..=MAX_PRICE * 2.0 - 1.0))] price: f64,
    #[arg(range(-5..))] delta: Option<i32>,
    #[arg(length(..=2))] tags: Option<Vec<String>>,
    #[arg(length = 1..=3, example = format!("{}", 1))] note: Option<String>,
) -> String {
    format!("{to} {days} {price} {delta:?} {tags:?} {note:?}")
}

/// Has defaults that are no plain numbers.
#[tool]
async fn odd(
    #[arg(default = None, range(1..=3))] none: Option<u8>,
    #[arg(default = Some(2), range(1..=3))] some: Option<u8>,
    #[arg(default = NonZeroU8::MIN, range(1..=3))] least: NonZeroU8,
) -> String {
    format!("{none:?} {some:?} {least}")
}

fn main() {
    assert_eq!(support::call("odd", json!({})), "None Some(2) 1");
    let odd = support::definition("odd");
    assert_eq!(odd.parameters()["properties"]["some"]["default"], 2);
    let call = |arguments| support::call("flights", arguments);
    assert_eq!(call(json!({"to": "OSL"})), "OSL 3 99.5 None None None");
    let all = json!({"to": "OSL", "days": 14, "price": 198.0, "delta": -5, "tags": ["a", "b"], "note": "吃饭了"});
    assert_eq!(call(all), r#"OSL 14 198 Some(-5) Some(["a", "b"]) Some("吃饭了")"#);
    let wrong = json!({"to": "oslo", "days": 15, "price": 198.5, "delta": -6, "tags": ["a", "b", "c"], "note": ""});
    let wrong = call(wrong);
    for argument in ["to", "days", "price", "delta", "tags", "note"] {
        assert!(wrong.contains(&format!("/{argument}: must")), "{wrong}");
    }
    let properties = json!({
        "to": {"type": "string", "pattern": "^[A-Z]{3}$", "examples": ["OSL", "BGO"]},
        "days": {"type": "integer", "minimum": 1, "maximum": 14},
        "price": {"type": "number", "minimum": 0, "maximum": 198},
        "delta": {"type": "integer", "minimum": -5},
        "tags": {"type": "array", "items": {"type": "string"}, "maxItems": 2},
        "note": {"type": "string", "minLength": 1, "maxLength": 3, "examples": ["1"]},
    });
    assert_eq!(support::definition("flights").parameters()["properties"], properties);
}
