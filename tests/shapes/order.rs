//! The same tools give the same bytes, in whatever order they are linked or named.

use super::{Tested, arguments, outputs};
use chatluna_tool::{
    Runtime, RuntimeBuilder, SessionInfo, ToolDefinition, anthropic, gemini, openai,
};
use fastrand::Rng;
use serde_json::json;
use std::error::Error;
use std::process::Command;

const SEEDS: u64 = 50;

/// Set in the process that the test starts: the file for its bytes.
const FILE: &str = "CHATLUNA_SHAPES_FILE";

/// All that a provider or a person could be sent.
fn bytes(runtime: RuntimeBuilder) -> Result<String, Box<dyn Error>> {
    let session = runtime.build()?.session(SessionInfo::new("order"));
    let definitions = session.definitions();
    let own = definitions.iter().map(|tool| {
        json!([
            tool.name(),
            tool.description(),
            tool.parameters(),
            tool.output()
        ])
        .to_string()
    });
    let own = own.collect::<Vec<_>>().join("\n");
    let to_wire: [fn(&[ToolDefinition]) -> _; 4] = [
        openai::tools,
        openai::responses::tools,
        anthropic::tools,
        gemini::tools,
    ];
    let wire = to_wire.map(|tools| tools(&definitions).to_string());
    Ok(format!("{own}\n{}", wire.join("\n")))
}

fn shuffled(seed: u64) -> RuntimeBuilder {
    let mut tools = arguments::all();
    tools.extend(outputs::all());
    Rng::with_seed(seed).shuffle(&mut tools);
    Runtime::builder().tools(tools)
}

#[test]
fn every_order_gives_the_same_bytes() -> Tested {
    let expected = bytes(shuffled(0))?;
    assert!(expected.len() > 50_000, "{}", expected.len());
    for seed in 1..SEEDS {
        assert!(bytes(shuffled(seed))? == expected, "seed {seed}");
    }
    Ok(())
}

#[cfg(any(feature = "inventory", feature = "linkme"))]
#[test]
fn the_order_of_the_linker_gives_the_same_bytes() -> Tested {
    assert!(bytes(Runtime::builder().collect().without("ordered"))? == bytes(shuffled(0))?);
    Ok(())
}

/// Hash maps have other seeds there.
#[test]
fn every_process_gives_the_same_bytes() -> Tested {
    if let Some(file) = std::env::var_os(FILE) {
        return Ok(std::fs::write(file, bytes(shuffled(SEEDS))?)?);
    }
    let expected = bytes(shuffled(0))?;
    for process in 0..3 {
        let file = format!("{}/shapes-{process}", env!("CARGO_TARGET_TMPDIR"));
        let status = Command::new(std::env::current_exe()?)
            .args(["--exact", "order::every_process_gives_the_same_bytes"])
            .env(FILE, &file)
            .output()?
            .status;
        assert!(status.success());
        assert!(std::fs::read_to_string(&file)? == expected);
    }
    Ok(())
}

/// Keys keep the order of the source, at every depth.
#[test]
fn keys_are_in_declaration_order() -> Tested {
    #[chatluna_tool::tool_type]
    struct Inner {
        z: u8,
        a: u8,
        m: u8,
    }

    /// Keeps the order
    #[chatluna_tool::tool(traits(effect = "read"))]
    async fn ordered(zebra: Vec<Inner>, apple: Option<Inner>, mango: Box<Inner>) -> String {
        let inner = zebra.into_iter().chain(apple).chain([*mango]);
        inner
            .map(|inner| inner.z + inner.a + inner.m)
            .sum::<u8>()
            .to_string()
    }

    let runtime = Runtime::builder()
        .tools(chatluna_tool::tools![ordered])
        .build()?;
    let tool = runtime
        .session(SessionInfo::new("order"))
        .definitions()
        .remove(0);
    let keys = |at: &str| -> Vec<String> {
        let properties = tool.parameters().pointer(at).and_then(|at| at.as_object());
        properties
            .into_iter()
            .flatten()
            .map(|(key, _)| key.clone())
            .collect()
    };
    assert_eq!(keys("/properties"), ["zebra", "apple", "mango"]);
    for inner in ["zebra/items", "apple", "mango"] {
        assert_eq!(
            keys(&format!("/properties/{inner}/properties")),
            ["z", "a", "m"]
        );
    }
    Ok(())
}
