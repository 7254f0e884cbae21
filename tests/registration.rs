//! What is linked, how it is narrowed, and what keeps a runtime from being built.
#![cfg(any(feature = "inventory", feature = "linkme"))]

use chatluna_tool::{
    AllowAll, BuildError, CallContext, Effect, Fault, FnTool, PermissionPolicy, Runtime,
    RuntimeBuilder, SessionInfo, ToolDefinition, Traits, tool, tools,
};

chatluna_tool::link!(linked_tools);

use serde_json::{Value, json};

struct Db;

/// Queries
#[tool(traits(effect = "read"))]
async fn query(sql: String, _db: &Db) -> String {
    sql
}

/// Writes
#[tool(traits(effect = "write"))]
async fn write_note(text: String) {
    let _ = text;
}

/// No traits at all
#[tool]
async fn bare(city: String) -> String {
    city
}

mod first {
    /// One of two
    #[chatluna_tool::tool(traits(effect = "read"))]
    pub async fn twin() {}
}

mod second {
    /// Two of two
    #[chatluna_tool::tool(traits(effect = "read"))]
    pub async fn twin() {}
}

/// Has a name that the runtime keeps
#[tool(name = "tool_search", traits(effect = "read"))]
async fn search() {}

fn names(runtime: &Runtime) -> Vec<String> {
    let definitions = runtime.session(SessionInfo::new("s")).definitions();
    definitions
        .iter()
        .map(|tool| tool.name().to_owned())
        .collect()
}

fn faults(builder: RuntimeBuilder) -> Vec<Fault> {
    builder
        .build()
        .map_or_else(|error| error.faults().to_vec(), |_| Vec::new())
}

fn reading() -> RuntimeBuilder {
    Runtime::builder().collect().only(["greet*", "linked_*"])
}

fn echo(name: &str) -> FnTool<Value, impl Fn(Value, CallContext) -> std::future::Ready<Value>> {
    let definition = ToolDefinition::new(name, "Repeats")
        .traits(Traits::new().effect(Effect::Read))
        .arguments_schema(serde_json::json!({"type": "object"}));
    FnTool::new(definition, |arguments: Value, _| {
        std::future::ready(arguments)
    })
}

#[test]
fn tools_of_a_linked_crate_are_found_and_sorted() -> Result<(), BuildError> {
    let runtime = reading().build()?;
    assert_eq!(names(&runtime), ["greet", "greet_copy", "linked_goodbye"]);
    let origin = runtime
        .registry()
        .get("greet_copy")
        .and_then(|tool| tool.definition().origin());
    let origin = origin.map(|origin| (origin.module, origin.function, origin.krate()));
    assert_eq!(
        origin,
        Some(("linked_tools::copies", "greet", "linked_tools"))
    );
    Ok(())
}

#[test]
fn nothing_is_taken_without_collect() -> Result<(), BuildError> {
    assert!(names(&Runtime::builder().build()?).is_empty());
    Ok(())
}

#[test]
fn without_leaves_out_by_pattern_and_by_crate() -> Result<(), BuildError> {
    let runtime = reading().without("*_copy").build()?;
    assert_eq!(names(&runtime), ["greet", "linked_goodbye"]);
    let runtime = reading()
        .only(["query"])
        .state(Db)
        .without_crate("linked-tools")
        .build()?;
    assert_eq!(names(&runtime), ["query"]);
    Ok(())
}

#[test]
fn rename_and_prefix_change_the_name_the_model_sees() -> Result<(), BuildError> {
    let runtime = reading()
        .rename("linked_tools::copies::greet", "welcome")
        .prefix_crate("linked-tools", "x")
        .build()?;
    assert_eq!(
        names(&runtime),
        ["x_greet", "x_linked_goodbye", "x_welcome"]
    );
    Ok(())
}

