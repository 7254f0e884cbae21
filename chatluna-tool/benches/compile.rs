//! What a tool costs to compile, and to carry in the binary.
//!
//! Run it with `cargo bench -p chatluna-tool --bench compile`; it takes some minutes.
//!
//! Programs with 10 and with 300 tools are generated in a temporary directory,
//! each in three shapes: with `#[tool]`; by hand, which is the floor (a struct
//! that derives `Deserialize` and `JsonSchema`, a row in a `HashMap` of boxed
//! async fns); and the plain functions alone, which is what no library can
//! save. Their signatures are the same.
//!
//! A figure is the slope: what 300 tools take more than 10, divided by 290.
//! CPU is user and system time of cargo and all it starts, for the last crate
//! only: its dependencies were built before. Bytes are of the stripped release
//! binary. Nothing here fails on a figure. It needs Linux, for `/proc`.

use std::error::Error;
use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::{env, fs};

const SIZES: [usize; 2] = [10, 300];
const SHAPES: [Shape; 3] = [Shape::Functions, Shape::ByHand, Shape::Tool];
/// `/proc` counts in these.
const TICKS_PER_SECOND: f64 = 100.0;

/// A parameter of a generated function.
struct Parameter {
    name: &'static str,
    ty: &'static str,
    /// What stands before it below `#[tool]`.
    arg: &'static str,
    /// What stands before the field of a struct that derives the same.
    derived: &'static str,
}

/// A generated function. They take turns.
struct Signature {
    /// Keys of `#[tool]` besides the effect.
    keys: &'static str,
    /// The same work in the row that is written by hand.
    by_hand: &'static str,
    parameters: &'static [Parameter],
}

const fn plain(name: &'static str, ty: &'static str) -> Parameter {
    rich(name, ty, "", "")
}

const fn rich(
    name: &'static str,
    ty: &'static str,
    arg: &'static str,
    derived: &'static str,
) -> Parameter {
    Parameter {
        name,
        ty,
        arg,
        derived,
    }
}

const fn signature(parameters: &'static [Parameter]) -> Signature {
    Signature {
        keys: "",
        by_hand: "",
        parameters,
    }
}

/// What is measured: a title, the functions, and what all programs of the kind hold.
struct Kind {
    title: &'static str,
    signatures: &'static [Signature],
    /// How many functions share a `#[toolset]` module; 0 is no toolsets.
    set: usize,
}

const PLAIN: Kind = Kind {
    title: "plain parameters",
    set: 0,
    signatures: &[
        signature(&[
            plain("city", "String"),
            plain("days", "Option<u8>"),
            plain("units", "Option<String>"),
        ]),
        signature(&[plain("a", "i64"), plain("b", "i64")]),
        signature(&[
            plain("path", "String"),
            plain("recursive", "bool"),
            plain("globs", "Vec<String>"),
        ]),
        signature(&[plain("query", "String")]),
        signature(&[
            plain("owner", "String"),
            plain("labels", "Vec<String>"),
            plain("limit", "Option<u8>"),
            plain("open", "bool"),
            plain("note", "Option<String>"),
        ]),
        signature(&[
            plain("id", "i64"),
            plain("text", "String"),
            plain("tags", "Vec<String>"),
            plain("draft", "bool"),
        ]),
    ],
};

/// Defaults, constraints, aliases, a flattened struct, hooks, toolsets. The floor derives the
/// same; a constraint is in its schema and checked nowhere.
const RICH: Kind = Kind {
    title: "defaults, constraints, flatten, hooks, toolsets",
    set: 10,
    signatures: &[
        signature(&[
            rich(
                "city",
                "String",
                "#[arg(length(1..=80))] ",
                "#[schemars(length(min = 1, max = 80))] ",
            ),
            rich(
                "days",
                "u8",
                "#[arg(default = 3, range(1..=14))] ",
                "#[serde(default = \"three\")] #[schemars(range(min = 1, max = 14))] ",
            ),
            rich(
                "units",
                "Units",
                "#[arg(default = Units::Metric)] ",
                "#[serde(default = \"metric\")] ",
            ),
        ]),
        signature(&[plain("a", "i64"), plain("b", "i64")]),
        Signature {
            keys: ", permission = |args| chatluna_tool::Permission::new(\"fs:read\").target(&args.path)",
            by_hand: "drop((\"fs:read\", path.clone()));",
            parameters: &[
                plain("path", "String"),
                rich(
                    "recursive",
                    "bool",
                    "#[arg(default)] ",
                    "#[serde(default)] ",
                ),
                rich(
                    "globs",
                    "Vec<String>",
                    "#[arg(default)] #[serde(alias = \"patterns\")] ",
                    "#[serde(default, alias = \"patterns\")] ",
                ),
            ],
        },
        signature(&[
            plain("query", "String"),
            rich("page", "Page", "#[arg(flatten)] ", "#[serde(flatten)] "),
        ]),
        Signature {
            keys: ", permission = |args| chatluna_tool::Permission::new(\"deploy\").target(&args.owner), visibility = |session| session.agent.is_some()",
            by_hand: "drop((\"deploy\", owner.clone()));",
            parameters: &[
                rich(
                    "owner",
                    "String",
                    "#[arg(pattern = \"^[a-z]+$\", rename = \"login\")] ",
                    "#[serde(rename = \"login\")] #[schemars(regex(pattern = \"^[a-z]+$\"))] ",
                ),
                rich(
                    "limit",
                    "Option<u8>",
                    "#[arg(range(..=100))] ",
                    "#[schemars(range(max = 100))] ",
                ),
                plain("note", "Option<String>"),
            ],
        },
        signature(&[
            rich(
                "id",
                "i64",
                "#[arg(example = 7)] ",
                "#[schemars(example = &7)] ",
            ),
            plain("text", "String"),
            rich(
                "tags",
                "Vec<String>",
                "#[arg(length(..=5))] ",
                "#[schemars(length(max = 5))] ",
            ),
        ]),
    ],
};

