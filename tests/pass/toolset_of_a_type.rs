//! `#[toolset]` on `impl`: methods with `&self`, `Self` in every place, conditions, other items.
#![deny(warnings, missing_docs, unreachable_pub, unused_qualifications)]

#[expect(unreachable_pub, reason = "the bin's only module with helpers")]
mod support;

use chatluna_tool::{AllowAll, CallContext, Permission, Runtime, SessionInfo, tool, tools, toolset};
use serde_json::json;

struct Db<T> {
    table: T,
}

type Pages = Db<String>;

#[toolset(prefix = "db", traits(effect = "read", timeout = "5s", output_cap = 9_000))]
impl Db<String> {
    const LIMIT: u8 = 10;
    const ABOUT: &'static str = "Finds rows.";

    #[tool(description = Self::ABOUT, traits(parallel), permission = |args| Self::permission(&args.query))]
    async fn find(&self, query: &str, #[arg(default = Self::LIMIT, range(1..=Self::LIMIT))] limit: u8) -> String {
        self.row(query, limit)
    }

    /// Counts rows, on a thread.
    #[tool(name = "count")]
    fn rows(&self, call: &CallContext, bytes: [u8; Self::LIMIT as usize]) -> Result<usize, String> {
        Ok(bytes.len() + call.name().len() + self.table.len())
    }

    /// Is of the type alone.
    #[tool(prefix = "")]
    async fn version() -> Option<u8> {
        Some(1)
    }

    /// Is not there.
    #[cfg(any())]
    #[tool]
    async fn missing(&self, missing: Missing) {}

    /// Is there in all cases.
    #[tool(args = SweepArgs)]
    #[cfg(all())]
    async fn sweep(&self, #[cfg(any())] gone: Missing, #[cfg(all())] deep: bool) -> bool {
        deep
    }

    /// Has `Self` everywhere.
    #[tool]
    async fn everywhere(
        &self,
        #[serde(default = "Self::limit")] limit: u8,
        #[arg(default = Self { table: String::from("t") }.table)] table: String,
        #[serde(deserialize_with = "Self::read")]
        #[schemars(schema_with = "Self::schema")]
        read: u8,
    ) -> String {
        format!("{limit} {table} {read}")
    }

    fn limit() -> u8 {
        Self::LIMIT
    }

    fn read<'de, D: serde::Deserializer<'de>>(from: D) -> Result<u8, D::Error> {
        serde::Deserialize::deserialize(from)
    }

    fn schema(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
        schemars::json_schema!({"type": "integer"})
    }

    fn row(&self, query: &str, limit: u8) -> String {
        format!("{} {query} {limit}", self.table)
    }

    fn permission(query: &String) -> Permission {
        Permission::new("db:find").target(query)
    }
}

fn finished<T>(future: impl Future<Output = T>) -> T {
    let mut context = std::task::Context::from_waker(std::task::Waker::noop());
    match std::pin::pin!(future).poll(&mut context) {
        std::task::Poll::Ready(value) => value,
        std::task::Poll::Pending => panic!("it does not wait"),
    }
}

fn main() {
    let db = Pages { table: "pages".to_owned() };
    assert_eq!(finished(db.find("a", 1)), "pages a 1");

    let tools = [tools![Db::<String>::*].to_vec(), tools![Pages::version, Pages::find].to_vec()];
    let runtime = Runtime::builder().tools(tools.concat()).state(db).approver(AllowAll);
    let session = runtime.build().unwrap().session(SessionInfo::new("pass"));
    let names: Vec<String> = session.definitions().iter().map(|tool| tool.name().to_owned()).collect();
    assert_eq!(names, ["db_count", "db_everywhere", "db_find", "db_sweep", "version"]);
    let call = |name, arguments| support::call_in(&session, name, arguments);
    assert_eq!(call("db_find", json!({"query": "a"})), "pages a 10");
    assert_eq!(call("db_count", json!({"bytes": [0, 0, 0, 0, 0, 0, 0, 0, 0, 0]})), "23");
    assert_eq!(call("version", json!({})), "1");
    assert_eq!(call("db_everywhere", json!({"read": 1})), "10 t 1");
    assert_eq!(call("db_sweep", json!({"deep": true})), "true");
    let find = session.definition("db_find").unwrap();
    assert_eq!(find.timeout(), Some(std::time::Duration::from_secs(5)));
    assert_eq!(find.output_cap(), Some(9_000));
    assert!(find.is_parallel() && !session.definition("db_sweep").unwrap().is_parallel());
    assert_eq!(find.origin().unwrap().function, "Db<String>::find");
}
