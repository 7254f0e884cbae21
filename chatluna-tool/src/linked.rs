//! How registrations reach the program that links them: through linkme, through inventory, or not.
//!
//! Which of them it is depends on this crate's features alone; generated code says `register!`.

use crate::registry::ToolRegistration;

#[cfg(all(feature = "inventory", not(feature = "linkme")))]
pub use inventory;
#[cfg(feature = "linkme")]
pub use linkme;

/// The linker puts the registrations of all crates into this slice.
#[cfg(feature = "linkme")]
#[linkme::distributed_slice]
pub static LINKED: [&'static ToolRegistration];

/// A registration in inventory's list.
#[cfg(all(feature = "inventory", not(feature = "linkme")))]
pub struct Linked(pub &'static ToolRegistration);

#[cfg(all(feature = "inventory", not(feature = "linkme")))]
inventory::collect!(Linked);

/// Every registration that is linked into the program, in no particular order.
#[cfg(feature = "linkme")]
pub(crate) fn linked() -> impl Iterator<Item = &'static ToolRegistration> {
    LINKED.iter().copied()
}

/// Every registration that is linked into the program, in no particular order.
#[cfg(all(feature = "inventory", not(feature = "linkme")))]
pub(crate) fn linked() -> impl Iterator<Item = &'static ToolRegistration> {
    inventory::iter::<Linked>
        .into_iter()
        .map(|Linked(tool)| *tool)
}

/// Nothing is linked without either feature.
#[cfg(not(any(feature = "inventory", feature = "linkme")))]
pub(crate) fn linked() -> impl Iterator<Item = &'static ToolRegistration> {
    std::iter::empty()
}

/// Hands a registration to the linker.
#[cfg(feature = "linkme")]
#[doc(hidden)]
#[macro_export]
macro_rules! __register {
    ($tool:expr) => {
        #[$crate::__private::linkme::distributed_slice($crate::__private::LINKED)]
        #[linkme(crate = $crate::__private::linkme)]
        static __LINKED: &$crate::__private::ToolRegistration = $tool;
    };
}

/// Hands a registration to the linker.
#[cfg(all(feature = "inventory", not(feature = "linkme")))]
#[doc(hidden)]
#[macro_export]
macro_rules! __register {
    ($tool:expr) => {
        $crate::__private::inventory::submit! { $crate::__private::Linked($tool) }
    };
}

/// Without link-time registration there is nothing to do.
#[cfg(not(any(feature = "inventory", feature = "linkme")))]
#[doc(hidden)]
#[macro_export]
macro_rules! __register {
    ($tool:expr) => {};
}

pub use crate::__register as register;

/// Links crates that only hold tools: Rust leaves out a dependency that nothing names.
///
/// ```
/// # use chatluna_tool as my_tools;
/// # mod program {
/// chatluna_tool::link!(chatluna_tool);
/// # }
/// ```
///
/// [`RuntimeBuilder::expect_tools`](crate::RuntimeBuilder::expect_tools) checks that they are there.
#[macro_export]
macro_rules! link {
    ($($krate:ident),+ $(,)?) => {
        $(use $krate as _;)+
    };
}
