//! JSON pointers (RFC 6901), and references made of them.

/// The pointer to a key or an index below.
pub(crate) fn step(pointer: &str, key: &str) -> String {
    format!("{pointer}/{}", key.replace('~', "~0").replace('/', "~1"))
}

/// The key that one step of a pointer stands for.
pub(crate) fn key(step: &str) -> String {
    step.replace("~1", "/").replace("~0", "~")
}

/// The pointer that a `$ref` within the document is.
pub(crate) fn referred(reference: &str) -> Option<String> {
    let mut bytes = Vec::new();
    let mut rest = reference.strip_prefix('#')?.as_bytes();
    while let [first, after @ ..] = rest {
        let encoded = after.get(..2).filter(|_| *first == b'%');
        let Some(encoded) = encoded else {
            bytes.push(*first);
            rest = after;
            continue;
        };
        let hex = std::str::from_utf8(encoded).ok()?;
        bytes.push(u8::from_str_radix(hex, 16).ok()?);
        rest = &after[2..];
    }
    String::from_utf8(bytes).ok()
}
