//! Who ranks tools otherwise than by words.

use crate::BoxFuture;
use crate::definition::ToolDefinition;
use std::error::Error;
use std::sync::Arc;
use std::time::Duration;

/// How long a [`Retriever`] may take for one query: 5 s.
pub const RETRIEVER_TIMEOUT: Duration = Duration::from_secs(5);

/// Ranks tools by more than their words: by the embeddings of a model that the program brings.
///
/// Its ranking is fused with that of the search by words, and with those of other retrievers, by
/// reciprocal rank: what is at place n of a ranking gains 1 / (60 + n) by it. What gains the same stands
/// in the order of the search by words, then by name. A tool whose name is the whole query comes first
/// whatever a retriever says.
///
/// All retrievers are asked at once, for all queries of a `tool_search` at once. One that fails, panics
/// or takes longer than [`RETRIEVER_TIMEOUT`] is logged as a warning and left out of that search: the
/// words serve. The future is dropped then, as it is when the call is cancelled or the search is
/// dropped. It must not block the thread: put long work on one of its own. Outside a tokio runtime with
/// a timer only an answer that is there at the first poll counts.
///
/// ```
/// use chatluna_tool::{BoxFuture, Retriever, Runtime, SessionInfo, ToolDefinition, tool, tools};
/// use std::collections::HashMap;
/// use std::error::Error;
/// use std::sync::{Mutex, PoisonError};
///
/// /// How much of a text is about the weather, and how much about letters. A model would say.
/// fn embed(text: &str) -> [f32; 2] {
///     let about = |words: &[&str]| words.iter().filter(|word| text.contains(**word)).count() as f32;
///     [about(&["weather", "rain", "umbrella"]), about(&["letter", "message", "stamp"])]
/// }
///
/// #[derive(Default)]
/// struct ByMeaning {
///     /// By name and description: tools come and go, and may change what they say.
///     known: Mutex<HashMap<(String, String), [f32; 2]>>,
/// }
///
/// impl ByMeaning {
///     fn of(&self, tool: &ToolDefinition) -> [f32; 2] {
///         let mut known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
///         let key = (tool.name().to_owned(), tool.description().to_owned());
///         *known.entry(key).or_insert_with(|| embed(tool.description()))
///     }
/// }
///
/// impl Retriever for ByMeaning {
///     fn retrieve<'a>(
///         &'a self,
///         query: &'a str,
///         tools: &'a [ToolDefinition],
///         limit: usize,
///     ) -> BoxFuture<'a, Result<Vec<String>, Box<dyn Error + Send + Sync>>> {
///         Box::pin(async move {
///             let [x, y] = embed(query);
///             let near = |tool| { let [a, b] = self.of(tool); a * x + b * y };
///             let mut near: Vec<_> = tools.iter().map(|tool| (near(tool), tool.name())).collect();
///             near.retain(|(near, _)| *near > 0.0);
///             near.sort_by(|left, right| right.0.total_cmp(&left.0));
///             Ok(near.into_iter().take(limit).map(|(_, name)| name.to_owned()).collect())
///         })
///     }
/// }
///
/// /// Tells the weather of a city
/// #[tool(traits(effect = "read"))]
/// async fn forecast(city: &str) {}
///
/// /// Sends a message
/// #[tool(traits(effect = "read"))]
/// async fn mail(text: &str) {}
///
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), chatluna_tool::BuildError> {
/// let builder = Runtime::builder().tools(tools![forecast, mail]);
/// let runtime = builder.retriever(ByMeaning::default()).build()?;
/// let session = runtime.session(SessionInfo::new("s"));
/// let found = session.search("will I need an umbrella?", 5).await;
/// assert_eq!(found[0].name(), "forecast"); // which has no word of the query
/// # Ok(())
/// # }
/// ```
pub trait Retriever: Send + Sync + 'static {
    /// The names of the tools that fit a query, best first, at most `limit`: 50, or as many as the
    /// search may find where that is more.
    ///
    /// `query` is what the model wrote, up to 8,000 bytes of it; it has a word in it, and is no
    /// `select:`. `tools` are those that the session sees and whose calls its policy would not refuse,
    /// sorted by name; there is one at least. Names of no tool among them, names that were there before
    /// and what is over the limit are passed over, so that nothing hidden is found.
    ///
    /// # Errors
    /// When there is no ranking. The error is logged; the model does not read it.
    fn retrieve<'a>(
        &'a self,
        query: &'a str,
        tools: &'a [ToolDefinition],
        limit: usize,
    ) -> BoxFuture<'a, Result<Vec<String>, Box<dyn Error + Send + Sync>>>;

    /// What the log calls it.
    fn name(&self) -> &str {
        "retriever"
    }
}

impl<R: Retriever + ?Sized> Retriever for Arc<R> {
    fn retrieve<'a>(
        &'a self,
        query: &'a str,
        tools: &'a [ToolDefinition],
        limit: usize,
    ) -> BoxFuture<'a, Result<Vec<String>, Box<dyn Error + Send + Sync>>> {
        (**self).retrieve(query, tools, limit)
    }

    fn name(&self) -> &str {
        (**self).name()
    }
}