/// The types that the rich functions share.
const TYPES: &str = r#"
#[derive(Clone, Copy, Debug, Default)]
pub enum Units {
    #[default]
    Metric,
    Imperial,
}

#[derive(Clone, Debug, Default)]
pub struct Page {
    pub limit: Option<u8>,
    pub offset: Option<u32>,
}
"#;

const DEFAULTS: &str = r#"
#[allow(dead_code)]
fn three() -> u8 {
    3
}

#[allow(dead_code)]
fn metric() -> Units {
    Units::Metric
}
"#;

/// Called with the name of a tool and its arguments.
const MAIN: &str = r#"
fn finish<T>(future: impl Future<Output = T>) -> T {
    let mut context = std::task::Context::from_waker(std::task::Waker::noop());
    match std::pin::pin!(future).poll(&mut context) {
        std::task::Poll::Ready(value) => value,
        std::task::Poll::Pending => panic!("not ready"),
    }
}

fn main() {
    let arguments: Vec<String> = std::env::args().collect();
    println!("{}", answer(&arguments[1], &arguments[2]));
}
"#;

const MAIN_TOOL: &str = r#"
use chatluna_tool::{Runtime, SessionInfo, openai, tool};

fn answer(name: &str, text: &str) -> String {
    let session = Runtime::builder().collect().build().unwrap().session(SessionInfo::new("one"));
    format!("{} {}", openai::tools(&session.definitions()), finish(session.call(name, text)).text())
}
"#;

const MAIN_BY_HAND: &str = r#"
use schemars::JsonSchema;
use serde::Deserialize;
use std::collections::HashMap;
use std::pin::Pin;

struct Handler {
    description: &'static str,
    schema: fn() -> schemars::Schema,
    call: fn(&str) -> Result<Pin<Box<dyn Future<Output = String> + Send>>, serde_json::Error>,
}

fn answer(name: &str, text: &str) -> String {
    let handlers = HashMap::from(HANDLERS);
    let handler = &handlers[name];
    let result = finish((handler.call)(text).unwrap());
    format!("{} {:?} {result}", handler.description, (handler.schema)())
}
"#;

const MAIN_FUNCTIONS: &str = r#"
use std::collections::HashMap;
use std::pin::Pin;

type Call = fn() -> Pin<Box<dyn Future<Output = String> + Send>>;

fn answer(name: &str, _: &str) -> String {
    finish(HashMap::from(HANDLERS)[name]())
}
"#;

#[derive(Clone, Copy, PartialEq)]
enum Shape {
    Tool,
    ByHand,
    Functions,
}

fn main() -> Result<(), Box<dyn Error>> {
    if !env::args().any(|argument| argument == "--bench") {
        println!("a benchmark: cargo bench -p chatluna-tool --bench compile");
        return Ok(());
    }
    let directory = env::temp_dir().join(format!("chatluna-tool-compile-{}", std::process::id()));
    let report = report(&directory);
    fs::remove_dir_all(&directory)?;
    report
}

fn report(directory: &Path) -> Result<(), Box<dyn Error>> {
    for kind in [PLAIN, RICH] {
        report_kind(directory, &kind)?;
    }
    Ok(())
}

