//! The tools. Nothing registers them.

use chatluna_tool::{CallContext, Json, Permission, ToolError, tool, tool_type};
use std::collections::BTreeMap;
use std::time::Duration;

/// 查询天气
#[tool(traits(parallel, effect = "read", timeout = 30_000))]
async fn weather(
    /// 城市名
    city: String,
    /// 预报天数,默认 1
    days: Option<u8>,
) -> String {
    format!("{city}:晴 26℃,{} 天", days.unwrap_or(1))
}

/// 执行部署任务
#[tool(
    permission = |args| Permission::new("deploy:run").target(&args.env),
    traits(effect = "exec"),
)]
async fn deploy(
    /// 部署环境
    env: String,
    call: &CallContext,
) -> Result<String, ToolError> {
    if env == "prod" {
        call.ask("deploying to production").await?; // suspends until a person answers
    }
    Ok(format!("已触发 {env} 环境部署"))
}

/// Adds two numbers
#[tool(prefix = "math", traits(parallel, effect = "read"))]
async fn add(a: f64, b: f64) -> f64 {
    a + b
}

/// Divides one number by another
#[tool(prefix = "math", traits(parallel, effect = "read"))]
async fn divide(a: f64, b: f64) -> Result<f64, ToolError> {
    if b == 0.0 {
        return Err(ToolError::retry("`b` is zero; divide by another number"));
    }
    Ok(a / b)
}

/// What is in the shop: item → pieces.
pub struct Shop {
    stock: BTreeMap<&'static str, u32>,
}

/// The shop of this program.
pub fn shop() -> Shop {
    let stock = BTreeMap::from([("咖啡豆", 12), ("茶叶", 0)]);
    Shop { stock }
}

/// 查询商品库存
#[tool(traits(parallel, effect = "read"))]
async fn stock(
    /// 商品名
    item: String,
    shop: &Shop, // a reference is state of the program; the model does not see it
) -> Option<u32> {
    shop.stock.get(&*item).copied()
}

/// One day of a forecast.
#[tool_type]
struct Day {
    sky: String,
    celsius: i32,
}

/// 逐日天气预报
#[tool(traits(parallel, effect = "read"))]
async fn forecast(
    /// 城市名
    city: String,
) -> Json<Vec<Day>> {
    let sky = if city == "伦敦" { "雨" } else { "晴" };
    let day = |celsius| Day {
        sky: sky.to_owned(),
        celsius,
    };
    Json([26, 24].map(day).into())
}

/// Reads a page of the web, slowly
#[tool(traits(parallel, effect = "read", timeout = 300, background = false))]
async fn crawl(
    /// How long the page takes, in milliseconds
    latency: u64,
    call: &CallContext,
) -> Result<String, ToolError> {
    let parts: u32 = 20;
    for part in 1..=parts {
        tokio::time::sleep(Duration::from_millis(latency) / parts).await;
        // Whoever watches sees how far it is; the model does not.
        call.progress(f64::from(part) / f64::from(parts), "reading");
        if call.is_cancelled() {
            return Err(ToolError::new(format_args!(
                "{part} of {parts} parts are read"
            )));
        }
    }
    Ok(format!("read after {latency} ms"))
}

/// Adds two numbers in Python
#[tool(traits(parallel, effect = "read"))]
async fn python_add(a: f64, b: f64, call: &CallContext) -> Result<String, ToolError> {
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/add.py");
    // Arguments, never a line for a shell. The program dies with the call.
    let python = call.spawn_command("python3").arg(script);
    python.args([a.to_string(), b.to_string()]).text().await
}
