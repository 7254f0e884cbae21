//! What a `$ref` refers to.

use super::places;
use crate::pointer;
use serde_json::Value;
use std::collections::BTreeSet;

/// How often a definition may be open at once while it is inlined.
pub(super) const RECURSIONS: usize = 2;

/// How many references one schema may have inlined: a few definitions that each hold the next one
/// twice would double its size with each.
const INLINED: usize = 256;

/// How many references may lead to each other before that is taken for endless.
pub(super) const LONGEST: usize = 256;

/// The schema behind a reference within the document, and its JSON pointer.
pub(super) fn resolve<'a>(root: &'a Value, reference: &str) -> Option<(&'a Value, String)> {
    let pointer = pointer::referred(reference)?;
    Some((root.pointer(&pointer)?, pointer))
}

/// The references that are being replaced by what they refer to.
pub(super) struct Inlining<'a> {
    root: &'a Value,
    open: Vec<String>,
    inlined: usize,
}

/// What to do about a reference.
pub(super) enum Entered<'a> {
    /// Go on with this schema, which is at this pointer; then `leave`.
    Target(&'a Value, String),
    /// It has come too far.
    Endless,
    /// Nothing is there.
    Dangling,
}

impl<'a> Inlining<'a> {
    pub(super) fn new(root: &'a Value) -> Self {
        Self {
            root,
            open: Vec::new(),
            inlined: 0,
        }
    }

    /// Whether a reference can stay: it is to the root or to one of its `$defs`.
    pub(super) fn stays(&self, reference: &str) -> bool {
        let name = reference.strip_prefix("#/$defs/");
        let is_local = reference == "#" || name.is_some_and(|name| !name.contains('/'));
        is_local && resolve(self.root, reference).is_some()
    }

    pub(super) fn enter(&mut self, reference: &str) -> Entered<'a> {
        let Some((target, pointer)) = resolve(self.root, reference) else {
            return Entered::Dangling;
        };
        let open = self.open.iter().filter(|other| **other == pointer).count();
        if open == RECURSIONS || self.inlined == INLINED {
            return Entered::Endless;
        }
        self.inlined += 1;
        self.open.push(pointer.clone());
        Entered::Target(target, pointer)
    }

    pub(super) fn leave(&mut self) {
        self.open.pop();
    }
}

/// The pointers of the schemas that refer to nothing within the document, and what they refer to.
pub(crate) fn dangling(root: &Value) -> Vec<(String, &str)> {
    let mut found = Vec::new();
    dangling_below(root, root, String::new(), &mut found);
    found
}

fn dangling_below<'a>(
    root: &'a Value,
    schema: &'a Value,
    at: String,
    found: &mut Vec<(String, &'a str)>,
) {
    for (place, below) in places::subschemas(schema) {
        dangling_below(root, below, format!("{at}{place}"), found);
    }
    let reference = schema.get("$ref").and_then(Value::as_str);
    if let Some(reference) = reference.filter(|reference| resolve(root, reference).is_none()) {
        found.push((at, reference));
    }
}

/// The pointer of the first schema that refers back to itself.
pub(super) fn recursion(root: &Value) -> Option<String> {
    let mut closed = BTreeSet::new();
    let mut open = vec![String::new()];
    recursion_below(root, root, &mut open, &mut closed)
}

fn recursion_below(
    root: &Value,
    schema: &Value,
    open: &mut Vec<String>,
    closed: &mut BTreeSet<String>,
) -> Option<String> {
    let reference = schema.get("$ref").and_then(Value::as_str);
    if let Some((target, pointer)) = reference.and_then(|reference| resolve(root, reference)) {
        if open.contains(&pointer) || open.len() > LONGEST {
            return Some(pointer);
        }
        if closed.insert(pointer.clone()) {
            open.push(pointer);
            let found = recursion_below(root, target, open, closed);
            open.pop();
            if found.is_some() {
                return found;
            }
        }
    }
    let mut below = places::subschemas(schema).into_iter();
    below.find_map(|(_, each)| recursion_below(root, each, open, closed))
}

/// The names of the `$defs` that something in use refers to.
pub(super) fn used(root: &Value) -> BTreeSet<String> {
    let mut used = BTreeSet::new();
    let mut rest: Vec<&Value> = Vec::new();
    for (place, below) in places::subschemas(root) {
        if !place.starts_with("/$defs/") {
            rest.push(below);
        }
    }
    while let Some(schema) = rest.pop() {
        places::all(schema, &mut |each| {
            let reference = each.get("$ref").and_then(Value::as_str);
            let target = reference.and_then(|reference| resolve(root, reference));
            let Some((_, pointer)) = target else { return };
            let name = pointer.strip_prefix("/$defs/").unwrap_or_default();
            let name = pointer::key(name.split('/').next().unwrap_or_default());
            if let Some(definition) = root.get("$defs").and_then(|all| all.get(&name))
                && used.insert(name)
            {
                rest.push(definition);
            }
        });
    }
    used
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn a_reference_is_a_percent_encoded_pointer() {
        let root = json!({"$defs": {"城 市/a": {"type": "string"}}});
        let found = resolve(&root, "#/$defs/%E5%9F%8E%20%E5%B8%82~1a");
        assert_eq!(
            found.map(|(schema, _)| schema),
            root.pointer("/$defs/城 市~1a")
        );
        assert!(resolve(&root, "#/$defs/%E5%9F%8").is_none());
        assert!(resolve(&root, "other.json#/a").is_none());
    }

    #[test]
    fn a_reference_to_nothing_dangles_wherever_a_schema_is() {
        let root = json!({
            "properties": {
                "a/b": {"items": {"$ref": "#/$defs/Gone"}},
                "c": {"$ref": "https://example.com/c.json"},
                "d": {"$ref": "#/$defs/A"},
                "e": {"default": {"$ref": "#/no/schema"}},
            },
            "$defs": {"A": {"$ref": "#"}},
        });
        let expected = [
            ("/properties/a~1b/items", "#/$defs/Gone"),
            ("/properties/c", "https://example.com/c.json"),
        ];
        assert_eq!(
            dangling(&root),
            expected.map(|(at, to)| (at.to_owned(), to))
        );
    }

    #[test]
    fn only_a_definition_that_comes_back_is_recursive() {
        let root = json!({
            "properties": {"a": {"$ref": "#/$defs/A"}, "b": {"$ref": "#/$defs/A"}},
            "$defs": {"A": {"type": "string"}},
        });
        assert_eq!(recursion(&root), None);
        let root = json!({"properties": {"a": {"items": {"$ref": "#"}}}});
        assert_eq!(recursion(&root).as_deref(), Some(""));
    }

    #[test]
    fn a_definition_is_used_if_something_in_use_refers_to_it() {
        let root = json!({
            "properties": {"a": {"$ref": "#/$defs/A~1B"}},
            "$defs": {"A/B": {"items": {"$ref": "#/$defs/C/items"}}, "C": {"items": {}}, "D": {"$ref": "#/$defs/D"}},
        });
        assert_eq!(used(&root), ["A/B", "C"].map(str::to_owned).into());
    }
}
