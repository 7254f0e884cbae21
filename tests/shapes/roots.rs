//! Types that are all the arguments of a tool.

use super::types::*;
use super::{Calls, Judged, Tested};
use chatluna_tool::{
    CallContext, Effect, FnTool, Runtime, RuntimeBuilder, SessionInfo, ToolDefinition, Traits,
};
use schemars::JsonSchema;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value};
use std::collections::{BTreeMap, HashMap};
use std::fmt::Write;

struct Root {
    rust: &'static str,
    name: &'static str,
    taken: &'static [&'static str],
    refused: &'static [&'static str],
}

/// A tool a type, with what it takes and what it refuses.
macro_rules! roots {
    ($($name:ident: $type:ty, [$($taken:literal),*], [$($refused:literal),*];)*) => {
        const ROOTS: &[Root] = &[$(Root {
            rust: stringify!($type),
            name: stringify!($name),
            taken: &[$($taken),*],
            refused: &[$($refused),*],
        }),*];

        fn runtime() -> Result<Runtime, chatluna_tool::BuildError> {
            let definition = |name: &'static str| {
                ToolDefinition::new(name, "A root").traits(Traits::new().effect(Effect::Read))
            };
            Runtime::builder()
                $(.tool(FnTool::new(
                    definition(stringify!($name)),
                    |arguments: $type, _: CallContext| async move { format!("{arguments:?}") },
                )))*
                .build()
        }
    };
}

