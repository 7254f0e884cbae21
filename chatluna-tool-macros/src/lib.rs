//! The attribute macros of `chatluna-tool`. Use them through that crate, which documents them.
#![forbid(unsafe_code)]

mod argument;
mod attribute;
mod bounds;
mod check;
mod expand;
mod function;
#[cfg(test)]
mod golden;
mod key;
#[cfg(test)]
mod messages;
mod model;
mod owner;
mod report;
mod signature;
mod suggest;
mod text;
mod tool_type;
mod tools;
mod toolset;
mod value;

use proc_macro::TokenStream;

/// Makes a function a tool. See `chatluna_tool::tool`.
#[proc_macro_attribute]
pub fn tool(attribute: TokenStream, item: TokenStream) -> TokenStream {
    tool_tokens(attribute.into(), item.into()).into()
}

/// Adds the derives that an argument or result type needs. See `chatluna_tool::tool_type`.
#[proc_macro_attribute]
pub fn tool_type(attribute: TokenStream, item: TokenStream) -> TokenStream {
    tool_type::expand(attribute.into(), item.into()).into()
}

/// Makes tools of the functions in an `impl` block or a module. See `chatluna_tool::toolset`.
#[proc_macro_attribute]
pub fn toolset(attribute: TokenStream, item: TokenStream) -> TokenStream {
    toolset::toolset_tokens(attribute.into(), item.into()).into()
}

/// Names tools one by one. See `chatluna_tool::tools`.
#[proc_macro]
pub fn tools(paths: TokenStream) -> TokenStream {
    tools::expand(paths.into()).into()
}

/// Parse, model, check, expand. The function comes out whatever happens.
fn tool_tokens(
    attribute: proc_macro2::TokenStream,
    item: proc_macro2::TokenStream,
) -> proc_macro2::TokenStream {
    if toolset::is_inert(&attribute) {
        return item;
    }
    let mut report = report::Report::default();
    let function = match function::Function::parse(item) {
        Ok(function) => function,
        Err(refused) => return refused,
    };
    let keys = key::parse(attribute, &mut report);
    let attribute = attribute::Attribute::new(keys, &mut report);
    check::check_attribute(&attribute, &mut report);
    let tool = model::Tool::new(attribute, &function, None, &mut report);
    check::check(&tool, &mut report);
    match report.into_errors() {
        Some(errors) => expand::fallback(&tool, &function, &errors),
        None => expand::expand(&tool, &function),
    }
}
