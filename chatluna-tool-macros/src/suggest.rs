//! What an unknown key was probably meant to be.

/// The keys of an attribute, and what to write for words of other systems.
pub(crate) struct Vocabulary {
    /// What a known word is.
    pub(crate) place: &'static str,
    pub(crate) known: &'static [&'static str],
    /// In lower case and without `_`, with the end of a sentence.
    foreign: &'static [(&'static str, &'static str)],
}

/// `#[tool(..)]`. The foreign words include traits outside of `traits(..)`.
pub(crate) const TOOL: Vocabulary = Vocabulary {
    place: "key of `#[tool]`",
    known: &[
        "args",
        "crate",
        "description",
        "example",
        "keywords",
        "mode",
        "name",
        "permission",
        "prefix",
        "title",
        "traits",
        "visibility",
    ],
    foreign: FOREIGN,
};

/// `traits(..)`.
pub(crate) const TRAITS: Vocabulary = Vocabulary {
    place: "trait",
    known: &[
        "background",
        "deferred",
        "effect",
        "key",
        "output_cap",
        "parallel",
        "timeout",
    ],
    foreign: FOREIGN,
};

/// `#[toolset(..)]`.
pub(crate) const TOOLSET: Vocabulary = Vocabulary {
    place: "key of `#[toolset]`",
    known: &["crate", "keywords", "mode", "prefix", "traits"],
    foreign: FOREIGN,
};

/// What stands behind `mode =`.
pub(crate) const MODES: Vocabulary = Vocabulary {
    place: "mode",
    known: &["direct", "search"],
    foreign: &[
        ("always", "`direct`"),
        ("defer", "`search`"),
        ("deferred", "`search`"),
        ("eager", "`direct`"),
        ("lazy", "`search`"),
        ("ondemand", "`search`"),
        ("resident", "`direct`"),
    ],
};

/// `#[arg(..)]`.
pub(crate) const ARG: Vocabulary = Vocabulary {
    place: "key of `#[arg]`",
    known: &[
        "default",
        "description",
        "example",
        "flatten",
        "length",
        "multiline",
        "pattern",
        "range",
        "rename",
        "secret",
    ],
    foreign: &[
        ("alias", "`#[serde(alias = \"..\")]`"),
        ("choices", "an enum with `#[tool_type]` as the type"),
        ("doc", "`description`"),
        ("deserializewith", "`#[serde(deserialize_with = \"..\")]`"),
        ("enum", "an enum with `#[tool_type]` as the type"),
        ("examples", "`example = ..` once for each"),
        ("help", "`description`"),
        ("max", "`range(..=MAX)`"),
        ("maximum", "`range(..=MAX)`"),
        ("maxitems", "`length(..=MAX)`"),
        ("maxlength", "`length(..=MAX)`"),
        ("min", "`range(MIN..)`"),
        ("minimum", "`range(MIN..)`"),
        ("minitems", "`length(MIN..)`"),
        ("minlength", "`length(MIN..)`"),
        ("name", "`rename`"),
        ("optional", "`default`, or an `Option<_>` as the type"),
        ("password", "`secret`"),
        ("regex", "`pattern`"),
        ("renameall", "`rename` on each argument"),
        (
            "required",
            "nothing: an argument without a default is required",
        ),
        ("schemawith", "`#[schemars(schema_with = \"..\")]`"),
        ("textarea", "`multiline`"),
        ("title", "`description`"),
        ("with", "`#[serde(with = \"..\")]`"),
    ],
};

/// `#[serde(..)]` on a parameter.
pub(crate) const SERDE: Vocabulary = Vocabulary {
    place: "key of `#[serde]` on a parameter",
    known: &["alias", "default", "deserialize_with", "rename", "with"],
    foreign: &[
        ("flatten", "`#[arg(flatten)]`"),
        ("renameall", "`rename` on each argument"),
        (
            "skip",
            "`&T` as the type: a reference is state of the program",
        ),
    ],
};

/// `#[schemars(..)]` on a parameter.
pub(crate) const SCHEMARS: Vocabulary = Vocabulary {
    place: "key of `#[schemars]` on a parameter",
    known: &["schema_with", "with"],
    foreign: &[
        ("description", "`#[arg(description = \"..\")]`"),
        ("example", "`#[arg(example = ..)]`"),
        ("length", "`#[arg(length(A..=B))]`"),
        ("range", "`#[arg(range(A..=B))]`"),
        ("regex", "`#[arg(pattern = \"..\")]`"),
        ("rename", "`#[arg(rename = \"..\")]`"),
    ],
};