roots! {
    structure: Place, [r#"{"name": "a", "tags": []}"#], [r#"{"name": "a"}"#];
    strict: Renamed, [
        r#"{"firstName": "a", "ID": 1, "type": true}"#
    ], [r#"{"firstName": "a", "ID": 1, "type": true, "more": 1}"#];
    defaults: Defaults, ["{}"], [r#"{"seven": "a"}"#];
    empty: Empty, ["{}"], [];
    boxed: Box<Place>, [r#"{"name": "a", "tags": []}"#], ["{}"];
    option: Option<Place>, [r#"{"name": "a", "tags": []}"#], ["{}"];
    map: BTreeMap<String, u8>, ["{}", r#"{"a": 1}"#], [r#"{"a": "b"}"#];
    map_from_integers: HashMap<u8, bool>, [r#"{"1": true}"#], [r#"{"a": true}"#, r#"{"1": "no"}"#];
    object: Map<String, Value>, [r#"{"a": 1}"#], [];
    value: Value, [r#"{"a": 1}"#], [];
    flattened: Flattened, [r#"{"id": 1, "name": "a", "tags": [], "x": 5}"#], [r#"{"id": 1, "name": "a", "tags": [], "x": "a"}"#];
    flattened_enum: FlattenedEnum, [
        r#"{"id": 1, "kind": "point"}"#, r#"{"id": 1, "kind": "circle", "radius": 1}"#
    ], [r#"{"id": 1}"#, r#"{"id": 1, "kind": "circle"}"#];
    units: Units, [r#"{"metric": null}"#], ["{}", r#"{"Metric": null}"#, r#"{"metric": 1}"#, r#"{"metric": null, "imperial": null}"#];
    documented: Documented, [r#"{"f": null}"#, r#"{"Kelvin": null}"#], [r#"{"Fahrenheit": null}"#];
    external: External, [
        r#"{"Stop": null}"#, r#"{"Wait": null}"#, r#"{"Go": {"name": "a", "tags": []}}"#, r#"{"Both": [1, 2]}"#,
        r#"{"Draw": {"radius": 1}}"#
    ], ["{}", r#"{"Go": {}}"#, r#"{"Draw": {"radius": 1}, "Stop": null}"#, r#"{"Run": null}"#];
    option_external: Option<External>, [r#"{"Stop": null}"#], ["{}"];
    internal: Internal, [
        r#"{"kind": "circle", "radius": 1}"#, r#"{"kind": "square", "side": 1}"#, r#"{"kind": "point"}"#,
        r#"{"kind": "place", "name": "a", "tags": []}"#
    ], ["{}", r#"{"kind": "circle"}"#, r#"{"kind": "line"}"#, r#"{"radius": 1}"#];
    adjacent: Adjacent, [
        r#"{"kind": "Point"}"#, r#"{"kind": "Name", "data": "a"}"#
    ], ["{}", r#"{"kind": "Name"}"#, r#"{"kind": "Point", "more": 1}"#];
    untagged: Untagged, [r#"{"name": "a", "tags": []}"#, r#"{"metric": null}"#], ["{}", r#"{"metric": 1}"#];
    result: Result<u8, String>, [r#"{"Ok": 1}"#], [r#"{"Ok": "a"}"#];
    recursive: Tree, [r#"{"value": 1, "children": [{"value": 2}]}"#], [r#"{"value": 1, "children": [{}]}"#];
    recursive_enum: Expression, [
        r#"{"not": {"of": {"number": 1}}}"#
    ], [r#"{"not": {"of": {"number": "a"}}}"#, r#"{"add": [{"number": 1}]}"#];
    of_one_name: Forest, [
        r#"{"tree": {"value": 1}, "other": {"branches": []}}"#
    ], [r#"{"tree": {"value": 1}, "other": {"value": 1}}"#];
}

#[tokio::test]
async fn every_root_is_as_the_file_says() -> Tested {
    let session = runtime()?.session(SessionInfo::new("roots"));
    let definitions = session.definitions();
    let mut judged = Judged::default();
    for root in ROOTS {
        let found = definitions.iter().find(|tool| tool.name() == root.name);
        let tool = found.ok_or(root.name)?;
        let rust = root.rust.split_whitespace().collect::<Vec<_>>().join(" ");
        writeln!(judged.text, "{}: {rust}", root.name)?;
        writeln!(judged.text, "  {}", tool.parameters())?;
        let calls = |values: &[&str]| values.iter().map(ToString::to_string).collect();
        let calls = Calls {
            taken: calls(root.taken),
            refused: calls(root.refused),
        };
        judged.judge(&session, tool, calls).await?;
    }
    judged.done("roots.txt")
}

#[test]
fn a_type_that_is_no_object_is_refused_at_start_up() {
    fn tool<T: DeserializeOwned + JsonSchema + Send + 'static>(
        runtime: RuntimeBuilder,
    ) -> RuntimeBuilder {
        let name = format!("takes_{}", T::schema_name().to_lowercase());
        let definition =
            ToolDefinition::new(name, "Takes it").traits(Traits::new().effect(Effect::Read));
        runtime.tool(FnTool::new(definition, |_: T, _| async {}))
    }
    let runtime = [
        tool::<()>,
        tool::<String>,
        tool::<Vec<Place>>,
        tool::<Option<u8>>,
        tool::<Scalar>,
    ]
    .into_iter()
    .fold(Runtime::builder(), |runtime, add| add(runtime));
    let error = runtime
        .build()
        .map(|_| ())
        .map_err(|error| error.to_string());
    let text = error.err().unwrap_or_default();
    assert_eq!(text.matches("are no object").count(), 5, "{text}");
}

#[tokio::test]
async fn a_reference_of_a_schema_by_hand_is_percent_encoded() -> Tested {
    let definition = ToolDefinition::new("draw", "Draws")
        .traits(Traits::new().effect(Effect::Read))
        .arguments_schema(serde_json::json!({
            "type": "object",
            "properties": {"v": {"$ref": "#/$defs/%E5%8D%8A%E5%BE%84"}},
            "$defs": {"半径": {"type": "integer"}},
        }));
    let draw = FnTool::new(definition, |arguments: Value, _: CallContext| async move {
        arguments
    });
    let session = Runtime::builder()
        .tool(draw)
        .build()?
        .session(SessionInfo::new("draw"));
    let refused = session.call("draw", r#"{"v": "a"}"#).await;
    let expected = "error (invalid_arguments): /v: expected an integer, got \"a\"";
    assert_eq!(refused.text(), expected);
    Ok(())
}
