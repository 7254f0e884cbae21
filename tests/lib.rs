//! This package sees only the public API; its tests are the files beside this one.

/// The README's example compiles and runs.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
