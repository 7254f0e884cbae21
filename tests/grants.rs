//! Answers in a file: a person edits it, programs share it, and a kill at any moment loses nothing.
#![cfg(feature = "toml")]

#[path = "folder.rs"]
mod folder;

use chatluna_tool::{FileGrants, GrantStore, Rule, Who};
use std::error::Error;
use std::fs;
use std::io::{BufRead, BufReader, Read};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::Duration;

type Tested = Result<(), Box<dyn Error>>;

/// Where a child adds rules, which ones, and how many.
const TASK: [&str; 3] = [
    "CHATLUNA_TOOL_FILE",
    "CHATLUNA_TOOL_NAME",
    "CHATLUNA_TOOL_COUNT",
];

/// A folder of this test, which is there.
struct Folder(folder::Folder);

impl Folder {
    fn new() -> std::io::Result<Self> {
        let folder = folder::Folder::new();
        fs::create_dir_all(&folder.0)?;
        Ok(Self(folder))
    }

    fn file(&self) -> PathBuf {
        self.0.0.join("grants.toml")
    }

    fn names(&self) -> Result<Vec<String>, Box<dyn Error>> {
        let mut names = Vec::new();
        for entry in fs::read_dir(&self.0.0)? {
            names.push(entry?.file_name().to_string_lossy().into_owned());
        }
        names.sort();
        Ok(names)
    }
}

fn texts(grants: &FileGrants) -> Vec<String> {
    grants.rules().iter().map(Rule::to_string).collect()
}

fn error(path: &Path) -> String {
    FileGrants::open(path).map_or_else(|error| error.to_string(), |_| "it was opened".to_owned())
}

#[test]
fn answers_are_kept_and_read_again() -> Tested {
    let folder = Folder::new()?;
    let path = folder.0.0.join("new/folders/grants.toml");
    let grants = FileGrants::open(&path)?;
    assert!(grants.rules().is_empty());
    assert!(!path.exists());
    let li = Who::user("li").platform("matrix");
    grants.add(&[Rule::allow("deploy:run").target("staging").who(li)])?;
    grants.add(&[Rule::deny("tool:\"x\\").target("")])?;
    let expected = r#"# Answers that were given for always. Each is a rule; remove it to be asked again.

[[rules]]
verdict = "allow"
action = "deploy:run"
target = "staging"
who = { platform = "matrix", user = "li" }

[[rules]]
verdict = "deny"
action = 'tool:"x\'
target = ""
"#;
    assert_eq!(fs::read_to_string(&path)?, expected);
    let again = FileGrants::open(&path)?;
    assert_eq!(again.rules(), grants.rules());
    Ok(())
}

#[test]
fn what_a_person_writes_stays_and_counts_at_once() -> Tested {
    let folder = Folder::new()?;
    let path = folder.file();
    let grants = FileGrants::open(&path)?;
    let mine = "# mine\n[[rules]] # first\nverdict='ask'\naction='a'";
    fs::write(&path, mine)?;
    assert_eq!(texts(&grants), ["ask `a`"]);
    grants.add(&[Rule::allow("b")])?;
    assert!(fs::read_to_string(&path)?.starts_with(mine));
    assert_eq!(texts(&grants), ["ask `a`", "allow `b`"]);
    fs::write(&path, "rules = []")?;
    assert!(grants.rules().is_empty());
    grants.add(&[Rule::allow("c")])?;
    assert_eq!(texts(&FileGrants::open(&path)?), ["allow `c`"]);
    fs::remove_file(&path)?;
    assert!(grants.rules().is_empty());
    Ok(())
}

#[test]
fn a_broken_file_is_set_aside_and_reported() -> Tested {
    let folder = Folder::new()?;
    let path = folder.file();
    for (number, (text, complaint)) in [
        ("[[rules]]\nverdict = \"allow\"\naction = \n", "line 3: "),
        (
            "\n[[rules]]\nverdict = \"maybe\"\naction = \"a\"\n",
            "line 3: unknown variant `maybe`",
        ),
        ("[[rules]]\nverdict = \"deny\"\n", "missing field `action`"),
        ("rule = []", "line 1: unknown field `rule`"),
    ]
    .into_iter()
    .enumerate()
    {
        fs::write(&path, text)?;
        let error = error(&path);
        let place = format!("grants.toml.corrupt-{}", number + 1);
        assert!(error.contains(complaint), "{error}");
        assert!(error.contains(&place), "{error}");
        assert_eq!(fs::read_to_string(folder.0.0.join(place))?, text);
        assert!(FileGrants::open(&path)?.rules().is_empty());
    }
    fs::write(&path, b"# \xff\n")?;
    assert!(error(&path).contains("line 1: the text is not UTF-8"));
    assert_eq!(folder.names()?.len(), 5);
    Ok(())
}

#[test]
fn to_allow_everything_is_refused_unless_it_is_meant() -> Tested {
    let folder = Folder::new()?;
    let path = folder.file();
    let text = "[[rules]]\nverdict = \"allow\"\naction = \"*\"\n";
    fs::write(&path, text)?;
    assert!(
        error(&path).contains("unsafe_allow_all"),
        "{}",
        error(&path)
    );
    assert_eq!(fs::read_to_string(&path)?, text);
    fs::write(&path, format!("{text}unsafe_allow_all = true\n"))?;
    let grants = FileGrants::open(&path)?;
    assert_eq!(grants.rules().len(), 1);
    assert!(grants.add(&[Rule::allow("*")]).is_err());
    fs::write(&path, text)?;
    assert!(grants.add(&[Rule::allow("a")]).is_err());
    assert_eq!(fs::read_to_string(&path)?, text);
    Ok(())
}

