//! Check: the timeout, a number of milliseconds or text with a unit.

use crate::attribute::Attribute;
use crate::report::Report;
use syn::{Lit, LitInt};

/// The units of a timeout and their milliseconds.
const UNITS: [(&str, u64); 4] = [("ms", 1), ("s", 1_000), ("min", 60_000), ("h", 3_600_000)];

/// No timeout: longer than anything runs.
const NONE: u64 = u64::MAX;

pub(super) fn check(attribute: &Attribute, report: &mut Report) {
    let Some(timeout) = &attribute.timeout else {
        return;
    };
    match milliseconds(timeout) {
        Ok(0) => report.on(
            timeout,
            "a timeout is at least 1 millisecond; leave it out to use the runtime's default",
        ),
        Ok(NONE) => check_end(timeout, attribute, report),
        Ok(_) => {}
        Err(message) => report.on(timeout, message),
    }
}

/// A call that is waited for without end never outlives its step.
fn check_end(timeout: &Lit, attribute: &Attribute, report: &mut Report) {
    let background = attribute.background.as_ref();
    if background.is_some_and(|goes_on| goes_on.value) {
        report.on(
            timeout,
            "a call without a timeout never goes on in the background; remove one of them",
        );
    }
}

/// The milliseconds that the literal stands for, or what is wrong with it.
pub(crate) fn milliseconds(timeout: &Lit) -> Result<u64, String> {
    match timeout {
        Lit::Int(number) => of_number(number),
        Lit::Str(text) => of_text(&text.value()),
        _ => Err(String::new()),
    }
}

fn of_number(number: &LitInt) -> Result<u64, String> {
    if !number.suffix().is_empty() {
        let digits = number.base10_digits();
        return Err(format!(
            "a timeout has no suffix; write `timeout = {digits}` for milliseconds"
        ));
    }
    number.base10_parse().map_err(|_| too_long())
}

fn of_text(text: &str) -> Result<u64, String> {
    if text == "none" {
        return Ok(NONE);
    }
    let unit = text.trim_start_matches(|letter: char| letter.is_ascii_digit());
    let digits = &text[..text.len() - unit.len()];
    let factor = UNITS.iter().find(|(name, _)| *name == unit);
    let Some((_, factor)) = factor.filter(|_| !digits.is_empty()) else {
        return Err(format!(
            "`{text}` is no timeout; write a whole number and `ms`, `s`, `min` or `h`, such as \"30s\", or \"none\""
        ));
    };
    let count: Option<u64> = digits.parse().ok();
    count
        .and_then(|count| count.checked_mul(*factor))
        .ok_or_else(too_long)
}

fn too_long() -> String {
    "the timeout is over 2^64 milliseconds; write a shorter one".to_owned()
}

#[cfg(test)]
mod tests {
    use super::milliseconds;
    use syn::{Lit, parse_quote};

    #[test]
    fn a_timeout_is_a_number_or_text_with_a_unit() {
        let literals: [Lit; 5] = [
            parse_quote!(30_000),
            parse_quote!("30s"),
            parse_quote!("30000ms"),
            parse_quote!("2min"),
            parse_quote!("1h"),
        ];
        let counts = literals.map(|literal| milliseconds(&literal).ok());
        assert_eq!(
            counts,
            [30_000, 30_000, 30_000, 120_000, 3_600_000].map(Some)
        );
    }
}
