//! `secret` and `multiline`: for people's forms; a secret value is never shown.
#![deny(warnings)]

mod support;

use chatluna_tool::{Role, tool};
use serde_json::json;

/// Logs in.
#[tool]
async fn login(
    #[arg(secret, length(4..))] token: String,
    #[arg(multiline)] note: Option<String>,
    #[arg(secret)] pin: Option<u16>,
) -> String {
    format!("{token} {note:?} {pin:?}")
}

fn main() {
    let call = |arguments| support::call("login", arguments);
    assert_eq!(call(json!({"token": "swordfish"})), "swordfish None None");
    let wrong = call(json!({"token": "cod", "pin": "hunter2"}));
    assert!(!wrong.contains("cod") && !wrong.contains("hunter2"), "{wrong}");
    assert!(wrong.contains("/token") && wrong.contains("/pin"), "{wrong}");
    let login = support::definition("login");
    assert_eq!(login.role("token"), Some(Role::Secret));
    assert_eq!(login.role("note"), Some(Role::Multiline));
    assert_eq!(login.role("nothing"), None);
}
