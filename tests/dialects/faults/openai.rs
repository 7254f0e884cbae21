//! OpenAI.

use serde_json::Value;

const STRICT: &str = "description type properties required additionalProperties items enum const \
     anyOf $ref pattern format minimum maximum exclusiveMinimum exclusiveMaximum multipleOf \
     minItems maxItems";

const FORMATS: &str = "date-time time date duration email hostname ipv4 ipv6 uuid";

pub fn plain(schema: &Value, faults: &mut Vec<String>) {
    for (kind, keyword) in [("array", "items"), ("object", "properties")] {
        if super::types(schema).contains(&kind) && schema.get(keyword).is_none() {
            faults.push(format!("an {kind} without `{keyword}`"));
        }
    }
}

pub fn strict(schema: &Value, is_root: bool, faults: &mut Vec<String>) {
    let known = if is_root {
        &format!("{STRICT} $defs")
    } else {
        STRICT
    };
    super::unknown(schema, known, faults);
    super::incomplete(schema, faults);
    super::open(schema, faults);
    super::untyped(schema, faults);
    super::looks_around(schema, faults);
    lonely_reference(schema, faults);
    all_required(schema, faults);
    let format = schema["format"].as_str();
    if format.is_some_and(|format| !FORMATS.split(' ').any(|known| known == format)) {
        faults.push(format!("the format {format:?}"));
    }
}

fn lonely_reference(schema: &Value, faults: &mut Vec<String>) {
    let keywords = schema.as_object().map_or(0, |keywords| keywords.len());
    if schema.get("$ref").is_some() && keywords > 1 {
        faults.push("a `$ref` with keywords beside it".to_owned());
    }
}

fn all_required(schema: &Value, faults: &mut Vec<String>) {
    let names = schema["properties"].as_object().into_iter().flatten();
    let mut names: Vec<&str> = names.map(|(name, _)| name.as_str()).collect();
    let required = schema["required"].as_array().into_iter().flatten();
    let mut required: Vec<&str> = required.filter_map(Value::as_str).collect();
    names.sort_unstable();
    required.sort_unstable();
    if names != required {
        faults.push(format!("{required:?} of {names:?} are required"));
    }
}
