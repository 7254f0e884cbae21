//! Random schemas of tool arguments, in the form in which `ToolDefinition::parameters` gives them
//! and in some that only a dynamic tool has.

use fastrand::Rng;
use serde_json::{Map, Value, json};

const NAMES: [&str; 24] = [
    "city",
    "days",
    "kind",
    "key",
    "value",
    "title",
    "type",
    "properties",
    "$ref",
    "城市",
    "天气",
    "user name",
    "user-name",
    "user_name",
    "1st",
    "x.y",
    "a/b",
    "a~b",
    "",
    "__",
    "🦀",
    "format",
    "arg_95ef92d2",
    "a_name_that_is_so_long_that_neither_anthropic_nor_gemini_takes_it_as_it_is_since_both_stop_at_64",
];

const DEEPEST: usize = 3;

/// The schema of a seed.
pub fn schema(seed: u64) -> Value {
    let mut shapes = Shapes {
        rng: Rng::with_seed(seed),
    };
    let mut root = match shapes.rng.u8(..12) {
        0 => shapes.tagged(0),
        1 => shapes.either_required(),
        2 => shapes.map(0),
        _ => shapes.object(0),
    };
    root["type"] = "object".into();
    if root.get("properties").is_none() {
        root["properties"] = json!({});
    }
    if shapes.rng.u8(..4) == 0 {
        root["$schema"] = "https://json-schema.org/draft/2020-12/schema".into();
    }
    // Some documents hold definitions that nothing refers to.
    if root.to_string().contains("$defs") || shapes.is(8) {
        root["$defs"] = shapes.definitions();
    }
    root
}

struct Shapes {
    rng: Rng,
}

impl Shapes {
    fn is(&mut self, one_in: u8) -> bool {
        self.rng.u8(..one_in) == 0
    }

    /// Types within themselves, and one that is not.
    fn definitions(&mut self) -> Value {
        json!({
            "Node": {
                "type": "object",
                "properties": {
                    "label": self.text(),
                    "next": {"anyOf": [{"$ref": "#/$defs/Node"}, {"type": "null"}]},
                    "子": {"type": "array", "items": {"$ref": "#/$defs/Node"}},
                },
                "required": ["label"],
                "additionalProperties": false,
            },
            "Expression": {
                "oneOf": [
                    {
                        "type": "object",
                        "properties": {"op": {"const": "not"}, "of it": {"$ref": "#/$defs/Expression"}},
                        "required": ["op", "of it"],
                    },
                    {
                        "type": "object",
                        "properties": {"op": {"const": "is"}, "what": self.text()},
                        "required": ["op"],
                    },
                ],
            },
            "地点": self.object(DEEPEST - 1),
        })
    }

    fn any(&mut self, depth: usize) -> Value {
        let kinds = if depth < DEEPEST { 22 } else { 9 };
        let mut schema = match self.rng.u8(..kinds) {
            0 | 1 => self.text(),
            2 => self.number(),
            3 => self.choice_of_values(),
            4 => json!({"type": "boolean"}),
            5 => self.several_types(),
            6 => json!({"type": "string", "const": "fixed"}),
            7 => self.rare(),
            8 => self.reference(),
            9 | 10 => self.object(depth),
            11 => self.array(depth),
            12 => self.tuple(depth),
            13 | 14 => self.map(depth),
            15 => json!({"anyOf": [self.any(depth + 1), {"type": "null"}]}),
            16 => json!({"anyOf": [self.any(depth + 1), self.any(depth + 1)]}),
            17 => json!({"oneOf": [self.any(depth + 1), {"type": "null"}]}),
            18 => self.tagged(depth),
            19 => json!({"allOf": [self.any(depth + 1)]}),
            20 => json!({"allOf": [self.object(DEEPEST), self.object(DEEPEST)]}),
            _ => self.either_required(),
        };
        self.annotate(&mut schema);
        schema
    }

    fn annotate(&mut self, schema: &mut Value) {
        if !schema.is_object() {
            return;
        }
        if self.is(2) {
            schema["description"] = "What it is".into();
        }
        if self.is(6) {
            schema["title"] = "Title".into();
        }
        if self.is(6) {
            schema["default"] = json!(1);
        }
        if self.is(8) {
            schema["examples"] = json!(["one", 2]);
        }
        if self.is(20) {
            schema["deprecated"] = true.into();
        }
    }

    fn text(&mut self) -> Value {
        let mut schema = json!({"type": "string"});
        match self.rng.u8(..7) {
            0 => schema["minLength"] = self.rng.u8(..4).into(),
            1 => schema["maxLength"] = self.rng.u8(3..6).into(),
            2 => schema["pattern"] = "^[a-z]{2,4}$".into(),
            3 => schema["pattern"] = "^(?!no)[a-z]+$".into(),
            4 => {
                let formats = [
                    "date-time",
                    "email",
                    "uri",
                    "idn-email",
                    "uuid",
                    "ipv4",
                    "regex",
                ];
                schema["format"] = self.rng.choice(formats).into();
            }
            _ => {}
        }
        schema
    }

    fn number(&mut self) -> Value {
        match self.rng.u8(..6) {
            0 => json!({"type": "integer", "minimum": 0, "maximum": 20, "format": "uint8"}),
            1 => json!({"type": "integer", "exclusiveMinimum": 3, "multipleOf": 2}),
            2 => json!({"type": "number", "format": "double"}),
            3 => json!({"type": "number", "minimum": 0.5, "exclusiveMaximum": 9}),
            _ => json!({"type": "integer", "format": "int64"}),
        }
    }

