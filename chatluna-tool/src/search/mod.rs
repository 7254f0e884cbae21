//! Finding tools by words: what they are called, what they do, what they take.
//!
//! A search is lexical: it needs no model, and knows no word that no tool has. Each field of a tool
//! counts in its own measure (BM25F), a query of several clauses also by its best clause, and a tool
//! whose name is written in the query comes first. A program that has embeddings brings a [`Retriever`],
//! whose ranking is fused with that of the words.

mod fields;
mod fusion;
mod index;
mod language;
mod retriever;
mod stem;
mod stop_words;
mod tokenize;

pub(crate) use fusion::fused;
pub(crate) use index::{Index, with_words};
pub(crate) use language::{language_of, languages};
pub use retriever::{RETRIEVER_TIMEOUT, Retriever};
