//! What the macros expand to, against `golden/*.rs`.
//!
//! `CHATLUNA_GOLDEN=overwrite cargo test -p chatluna-tool-macros` writes the files anew; the
//! difference is then to be read like code.

use crate::toolset::toolset_tokens;
use crate::{tool_tokens, tool_type, tools};
use proc_macro2::TokenStream;
use quote::quote;
use std::env::var_os;
use std::error::Error;
use std::fs;
use std::path::Path;

type Outcome = Result<(), Box<dyn Error>>;

/// Compares with `golden/<name>.rs`: the input as a comment, then the output.
fn check(name: &str, input: TokenStream, output: TokenStream) -> Outcome {
    let input = prettyplease::unparse(&syn::parse2(input)?);
    let input: String = input.lines().map(|line| format!("// {line}\n")).collect();
    let actual = format!("{input}\n{}", prettyplease::unparse(&syn::parse2(output)?));
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("golden/{name}.rs"));
    if var_os("CHATLUNA_GOLDEN").is_some_and(|value| value == "overwrite") {
        fs::write(&path, &actual)?;
    }
    assert_eq!(actual, fs::read_to_string(&path)?, "{}", path.display());
    Ok(())
}

fn check_tool(name: &str, attribute: TokenStream, item: TokenStream) -> Outcome {
    let input = quote!(#[tool(#attribute)] #item);
    check(name, input, tool_tokens(attribute, item))
}

#[test]
fn arguments() -> Outcome {
    let attribute = quote!(traits(parallel, effect = "read", timeout = 30_000));
    let item = quote! {
        /// Tells the weather.
        async fn weather(
            /// The city's name.
            city: String,
            days: Option<u8>,
        ) -> String {
            format!("{city} {days:?}")
        }
    };
    check_tool("arguments", attribute, item)
}

#[test]
fn blocking_with_state() -> Outcome {
    let item = quote! {
        /// Finds a row.
        pub fn find(table: String, db: &Db, call: &CallContext) -> Result<Json<Row>, DbError> {
            db.find(&table, call)
        }
    };
    check_tool("blocking_with_state", quote!(), item)
}

#[test]
fn hooks() -> Outcome {
    let attribute = quote! {
        title = "Deploy",
        args = DeployArgs,
        permission = |args| Permission::new("deploy:run").target(&args.env),
        visibility = hooks::is_operator,
    };
    let item = quote! {
        /// Deploys.
        pub(crate) async fn deploy(env: String) {}
    };
    check_tool("hooks", attribute, item)
}

#[test]
fn lent_arguments() -> Outcome {
    let item = quote! {
        /// Joins words.
        async fn join(joint: &str, words: &[String]) -> String {
            words.join(joint)
        }
    };
    check_tool("lent_arguments", quote!(traits(timeout = "30s")), item)
}

#[test]
fn prefix_of_the_module() -> Outcome {
    let item = quote! {
        /// Adds numbers.
        async fn add() {}
    };
    check_tool("prefix_of_the_module", quote!(prefix = module), item)
}

#[test]
fn const_name() -> Outcome {
    let attribute = quote!(
        name = NAME,
        prefix = "math",
        description = concat!("Adds ", "numbers")
    );
    let item = quote! {
        async fn add() {}
    };
    check_tool("const_name", attribute, item)
}

#[test]
fn conditional_and_raw_parameters() -> Outcome {
    let item = quote! {
        /// Moves.
        async fn r#move(mut r#type: String, #[cfg(unix)] mode: u32, #[cfg(unix)] os: &Os) {}
    };
    check_tool(
        "conditional_and_raw_parameters",
        quote!(crate = crate::facade),
        item,
    )
}

#[test]
fn errors() -> Outcome {
    let attribute = quote!(args = AddArgs, colour = "red");
    let item = quote! {
        /// Adds.
        async fn add(/** The left one. */ left: i64, right: i64) -> i64 {
            left + right
        }
    };
    check_tool("errors", attribute, item)
}

#[test]
fn argument_type() -> Outcome {
    let item = quote! {
        pub struct City {
            #[serde(default)]
            name: String,
        }
    };
    let input = quote!(#[tool_type(crate = crate::facade)] #item);
    let output = tool_type::expand(quote!(crate = crate::facade), item);
    check("argument_type", input, output)
}

#[test]
fn defaults_and_constraints() -> Outcome {
    let item = quote! {
        /// Finds flights.
        async fn flights(
            #[arg(pattern = "^[A-Z]{3}$", example = "OSL")] to: String,
            #[arg(default = 3, range(1..=14))] days: u8,
            #[arg(default = BUDGET, range(0.0..=MAX_BUDGET))] budget: f64,
            #[arg(default = "en", length(2..))]
            #[serde(alias = "lang")]
            language: &str,
            #[arg(secret, rename = "key")] api_key: Option<String>,
        ) {
        }
    };
    check_tool("defaults_and_constraints", quote!(), item)
}

#[test]
fn read_otherwise() -> Outcome {
    let item = quote! {
        /// Wakes people up.
        async fn wake(
            #[serde(with = "unix_time")]
            #[schemars(with = "i64")]
            at: SystemTime,
            #[serde(default = "nobody", deserialize_with = "names")]
            #[schemars(schema_with = "names_schema")]
            who: Names,
        ) {
        }
    };
    check_tool("read_otherwise", quote!(), item)
}

#[test]
fn flattened_and_keyed() -> Outcome {
    let attribute = quote! {
        example = r#"{"room": "kitchen", "on": true}"#,
        traits(parallel, key = room),
    };
    let item = quote! {
        /// Switches a lamp.
        async fn switch(room: String, #[arg(flatten)] lamp: Lamp) {}
    };
    check_tool("flattened_and_keyed", attribute, item)
}

#[test]
fn searched() -> Outcome {
    let attribute = quote! {
        mode = "search",
        keywords = ["rain", SNOW, "do I need an umbrella?"],
        example = r#"{"city": "Oslo"}"#,
    };
    let item = quote! {
        /// Tells the weather.
        async fn weather(city: String) {}
    };
    check_tool("searched", attribute, item)
}

#[test]
fn toolset_of_a_type() -> Outcome {
    let attribute = quote!(prefix = "db", traits(effect = "read"));
    let item = quote! {
        impl Db {
            const LIMIT: u8 = 10;

            /// Finds rows.
            #[tool(traits(parallel))]
            pub async fn find(&self, query: Query<Self>, #[arg(default = Self::LIMIT)] limit: u8) -> String {
                self.run(query, limit).await
            }

            #[cfg(unix)]
            /// Says who runs it.
            #[tool(args = OwnerArgs)]
            fn owner() -> String {
                String::new()
            }

            async fn run(&self, query: Query<Self>, limit: u8) -> String {
                format!("{query:?} {limit}")
            }
        }
    };
    let input = quote!(#[toolset(#attribute)] #item);
    check("toolset_of_a_type", input, toolset_tokens(attribute, item))
}

#[test]
fn toolset_of_a_module() -> Outcome {
    let item = quote! {
        pub mod text {
            use super::tool;

            /// Joins words.
            #[tool]
            pub fn join(words: &[String]) -> String {
                words.concat()
            }
        }
    };
    let input = quote!(#[toolset] #item);
    check("toolset_of_a_module", input, toolset_tokens(quote!(), item))
}

#[test]
fn list_of_tools() -> Outcome {
    let paths = quote!(weather, math::add, Db::*);
    let tools = tools::expand(paths.clone());
    let input = quote!(
        const TOOLS: T = tools![#paths];
    );
    check("list_of_tools", input, quote!(const TOOLS: T = #tools;))
}
