//! The outputs that were too long for a model, in files.

use super::kept::{Output, handle};
use crate::backlog::{Backlog, Sink};
use std::collections::{BTreeMap, HashSet};
use std::fmt::Write as _;
use std::fs::{self, DirEntry, File};
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, SystemTime};
use tokio::sync::watch;

/// How often old files are looked for, at most.
const SWEEP: Duration = Duration::from_secs(60 * 60);

/// The most bytes of a session's id in the name of its folder.
const MAX_NAME_BYTES: usize = 120;

/// How the folder of a session is called, before its id.
const PREFIX: &str = "s-";

/// The file with the highest number of an output that was removed, so that none has it again.
const HIGHEST: &str = "highest";

/// A folder with a folder for each session, with a file for each output. Files are removed once they
/// are old.
#[derive(Clone)]
pub(crate) struct OutputFolder(Arc<Backlog<Files>>);

/// What the thread does that writes: nobody else makes or removes files.
struct Files {
    path: PathBuf,
    time_to_live: Duration,
    state: Mutex<State>,
    /// How many outputs were written, or could not be.
    done: watch::Sender<u64>,
}

struct State {
    swept: SystemTime,
    /// The folders that are there.
    names: HashSet<String>,
    /// What is not in its file yet, by its folder.
    waiting: BTreeMap<Place, Output>,
    /// How many outputs there were.
    count: u64,
}

/// The folder of an output, and its number.
type Place = (String, u64);

impl OutputFolder {
    /// Opens a folder, which is made if it is missing; with the highest number of an output in it.
    pub(crate) fn open(path: PathBuf, time_to_live: Duration) -> io::Result<(Self, u64)> {
        fs::create_dir_all(&path)?;
        let files = Files {
            path,
            time_to_live,
            state: Mutex::new(State {
                swept: SystemTime::now(),
                names: HashSet::new(),
                waiting: BTreeMap::new(),
                count: 0,
            }),
            done: watch::Sender::new(0),
        };
        let highest = files.sweep()?;
        Ok((Self(Arc::new(Backlog::new(files))), highest))
    }

    fn files(&self) -> &Files {
        self.0.sink()
    }

    /// Hands in an output. It is there for readers at once.
    pub(super) fn put(&self, session: &str, number: u64, text: Output) {
        let place = (folder_name(session), number);
        let mut state = self.files().lock();
        state.names.insert(place.0.clone());
        state.waiting.insert(place.clone(), text);
        state.count += 1;
        drop(state);
        self.0.push(place);
    }

    /// Waits until all that was handed in is in its file.
    pub(crate) async fn written(&self) {
        let count = self.files().lock().count;
        let mut done = self.files().done.subscribe();
        // The sender lives as long as this.
        let _ = done.wait_for(|done| *done >= count).await;
    }

    pub(crate) fn is_written(&self) -> bool {
        self.files().lock().waiting.is_empty()
    }

    /// An output that is not in its file yet.
    pub(super) fn waiting(&self, session: &str, number: u64) -> Option<Output> {
        let state = self.files().lock();
        state.waiting.get(&(folder_name(session), number)).cloned()
    }

    /// An output that is in its file.
    pub(super) fn get(&self, session: &str, number: u64) -> Option<Output> {
        let text = fs::read_to_string(self.files().place(&(folder_name(session), number)));
        text.ok().map(Output::from)
    }

    /// The numbers of a session's outputs, in order.
    pub(super) fn numbers(&self, session: &str) -> Vec<u64> {
        let files = files(&self.files().path.join(folder_name(session)));
        let mut numbers: Vec<u64> = files.iter().filter_map(number_of).collect();
        numbers.sort_unstable();
        numbers
    }

    pub(super) fn has_any(&self, session: &str) -> bool {
        self.files().lock().names.contains(&folder_name(session))
    }
}

impl Sink for Files {
    type Item = Place;

    fn write(&self, group: Vec<Place>) {
        for place in group {
            self.sweep_now_and_then();
            // It is taken out when it can be read from its file.
            let text = self.lock().waiting.get(&place).cloned();
            if let Some(text) = text
                && let Err(error) = put_file(&self.place(&place), text.text())
            {
                tracing::error!(%error, "an output could not be stored; a restart will not know of it");
            }
            self.lock().waiting.remove(&place);
            self.done.send_modify(|done| *done += 1);
        }
    }
}

