// #[tool_type(crate = crate::facade)]
// pub struct City {
//     #[serde(default)]
//     name: String,
// }

#[::core::prelude::v1::derive(
    crate::facade::__private::serde::Deserialize,
    crate::facade::__private::serde::Serialize,
    crate::facade::__private::schemars::JsonSchema,
)]
#[serde(crate = "crate::facade::__private::serde")]
#[schemars(crate = "crate::facade::__private::schemars")]
pub struct City {
    #[serde(default)]
    name: String,
}
