//! What a term of a tool is worth (BM25F).

use super::fields::{Field, Occurrence};
use super::vocabulary::Form;

/// How fast a term that a tool has often stops to count for more (BM25's k1).
const SATURATION: f32 = 1.3;

/// What it is worth to have a term at all, however long the text is (BM25+'s delta).
const PRESENCE: f32 = 0.05;

/// How much a word of requests counts outside of a name: `find` is in every second description.
const OF_REQUESTS: f32 = 0.4;

fn lengths(terms: &[Occurrence]) -> [f32; Field::COUNT] {
    let mut lengths = [0.0; Field::COUNT];
    for Occurrence { field, .. } in terms.iter().filter(|term| term.form.is_stem()) {
        lengths[*field as usize] += 1.0;
    }
    lengths
}

pub(super) fn average_lengths(all: &[Vec<Occurrence>]) -> [f32; Field::COUNT] {
    let mut average = [0.0; Field::COUNT];
    for length in all.iter().map(|terms| lengths(terms)) {
        for (sum, length) in average.iter_mut().zip(length) {
            *sum += length;
        }
    }
    average.map(|sum| (sum / all.len() as f32).max(1.0))
}

/// What each term of a tool is worth, before how rare it is.
pub(super) fn weights(
    terms: &[Occurrence],
    average: &[f32; Field::COUNT],
) -> impl Iterator<Item = (u32, f32)> {
    let lengths = lengths(terms);
    let weight = |field: Field| {
        let length = lengths[field as usize] / average[field as usize];
        let dilution = field.dilution();
        field.weight() / (1.0 - dilution + dilution * length)
    };
    let by_field = Field::ALL.map(weight);
    let weight = |&Occurrence { term, field, form }: &Occurrence| {
        let share = match form {
            Form::OfRequests if field != Field::Name => OF_REQUESTS,
            _ => 1.0,
        };
        (term, share * by_field[field as usize])
    };
    let mut weights: Vec<(u32, f32)> = terms.iter().map(weight).collect();
    weights.sort_unstable_by_key(|(term, _)| *term);
    weights.dedup_by(|same, first| {
        let is_same = same.0 == first.0;
        if is_same {
            first.1 += same.1;
        }
        is_same
    });
    let saturated = |sum: f32| sum / (SATURATION + sum) + PRESENCE;
    weights
        .into_iter()
        .map(move |(term, sum)| (term, saturated(sum)))
}

/// How much a term tells that so many of all tools have (its inverse document frequency).
pub(super) fn rarity(with: usize, all: usize) -> f32 {
    let (with, all) = (with as f32, all as f32);
    (1.0 + (all - with + 0.5) / (with + 0.5)).ln()
}

#[cfg(test)]
mod tests {
    use super::{PRESENCE, average_lengths, weights};
    use crate::search::fields::{Field, Occurrence};
    use crate::search::vocabulary::Form;

    fn occurrence(field: Field, form: Form) -> Occurrence {
        let term = 0;
        Occurrence { term, field, form }
    }

    fn weight(terms: &[Occurrence]) -> f32 {
        let average = average_lengths(&[vec![occurrence(Field::Description, Form::Stem)]]);
        weights(terms, &average).map(|(_, weight)| weight).sum()
    }

    #[test]
    fn a_field_counts_in_its_own_measure() {
        let of = |field| weight(&[occurrence(field, Form::Stem)]);
        assert!(of(Field::Name) > of(Field::Description));
        assert_eq!(of(Field::Hints), of(Field::Description));
        assert!(of(Field::Description) > of(Field::Server));
        assert!(of(Field::Server) > of(Field::Texts));
        assert_eq!(of(Field::Texts), of(Field::Arguments));
    }

    #[test]
    fn a_word_of_requests_counts_whole_in_a_name_alone() {
        let of = |field, form| weight(&[occurrence(field, form)]);
        let is_whole = |field| of(field, Form::OfRequests) == of(field, Form::Stem);
        assert!(is_whole(Field::Name));
        assert!(!is_whole(Field::Description));
        assert!(!is_whole(Field::Texts));
    }

    #[test]
    fn what_is_there_counts_in_the_longest_text() {
        let mut terms = vec![occurrence(Field::Description, Form::Stem); 100_000];
        for (term, other) in (0..).zip(&mut terms) {
            other.term = term;
        }
        let average = average_lengths(&[vec![occurrence(Field::Description, Form::Stem)]]);
        let least = weights(&terms, &average).map(|(_, weight)| weight);
        assert!(least.fold(1.0, f32::min) >= PRESENCE);
    }
}
