//! What searches have taught: of a tool the queries that led to it.

use super::fields::{Field, Terms, add};
use super::index::{Index, MANY_TOOLS};
use super::vocabulary::Vocabulary;
use crate::registry::Registry;
use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};

/// The most queries that are kept of a tool: the newest.
const MAX_EXAMPLES: usize = 5;

/// How much of a query is kept, in bytes.
const MAX_BYTES: usize = 500;

/// How much the queries of a tool that has all of them count beside what it says of itself.
const WEIGHT: f32 = 0.7;

/// How much less fewer queries count: their share to this power. One may be chance, and there is hardly
/// a tool without one.
const DOUBT: f32 = 1.5;

/// The queries that led to each tool, oldest first.
type Examples = BTreeMap<String, Vec<String>>;

/// The examples of all tools, whoever sees them, by the names of the tools.
#[derive(Default)]
pub(crate) struct Learned(Mutex<State>);

#[derive(Default)]
struct State {
    examples: Examples,
    /// Made with the first search after a change.
    index: Option<Arc<Taught>>,
}

/// The examples by their words.
struct Taught {
    /// By place in the index: the name, and how much its examples count.
    tools: Vec<(String, f32)>,
    index: Index,
    /// Of the registry that was searched last: names are slow to look up, thousands of them.
    places: Mutex<Places>,
}

/// Where the tools of an index are in a registry.
#[derive(Default)]
struct Places {
    registry: Weak<Registry>,
    all: Arc<[Option<usize>]>,
}

impl Learned {
    /// Of each tool the last that fit.
    pub(crate) fn new(examples: Examples) -> Self {
        let learned = Self::default();
        for (tool, queries) in &examples {
            for query in queries {
                learned.add(tool, query);
            }
        }
        learned
    }

    pub(crate) fn all(&self) -> Examples {
        self.lock().examples.clone()
    }

    /// Makes a query the newest example of a tool; whether it was none.
    pub(crate) fn add(&self, tool: &str, query: &str) -> bool {
        let query = cut(query);
        if query.is_empty() {
            return false;
        }
        let mut state = self.lock();
        let known = state.examples.entry(tool.to_owned()).or_default();
        let before = known.iter().position(|other| other == query);
        match before {
            Some(place) => drop(known.remove(place)),
            None if known.len() == MAX_EXAMPLES => drop(known.remove(0)),
            None => {}
        }
        known.push(query.to_owned());
        state.index = None;
        before.is_none()
    }

    /// Takes an example back.
    pub(crate) fn remove(&self, tool: &str, query: &str) {
        let query = cut(query);
        let mut state = self.lock();
        let Some(known) = state.examples.get_mut(tool) else {
            return;
        };
        known.retain(|other| other != query);
        if known.is_empty() {
            state.examples.remove(tool);
        }
        state.index = None;
    }

    /// Whether the next search makes an index, of many tools.
    pub(crate) fn is_slow(&self) -> bool {
        let state = self.lock();
        state.index.is_none() && state.examples.len() >= MANY_TOOLS
    }

    /// Makes the index, if it is not there.
    pub(crate) fn make_index(&self) {
        self.taught();
    }

    /// Adds to the scores of a registry's tools, by their places, how well their examples fit a query.
    /// Without an example of a tool its score stays as it is.
    pub(crate) fn raise(&self, scores: &mut [f32], query: &str, registry: &Arc<Registry>) {
        let Some(taught) = self.taught() else {
            return;
        };
        let fits = taught.index.fits(query);
        let places = taught.places_in(registry);
        for ((fit, place), (_, weight)) in fits.iter().zip(&*places).zip(&taught.tools) {
            if let Some(score) = place.and_then(|place| scores.get_mut(place)) {
                *score += weight * fit;
            }
        }
    }

