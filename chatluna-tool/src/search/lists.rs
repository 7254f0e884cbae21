//! A list for each term, all in one piece of memory.

/// What each term has, in the order in which it came.
pub(super) struct Lists<T> {
    /// Where the list of a term begins; the last is where the last ends.
    starts: Vec<u32>,
    items: Vec<T>,
}

impl<T: Copy + Default> Lists<T> {
    /// Of so many terms.
    pub(super) fn new(terms: usize, all: &[(u32, T)]) -> Self {
        let mut starts = vec![0; terms + 1];
        for (term, _) in all {
            starts[*term as usize + 1] += 1;
        }
        for term in 0..terms {
            starts[term + 1] += starts[term];
        }
        let mut ends = starts.clone();
        let mut items = vec![T::default(); all.len()];
        for (term, item) in all {
            let end = &mut ends[*term as usize];
            items[*end as usize] = *item;
            *end += 1;
        }
        Self { starts, items }
    }

    pub(super) fn of(&self, term: u32) -> &[T] {
        let at = |term: usize| self.starts[term] as usize;
        &self.items[at(term as usize)..at(term as usize + 1)]
    }
}

#[cfg(test)]
mod tests {
    use super::Lists;

    #[test]
    fn each_term_has_its_own_in_order() {
        let lists = Lists::new(4, &[(2, 'a'), (0, 'b'), (2, 'c'), (3, 'd')]);
        let all = [0, 1, 2, 3].map(|term| lists.of(term).iter().collect::<String>());
        assert_eq!(all, ["b", "", "ac", "d"]);
    }
}
