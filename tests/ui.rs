//! What the compiler says of each mistake.

/// `TRYBUILD=overwrite` writes the `.stderr` files anew; read each of them then.
#[test]
fn every_mistake_is_explained() {
    trybuild::TestCases::new().compile_fail("ui/*/*.rs");
}
