//! Types of users: every shape that serde knows.

use chatluna_tool::tool_type;
use serde_json::{Map, Value};
use std::collections::BTreeMap;

/// A place
#[derive(Debug)]
#[tool_type]
pub struct Place {
    /// Its name
    pub name: String,
    pub size: Option<u32>,
    pub tags: Vec<String>,
}

#[derive(Debug)]
#[tool_type]
pub struct Trip {
    pub from: Place,
    pub to: Option<Place>,
}

#[derive(Debug)]
#[tool_type]
pub struct Metres(f32);

#[derive(Debug)]
#[tool_type]
pub struct Pair(u8, String);

#[derive(Debug)]
#[tool_type]
pub struct Nothing;

#[derive(Debug)]
#[tool_type]
pub struct Empty {}

#[derive(Debug)]
#[tool_type]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Renamed {
    first_name: String,
    #[serde(rename = "ID", alias = "id")]
    number: u8,
    r#type: bool,
}

#[derive(Debug)]
#[tool_type]
pub struct Defaults {
    #[serde(default)]
    none: u8,
    #[serde(default = "seven")]
    seven: u8,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    left_out: Option<bool>,
    #[serde(skip)]
    #[expect(dead_code, reason = "`Debug` is what reads it")]
    hidden: u8,
}

const fn seven() -> u8 {
    7
}

#[derive(Debug)]
#[tool_type]
pub struct Flattened {
    id: u8,
    #[serde(flatten)]
    place: Place,
    #[serde(flatten)]
    rest: BTreeMap<String, i32>,
}

#[derive(Debug)]
#[tool_type]
pub struct FlattenedEnum {
    id: u8,
    #[serde(flatten)]
    shape: Internal,
}

#[derive(Debug)]
#[tool_type]
pub struct Constrained {
    #[schemars(length(min = 2), regex(pattern = "^[a-z]+$"))]
    name: String,
    #[schemars(range(min = 1, max = 5))]
    stars: u8,
    #[schemars(extend("examples" = ["a"]), title = "Title")]
    text: String,
}

#[derive(Debug)]
#[tool_type]
pub struct Anything {
    value: Value,
    /// Described
    described: Value,
    maybe: Option<Value>,
    list: Vec<Value>,
    object: Map<String, Value>,
}

#[derive(Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[tool_type]
#[serde(rename_all = "lowercase")]
pub enum Units {
    Metric,
    Imperial,
}

/// How warm
#[derive(Debug)]
#[tool_type]
pub enum Documented {
    /// Water freezes at 0,
    /// and boils at 100
    Celsius,
    /// Water freezes at 32
    #[serde(rename = "f")]
    Fahrenheit,
    Kelvin,
}

#[derive(Debug)]
#[tool_type]
pub enum Single {
    Only,
}

#[derive(Debug)]
#[tool_type]
pub enum External {
    Stop,
    /// Waits
    Wait,
    Go(Place),
    Both(u8, u8),
    Draw {
        radius: u32,
    },
}

#[derive(Debug)]
#[tool_type]
#[serde(tag = "kind", rename_all = "lowercase")]
pub enum Internal {
    /// Round
    Circle {
        radius: u32,
    },
    Square {
        side: u32,
        filled: Option<bool>,
    },
    Point,
    Place(Place),
}

#[derive(Debug)]
#[tool_type]
#[serde(tag = "kind", content = "data", deny_unknown_fields)]
pub enum Adjacent {
    Point,
    Name(String),
    Size { width: u8, height: u8 },
}

#[derive(Debug)]
#[tool_type]
#[serde(untagged)]
pub enum Untagged {
    Number(i64),
    Text(String),
    Place(Place),
    Units(Units),
}

#[tool_type]
#[serde(untagged)]
pub enum Scalar {
    Number(i64),
    Text(String),
}

/// A tree
#[derive(Debug)]
#[tool_type]
pub struct Tree {
    value: u8,
    #[serde(default)]
    children: Vec<Tree>,
}

impl Tree {
    pub fn new() -> Self {
        Self {
            value: 1,
            children: vec![Self {
                value: 2,
                children: Vec::new(),
            }],
        }
    }
}

#[derive(Debug)]
#[tool_type]
pub struct Chain {
    next: Option<Box<Chain>>,
}

/// A calculation
#[derive(Debug)]
#[tool_type]
#[serde(rename_all = "lowercase")]
pub enum Expression {
    Number(f64),
    Add(Box<Expression>, Box<Expression>),
    Not {
        /// What is negated
        of: Box<Expression>,
    },
}

#[derive(Debug)]
#[tool_type]
pub struct Chicken {
    egg: Option<Box<Egg>>,
    eggs: BTreeMap<String, Egg>,
}

#[derive(Debug)]
#[tool_type]
pub struct Egg {
    chicken: Option<Box<Chicken>>,
}

/// 节点
#[derive(Debug)]
#[tool_type]
pub struct 节点 {
    /// 下一个
    下一个: Option<Box<节点>>,
    值: u8,
}

#[derive(Debug)]
#[tool_type]
pub struct Page<T> {
    items: Vec<T>,
    next: Option<T>,
}

#[derive(Debug)]
#[tool_type]
pub struct Linked<T> {
    value: T,
    next: Option<Box<Linked<T>>>,
}

pub mod other {
    //! Types of the same names.

    use chatluna_tool::tool_type;

    #[derive(Debug)]
    #[tool_type]
    pub struct Tree {
        branches: Vec<Tree>,
    }
}

#[derive(Debug)]
#[tool_type]
pub struct Forest {
    tree: Tree,
    other: other::Tree,
    again: Option<Tree>,
}

/// What goes out is not what comes in
#[derive(Debug)]
#[tool_type]
pub struct Both {
    #[serde(rename(serialize = "out", deserialize = "in"))]
    renamed: u8,
    #[serde(default)]
    defaulted: u8,
    #[serde(skip_serializing_if = "Option::is_none")]
    skipped: Option<u8>,
    nullable: Option<u8>,
    #[serde(skip_serializing)]
    #[expect(dead_code, reason = "nothing reads it")]
    secret: u8,
    #[serde(skip_deserializing)]
    computed: u8,
}

impl Both {
    pub const fn new() -> Self {
        Self {
            renamed: 1,
            defaulted: 2,
            skipped: None,
            nullable: None,
            secret: 3,
            computed: 4,
        }
    }
}
