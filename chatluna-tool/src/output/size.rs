//! Sizes and counts as models and people read them.

use std::fmt;

/// A number of bytes: `999 B`, `12 KiB`, `1.5 MiB`.
#[derive(Clone, Copy)]
pub(crate) struct Size(pub(crate) usize);

impl fmt::Display for Size {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut rest = self.0;
        let mut tenths = 0;
        for unit in ["B", "KiB", "MiB"] {
            if rest < 1024 {
                return write_with(f, rest, tenths, unit);
            }
            (rest, tenths) = (rest / 1024, rest % 1024 * 10 / 1024);
        }
        write_with(f, rest, tenths, "GiB")
    }
}

/// The tenths are told where they say something.
fn write_with(f: &mut fmt::Formatter<'_>, whole: usize, tenths: usize, unit: &str) -> fmt::Result {
    match tenths {
        0 => write!(f, "{whole} {unit}"),
        _ if whole >= 10 => write!(f, "{whole} {unit}"),
        tenths => write!(f, "{whole}.{tenths} {unit}"),
    }
}

/// A number with its thousands apart: `5,310`.
#[derive(Clone, Copy)]
pub(crate) struct Count(pub(crate) usize);

impl fmt::Display for Count {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            rest @ 0..1_000 => write!(f, "{rest}"),
            more => write!(f, "{},{:03}", Self(more / 1_000), more % 1_000),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Count, Size};

    #[test]
    fn sizes_and_counts_are_short() {
        let sizes =
            [0, 1023, 1024, 1536, 12_600, 5 << 20, 3 << 30].map(|size| Size(size).to_string());
        assert_eq!(
            sizes,
            [
                "0 B", "1023 B", "1 KiB", "1.5 KiB", "12 KiB", "5 MiB", "3 GiB"
            ]
        );
        let counts = [7, 999, 1_000, 1_234_005].map(|count| Count(count).to_string());
        assert_eq!(counts, ["7", "999", "1,000", "1,234,005"]);
    }
}
