//! From what a model wrote to what it meant, where the schema leaves no doubt.
//!
//! A value that fits is never touched, a string that the schema takes stays a string, and a
//! repaired value fits: what is still wrong afterwards is reported as it came.

use super::error::bounded;
use crate::pointer::step;
use crate::schema::verdict::{Judge, is_a, types};
use serde_json::{Map, Value};
use std::fmt;

/// Something that was read otherwise than it was written.
///
/// `Display` gives one line: `/days: read the text "5" as 5`.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Repair {
    /// The JSON pointer (RFC 6901) of the value; empty for the arguments as a whole.
    pub pointer: String,
    /// What was done.
    pub change: String,
}

impl fmt::Display for Repair {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if !self.pointer.is_empty() {
            write!(f, "{}: ", self.pointer)?;
        }
        f.write_str(&self.change)
    }
}

impl Repair {
    /// Other arguments than the model's.
    pub(crate) fn of_approver() -> Self {
        Self {
            pointer: String::new(),
            change: "the arguments are those of whoever approved the call".to_owned(),
        }
    }

    /// Another name for the tool.
    pub(crate) fn of_name(written: &str, own: &str) -> Self {
        let written: String = written.chars().take(MAX_SHOWN).collect();
        Self {
            pointer: String::new(),
            change: format!("read the tool's name `{written}` as `{own}`"),
        }
    }
}

/// The most characters of a value that a repair shows.
const MAX_SHOWN: usize = 60;

/// One attempt on a value.
pub(super) struct Mender<'schema> {
    judge: Judge<'schema>,
    repairs: Vec<Repair>,
}

impl<'schema> Mender<'schema> {
    pub(super) fn new(judge: Judge<'schema>) -> Self {
        Self {
            judge,
            repairs: Vec::new(),
        }
    }

    /// The arguments as they were meant, and what was done to them.
    pub(super) fn mend(mut self, arguments: Value) -> (Value, Vec<Repair>) {
        let root = self.judge.root();
        let arguments = self.unwrapped(arguments);
        let arguments = self.value(root, arguments, "");
        (arguments, self.repairs)
    }

    fn note(&mut self, pointer: &str, change: String) {
        self.repairs.push(Repair {
            pointer: pointer.to_owned(),
            change,
        });
    }

    /// The object inside a text, a list of one or a single key that the tool does not have.
    fn unwrapped(&mut self, arguments: Value) -> Value {
        let inner = match &arguments {
            Value::String(text) => parsed(text).map(|inner| (inner, "the text".to_owned())),
            Value::Array(items) => match &items[..] {
                [only] => Some((only.clone(), "the one item of the list".to_owned())),
                _ => None,
            },
            Value::Object(fields) => self.wrapped(fields),
            _ => None,
        };
        match inner {
            Some((inner @ Value::Object(_), what)) => {
                self.note("", format!("read {what} as the arguments"));
                self.unwrapped(inner)
            }
            _ => arguments,
        }
    }

    /// What stands behind the only key, if the tool has no such argument and it has arguments.
    fn wrapped(&self, fields: &Map<String, Value>) -> Option<(Value, String)> {
        let known = self.judge.root().get("properties")?.as_object()?;
        let mut entries = fields.iter();
        let (Some((name, inner)), None) = (entries.next(), entries.next()) else {
            return None;
        };
        let inner = match inner {
            Value::String(text) => parsed(text)?,
            other => other.clone(),
        };
        let is_whole = |inner: &Map<String, Value>| inner.keys().all(|key| known.contains_key(key));
        let closed = self.judge.root().get("additionalProperties") == Some(&Value::Bool(false));
        let is_wrapper =
            closed && !known.contains_key(name) && inner.as_object().is_some_and(is_whole);
        is_wrapper.then(|| (inner, format!("what is inside `{name}`")))
    }

    /// What is too deep stays as it came.
    fn value(&mut self, schema: &Value, value: Value, pointer: &str) -> Value {
        let Some(_level) = self.judge.enter() else {
            return value;
        };
        let schema = self.judge.resolved(schema);
        let value = self.integral(schema, value, pointer);
        // What fits is looked through all the same: `5.0` fits, and no integer type decodes it.
        let value = if self.judge.fits(schema, &value) {
            value
        } else if let Some(mended) = self.chosen(schema, &value, pointer) {
            return mended;
        } else {
            self.retyped(schema, value, pointer)
        };
        match value {
            Value::Object(fields) => self.fields(schema, fields, pointer).into(),
            Value::Array(items) => self.items(schema, items, pointer).into(),
            other => other,
        }
    }