    /// Nothing where there are no examples.
    fn taught(&self) -> Option<Arc<Taught>> {
        let mut state = self.lock();
        if state.index.is_none() && !state.examples.is_empty() {
            state.index = Some(Arc::new(Taught::new(&state.examples)));
        }
        state.index.clone()
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Taught {
    fn new(examples: &Examples) -> Self {
        let mut vocabulary = Vocabulary::default();
        let read = |queries: &Vec<String>| terms(queries, &mut vocabulary);
        let all: Vec<Terms> = examples.values().map(read).collect();
        let weight = |queries: &Vec<String>| {
            let share = queries.len() as f32 / MAX_EXAMPLES as f32;
            WEIGHT * share.powf(DOUBT)
        };
        let tools = examples.iter();
        let tools = tools.map(|(tool, queries)| (tool.clone(), weight(queries)));
        Self {
            tools: tools.collect(),
            index: Index::of(vocabulary, &all),
            places: Mutex::default(),
        }
    }

    fn places_in(&self, registry: &Arc<Registry>) -> Arc<[Option<usize>]> {
        let known = self.places.lock();
        let mut known = known.unwrap_or_else(PoisonError::into_inner);
        if !std::ptr::eq(known.registry.as_ptr(), Arc::as_ptr(registry)) {
            let all = self.tools.iter().map(|(tool, _)| registry.place(tool));
            *known = Places {
                registry: Arc::downgrade(registry),
                all: all.collect(),
            };
        }
        Arc::clone(&known.all)
    }
}

fn terms(queries: &[String], vocabulary: &mut Vocabulary) -> Terms {
    let mut terms = Terms::new();
    for query in queries {
        add(&mut terms, Field::Hints, query, vocabulary);
    }
    terms
}

fn cut(query: &str) -> &str {
    let query = query.trim();
    query[..query.floor_char_boundary(MAX_BYTES)].trim_end()
}

#[cfg(test)]
mod tests {
    use super::{Examples, Learned};
    use crate::definition::ToolDefinition;
    use crate::fn_tool::FnTool;
    use crate::registry::Registry;
    use crate::tool::Tool;
    use serde_json::Value;
    use std::sync::Arc;

    fn learned(all: &[(&str, &[&str])]) -> Learned {
        let owned = |queries: &[&str]| queries.iter().map(|&query| query.to_owned()).collect();
        let all = all.iter();
        let all = all.map(|(tool, queries)| ((*tool).to_owned(), owned(queries)));
        Learned::new(all.collect::<Examples>())
    }

    fn registry(names: &[&str]) -> Arc<Registry> {
        let tool = |name: &&str| {
            let definition = ToolDefinition::new(*name, "Works");
            Arc::new(FnTool::new(definition, |_: Value, _| async {})) as Arc<dyn Tool>
        };
        Arc::new(Registry::new(names.iter().map(tool).collect()))
    }

    /// Of the tools `a`, `b` and `c`.
    fn raised(learned: &Learned, query: &str) -> Vec<f32> {
        let mut scores = vec![1.5, 0.0, 2.5];
        learned.raise(&mut scores, query, &registry(&["a", "b", "c"]));
        scores
    }

    #[test]
    fn each_registry_has_its_own_places() {
        let learned = learned(&[("b", &["rain"]), ("c", &["snow"])]);
        let registries = [&["a", "b", "c"][..], &["b", "c"], &["c", "d"], &["d"]].map(registry);
        for (number, place) in [
            (0, Some(1)),
            (1, Some(0)),
            (2, None),
            (3, None),
            (0, Some(1)),
        ] {
            let registry = &registries[number];
            let mut scores = vec![0.0; registry.tools().len()];
            learned.raise(&mut scores, "rain", registry);
            assert_eq!(scores.iter().position(|score| *score > 0.0), place);
        }
    }

    #[test]
    fn without_examples_that_fit_the_scores_are_as_they_were() {
        assert_eq!(raised(&Learned::default(), "rain"), [1.5, 0.0, 2.5]);
        let learned = learned(&[("b", &["will it rain"]), ("nobodys", &["rain"])]);
        assert_eq!(raised(&learned, "snow"), [1.5, 0.0, 2.5]);
        let scores = raised(&learned, "rain");
        assert!(scores[1] > 0.0);
        assert_eq!((scores[0], scores[2]), (1.5, 2.5));
        learned.remove("b", "will it rain");
        assert_eq!(raised(&learned, "rain"), [1.5, 0.0, 2.5]);
    }

    #[test]
    fn many_examples_count_for_more_than_one() {
        let learned = learned(&[("b", &["rain"]), ("c", &["rain", "rain today"])]);
        let scores = raised(&learned, "rain");
        assert!(scores[2] - 2.5 > 2.0 * scores[1], "{scores:?}");
    }

    #[test]
    fn an_index_is_slow_until_it_is_made() {
        let name = |number: usize| (format!("tool_{number}"), vec!["rain".to_owned()]);
        let learned = Learned::new((0..200).map(name).collect());
        assert!(learned.is_slow());
        learned.make_index();
        assert!(!learned.is_slow());
        learned.add("tool_7", "snow");
        assert!(learned.is_slow());
        assert!(!Learned::new((0..199).map(name).collect()).is_slow());
    }
}
