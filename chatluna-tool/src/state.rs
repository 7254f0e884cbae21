//! Values of the host program that tools take by reference.

use crate::context::CallContext;
use crate::error::{ErrorKind, ToolError};
use std::any::{Any, TypeId, type_name};
use std::collections::HashMap;
use std::sync::Arc;

/// What a tool can take as `&Self`: anything that threads can share.
///
/// Implemented for every such type.
#[diagnostic::on_unimplemented(
    message = "`&{Self}` cannot be injected into a tool",
    label = "state has to be `Send + Sync + 'static`"
)]
pub trait State: Send + Sync + 'static {}

#[diagnostic::do_not_recommend]
impl<T: Send + Sync + 'static> State for T {}

/// One value a type.
#[derive(Clone, Default)]
pub(crate) struct States {
    values: HashMap<TypeId, Arc<dyn Any + Send + Sync>>,
}

impl States {
    pub(crate) fn insert<T: State>(&mut self, value: T) {
        self.values.insert(TypeId::of::<T>(), Arc::new(value));
    }

    /// The value of type `T`, or the one inside a value of type `Arc<T>`.
    pub(crate) fn get<T: 'static>(&self) -> Option<&T> {
        if self.values.is_empty() {
            return None;
        }
        let own = self.values.get(&TypeId::of::<T>());
        own.and_then(|value| value.downcast_ref::<T>()).or_else(|| {
            let shared = self.values.get(&TypeId::of::<Arc<T>>())?;
            shared.downcast_ref::<Arc<T>>().map(|shared| &**shared)
        })
    }
}

/// A reference in a tool's signature, as data: what has to be there when the runtime is built.
pub struct Needed {
    pub(crate) type_name: fn() -> &'static str,
    pub(crate) provided: fn(&Provided<'_>) -> bool,
}

/// What a builder was given.
pub(crate) struct Provided<'builder> {
    pub(crate) states: &'builder States,
    /// Types that every session promises to bring.
    pub(crate) promised: &'builder [TypeId],
}

/// The row of a `&T` in a signature.
pub const fn needed<T: State>() -> Needed {
    Needed {
        type_name: type_name::<T>,
        provided: provided::<T>,
    }
}

fn provided<T: State>(given: &Provided<'_>) -> bool {
    TypeId::of::<T>() == TypeId::of::<CallContext>()
        || given.promised.contains(&TypeId::of::<T>())
        || given.promised.contains(&TypeId::of::<Arc<T>>())
        || given.states.get::<T>().is_some()
}

/// The value for a `&T` of a running call: the call itself, the session's state, the runtime's.
///
/// # Errors
/// `unavailable` when a type was promised with `session_state` and this session lacks it.
pub fn injected<T: 'static>(call: &CallContext) -> Result<&T, ToolError> {
    let context: &dyn Any = call;
    if let Some(context) = context.downcast_ref::<T>() {
        return Ok(context);
    }
    call.state::<T>().ok_or_else(|| {
        let name = type_name::<T>();
        ToolError::of_kind(
            ErrorKind::Unavailable,
            format_args!("this session has no state of type `{name}`"),
        )
    })
}
