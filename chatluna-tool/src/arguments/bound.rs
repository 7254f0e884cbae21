//! The bounds of an argument's value. That they make sense is checked by rustc.

use serde_json::{Number, Value};
use std::fmt;

/// One end of a range; the end belongs to it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Bound {
    /// Compared exactly with other integers.
    Integer(i128),
    /// What is no integer.
    Number(f64),
}

impl Bound {
    /// A bound that was cast both ways: `EXPR as i128, EXPR as f64`. It is an integer where that
    /// cast lost nothing.
    pub const fn new(integer: i128, number: f64) -> Self {
        if integer as f64 == number {
            Self::Integer(integer)
        } else {
            Self::Number(number)
        }
    }

    /// A number of a call or of a schema.
    pub(crate) fn of_json(number: &Number) -> Option<Self> {
        let integer = number.as_i128().map(Self::Integer);
        // A float beyond all integers is none when it comes back from one.
        integer.or_else(|| number.as_f64().map(|float| Self::new(float as i128, float)))
    }

    /// The bound as a schema holds it.
    pub(crate) fn to_json(self) -> Value {
        let number = match self {
            Self::Integer(integer) => Number::from_i128(integer),
            Self::Number(number) => Number::from_f64(number),
        };
        number.map_or_else(|| self.as_f64().into(), Value::Number)
    }

    pub(crate) const fn is_at_most(self, other: Self) -> bool {
        match (self, other) {
            (Self::Integer(left), Self::Integer(right)) => left <= right,
            _ => self.as_f64() <= other.as_f64(),
        }
    }

    /// Whether dividing by the factor leaves nothing.
    pub(crate) fn is_multiple_of(self, factor: Self) -> bool {
        match self.same_places(factor) {
            // `wrapping`, as the smallest integer divided by -1 is one too large.
            Some((value, factor)) => factor != 0 && value.wrapping_rem(factor) == 0,
            None => (self.as_f64() / factor.as_f64()).fract() == 0.0,
        }
    }

    /// Two numbers without their points, which are moved by as many places in both. As floats,
    /// 0.3 is no multiple of 0.1.
    fn same_places(self, other: Self) -> Option<(i128, i128)> {
        let ((left, left_places), (right, right_places)) = (self.decimal()?, other.decimal()?);
        let places = left_places.max(right_places);
        let moved = |digits: i128, by| digits.checked_mul(10_i128.checked_pow(by)?);
        Some((
            moved(left, places - left_places)?,
            moved(right, places - right_places)?,
        ))
    }

    /// The digits in base ten, and how many of them are behind the point.
    fn decimal(self) -> Option<(i128, u32)> {
        let number = match self {
            Self::Integer(integer) => return Some((integer, 0)),
            Self::Number(number) => number,
        };
        // The fewest digits that are read as this number: those that were written.
        let text = format!("{number:e}");
        let (digits, exponent) = text.split_once('e')?;
        let (whole, fraction) = digits.split_once('.').unwrap_or((digits, ""));
        let places = i32::try_from(fraction.len()).ok()? - exponent.parse::<i32>().ok()?;
        let digits = format!("{whole}{fraction}").parse().ok()?;
        Some((digits, u32::try_from(places).ok()?))
    }

    const fn as_f64(self) -> f64 {
        match self {
            Self::Integer(integer) => integer as f64,
            Self::Number(number) => number,
        }
    }
}

impl fmt::Display for Bound {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Integer(integer) => integer.fmt(f),
            Self::Number(number) => number.fmt(f),
        }
    }
}

/// What a number has to lie in.
#[derive(Clone, Copy, Debug)]
pub struct Range {
    pub(crate) min: Option<Bound>,
    pub(crate) max: Option<Bound>,
}

impl Range {
    /// A range; an end that is missing bounds nothing.
    #[must_use]
    pub const fn new(min: Option<Bound>, max: Option<Bound>) -> Self {
        Self { min, max }
    }

    /// Checks that there is a value within.
    ///
    /// # Panics
    /// When the ends are inverted, or one is not a number: at compile time.
    #[track_caller]
    pub const fn check(&self) {
        let in_order = match (self.min, self.max) {
            (Some(min), Some(max)) => min.is_at_most(max),
            // NaN is not even at most itself.
            (Some(end), None) | (None, Some(end)) => end.is_at_most(end),
            (None, None) => true,
        };
        assert!(
            in_order,
            "no value is in this range; write the smaller bound first"
        );
    }

    /// Checks a default.
    ///
    /// # Panics
    /// When it lies outside: at compile time.
    #[track_caller]
    pub const fn check_default(&self, default: Bound) {
        assert!(
            self.holds(default),
            "the default is outside the range; change one of them"
        );
    }

    pub(super) const fn holds(&self, value: Bound) -> bool {
        let low = match self.min {
            Some(min) => min.is_at_most(value),
            None => true,
        };
        let high = match self.max {
            Some(max) => value.is_at_most(max),
            None => true,
        };
        low && high
    }
}

