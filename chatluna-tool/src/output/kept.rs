//! The outputs that were too long for a model, whole.

#[cfg(feature = "store")]
use super::folder::OutputFolder;
use super::lines::lines;
use std::borrow::Cow;
use std::collections::{BTreeMap, HashMap, VecDeque};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// The most bytes of outputs that a runtime keeps in memory (256 MiB).
const MAX_BYTES: usize = 256 << 20;

/// The outputs of all sessions. When there are too many, the oldest is forgotten, unless it is in a
/// file too.
pub(crate) struct Outputs {
    kept: Mutex<Kept>,
    max_bytes: usize,
    #[cfg(feature = "store")]
    folder: Option<OutputFolder>,
}

#[derive(Default)]
struct Kept {
    sessions: HashMap<Arc<str>, OfSession>,
    /// Oldest first.
    order: VecDeque<(Arc<str>, u64)>,
    bytes: usize,
    /// The highest number of a session of which all was forgotten. No other session begins below
    /// it: a handle never comes to mean another output.
    highest: u64,
}

#[derive(Default)]
struct OfSession {
    outputs: BTreeMap<u64, Output>,
    last: u64,
}

/// An output that is kept.
#[derive(Clone, Debug)]
pub(crate) struct Output(Arc<Cow<'static, str>>);

#[cfg(feature = "store")]
impl From<String> for Output {
    fn from(text: String) -> Self {
        Self(Arc::new(Cow::Owned(text)))
    }
}

impl Output {
    /// What it takes of the memory.
    fn bytes(&self) -> usize {
        match &*self.0 {
            Cow::Borrowed(_) => 0,
            Cow::Owned(text) => text.capacity(),
        }
    }

    #[cfg(feature = "store")]
    pub(super) fn text(&self) -> &str {
        &self.0
    }

    /// How long its text is.
    pub(crate) fn len(&self) -> usize {
        self.0.len()
    }

    /// Its lines, from the first, as `read_output` counts them.
    pub(crate) fn lines(&self) -> impl Iterator<Item = &str> {
        lines(&self.0)
    }
}

/// Why there is no output for a handle.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Missing {
    /// There was one.
    Forgotten,
    /// There never was; these are the session's handles.
    Unknown(Vec<String>),
}

impl Default for Outputs {
    fn default() -> Self {
        Self::with_max_bytes(MAX_BYTES)
    }
}

impl Outputs {
    pub(super) fn with_max_bytes(max_bytes: usize) -> Self {
        Self {
            kept: Mutex::default(),
            max_bytes,
            #[cfg(feature = "store")]
            folder: None,
        }
    }

    /// With what is in a folder, in which new ones are written.
    #[cfg(feature = "store")]
    pub(crate) fn in_folder((folder, highest): (OutputFolder, u64)) -> Self {
        let own = Self {
            folder: Some(folder),
            ..Self::default()
        };
        own.lock().highest = highest;
        own
    }

    /// Keeps a text, without a copy of it, and gives its handle in the session: `output_1`. `None` if
    /// it is longer than all that is kept.
    pub(crate) fn put(&self, session: &str, text: Cow<'static, str>) -> Option<String> {
        let output = Output(Arc::new(text));
        let room = self.max_bytes.checked_sub(output.bytes())?;
        let mut kept = self.lock();
        let forgotten = kept.shrink_to(room);
        #[cfg(feature = "store")]
        let text = output.clone();
        let number = kept.insert(session, output);
        drop(kept);
        drop(forgotten);
        #[cfg(feature = "store")]
        if let Some(folder) = &self.folder {
            folder.put(session, number, text);
        }
        Some(handle(number))
    }

    /// Waits until what was put is in files, where it goes into files.
    #[cfg(feature = "store")]
    #[inline]
    pub(crate) async fn written(&self) {
        if let Some(folder) = self.folder.as_ref().filter(|folder| !folder.is_written()) {
            Box::pin(folder.written()).await;
        }
    }

    /// The output of a handle of the session, which may have to be read from a file.
    #[cfg(feature = "store")]
    pub(crate) fn open(&self, session: &str, wanted: &str) -> Result<Output, Missing> {
        let (missing, folder) = match (self.open_at_hand(session, wanted), &self.folder) {
            (Err(missing), Some(folder)) => (missing, folder),
            (found, _) => return found,
        };
        match (folder.get(session, number_of(wanted)), missing) {
            (Some(output), _) => Ok(output),
            (None, Missing::Unknown(_)) => {
                let numbers = folder.numbers(session).into_iter();
                Err(Missing::Unknown(numbers.map(handle).collect()))
            }
            (None, forgotten) => Err(forgotten),
        }
    }

    /// The output of a handle of the session, unless a file has to be looked for.
    pub(crate) fn at_hand(&self, session: &str, wanted: &str) -> Option<Result<Output, Missing>> {
        let found = self.open_at_hand(session, wanted);
        #[cfg(feature = "store")]
        if found.is_err() && self.folder.is_some() {
            return None;
        }
        Some(found)
    }

    fn open_at_hand(&self, session: &str, wanted: &str) -> Result<Output, Missing> {
        let found = self.open_in_memory(session, wanted);
        #[cfg(feature = "store")]
        if found.is_err()
            && let Some(folder) = &self.folder
            && let Some(output) = folder.waiting(session, number_of(wanted))
        {
            return Ok(output);
        }
        found
    }

    /// The output of a handle of the session.
    #[cfg(not(feature = "store"))]
    pub(crate) fn open(&self, session: &str, wanted: &str) -> Result<Output, Missing> {
        self.open_at_hand(session, wanted)
    }

