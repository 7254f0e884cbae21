//! What has to compile: each key, and each way in which a user's code could get in the way.

#[test]
fn hygiene() {
    trybuild::TestCases::new().pass("pass/*.rs");
}
