//! Crates of somebody else, outside the workspace: a program with chatluna-tool and tokio alone,
//! and crates that come by chatluna-tool in every way. All of them share one target folder.

use std::collections::BTreeSet;
use std::error::Error;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

type Tested = Result<(), Box<dyn Error>>;

/// The most crates that a minimal program may be made of, itself included.
const MAX_CRATES: usize = 40;

const PROGRAM: &str = r##"
use chatluna_tool::{BuildError, Json, Runtime, SessionInfo, tool, tool_type};

/// A day
#[tool_type]
struct Day {
    celsius: i32,
}

/// The forecast
#[tool(traits(effect = "read"))]
async fn forecast(days: Vec<Day>) -> Json<Day> {
    Json(Day { celsius: days.iter().map(|day| day.celsius).sum() })
}

#[tokio::main]
async fn main() -> Result<(), BuildError> {
    let session = Runtime::builder().collect().build()?.session(SessionInfo::new("x"));
    let result = session.call("forecast", r#"{"days": [{"celsius": 20}, {"celsius": 6}]}"#).await;
    println!("{}", result.text());
    Ok(())
}
"##;

/// The first example that anybody writes: no traits.
const SEED: &str = r#"
use chatluna_tool::{BuildError, Runtime, tool};

/// Current weather
#[tool]
async fn weather(city: String) -> String {
    format!("{city}: sunny")
}

fn main() -> Result<(), BuildError> {
    Runtime::builder().collect().build().map(|_| ())
}
"#;

/// The crates in the folder `outside`: name, edition, and what stands below `[dependencies]`.
const CRATES: &[(&str, u16, &str)] = &[
    ("edition_2021", 2021, "chatluna-tool = LIBRARY"),
    ("renamed", 2024, "ct = LIBRARY"),
    ("facade", 2024, "chatluna-tool = LIBRARY"),
    ("through_facade", 2024, "facade = { path = \"../facade\" }"),
    ("shop", 2024, "chatluna-tool = LIBRARY"),
    (
        "shapes",
        2024,
        "chatluna-tool = LIBRARY\n\
         serde = \"1\"",
    ),
    (
        "user",
        2024,
        "chatluna-tool = LIBRARY\n\
         edition_2021 = { path = \"../edition_2021\" }\n\
         renamed = { path = \"../renamed\" }\n\
         shop = { path = \"../shop\" }\n\
         through_facade = { path = \"../through_facade\" }\n\
         tokio = { version = \"1\", features = [\"macros\", \"rt-multi-thread\"] }",
    ),
];

fn workspace() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

/// A crate in the target folder, with the versions of this workspace.
fn outside(name: &str, main: &str) -> Result<PathBuf, Box<dyn Error>> {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    let library = workspace().join("chatluna-tool").canonicalize()?;
    std::fs::create_dir_all(folder.join("src"))?;
    let manifest = format!(
        "[package]\nname = \"{name}\"\nversion = \"0.1.0\"\nedition = \"2024\"\n\
         [dependencies]\nchatluna-tool = {{ path = {library:?} }}\n\
         tokio = {{ version = \"1\", features = [\"macros\", \"rt-multi-thread\"] }}\n\
         [workspace]\n"
    );
    std::fs::write(folder.join("Cargo.toml"), manifest)?;
    std::fs::write(folder.join("src/main.rs"), main)?;
    std::fs::copy(workspace().join("Cargo.lock"), folder.join("Cargo.lock"))?;
    Ok(folder)
}

/// A workspace of all `CRATES`, whose sources stay where they are; each test has its own.
fn crates(name: &str) -> Result<PathBuf, Box<dyn Error>> {
    let sources = Path::new(env!("CARGO_MANIFEST_DIR")).join("outside");
    let library = workspace().join("chatluna-tool").canonicalize()?;
    let library = format!("{{ package = \"chatluna-tool\", path = {library:?} }}");
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    for (name, edition, dependencies) in CRATES {
        let source = sources.join(name).with_extension("rs");
        let target = match *name {
            "user" => format!("[[bin]]\nname = \"user\"\npath = {source:?}\n"),
            _ => format!("[lib]\npath = {source:?}\n"),
        };
        let dependencies = dependencies.replace("LIBRARY", &library);
        let manifest = format!(
            "[package]\nname = \"{name}\"\nversion = \"0.1.0\"\nedition = \"{edition}\"\n\
             {target}[dependencies]\n{dependencies}\n"
        );
        std::fs::create_dir_all(folder.join(name))?;
        std::fs::write(folder.join(name).join("Cargo.toml"), manifest)?;
    }
    let names: Vec<&str> = CRATES.iter().map(|(name, ..)| *name).collect();
    let manifest = format!("[workspace]\nresolver = \"3\"\nmembers = {names:?}\n");
    std::fs::write(folder.join("Cargo.toml"), manifest)?;
    std::fs::copy(workspace().join("Cargo.lock"), folder.join("Cargo.lock"))?;
    Ok(folder)
}

fn target() -> PathBuf {
    Path::new(env!("CARGO_TARGET_TMPDIR")).join("outside-target")
}

fn cargo(folder: &Path, arguments: &[&str]) -> Result<Output, std::io::Error> {
    Command::new(env!("CARGO"))
        .args(arguments)
        .arg("--offline")
        .current_dir(folder)
        .env("CARGO_TARGET_DIR", target())
        .env("RUSTDOCFLAGS", "-D warnings")
        .output()
}

#[test]
fn it_needs_two_dependencies_and_few_crates() -> Tested {
    let folder = outside("outside-user", PROGRAM)?;
    let ran = cargo(&folder, &["run", "--quiet"])?;
    let (out, err) = (
        String::from_utf8(ran.stdout)?,
        String::from_utf8(ran.stderr)?,
    );
    assert_eq!((&*out, &*err), ("{\"celsius\":26}\n", ""));

    let tree = cargo(
        &folder,
        &[
            "tree", "--edges", "normal", "--prefix", "none", "--format", "{p}",
        ],
    )?;
    let tree = String::from_utf8(tree.stdout)?;
    // A crate that was shown before is marked with `(*)`.
    let crates = tree.lines().map(|line| line.trim_end_matches(" (*)"));
    let crates: BTreeSet<&str> = crates.filter(|line| !line.is_empty()).collect();
    println!("{} crates", crates.len());
    assert!(
        (10..=MAX_CRATES).contains(&crates.len()),
        "{}:\n{tree}",
        crates.len()
    );
    Ok(())
}

#[test]
fn the_first_example_says_which_line_to_add() -> Tested {
    let folder = outside("outside-seed", SEED)?;
    let ran = cargo(&folder, &["run", "--quiet"])?;
    let err = String::from_utf8(ran.stderr)?;
    assert_eq!(ran.status.code(), Some(1), "{err}");
    for line in [
        "`weather` may write or execute",
        ".policy(PermissionPolicy::allow_all())",
        "#[tool(traits(effect = \"read\"))]",
    ] {
        assert!(err.contains(line), "{err}");
    }
    Ok(())
}

#[test]
fn tools_come_from_every_kind_of_crate() -> Tested {
    let folder = crates("outside-crates")?;
    let ran = cargo(&folder, &["run", "--quiet", "--package", "user"])?;
    let (out, err) = (
        String::from_utf8(ran.stdout)?,
        String::from_utf8(ran.stderr)?,
    );
    let said = [
        "Rome Some(3) old_weather",
        "4",
        "6",
        "2",
        "4 hand double",
        "pong",
        "2 tea",
        "1 cup pong",
        "1",
    ];
    assert_eq!((out.lines().collect::<Vec<_>>(), &*err), (said.into(), ""));
    Ok(())
}

#[test]
fn clippy_finds_nothing_in_tools_of_every_shape() -> Tested {
    let folder = crates("outside-clippy")?;
    let checked = cargo(&folder, &["clippy", "--quiet", "--package", "shapes"])?;
    let err = String::from_utf8(checked.stderr)?;
    assert_eq!((checked.status.code(), &*err), (Some(0), ""));
    Ok(())
}

#[test]
fn rustdoc_shows_the_functions_as_written_and_nothing_beside_them() -> Tested {
    let folder = crates("outside-doc")?;
    let made = cargo(
        &folder,
        &["doc", "--quiet", "--no-deps", "--package", "shapes"],
    )?;
    let err = String::from_utf8(made.stderr)?;
    assert_eq!((made.status.code(), &*err), (Some(0), ""));

    let pages = target().join("doc/shapes");
    let all = std::fs::read_to_string(pages.join("all.html"))?;
    let items = all.split("<li><a href=\"").skip(1);
    let items = items.filter_map(|rest| rest.split_once('"'));
    // The table of contents of the page links to its own headings.
    let items = items
        .map(|(item, _)| item)
        .filter(|item| !item.starts_with('#'));
    let shown = [
        "struct.EveryArgs.html",
        "struct.GrowArgs.html",
        "struct.Place.html",
        "struct.SaidArgs.html",
        "struct.Store.html",
        "enum.Unit.html",
        "fn.all.html",
        "fn.data.html",
        "fn.every.html",
        "fn.lent.html",
        "fn.old.html",
        "fn.parts.html",
        "fn.return.html",
        "fn.said.html",
        "text/fn.trim.html",
    ];
    assert_eq!(items.collect::<Vec<_>>(), shown);
    assert_eq!(
        declaration(&pages.join("fn.lent.html"))?,
        "pub fn lent(text: &amp;str, list: &amp;[Place]) -&gt; String"
    );
    assert_eq!(
        declaration(&pages.join("struct.EveryArgs.html"))?,
        "pub struct EveryArgs { pub place: Place, pub here: u8, \
         pub rest: BTreeMap&lt;String, Vec&lt;u8&gt;&gt;, pub type: Option&lt;Unit&gt;, }"
    );
    Ok(())
}

/// What a page of rustdoc shows in its first box.
fn declaration(page: &Path) -> Result<String, Box<dyn Error>> {
    let page = std::fs::read_to_string(page)?;
    let (_, code) = page.split_once("<code>").ok_or("no declaration")?;
    let (code, _) = code.split_once("</code>").ok_or("no end")?;
    let texts = code
        .split('<')
        .enumerate()
        .map(|(index, part)| match index {
            0 => part,
            _ => part.split_once('>').map_or("", |(_, text)| text),
        });
    let text: String = texts.collect();
    Ok(text.split_whitespace().collect::<Vec<_>>().join(" "))
}