impl fmt::Display for Range {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write_bounds(f, self.min, self.max)
    }
}

/// How many characters, items or keys a value has to have.
#[derive(Clone, Copy, Debug)]
pub struct Length {
    pub(crate) min: Option<usize>,
    pub(crate) max: Option<usize>,
}

impl Length {
    /// A length; an end that is missing bounds nothing.
    #[must_use]
    pub const fn new(min: Option<usize>, max: Option<usize>) -> Self {
        Self { min, max }
    }

    /// Checks that there is a length within.
    ///
    /// # Panics
    /// When the ends are inverted: at compile time.
    #[track_caller]
    pub const fn check(&self) {
        let in_order = match (self.min, self.max) {
            (Some(min), Some(max)) => min <= max,
            _ => true,
        };
        assert!(
            in_order,
            "no value is in this range; write the smaller bound first"
        );
    }

    pub(super) fn holds(&self, length: usize) -> bool {
        self.min.is_none_or(|min| min <= length) && self.max.is_none_or(|max| length <= max)
    }

    /// Whether what is counted is named in the singular: `at least 1 item`.
    pub(super) fn is_singular(&self) -> bool {
        self.max.or(self.min) == Some(1)
    }
}

impl fmt::Display for Length {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write_bounds(f, self.min, self.max)
    }
}

fn write_bounds<T: fmt::Display + PartialEq>(
    f: &mut fmt::Formatter<'_>,
    min: Option<T>,
    max: Option<T>,
) -> fmt::Result {
    match (min, max) {
        (Some(min), Some(max)) if min == max => write!(f, "exactly {min}"),
        (Some(min), Some(max)) => write!(f, "between {min} and {max}"),
        (Some(min), None) => write!(f, "at least {min}"),
        (None, Some(max)) => write!(f, "at most {max}"),
        (None, None) => f.write_str("anything"),
    }
}

#[cfg(test)]
mod tests {
    use super::{Bound, Length, Range};

    #[test]
    fn integers_are_compared_exactly() {
        let top = Bound::new(u64::MAX as i128, u64::MAX as f64);
        let below = Bound::new((u64::MAX - 1) as i128, (u64::MAX - 1) as f64);
        let range = Range::new(
            Some(Bound::new(i64::MIN as i128, i64::MIN as f64)),
            Some(below),
        );
        assert!(range.holds(below));
        assert!(!range.holds(top));
        assert!(!range.holds(Bound::Integer(i64::MIN as i128 - 1)));
        assert_eq!(top.to_json(), u64::MAX);
    }

    #[test]
    fn other_numbers_are_compared_as_such() {
        let half = Bound::new(0.5 as i128, 0.5);
        assert_eq!(half, Bound::Number(0.5));
        let range = Range::new(Some(half), Some(Bound::new(2.0 as i128, 2.0)));
        assert!(range.holds(Bound::Integer(1)));
        assert!(!range.holds(Bound::Number(2.5)));
        assert!(!range.holds(Bound::Number(f64::NAN)));
        assert_eq!(range.to_string(), "between 0.5 and 2");
    }

    #[test]
    fn a_multiple_is_one_in_base_ten() {
        for (value, factor, expected) in [
            (0.3, 0.1, true),
            (19.99, 0.01, true),
            (19.995, 0.01, false),
            (-1.5, 0.5, true),
            (5.0, 2.5, true),
            (1e300, 2.0, true),
            (1.0, 0.0, false),
            (i128::MIN as f64, -1.0, true),
        ] {
            let [value, factor] = [value, factor].map(|number| Bound::new(number as i128, number));
            assert_eq!(value.is_multiple_of(factor), expected, "{value} {factor}");
        }
        let large = Bound::Integer(u64::MAX as i128);
        assert!(
            large.is_multiple_of(Bound::Integer(5)) && !large.is_multiple_of(Bound::Integer(2))
        );
    }

    #[test]
    #[should_panic(expected = "no value is in this range; write the smaller bound first")]
    fn a_range_is_in_order() {
        Range::new(Some(Bound::Integer(2)), Some(Bound::Integer(1))).check();
    }

    #[test]
    #[should_panic(expected = "no value is in this range; write the smaller bound first")]
    fn a_bound_is_a_number() {
        Range::new(Some(Bound::new(0, f64::NAN)), None).check();
    }

    #[test]
    #[should_panic(expected = "no value is in this range; write the smaller bound first")]
    fn a_length_is_in_order() {
        Length::new(Some(2), Some(1)).check();
    }

    #[test]
    #[should_panic(expected = "the default is outside the range; change one of them")]
    fn a_default_lies_in_the_range() {
        Range::new(Some(Bound::Integer(1)), None).check_default(Bound::Integer(0));
    }
}
