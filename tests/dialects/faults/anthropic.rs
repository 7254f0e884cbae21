//! Anthropic.

use serde_json::Value;

const STRICT: &str = "description type properties required additionalProperties items enum anyOf \
     $ref format default minItems";

const FORMATS: &str = "date-time time date duration email hostname ipv4 ipv6 uuid uri";

pub fn plain(schema: &Value, faults: &mut Vec<String>) {
    super::property_names(schema, is_name, faults);
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
    super::property_names(schema, is_name, faults);
    let format = schema["format"].as_str();
    if format.is_some_and(|format| !FORMATS.split(' ').any(|known| known == format)) {
        faults.push(format!("the format {format:?}"));
    }
    if schema["minItems"].as_u64().is_some_and(|least| least > 1) {
        faults.push("`minItems` over 1".to_owned());
    }
    let mut values = schema["enum"].as_array().into_iter().flatten();
    if values.any(|value| value.is_object() || value.is_array()) {
        faults.push("an `enum` of more than scalars".to_owned());
    }
}

fn is_name(name: &str) -> bool {
    let is_letter = |c: char| matches!(c, 'a'..='z' | 'A'..='Z' | '0'..='9' | '_' | '.' | '-');
    (1..=64).contains(&name.len()) && name.chars().all(is_letter)
}
