//! What holds where no rule matches.

use super::{Risk, Verdict};
use crate::tool::Effect;

/// What holds where no rule matches: a verdict for each effect.
///
/// | mode | read | write | exec |
/// |---|---|---|---|
/// | `read-only` | allow | deny | deny |
/// | `files` | allow | allow | deny |
/// | `guarded` | allow | ask | ask |
/// | `auto` | ask | ask | ask |
/// | `allow` | allow | allow | allow |
///
/// What a mode allows and the tool calls [`Risk::Dangerous`] is asked about. Where both the policy
/// and the session have a mode, the stricter verdict holds.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, Hash, serde::Serialize, serde::Deserialize,
)]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub enum PermissionMode {
    /// Tools that read run, all others are refused.
    ReadOnly,
    /// Tools that read or write run, those that execute are refused.
    Files,
    /// Tools that read run, all others are asked about.
    #[default]
    Guarded,
    /// Every call is asked about.
    Auto,
    /// Every call runs.
    Allow,
}

impl PermissionMode {
    /// All modes, in the order of the table.
    pub const ALL: [Self; 5] = [
        Self::ReadOnly,
        Self::Files,
        Self::Guarded,
        Self::Auto,
        Self::Allow,
    ];

    /// The name: `read-only`.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::ReadOnly => "read-only",
            Self::Files => "files",
            Self::Guarded => "guarded",
            Self::Auto => "auto",
            Self::Allow => "allow",
        }
    }

    /// What it says of a call, and why in words.
    #[inline]
    pub(super) fn judge(self, effect: Effect, risk: Risk) -> (Verdict, &'static str) {
        let (verdict, words) = self.by_effect(effect);
        if verdict == Verdict::Allow && risk == Risk::Dangerous {
            return (
                Verdict::Ask,
                "the tool calls it dangerous and no rule covers it",
            );
        }
        (verdict, words)
    }

    fn by_effect(self, effect: Effect) -> (Verdict, &'static str) {
        match (self, effect) {
            (Self::Auto, _) => (
                Verdict::Ask,
                "the permission mode is `auto` and no rule covers it",
            ),
            (Self::Allow, _) => (Verdict::Allow, "the policy allows all"),
            (_, Effect::Read) => (Verdict::Allow, "the tool only reads"),
            (Self::Files, Effect::Write) => (
                Verdict::Allow,
                "the permission mode is `files` and the tool only writes",
            ),
            (Self::ReadOnly, Effect::Write) => (
                Verdict::Deny,
                "the permission mode is `read-only` and the tool writes",
            ),
            (Self::ReadOnly, Effect::Exec) => (
                Verdict::Deny,
                "the permission mode is `read-only` and the tool executes",
            ),
            (Self::Files, Effect::Exec) => (
                Verdict::Deny,
                "the permission mode is `files` and the tool executes",
            ),
            (Self::Guarded, Effect::Write) => {
                (Verdict::Ask, "the tool writes and no rule covers it")
            }
            (Self::Guarded, Effect::Exec) => {
                (Verdict::Ask, "the tool executes and no rule covers it")
            }
        }
    }
}
