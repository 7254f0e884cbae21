//! What `#[arg(..)]` means while a program runs.
//!
//! The registrations are written by hand, in the shape that `#[tool]` generates: this file is where
//! that shape can be read.

use chatluna_tool::__private::{
    Bound, Decode, Details, Hints, Hooks, Length, Literal, Origin, Range, ToolRegistration,
    asynchronous, filled, filled_or, json, key_of, parameter, parameter_as, parameter_or,
    parameter_with, parameter_with_or, prepared, schemars, serde,
};
use chatluna_tool::testing::ScriptedApprover;
use chatluna_tool::{
    Answer, BuildError, Effect, IntoToolOutput, PermissionPolicy, Role, Runtime, Session,
    SessionInfo, ToolDefinition, Traits, tool_type,
};
use serde_json::{Value, json};

/// What the tools of this file have in common.
const BASE: ToolRegistration = ToolRegistration {
    action: "tool:base",
    title: None,
    description: "Repeats its arguments",
    traits: Traits::new().parallel().effect(Effect::Read),
    parameters: &[],
    hints: None,
    needed: &[],
    output_schema: |_| None,
    visibility: None,
    prepare: |_| prepared((), const { &echo() }),
    origin: Origin::new("arguments", "base", "tests/arguments.rs", 1, 1),
};

/// Hooks of a tool that repeats its arguments.
const fn echo<A: std::fmt::Debug + Send + 'static>() -> Hooks<A> {
    Hooks {
        permission: None,
        key: None,
        run: |arguments, _| {
            asynchronous(async move { format!("{arguments:?}").into_tool_output() })
        },
    }
}

/// The integer bounds of a range, as `#[arg(range(A..=B))]` gives them.
const fn within(min: i64, max: i64) -> Range {
    Range::new(
        Some(Bound::new(min as i128, min as f64)),
        Some(Bound::new(max as i128, max as f64)),
    )
}

// #[tool]
// async fn forecast(
//     /// The city
//     #[arg(length(1..=8), pattern = "^[A-Z]", example = "Oslo")]
//     city: String,
//     #[arg(default = 1, range(1..=14), alias = "count", alias = "number")]
//     days: u8,
//     #[arg(default = "metric")]
//     units: String,
//     #[arg(length(..=2))]
//     tags: Option<Vec<String>>,
// )
#[derive(Debug)]
#[expect(dead_code, reason = "`Debug` is what reads it")]
struct Forecast {
    city: String,
    days: u8,
    units: String,
    tags: Option<Vec<String>>,
}

static FORECAST: ToolRegistration = ToolRegistration {
    action: "tool:forecast",
    parameters: &[
        parameter::<String>("city", "The city").details(
            const {
                &Details::new()
                    .length(Length::new(Some(1), Some(8)))
                    .pattern("^[A-Z]")
                    .examples(&[|| json("Oslo")])
            },
        ),
        parameter_or::<u8>("days", "").details(
            const {
                &Details::new()
                    .aliases(&["count", "number"])
                    .default_value(Literal::Integer(1))
                    .range(within(1, 14))
            },
        ),
        parameter_or::<String>("units", "")
            .details(const { &Details::new().default_value(Literal::Text("metric")) }),
        parameter::<Option<Vec<String>>>("tags", "")
            .details(const { &Details::new().length(Length::new(None, Some(2))) }),
    ],
    prepare: |input| {
        let mut slot_0 = None::<String>;
        let mut slot_1 = None::<u8>;
        let mut slot_2 = None::<String>;
        let mut slot_3 = None::<Option<Vec<String>>>;
        input.read(&mut [&mut slot_0, &mut slot_1, &mut slot_2, &mut slot_3])?;
        let arguments = Forecast {
            city: filled(slot_0)?,
            days: filled_or(slot_1, || 1),
            units: filled_or(slot_2, || "metric".into()),
            tags: filled(slot_3)?,
        };
        prepared(arguments, const { &echo() })
    },
    ..BASE
};

