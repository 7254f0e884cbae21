//! A program of somebody else: outside the workspace, with chatluna-tool and tokio alone.

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

fn cargo(folder: &Path, arguments: &[&str]) -> Result<Output, std::io::Error> {
    let target = Path::new(env!("CARGO_TARGET_TMPDIR")).join("outside-target");
    Command::new(env!("CARGO"))
        .args(arguments)
        .arg("--offline")
        .current_dir(folder)
        .env("CARGO_TARGET_DIR", target)
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
