//! Tools of different shapes, each with the struct that serde alone would read its arguments into.

#![expect(dead_code, reason = "`Debug` is what reads the fields")]

use chatluna_tool::{
    CallContext, Effect, FnTool, Runtime, Session, ToolDefinition, Traits, tool, tool_type, tools,
};
use serde::de::{Deserialize, DeserializeOwned, Deserializer};
use serde_json::{Value, json};
use std::cell::RefCell;
use std::collections::BTreeMap;
use std::fmt::Debug;

/// What is called, and what it has to get.
pub struct Tool {
    pub name: &'static str,
    /// What is read of a text that fits by itself.
    pub read: fn(&str) -> Option<String>,
}

pub const TOOLS: [Tool; 9] = [
    tool::<Weather>("weather"),
    tool::<Order>("order"),
    tool::<Draw>("draw"),
    tool::<Store>("store"),
    tool::<Login>("login"),
    tool::<Exact>("exact"),
    tool::<Grow>("grow"),
    tool::<Switch>("switch"),
    tool::<Plan>("plan"),
];

const fn tool<T: Shape>(name: &'static str) -> Tool {
    let read = |text: &str| {
        let value = serde_json::from_str::<T>(text).ok()?;
        value.holds().then(|| format!("{value:?}"))
    };
    Tool { name, read }
}

trait Shape: DeserializeOwned + Debug {
    /// Whether the constraints hold, which serde does not know.
    fn holds(&self) -> bool {
        true
    }
}

thread_local! {
    static TAKEN: RefCell<Option<String>> = const { RefCell::new(None) };
}

/// What the last call ran with.
pub fn taken() -> Option<String> {
    TAKEN.take()
}

fn take(shape: impl Shape) {
    let before = TAKEN.replace(Some(format!("{shape:?}")));
    assert_eq!(before, None, "one call ran twice");
}

pub fn session() -> Session {
    let tools = tools![weather, order, draw, store, login, exact, grow, switch];
    let schema = json!({
        "type": "object",
        "properties": {
            "steps": {"type": "array", "items": {"$ref": "#/$defs/step"}, "maxItems": 3},
            "code": {"type": ["string", "null"], "pattern": "^[a-z]{2,4}$"},
            "share": {"type": ["number", "null"], "exclusiveMinimum": 0, "maximum": 1},
        },
        "required": ["steps"],
        "additionalProperties": false,
        "$defs": {"step": {
            "type": "object",
            "properties": {
                "of": {"type": "integer", "multipleOf": 5, "minimum": 0, "maximum": u64::MAX},
                "then": {"anyOf": [{"$ref": "#/$defs/step"}, {"type": "null"}]},
            },
            "required": ["of"],
            "additionalProperties": false,
        }},
    });
    let definition = ToolDefinition::new("plan", "Plans")
        .traits(Traits::new().effect(Effect::Read))
        .arguments_schema(schema);
    let plan = |plan: Plan, _: CallContext| async move { take(plan) };
    let runtime = Runtime::builder()
        .tools(tools)
        .tool(FnTool::new(definition, plan))
        .build();
    chatluna_tool_fuzz::session(runtime.expect("the tools are right"))
}

/// Current weather
#[tool(traits(effect = "read"))]
async fn weather(
    #[arg(length(1..=8))] city: String,
    #[arg(default = 3, range(1..=14))] days: u8,
    #[serde(alias = "unit")] units: Option<Units>,
) {
    take(Weather { city, days, units });
}

#[derive(Debug, serde::Deserialize)]
#[serde(deny_unknown_fields)]
struct Weather {
    city: String,
    #[serde(default = "three", deserialize_with = "or_three")]
    days: u8,
    #[serde(alias = "unit")]
    units: Option<Units>,
}

fn three() -> u8 {
    3
}

/// `null` stands for a default.
fn or_three<'de, D: Deserializer<'de>>(days: D) -> Result<u8, D::Error> {
    Ok(Option::deserialize(days)?.unwrap_or(3))
}

impl Shape for Weather {
    fn holds(&self) -> bool {
        (1..=8).contains(&self.city.chars().count()) && (1..=14).contains(&self.days)
    }
}

#[derive(Debug)]
#[tool_type]
#[serde(rename_all = "lowercase")]
enum Units {
    Metric,
    Imperial,
}

/// Orders goods
#[tool(traits(effect = "read"))]
async fn order(
    items: Vec<Item>,
    address: Option<Address>,
    gift: bool,
    total: f64,
    #[arg(length(..=3))] tags: Option<Vec<String>>,
) {
    take(Order {
        items,
        address,
        gift,
        total,
        tags,
    });
}

#[derive(Debug, serde::Deserialize)]
#[serde(deny_unknown_fields)]
struct Order {
    items: Vec<Item>,
    address: Option<Address>,
    gift: bool,
    total: f64,
    tags: Option<Vec<String>>,
}

impl Shape for Order {
    fn holds(&self) -> bool {
        self.tags.as_ref().is_none_or(|tags| tags.len() <= 3)
    }
}

