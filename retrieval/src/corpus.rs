//! Tools, and queries whose tools are known.

use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::Value;
use std::collections::{BTreeMap, HashMap, HashSet};
use std::error::Error;
use std::fs;
use std::io::ErrorKind;
use std::path::Path;

/// Into how many parts the queries of a corpus are dealt, one after the other, for examples.
pub const FOLDS: usize = 5;

/// One line of `NAME.tools.jsonl`.
#[derive(Deserialize)]
pub struct Tool {
    pub name: String,
    pub description: String,
    #[serde(default)]
    pub parameters: Value,
}

/// One line of `NAME.SPLIT.jsonl`; what else is in it is not read.
#[derive(Deserialize)]
struct Line {
    query: String,
    groups: Vec<Vec<String>>,
}

/// What somebody wants, and the tools that it takes.
pub struct Query {
    pub text: String,
    /// One entry for each tool that is needed: the places of those that serve.
    pub groups: Vec<Vec<usize>>,
    /// Which fold it is in, below [`FOLDS`].
    pub fold: usize,
}

pub struct Corpus {
    pub name: String,
    pub tools: Vec<Tool>,
    pub queries: Vec<Query>,
}

impl Corpus {
    pub fn read(folder: &Path, name: &str, split: &str) -> Result<Self, Box<dyn Error>> {
        let tools: Vec<Tool> = lines(&folder.join(format!("{name}.tools.jsonl")))?;
        let lines: Vec<Line> = lines(&folder.join(format!("{name}.{split}.jsonl")))?;
        let named = tools.iter().map(|tool| &*tool.name).zip(0..);
        let places: HashMap<&str, usize> = named.collect();
        let place = |name: &String| places.get(&**name).copied();
        let groups = |line: &Line| {
            let groups = line.groups.iter();
            groups
                .map(|group| group.iter().filter_map(place).collect())
                .collect()
        };
        let folds = (0..FOLDS).cycle();
        let queries = lines.into_iter().zip(folds).map(|(line, fold)| Query {
            groups: groups(&line),
            text: line.query,
            fold,
        });
        Ok(Self {
            name: name.to_owned(),
            queries: queries.collect(),
            tools,
        })
    }

    /// What the queries of all folds but one teach: by the places of tools, queries that take this one
    /// alone, the first of the file, so many at most. None is a query of that fold word for word.
    pub fn examples(&self, fold: usize, most: usize) -> BTreeMap<usize, Vec<String>> {
        let (measured, others): (Vec<&Query>, Vec<&Query>) =
            self.queries.iter().partition(|query| query.fold == fold);
        let measured: HashSet<&str> = measured.iter().map(|query| &*query.text).collect();
        let mut examples = BTreeMap::<usize, Vec<String>>::new();
        for query in others {
            if let Some(tool) = query
                .only_tool()
                .filter(|_| !measured.contains(&*query.text))
            {
                let known = examples.entry(tool).or_default();
                known.extend((known.len() < most).then(|| query.text.clone()));
            }
        }
        examples
    }
}

impl Query {
    /// The tool that does it alone; the first, where several would serve.
    fn only_tool(&self) -> Option<usize> {
        match &*self.groups {
            [group] => group.first().copied(),
            _ => None,
        }
    }
}

/// The corpora of a folder that have tools and queries, sorted; none if it does not exist.
pub fn names(folder: &Path, split: &str) -> Result<Vec<String>, Box<dyn Error>> {
    let entries = match fs::read_dir(folder) {
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(Vec::new()),
        entries => entries.map_err(|error| format!("`{}`: {error}", folder.display()))?,
    };
    let mut names = Vec::new();
    for entry in entries {
        let file = entry?.file_name();
        let name = file
            .to_str()
            .and_then(|file| file.strip_suffix(".tools.jsonl"));
        names.extend(name.map(str::to_owned));
    }
    names.retain(|name| folder.join(format!("{name}.{split}.jsonl")).is_file());
    names.sort();
    Ok(names)
}

/// A value a line; empty lines are none.
fn lines<T: DeserializeOwned>(file: &Path) -> Result<Vec<T>, String> {
    let text =
        fs::read_to_string(file).map_err(|error| format!("`{}`: {error}", file.display()))?;
    let lines = (1..).zip(text.lines());
    lines
        .filter(|(_, line)| !line.trim().is_empty())
        .map(|(number, line)| {
            serde_json::from_str(line)
                .map_err(|error| format!("`{}:{number}`: {error}", file.display()))
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::{Corpus, Query};

    #[test]
    fn the_other_folds_teach_with_queries_of_one_tool() {
        let query = |text: &str, fold: usize, groups: &[&[usize]]| Query {
            text: text.to_owned(),
            groups: groups.iter().map(|group| group.to_vec()).collect(),
            fold,
        };
        let corpus = Corpus {
            name: String::new(),
            tools: Vec::new(),
            queries: vec![
                query("a", 0, &[&[7]]),
                query("b", 1, &[&[7]]),
                query("a", 1, &[&[7]]),
                query("c", 2, &[&[7, 8]]),
                query("d", 3, &[&[7]]),
                query("e", 3, &[&[7], &[8]]),
                query("f", 4, &[&[]]),
            ],
        };
        let of = |fold, most| {
            let examples = corpus.examples(fold, most);
            let all = examples.iter();
            let all = all.map(|(tool, queries)| format!("{tool}: {}", queries.join(" ")));
            all.collect::<Vec<_>>()
        };
        assert_eq!(of(0, 5), ["7: b c d"]);
        assert_eq!(of(0, 2), ["7: b c"]);
        assert_eq!(of(1, 5), ["7: c d"]);
        assert_eq!(of(4, 1), ["7: a"]);
    }
}
