//! What has to compile, and what the compiler says of each mistake.

/// `TRYBUILD=overwrite` writes the `.stderr` files anew; read each of them then.
#[test]
fn ui() {
    let cases = trybuild::TestCases::new();
    cases.pass("pass/*.rs");
    cases.compile_fail("ui/*/*.rs");
}