#[test]
fn after_a_broken_edit_the_rules_of_before_hold() -> Tested {
    let folder = Folder::new()?;
    let path = folder.file();
    let grants = FileGrants::open(&path)?;
    grants.add(&[Rule::deny("a")])?;
    fs::write(&path, "half a line")?;
    assert_eq!(texts(&grants), ["deny `a`"]);
    assert_eq!(fs::read_to_string(&path)?, "half a line");
    grants.add(&[Rule::deny("b")])?;
    assert_eq!(texts(&FileGrants::open(&path)?), ["deny `a`", "deny `b`"]);
    assert_eq!(folder.names()?, ["grants.toml", "grants.toml.corrupt-1"]);
    let aside = folder.0.0.join("grants.toml.corrupt-1");
    assert_eq!(fs::read_to_string(aside)?, "half a line");
    Ok(())
}

#[test]
fn stores_of_one_file_see_each_other() -> Tested {
    let folder = Folder::new()?;
    let one = FileGrants::open(folder.file())?;
    let other = FileGrants::open(folder.file())?;
    std::thread::scope(|scope| {
        for (store, name) in [(&one, "one"), (&other, "other")] {
            scope.spawn(move || {
                for number in 0..20 {
                    let kept = store.add(&[Rule::allow(format!("{name}:{number}"))]);
                    assert!(kept.is_ok(), "{kept:?}");
                }
            });
        }
    });
    assert_eq!(one.rules().len(), 40);
    assert_eq!(one.rules(), other.rules());
    Ok(())
}

#[cfg(unix)]
#[test]
fn a_link_stays_one_and_a_mode_stays() -> Tested {
    use std::os::unix::fs::{PermissionsExt, symlink};
    let folder = Folder::new()?;
    let elsewhere = folder.0.0.join("elsewhere.toml");
    fs::write(&elsewhere, "")?;
    fs::set_permissions(&elsewhere, fs::Permissions::from_mode(0o640))?;
    symlink(&elsewhere, folder.file())?;
    FileGrants::open(folder.file())?.add(&[Rule::allow("a")])?;
    assert!(folder.file().is_symlink());
    assert_eq!(texts(&FileGrants::open(&elsewhere)?), ["allow `a`"]);
    assert_eq!(
        fs::metadata(&elsewhere)?.permissions().mode() & 0o777,
        0o640
    );
    Ok(())
}

/// The program that adds, in a process of its own: `<name>:<n>`, each told of when it is kept.
#[test]
#[ignore = "the others run it"]
fn program() -> Tested {
    let [Ok(path), Ok(name), Ok(count)] = TASK.map(std::env::var) else {
        return Ok(());
    };
    let grants = FileGrants::open(path)?;
    println!();
    for number in 0..count.parse::<u32>()? {
        let action = format!("{name}:{number}");
        grants.add(&[Rule::allow(action.clone())])?;
        println!("kept {action}");
    }
    Ok(())
}

fn start(path: &Path, name: &str, count: u32) -> Result<Child, Box<dyn Error>> {
    let [file, of, number] = TASK;
    let child = Command::new(std::env::current_exe()?)
        .args(["--exact", "program", "--ignored", "--nocapture"])
        .env(file, path)
        .env(of, name)
        .env(number, count.to_string())
        .stdout(Stdio::piped())
        .spawn()?;
    Ok(child)
}

/// The actions that a child has told of in whole lines.
fn told(text: &str) -> impl Iterator<Item = &str> {
    let whole = text.rsplit_once('\n').map_or("", |(whole, _)| whole);
    whole.lines().filter_map(|line| line.strip_prefix("kept "))
}

#[cfg(unix)]
#[test]
fn programs_that_add_at_once_lose_nothing() -> Tested {
    let folder = Folder::new()?;
    let names = ["one", "two", "three"];
    let mut children = Vec::new();
    for name in names {
        children.push(start(&folder.file(), name, 20)?);
    }
    for mut child in children {
        assert!(child.wait()?.success());
    }
    assert_eq!(FileGrants::open(folder.file())?.rules().len(), 60);
    assert_eq!(folder.names()?, ["grants.toml"]);
    Ok(())
}

#[test]
fn a_kill_at_any_moment_loses_nothing() -> Tested {
    let folder = Folder::new()?;
    let mut random = fastrand::Rng::with_seed(7);
    let mut kept = Vec::new();
    for round in 0..60 {
        let mut child = start(&folder.file(), &format!("kill-{round}"), u32::MAX)?;
        let mut output = BufReader::new(child.stdout.take().ok_or("it was piped")?);
        let mut text = String::new();
        while !text.contains("kept ") {
            assert_ne!(output.read_line(&mut text)?, 0, "{text}");
        }
        std::thread::sleep(Duration::from_micros(random.u64(0..20_000)));
        child.kill()?;
        child.wait()?;
        output.read_to_string(&mut text)?;
        kept.extend(told(&text).map(str::to_owned));
        let grants = FileGrants::open(folder.file())?;
        let rules = grants.rules();
        let actions: std::collections::HashSet<_> = rules.iter().map(Rule::action).collect();
        for action in &kept {
            assert!(actions.contains(&**action), "{action} is lost");
        }
        assert!(folder.names()?.len() <= 2, "{:?}", folder.names()?);
    }
    println!("{} answers kept through 60 kills", kept.len());
    FileGrants::open(folder.file())?.add(&[Rule::allow("last")])?;
    assert_eq!(folder.names()?, ["grants.toml"]);
    Ok(())
}