fn session(tools: &[&'static ToolRegistration]) -> Result<Session, BuildError> {
    let runtime = Runtime::builder().tools(tools.iter().copied()).build()?;
    Ok(runtime.session(SessionInfo::new("s")))
}

fn definition(tool: &'static ToolRegistration) -> Result<ToolDefinition, BuildError> {
    Ok(session(&[tool])?.definitions().remove(0))
}

/// The answer to a call of the one tool.
async fn answer(tool: &'static ToolRegistration, arguments: &str) -> Result<String, BuildError> {
    let name = tool.action.trim_start_matches("tool:");
    let result = session(&[tool])?.call(name, arguments).await;
    Ok(result.text().into_owned())
}

async fn errors(tool: &'static ToolRegistration, arguments: &str) -> Result<String, BuildError> {
    let text = answer(tool, arguments).await?;
    let error = text.strip_prefix("error (invalid_arguments): ");
    Ok(error.map_or_else(|| format!("no error: {text}"), str::to_owned))
}

fn faults(tool: &'static ToolRegistration) -> String {
    match Runtime::builder().tools([tool]).build() {
        Ok(_) => "none".to_owned(),
        Err(error) => error.to_string(),
    }
}

#[test]
fn details_are_in_the_schema() -> Result<(), BuildError> {
    let expected = json!({
        "type": "object",
        "properties": {
            "city": {
                "description": "The city",
                "type": "string",
                "minLength": 1,
                "maxLength": 8,
                "pattern": "^[A-Z]",
                "examples": ["Oslo"],
            },
            "days": {"type": "integer", "minimum": 1, "maximum": 14, "default": 1},
            "units": {"type": "string", "default": "metric"},
            "tags": {"type": "array", "items": {"type": "string"}, "maxItems": 2},
        },
        "required": ["city"],
        "additionalProperties": false,
    });
    assert_eq!(*definition(&FORECAST)?.parameters(), expected);
    Ok(())
}

#[tokio::test]
async fn a_default_stands_for_what_is_missing_or_null() -> Result<(), BuildError> {
    let expected = r#"Forecast { city: "Oslo", days: 1, units: "metric", tags: None }"#;
    for arguments in [
        r#"{"city": "Oslo"}"#,
        r#"{"city": "Oslo", "days": null, "units": null, "tags": null}"#,
    ] {
        assert_eq!(answer(&FORECAST, arguments).await?, expected);
    }
    let given = answer(
        &FORECAST,
        r#"{"city": "Oslo", "days": 2, "units": "us", "tags": []}"#,
    );
    let expected = r#"Forecast { city: "Oslo", days: 2, units: "us", tags: Some([]) }"#;
    assert_eq!(given.await?, expected);
    Ok(())
}

#[tokio::test]
async fn an_alias_is_another_name_and_not_another_argument() -> Result<(), BuildError> {
    let given = answer(&FORECAST, r#"{"city": "Oslo", "number": 3}"#).await?;
    assert!(given.contains("days: 3"), "{given}");
    let twice = errors(&FORECAST, r#"{"city": "Oslo", "days": 3, "count": 3}"#).await?;
    assert_eq!(twice, "/count: is given twice");
    let wrong = errors(&FORECAST, r#"{"city": "Oslo", "count": "x"}"#).await?;
    assert_eq!(wrong, r#"/count: expected an integer, got "x""#);
    Ok(())
}

#[tokio::test]
async fn constraints_are_enforced_all_at_once() -> Result<(), BuildError> {
    let found = errors(
        &FORECAST,
        r#"{"city": "elsewhere", "days": 20, "tags": ["a", "b", "c"], "colour": 1}"#,
    );
    let expected = "\
/city: must have between 1 and 8 characters, has 9
/city: must match the pattern ^[A-Z], got \"elsewhere\"
/days: must be between 1 and 14, got 20
/tags: must have at most 2 items, has 3
/colour: there is no such argument";
    assert_eq!(found.await?, expected);
    // Characters, not bytes.
    let given = answer(&FORECAST, r#"{"city": "Tromsø-å"}"#).await?;
    assert!(given.starts_with("Forecast"), "{given}");
    Ok(())
}

// #[tool]
// async fn measured(
//     #[arg(range(0..=1_000))] byte: u8,
//     #[arg(range(..=0.5))] ratio: Option<f64>,
//     #[arg(range(9_007_199_254_740_993..))] big: u64,
//     #[arg(length(1..=1))] map: BTreeMap<String, u8>,
//     #[arg(length(2..))] anything: Value,
// )
type Counts = std::collections::BTreeMap<String, u8>;

static MEASURED: ToolRegistration = ToolRegistration {
    action: "tool:measured",
    parameters: &[
        parameter_or::<u8>("byte", "").details(const { &Details::new().range(within(2, 1_000)) }),
        parameter::<Option<f64>>("ratio", "").details(
            const { &Details::new().range(Range::new(None, Some(Bound::new(0.5 as i128, 0.5)))) },
        ),
        parameter_or::<u64>("big", "").details(
            const {
                &Details::new().range(Range::new(
                    Some(Bound::new(
                        9_007_199_254_740_993,
                        9_007_199_254_740_993_i64 as f64,
                    )),
                    None,
                ))
            },
        ),
        parameter_or::<Counts>("map", "")
            .details(const { &Details::new().length(Length::new(Some(1), Some(1))) }),
        parameter_or::<Value>("anything", "")
            .details(const { &Details::new().length(Length::new(Some(2), None)) }),
    ],
    prepare: |input| {
        let mut slot_0 = None::<u8>;
        let mut slot_1 = None::<Option<f64>>;
        let mut slot_2 = None::<u64>;
        let mut slot_3 = None::<Counts>;
        let mut slot_4 = None::<Value>;
        input.read(&mut [
            &mut slot_0,
            &mut slot_1,
            &mut slot_2,
            &mut slot_3,
            &mut slot_4,
        ])?;
        prepared((slot_0, slot_1, slot_2), const { &echo() })
    },
    ..BASE
};

#[test]
fn the_tighter_bound_stays() -> Result<(), BuildError> {
    let tool = definition(&MEASURED)?;
    let properties = &tool.parameters()["properties"];
    assert_eq!(
        properties["byte"],
        json!({"type": "integer", "minimum": 2, "maximum": 255})
    );
    assert_eq!(
        properties["ratio"],
        json!({"type": "number", "maximum": 0.5})
    );
    assert_eq!(properties["big"]["minimum"], 9_007_199_254_740_993_u64);
    assert_eq!(
        (
            &properties["map"]["minProperties"],
            &properties["map"]["maxProperties"]
        ),
        (&json!(1), &json!(1))
    );
    assert_eq!(
        properties["anything"],
        json!({
            "type": ["string", "number", "boolean", "object", "array"],
            "minLength": 2,
            "minItems": 2,
            "minProperties": 2,
        })
    );
    Ok(())
}

#[tokio::test]
async fn bounds_are_said_in_words() -> Result<(), BuildError> {
    for (arguments, expected) in [
        (r#"{"byte": 1}"#, "/byte: must be between 2 and 255, got 1"),
        (
            r#"{"ratio": 0.75}"#,
            "/ratio: must be at most 0.5, got 0.75",
        ),
        (
            r#"{"big": 9007199254740992}"#,
            "/big: must be at least 9007199254740993, got 9007199254740992",
        ),
        (r#"{"map": {}}"#, "/map: must have exactly 1 key, has 0"),
        (
            r#"{"anything": "a"}"#,
            "/anything: must have at least 2 characters, has 1",
        ),
        (
            r#"{"anything": [1]}"#,
            "/anything: must have at least 2 items, has 1",
        ),
    ] {
        assert_eq!(errors(&MEASURED, arguments).await?, expected);
    }
    let given = answer(&MEASURED, r#"{"ratio": null, "anything": 1}"#).await?;
    assert_eq!(given, "(None, Some(None), None)");
    Ok(())
}

#[test]
fn what_is_enforced_is_no_lint() -> Result<(), BuildError> {
    let runtime = Runtime::builder().tools([&FORECAST, &MEASURED]).build()?;
    let lints = runtime.registry().report().lints;
    let lints: Vec<String> = lints.iter().map(ToString::to_string).collect();
    let promises = lints.iter().filter(|lint| lint.contains("promises"));
    assert_eq!(promises.count(), 0, "{lints:?}");
    Ok(())
}

// #[tool]
// async fn timed(
//     #[serde(with = "seconds")] #[schemars(with = "f64")] wait: Duration,
//     #[arg(default)] #[serde(deserialize_with = "seconds::deserialize")] #[schemars(with = "f64")]
//     pause: Duration,
// )
struct Seconds;

impl Decode for Seconds {
    type Value = std::time::Duration;

    fn decode<'de, D: serde::Deserializer<'de>>(value: D) -> Result<Self::Value, D::Error> {
        let seconds = <f64 as serde::Deserialize>::deserialize(value)?;
        std::time::Duration::try_from_secs_f64(seconds).map_err(serde::de::Error::custom)
    }
}

static TIMED: ToolRegistration = ToolRegistration {
    action: "tool:timed",
    parameters: &[
        parameter_with::<Seconds>(
            "wait",
            "How long",
            <f64 as schemars::JsonSchema>::json_schema,
        ),
        parameter_with_or::<Seconds>("pause", "", <f64 as schemars::JsonSchema>::json_schema),
    ],
    prepare: |input| {
        let mut slot_0 = None::<<Seconds as Decode>::Value>;
        let mut slot_1 = None::<<Seconds as Decode>::Value>;
        input.read(&mut [&mut slot_0, &mut slot_1])?;
        let pause = filled_or(slot_1, Default::default);
        prepared((filled(slot_0)?, pause), const { &echo() })
    },
    ..BASE
};

#[tokio::test]
async fn a_function_of_the_users_decodes() -> Result<(), BuildError> {
    let tool = definition(&TIMED)?;
    assert_eq!(
        tool.parameters()["properties"]["wait"],
        json!({"description": "How long", "type": "number"})
    );
    assert_eq!(tool.parameters()["required"], json!(["wait"]));
    for (arguments, expected) in [
        (r#"{"wait": 1.5, "pause": 2}"#, "(1.5s, 2s)"),
        (r#"{"wait": 1.5, "pause": null}"#, "(1.5s, 0ns)"),
        (r#"{"wait": 1.5}"#, "(1.5s, 0ns)"),
    ] {
        assert_eq!(answer(&TIMED, arguments).await?, expected);
    }
    let found = errors(&TIMED, r#"{"pause": "x"}"#).await?;
    let expected = "\
/pause: expected a number, got \"x\"
/wait: is required and missing";
    assert_eq!(found, expected);
    Ok(())
}

// #[tool]
// async fn login(
//     user: String,
//     #[arg(secret, alias = "password", length(..=4), pattern = "^[a-z]*$")] token: String,
//     #[arg(secret, range(..=9))] pin: Option<u8>,
//     #[arg(multiline)] note: Option<String>,
// )
static LOGIN: ToolRegistration = ToolRegistration {
    action: "tool:login",
    parameters: &[
        parameter::<String>("user", ""),
        parameter::<String>("token", "").details(
            const {
                &Details::new()
                    .aliases(&["password"])
                    .length(Length::new(None, Some(4)))
                    .pattern("^[a-z]*$")
                    .role(Role::Secret)
            },
        ),
        parameter::<Option<u8>>("pin", "")
            .details(const { &Details::new().range(within(0, 9)).role(Role::Secret) }),
        parameter::<Option<String>>("note", "")
            .details(const { &Details::new().role(Role::Multiline) }),
    ],
    prepare: |input| {
        let mut slot_0 = None::<String>;
        let mut slot_1 = None::<String>;
        let mut slot_2 = None::<Option<u8>>;
        let mut slot_3 = None::<Option<String>>;
        input.read(&mut [&mut slot_0, &mut slot_1, &mut slot_2, &mut slot_3])?;
        prepared((filled(slot_0)?, filled(slot_1)?), const { &echo() })
    },
    ..BASE
};

#[test]
fn roles_are_for_people_only() -> Result<(), BuildError> {
    let tool = definition(&LOGIN)?;
    assert_eq!(tool.role("token"), Some(Role::Secret));
    assert_eq!(tool.role("note"), Some(Role::Multiline));
    assert_eq!(tool.role("user"), None);
    assert_eq!(tool.role("nothing"), None);
    let schema = tool.parameters().to_string();
    assert!(
        !schema.contains("secret") && !schema.contains("multiline"),
        "{schema}"
    );
    Ok(())
}

#[tokio::test]
async fn no_error_tells_a_secret() -> Result<(), BuildError> {
    for (arguments, expected) in [
        (
            r#"{"user": "li", "token": {"hunter2": 1}, "pin": "hunter2"}"#,
            "/token: expected a string (its value is secret)\n\
             /pin: expected an integer (its value is secret)",
        ),
        (
            r#"{"user": "li", "password": "hunter2", "pin": 99}"#,
            "/password: must have at most 4 characters (its value is secret)\n\
             /password: must match the pattern ^[a-z]*$ (its value is secret)\n\
             /pin: must be between 0 and 9 (its value is secret)",
        ),
    ] {
        assert_eq!(errors(&LOGIN, arguments).await?, expected);
    }
    let given = answer(&LOGIN, r#"{"user": "li", "token": "abcd"}"#).await?;
    assert_eq!(given, r#"("li", "abcd")"#);
    Ok(())
}

#[tokio::test]
async fn an_approver_is_not_shown_a_secret() -> Result<(), BuildError> {
    let approver = ScriptedApprover::new([Answer::Once, Answer::Once]);
    let session = Runtime::builder()
        .tools([&LOGIN, &FORECAST])
        .policy(PermissionPolicy::new().ask("tool:*"))
        .approver(approver.clone())
        .build()?
        .session(SessionInfo::new("s"));
    let result = session.call("login", r#"{"password": "abcd", "user": "li"}"#);
    assert_eq!(result.await.text(), r#"("li", "abcd")"#);
    session.call("forecast", r#"{ "city": "Oslo" }"#).await;
    let questions = approver.questions();
    let shown: Vec<_> = questions
        .iter()
        .map(|question| question.arguments())
        .collect();
    let expected = [r#"{"password":"***","user":"li"}"#, r#"{ "city": "Oslo" }"#];
    assert_eq!(shown, expected.map(Some));
    assert!(!format!("{questions:?}").contains("abcd"));
    Ok(())
}

static MISFITS: ToolRegistration = ToolRegistration {
    action: "tool:misfits",
    parameters: &[
        parameter::<String>("text", "").details(const { &Details::new().range(within(1, 2)) }),
        parameter::<Option<u8>>("number", "").details(
            const {
                &Details::new()
                    .length(Length::new(Some(1), None))
                    .pattern("[")
            },
        ),
        // Nothing is known of its type.
        parameter::<Value>("anything", "").details(const { &Details::new().range(within(1, 2)) }),
    ],
    ..BASE
};

#[test]
fn a_constraint_fits_its_argument() {
    let expected = "\
the tool runtime has 4 faults:
  1. the pattern of the argument `number` of `misfits` is no regular expression (found unclosed character class): arguments::base (tests/arguments.rs:1); correct it
  2. `range` on the argument `text` of `misfits` means nothing for its type, string: arguments::base (tests/arguments.rs:1); remove it or change the type
  3. `length` on the argument `number` of `misfits` means nothing for its type, integer: arguments::base (tests/arguments.rs:1); remove it or change the type
  4. `pattern` on the argument `number` of `misfits` means nothing for its type, integer: arguments::base (tests/arguments.rs:1); remove it or change the type";
    assert_eq!(faults(&MISFITS), expected);
}

/// Where it goes
#[tool_type]
#[derive(Debug)]
struct Target {
    /// The environment
    env: String,
    /// How many machines
    #[serde(default)]
    machines: u8,
    next: Option<Box<Target>>,
}

// #[tool]
// async fn deploy(
//     version: String,
//     #[arg(flatten)] target: Target,
//     #[arg(alias = "careful")] dry: Option<bool>,
// )
static DEPLOY: ToolRegistration = ToolRegistration {
    action: "tool:deploy",
    parameters: &[
        parameter::<String>("version", "What"),
        parameter::<Target>("target", "not shown").details(const { &Details::new().flattened() }),
        parameter::<Option<bool>>("dry", "Whether only to look")
            .details(const { &Details::new().aliases(&["careful"]) }),
    ],
    prepare: |input| {
        let mut slot_0 = None::<String>;
        let mut slot_1 = None::<Target>;
        let mut slot_2 = None::<Option<bool>>;
        input.read(&mut [&mut slot_0, &mut slot_1, &mut slot_2])?;
        let arguments = (filled(slot_0)?, filled(slot_1)?, filled(slot_2)?);
        prepared(arguments, const { &echo() })
    },
    ..BASE
};

#[test]
fn the_fields_of_a_flattened_struct_are_arguments() -> Result<(), BuildError> {
    let tool = definition(&DEPLOY)?;
    let schema = tool.parameters();
    let properties = schema["properties"].as_object().into_iter().flatten();
    let names: Vec<_> = properties.map(|(name, _)| name).collect();
    assert_eq!(names, ["version", "env", "machines", "next", "dry"]);
    assert_eq!(
        schema["properties"]["env"],
        json!({"description": "The environment", "type": "string"})
    );
    assert_eq!(schema["required"], json!(["version", "env"]));
    assert_eq!(schema["additionalProperties"], false);
    assert!(!schema.to_string().contains("not shown"));
    assert!(schema["$defs"].get("Target").is_some(), "{schema}");
    let runtime = Runtime::builder().tools([&DEPLOY]).build()?;
    assert_eq!(runtime.registry().report().lints, []);
    Ok(())
}

#[tokio::test]
async fn a_flattened_struct_gets_the_keys_of_no_other_argument() -> Result<(), BuildError> {
    for (arguments, expected) in [
        (
            r#"{"env": "a\"b", "version": "1", "machines": 3, "careful": true}"#,
            r#"("1", Target { env: "a\"b", machines: 3, next: None }, Some(true))"#,
        ),
        (
            r#"{"version":"1","\u0065nv":"x","next":{"env":"y"}}"#,
            r#"("1", Target { env: "x", machines: 0, next: Some(Target { env: "y", machines: 0, next: None }) }, None)"#,
        ),
    ] {
        assert_eq!(answer(&DEPLOY, arguments).await?, expected);
    }
    Ok(())
}

#[tokio::test]
async fn problems_of_a_flattened_struct_come_with_all_others() -> Result<(), BuildError> {
    for (arguments, expected) in [
        (
            "{}",
            "/version: is required and missing\n/env: is required and missing",
        ),
        (
            r#"{"version": 1, "env": "x", "machine": 2, "target": {}}"#,
            "/version: expected a string, got 1\n\
             /machine: there is no such argument; did you mean `machines`?\n\
             /target: there is no such argument",
        ),
        (
            r#"{"version": "1", "env": "x", "env": "y", "machines": -1}"#,
            "/env: is given twice\ninvalid value: integer `-1`, expected u8",
        ),
    ] {
        assert_eq!(errors(&DEPLOY, arguments).await?, expected);
    }
    let text = answer(&DEPLOY, r#"{"version": "1", "env": "x""#).await?;
    assert!(text.starts_with("error (malformed_arguments)"), "{text}");
    Ok(())
}

// #[tool] async fn whole(#[arg(flatten)] args: Target)
static WHOLE: ToolRegistration = ToolRegistration {
    action: "tool:whole",
    parameters: &[parameter::<Target>("args", "").details(const { &Details::new().flattened() })],
    prepare: |input| {
        let mut slot_0 = None::<Target>;
        input.read(&mut [&mut slot_0])?;
        prepared(filled(slot_0)?, const { &echo() })
    },
    ..BASE
};

// #[tool] async fn open(name: String, #[arg(flatten)] rest: Option<Counts>)
static OPEN: ToolRegistration = ToolRegistration {
    action: "tool:open",
    parameters: &[
        parameter::<String>("name", ""),
        parameter::<Option<Counts>>("rest", "").details(const { &Details::new().flattened() }),
    ],
    prepare: |input| {
        let mut slot_0 = None::<String>;
        let mut slot_1 = None::<Option<Counts>>;
        input.read(&mut [&mut slot_0, &mut slot_1])?;
        prepared((filled(slot_0)?, filled(slot_1)?), const { &echo() })
    },
    ..BASE
};

#[tokio::test]
async fn a_flattened_struct_alone_is_the_whole_object() -> Result<(), BuildError> {
    let given = answer(&WHOLE, r#"{"env": "x"}"#).await?;
    assert_eq!(given, r#"Target { env: "x", machines: 0, next: None }"#);
    assert_eq!(errors(&WHOLE, "").await?, "/env: is required and missing");
    Ok(())
}

#[tokio::test]
async fn a_flattened_map_takes_any_key() -> Result<(), BuildError> {
    let tool = definition(&OPEN)?;
    assert_eq!(tool.parameters()["additionalProperties"]["type"], "integer");
    for (arguments, expected) in [
        (r#"{"name": "n", "a": 1}"#, r#"("n", Some({"a": 1}))"#),
        (r#"{"name": "n", "rest": 1}"#, r#"("n", Some({"rest": 1}))"#),
        (r#"{"name": "n"}"#, r#"("n", None)"#),
    ] {
        assert_eq!(answer(&OPEN, arguments).await?, expected);
    }
    let found = errors(&OPEN, r#"{"name": "n", "a": "x"}"#).await?;
    assert_eq!(found, r#"/a: expected an integer, got "x""#);
    Ok(())
}

static NOT_FLAT: ToolRegistration = ToolRegistration {
    action: "tool:not_flat",
    parameters: &[parameter::<Value>("any", "").details(const { &Details::new().flattened() })],
    ..BASE
};

static SHARED: ToolRegistration = ToolRegistration {
    action: "tool:shared",
    parameters: &[
        parameter::<String>("env", ""),
        parameter::<String>("place", "").details(const { &Details::new().aliases(&["next"]) }),
        parameter::<Target>("target", "").details(const { &Details::new().flattened() }),
    ],
    ..BASE
};

#[test]
fn a_flattened_type_has_keys_and_they_are_its_own() {
    let expected = "\
the tool runtime has a fault:
  1. the type of the flattened argument `any` of `not_flat` does not say its keys, as a struct or a map would: arguments::base (tests/arguments.rs:1); change it or remove `flatten`";
    assert_eq!(faults(&NOT_FLAT), expected);
    let expected = "\
the tool runtime has 2 faults:
  1. `env` of `shared` is an argument and also a field of the flattened `target`: arguments::base (tests/arguments.rs:1); rename one of them
  2. `next` of `shared` is an argument and also a field of the flattened `target`: arguments::base (tests/arguments.rs:1); rename one of them";
    assert_eq!(faults(&SHARED), expected);
}

// #[tool(traits(parallel, effect = "read", key = account))]
// async fn transfer(account: u32)
#[derive(Debug)]
struct Transfer {
    account: u32,
}

static TRANSFER: ToolRegistration = TRANSFER_ROW;

const TRANSFER_ROW: ToolRegistration = ToolRegistration {
    action: "tool:transfer",
    parameters: &[parameter::<u32>("account", "")],
    prepare: |input| {
        let mut slot_0 = None::<u32>;
        input.read(&mut [&mut slot_0])?;
        let arguments = Transfer {
            account: filled(slot_0)?,
        };
        prepared(
            arguments,
            const {
                &Hooks::<Transfer> {
                    key: Some(|arguments| key_of(arguments, |arguments| &arguments.account)),
                    ..echo()
                }
            },
        )
    },
    ..BASE
};

#[test]
fn a_key_is_the_text_of_an_argument() -> Result<(), Box<dyn std::error::Error>> {
    let runtime = Runtime::builder()
        .tools([&TRANSFER, &OPEN, &WHOLE])
        .build()?;
    let key = |name, arguments: &str| -> Result<_, Box<dyn std::error::Error>> {
        let registry = runtime.registry();
        let tool = registry.get(name).ok_or("no such tool")?;
        Ok(tool.clone().prepare(&arguments.into())?.key())
    };
    assert_eq!(key("transfer", r#"{"account": 7}"#)?.as_deref(), Some("7"));
    assert_eq!(key("open", r#"{"name": "n"}"#)?, None);
    Ok(())
}

// #[tool(example = r#"{"account": 7}"#, example = "no JSON")]
static SHOWN: ToolRegistration = ToolRegistration {
    action: "tool:shown",
    hints: Some(const { &Hints::new().examples(&[r#"{"account": 7}"#, "no JSON"]) }),
    ..TRANSFER_ROW
};

#[test]
fn models_are_shown_examples() -> Result<(), BuildError> {
    let tool = definition(&SHOWN)?;
    assert_eq!(tool.examples(), [json!({"account": 7})]);
    let schema = json!({
        "type": "object",
        "properties": {"account": {"type": "integer", "minimum": 0}},
        "required": ["account"],
        "additionalProperties": false,
        "examples": [{"account": 7}],
    });
    assert_eq!(*tool.parameters(), schema);
    assert_eq!(definition(&TRANSFER)?.examples(), [] as [Value; 0]);
    Ok(())
}

// #[tool(example = r#"{"account": -7, "to": 1}"#, example = "[]", example = "no JSON")]
// async fn unsound(
//     #[arg(default = 9, range(..=8), example = 8, example = "x", example = 9)] account: u32,
//     #[arg(pattern = "[")] code: String,
// )
static UNSOUND: ToolRegistration = ToolRegistration {
    action: "tool:unsound",
    hints: Some(
        const { &Hints::new().examples(&[r#"{"account": -7, "to": 1}"#, "[]", "no JSON"]) },
    ),
    parameters: &[
        parameter_or::<u32>("account", "").details(
            const {
                &Details::new()
                    .default_value(Literal::Integer(9))
                    .range(within(0, 8))
                    .examples(&[|| json(&8), || json("x"), || json(&9), || panic!("example")])
            },
        ),
        parameter::<String>("code", "").details(const { &Details::new().pattern("[") }),
    ],
    prepare: |input| {
        let mut slot_0 = None::<u32>;
        let mut slot_1 = None::<String>;
        input.read(&mut [&mut slot_0, &mut slot_1])?;
        prepared((slot_0, filled(slot_1)?), const { &echo() })
    },
    ..BASE
};

// #[tool(description = EMPTY)]
// async fn adrift(#[schemars(schema_with = "adrift_schema")] value: String)
static ADRIFT: ToolRegistration = ToolRegistration {
    action: "tool:adrift",
    description: "",
    parameters: &[parameter_as::<String>(
        "value",
        "",
        |_| schemars::json_schema!({"anyOf": [{"$ref": "#/$defs/Gone"}]}),
    )],
    ..BASE
};

#[cfg(any(feature = "inventory", feature = "linkme"))]
mod checked {
    use super::*;

    const _: () = {
        chatluna_tool::__private::register!(&FORECAST);
    };
    const _: () = {
        chatluna_tool::__private::register!(&DEPLOY);
    };
    const _: () = {
        chatluna_tool::__private::register!(&UNSOUND);
    };
    const _: () = {
        chatluna_tool::__private::register!(&ADRIFT);
    };

    #[test]
    fn all_that_is_wrong_with_linked_tools_is_found_at_once() {
        let Err(panic) = std::panic::catch_unwind(chatluna_tool::testing::check_all) else {
            panic!("nothing was found");
        };
        let expected = "\
the linked tools have faults:
  1. `adrift` has no description: arguments::base (tests/arguments.rs:1); say what it does: models choose tools by that
  2. `$ref: #/$defs/Gone` at /properties/value/anyOf/0 of `adrift` leads to nothing in the schema: arguments::base (tests/arguments.rs:1); put what it means under the `$defs` of the root
  3. the pattern of the argument `code` of `unsound` is no regular expression (found unclosed character class): arguments::base (tests/arguments.rs:1); correct it
  4. the schema of `unsound` fails: arguments::base (tests/arguments.rs:1)
      it panicked: example
  5. the example `{\"account\": -7, \"to\": 1}` of `unsound` fails: arguments::base (tests/arguments.rs:1)
      /account: invalid value: integer `-7`, expected u32
      /to: there is no such argument
      /code: is required and missing
  6. the example `[]` of `unsound` fails: arguments::base (tests/arguments.rs:1)
      the arguments must be a JSON object, not an array; nothing was run
  7. the example `no JSON` of `unsound` fails: arguments::base (tests/arguments.rs:1)
      it is not JSON: expected ident at line 1 column 2
  8. example 2 of the argument `account` of `unsound` fails: arguments::base (tests/arguments.rs:1)
      /account: invalid type: string \"x\", expected u32
  9. example 3 of the argument `account` of `unsound` fails: arguments::base (tests/arguments.rs:1)
      /account: must be between 0 and 8, got 9
  10. example 4 of the argument `account` of `unsound` fails: arguments::base (tests/arguments.rs:1)
      it panicked: example
  11. the default of the argument `account` of `unsound` fails: arguments::base (tests/arguments.rs:1)
      /account: must be between 0 and 8, got 9";
        assert_eq!(
            panic.downcast_ref::<String>().map(String::as_str),
            Some(expected)
        );
    }
}
