//! Every shape of argument: the schema it gets, what the schema and the tool take, and what both
//! refuse. `arguments.txt`, `roots.txt` and `outputs.txt` hold all of it.
//!
//! `CHATLUNA_GOLDEN=overwrite` writes the files anew; the difference is then to be read like code.

mod arguments;
mod faults;
mod order;
mod outputs;
#[path = "../dialects/faults/mod.rs"]
mod refused;
mod roots;
mod types;

use chatluna_tool::provider::{Dialect, lower};
use chatluna_tool::{Session, ToolDefinition};
use serde_json::Value;
use std::error::Error;
use std::fmt::Write;
use std::path::Path;

type Tested = Result<(), Box<dyn Error>>;

/// Compares with a file beside this one.
fn golden(name: &str, actual: &str) -> Tested {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("shapes");
    let path = folder.join(name);
    if std::env::var_os("CHATLUNA_GOLDEN").is_some_and(|value| value == "overwrite") {
        std::fs::write(&path, actual)?;
    }
    let expected = std::fs::read_to_string(&path)?;
    let lines = || actual.lines().zip(expected.lines());
    if let Some((line, (actual, expected))) = (1..).zip(lines()).find(|(_, (a, b))| a != b) {
        panic!("{name}:{line}\nactual:   {actual}\nexpected: {expected}");
    }
    assert_eq!(
        actual.len(),
        expected.len(),
        "{name} has more or fewer lines"
    );
    Ok(())
}

/// Calls, and what they should come to.
struct Calls {
    taken: Vec<String>,
    refused: Vec<String>,
}

/// The text of a golden file, and the faults that no golden file excuses.
#[derive(Default)]
struct Judged {
    text: String,
    faults: Vec<String>,
}

impl Judged {
    /// Looks through the schema of a tool, and calls the tool.
    async fn judge(&mut self, session: &Session, tool: &ToolDefinition, calls: Calls) -> Tested {
        let name = tool.name();
        let schema = tool.parameters();
        let found = faults::faults(schema).into_iter().chain(refusals(schema));
        self.faults
            .extend(found.map(|fault| format!("{name}: {fault}")));
        let options = jsonschema::options().should_validate_formats(true);
        let oracle = options.build(schema)?;
        let taken = calls.taken.iter().map(|each| (each, true));
        for (arguments, is_taken) in taken.chain(calls.refused.iter().map(|each| (each, false))) {
            let result = session.call(name, arguments.as_str()).await;
            let text = result.text();
            let shown = text.replace('\n', "\n      ");
            writeln!(self.text, "  {arguments}\n    {shown}")?;
            let is_repaired = !result.repairs().is_empty();
            if result.error().is_none() != is_taken || is_repaired {
                self.faults.push(format!("{name}: {arguments}: {text}"));
            }
            let value: Value = serde_json::from_str(arguments)?;
            if oracle.is_valid(&value) != is_taken {
                let fault = format!("{name}: jsonschema on {arguments}: {}", !is_taken);
                self.faults.push(fault);
            }
        }
        self.text.push('\n');
        Ok(())
    }

    fn done(self, name: &str) -> Tested {
        golden(name, &self.text)?;
        assert!(self.faults.is_empty(), "{}", self.faults.join("\n"));
        Ok(())
    }
}

/// What each provider refuses of what is sent to it.
fn refusals(schema: &Value) -> Vec<String> {
    let of_dialect = |dialect: Dialect| {
        let lowered = lower(schema, dialect);
        let spoken = match dialect {
            Dialect::OpenAiStrict if !lowered.strict => Dialect::OpenAi,
            Dialect::AnthropicStrict if !lowered.strict => Dialect::Anthropic,
            dialect => dialect,
        };
        let refused = refused::faults(&lowered.schema, spoken).into_iter();
        refused.map(move |fault| format!("{dialect} refuses: {fault}"))
    };
    Dialect::ALL.iter().copied().flat_map(of_dialect).collect()
}