#[test]
fn narrowing_comes_before_the_checks() {
    let builder = || {
        Runtime::builder()
            .collect()
            .policy(PermissionPolicy::allow_all())
            .state(Db)
    };
    let found = faults(builder().only(["twin"]));
    assert!(
        matches!(&found[..], [Fault::Duplicate { name, places, .. }] if name == "twin" && places.len() == 2)
    );
    let renamed = builder()
        .only(["twin"])
        .rename("registration::second::twin", "twin_b");
    assert_eq!(faults(renamed), []);
}

#[test]
fn a_line_that_matches_nothing_is_a_fault() {
    let builder = reading()
        .only(["nope_*"])
        .without("nope")
        .without_crate("nope")
        .prefix_crate("nope", "x")
        .rename("nope::f", "g");
    let methods: Vec<&str> = faults(builder)
        .iter()
        .map(|fault| match fault {
            Fault::Idle { method, .. } => *method,
            _ => "another fault",
        })
        .collect();
    let expected = ["only", "without", "without_crate", "prefix_crate", "rename"];
    assert_eq!(methods, expected);
}

#[test]
fn every_fault_comes_at_once_with_its_place_and_its_remedy() {
    let Err(error) = Runtime::builder()
        .collect()
        .without("greet*")
        .without("linked_*")
        .tool(echo("twin"))
        .tool(echo("no name"))
        .build()
    else {
        panic!("built");
    };
    let text = error.to_string();
    // The lines of this file move; all else is compared.
    let text: String = text
        .split(".rs:")
        .enumerate()
        .map(|(index, part)| match index {
            0 => part.to_owned(),
            _ => format!(
                ".rs:_{}",
                part.trim_start_matches(|letter: char| letter.is_ascii_digit())
            ),
        })
        .collect();
    let expected = include_str!("registration.faults.txt");
    assert_eq!(text, expected.trim_end());
    assert_eq!(format!("{error:?}"), error.to_string());
}

#[test]
fn a_tool_without_traits_needs_a_decision_and_the_error_holds_the_line() {
    let bare = || Runtime::builder().collect().only(["bare"]);
    let Err(error) = bare().build() else {
        panic!("built");
    };
    assert!(
        error
            .to_string()
            .contains(".policy(PermissionPolicy::allow_all())"),
        "{error}"
    );
    assert_eq!(faults(bare().policy(PermissionPolicy::allow_all())), []);
    assert_eq!(faults(bare().approver(AllowAll)), []);
}

#[test]
fn state_may_be_shared_or_promised() {
    let query = || Runtime::builder().collect().only(["query"]);
    let missing = faults(query());
    assert!(
        matches!(&missing[..], [Fault::MissingState { tool, type_name, .. }] if tool == "query" && type_name.ends_with("Db"))
    );
    assert_eq!(faults(query().state(Db)), []);
    assert_eq!(faults(query().state(std::sync::Arc::new(Db))), []);
    assert_eq!(faults(query().session_state::<Db>()), []);
    assert_eq!(faults(query().session_state::<std::sync::Arc<Db>>()), []);
}

#[test]
fn a_tool_that_was_expected_has_to_be_there() -> Result<(), BuildError> {
    reading()
        .expect_tools(["greet", "linked_goodbye"])
        .build()?;
    let Err(error) = reading().expect_tools(["gret", "map_route"]).build() else {
        panic!("built");
    };
    assert_eq!(
        error.to_string(),
        "the tool runtime has 2 faults:\n  \
         1. there is no tool `gret`; did you mean `greet`?\n  \
         2. there is no tool `map_route`; link its crate: `chatluna_tool::link!(the_crate);`"
    );
    Ok(())
}

#[test]
fn arguments_that_are_no_object_are_a_fault() {
    let text = ToolDefinition::new("text", "Takes text").traits(Traits::new().effect(Effect::Read));
    let text = FnTool::new(text, |text: String, _| std::future::ready(text));
    let found = faults(Runtime::builder().tool(text));
    assert!(
        matches!(&found[..], [Fault::NotAnObject { tool, .. }] if tool == "text"),
        "{found:?}"
    );
}

