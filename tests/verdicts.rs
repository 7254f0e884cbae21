//! Random schemas and values: what a tool accepts is what `jsonschema` accepts, and what is
//! repaired is something that `jsonschema` accepts.

use chatluna_tool::{
    CallContext, Effect, FnTool, Json, Runtime, Session, SessionInfo, ToolDefinition, Traits,
};
use fastrand::Rng;
use serde_json::{Map, Value, json};
use std::error::Error;

const SCHEMAS: u64 = 2_000;
const VALUES: usize = 12;

#[tokio::test]
async fn the_verdict_is_that_of_jsonschema() -> Result<(), Box<dyn Error>> {
    let (mut valid, mut repaired, mut refused) = (0, 0, 0);
    for seed in 0..SCHEMAS {
        let mut random = Rng::with_seed(seed);
        let schema = root(&mut random);
        let oracle = jsonschema::validator_for(&schema)?;
        let session = session(&schema)?;
        for _ in 0..VALUES {
            let arguments = json!({"v": value(&mut random, &schema["properties"]["v"], 3)});
            let result = session.call("echo", arguments.clone()).await;
            let case = format!("seed {seed}\n{schema}\n{arguments}\n{}", result.text());
            let read = result.structured();
            assert_eq!(result.error().is_none(), read.is_some(), "{case}");
            match read {
                Some(read) if result.repairs().is_empty() => {
                    valid += 1;
                    assert!(oracle.is_valid(&arguments), "accepted: {case}");
                    assert_eq!(read, &arguments, "changed: {case}");
                }
                Some(read) => {
                    repaired += 1;
                    assert!(!oracle.is_valid(&arguments), "needed no repair: {case}");
                    assert!(
                        oracle.is_valid(read),
                        "repaired to nonsense: {case}\n{read}"
                    );
                }
                None => {
                    refused += 1;
                    assert!(!oracle.is_valid(&arguments), "refused: {case}");
                }
            }
        }
    }
    println!("{valid} valid, {repaired} repaired, {refused} refused");
    assert!(valid > 5_000 && repaired > 200 && refused > 5_000);
    Ok(())
}

/// What a tool says to a call with `v`.
async fn told(schema: Value, v: Value) -> Result<String, Box<dyn Error>> {
    let result = session(&schema)?.call("echo", json!({"v": v})).await;
    Ok(result.text().into_owned())
}

fn of_definitions(definitions: Value) -> Value {
    json!({
        "type": "object",
        "properties": {"v": {"$ref": "#/$defs/0"}},
        "$defs": definitions,
    })
}

#[tokio::test]
async fn a_schema_that_leads_back_to_itself_admits_nothing() -> Result<(), Box<dyn Error>> {
    let own = json!({"$ref": "#/$defs/0"});
    for definition in [
        json!({"anyOf": [own]}),
        json!({"oneOf": [own, {"type": "string"}]}),
        json!({"allOf": [own]}),
        json!({"type": "array", "items": own}),
    ] {
        let text = told(of_definitions(json!({"0": definition})), json!(5)).await?;
        assert!(text.starts_with("error (invalid_arguments)"), "{text}");
    }
    Ok(())
}

#[tokio::test]
async fn what_is_too_much_to_check_is_refused() -> Result<(), Box<dyn Error>> {
    let doubles = (0..40).map(|index| {
        let next = json!({"$ref": format!("#/$defs/{}", index + 1)});
        (index.to_string(), json!({"anyOf": [next, next]}))
    });
    let mut doubles: Map<String, Value> = doubles.collect();
    doubles.insert("40".to_owned(), json!({"type": "string"}));
    let schema = of_definitions(doubles.into());
    for v in [json!(5), json!(5.0)] {
        let text = told(schema.clone(), v).await?;
        let expected = "the arguments are too much to check; send less of them";
        assert_eq!(text, format!("error (invalid_arguments): {expected}"));
    }
    Ok(())
}

#[tokio::test]
async fn ten_thousand_texts_meet_one_pattern() -> Result<(), Box<dyn Error>> {
    let schema = of_definitions(json!({"0": {
        "type": "array",
        "items": {"type": "string", "pattern": "^[a-z]+$"},
        "uniqueItems": true,
    }}));
    let letters = |index: usize| format!("{index:x}").replace(char::is_numeric, "z");
    let texts: Vec<String> = (0..10_000).map(letters).collect();
    let text = told(schema, json!(texts)).await?;
    let expected = "error (invalid_arguments): /v: must not have the same item twice";
    assert_eq!(text, expected);
    Ok(())
}

/// One tool that gives back what it reads.
fn session(schema: &Value) -> Result<Session, Box<dyn Error>> {
    let definition = ToolDefinition::new("echo", "Echoes")
        .traits(Traits::new().effect(Effect::Read))
        .arguments_schema(schema.clone());
    let echo = |arguments: Value, _: CallContext| async move { Json(arguments) };
    let runtime = Runtime::builder().tool(FnTool::new(definition, echo));
    Ok(runtime.build()?.session(SessionInfo::new("verdicts")))
}

