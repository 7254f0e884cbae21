//! Finding tools by words: what they are called, what they do, what they take.
//!
//! A search is lexical: it needs no model, and knows no word that no tool has. Each field of a tool
//! counts in its own measure (BM25F), a query of several clauses also by its best clause, and a tool
//! whose name is written in the query comes first.

mod fields;
mod index;
mod language;
mod stem;
mod stop_words;
mod tokenize;

pub(crate) use index::Index;
pub(crate) use language::{language_of, languages};
