//! Shapes of results: what `Json<T>` says of them, by what is written and not by what is read.

use super::types::*;
use super::{Tested, faults, golden};
use chatluna_tool::__private::ToolRegistration;
use chatluna_tool::{Json, Runtime, SessionInfo, tool, tools};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::fmt::Write;

/// A tool a result.
macro_rules! outputs {
    ($($name:ident: $type:ty = $value:expr;)*) => {
        $(
            #[tool(prefix = "gives", description = "A result", traits(effect = "read"))]
            async fn $name() -> Json<$type> {
                Json($value)
            }
        )*

        const OUTPUTS: &[(&str, &str)] = &[$((stringify!($name), stringify!($type))),*];

        pub fn all() -> Vec<&'static ToolRegistration> {
            tools![$($name),*].into()
        }
    };
}

outputs! {
    byte: u8 = 1;
    float: f32 = 1.5;
    list: Vec<u8> = vec![1];
    option: Option<u8> = None;
    map: BTreeMap<String, u8> = [("a".to_owned(), 1)].into();
    place: Place = Place { name: "a".to_owned(), size: None, tags: Vec::new() };
    both_ways: Both = Both::new();
    units: Units = Units::Metric;
    documented: Documented = Documented::Kelvin;
    internal: Internal = Internal::Point;
    external: External = External::Draw { radius: 1 };
    tree: Tree = Tree::new();
    value: Value = json!([1, null]);
}

#[tokio::test]
async fn every_output_is_as_the_file_says() -> Tested {
    let runtime = Runtime::builder().tools(all()).build()?;
    let session = runtime.session(SessionInfo::new("outputs"));
    let definitions = session.definitions();
    let mut text = String::new();
    let mut found = Vec::new();
    for (name, rust) in OUTPUTS {
        let full = format!("gives_{name}");
        let tool = definitions.iter().find(|tool| tool.name() == full);
        let schema = tool.and_then(|tool| tool.output()).ok_or(*name)?;
        let result = session.call(&full, "").await;
        let value = result.structured().ok_or(*name)?;
        writeln!(text, "{name}: {rust}\n  {schema}\n    {value}\n")?;
        let oracle = jsonschema::validator_for(schema)?;
        if let Err(error) = oracle.validate(value) {
            found.push(format!("{name}: {error}"));
        }
        let below = faults::below(schema).into_iter();
        found.extend(below.map(|fault| format!("{name}: {fault}")));
    }
    golden("outputs.txt", &text)?;
    assert!(found.is_empty(), "{}", found.join("\n"));
    Ok(())
}