fn report_kind(directory: &Path, kind: &Kind) -> Result<(), Box<dyn Error>> {
    let mut slopes = Vec::new();
    for shape in SHAPES {
        slopes.push([
            slope(directory, kind, shape, "dev")?,
            slope(directory, kind, shape, "release")?,
        ]);
    }
    println!("{}", kind.title);
    println!(
        "{:<22}{:>12}{:>12}{:>15}",
        "a tool", "debug ms", "release ms", "release bytes"
    );
    for (name, [debug, release]) in ["functions alone", "by hand (floor)", "#[tool]"]
        .iter()
        .zip(&slopes)
    {
        println!(
            "{name:<22}{:>12.1}{:>12.1}{:>15.0}",
            debug.0, release.0, release.1
        );
    }
    let [_, floor, tool] = &slopes[..] else {
        return Err("there are three shapes".into());
    };
    let [debug, release] = [0, 1].map(|profile| tool[profile].0 / floor[profile].0);
    let bytes = tool[1].1 / floor[1].1;
    println!(
        "{:<22}{debug:>11.2}x{release:>11.2}x{bytes:>14.2}x",
        "#[tool] / floor"
    );
    println!(
        "{:<22}{:>11}x{:>11}x{:>14}x",
        "budget", "0.60", "0.60", "0.70"
    );
    Ok(())
}

/// CPU milliseconds and bytes that one more tool takes.
fn slope(
    directory: &Path,
    kind: &Kind,
    shape: Shape,
    profile: &str,
) -> Result<(f64, f64), Box<dyn Error>> {
    let [few, many] = SIZES.map(|count| measure(directory, kind, shape, count, profile));
    let ((few_ms, few_bytes), (many_ms, many_bytes)) = (few?, many?);
    let more = (SIZES[1] - SIZES[0]) as f64;
    Ok(((many_ms - few_ms) / more, (many_bytes - few_bytes) / more))
}

