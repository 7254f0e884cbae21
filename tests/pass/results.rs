//! What a tool may return.
#![deny(warnings)]

mod support;

use chatluna_tool::{Content, Json, ToolError, ToolOutput, tool, tool_type};
use std::borrow::Cow;
use std::error::Error;
use std::fmt;

struct Failed(&'static str);

impl fmt::Display for Failed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.0)
    }
}

#[tool_type]
struct Forecast {
    degrees: i8,
}

macro_rules! tools {
    ($($name:ident: $type:ty = $value:expr;)*) => {$(
        /// Returns something.
        #[tool]
        async fn $name() -> $type {
            $value
        }
    )*};
}

tools! {
    text: &'static str = "text";
    cow: Cow<'static, str> = "cow".into();
    number: f64 = 0.5;
    optional: Option<String> = None;
    parts: Vec<Content> = vec!["a".into(), "b".into()];
    whole: ToolOutput = ToolOutput::text("whole");
    json: Json<Forecast> = Json(Forecast { degrees: -4 });
    value: serde_json::Value = serde_json::json!([1]);
    own_error: Result<(), Failed> = Err(Failed("own"));
    our_error: Result<u8, ToolError> = Err(ToolError::new("ours"));
    boxed_error: Result<u8, Box<dyn Error + Send + Sync>> = Err("boxed".into());
    nested: Result<Option<Json<Forecast>>, String> = Ok(None);
}

fn main() {
    let shown = |name| support::call(name, serde_json::json!({}));
    assert_eq!(shown("own_error"), "error (failed): own");
    assert_eq!(shown("json"), r#"{"degrees":-4}"#);
    assert_eq!(support::names().len(), 12);
}
