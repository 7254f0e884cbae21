//! The search of chatluna-tool, as a program that uses it calls it.

use crate::MEMORY;
use crate::corpus::{Corpus, FOLDS, Query, Tool};
use crate::figures::LIMIT;
use crate::methods::{Built, Method};
use chatluna_tool::{
    BuildError, Effect, FnTool, MAX_KEYWORD_BYTES, MAX_NAME_BYTES, Runtime, Session, SessionInfo,
    ToolDefinition, ToolMode, Traits,
};
use futures_util::FutureExt;
use serde_json::{Value, json};
use std::collections::{BTreeMap, HashMap, HashSet};
use std::time::Instant;

/// The names that the runtime keeps for itself.
const BUILT_IN: [&str; 5] = [
    "read_output",
    "task_cancel",
    "task_list",
    "task_output",
    "tool_search",
];

/// With at most so many examples of a tool, of the folds that a query is not in. What it costs is
/// measured of the first fold.
///
/// # Errors
/// What the runtime says of the tools.
pub fn method(corpus: &Corpus, examples: usize) -> Result<Method, BuildError> {
    let names = names(&corpus.tools);
    let folds = if examples == 0 { 1 } else { FOLDS };
    let mut sessions = Vec::new();
    for fold in 0..folds {
        let learned = corpus.examples(fold, examples).into_iter();
        let learned = learned.map(|(tool, queries)| (names[tool].clone(), queries));
        sessions.push(session(&corpus.tools, &names, learned.collect())?);
    }
    let places: HashMap<String, usize> = names.into_iter().zip(0..).collect();
    let built = Some(built(&sessions[0], &places));
    let search = move |query: &Query, limit: usize| {
        let session = &sessions[query.fold % folds];
        let found = searched(session, &query.text, limit).into_iter();
        found
            .filter_map(|tool| places.get(tool.name()).copied())
            .collect()
    };
    Ok(Method {
        name: "chatluna-tool",
        search: Box::new(search),
        built,
    })
}

/// A name for each tool that the runtime takes.
fn names(tools: &[Tool]) -> Vec<String> {
    let mut taken = HashSet::from(BUILT_IN.map(str::to_owned));
    let mut names = Vec::new();
    for tool in tools {
        let name = free(legal(&tool.name), &taken);
        taken.insert(name.clone());
        names.push(name);
    }
    names
}

fn session(
    tools: &[Tool],
    names: &[String],
    learned: BTreeMap<String, Vec<String>>,
) -> Result<Session, BuildError> {
    let mut builder = Runtime::builder()
        .tool_mode(ToolMode::Search)
        .learned(learned);
    for (tool, name) in tools.iter().zip(names) {
        builder = builder.tool(FnTool::new(definition(tool, name), |_: Value, _| async {}));
    }
    Ok(builder.build()?.session(SessionInfo::new("retrieval")))
}

fn definition(tool: &Tool, name: &str) -> ToolDefinition {
    let definition = ToolDefinition::new(name, tool.description.clone())
        .arguments_schema(schema(&tool.parameters))
        .traits(Traits::new().effect(Effect::Read));
    let is_whole = tool.name.is_ascii() && tool.name.len() <= MAX_NAME_BYTES;
    let end = tool.name.floor_char_boundary(MAX_KEYWORD_BYTES);
    let lost = (!is_whole).then(|| tool.name[..end].to_owned());
    definition.with_keywords(lost)
}

/// An object, as the runtime wants it.
fn schema(parameters: &Value) -> Value {
    let mut schema = parameters.clone();
    if !schema.is_object() {
        schema = json!({});
    }
    schema["type"] = "object".into();
    schema
}

/// The name that comes nearest of those that providers accept. It gets no `__`, which means a server.
fn legal(name: &str) -> String {
    let is_legal = |letter: char| letter.is_ascii_alphanumeric() || matches!(letter, '_' | '-');
    let letters = name.chars().map(|letter| match is_legal(letter) {
        true => letter,
        false => '-',
    });
    letters.take(MAX_NAME_BYTES).collect()
}

/// The name, or one that begins like it and is nobody's yet.
fn free(name: String, taken: &HashSet<String>) -> String {
    let others = (2..).map(|number| {
        let end = format!("-{number}");
        let kept = name.len().min(MAX_NAME_BYTES - end.len());
        format!("{}{end}", &name[..kept])
    });
    let mut names = std::iter::once(name.clone()).chain(others);
    names.find(|name| !taken.contains(name)).unwrap_or(name)
}

/// Without retrievers a search has nothing to wait for.
fn searched(session: &Session, query: &str, limit: usize) -> Vec<ToolDefinition> {
    let found = session.search(query, limit).now_or_never();
    found.unwrap_or_default()
}

/// The first search makes the index.
fn built(session: &Session, places: &HashMap<String, usize>) -> Built {
    let mut tokens = vec![0; places.len()];
    for tool in session.deferred_definitions() {
        if let Some(&place) = places.get(tool.name()) {
            tokens[place] = tool.tokens();
        }
    }
    let resident = session.definitions();
    let before = MEMORY.allocated();
    let start = Instant::now();
    searched(session, "index", LIMIT);
    Built {
        milliseconds: start.elapsed().as_secs_f64() * 1e3,
        mebibytes: MEMORY.allocated().saturating_sub(before) as f64 / f64::from(1 << 20),
        tokens,
        tokens_resident: resident.iter().map(ToolDefinition::tokens).sum(),
    }
}

#[cfg(test)]
mod tests {
    use super::{BUILT_IN, free, legal};
    use std::collections::HashSet;

    #[test]
    fn any_name_becomes_one_that_is_legal_and_free() {
        let mut taken = HashSet::from(BUILT_IN.map(str::to_owned));
        let long = "x".repeat(70);
        for (name, mapped) in [
            ("math.hypot", "math-hypot"),
            ("math hypot", "math-hypot-2"),
            ("文案", "--"),
            ("tool_search", "tool_search-2"),
            (&long, &"x".repeat(64)),
            (&long, &format!("{}-2", "x".repeat(62))),
        ] {
            let name = free(legal(name), &taken);
            assert_eq!(name, mapped);
            taken.insert(name);
        }
    }
}
