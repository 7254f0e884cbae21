//! What every tool has to be, whether it is there from the start or comes later.

use crate::build_error::Fault;
use crate::builtin;
use crate::definition::ToolDefinition;
use crate::hints;
use crate::name::is_valid_name;
use crate::parameter_faults;
use crate::tool::{Effect, Tool};
use std::sync::Arc;

/// All of it, for tools that come while the program runs.
pub(crate) fn check(tools: &[Arc<dyn Tool>], has_policy: bool, faults: &mut Vec<Fault>) {
    let mut sorted = tools.to_vec();
    sorted.sort_by(|left, right| by_name(left.definition(), right.definition()));
    check_names(&sorted, faults);
    check_made_by_hand(&sorted, faults);
    if !has_policy {
        check_effects(&sorted, faults);
    }
}

/// Tools are sorted by name; of one name by place, so that errors do not depend on link order.
pub(crate) fn by_name(left: &ToolDefinition, right: &ToolDefinition) -> std::cmp::Ordering {
    let names = left.name().cmp(right.name());
    names.then_with(|| left.origin().cmp(&right.origin()))
}

pub(crate) fn check_names(tools: &[Arc<dyn Tool>], faults: &mut Vec<Fault>) {
    for alike in tools.chunk_by(|left, right| left.definition().name() == right.definition().name())
    {
        let first = alike[0].definition();
        let name = first.name();
        if !is_valid_name(name) {
            faults.push(Fault::InvalidName {
                name: name.to_owned(),
            });
        }
        if builtin::NAMES.contains(&name) {
            faults.push(Fault::ReservedName {
                name: name.to_owned(),
                place: first.origin(),
            });
        }
        if alike.len() > 1 {
            let definitions: Vec<_> = alike.iter().map(|tool| tool.definition()).collect();
            faults.push(Fault::duplicate(&definitions));
        }
    }
}

/// The macro's are checked when they are compiled: they are objects, and their schemas are made on
/// first need.
pub(crate) fn check_made_by_hand(tools: &[Arc<dyn Tool>], faults: &mut Vec<Fault>) {
    let by_hand = tools.iter().map(|tool| tool.definition());
    for tool in by_hand.filter(|tool| tool.origin().is_none()) {
        parameter_faults::check_schema(tool, faults);
        hints::check(tool, faults);
    }
}

pub(crate) fn check_effects(tools: &[Arc<dyn Tool>], faults: &mut Vec<Fault>) {
    let definitions = tools.iter().map(|tool| tool.definition());
    let effective = definitions.filter(|tool| tool.effect() != Effect::Read);
    let tools: Vec<String> = effective.map(|tool| tool.name().to_owned()).collect();
    if !tools.is_empty() {
        faults.push(Fault::NoPolicy { tools });
    }
}
