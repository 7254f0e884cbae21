//! Answers that are kept in a file.

use super::grant_disk::{Stamp, Writing, make_folder, read, remove, replace, set_aside};
use super::grant_text::{Fault, appended, check, parse};
use super::{GrantError, GrantStore, Rule};
use std::fmt::Display;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// Keeps answers in a TOML file that a person can read and edit.
///
/// ```toml
/// # Answers that were given for always. Each is a rule; remove it to be asked again.
///
/// [[rules]]
/// verdict = "allow"
/// action = "deploy:run"
/// target = "staging"
/// who = { platform = "matrix", user = "li" }
/// ```
///
/// More answers are put behind what is there, so that comments stay. An edit counts from the next
/// decision on. One that cannot be read is logged as an error, and the rules of before go on to
/// hold; a deleted file holds no rules.
///
/// The file is written anew beside the old one and put in its place: whenever the program dies,
/// one of the two is there, whole. On Unix several programs can add to one file, where its folder
/// can be locked; elsewhere, and on network folders that know no locks, one of two answers that are
/// given in the same moment may be lost, and is asked for again.
///
/// ```
/// use chatluna_tool::{FileGrants, GrantStore, Rule, Runtime};
///
/// # let folder = std::env::temp_dir().join(format!("grants-{}", std::process::id()));
/// # let path = folder.join("grants.toml");
/// let grants = FileGrants::open(&path)?;
/// grants.add(&[Rule::allow("deploy:run").target("staging")])?;
/// assert_eq!(FileGrants::open(&path)?.rules().len(), 1);
/// let runtime = Runtime::builder().grants(grants).build();
/// # assert!(runtime.is_ok());
/// # std::fs::remove_dir_all(folder).ok();
/// # Ok::<(), chatluna_tool::GrantError>(())
/// ```
#[derive(Debug)]
pub struct FileGrants {
    path: PathBuf,
    kept: Mutex<Kept>,
}

/// What was read last.
#[derive(Debug)]
struct Kept {
    stamp: Stamp,
    rules: Arc<[Rule]>,
}

impl FileGrants {
    /// Reads the file. One that is missing holds no rules; it and its folders are made when the
    /// first answer is kept.
    ///
    /// # Errors
    /// - The file cannot be read as rules: it is moved to the first free `<name>.corrupt-<n>`, and the error says
    ///   what is wrong in which line, and where it is now. To open again is to start without rules.
    /// - A rule allows everything (`*`) without `unsafe_allow_all = true`: the file stays.
    /// - The system does not let it be read or moved.
    pub fn open(path: impl Into<PathBuf>) -> Result<Self, GrantError> {
        let path = path.into();
        let mut kept = Kept {
            stamp: Stamp::of_path(&path),
            rules: Arc::new([]),
        };
        if kept.stamp != Stamp::Missing {
            let _writing = Writing::begin(&path);
            kept.stamp = Stamp::of_path(&path);
            kept.rules = opened(&path)?.into();
        }
        let kept = Mutex::new(kept);
        Ok(Self { path, kept })
    }

    /// The rules as they are now: what has changed is read again.
    fn fresh(&self) -> MutexGuard<'_, Kept> {
        let mut kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        let stamp = Stamp::of_path(&self.path);
        if stamp == kept.stamp {
            return kept;
        }
        if stamp == Stamp::Missing {
            let path = self.path.display();
            tracing::warn!("`{path}` was deleted: the answers in it hold no longer");
        }
        kept.stamp = stamp;
        match read(&self.path).and_then(|bytes| parsed(&self.path, &bytes)) {
            Ok(rules) => kept.rules = rules.into(),
            Err(error) => tracing::error!("{error}; the answers of before still hold"),
        }
        kept
    }

    /// Writes the file with more rules. What cannot be read as rules is kept beside it, and those of
    /// before are written.
    fn write(&self, kept: &Kept, new: &[Rule]) -> Result<(Stamp, Vec<Rule>), GrantError> {
        let bytes = read(&self.path)?;
        let (old, known) = match parse(&bytes) {
            Ok(rules) => (String::from_utf8_lossy(&bytes).into_owned(), rules),
            Err(Fault::Broken(words)) => {
                let place = set_aside(&self.path, &bytes)?;
                tracing::error!("{}; {}", fault(&self.path, words), saved(&place));
                let known = kept.rules.to_vec();
                (appended("", &[], &known)?, known)
            }
            Err(Fault::Unmeant(words)) => return Err(fault(&self.path, words)),
        };
        let text = appended(&old, &known, new)?;
        let stamp = replace(&self.path, &text)?;
        Ok((stamp, [&known, new].concat()))
    }
}

impl GrantStore for FileGrants {
    fn rules(&self) -> Arc<[Rule]> {
        Arc::clone(&self.fresh().rules)
    }

    fn add(&self, rules: &[Rule]) -> Result<(), GrantError> {
        check(rules).map_err(|words| fault(&self.path, words))?;
        make_folder(&self.path)?;
        let _writing = Writing::begin(&self.path);
        let mut kept = self.fresh();
        let (stamp, rules) = self.write(&kept, rules)?;
        *kept = Kept {
            stamp,
            rules: rules.into(),
        };
        Ok(())
    }
}

/// The rules of a file that nobody has read yet. One that is broken is moved away.
fn opened(path: &Path) -> Result<Vec<Rule>, GrantError> {
    let bytes = read(path)?;
    let words = match parse(&bytes) {
        Ok(rules) => return Ok(rules),
        Err(Fault::Unmeant(words)) => return Err(fault(path, words)),
        Err(Fault::Broken(words)) => words,
    };
    let set_aside = || {
        let place = set_aside(path, &bytes)?;
        remove(path).map(|()| saved(&place))
    };
    let whither = set_aside().unwrap_or_else(|failed| failed.to_string());
    Err(fault(path, format_args!("{words}; {whither}")))
}

fn parsed(path: &Path, bytes: &[u8]) -> Result<Vec<Rule>, GrantError> {
    parse(bytes).map_err(|found| fault(path, found.words()))
}

fn fault(path: &Path, words: impl Display) -> GrantError {
    GrantError::new(format_args!("`{}`: {words}", path.display()))
}

fn saved(place: &Path) -> String {
    format!("what it holds is now in `{}`", place.display())
}