impl Files {
    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn place(&self, (name, number): &Place) -> PathBuf {
        self.path.join(name).join(file_name(*number))
    }

    /// Removes what is old, if that was not done of late.
    fn sweep_now_and_then(&self) {
        let since = SystemTime::now().duration_since(self.lock().swept);
        if since.is_ok_and(|since| since < SWEEP) {
            return;
        }
        if let Err(error) = self.sweep() {
            tracing::error!(%error, "old outputs could not be removed");
        }
    }

    /// Removes what is old, and what a crash has left half; the highest number there has been.
    fn sweep(&self) -> io::Result<u64> {
        self.lock().swept = SystemTime::now();
        let since = SystemTime::now().checked_sub(self.time_to_live);
        let folders = fs::read_dir(&self.path)?.flatten();
        // What is not ours is left alone.
        let folders: Vec<DirEntry> = folders.filter(is_of_session).collect();
        let files: Vec<DirEntry> = folders.iter().flat_map(|it| files(&it.path())).collect();
        let known = self.removed()?;
        let numbers = files.iter().filter_map(number_of);
        let highest = numbers.fold(known, u64::max);
        let is_due =
            |file: &&DirEntry| is_half(file) || number_of(file).is_some() && is_old(file, since);
        let due: Vec<&DirEntry> = files.iter().filter(is_due).collect();
        if !due.is_empty() && highest > known {
            put_file(&self.path.join(HIGHEST), &format!("{highest}\n"))?;
        }
        for file in due {
            let _ = fs::remove_file(file.path());
        }
        // One stays where something is left in it.
        let is_left = |folder: &DirEntry| fs::remove_dir(folder.path()).is_err();
        let left = folders.into_iter().filter(is_left);
        let mut names: HashSet<String> = left.flat_map(|it| it.file_name().into_string()).collect();
        let mut state = self.lock();
        names.extend(state.waiting.keys().map(|(name, _)| name.clone()));
        state.names = names;
        Ok(highest)
    }

    /// The highest number of an output that was removed.
    fn removed(&self) -> io::Result<u64> {
        let path = self.path.join(HIGHEST);
        let text = match fs::read_to_string(&path) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(0),
            text => text?,
        };
        text.trim().parse().map_err(|_| {
            let why = format!("`{}` holds no number", path.display());
            io::Error::new(io::ErrorKind::InvalidData, why)
        })
    }
}

