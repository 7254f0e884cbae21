//! The outputs that were too long for a model, in files.

use super::kept::{Output, handle};
use std::collections::HashSet;
use std::fmt::Write as _;
use std::fs::{self, DirEntry, File};
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, SystemTime};

/// How often old files are looked for, at most.
const SWEEP: Duration = Duration::from_secs(60 * 60);

/// The most bytes of a session's id in the name of its folder.
const MAX_NAME_BYTES: usize = 120;

/// How the folder of a session is called, before its id.
const PREFIX: &str = "s-";

/// A folder with a folder for each session, with a file for each output. Files are removed once they
/// are old.
pub(crate) struct OutputFolder {
    path: PathBuf,
    time_to_live: Duration,
    state: Mutex<State>,
}

struct State {
    swept: SystemTime,
    /// The folders that are there.
    names: HashSet<String>,
}

impl OutputFolder {
    /// Opens a folder, which is made if it is missing; with the highest number of an output in it.
    pub(crate) fn open(path: PathBuf, time_to_live: Duration) -> io::Result<(Self, u64)> {
        fs::create_dir_all(&path)?;
        let own = Self {
            path,
            time_to_live,
            state: Mutex::new(State {
                swept: SystemTime::now(),
                names: HashSet::new(),
            }),
        };
        let (names, highest) = own.swept()?;
        own.lock().names = names;
        Ok((own, highest))
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Writes an output beside its place and puts it there: nobody sees a part of it.
    pub(super) fn put(&self, session: &str, number: u64, text: &str) -> io::Result<()> {
        self.sweep()?;
        let name = folder_name(session);
        let folder = self.path.join(&name);
        fs::create_dir_all(&folder)?;
        self.lock().names.insert(name);
        let place = folder.join(file_name(number));
        let fresh = place.with_extension("new");
        let mut file = File::create(&fresh)?;
        file.write_all(text.as_bytes())?;
        drop(file);
        fs::rename(fresh, place)
    }

    pub(super) fn get(&self, session: &str, number: u64) -> Option<Output> {
        let place = self.path.join(folder_name(session));
        let text = fs::read_to_string(place.join(file_name(number))).ok()?;
        Some(Output::from(text))
    }

    /// The numbers of a session's outputs, in order.
    pub(super) fn numbers(&self, session: &str) -> Vec<u64> {
        let files = files(&self.path.join(folder_name(session)));
        let mut numbers: Vec<u64> = files.iter().filter_map(number_of).collect();
        numbers.sort_unstable();
        numbers
    }

    pub(super) fn has_any(&self, session: &str) -> bool {
        self.lock().names.contains(&folder_name(session))
    }

    /// Removes what is old, if that was not done of late.
    fn sweep(&self) -> io::Result<()> {
        let mut state = self.lock();
        let now = SystemTime::now();
        if now
            .duration_since(state.swept)
            .is_ok_and(|since| since < SWEEP)
        {
            return Ok(());
        }
        state.swept = now;
        drop(state);
        let (names, _) = self.swept()?;
        self.lock().names.extend(names);
        Ok(())
    }

    /// Removes what is old, and what a crash has left half; the folders that are left, and the
    /// highest number.
    fn swept(&self) -> io::Result<(HashSet<String>, u64)> {
        let since = SystemTime::now().checked_sub(self.time_to_live);
        let (mut names, mut highest) = (HashSet::new(), 0);
        for folder in fs::read_dir(&self.path)?.flatten() {
            // What is not ours is left alone.
            if !is_of_session(&folder) {
                continue;
            }
            let files = files(&folder.path());
            for file in &files {
                highest = highest.max(number_of(file).unwrap_or(0));
                if is_half(file) || number_of(file).is_some() && is_old(file, since) {
                    let _ = fs::remove_file(file.path());
                }
            }
            // It stays where something is left in it.
            if fs::remove_dir(folder.path()).is_err() {
                names.extend(folder.file_name().into_string());
            }
        }
        Ok((names, highest))
    }
}

fn files(folder: &Path) -> Vec<DirEntry> {
    let entries = fs::read_dir(folder).into_iter().flatten();
    entries.flatten().collect()
}

fn is_of_session(folder: &DirEntry) -> bool {
    let name = folder.file_name();
    name.to_str().is_some_and(|name| name.starts_with(PREFIX))
}

/// Whether a crash has left it on the way to its place.
fn is_half(file: &DirEntry) -> bool {
    let name = file.file_name();
    let stem = name.to_str().and_then(|name| name.strip_suffix(".new"));
    stem.is_some_and(|stem| stem.starts_with("output_"))
}

fn is_old(file: &DirEntry, since: Option<SystemTime>) -> bool {
    let modified = file.metadata().and_then(|metadata| metadata.modified());
    modified.is_ok_and(|modified| Some(modified) <= since)
}

fn file_name(number: u64) -> String {
    format!("{}.txt", handle(number))
}

fn number_of(file: &DirEntry) -> Option<u64> {
    let name = file.file_name().into_string().ok()?;
    let number = name.strip_prefix("output_")?.strip_suffix(".txt")?;
    number.parse().ok()
}

/// The folder of a session: its id, in signs that every system takes, told from all others.
fn folder_name(session: &str) -> String {
    let mut name = String::from(PREFIX);
    for byte in session.bytes() {
        let _ = match byte {
            b'a'..=b'z' | b'0'..=b'9' | b'-' => write!(name, "{}", char::from(byte)),
            other => write!(name, "_{other:02x}"),
        };
    }
    if name.len() > MAX_NAME_BYTES {
        let hash = foldhash::quality::FixedState::default();
        let hash = std::hash::BuildHasher::hash_one(&hash, session);
        name.truncate(MAX_NAME_BYTES);
        let _ = write!(name, "+{hash:016x}");
    }
    name
}
