//! What a schema loses on its way to a provider.

use std::collections::HashSet;
use std::fmt;

/// One thing that a provider's dialect cannot say as the schema says it. `Display` is one line.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct Loss {
    /// The JSON pointer into the schema of the arguments; empty for its root.
    pub pointer: String,
    /// The keyword there.
    pub keyword: String,
    /// What was done about it.
    pub action: LossAction,
}

/// What was done about a keyword that a dialect does not take.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum LossAction {
    /// It is gone; the model is not told.
    Dropped,
    /// It is said in words.
    Described,
    /// The model may send more than the tool takes.
    Widened,
    /// The model may send less than the tool takes.
    Narrowed,
    /// A map travels as an array of `{key, value}`.
    Listed,
    /// A reference was replaced by what it refers to.
    Inlined,
    /// What goes on without end, or over a limit, ends here.
    Cut,
    /// A property travels under another name.
    #[non_exhaustive]
    Renamed {
        /// The name that the model sees.
        to: String,
    },
    /// It has no place in a strict schema; the tool is sent without `strict`.
    NotStrict,
}

impl LossAction {
    /// Whether a value that fits the lowered schema may break the keyword.
    pub(super) fn loosens(&self) -> bool {
        matches!(
            self,
            Self::Dropped | Self::Described | Self::Widened | Self::Cut
        )
    }
}

impl fmt::Display for Loss {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let place = Some(&*self.pointer).filter(|pointer| !pointer.is_empty());
        let place = place.unwrap_or("the root");
        write!(f, "{place}: `{}` {}", self.keyword, self.action)
    }
}

impl fmt::Display for LossAction {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Dropped => "dropped",
            Self::Described => "moved to the description",
            Self::Widened => "widened",
            Self::Narrowed => "narrowed",
            Self::Listed => "as an array of keys and values",
            Self::Inlined => "inlined",
            Self::Cut => "cut short",
            Self::Renamed { to } => return write!(f, "renamed to `{to}`"),
            Self::NotStrict => "not possible in a strict schema; sent without `strict`",
        })
    }
}

/// Losses in the order in which they were met, each once.
#[derive(Debug, Default)]
pub(super) struct Losses {
    met: HashSet<Loss>,
    in_order: Vec<Loss>,
}

impl Losses {
    pub(super) fn add(&mut self, pointer: &str, keyword: &str, action: LossAction) {
        let loss = Loss {
            pointer: pointer.to_owned(),
            keyword: keyword.to_owned(),
            action,
        };
        // What a reference is replaced by is met once for each place.
        if self.met.insert(loss.clone()) {
            self.in_order.push(loss);
        }
    }

    pub(super) fn into_vec(self) -> Vec<Loss> {
        self.in_order
    }
}