/// Writes a file beside its place and puts it there: nobody sees a part of it, also after a crash.
fn put_file(place: &Path, text: &str) -> io::Result<()> {
    if let Some(folder) = place.parent() {
        fs::create_dir_all(folder)?;
    }
    let fresh = place.with_extension("new");
    let mut file = File::create(&fresh)?;
    file.write_all(text.as_bytes())?;
    file.sync_data()?;
    drop(file);
    fs::rename(fresh, place)
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

/// The folder of a session: its id, in signs that every system takes, told from all others. Of a long
/// one there are the first bytes and a hash.
fn folder_name(session: &str) -> String {
    let mut name = String::from(PREFIX);
    for byte in session.bytes() {
        let _ = match byte {
            b'a'..=b'z' | b'0'..=b'9' | b'-' => write!(name, "{}", char::from(byte)),
            other => write!(name, "_{other:02x}"),
        };
    }
    if name.len() > MAX_NAME_BYTES {
        name.truncate(MAX_NAME_BYTES);
        let _ = write!(name, "+{:032x}", hash(session.as_bytes()));
    }
    name
}

/// FNV-1a of 128 bits, which is the same in every version and on every machine: the names of folders
/// last. Source: <https://www.rfc-editor.org/rfc/rfc9923>.
fn hash(bytes: &[u8]) -> u128 {
    const OFFSET: u128 = 0x6c62_272e_07bb_0142_62b8_2175_6295_c58d;
    const PRIME: u128 = 0x0000_0000_0100_0000_0000_0000_0000_013b;
    let step = |hash: u128, byte: &u8| (hash ^ u128::from(*byte)).wrapping_mul(PRIME);
    bytes.iter().fold(OFFSET, step)
}

#[cfg(test)]
mod tests {
    use super::super::kept::{Output, Outputs};
    use super::{OutputFolder, folder_name, hash};
    use crate::scratch::Scratch;
    use std::error::Error;
    use std::fs;
    use std::sync::mpsc;
    use std::thread;
    use std::time::{Duration, SystemTime};

    type Tested = Result<(), Box<dyn Error>>;

    const DAY: Duration = Duration::from_secs(24 * 60 * 60);

    #[test]
    fn a_session_has_the_same_folder_in_every_version() {
        assert_eq!(folder_name("a/B 1"), "s-a_2f_42_201");
        // Source: the test vectors of RFC 9923.
        assert_eq!(hash(b"a"), 0xd228_cb69_6f1a_8caf_7891_2b70_4e4a_8964);
        assert_eq!(hash(b"foobar"), 0x343e_1662_793c_64bf_6f0d_3597_ba44_6f18);
        let (long, other) = ("x".repeat(200), "x".repeat(201));
        let name = format!("s-{}+00274d7c64c5f6c091cc57b7599c13ad", "x".repeat(118));
        assert_eq!(folder_name(&long), name);
        assert_ne!(folder_name(&other), name);
    }

    #[test]
    fn nothing_is_swept_from_under_an_output_that_comes() -> Tested {
        let scratch = Scratch::new();
        let (folder, _) = OutputFolder::open(scratch.0.clone(), DAY)?;
        let put = |thread: u32| {
            for number in 1..=50 {
                // A folder that is new is empty for a moment, as one is that is swept.
                folder.files().lock().swept = SystemTime::UNIX_EPOCH;
                let session = format!("{thread}-{number}");
                folder.put(&session, number, Output::from("text".to_owned()));
            }
        };
        thread::scope(|scope| (0..4).for_each(|thread| drop(scope.spawn(move || put(thread)))));
        assert!(folder.is_written());
        for (thread, number) in (0..4).flat_map(|thread| (1..=50).map(move |it| (thread, it))) {
            let session = format!("{thread}-{number}");
            assert!(folder.get(&session, number).is_some(), "{session}");
        }
        Ok(())
    }

    #[test]
    fn nobody_waits_for_the_disk_to_keep_an_output_or_to_read_it_soon_after() -> Tested {
        let scratch = Scratch::new();
        let outputs = Outputs::in_folder(OutputFolder::open(scratch.0.clone(), DAY)?);
        let mut builder = tokio::runtime::Builder::new_current_thread();
        let tokio = builder.max_blocking_threads(1).build()?;
        let (free, freed) = mpsc::channel::<()>();
        drop(tokio.spawn_blocking(move || freed.recv()));
        let guard = tokio.enter();
        let handle = outputs
            .put("s", String::from("a text").into())
            .ok_or("it is kept")?;
        outputs.forget_all();
        assert_eq!(fs::read_dir(&scratch.0)?.count(), 0, "a file was written");
        let found = outputs.at_hand("s", &handle).and_then(Result::ok);
        assert_eq!(found.ok_or("it is at hand")?.text(), "a text");
        assert!(outputs.has_any("s"));
        free.send(())?;
        tokio.block_on(outputs.written());
        assert!(outputs.at_hand("s", &handle).is_none());
        let found = outputs.open("s", &handle).ok();
        assert_eq!(found.ok_or("it is in a file")?.text(), "a text");
        drop(guard);
        Ok(())
    }

    #[test]
    fn the_number_of_an_output_that_was_swept_is_not_used_again() -> Tested {
        let scratch = Scratch::new();
        let open = |time_to_live| OutputFolder::open(scratch.0.clone(), time_to_live);
        let (folder, highest) = open(DAY)?;
        assert_eq!(highest, 0);
        folder.put("s", 7, Output::from("text".to_owned()));
        drop(folder);
        assert_eq!(open(Duration::ZERO)?.1, 7);
        let (folder, highest) = open(DAY)?;
        assert_eq!((highest, folder.has_any("s")), (7, false));
        fs::write(scratch.0.join("highest"), "seven")?;
        let error = open(DAY).err().ok_or("it was opened")?;
        assert!(
            error.to_string().ends_with("highest` holds no number"),
            "{error}"
        );
        Ok(())
    }
}