    fn choice_of_values(&mut self) -> Value {
        match self.rng.u8(..7) {
            0 => json!({"type": "string", "enum": ["a", "", "城"]}),
            1 => json!({"type": "integer", "enum": [1, 2, 3]}),
            2 => json!({"type": ["string", "null"], "enum": ["a", null]}),
            3 => json!({"enum": ["a", 1, true, null]}),
            4 => json!({"enum": [[1], {"a": 1}]}),
            5 => json!({"const": 5}),
            _ => json!({"oneOf": [
                {"type": "string", "const": "a", "description": "The first"},
                {"type": "string", "const": "b"},
            ]}),
        }
    }

    fn several_types(&mut self) -> Value {
        match self.rng.u8(..5) {
            0 => json!({"type": ["string", "null"], "minLength": 2}),
            1 => json!({"type": ["string", "integer"], "minLength": 1, "minimum": 3}),
            2 => json!({"type": ["integer", "boolean", "null"]}),
            3 => json!({"type": ["object", "null"], "properties": {"a b": {"type": "string"}}}),
            _ => json!({"type": ["array", "string"], "items": {"type": "string"}, "maxItems": 2}),
        }
    }

    fn rare(&mut self) -> Value {
        match self.rng.u8(..8) {
            0 => true.into(),
            1 => json!({}),
            2 => json!({"type": "object"}),
            3 => json!({"type": "array"}),
            4 => json!({"type": "null"}),
            5 => json!({"type": "object", "properties": {}, "additionalProperties": false}),
            6 => json!({"minLength": 2}),
            _ => json!({"type": "string", "not": {"const": "never"}}),
        }
    }

    fn reference(&mut self) -> Value {
        let names = ["Node", "Expression", "%E5%9C%B0%E7%82%B9"];
        let reference =
            json!({"$ref": format!("#/$defs/{}", self.rng.choice(names).unwrap_or("Node"))});
        match self.rng.u8(..4) {
            0 => reference,
            1 => json!({"anyOf": [reference, {"type": "null"}]}),
            2 => json!({"type": "array", "items": reference, "maxItems": 2}),
            _ => json!({"anyOf": [reference]}),
        }
    }

    fn object(&mut self, depth: usize) -> Value {
        let mut properties = Map::new();
        let mut required = Vec::new();
        for _ in 0..self.rng.u8(..5) {
            let name = self.rng.choice(NAMES).unwrap_or("name");
            if self.is(2) && !properties.contains_key(name) {
                required.push(name);
            }
            let schema = self.any(depth + 1);
            properties.entry(name).or_insert(schema);
        }
        let mut object = json!({"type": "object", "properties": properties});
        if !required.is_empty() {
            object["required"] = required.into();
        }
        match self.rng.u8(..12) {
            0..=5 => object["additionalProperties"] = false.into(),
            6 => object["additionalProperties"] = json!({"type": "integer"}),
            7 => object["minProperties"] = 1.into(),
            8 => object["unevaluatedProperties"] = true.into(),
            _ => {}
        }
        object
    }

    /// A common idiom of hand-written schemas: one of two properties is needed.
    fn either_required(&mut self) -> Value {
        json!({
            "type": "object",
            "properties": {"id 1": self.text(), "id-1": self.number()},
            "anyOf": [{"required": ["id 1"]}, {"required": ["id-1"]}],
        })
    }

    fn tagged(&mut self, depth: usize) -> Value {
        let mut branch = |tag: &str| {
            let mut branch = self.object(depth + 1);
            branch["properties"]["kind"] = json!({"type": "string", "const": tag});
            branch["required"] = json!(["kind"]);
            branch
        };
        json!({"oneOf": [branch("circle"), branch("square"), branch("点")]})
    }

    fn array(&mut self, depth: usize) -> Value {
        let mut array = json!({"type": "array", "items": self.any(depth + 1)});
        match self.rng.u8(..6) {
            0 => array["minItems"] = self.rng.u8(..3).into(),
            1 => array["maxItems"] = self.rng.u8(1..4).into(),
            2 => array["uniqueItems"] = true.into(),
            _ => {}
        }
        array
    }

    fn tuple(&mut self, depth: usize) -> Value {
        let fields = json!([self.any(depth + 1), self.any(depth + 1)]);
        match self.rng.u8(..3) {
            0 => json!({"type": "array", "prefixItems": fields, "items": false}),
            1 => json!({"type": "array", "prefixItems": fields, "items": self.number()}),
            _ => json!({"type": "array", "prefixItems": fields, "minItems": 2, "maxItems": 2}),
        }
    }

    fn map(&mut self, depth: usize) -> Value {
        let values = self.any(depth + 1);
        match self.rng.u8(..4) {
            0 => json!({"type": "object", "additionalProperties": true}),
            1 => json!({
                "type": "object",
                "patternProperties": {"^\\d+$": values},
                "additionalProperties": false,
            }),
            2 => json!({"type": "object", "additionalProperties": values, "maxProperties": 2}),
            _ => json!({"type": "object", "additionalProperties": values}),
        }
    }
}