/// Of `#[tool(..)]` and what it contains.
const FOREIGN: &[(&str, &str)] = &[
    ("annotations", "`traits(..)`"),
    ("alwaysload", "`mode = \"direct\"`"),
    ("background", "`traits(background = false)`"),
    ("defer", "`mode = \"search\"`"),
    ("deferloading", "`mode = \"search\"`"),
    ("deferred", "`mode = \"search\"`"),
    ("destructive", "`traits(effect = \"exec\")`"),
    ("destructivehint", "`traits(effect = \"exec\")`"),
    ("default", "`#[arg(default)]` on the parameter"),
    ("effect", "`traits(effect = \"read\")`"),
    ("examples", "`example = \"..\"` once for each"),
    ("execute", "what it does in the body of the function"),
    ("func", "what it does in the body of the function"),
    ("handler", "what it does in the body of the function"),
    ("inputschema", "the arguments as parameters of the function"),
    ("key", "`traits(key = ..)`"),
    ("keywords", "`keywords = [..]` beside `traits(..)`"),
    ("lazy", "`mode = \"search\"`"),
    ("maxbytes", "`traits(output_cap = 20_000)`"),
    ("maxoutput", "`traits(output_cap = 20_000)`"),
    ("mode", "`mode = \"search\"` beside `traits(..)`"),
    ("outputcap", "`traits(output_cap = 20_000)`"),
    ("parallel", "`traits(parallel)`"),
    ("parameters", "the arguments as parameters of the function"),
    ("readonly", "`traits(effect = \"read\")`"),
    ("readonlyhint", "`traits(effect = \"read\")`"),
    ("rename", "`name`"),
    ("run", "what it does in the body of the function"),
    ("samples", "`keywords = [..]`"),
    ("schema", "the arguments as parameters of the function"),
    ("search", "`mode = \"search\"`"),
    ("searchterms", "`keywords = [..]`"),
    ("synonyms", "`keywords = [..]`"),
    ("tags", "`keywords = [..]`"),
    ("timeout", "`traits(timeout = 30_000)`"),
    ("timeoutms", "`traits(timeout = 30_000)`"),
];

/// What to write for the word, as the end of a sentence.
pub(crate) fn instead_of(word: &str, words: &Vocabulary) -> Option<String> {
    let plain = word.replace('_', "").to_lowercase();
    let foreign = words.foreign.iter().find(|(foreign, _)| *foreign == plain);
    match foreign {
        Some((_, remedy)) => Some((*remedy).to_owned()),
        None => nearest(word, words.known).map(|near| format!("`{near}`")),
    }
}

/// The only candidate that begins with the word, else the one with the fewest edits.
fn nearest<'a>(word: &str, known: &[&'a str]) -> Option<&'a str> {
    let begun: Vec<&str> = known
        .iter()
        .copied()
        .filter(|name| name.starts_with(word))
        .collect();
    if let [only] = begun[..] {
        return Some(only);
    }
    let edits = known.iter().map(|name| (distance(word, name), *name));
    let close = edits.filter(|(edits, _)| *edits <= word.len().div_ceil(3));
    close.min_by_key(|(edits, _)| *edits).map(|(_, name)| name)
}

/// Levenshtein distance, one row at a time.
fn distance(left: &str, right: &str) -> usize {
    let mut row: Vec<usize> = (0..=left.len()).collect();
    for (above, letter) in right.bytes().enumerate() {
        let mut diagonal = above;
        row[0] = above + 1;
        for (index, other) in left.bytes().enumerate() {
            let replaced = diagonal + usize::from(other != letter);
            diagonal = row[index + 1];
            row[index + 1] = replaced.min(diagonal + 1).min(row[index] + 1);
        }
    }
    row[left.len()]
}

#[cfg(test)]
mod tests {
    use super::{TOOL, instead_of};

    #[test]
    fn typos_beginnings_and_foreign_words_find_their_key() {
        let instead = |word| instead_of(word, &TOOL);
        assert_eq!(instead("nmae").as_deref(), Some("`name`"));
        assert_eq!(instead("nam").as_deref(), Some("`name`"));
        assert_eq!(instead("desc").as_deref(), Some("`description`"));
        assert_eq!(instead("desciption").as_deref(), Some("`description`"));
        assert_eq!(
            instead("readOnlyHint").as_deref(),
            Some("`traits(effect = \"read\")`")
        );
        assert_eq!(instead("t").as_deref(), None);
    }
}
