//! What can be wrong with a tool and only shows when its types and examples are tried.

use crate::arguments::{Arguments, Details, Parameter};
use crate::build_error::Fault;
use crate::definition::ToolDefinition;
use crate::guard::{Panicked, guard};
use crate::linked::linked;
use crate::narrowing::Candidate;
use crate::registry::LinkedTool;
use crate::tool::Tool;
use serde_json::Value;
use std::fmt::Display;
use std::sync::Arc;

/// Checks every tool that is linked into the program: that its schema can be made, that
/// constraints fit the types they are on, and that examples and literal defaults are accepted.
///
/// Nothing is run and no state is needed. One test of a program is enough:
///
/// ```standalone_crate
/// use chatluna_tool::tool;
///
/// /// Adds two numbers
/// #[tool(traits(effect = "read"))]
/// async fn add(a: i64, b: i64) -> i64 {
///     a + b
/// }
///
/// # /*
/// #[test]
/// # */
/// fn all_tools_are_sound() {
///     chatluna_tool::testing::check_all();
/// }
/// # fn main() { all_tools_are_sound() }
/// ```
///
/// # Panics
/// When something is wrong, with all of it, tool by tool.
pub fn check_all() {
    let mut tools: Vec<Candidate> = linked().map(Candidate::new).collect();
    tools.sort_by(|left, right| {
        let names = left.name.as_str().cmp(right.name.as_str());
        names.then_with(|| left.registration.origin.cmp(&right.registration.origin))
    });
    let faults: Vec<String> = tools.into_iter().flat_map(faults).collect();
    let lines = faults.iter().zip(1..);
    let lines: String = lines
        .map(|(fault, number)| format!("\n  {number}. {fault}"))
        .collect();
    assert!(faults.is_empty(), "the linked tools have faults:{lines}");
}

fn faults(Candidate { name, registration }: Candidate) -> Vec<String> {
    let mut unsound = Vec::new();
    let tool = Arc::new(LinkedTool::new(registration, name, &mut unsound));
    let definition = tool.definition();
    let mut faults: Vec<String> = unsound.iter().map(Fault::to_string).collect();
    faults.extend(definition.schema_panic().map(|panicked| {
        let fault = Found {
            tool: definition,
            what: "the schema".to_owned(),
        };
        fault.because(format_args!("it panicked: {panicked}"))
    }));
    let examples = registration.examples.iter();
    faults.extend(examples.filter_map(|example| of_example(&tool, example)));
    for (index, row) in registration.parameters.iter().enumerate() {
        if let Some(details) = row.details {
            faults.extend(of_details(&tool, index, row, details));
        }
    }
    faults
}

/// Something of a tool that was tried.
struct Found<'tool> {
    tool: &'tool ToolDefinition,
    what: String,
}

impl Found<'_> {
    fn because(&self, why: impl Display) -> String {
        let Self { tool, what } = self;
        let place = tool.origin();
        let place = place.map(|place| format!(": {place}")).unwrap_or_default();
        let why = why.to_string().replace('\n', "\n      ");
        format!("{what} of `{}` fails{place}\n      {why}", tool.name())
    }

    fn judged<E: Display>(&self, tried: Result<Result<(), E>, Panicked>) -> Option<String> {
        match tried {
            Ok(Ok(())) => None,
            Ok(Err(why)) => Some(self.because(why)),
            Err(panicked) => Some(self.because(format_args!("it panicked: {panicked}"))),
        }
    }
}

/// An example of a whole call.
fn of_example(tool: &Arc<LinkedTool>, example: &str) -> Option<String> {
    let found = Found {
        tool: tool.definition(),
        what: format!("the example `{example}`"),
    };
    if let Err(error) = serde_json::from_str::<Value>(example) {
        return Some(found.because(format_args!("it is not JSON: {error}")));
    }
    let prepare = || Arc::clone(tool).prepare(&example.into()).map(drop);
    found.judged(guard(prepare))
}

/// The examples and the default of one argument.
fn of_details(tool: &LinkedTool, index: usize, row: &Parameter, details: &Details) -> Vec<String> {
    let found = |what| Found {
        tool: tool.definition(),
        what: format!("{what} of the argument `{}`", row.name),
    };
    let nothing = Arguments::default();
    let input = tool.input(&nothing);
    let examples = details.examples.iter().enumerate();
    let examples = examples.filter_map(|(number, example)| {
        let tried = guard(|| input.accepts(index, &example()));
        found(format!("example {}", number + 1)).judged(tried)
    });
    let default = details.default.and_then(|default| {
        let kept = input.keeps(index, &default.to_json());
        found("the default".to_owned()).judged(Ok(kept))
    });
    examples.chain(default).collect()
}
