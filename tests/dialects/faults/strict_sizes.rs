//! How large strict schemas may be.

use super::{target, visit};
use serde_json::Value;

pub fn openai(schema: &Value, faults: &mut Vec<String>) {
    let (mut properties, mut values, mut letters) = (0, 0, 0);
    visit(schema, String::new(), &mut |_, each| {
        for keyword in ["properties", "$defs"] {
            for (name, _) in each[keyword].as_object().into_iter().flatten() {
                properties += usize::from(keyword == "properties");
                letters += name.chars().count();
            }
        }
        let own = each["enum"]
            .as_array()
            .into_iter()
            .flatten()
            .chain(each.get("const"));
        for value in own {
            values += 1;
            letters += value.as_str().map_or(0, |text| text.chars().count());
        }
    });
    if properties > 5_000 || values > 1_000 || letters > 120_000 {
        faults.push(format!(
            "{properties} properties, {values} values, {letters} letters"
        ));
    }
    let depth = depth(schema, schema, &mut Vec::new());
    if depth > 10 {
        faults.push(format!("{depth} levels"));
    }
}

pub fn anthropic(schema: &Value, faults: &mut Vec<String>) {
    let (mut optional, mut unions) = (0, 0);
    visit(schema, String::new(), &mut |_, each| {
        let all = each["properties"].as_object().map_or(0, |all| all.len());
        let required = each["required"].as_array().map_or(0, Vec::len);
        optional += all - required;
        unions += usize::from(each["type"].is_array() || each.get("anyOf").is_some());
    });
    if optional > 24 || unions > 16 {
        faults.push(format!("{optional} optional properties, {unions} unions"));
    }
}

/// Objects within objects; a definition that is open already adds no level.
fn depth<'a>(root: &'a Value, schema: &'a Value, open: &mut Vec<&'a str>) -> usize {
    let mut deepest = 0;
    let mut below = Vec::new();
    if let Some(reference) = schema["$ref"].as_str() {
        if open.contains(&reference) || open.len() > 12 {
            return 0;
        }
        open.push(reference);
        let depth = target(root, reference).map_or(0, |target| depth(root, target, open));
        open.pop();
        return depth;
    }
    below.extend(
        schema["properties"]
            .as_object()
            .into_iter()
            .flat_map(|all| all.values()),
    );
    below.extend(schema.get("items"));
    below.extend(schema["anyOf"].as_array().into_iter().flatten());
    for each in below {
        deepest = deepest.max(depth(root, each, open));
    }
    deepest + usize::from(schema.get("properties").is_some())
}