    /// `30.0` where only integers are taken.
    fn integral(&mut self, schema: &Value, value: Value, pointer: &str) -> Value {
        let accepts =
            |name: &str| accepted(self.judge, schema).is_some_and(|all| all.contains(&name));
        let is_float = matches!(&value, Value::Number(number) if number.is_f64());
        if !(is_float && accepts("integer") && !accepts("number")) {
            return value;
        }
        match integer(&value) {
            Some(whole) => {
                self.note(pointer, format!("read {value} as {whole}"));
                whole
            }
            None => value,
        }
    }

    /// The one choice that the value can be mended to.
    fn chosen(&mut self, schema: &Value, value: &Value, pointer: &str) -> Option<Value> {
        let choices = ["anyOf", "oneOf"]
            .iter()
            .find_map(|key| schema.get(key)?.as_array())?;
        let tried = choices.iter().filter_map(|choice| {
            let mut mender = Self::new(self.judge);
            let mended = mender.value(choice, value.clone(), pointer);
            let fits = self.judge.fits(schema, &mended);
            fits.then_some((mended, mender.repairs))
        });
        let mut mended: Vec<_> = tried.take(2).collect();
        let (value, repairs) = mended.pop().filter(|_| mended.is_empty())?;
        self.repairs.extend(repairs);
        Some(value)
    }

    /// The value as one of a type that the schema takes, if its own is not.
    fn retyped(&mut self, schema: &Value, value: Value, pointer: &str) -> Value {
        let Some(accepted) = accepted(self.judge, schema) else {
            return value;
        };
        if accepted.iter().any(|name| is_a(&value, name)) {
            return value;
        }
        let takes = |value: &Value| accepted.iter().any(|name| is_a(value, name));
        let read = match &value {
            Value::String(text) => of_text(text).filter(takes),
            Value::Array(items) => self.of_list(schema, items).filter(takes),
            _ => None,
        };
        let read = read.or_else(|| self.listed(schema, &accepted, &value));
        match read {
            Some(read) => {
                self.note(
                    pointer,
                    format!("read {} as {}", shown(&value), shown(&read)),
                );
                self.integral(schema, read, pointer)
            }
            None => value,
        }
    }

    /// A map that came as a list of its entries, or the one item of a list.
    fn of_list(&self, schema: &Value, items: &[Value]) -> Option<Value> {
        let schema = self.judge.resolved(schema);
        match (entries(schema, items), items) {
            (Some(map), _) => Some(map.into()),
            (None, [only]) => Some(only.clone()),
            _ => None,
        }
    }

    /// A list of one, where a list is wanted and the value could be an item. A text with
    /// separators may stand for several.
    fn listed(&self, schema: &Value, accepted: &[&str], value: &Value) -> Option<Value> {
        let items = schema.get("items")?;
        let is_several = |text: &str| text.contains([',', ';', '\n', '[', '|']);
        let is_one = match value {
            Value::String(text) => !is_several(text),
            Value::Null => false,
            _ => true,
        };
        if !is_one || accepted != ["array"] {
            return None;
        }
        // Its own repairs are made where the list is looked through.
        let item = Self::new(self.judge).value(items, value.clone(), "");
        let is_item = self.judge.fits(items, &item);
        is_item.then(|| Value::Array(vec![value.clone()]))
    }

    fn fields(
        &mut self,
        schema: &Value,
        fields: Map<String, Value>,
        pointer: &str,
    ) -> Map<String, Value> {
        let known = schema.get("properties").and_then(Value::as_object);
        let required = schema.get("required").and_then(Value::as_array);
        let rest = schema.get("additionalProperties");
        let mut mended = Map::new();
        for (name, value) in fields {
            let place = step(pointer, &name);
            let own = known.and_then(|known| known.get(&name));
            let judge = self.judge;
            let keyed = || judge.keyed(schema.as_object()?, &name)?.first().copied();
            let Some(schema) = own.or_else(keyed).or(rest) else {
                mended.insert(name, value);
                continue;
            };
            let is_required =
                required.is_some_and(|names| names.iter().any(|other| *other == *name));
            let is_absent = value.is_null() && own.is_some() && !is_required;
            if is_absent && !self.judge.fits(schema, &value) {
                self.note(&place, "left out the null".to_owned());
                continue;
            }
            let value = self.value(schema, value, &place);
            mended.insert(name, value);
        }
        mended
    }