/// CPU milliseconds of the last crate and the bytes of its binary.
fn measure(
    directory: &Path,
    kind: &Kind,
    shape: Shape,
    count: usize,
    profile: &str,
) -> Result<(f64, f64), Box<dyn Error>> {
    let krate = directory.join("program");
    fs::create_dir_all(krate.join("src"))?;
    fs::write(krate.join("Cargo.toml"), manifest(shape)?)?;
    fs::copy(
        own_directory()?.join("../Cargo.lock"),
        krate.join("Cargo.lock"),
    )?;
    fs::write(krate.join("src/main.rs"), "fn main() {}\n")?;
    build(&krate, profile)?;
    fs::write(krate.join("src/main.rs"), program(kind, shape, count)?)?;
    let before = children_ms()?;
    build(&krate, profile)?;
    let took = children_ms()? - before;
    let folder = if profile == "dev" { "debug" } else { profile };
    let binary = krate.join("target").join(folder).join("program");
    let called = Command::new(&binary)
        .args(["tool_1", r#"{"a": 20, "b": 22}"#])
        .output()?;
    if !called.status.success() {
        return Err(format!("the program failed: {called:?}").into());
    }
    Ok((took, fs::metadata(binary)?.len() as f64))
}

fn build(krate: &Path, profile: &str) -> Result<(), Box<dyn Error>> {
    let built = Command::new(env::var("CARGO")?)
        .args(["build", "--quiet", "--profile", profile])
        .current_dir(krate)
        .env("CARGO_TARGET_DIR", krate.join("target"))
        .env("CARGO_INCREMENTAL", "0")
        .status()?;
    if built.success() {
        Ok(())
    } else {
        Err("the generated program does not compile".into())
    }
}

/// User and system time of all processes that ended below this one.
fn children_ms() -> Result<f64, Box<dyn Error>> {
    let stat = fs::read_to_string("/proc/self/stat")?;
    // After the name, which may hold anything: fields 3 and on. `cutime` is 16, `cstime` 17.
    let (_, fields) = stat
        .rsplit_once(')')
        .ok_or("an unknown form of `/proc/self/stat`")?;
    let ticks = fields
        .split_whitespace()
        .skip(13)
        .take(2)
        .map(str::parse::<f64>);
    Ok(ticks.sum::<Result<f64, _>>()? * 1_000.0 / TICKS_PER_SECOND)
}

fn own_directory() -> Result<PathBuf, env::VarError> {
    env::var("CARGO_MANIFEST_DIR").map(PathBuf::from)
}

fn manifest(shape: Shape) -> Result<String, Box<dyn Error>> {
    let dependencies = match shape {
        Shape::Functions => String::new(),
        Shape::ByHand => r#"schemars = { version = "1.2.3", default-features = false, features = ["derive", "preserve_order", "std"] }
serde = { version = "1", features = ["derive"] }
serde_json = "1"
"#.to_owned(),
        Shape::Tool => format!("chatluna-tool = {{ path = {:?} }}\n", own_directory()?),
    };
    Ok(format!(
        "[package]\nname = \"program\"\nedition = \"2024\"\n\n[dependencies]\n{dependencies}\n\
         [profile.release]\nstrip = true\n\n[workspace]\n"
    ))
}

fn program(kind: &Kind, shape: Shape, count: usize) -> Result<String, std::fmt::Error> {
    let mut text = MAIN.to_owned();
    text.push_str(match shape {
        Shape::Tool => MAIN_TOOL,
        Shape::ByHand => MAIN_BY_HAND,
        Shape::Functions => MAIN_FUNCTIONS,
    });
    text.push_str(&types(shape));
    let sets = if shape == Shape::Tool { kind.set } else { 0 };
    for index in 0..count {
        if sets > 0 && index % sets == 0 {
            let end = if index == 0 { "" } else { "}\n" };
            let keys = "prefix = \"\", traits(effect = \"read\")";
            writeln!(
                text,
                "{end}#[chatluna_tool::toolset({keys})]\nmod set_{index} {{\nuse super::*;"
            )?;
        }
        function(&mut text, kind, shape, index)?;
    }
    text.push_str(if sets > 0 { "}\n" } else { "" });
    let row = match shape {
        Shape::Tool => return Ok(text),
        Shape::ByHand => "Handler",
        Shape::Functions => "Call",
    };
    writeln!(text, "const HANDLERS: [(&str, {row}); {count}] = [")?;
    (0..count).try_for_each(|index| handler(&mut text, kind, shape, index))?;
    text.push_str("];\n");
    Ok(text)
}

fn types(shape: Shape) -> String {
    let derived = |line: &str| TYPES.replace("\n#[derive(", line);
    match shape {
        Shape::Functions => TYPES.to_owned(),
        Shape::Tool => derived("\n#[chatluna_tool::tool_type]\n#[derive("),
        Shape::ByHand => derived("\n#[derive(Deserialize, JsonSchema, ") + DEFAULTS,
    }
}

/// The function, and the struct of its arguments where it is written by hand.
fn function(text: &mut String, kind: &Kind, shape: Shape, index: usize) -> std::fmt::Result {
    let Signature {
        keys, parameters, ..
    } = &kind.signatures[index % kind.signatures.len()];
    let with_docs = |text: &mut String| {
        parameters.iter().try_for_each(|parameter| {
            let Parameter { name, ty, .. } = parameter;
            let said = match shape {
                Shape::Tool => parameter.arg,
                _ => parameter.derived,
            };
            writeln!(
                text,
                "    /// What `{name}` is for in tool number {index}\n    {said}{name}: {ty},"
            )
        })
    };
    if shape == Shape::ByHand {
        let flattens = parameters.iter().any(|row| row.derived.contains("flatten"));
        // serde has no unknown fields beside flattened ones.
        let denies = if flattens {
            ""
        } else {
            "#[serde(deny_unknown_fields)]\n"
        };
        writeln!(
            text,
            "#[derive(Deserialize, JsonSchema)]\n{denies}struct Tool{index} {{"
        )?;
        with_docs(text)?;
        writeln!(text, "}}")?;
    }
    writeln!(text, "/// Does the work of tool number {index}")?;
    if shape == Shape::Tool {
        writeln!(text, "#[tool(traits(effect = \"read\"){keys})]")?;
    }
    writeln!(text, "pub async fn tool_{index}(")?;
    match shape {
        Shape::Tool => with_docs(text)?,
        _ => parameters
            .iter()
            .try_for_each(|row| writeln!(text, "    {}: {},", row.name, row.ty))?,
    }
    write!(text, ") -> String {{\n    format!(\"tool {index}:")?;
    parameters
        .iter()
        .try_for_each(|row| write!(text, " {{{}:?}}", row.name))?;
    writeln!(text, "\")\n}}\n")
}

/// A row of the table.
fn handler(text: &mut String, kind: &Kind, shape: Shape, index: usize) -> std::fmt::Result {
    let Signature {
        by_hand,
        parameters,
        ..
    } = &kind.signatures[index % kind.signatures.len()];
    let names: Vec<&str> = parameters.iter().map(|row| row.name).collect();
    let names = names.join(", ");
    if shape == Shape::Functions {
        let defaults = vec!["Default::default()"; parameters.len()].join(", ");
        return writeln!(
            text,
            "(\"tool_{index}\", || Box::pin(tool_{index}({defaults}))),"
        );
    }
    writeln!(
        text,
        r#"("tool_{index}", Handler {{
    description: "Does the work of tool number {index}",
    schema: || schemars::schema_for!(Tool{index}),
    call: |text| {{
        let Tool{index} {{ {names} }} = serde_json::from_str(text)?;
        {by_hand}
        Ok(Box::pin(tool_{index}({names})))
    }},
}}),"#
    )
}
