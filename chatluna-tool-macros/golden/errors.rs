// #[tool(args = AddArgs, colour = "red")]
// /// Adds.
// async fn add(
//     /// The left one.
//     left: i64,
//     right: i64,
// ) -> i64 {
//     left + right
// }

/// Adds.
async fn add(left: i64, right: i64) -> i64 {
    left + right
}
/// The arguments of `add`.
#[allow(non_camel_case_types, dead_code)]
struct AddArgs {
    /// The argument `left`.
    left: i64,
    /// The argument `right`.
    right: i64,
}
::core::compile_error! {
    "`colour` is no key of `#[tool]`; use one of `args`, `crate`, `description`, `example`, `keywords`, `mode`, `name`, `permission`, `prefix`, `title`, `traits`, `visibility`"
}
