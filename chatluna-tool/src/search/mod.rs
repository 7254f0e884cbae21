//! Finding tools by words: what they are called, what they do, what they take.
//!
//! A search is lexical: it needs no model, and knows no word that neither a tool nor the short list of
//! related words has. Each field of a tool counts in its own measure (BM25F); beside the stems of words
//! count words as they are written, and stems that stand together; a query of several clauses counts by
//! its best clause too, and a tool gains whose name is written in the query. Queries that led to a tool
//! count beside what it says of itself, where a program wants that. A program that has embeddings
//! brings a [`Retriever`], whose ranking is fused with that of the words.

mod fields;
mod fusion;
mod index;
mod language;
mod learned;
mod lists;
mod query;
mod related;
mod retriever;
mod stem;
mod stop_words;
mod tokenize;
mod vocabulary;
mod weights;

pub(crate) use fusion::fused;
pub(crate) use index::{Index, MANY_TOOLS, best};
pub(crate) use language::{language_of, languages};
pub(crate) use learned::Learned;
pub(crate) use query::with_words;
pub use retriever::{RETRIEVER_TIMEOUT, Retriever};
