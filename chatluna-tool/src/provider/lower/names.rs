//! Names that a provider takes for those that it refuses, and back.

use super::Dialect;
use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};

/// What a name consists of.
#[derive(Clone, Copy)]
pub(super) struct NameRule {
    pub(super) starts: fn(char) -> bool,
    pub(super) goes_on: fn(char) -> bool,
    /// The most characters; all are ASCII.
    pub(super) longest: usize,
    /// What a name is called that has nothing left once it is cleaned.
    pub(super) stem: &'static str,
}

impl NameRule {
    /// The rule for property names; `None` where all are taken.
    pub(super) fn of_properties(dialect: Dialect) -> Option<Self> {
        let goes_on: fn(char) -> bool = match dialect.plain() {
            Dialect::Anthropic => |c| c.is_ascii_alphanumeric() || "_.-".contains(c),
            Dialect::Gemini => |c| c.is_ascii_alphanumeric() || c == '_',
            _ => return None,
        };
        let starts = match dialect {
            Dialect::Gemini => |c: char| c.is_ascii_alphabetic() || c == '_',
            _ => goes_on,
        };
        Some(Self {
            starts,
            goes_on,
            longest: 64,
            stem: "arg",
        })
    }

    fn takes(self, name: &str) -> bool {
        name.starts_with(self.starts)
            && name.chars().all(self.goes_on)
            && name.len() <= self.longest
    }

    /// The name with `_` for what is refused; it may be too long still.
    fn cleaned(self, name: &str) -> String {
        let kept = |c| if (self.goes_on)(c) { c } else { '_' };
        let cleaned: String = name.chars().map(kept).collect();
        if cleaned.starts_with(self.starts) {
            cleaned
        } else {
            format!("_{cleaned}")
        }
    }

    /// The cleaned name with a hash of the original, which nothing else has.
    fn hashed(self, name: &str) -> String {
        let cleaned = self.cleaned(name);
        let stem = if says_nothing(&cleaned) {
            self.stem
        } else {
            &cleaned
        };
        let hash = format!("_{:08x}", fnv1a(name));
        let kept = stem.len().min(self.longest - hash.len());
        stem[..kept].to_owned() + &hash
    }

    /// A name that is taken, without regard to others.
    pub(super) fn alone(self, name: &str) -> Cow<'_, str> {
        if self.takes(name) {
            name.into()
        } else {
            self.hashed(name).into()
        }
    }
}

fn says_nothing(cleaned: &str) -> bool {
    !cleaned.contains(|c: char| c.is_ascii_alphanumeric())
}

/// FNV-1a over 32 bits: the same on every run and every machine.
fn fnv1a(text: &str) -> u32 {
    let mix = |hash: u32, byte: u8| (hash ^ u32::from(byte)).wrapping_mul(0x0100_0193);
    text.bytes().fold(0x811c_9dc5, mix)
}

/// The names that travel under another, both ways.
#[derive(Clone, Debug, Default)]
pub(super) struct Names {
    wire: BTreeMap<String, String>,
    original: BTreeMap<String, String>,
}

impl Names {
    /// Names are looked at together, so that no two become one.
    pub(super) fn of(names: &BTreeSet<&str>, rule: NameRule) -> Self {
        let refused = || names.iter().filter(|name| !rule.takes(name));
        let mut claims = BTreeMap::new();
        for name in refused() {
            *claims.entry(rule.cleaned(name)).or_insert(0) += 1;
        }
        let taken = names.iter().filter(|name| rule.takes(name));
        let mut taken: BTreeSet<String> = taken.map(|name| (*name).to_owned()).collect();
        let mut mapped = Self::default();
        for name in refused() {
            let clean = rule.cleaned(name);
            let is_good = rule.takes(&clean) && !says_nothing(&clean) && claims[&clean] == 1;
            let wire = if is_good && !taken.contains(&clean) {
                clean
            } else {
                unused(name, rule, &taken)
            };
            taken.insert(wire.clone());
            mapped.original.insert(wire.clone(), (*name).to_owned());
            mapped.wire.insert((*name).to_owned(), wire);
        }
        mapped
    }

    /// The name that travels.
    pub(super) fn wire<'a>(&'a self, original: &'a str) -> &'a str {
        self.wire.get(original).map_or(original, String::as_str)
    }

    /// The name that the tool knows.
    pub(super) fn original<'a>(&'a self, wire: &'a str) -> &'a str {
        self.original.get(wire).map_or(wire, String::as_str)
    }

    pub(super) fn is_empty(&self) -> bool {
        self.wire.is_empty()
    }
}

/// A hashed name that no other name is; a second hash where the first is taken.
fn unused(name: &str, rule: NameRule, taken: &BTreeSet<String>) -> String {
    let mut salted = name.to_owned();
    loop {
        let wire = rule.hashed(&salted);
        if !taken.contains(&wire) {
            return wire;
        }
        salted.push('_');
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn wired(dialect: Dialect, names: &[&str]) -> Vec<String> {
        let Some(rule) = NameRule::of_properties(dialect) else {
            return Vec::new();
        };
        let mapped = Names::of(&names.iter().copied().collect(), rule);
        let wire = names.iter().map(|name| mapped.wire(name).to_owned());
        let wire: Vec<String> = wire.collect();
        for (name, wire) in names.iter().zip(&wire) {
            assert!(rule.takes(wire), "{wire:?}");
            assert_eq!(mapped.original(wire), *name);
        }
        wire
    }

    #[test]
    fn a_refused_name_is_cleaned() {
        let names = ["city", "user name", "x-y", "1st", "a.b"];
        let gemini = ["city", "user_name", "x_y", "_1st", "a_b"];
        assert_eq!(wired(Dialect::Gemini, &names), gemini);
        let anthropic = ["city", "user_name", "x-y", "1st", "a.b"];
        assert_eq!(wired(Dialect::Anthropic, &names), anthropic);
    }

    #[test]
    fn names_that_would_become_one_are_told_apart_by_a_hash() {
        let names = ["a b", "a-b", "a_b", "c d"];
        let gemini = ["a_b_10a3f9f2", "a_b_2a89df63", "a_b", "c_d"];
        assert_eq!(wired(Dialect::Gemini, &names), gemini);
    }

    #[test]
    fn a_name_without_a_letter_left_is_a_hash() {
        assert_eq!(wired(Dialect::Anthropic, &["城市"]), ["arg_95ef92d2"]);
        assert_eq!(wired(Dialect::Anthropic, &[""]), ["arg_811c9dc5"]);
    }

    #[test]
    fn the_hash_is_fnv_1a() {
        assert_eq!(fnv1a("foobar"), 0xbf9c_f968);
    }

    #[test]
    fn a_long_name_is_cut_before_its_hash() {
        let long = "n".repeat(80);
        let [wire] = &wired(Dialect::Gemini, &[&long])[..] else {
            panic!("one name in, one name out");
        };
        assert_eq!(wire.len(), 64);
    }

    #[test]
    fn openai_takes_every_property_name() {
        assert!(NameRule::of_properties(Dialect::OpenAiStrict).is_none());
    }
}
