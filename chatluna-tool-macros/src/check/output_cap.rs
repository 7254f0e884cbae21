//! Check: the output cap, a number of bytes.

use crate::attribute::Attribute;
use crate::report::Report;
use syn::LitInt;

pub(super) fn check(attribute: &Attribute, report: &mut Report) {
    let Some(cap) = &attribute.output_cap else {
        return;
    };
    match bytes(cap) {
        Ok(0) => report.on(
            cap,
            "an output cap is at least 1 byte; leave it out to use the runtime's default",
        ),
        Ok(_) => {}
        Err(message) => report.on(cap, message),
    }
}

/// The bytes that the literal stands for, or what is wrong with it.
pub(crate) fn bytes(cap: &LitInt) -> Result<usize, String> {
    if !cap.suffix().is_empty() {
        let digits = cap.base10_digits();
        return Err(format!(
            "an output cap has no suffix; write `output_cap = {digits}` for bytes"
        ));
    }
    let too_large = |_| "the output cap is over 2^64 bytes; write a smaller one".to_owned();
    cap.base10_parse().map_err(too_large)
}
