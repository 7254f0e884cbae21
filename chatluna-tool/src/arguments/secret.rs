//! Arguments as people may see them.

use super::cursor::{Cursor, object};
use super::{Arguments, Parameter};

/// What stands for the value of a secret argument.
const MASK: &str = "\"***\"";

/// The text of a call's arguments without the values of secret ones; `None` where it has none.
///
/// Text that is no object may hold a secret anywhere; nothing of it is shown.
pub(crate) fn masked(arguments: &Arguments, rows: &[Parameter]) -> Option<String> {
    if arguments.is_blank() || !rows.iter().any(Parameter::is_secret) {
        return None;
    }
    let is_open = rows.iter().any(Parameter::is_flattened);
    let is_secret = |key: &str| {
        let mut taking = rows.iter().filter(|row| row.takes(key)).peekable();
        // What stands behind a key that nobody knows may be all arguments over again.
        let is_known = is_open || taking.peek().is_some();
        !is_known || taking.any(Parameter::is_secret)
    };
    let Ok(mut fields) = Cursor::fields(arguments.text().trim_ascii()) else {
        return Some("***".to_owned());
    };
    // All else keeps its text, digit for digit.
    for (key, value) in &mut fields {
        if is_secret(key) {
            *value = MASK;
        }
    }
    Some(object(fields.into_iter()))
}
