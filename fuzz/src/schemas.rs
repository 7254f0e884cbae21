//! Schemas out of bytes, mostly of keywords that mean something.

use arbitrary::{Result, Unstructured};
use serde_json::{Map, Value, json};

const DEEPEST: usize = 4;

pub(crate) const NAMES: [&str; 10] = [
    "a", "b", "key", "value", "type", "城市", "x y", "x.y", "a/b~c", "",
];

const KEYWORDS: [&str; 44] = [
    "type",
    "type",
    "type",
    "properties",
    "properties",
    "required",
    "additionalProperties",
    "items",
    "items",
    "prefixItems",
    "anyOf",
    "anyOf",
    "oneOf",
    "allOf",
    "not",
    "enum",
    "const",
    "$ref",
    "$ref",
    "minimum",
    "maximum",
    "exclusiveMinimum",
    "exclusiveMaximum",
    "multipleOf",
    "minLength",
    "maxLength",
    "pattern",
    "format",
    "minItems",
    "maxItems",
    "uniqueItems",
    "minProperties",
    "maxProperties",
    "patternProperties",
    "propertyNames",
    "dependentRequired",
    "dependentSchemas",
    "description",
    "default",
    "title",
    "$schema",
    "nullable",
    "if",
    "contains",
];

const KINDS: [&str; 8] = [
    "string", "integer", "number", "boolean", "array", "object", "null", "any",
];

const REFERENCES: [&str; 10] = [
    "#",
    "#/$defs/A",
    "#/$defs/B",
    "#/$defs/%E5%9F%8E",
    "#/%24defs/A",
    "#/properties/a",
    "#/$defs/A/items",
    "#/$defs/A/anyOf/0",
    "#/$defs/missing",
    "other.json",
];

pub(crate) const PATTERNS: [&str; 6] = ["^[a-z]{2,4}$", "^(?!no)", "\\d+", "", "(", "^城"];

/// The schema of a tool's arguments.
pub(crate) fn document(bytes: &mut Unstructured<'_>) -> Result<Value> {
    let mut root = schema(bytes, 0)?;
    if !root.is_object() || bytes.ratio(1, 32)? {
        return Ok(root);
    }
    if bytes.ratio(7, 8)? {
        root["type"] = "object".into();
    }
    if root.to_string().contains("$defs") {
        let names = ["A", "B", "城"].into_iter();
        let definitions = names.map(|name| Ok((name.to_owned(), schema(bytes, 1)?)));
        root["$defs"] = definitions.collect::<Result<Map<_, _>>>()?.into();
    }
    Ok(root)
}

fn schema(bytes: &mut Unstructured<'_>, depth: usize) -> Result<Value> {
    if depth > DEEPEST || bytes.is_empty() {
        return Ok(json!({"type": *bytes.choose(&KINDS)?}));
    }
    if bytes.ratio(1, 16)? {
        return junk(bytes);
    }
    let mut keywords = Map::new();
    for _ in 0..bytes.int_in_range(1..=5)? {
        let keyword = *bytes.choose(&KEYWORDS)?;
        let rule = if bytes.ratio(1, 24)? {
            junk(bytes)?
        } else {
            rule(bytes, keyword, depth)?
        };
        keywords.insert(keyword.to_owned(), rule);
    }
    Ok(keywords.into())
}

fn rule(bytes: &mut Unstructured<'_>, keyword: &str, depth: usize) -> Result<Value> {
    Ok(match keyword {
        "type" if bytes.ratio(1, 4)? => json!([*bytes.choose(&KINDS)?, *bytes.choose(&KINDS)?]),
        "type" => (*bytes.choose(&KINDS)?).into(),
        "properties" | "dependentSchemas" | "patternProperties" => named(bytes, keyword, depth)?,
        "anyOf" | "oneOf" | "allOf" | "prefixItems" => {
            let count = bytes.int_in_range(0..=3)?;
            (0..count)
                .map(|_| schema(bytes, depth + 1))
                .collect::<Result<Vec<_>>>()?
                .into()
        }
        "additionalProperties" if bytes.ratio(1, 2)? => bytes.arbitrary::<bool>()?.into(),
        "items" | "not" | "if" | "contains" | "propertyNames" | "additionalProperties" => {
            schema(bytes, depth + 1)?
        }
        "required" => json!([*bytes.choose(&NAMES)?, *bytes.choose(&NAMES)?]),
        "dependentRequired" => json!({*bytes.choose(&NAMES)?: [*bytes.choose(&NAMES)?]}),
        "enum" => json!([scalar(bytes)?, scalar(bytes)?]),
        "const" | "default" => scalar(bytes)?,
        "$ref" => (*bytes.choose(&REFERENCES)?).into(),
        "minimum" | "maximum" | "exclusiveMinimum" | "exclusiveMaximum" | "multipleOf" => {
            number(bytes)?
        }
        "pattern" => (*bytes.choose(&PATTERNS)?).into(),
        "format" => (*bytes.choose(&["date-time", "uint8", "uri", "email"])?).into(),
        "uniqueItems" | "nullable" => bytes.arbitrary::<bool>()?.into(),
        "description" | "title" | "$schema" => (*bytes.choose(&NAMES)?).into(),
        _ => bytes.int_in_range(0..=4)?.into(),
    })
}

fn named(bytes: &mut Unstructured<'_>, keyword: &str, depth: usize) -> Result<Value> {
    let names: &[&str] = if keyword == "patternProperties" {
        &PATTERNS
    } else {
        &NAMES
    };
    let count = bytes.int_in_range(0..=3)?;
    let named = (0..count).map(|_| {
        let name = *bytes.choose(names)?;
        Ok((name.to_owned(), schema(bytes, depth + 1)?))
    });
    Ok(named.collect::<Result<Map<_, _>>>()?.into())
}

pub(crate) fn scalar(bytes: &mut Unstructured<'_>) -> Result<Value> {
    Ok(match bytes.int_in_range(0..=4)? {
        0 => Value::Null,
        1 => bytes.arbitrary::<bool>()?.into(),
        2 => number(bytes)?,
        3 => (*bytes.choose(&NAMES)?).into(),
        _ => (*bytes.choose(&["ab", "2", "2.50", "true", "null", "[1]", "{\"a\": \"1\"}"])?).into(),
    })
}

pub(crate) fn number(bytes: &mut Unstructured<'_>) -> Result<Value> {
    Ok(match bytes.int_in_range(0..=5)? {
        0 | 1 => bytes.int_in_range(-2..=9)?.into(),
        2 => (f64::from(bytes.int_in_range(-8..=40)?) / 4.0).into(),
        3 => (u64::MAX - bytes.int_in_range(0..=2)?).into(),
        4 => (9_007_199_254_740_990_u64 + bytes.int_in_range(0..=4)?).into(),
        _ => bytes.arbitrary::<f64>()?.into(),
    })
}

pub(crate) fn junk(bytes: &mut Unstructured<'_>) -> Result<Value> {
    let all = [
        json!(null),
        json!(true),
        json!(false),
        json!(-1),
        json!(1e300),
        json!("text"),
        json!([]),
        json!({}),
        json!([{}]),
        json!(["string", 5, null]),
        json!({"type": 5, "$ref": 5}),
    ];
    Ok(bytes.choose(&all)?.clone())
}
