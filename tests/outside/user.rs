//! Uses the tools of crates that got chatluna-tool in different ways.
#![deny(warnings)]

pub use shop::order as buy;
use {edition_2021 as _, renamed as _, through_facade as _};

#[tokio::main]
async fn main() -> Result<(), chatluna_tool::BuildError> {
    let runtime = chatluna_tool::Runtime::builder().collect().build()?;
    let session = runtime.session(chatluna_tool::SessionInfo::new("user"));
    for (name, arguments) in [
        ("old_weather", r#"{"place": {"name": "Rome"}, "gen": 3}"#),
        ("edition_2021_count", r#"{"words": ["one", "two"]}"#),
        ("renamed_add", r#"{"pair": {"left": 1}, "more": [2, 3]}"#),
        ("renamed_count", "{}"),
        ("double", r#"{"taken": {"number": 2}, "by": "hand"}"#),
        ("ping", "{}"),
        ("order", r#"{"name": "tea", "count": 2}"#),
    ] {
        println!("{}", session.call(name, arguments).await.text());
    }
    let shop::OrderArgs { name, count } = shop::OrderArgs {
        name: "cup".to_owned(),
        count: 1,
    };
    println!("{} {}", buy(name, count).await, through_facade::ping());
    println!("{}", chatluna_tool::tools![shop::all::order].len());
    Ok(())
}