fn root(random: &mut Rng) -> Value {
    let own = schema(random, 3);
    let node = json!({
        "type": "object",
        "properties": {"next": {"$ref": "#/$defs/node"}, "n": schema(random, 1)},
        "additionalProperties": false,
    });
    json!({
        "type": "object",
        "properties": {"v": own},
        "required": ["v"],
        "additionalProperties": false,
        "$defs": {"node": node},
    })
}

fn schema(random: &mut Rng, depth: usize) -> Value {
    let last = if depth == 0 { 6 } else { 14 };
    match random.usize(..last) {
        0 => json!({"type": "boolean"}),
        1 => json!({"enum": ["a", "b", 1, null]}),
        2 => bounded(random, "integer", ["minimum", "maximum"]),
        3 => bounded(random, "number", ["exclusiveMinimum", "exclusiveMaximum"]),
        4 => bounded(random, "string", ["minLength", "maxLength"]),
        5 => json!({"type": ["string", "null"], "pattern": "^[a-c]*$"}),
        6 => json!({"type": "integer", "multipleOf": random.i64(1..4)}),
        7 => array(random, depth),
        8 | 9 => object(random, depth),
        10 => json!({"anyOf": [schema(random, depth - 1), schema(random, depth - 1)]}),
        11 => json!({"oneOf": [schema(random, depth - 1), {"const": "a"}]}),
        12 => json!({"$ref": "#/$defs/node", "required": ["n"]}),
        _ => json!({"$ref": "#/$defs/node"}),
    }
}

fn bounded(random: &mut Rng, name: &str, [least, most]: [&str; 2]) -> Value {
    let mut schema = json!({"type": name});
    if random.bool() {
        schema[least] = random.u64(..3).into();
    }
    if random.bool() {
        schema[most] = random.u64(2..6).into();
    }
    schema
}

fn array(random: &mut Rng, depth: usize) -> Value {
    let mut array = json!({"type": "array", "items": schema(random, depth - 1)});
    if random.bool() {
        array["minItems"] = random.u64(..2).into();
    }
    if random.bool() {
        array["maxItems"] = random.u64(1..3).into();
    }
    if random.u8(..4) == 0 {
        array["uniqueItems"] = true.into();
    }
    array
}

fn object(random: &mut Rng, depth: usize) -> Value {
    let mut properties = Map::new();
    for name in ["x", "y", "a/b~c"] {
        if random.bool() {
            properties.insert(name.to_owned(), schema(random, depth - 1));
        }
    }
    let required: Vec<&String> = properties.keys().filter(|_| random.bool()).collect();
    let mut object = json!({"type": "object", "required": required});
    match random.u8(..3) {
        0 => object["additionalProperties"] = false.into(),
        1 => object["additionalProperties"] = schema(random, 0),
        _ => {}
    }
    object["properties"] = properties.into();
    object
}

/// A value that has a chance to fit.
fn value(random: &mut Rng, schema: &Value, depth: usize) -> Value {
    if depth == 0 || random.u8(..8) == 0 {
        return anything(random);
    }
    let choices = ["anyOf", "oneOf"]
        .iter()
        .find_map(|key| schema.get(key)?.as_array());
    if let Some(choices) = choices {
        let choice = random.usize(..choices.len());
        return value(random, &choices[choice], depth);
    }
    match schema["type"].as_str() {
        Some("array") => {
            let count = random.usize(..4);
            (0..count)
                .map(|_| value(random, &schema["items"], depth - 1))
                .collect()
        }
        Some("object") => {
            let known = schema["properties"].as_object().into_iter().flatten();
            let known = known.filter(|_| random.u8(..4) > 0).collect::<Vec<_>>();
            let fields = known
                .into_iter()
                .map(|(name, schema)| (name.clone(), value(random, schema, depth - 1)));
            let mut fields: Map<String, Value> = fields.collect();
            if random.u8(..6) == 0 {
                fields.insert("z".to_owned(), anything(random));
            }
            fields.into()
        }
        Some("boolean") => random.bool().into(),
        Some("integer" | "number") => random.i64(-1..7).into(),
        Some("string") => text(random).into(),
        _ => anything(random),
    }
}

fn anything(random: &mut Rng) -> Value {
    let all = [
        json!(null),
        json!(true),
        json!(2),
        json!(2.0),
        json!(2.5),
        json!("a"),
        json!("2"),
        json!("2.50"),
        json!("true"),
        json!("null"),
        json!("{\"x\": 1}"),
        json!("[1, \"2\"]"),
        json!([]),
        json!(["a"]),
        json!([2, 2.0]),
        json!({}),
        json!({"x": "1", "y": null}),
        json!({"next": {"next": {"n": "1"}}}),
        json!(u64::MAX),
        json!("12345678901234567890123"),
    ];
    all[random.usize(..all.len())].clone()
}

fn text(random: &mut Rng) -> String {
    (0..random.usize(..5))
        .map(|_| random.choice(['a', 'b', 'z', '字']).unwrap_or('a'))
        .collect()
}
