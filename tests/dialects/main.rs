//! Schemas lowered to the dialects of providers: what comes out is taken there, and what comes
//! back fits what went in.

mod faults;
mod junk;
mod relaxed;
mod rows;
mod shapes;
mod shrink;
mod values;

use chatluna_tool::provider::{Dialect, Lowered, lower};
use faults::faults;
use jsonschema::PatternCache;
use relaxed::relaxed;
use serde_json::{Map, Value, json};
use std::sync::LazyLock;

const SEEDS: u64 = 3_000;

/// Calls a schema.
const CALLS: u64 = 4;

/// How often what a dialect can do was put to use.
#[derive(Default)]
struct Tally {
    strict: u64,
    calls: u64,
}

fn every_seed(dialect: Dialect) -> Tally {
    let mut tally = Tally::default();
    for seed in 0..SEEDS {
        let schema = shapes::schema(seed);
        if check(&schema, dialect, seed, &mut tally).is_err() {
            fail(schema, dialect, seed);
        }
    }
    tally
}

fn fail(schema: Value, dialect: Dialect, seed: u64) {
    let check = |schema: &Value| check(schema, dialect, seed, &mut Tally::default());
    let fails = |schema: &Value| validator(schema).is_ok() && check(schema).is_err();
    let small = shrink::shrunk(schema, fails);
    let fault = check(&small).err().unwrap_or_default();
    panic!("seed {seed}, {dialect}: {small:#}\n{fault}");
}

fn check(schema: &Value, dialect: Dialect, seed: u64, tally: &mut Tally) -> Result<(), String> {
    let lowered = lower(schema, dialect);
    let again = lower(schema, dialect);
    let bytes = [&lowered, &again].map(|each| each.schema.to_string());
    if bytes[0] != bytes[1] || lowered.losses != again.losses {
        return Err("lowered twice, and not alike".to_owned());
    }
    let found = faults(&lowered.schema, spoken(dialect, lowered.strict));
    if !found.is_empty() {
        return Err(format!("{found:#?} in {:#}", lowered.schema));
    }
    tally.strict += u64::from(lowered.strict);
    tally.calls += calls_come_back(schema, &lowered, seed)?;
    Ok(())
}

/// How many calls fit what the model is held to, and so have to fit the tool.
fn calls_come_back(schema: &Value, lowered: &Lowered, seed: u64) -> Result<u64, String> {
    let held_to = validator(&as_json_schema(&lowered.schema))?;
    let own = validator(&relaxed(schema, &lowered.losses))?;
    let calls = (0..CALLS).map(|call| values::value(&lowered.schema, seed * CALLS + call));
    let mut fitting = 0;
    for sent in calls.filter(|sent| held_to.is_valid(sent)) {
        fitting += 1;
        let restored = lowered.restore(sent.clone());
        if let Err(error) = own.validate(&restored) {
            let losses: Vec<String> = lowered.losses.iter().map(ToString::to_string).collect();
            return Err(format!(
                "{sent} came back as {restored}: {error} at {}\nlosses {losses:#?}\nlowered {:#}",
                error.instance_path(),
                lowered.schema
            ));
        }
    }
    Ok(fitting)
}

/// What a schema is in that could not be said in a strict dialect.
fn spoken(dialect: Dialect, is_strict: bool) -> Dialect {
    match dialect {
        Dialect::OpenAiStrict if !is_strict => Dialect::OpenAi,
        Dialect::AnthropicStrict if !is_strict => Dialect::Anthropic,
        dialect => dialect,
    }
}

fn validator(schema: &Value) -> Result<jsonschema::Validator, String> {
    static PATTERNS: LazyLock<PatternCache> = LazyLock::new(PatternCache::new);
    let options = jsonschema::draft202012::options().with_pattern_cache(PATTERNS.clone());
    options
        .build(schema)
        .map_err(|error| format!("{error} in {schema:#}"))
}

/// Gemini's `nullable`, in the words of JSON Schema.
fn as_json_schema(schema: &Value) -> Value {
    match schema {
        Value::Array(several) => several.iter().map(as_json_schema).collect(),
        Value::Object(keywords) => {
            let each = keywords
                .iter()
                .map(|(keyword, value)| (keyword.clone(), as_json_schema(value)));
            let mut keywords: Map<String, Value> = each.collect();
            match keywords.shift_remove("nullable") {
                Some(Value::Bool(true)) => json!({"anyOf": [keywords, {"type": "null"}]}),
                Some(other) => {
                    keywords.insert("nullable".to_owned(), other);
                    keywords.into()
                }
                None => keywords.into(),
            }
        }
        scalar => scalar.clone(),
    }
}

/// A generator of values that none fits, or a dialect that is never strict, would prove nothing.
fn is_telling(tally: &Tally, is_strict: bool) {
    assert!(tally.calls > SEEDS * CALLS / 2, "{} calls", tally.calls);
    assert!(
        !is_strict || tally.strict > SEEDS / 5,
        "{} strict",
        tally.strict
    );
}

#[test]
fn openai_takes_every_schema_and_its_calls_come_back() {
    is_telling(&every_seed(Dialect::OpenAi), false);
}

#[test]
fn openai_strict_takes_every_schema_and_its_calls_come_back() {
    is_telling(&every_seed(Dialect::OpenAiStrict), true);
}

#[test]
fn anthropic_takes_every_schema_and_its_calls_come_back() {
    is_telling(&every_seed(Dialect::Anthropic), false);
}

#[test]
fn anthropic_strict_takes_every_schema_and_its_calls_come_back() {
    is_telling(&every_seed(Dialect::AnthropicStrict), true);
}

#[test]
fn gemini_takes_every_schema_and_its_calls_come_back() {
    is_telling(&every_seed(Dialect::Gemini), false);
}

#[test]
fn mcp_takes_every_schema_and_its_calls_come_back() {
    is_telling(&every_seed(Dialect::Mcp), false);
}
