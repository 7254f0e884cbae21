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

/// Name and type of each parameter; the generated functions take turns.
const SIGNATURES: [&[(&str, &str)]; 6] = [
    &[
        ("city", "String"),
        ("days", "Option<u8>"),
        ("units", "Option<String>"),
    ],
    &[("a", "i64"), ("b", "i64")],
    &[
        ("path", "String"),
        ("recursive", "bool"),
        ("globs", "Vec<String>"),
    ],
    &[("query", "String")],
    &[
        ("owner", "String"),
        ("labels", "Vec<String>"),
        ("limit", "Option<u8>"),
        ("open", "bool"),
        ("note", "Option<String>"),
    ],
    &[
        ("id", "i64"),
        ("text", "String"),
        ("tags", "Vec<String>"),
        ("draft", "bool"),
    ],
];

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
    let mut slopes = Vec::new();
    for shape in SHAPES {
        slopes.push([
            slope(directory, shape, "dev")?,
            slope(directory, shape, "release")?,
        ]);
    }
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
fn slope(directory: &Path, shape: Shape, profile: &str) -> Result<(f64, f64), Box<dyn Error>> {
    let [few, many] = SIZES.map(|count| measure(directory, shape, count, profile));
    let ((few_ms, few_bytes), (many_ms, many_bytes)) = (few?, many?);
    let more = (SIZES[1] - SIZES[0]) as f64;
    Ok(((many_ms - few_ms) / more, (many_bytes - few_bytes) / more))
}

/// CPU milliseconds of the last crate and the bytes of its binary.
fn measure(
    directory: &Path,
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
    fs::write(krate.join("src/main.rs"), program(shape, count)?)?;
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

fn program(shape: Shape, count: usize) -> Result<String, std::fmt::Error> {
    let mut text = MAIN.to_owned();
    text.push_str(match shape {
        Shape::Tool => MAIN_TOOL,
        Shape::ByHand => MAIN_BY_HAND,
        Shape::Functions => MAIN_FUNCTIONS,
    });
    for index in 0..count {
        function(&mut text, shape, index)?;
    }
    let row = match shape {
        Shape::Tool => return Ok(text),
        Shape::ByHand => "Handler",
        Shape::Functions => "Call",
    };
    writeln!(text, "const HANDLERS: [(&str, {row}); {count}] = [")?;
    (0..count).try_for_each(|index| handler(&mut text, shape, index))?;
    text.push_str("];\n");
    Ok(text)
}

/// The function, and the struct of its arguments where it is written by hand.
fn function(text: &mut String, shape: Shape, index: usize) -> std::fmt::Result {
    let parameters = SIGNATURES[index % SIGNATURES.len()];
    let with_docs = |text: &mut String| {
        parameters.iter().try_for_each(|(name, ty)| {
            writeln!(
                text,
                "    /// What `{name}` is for in tool number {index}\n    {name}: {ty},"
            )
        })
    };
    if shape == Shape::ByHand {
        writeln!(
            text,
            "#[derive(Deserialize, JsonSchema)]\n#[serde(deny_unknown_fields)]"
        )?;
        writeln!(text, "struct Tool{index} {{")?;
        with_docs(text)?;
        writeln!(text, "}}")?;
    }
    writeln!(text, "/// Does the work of tool number {index}")?;
    if shape == Shape::Tool {
        writeln!(text, "#[tool(traits(effect = \"read\"))]")?;
    }
    writeln!(text, "async fn tool_{index}(")?;
    match shape {
        Shape::Tool => with_docs(text)?,
        _ => parameters
            .iter()
            .try_for_each(|(name, ty)| writeln!(text, "    {name}: {ty},"))?,
    }
    write!(text, ") -> String {{\n    format!(\"tool {index}:")?;
    parameters
        .iter()
        .try_for_each(|(name, _)| write!(text, " {{{name}:?}}"))?;
    writeln!(text, "\")\n}}\n")
}

/// A row of the table.
fn handler(text: &mut String, shape: Shape, index: usize) -> std::fmt::Result {
    let parameters = SIGNATURES[index % SIGNATURES.len()];
    let names: Vec<&str> = parameters.iter().map(|(name, _)| *name).collect();
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
        Ok(Box::pin(tool_{index}({names})))
    }},
}}),"#
    )
}
