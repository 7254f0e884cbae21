//! What a schema cannot say, in words.

use serde_json::Value;

/// A keyword as words for a description; `None` where there are none.
pub(super) fn words(keyword: &str, value: &Value) -> Option<String> {
    let value = match (keyword, value) {
        ("pattern" | "format", Value::String(text)) => format!("`{text}`"),
        ("enum" | "examples", Value::Array(values)) => listed(values)?,
        _ => value.to_string(),
    };
    Some(match keyword {
        "minimum" => format!("at least {value}"),
        "maximum" => format!("at most {value}"),
        "exclusiveMinimum" => format!("more than {value}"),
        "exclusiveMaximum" => format!("less than {value}"),
        "multipleOf" => format!("a multiple of {value}"),
        "minLength" => format!("at least {}", counted(&value, "character")),
        "maxLength" => format!("at most {}", counted(&value, "character")),
        "minItems" => format!("at least {}", counted(&value, "item")),
        "maxItems" => format!("at most {}", counted(&value, "item")),
        "minProperties" => format!("at least {}", counted(&value, "key")),
        "maxProperties" => format!("at most {}", counted(&value, "key")),
        "pattern" => format!("matches the regular expression {value}"),
        "format" => format!("in the format {value}"),
        "uniqueItems" if value == "true" => "no item twice".to_owned(),
        "const" => format!("always {value}"),
        "enum" => format!("one of {value}"),
        "default" => format!("{value} if not given"),
        "examples" => format!("for example {value}"),
        _ => return None,
    })
}

fn counted(number: &str, noun: &str) -> String {
    let plural = if number == "1" { "" } else { "s" };
    format!("{number} {noun}{plural}")
}

fn listed(values: &[Value]) -> Option<String> {
    let values: Vec<String> = values.iter().map(Value::to_string).collect();
    Some(values.join(", ")).filter(|text| !text.is_empty())
}

/// A description with notes behind it.
pub(super) fn noted(description: Option<&str>, notes: &[String]) -> Option<String> {
    let notes = notes.join("; ");
    match description.filter(|text| !text.is_empty()) {
        Some(text) if notes.is_empty() => Some(text.to_owned()),
        Some(text) => Some(format!("{text} ({notes})")),
        None => Some(notes).filter(|notes| !notes.is_empty()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn a_constraint_is_a_phrase() {
        for (keyword, value, phrase) in [
            ("minLength", json!(3), "at least 3 characters"),
            ("maxItems", json!(1), "at most 1 item"),
            (
                "pattern",
                json!("^a"),
                "matches the regular expression `^a`",
            ),
            ("format", json!("uri"), "in the format `uri`"),
            ("const", json!("circle"), "always \"circle\""),
            ("enum", json!([1, 2]), "one of 1, 2"),
            ("uniqueItems", json!(true), "no item twice"),
        ] {
            assert_eq!(words(keyword, &value).as_deref(), Some(phrase));
        }
        assert_eq!(words("uniqueItems", &json!(false)), None);
        assert_eq!(words("not", &json!({})), None);
    }

    #[test]
    fn notes_follow_the_description() {
        let notes = ["at least 3 characters", "at most 8 characters"].map(str::to_owned);
        let said = noted(Some("The city"), &notes);
        let expected = "The city (at least 3 characters; at most 8 characters)";
        assert_eq!(said.as_deref(), Some(expected));
        assert_eq!(
            noted(None, &notes[..1]).as_deref(),
            Some("at least 3 characters")
        );
        assert_eq!(noted(None, &[]), None);
    }
}
