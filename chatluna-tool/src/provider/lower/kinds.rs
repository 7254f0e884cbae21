//! Which types of JSON a schema admits.

use super::Keywords;
use crate::schema::verdict::is_a;
use serde_json::Value;

/// The types of JSON Schema.
pub(super) const KINDS: [&str; 7] = [
    "string", "integer", "number", "boolean", "array", "object", "null",
];

/// The types that a schema names, or that its keywords are for; none for one of anything.
///
/// `enum` and `const` leave the types that a value of theirs has.
pub(super) fn kinds(schema: &Keywords) -> Vec<&'static str> {
    let values = values(schema);
    let declared = match declared(schema) {
        declared if !declared.is_empty() => declared,
        _ if values.is_some() => KINDS.to_vec(),
        _ => implied(schema),
    };
    let Some(values) = values else {
        return declared;
    };
    let mut kinds = declared;
    kinds.retain(|kind| values.iter().any(|value| is_a(value, kind)));
    // An integer is a number as well; one name for it is enough.
    if kinds.contains(&"integer") {
        let floats = values
            .iter()
            .any(|value| value.is_number() && !is_a(value, "integer"));
        kinds.retain(|kind| *kind != if floats { "integer" } else { "number" });
    }
    kinds
}

/// The types that a schema names.
pub(super) fn declared(schema: &Keywords) -> Vec<&'static str> {
    let is_named = |kind: &&str| match schema.get("type") {
        Some(Value::String(only)) => only == kind,
        Some(Value::Array(several)) => several.iter().any(|each| each == kind),
        _ => false,
    };
    KINDS.into_iter().filter(is_named).collect()
}

fn implied(schema: &Keywords) -> Vec<&'static str> {
    let holds = |keywords: &[&str]| keywords.iter().any(|each| schema.contains_key(*each));
    if holds(&[
        "properties",
        "required",
        "additionalProperties",
        "patternProperties",
    ]) {
        vec!["object"]
    } else if holds(&["items", "prefixItems"]) {
        vec!["array"]
    } else {
        Vec::new()
    }
}

/// The values that `enum` or `const` leave.
pub(super) fn values(schema: &Keywords) -> Option<&[Value]> {
    match (schema.get("const"), schema.get("enum")) {
        (Some(only), _) => Some(std::slice::from_ref(only)),
        (None, Some(Value::Array(several))) => Some(several),
        _ => None,
    }
}

/// Whether a keyword says anything of values of a type.
pub(super) fn concerns(keyword: &str, kind: &str) -> bool {
    match keyword {
        "minLength" | "maxLength" | "pattern" | "format" => kind == "string",
        "minimum" | "maximum" | "exclusiveMinimum" | "exclusiveMaximum" | "multipleOf" => {
            matches!(kind, "integer" | "number")
        }
        "minItems" | "maxItems" | "uniqueItems" | "contains" | "minContains" | "maxContains"
        | "additionalItems" | "unevaluatedItems" => kind == "array",
        "minProperties"
        | "maxProperties"
        | "propertyNames"
        | "dependentRequired"
        | "dependentSchemas"
        | "unevaluatedProperties" => kind == "object",
        _ => true,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn values_and_keywords_tell_the_types() {
        for (schema, expected) in [
            (json!({"type": "string"}), vec!["string"]),
            (json!({"type": ["null", "string"]}), vec!["string", "null"]),
            (
                json!({"type": ["string", "null"], "enum": ["a"]}),
                vec!["string"],
            ),
            (json!({"enum": [1, null]}), vec!["integer", "null"]),
            (json!({"enum": [1, 2.5]}), vec!["number"]),
            (json!({"const": true}), vec!["boolean"]),
            (json!({"properties": {}}), vec!["object"]),
            (json!({"items": {}}), vec!["array"]),
            (json!({"minLength": 1}), vec![]),
        ] {
            let Value::Object(keywords) = &schema else {
                continue;
            };
            assert_eq!(kinds(keywords), expected, "{schema}");
        }
    }
}
