//! The file of answers on the disk.

use super::GrantError;
use std::ffi::OsString;
use std::fs::{self, File, Metadata, OpenOptions};
use std::io::{self, ErrorKind, Write};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::SystemTime;

/// What tells a file from the same file before an edit.
#[derive(Debug, PartialEq)]
pub(super) enum Stamp {
    Missing,
    Unreadable(ErrorKind),
    File {
        modified: Option<SystemTime>,
        length: u64,
        number: u64,
    },
}

impl Stamp {
    pub(super) fn of_path(path: &Path) -> Self {
        match fs::metadata(path) {
            Ok(metadata) => Self::of(&metadata),
            Err(error) if error.kind() == ErrorKind::NotFound => Self::Missing,
            Err(error) => Self::Unreadable(error.kind()),
        }
    }

    fn of(metadata: &Metadata) -> Self {
        #[cfg(unix)]
        let number = std::os::unix::fs::MetadataExt::ino(metadata);
        #[cfg(not(unix))]
        let number = 0;
        Self::File {
            modified: metadata.modified().ok(),
            length: metadata.len(),
            number,
        }
    }
}

/// The right to write, until it is dropped: no other store of this process has it, nor one of
/// another process where the folder can be locked.
pub(super) struct Writing {
    _process: MutexGuard<'static, ()>,
    _folder: Option<File>,
}

impl Writing {
    pub(super) fn begin(path: &Path) -> Self {
        static PROCESS: Mutex<()> = Mutex::new(());
        Self {
            _process: PROCESS.lock().unwrap_or_else(PoisonError::into_inner),
            _folder: locked(folder(path)),
        }
    }
}

#[cfg(unix)]
fn locked(folder: &Path) -> Option<File> {
    use rustix::fs::{FlockOperation, flock};
    let folder = File::open(folder).ok()?;
    flock(&folder, FlockOperation::LockExclusive).ok()?;
    Some(folder)
}

#[cfg(not(unix))]
fn locked(_: &Path) -> Option<File> {
    None
}

fn folder(path: &Path) -> &Path {
    match path.parent() {
        Some(folder) if folder != Path::new("") => folder,
        _ => Path::new("."),
    }
}

pub(super) fn make_folder(path: &Path) -> Result<(), GrantError> {
    let folder = folder(path);
    fs::create_dir_all(folder).map_err(failed("cannot make the folder", folder))
}

/// What a file holds; nothing where it is missing.
pub(super) fn read(path: &Path) -> Result<Vec<u8>, GrantError> {
    match fs::read(path) {
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(Vec::new()),
        read => read.map_err(failed("cannot read", path)),
    }
}

/// Copies what a file holds to the first free `<name>.corrupt-<n>`, and says where that is. The file
/// stays until another is in its place: whenever the program dies, there is one.
pub(super) fn set_aside(path: &Path, bytes: &[u8]) -> Result<PathBuf, GrantError> {
    let copied = || {
        let (place, mut file) = free_place(path)?;
        file.write_all(bytes)?;
        file.sync_all()?;
        Ok(place)
    };
    copied().map_err(failed("cannot copy", path))
}

fn free_place(path: &Path) -> io::Result<(PathBuf, File)> {
    let mut number = 1;
    loop {
        let place = beside(path, "", &format!(".corrupt-{number}"));
        match private(OpenOptions::new().write(true).create_new(true)).open(&place) {
            Err(error) if error.kind() == ErrorKind::AlreadyExists => number += 1,
            opened => return opened.map(|file| (place, file)),
        }
    }
}

pub(super) fn remove(path: &Path) -> Result<(), GrantError> {
    fs::remove_file(path).map_err(failed("cannot remove", path))
}

/// Makes new files their owner's alone, where the system knows of such.
fn private(options: &mut OpenOptions) -> &mut OpenOptions {
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(options, 0o600);
    options
}

/// Puts a text in the place of a file, all or nothing.
pub(super) fn replace(path: &Path, text: &str) -> Result<Stamp, GrantError> {
    // A link goes on to lead to the file.
    let path = &fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
    // Always the same name: what was left by a program that died is written over.
    let fresh = beside(path, ".", ".new");
    let written = write(&fresh, path, text);
    let stamp = written.map_err(failed("cannot write", &fresh))?;
    fs::rename(&fresh, path).map_err(failed("cannot write", path))?;
    synced(folder(path)).map_err(failed("cannot write", path))?;
    Ok(stamp)
}

fn write(fresh: &Path, old: &Path, text: &str) -> io::Result<Stamp> {
    let mut options = OpenOptions::new();
    options.write(true).create(true).truncate(true);
    let mut file = private(&mut options).open(fresh)?;
    if let Ok(metadata) = fs::metadata(old) {
        file.set_permissions(metadata.permissions())?;
    }
    file.write_all(text.as_bytes())?;
    file.sync_all()?;
    Ok(Stamp::of(&file.metadata()?))
}

#[cfg(unix)]
fn synced(folder: &Path) -> io::Result<()> {
    File::open(folder)?.sync_all()
}

#[cfg(not(unix))]
fn synced(_: &Path) -> io::Result<()> {
    Ok(())
}

/// The path with something before and behind the name of the file.
fn beside(path: &Path, before: &str, behind: &str) -> PathBuf {
    let mut name = OsString::from(before);
    name.push(path.file_name().unwrap_or_default());
    name.push(behind);
    path.with_file_name(name)
}

fn failed<'a>(what: &'a str, path: &'a Path) -> impl Fn(io::Error) -> GrantError + 'a {
    move |error| GrantError::wrap(format_args!("{what} `{}`", path.display()), error)
}
