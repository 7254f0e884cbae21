//! Several rankings made one.

use std::collections::BTreeMap;

/// How little a first place counts more than a second, as G. V. Cormack, C. L. A. Clarke and
/// S. Büttcher measured it: "Reciprocal Rank Fusion outperforms Condorcet and individual Rank Learning
/// Methods", SIGIR 2009.
const K: u128 = 60;

/// What gains are counted in: whole numbers, so that a sum does not depend on its order.
const ONE: u128 = 1 << 64;

/// The names of all rankings by reciprocal rank: the n-th of a ranking gains 1 / (60 + n).
///
/// Of equal ones the first in the first ranking comes first, then, of those that it has not, the first
/// by name. No ranking has a name twice.
pub(crate) fn fused(rankings: &[Vec<String>]) -> Vec<String> {
    let mut gains = BTreeMap::<&str, u128>::new();
    for ranking in rankings {
        for (place, name) in (1..).zip(ranking) {
            *gains.entry(name).or_default() += ONE / (K + place);
        }
    }
    let first: &[String] = rankings.first().map_or(&[], Vec::as_slice);
    let place = |name: &str| first.iter().position(|other| other == name);
    let mut fused: Vec<_> = gains
        .into_iter()
        .map(|(name, gain)| (name, gain, place(name).unwrap_or(usize::MAX)))
        .collect();
    // They are sorted by name, and equal ones stay so.
    fused.sort_by(|left, right| right.1.cmp(&left.1).then(left.2.cmp(&right.2)));
    fused
        .into_iter()
        .map(|(name, ..)| name.to_owned())
        .collect()
}

#[cfg(test)]
mod tests {
    use super::fused;

    fn of(rankings: &[&str]) -> String {
        let names = |ranking: &&str| ranking.split_whitespace().map(str::to_owned).collect();
        let rankings: Vec<Vec<String>> = rankings.iter().map(names).collect();
        fused(&rankings).join(" ")
    }

    #[test]
    fn what_more_rankings_have_comes_before_what_one_has_first() {
        assert_eq!(of(&["a b c", "d c e"]), "c a d b e");
    }

    #[test]
    fn two_places_at_the_end_are_worth_more_than_one_in_front_up_to_the_62nd() {
        // 2 / (60 + n) > 1 / 61 as long as n < 62.
        let both = |last: usize| {
            let ranking = |own: &str| {
                let names = (1..last).map(|number| format!("{own}{number}"));
                names.chain(["z".to_owned()]).collect::<Vec<_>>()
            };
            let fused = fused(&[ranking("a"), ranking("b")]);
            fused.first().cloned()
        };
        assert_eq!(both(61).as_deref(), Some("z"));
        assert_eq!(both(62).as_deref(), Some("a1"));
    }

    #[test]
    fn equal_ones_keep_the_order_of_the_first_ranking_then_of_names() {
        assert_eq!(of(&["b a", "a b"]), "b a");
        assert_eq!(of(&["c b a", "b a c", "a c b"]), "c b a");
        assert_eq!(of(&["", "z y", "y z", "x"]), "y z x");
        assert_eq!(of(&["", "b", "a"]), "a b");
        assert_eq!(of(&["m", "b", "a"]), "m a b");
    }

    #[test]
    fn one_ranking_stays_as_it_is() {
        assert_eq!(of(&["c a b"]), "c a b");
        assert_eq!(of(&["c a b", ""]), "c a b");
        assert_eq!(of(&[]), "");
    }
}
