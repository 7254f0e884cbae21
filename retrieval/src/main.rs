//! How well a search finds the tools that a query needs.
//!
//! `cargo run --release --bin retrieval -- DIR` reads `NAME.tools.jsonl` and `NAME.dev.jsonl` of every
//! NAME in DIR and prints a table of marks. CONTRIBUTING.md has the format.

mod corpus;
mod figures;
mod methods;
mod options;
mod ours;
mod report;

use cap::Cap;
use corpus::Corpus;
use methods::Method;
use options::Options;
use report::Row;
use std::alloc::System;
use std::error::Error;
use std::process::ExitCode;

/// Counts what is allocated and not freed.
#[global_allocator]
static MEMORY: Cap<System> = Cap::new(System, usize::MAX);

fn main() -> ExitCode {
    let options = match Options::read(std::env::args().skip(1)) {
        Ok(options) => options,
        Err(error) => {
            eprintln!("error: {error}\n\n{}", options::USAGE);
            return ExitCode::from(2);
        }
    };
    match run(&options) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::FAILURE
        }
    }
}

fn run(options: &Options) -> Result<(), Box<dyn Error>> {
    let names = corpus::names(&options.folder, &options.split)?;
    if names.is_empty() {
        let (folder, split) = (options.folder.display(), &options.split);
        eprintln!(
            "nothing to measure: no NAME.tools.jsonl beside a NAME.{split}.jsonl in `{folder}`"
        );
    }
    let mut rows = Vec::new();
    for name in names {
        let corpus = Corpus::read(&options.folder, &name, &options.split)?;
        for method in methods(&corpus, options)? {
            rows.push(Row::of(&corpus, &method));
        }
    }
    match options.json {
        true => report::json(&rows),
        false => report::table(&rows),
    }
}

/// Ours, and beside it what others do.
fn methods(corpus: &Corpus, options: &Options) -> Result<Vec<Method>, Box<dyn Error>> {
    let mut methods = vec![ours::method(&corpus.tools)?];
    if !options.json {
        methods.extend([
            methods::any_word(&corpus.tools),
            methods::plain_bm25(&corpus.tools),
        ]);
    }
    Ok(methods)
}