    fn open_in_memory(&self, session: &str, wanted: &str) -> Result<Output, Missing> {
        let kept = self.lock();
        let Some(of_session) = kept.sessions.get(session) else {
            return Err(Missing::Unknown(Vec::new()));
        };
        let number = number_of(wanted);
        match of_session.outputs.get(&number) {
            Some(output) => Ok(output.clone()),
            None if (1..=of_session.last).contains(&number) => Err(Missing::Forgotten),
            None => Err(Missing::Unknown(
                of_session.outputs.keys().copied().map(handle).collect(),
            )),
        }
    }

    /// Whether an output of the session is kept.
    pub(crate) fn has_any(&self, session: &str) -> bool {
        #[cfg(feature = "store")]
        if let Some(folder) = &self.folder
            && folder.has_any(session)
        {
            return true;
        }
        self.lock().sessions.contains_key(session)
    }

    /// Forgets what is in memory.
    #[cfg(all(test, feature = "store"))]
    pub(super) fn forget_all(&self) {
        drop(self.lock().shrink_to(0));
    }

    fn lock(&self) -> MutexGuard<'_, Kept> {
        self.kept.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

pub(super) fn handle(number: u64) -> String {
    format!("output_{number}")
}

/// None has the number 0.
fn number_of(handle: &str) -> u64 {
    let number = handle.trim().strip_prefix("output_");
    number.and_then(|number| number.parse().ok()).unwrap_or(0)
}

impl Kept {
    fn insert(&mut self, session: &str, output: Output) -> u64 {
        self.bytes += output.bytes();
        let session = match self.sessions.get_key_value(session) {
            Some((session, _)) => Arc::clone(session),
            None => session.into(),
        };
        let of_session = self.sessions.entry(Arc::clone(&session));
        let of_session = of_session.or_insert_with(|| OfSession {
            last: self.highest,
            ..OfSession::default()
        });
        of_session.last += 1;
        of_session.outputs.insert(of_session.last, output);
        self.order.push_back((session, of_session.last));
        of_session.last
    }

    /// Forgets the oldest until no more than that is left; what was forgotten.
    fn shrink_to(&mut self, bytes: usize) -> Vec<Output> {
        let mut forgotten = Vec::new();
        while self.bytes > bytes
            && let Some((session, number)) = self.order.pop_front()
        {
            let Some(of_session) = self.sessions.get_mut(&session) else {
                continue;
            };
            if let Some(output) = of_session.outputs.remove(&number) {
                self.bytes -= output.bytes();
                forgotten.push(output);
            }
            if of_session.outputs.is_empty() {
                self.highest = self.highest.max(of_session.last);
                self.sessions.remove(&session);
            }
        }
        forgotten
    }
}

#[cfg(test)]
mod tests {
    use super::{Missing, Outputs, handle};
    use std::borrow::Cow;

    fn text(bytes: usize) -> Cow<'static, str> {
        Cow::Owned("x".repeat(bytes))
    }

    #[test]
    fn a_text_is_kept_where_it_lies() {
        let outputs = Outputs::default();
        let text = text(1_000);
        let at = text.as_ptr();
        assert_eq!(outputs.put("a", text).as_deref(), Some("output_1"));
        let kept = outputs
            .open("a", "output_1")
            .map(|output| output.0.as_ptr());
        assert_eq!(kept, Ok(at));
    }

    #[test]
    fn the_oldest_is_forgotten_first() {
        let outputs = Outputs::with_max_bytes(100);
        let put = |session, bytes| outputs.put(session, text(bytes));
        let open = |session, number| outputs.open(session, &handle(number)).map(|it| it.len());
        assert_eq!(put("a", 40).as_deref(), Some("output_1"));
        assert_eq!(put("b", 40).as_deref(), Some("output_1"));
        assert_eq!(put("a", 20).as_deref(), Some("output_2"));
        assert_eq!(
            (open("a", 1), open("b", 1), open("a", 2)),
            (Ok(40), Ok(40), Ok(20))
        );
        assert_eq!(put("a", 30).as_deref(), Some("output_3"));
        assert_eq!(open("a", 1), Err(Missing::Forgotten));
        assert_eq!(
            (open("b", 1), open("a", 2), open("a", 3)),
            (Ok(40), Ok(20), Ok(30))
        );
        assert_eq!(
            open("a", 4),
            Err(Missing::Unknown(vec![handle(2), handle(3)]))
        );
        assert_eq!(
            outputs.open("a", "first").err(),
            Some(Missing::Unknown(vec![handle(2), handle(3)]))
        );
        assert_eq!(
            outputs.open("c", "output_1").err(),
            Some(Missing::Unknown(Vec::new()))
        );
    }

    #[test]
    fn what_is_longer_than_all_is_not_kept_and_makes_nothing_go() {
        let outputs = Outputs::with_max_bytes(100);
        assert!(outputs.put("a", text(100)).is_some());
        assert_eq!(outputs.put("a", text(101)), None);
        assert!(outputs.open("a", "output_1").is_ok());
        // It lies in the program already.
        let long: &'static str = "a text of the program itself, which takes no memory of its own, \
             however long it is: a hundred bytes and more";
        assert!(outputs.put("a", long.into()).is_some());
        assert!(outputs.open("a", "output_1").is_ok());
    }

    #[test]
    fn a_handle_never_comes_to_mean_another_output() {
        let outputs = Outputs::with_max_bytes(100);
        assert_eq!(outputs.put("a", text(90)).as_deref(), Some("output_1"));
        assert_eq!(outputs.put("b", text(90)).as_deref(), Some("output_2"));
        assert!(!outputs.has_any("a") && outputs.has_any("b"));
        assert_eq!(outputs.put("a", text(90)).as_deref(), Some("output_3"));
        assert_eq!(
            outputs.open("a", "output_1").map(|it| it.len()),
            Err(Missing::Forgotten)
        );
    }
}
