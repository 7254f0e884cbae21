//! `&str` and `&[T]` are arguments; the arguments struct owns what is lent.
#![deny(warnings)]

mod support;

use chatluna_tool::{Permission, tool};

/// Joins words
#[tool(args = JoinArgs, permission = |args| Permission::new("join").target(&args.joint))]
async fn join(
    /// Between the words
    joint: &str,
    words: &[String],
    times: Option<usize>,
) -> String {
    std::future::ready(()).await;
    words.join(joint).repeat(times.unwrap_or(1))
}

/// Sums numbers
#[tool(traits(parallel, timeout = "30s"))]
fn sum(numbers: &[i64], mut start: i64, name: &str) -> String {
    start += numbers.iter().sum::<i64>();
    format!("{name} {start}")
}

/// A macro's types arrive in groups.
macro_rules! lent {
    ($name:ident, $ty:ty) => {
        /// Tells the length
        #[tool]
        async fn $name(value: $ty) -> usize {
            value.len()
        }
    };
}
lent!(length_of_text, &str);
lent!(length_of_list, &[u8]);

fn main() {
    let args: JoinArgs = JoinArgs {
        joint: String::new(),
        words: Vec::new(),
        times: None,
    };
    drop((args.joint, args.words, args.times));
    let arguments = serde_json::json!({"joint": "-", "words": ["a", "b"], "times": 2});
    assert_eq!(support::call("join", arguments), "a-ba-b");
    let arguments = serde_json::json!({"numbers": [1, 2], "start": 3, "name": "x"});
    assert_eq!(support::call("sum", arguments), "x 6");
    assert_eq!(support::call("length_of_text", serde_json::json!({"value": "abc"})), "3");
    assert_eq!(support::call("length_of_list", serde_json::json!({"value": [1]})), "1");
    let schema = support::definition("join").parameters().to_string();
    assert!(schema.contains(r#""joint":{"description":"Between the words","type":"string"}"#), "{schema}");
    assert_eq!(support::definition("sum").timeout(), Some(std::time::Duration::from_secs(30)));
}
