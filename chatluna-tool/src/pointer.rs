//! JSON pointers (RFC 6901).

/// The pointer to a key or an index below.
pub(crate) fn step(pointer: &str, key: &str) -> String {
    format!("{pointer}/{}", key.replace('~', "~0").replace('/', "~1"))
}

/// The key that one step of a pointer stands for.
pub(crate) fn key(step: &str) -> String {
    step.replace("~1", "/").replace("~0", "~")
}
