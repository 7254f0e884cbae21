//! What a program is told of the world.

use std::env::vars_os;
use std::ffi::{OsStr, OsString};

/// The variables that are passed on.
const KEPT: [&str; 22] = [
    "APPDATA",
    "COMSPEC",
    "HOME",
    "LANG",
    "LANGUAGE",
    "LOCALAPPDATA",
    "LOGNAME",
    "PATH",
    "PATHEXT",
    "PROGRAMDATA",
    "PROGRAMFILES",
    "SHELL",
    "SYSTEMDRIVE",
    "SYSTEMROOT",
    "TEMP",
    "TERM",
    "TMP",
    "TMPDIR",
    "TZ",
    "USER",
    "USERNAME",
    "USERPROFILE",
];

/// The variables of the host program, but for those that may be anybody's.
pub(super) fn reduced() -> impl Iterator<Item = (OsString, OsString)> {
    vars_os().filter(|(name, _)| is_kept(name))
}

fn is_kept(name: &OsStr) -> bool {
    let name = name.to_string_lossy();
    // Windows does not tell cases apart.
    let name = if cfg!(windows) {
        name.to_ascii_uppercase()
    } else {
        name.into_owned()
    };
    name.starts_with("LC_") || KEPT.contains(&&*name)
}