#[derive(Debug)]
#[tool_type]
struct Item {
    sku: String,
    #[serde(default)]
    count: u32,
}

#[derive(Debug)]
#[tool_type]
#[serde(deny_unknown_fields)]
struct Address {
    street: String,
    zip: (u8, String),
}

/// Draws a shape
#[tool(traits(effect = "read"))]
async fn draw(shape: Figure, fill: Option<Fill>, scale: Option<f32>) {
    take(Draw { shape, fill, scale });
}

#[derive(Debug, serde::Deserialize)]
#[serde(deny_unknown_fields)]
struct Draw {
    shape: Figure,
    fill: Option<Fill>,
    scale: Option<f32>,
}

impl Shape for Draw {}

#[derive(Debug)]
#[tool_type]
#[serde(tag = "kind", rename_all = "lowercase")]
enum Figure {
    Circle { radius: u32 },
    Square { side: u32, filled: bool },
    Group { of: Vec<Figure> },
}

#[derive(Debug)]
#[tool_type]
enum Fill {
    None,
    Grey(u8),
    Rgb { red: u8, green: u8, blue: u8 },
}

/// Stores any value
#[tool(traits(effect = "read"))]
async fn store(key: String, value: Value, labels: BTreeMap<String, i64>) {
    take(Store { key, value, labels });
}

#[derive(Debug, serde::Deserialize)]
#[serde(deny_unknown_fields)]
struct Store {
    key: String,
    value: Value,
    labels: BTreeMap<String, i64>,
}

impl Shape for Store {}

/// Logs in
#[tool(traits(effect = "read"))]
async fn login(user: char, #[arg(secret, length(4..), pattern = "\\d")] password: String) {
    take(Login { user, password });
}

#[derive(Debug, serde::Deserialize)]
#[serde(deny_unknown_fields)]
struct Login {
    user: char,
    password: String,
}

impl Shape for Login {
    fn holds(&self) -> bool {
        let has_digit = self
            .password
            .contains(|letter: char| letter.is_ascii_digit());
        self.password.chars().count() >= 4 && has_digit
    }
}

/// Takes exact numbers
#[tool(traits(effect = "read"))]
async fn exact(
    big: i128,
    small: Option<i8>,
    #[arg(default, range(..=18_446_744_073_709_551_614))] wide: u64,
) {
    take(Exact { big, small, wide });
}

#[derive(Debug, serde::Deserialize)]
#[serde(deny_unknown_fields)]
struct Exact {
    big: i128,
    small: Option<i8>,
    #[serde(default, deserialize_with = "or_zero")]
    wide: u64,
}

fn or_zero<'de, D: Deserializer<'de>>(wide: D) -> Result<u64, D::Error> {
    Ok(Option::deserialize(wide)?.unwrap_or(0))
}

impl Shape for Exact {
    fn holds(&self) -> bool {
        self.wide < u64::MAX
    }
}

/// Grows trees
#[tool(traits(effect = "read"))]
async fn grow(tree: Tree, forest: Option<Forest>) {
    take(Grow { tree, forest });
}

#[derive(Debug, serde::Deserialize)]
#[serde(deny_unknown_fields)]
struct Grow {
    tree: Tree,
    forest: Option<Forest>,
}

impl Shape for Grow {}

#[derive(Debug)]
#[tool_type]
struct Tree {
    label: Option<String>,
    left: Option<Box<Tree>>,
    right: Option<Box<Tree>>,
}

/// A list of itself.
#[derive(Debug)]
#[tool_type]
struct Forest(Vec<Forest>);

/// Switches a lamp
#[tool(traits(effect = "read"))]
async fn switch(room: String, #[arg(flatten)] lamp: Lamp) {
    let Lamp { on, level } = lamp;
    take(Switch { room, on, level });
}

#[derive(Debug)]
#[tool_type]
struct Lamp {
    on: bool,
    level: Option<i16>,
}

#[derive(Debug, serde::Deserialize)]
#[serde(deny_unknown_fields)]
struct Switch {
    room: String,
    on: bool,
    level: Option<i16>,
}

impl Shape for Switch {}

#[derive(Debug)]
#[tool_type]
#[serde(deny_unknown_fields)]
struct Plan {
    steps: Vec<Step>,
    code: Option<String>,
    share: Option<f64>,
}

#[derive(Debug)]
#[tool_type]
#[serde(deny_unknown_fields)]
struct Step {
    of: u64,
    then: Option<Box<Step>>,
}

impl Step {
    fn holds(&self) -> bool {
        self.of.is_multiple_of(5) && self.then.as_ref().is_none_or(|then| then.holds())
    }
}

impl Shape for Plan {
    fn holds(&self) -> bool {
        let is_code = |code: &String| {
            (2..=4).contains(&code.len()) && code.bytes().all(|byte| byte.is_ascii_lowercase())
        };
        self.steps.len() <= 3
            && self.steps.iter().all(Step::holds)
            && self.code.as_ref().is_none_or(is_code)
            && self.share.is_none_or(|share| share > 0.0 && share <= 1.0)
    }
}