#[test]
fn a_reference_to_nothing_is_a_fault() {
    let adrift = ToolDefinition::new("adrift", "Takes what nobody defines")
        .traits(Traits::new().effect(Effect::Read))
        .arguments_schema(json!({
            "type": "object",
            "properties": {"value": {"$ref": "#/$defs/Gone"}, "same": {"$ref": "#/$defs/Here"}},
            "$defs": {"Here": {"type": "string"}},
        }));
    let adrift = FnTool::new(adrift, |value: Value, _| std::future::ready(value));
    let found = faults(Runtime::builder().tool(adrift));
    let texts: Vec<String> = found.iter().map(Fault::to_string).collect();
    assert_eq!(
        texts,
        [
            "`$ref: #/$defs/Gone` at /properties/value of `adrift` leads to nothing in the schema; \
         put what it means under the `$defs` of the root"
        ]
    );
}

#[test]
fn tools_can_be_named_one_by_one() -> Result<(), BuildError> {
    let named = || Runtime::builder().tools(tools![linked_tools::greet, first::twin]);
    assert_eq!(names(&named().build()?), ["greet", "twin"]);
    assert_eq!(names(&named().without("twin").build()?), ["greet"]);
    assert_eq!(
        names(&reading().tools(tools![linked_tools::greet]).build()?).len(),
        3
    );
    Ok(())
}

#[test]
fn a_report_tells_what_is_there_and_what_is_questionable() -> Result<(), BuildError> {
    let strict = ToolDefinition::new("strict", "Promises a lot")
        .traits(Traits::new().effect(Effect::Read))
        .arguments_schema(serde_json::json!({"type": "object", "properties": {
            "byte": {"type": "integer", "minimum": 0, "maximum": 255, "description": "fine"},
            "code": {"type": "string", "pattern": "^a", "minLength": 1, "maxLength": 1, "description": "a"},
            "list": {"type": "array", "items": {"type": "number", "minimum": 0}, "contains": {"const": 1}, "description": "b"},
        }}));
    let strict = FnTool::new(strict, |arguments: Value, _| std::future::ready(arguments));
    let runtime = Runtime::builder()
        .tools(tools![linked_tools::greet, wrapped])
        .tool(strict)
        .build()?;
    let report = runtime.registry().report();
    let lints: Vec<String> = report.lints.iter().map(ToString::to_string).collect();
    assert_eq!(
        lints,
        [
            "greet: the argument `name` has no description; write a doc comment on it",
            "strict: the schema promises `contains` at /list and nothing checks it; check it in the tool, or switch the feature `validate` on",
            "wrapped: the only argument, `args`, is a struct, so the model has to write `{\"args\": {..}}`; take its fields as arguments",
        ]
    );
    let text = report.to_string();
    let first = "greet: linked_tools::greet (tests/linked/src/lib.rs:7)\nstrict: added at run time\nwrapped: registration::wrapped (tests/registration.rs:";
    assert!(text.starts_with(first), "{text}");
    Ok(())
}

#[chatluna_tool::tool_type]
struct Args {
    city: String,
}

/// Takes a struct
#[tool(traits(effect = "read"))]
async fn wrapped(
    /// All of them
    args: Args,
) -> String {
    args.city
}

#[test]
fn an_allow_rule_with_a_bare_star_is_refused() {
    let policy = PermissionPolicy::new().allow("*");
    assert_eq!(faults(reading().policy(policy)), [Fault::BareAllow]);
    assert_eq!(
        faults(reading().policy(PermissionPolicy::new().allow("tool:*"))),
        []
    );
}

#[test]
fn the_same_tools_give_the_same_bytes() -> Result<(), BuildError> {
    let bytes = |runtime: Runtime| {
        let session = runtime.session(SessionInfo::new("s"));
        chatluna_tool::openai::tools(&session.definitions()).to_string()
    };
    let forwards = bytes(Runtime::builder().tool(echo("a")).tool(echo("b")).build()?);
    let backwards = bytes(Runtime::builder().tool(echo("b")).tool(echo("a")).build()?);
    assert_eq!(forwards, backwards);
    Ok(())
}