    fn items(&mut self, schema: &Value, items: Vec<Value>, pointer: &str) -> Vec<Value> {
        let first = schema.get("prefixItems").and_then(Value::as_array);
        let items = items.into_iter().enumerate().map(|(index, item)| {
            let own = first.and_then(|first| first.get(index));
            match own.or(schema.get("items")) {
                Some(schema) => self.value(schema, item, &step(pointer, &index.to_string())),
                None => item,
            }
        });
        items.collect()
    }
}

/// The types that a schema takes, through its choices; `None` where it does not say.
fn accepted<'a>(judge: Judge<'a>, schema: &'a Value) -> Option<Vec<&'a str>> {
    let _level = judge.enter()?;
    let keywords = judge.resolved(schema).as_object()?;
    let own = types(keywords);
    if !own.is_empty() {
        return Some(own);
    }
    let choices = ["anyOf", "oneOf"]
        .iter()
        .find_map(|key| keywords.get(*key)?.as_array());
    match choices {
        Some(choices) => {
            let _below = judge.enter()?;
            let types = choices.iter().map(|choice| accepted(judge, choice));
            Some(types.collect::<Option<Vec<_>>>()?.concat())
        }
        None => constants(keywords),
    }
}

/// The types of the values that are listed.
fn constants(keywords: &Map<String, Value>) -> Option<Vec<&'static str>> {
    let constant = keywords.get("const").map(std::slice::from_ref);
    let listed = keywords.get("enum").and_then(Value::as_array);
    let values = constant.or(listed.map(Vec::as_slice))?;
    Some(values.iter().map(kind).collect())
}

fn kind(value: &Value) -> &'static str {
    match value {
        Value::Null => "null",
        Value::Bool(_) => "boolean",
        Value::Number(number) if number.is_f64() => "number",
        Value::Number(_) => "integer",
        Value::String(_) => "string",
        Value::Array(_) => "array",
        Value::Object(_) => "object",
    }
}

/// What strict schemas have in place of a map; no key comes twice.
fn entries(schema: &Value, items: &[Value]) -> Option<Map<String, Value>> {
    let properties = schema.get("properties").and_then(Value::as_object);
    let is_map = schema
        .get("additionalProperties")
        .is_some_and(|it| *it != false)
        && properties.is_none_or(Map::is_empty);
    let entry = |item: &Value| {
        let (key, value) = (item.get("key")?.as_str()?, item.get("value")?);
        let is_whole = item.as_object().is_some_and(|entry| entry.len() == 2);
        is_whole.then(|| (key.to_owned(), value.clone()))
    };
    let map: Map<String, Value> = items.iter().map(entry).collect::<Option<_>>()?;
    (is_map && map.len() == items.len()).then_some(map)
}

fn parsed(text: &str) -> Option<Value> {
    super::strict::strict(text.trim())
}

/// What a text says in JSON: a number with all its digits, `true` and `false` in any case, a list
/// or an object.
fn of_text(text: &str) -> Option<Value> {
    let text = text.trim();
    match &*text.to_ascii_lowercase() {
        "true" => return Some(true.into()),
        "false" => return Some(false.into()),
        "null" => return None,
        _ => {}
    }
    let value = parsed(text)?;
    let is_faithful = match &value {
        Value::Number(number) => without_zeros(&number.to_string()) == without_zeros(text),
        Value::Array(_) | Value::Object(_) => true,
        _ => false,
    };
    is_faithful.then_some(value)
}

/// `12.50` and `12.5` are one number.
fn without_zeros(number: &str) -> &str {
    match number.contains('.') {
        true => number.trim_end_matches('0').trim_end_matches('.'),
        false => number,
    }
}

/// A float without a fraction, within what floats hold exactly.
fn integer(value: &Value) -> Option<Value> {
    let float = value.as_f64()?;
    let is_exact = float.fract() == 0.0 && float.abs() < 9_007_199_254_740_992.0;
    is_exact.then(|| Value::from(float as i64))
}

fn shown(value: &Value) -> String {
    let text = value.to_string();
    let kind = if value.is_string() { "the text " } else { "" };
    format!("{kind}{}", bounded(text, MAX_SHOWN))
}
