//! Tools, and queries whose tools are known.

use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::Value;
use std::collections::HashMap;
use std::error::Error;
use std::fs;
use std::io::ErrorKind;
use std::path::Path;

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
        let queries = lines.into_iter().map(|line| Query {
            groups: groups(&line),
            text: line.query,
        });
        Ok(Self {
            name: name.to_owned(),
            queries: queries.collect(),
            tools,
        })
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
