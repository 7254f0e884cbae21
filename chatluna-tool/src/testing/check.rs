//! One test for all linked tools.

use super::sound::unsound;
use crate::build_error::Fault;
use crate::linked::linked;
use crate::narrowing::Candidate;
use crate::registry::LinkedTool;
use crate::tool::Tool;
use std::sync::Arc;

/// Checks every tool that is linked into the program: that it is described, that its schema can be
/// made and each `$ref` in it leads somewhere, that constraints fit the types they are on, and that
/// examples and literal defaults are accepted.
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
    let mut faults = Vec::new();
    let tool: Arc<dyn Tool> = Arc::new(LinkedTool::new(registration, name, &mut faults));
    let mut faults: Vec<String> = faults.iter().map(Fault::to_string).collect();
    faults.extend(unsound(&tool));
    faults
}
