//! This package sees only the public API; its tests are the files beside this one.

/// The examples of the documents compile and run.
#[cfg(doctest)]
mod documents {
    #[doc = include_str!("../README.md")]
    struct Readme;

    #[doc = include_str!("../README.zh-CN.md")]
    struct ReadmeChinese;

    #[doc = include_str!("../docs/porting.md")]
    struct Porting;

    #[doc = include_str!("../docs/porting.zh-CN.md")]
    struct PortingChinese;
}
