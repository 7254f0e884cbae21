//! `tool_search`: how a model finds the tools that it is not told of.

mod answer;
mod found;
mod summary;

pub(crate) use answer::written;
pub(crate) use found::Found;

use super::Builtin;
use crate::context::CallContext;
use crate::definition::ToolDefinition;
use crate::error::{ErrorKind, ToolError};
use crate::fn_tool::FnTool;
use crate::output::ToolOutput;
use crate::session::View;
use crate::tool::{Effect, Traits};
use answer::Answer;
use futures_util::future::{Either, select};
use schemars::JsonSchema;
use serde::{Deserialize, Deserializer};
use serde_json::Value;
use std::pin::pin;

/// The most queries of one call that are looked at.
const MAX_QUERIES: usize = 10;

/// How many tools a query finds when the call does not say.
const DEFAULT_LIMIT: usize = 5;

/// The most tools that a query may find.
const MAX_LIMIT: usize = 20;

// Whatever a model writes here is answered: nothing in it is worth an error.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct ToolSearch {
    /// What you need, one capability a query, such as "send an email"; `select:NAME,NAME` loads tools
    /// by name
    #[serde(alias = "query", default, deserialize_with = "one_or_many")]
    #[schemars(with = "Vec<String>")]
    queries: Vec<String>,
    /// The most tools a query finds, from 1 to 20; 5 if absent
    #[serde(default)]
    #[schemars(with = "Option<u32>")]
    limit: Value,
}

/// A lone text is a list of one.
fn one_or_many<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<String>, D::Error> {
    #[derive(Deserialize)]
    #[serde(untagged)]
    enum Queries {
        One(String),
        Many(Vec<String>),
    }
    Ok(match Option::deserialize(deserializer)? {
        None => Vec::new(),
        Some(Queries::One(query)) => vec![query],
        Some(Queries::Many(queries)) => queries,
    })
}

impl ToolSearch {
    /// The limit, and whether it is another one than the model wrote.
    fn limit(&self) -> (usize, bool) {
        let wanted = match &self.limit {
            Value::Null => return (DEFAULT_LIMIT, false),
            Value::String(text) => text.trim().parse().ok(),
            limit => limit.as_f64(),
        };
        let Some(wanted) = wanted.filter(|wanted: &f64| !wanted.is_nan()) else {
            return (DEFAULT_LIMIT, true);
        };
        // A float that is out of range becomes the nearest that is in it.
        let limit = (wanted as usize).clamp(1, MAX_LIMIT);
        (limit, limit as f64 != wanted)
    }
}

pub(super) fn tool() -> Builtin {
    let definition = ToolDefinition::new(super::SEARCH, summary::HEAD).traits(
        Traits::new()
            .parallel()
            .effect(Effect::Read)
            .output_cap(Traits::NO_OUTPUT_CAP),
    );
    let can_search = |view: &View<'_>| view.can_search();
    Builtin::new(FnTool::new(definition, tool_search), can_search)
}

/// The definition with what there is to find in this session.
pub(crate) fn described(view: &View<'_>, definition: &ToolDefinition) -> ToolDefinition {
    definition.with_description(summary::of(view))
}

async fn tool_search(wanted: ToolSearch, call: CallContext) -> Result<ToolOutput, ToolError> {
    let session = call.session_handle();
    let (limit, is_adjusted) = wanted.limit();
    let mut queries = wanted.queries;
    let ignored = queries.len().saturating_sub(MAX_QUERIES);
    queries.truncate(MAX_QUERIES);
    let ranked = pin!(session.rankings(queries, limit));
    let rankings = match select(ranked, pin!(call.cancelled())).await {
        Either::Left((rankings, _)) => rankings,
        Either::Right(_) => return Err(cancelled()),
    };
    session.note_search(&rankings);
    let mut answer = Answer::new(session, &rankings);
    if is_adjusted {
        answer.note(format_args!(
            "`limit` is a number from 1 to {MAX_LIMIT}; {limit} was taken"
        ));
    }
    if ignored > 0 {
        answer.note(format_args!(
            "only the first {MAX_QUERIES} queries were looked at; search again for the others"
        ));
    }
    Ok(answer.output())
}

fn cancelled() -> ToolError {
    let text = "the search was cancelled; nothing was loaded";
    ToolError::of_kind(ErrorKind::Cancelled, text)
}

#[cfg(test)]
mod tests {
    use super::{DEFAULT_LIMIT, MAX_LIMIT, ToolSearch};
    use serde_json::{Value, json};

    fn read(arguments: Value) -> Result<ToolSearch, serde_json::Error> {
        serde_json::from_value(arguments)
    }

    #[test]
    fn any_limit_is_one() -> Result<(), serde_json::Error> {
        let limits = [
            (json!(null), DEFAULT_LIMIT, false),
            (json!(7), 7, false),
            (json!("7"), 7, false),
            (json!(0), 1, true),
            (json!(-3), 1, true),
            (json!(10_000), MAX_LIMIT, true),
            (json!(2.5), 2, true),
            (json!("many"), DEFAULT_LIMIT, true),
            (json!([]), DEFAULT_LIMIT, true),
        ];
        for (limit, read_as, is_adjusted) in limits {
            let wanted = read(json!({"queries": ["x"], "limit": limit}))?;
            assert_eq!(wanted.limit(), (read_as, is_adjusted), "{limit}");
        }
        Ok(())
    }

    #[test]
    fn a_lone_query_is_a_list_of_one() -> Result<(), serde_json::Error> {
        for arguments in [
            json!({"queries": "mail"}),
            json!({"query": "mail"}),
            json!({"query": ["mail"]}),
        ] {
            assert_eq!(read(arguments)?.queries, ["mail"]);
        }
        assert!(read(json!({}))?.queries.is_empty());
        assert!(read(json!({"queries": null}))?.queries.is_empty());
        Ok(())
    }
}
