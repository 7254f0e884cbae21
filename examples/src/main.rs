use chatluna_tool::*;
/// 查询天气
#[tool(traits(parallel, effect = "read", timeout = 30_000))]
async fn weather(
    /// 城市名
    city: String,
    /// 预报天数
    days: Option<u8>,
) -> String {
    format!("{city}:晴 26℃,{} 天", days.unwrap_or(1))
}

/// 执行部署任务
#[tool(permission = |args| Permission::new("deploy:run").target(&args.env), traits(effect = "exec"))]
async fn deploy(
    /// 部署环境
    env: String,
    call: &CallContext,
) -> Result<String, ToolError> {
    if env == "prod" {
        call.ask("deploying to production").await?;
    }
    Ok(format!("已触发 {env} 环境部署"))
}
const N: &str = "sub";
/// s
#[tool(name = N, prefix="math", traits(effect = "read"))]
fn minus(a: i64, b: i64, _db: &Vec2) -> Json<P> { Json(P{a, b: Some(Box::new(P{a:b,b:None}))}) }
pub struct Vec2;
#[tool_type]
struct P { a: i64, b: Option<Box<P>> }
/// t
#[tool(traits(effect = "read"))]
async fn nested(p: P, q: Option<P>, m: std::collections::HashMap<String, Vec<u32>>) {}
#[tokio::main]
async fn main() -> Result<(), BuildError> {
    let r = Runtime::builder().collect().approver(AllowAll).state(std::sync::Arc::new(Vec2)).build()?;
    let s = r.session(SessionInfo::new("x"));
    println!("{:#}", openai::tools(&s.definitions()));
    for t in s.definitions() { println!("{:?} {:?}", t.origin(), t.output()); }
    for (n, a) in [("weather", r#"{"city":"北京"}"#), ("weather", r#" { "days" : "x" , "cty": [1,{"a":"]}"}], "days":3}"#), ("wether", ""), ("weather", "{\"city\": \"a"), ("weather","[]"), ("deploy", r#"{"env":"prod"}"#), ("math_sub", r#"{"a":1,"b":2}"#), ("weather", r#"{"\u0063ity":"上海","days":null}"#)] {
        println!("{:?}", s.call(n, a).await);
    }
    Ok(())
}
