//! Shapes of one argument.

use super::types::*;
use super::{Calls, Judged, Tested};
use chatluna_tool::__private::ToolRegistration;
use chatluna_tool::{Runtime, SessionInfo, tool, tools};
use chrono::{
    DateTime, Duration as ChronoDuration, FixedOffset, NaiveDate, NaiveDateTime, NaiveTime, Utc,
    Weekday,
};
use serde_json::{Map, Number, Value};
use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet, LinkedList, VecDeque};
use std::fmt::Write;
use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::num::{NonZeroI8, NonZeroI128, NonZeroU8, NonZeroU64, Wrapping};
use std::ops::RangeInclusive;
use std::path::PathBuf;
use std::time::Duration;
use url::Url;
use uuid::Uuid;

struct Shape {
    rust: &'static str,
    name: &'static str,
    taken: &'static [&'static str],
    refused: &'static [&'static str],
}

/// A tool a shape, with what it takes and what it refuses.
macro_rules! shapes {
    ($($name:ident: $($(#[$arg:meta])+)? $type:ty, [$($taken:literal),*], [$($refused:literal),*];)*) => {
        $(
            #[tool(description = "A shape", traits(effect = "read", parallel))]
            async fn $name($($(#[$arg])+)? v: $type) -> String {
                format!("{v:?}")
            }
        )*

        const SHAPES: &[Shape] = &[$(Shape {
            rust: stringify!($type),
            name: stringify!($name),
            taken: &[$($taken),*],
            refused: &[$($refused),*],
        }),*];

        pub fn all() -> Vec<&'static ToolRegistration> {
            tools![$($name),*].into()
        }
    };
}

shapes! {
    int_8: i8, ["-128"], ["128", "1.5", "\"a\""];
    int_16: i16, ["-32768"], ["32768"];
    int_32: i32, ["-2147483648"], ["true"];
    int_64: i64, ["-9223372036854775808"], ["null"];
    int_128: i128, ["-170141183460469231731687303715884105728"], ["[]", "1.5"];
    int_size: isize, ["-1"], ["{}"];
    uint_8: u8, ["255"], ["256", "-1"];
    uint_16: u16, ["65535"], ["65536"];
    uint_32: u32, ["4294967295"], ["-1"];
    uint_64: u64, ["18446744073709551615"], ["-1"];
    uint_128: u128, ["340282366920938463463374607431768211455"], ["-1"];
    uint_size: usize, ["0"], ["-1"];
    non_zero_i8: NonZeroI8, ["-128", "1"], ["0", "128"];
    non_zero_i128: NonZeroI128, ["-1"], ["0"];
    non_zero_u8: NonZeroU8, ["1"], ["0"];
    non_zero_u64: NonZeroU64, ["18446744073709551615"], ["0"];
    wrapping: Wrapping<u8>, ["1"], ["256"];
    float_32: f32, ["1.5", "-2"], ["\"a\""];
    float_64: f64, ["1e300"], ["null"];
    number: Number, ["1.5", "2"], ["\"a\""];
    boolean: bool, ["true"], ["1"];
    character: char, ["\"字\""], ["\"ab\"", "\"\""];
    text: String, ["\"\"", "\"5\""], ["5", "null"];
    lent: &str, ["\"a\""], ["5"];
    cow: Cow<'static, str>, ["\"a\""], ["5"];
    boxed_str: Box<str>, ["\"a\""], ["5"];
    path: PathBuf, ["\"/tmp\""], ["5"];
    unit: (), ["null"], ["0"];
    option: Option<u8>, ["1"], ["256"];
    option_text: Option<String>, ["\"a\""], ["5"];
    option_option: Option<Option<bool>>, ["true"], ["5"];
    option_enum: Option<Units>, ["\"metric\""], ["\"Metric\""];
    option_documented: Option<Documented>, ["\"f\""], ["\"Fahrenheit\""];
    option_struct: Option<Place>, [r#"{"name": "a", "tags": []}"#], ["{}"];
    option_internal: Option<Internal>, [r#"{"kind": "point"}"#], [r#"{"kind": "line"}"#];
    option_untagged: Option<Untagged>, ["5"], ["[]"];
    option_list: Option<Vec<Option<u8>>>, ["[1, null]"], ["[256]"];
    option_tree: Option<Tree>, [r#"{"value": 1}"#], [r#"{"children": []}"#];
    option_value: Option<Value>, ["5", "\"a\""], [];
    list: Vec<u8>, ["[]", "[1, 2]"], ["[256]", "\"a\""];
    lent_list: &[Place], [r#"[{"name": "a", "tags": []}]"#], ["[{}]"];
    list_of_lists: Vec<Vec<bool>>, ["[[true], []]"], ["[[5]]"];
    boxed_list: Box<[u8]>, ["[1]"], ["[-1]"];
    deque: VecDeque<u8>, ["[1]"], ["{}"];
    linked_list: LinkedList<u8>, ["[1]"], ["{}"];
    array: [u8; 2], ["[1, 2]"], ["[1]", "[1, 2, 3]"];
    empty_array: [u8; 0], ["[]"], ["[1]"];
    tuple: (u8, String), ["[1, \"a\"]"], ["[\"a\", 1]", "[1]", "[1, \"a\", 2]"];
    tuple_of_one: (bool,), ["[true]"], ["true", "[]"];
    hash_set: HashSet<u8>, ["[1]"], ["[-1]"];
    tree_set: BTreeSet<Units>, ["[\"metric\", \"imperial\"]"], ["[\"a\"]"];
    hash_map: HashMap<String, u8>, [r#"{"a": 1}"#, "{}"], [r#"{"a": -1}"#, "5"];
    tree_map: BTreeMap<String, Place>, [r#"{"a": {"name": "b", "tags": []}}"#], [r#"{"a": {}}"#];
    map_from_integers: BTreeMap<u8, bool>, [r#"{"1": true}"#], [r#"{"1": 2}"#, r#"{"a": true}"#];
    map_from_signed: BTreeMap<i64, bool>, [r#"{"-1": true}"#], [r#"{"a": true}"#];
    map_from_enum: BTreeMap<Units, u8>, [r#"{"metric": 1}"#], [r#"{"a": 1}"#];
    map_of_maps: BTreeMap<String, BTreeMap<String, Value>>, [r#"{"a": {"b": 1}}"#], [r#"{"a": 1}"#];
    object: Map<String, Value>, [r#"{"a": [1]}"#], ["5"];
    value: Value, ["null", "[1]", "\"a\"", r#"{"a": 1}"#], [];
    values: Vec<Value>, ["[1, \"a\", null]"], ["null"];
    anything: Anything, [r#"{"value": null, "described": 1, "list": [[]], "object": {"a": 1}}"#], ["{}"];
    boxed: Box<Place>, [r#"{"name": "a", "tags": []}"#], ["{}"];
    nested: Trip, [r#"{"from": {"name": "a", "tags": ["b"]}, "to": null}"#], [r#"{"to": null}"#];
    newtype: Metres, ["1.5"], ["\"a\""];
    tuple_struct: Pair, ["[1, \"a\"]"], ["[1]"];
    unit_struct: Nothing, ["null"], ["{}"];
    empty_struct: Empty, ["{}"], ["5"];
    renamed: Renamed, [
        r#"{"firstName": "a", "ID": 1, "type": true}"#
    ], [
        r#"{"first_name": "a", "ID": 1, "type": true}"#,
        r#"{"firstName": "a", "ID": 1, "type": true, "more": 1}"#
    ];
    defaults: Defaults, ["{}", r#"{"none": 1, "seven": 2, "left_out": null}"#], [r#"{"seven": "a"}"#];
    flattened: Flattened, [r#"{"id": 1, "name": "a", "tags": [], "x": 5}"#], [r#"{"id": 1, "name": "a", "tags": [], "x": "a"}"#];
    flattened_enum: FlattenedEnum, [r#"{"id": 1, "kind": "point"}"#], [r#"{"id": 1}"#, r#"{"kind": "point"}"#];
    constrained: Constrained, [r#"{"name": "ab", "stars": 1, "text": ""}"#], [r#"{"name": "ab", "stars": "x", "text": ""}"#];
    unit_enum: Units, ["\"metric\""], ["\"Metric\"", "1"];
    documented_enum: Documented, ["\"Celsius\"", "\"f\"", "\"Kelvin\""], ["\"Fahrenheit\""];
    described_enum: /** 单位 */ #[arg(default = Documented::Kelvin)] Documented, ["\"f\""], ["\"celsius\""];
    enum_of_one: Single, ["\"Only\""], ["\"only\""];
    external: External, [
        "\"Stop\"", "\"Wait\"", r#"{"Go": {"name": "a", "tags": []}}"#, r#"{"Both": [1, 2]}"#, r#"{"Draw": {"radius": 1}}"#
    ], ["\"Go\"", r#"{"Draw": {}}"#, r#"{"Draw": {"radius": 1}, "Both": [1, 2]}"#];
    internal: Internal, [
        r#"{"kind": "circle", "radius": 1}"#, r#"{"kind": "square", "side": 1, "filled": null}"#, r#"{"kind": "point"}"#,
        r#"{"kind": "place", "name": "a", "tags": []}"#
    ], [r#"{"kind": "circle"}"#, r#"{"radius": 1}"#, r#"{"kind": "line"}"#];
    adjacent: Adjacent, [
        r#"{"kind": "Point"}"#, r#"{"kind": "Name", "data": "a"}"#, r#"{"kind": "Size", "data": {"width": 1, "height": 2}}"#
    ], [r#"{"kind": "Name"}"#, r#"{"kind": "Name", "data": 5}"#, r#"{"kind": "Name", "data": "a", "more": 1}"#];
    untagged: Untagged, ["5", "\"a\"", r#"{"name": "a", "tags": []}"#], ["[]", "{}"];
    result: Result<u8, String>, [r#"{"Ok": 1}"#, r#"{"Err": "a"}"#], [r#"{"Ok": "a"}"#];
    recursive: Tree, [r#"{"value": 1, "children": [{"value": 2}]}"#], [r#"{"value": 1, "children": [{}]}"#];
    recursive_list: Vec<Tree>, [r#"[{"value": 1}]"#], ["[1]"];
    recursive_map: BTreeMap<String, Tree>, [r#"{"a": {"value": 1}}"#], [r#"{"a": 1}"#];
    recursive_option: Chain, [r#"{"next": {"next": null}}"#], [r#"{"next": 1}"#];
    recursive_enum: /** What to calculate */ #[arg(example = Expression::Number(1.0))] Expression,
        [r#"{"add": [{"number": 1}, {"not": {"of": {"number": 2.5}}}]}"#],
        [r#"{"add": [{"number": 1}]}"#, r#"{"not": {"of": 1}}"#];
    mutually_recursive: Chicken, [r#"{"eggs": {"a": {"chicken": {"eggs": {}}}}}"#], [r#"{"eggs": {"a": {"chicken": 1}}}"#];
    recursive_chinese: 节点, [r#"{"值": 1, "下一个": {"值": 2}}"#], [r#"{"值": 1, "下一个": {"值": "二"}}"#];
    recursive_generic: Linked<Vec<u8>>, [r#"{"value": [1], "next": {"value": []}}"#], [r#"{"value": [1], "next": {}}"#];
    of_one_name: Forest, [
        r#"{"tree": {"value": 1}, "other": {"branches": [{"branches": []}]}}"#
    ], [r#"{"tree": {"value": 1}, "other": {"branches": [{"value": 1}]}}"#];
    generic: Page<u8>, [r#"{"items": [1]}"#], [r#"{"items": ["a"]}"#];
    generic_struct: Page<Place>, [r#"{"items": [], "next": {"name": "a", "tags": []}}"#], [r#"{"items": [{}]}"#];
    duration: Duration, [r#"{"secs": 1, "nanos": 0}"#], ["1", r#"{"secs": 1}"#];
    range: RangeInclusive<u8>, [r#"{"start": 1, "end": 2}"#], [r#"{"start": 1}"#];
    ip: IpAddr, ["\"::1\""], ["1"];
    ipv4: Ipv4Addr, ["\"127.0.0.1\""], ["\"127.0.0\""];
    socket: SocketAddr, ["\"127.0.0.1:80\""], ["80"];
    date: NaiveDate, ["\"2024-02-29\""], ["\"2023-02-29\""];
    time: NaiveTime, ["\"12:30:00\""], ["12"];
    date_time: NaiveDateTime, ["\"2024-02-29T12:30:00\""], ["12"];
    utc: DateTime<Utc>, ["\"2024-02-29T12:30:00Z\""], ["\"2024-02-29\""];
    offset: DateTime<FixedOffset>, ["\"2024-02-29T12:30:00+08:00\""], ["\"tomorrow\""];
    weekday: Weekday, ["\"Mon\""], ["\"day\""];
    time_delta: ChronoDuration, ["[1, 0]"], ["[1]"];
    uuid: Uuid, ["\"67e55044-10b1-426f-9247-bb680e5fe0c8\""], ["\"67e55044\""];
    url: Url, ["\"https://example.com/a?b=c\""], ["\"example\""];
    chinese: /** 城市名 */ String, ["\"北京\""], ["5"];
    ranged: /** 天数 */ #[arg(default = 1, range(1..=7))] u8, ["7"], ["8"];
    sized: #[arg(length(1..=2), pattern = "^[a-z]")] String, ["\"a\""], ["\"\"", "\"1\""];
    sized_value: #[arg(length(2..))] Value, ["1", "[1, 2]"], ["[1]"];
    with: #[serde(with = "seconds")] #[schemars(with = "f64")] Duration, ["1.5"], ["\"a\""];
    defaulted_value: #[arg(default = Value::Null)] Value, ["1"], [];
}

mod seconds {
    //! A duration as a number.

    use serde::{Deserialize, Deserializer, de::Error};
    use std::time::Duration;

    pub fn deserialize<'de, D: Deserializer<'de>>(value: D) -> Result<Duration, D::Error> {
        Duration::try_from_secs_f64(f64::deserialize(value)?).map_err(D::Error::custom)
    }
}

#[tokio::test]
async fn every_shape_is_as_the_file_says() -> Tested {
    let runtime = Runtime::builder().tools(all()).build()?;
    let session = runtime.session(SessionInfo::new("shapes"));
    let definitions = session.definitions();
    let mut judged = Judged::default();
    for shape in SHAPES {
        let found = definitions.iter().find(|tool| tool.name() == shape.name);
        let tool = found.ok_or(shape.name)?;
        let schema = tool.parameters();
        let rust = shape.rust.split_whitespace().collect::<Vec<_>>().join(" ");
        let mark = if schema.get("required").is_none() {
            "?"
        } else {
            ""
        };
        writeln!(judged.text, "{}{mark}: {rust}", shape.name)?;
        writeln!(judged.text, "  {}", schema["properties"]["v"])?;
        let definitions = schema["$defs"].as_object().into_iter().flatten();
        for (name, body) in definitions {
            writeln!(judged.text, "  {name} = {body}")?;
        }
        let calls = |values: &[&str]| values.iter().map(|v| format!(r#"{{"v": {v}}}"#)).collect();
        let calls = Calls {
            taken: calls(shape.taken),
            refused: calls(shape.refused),
        };
        judged.judge(&session, tool, calls).await?;
    }
    judged.done("arguments.txt")
}
