//! What was sent of a request stays as it is, byte for byte, whatever comes behind it: conversations
//! made from seeds, in every wire format.

use chatluna_tool::openai::responses;
use chatluna_tool::{
    BuildError, Effect, FnTool, Owner, Runtime, Session, SessionInfo, Tool, ToolCall,
    ToolDefinition, ToolFilter, ToolGuard, ToolMode, Traits, TurnInfo, anthropic, gemini, openai,
    tool, tools,
};
use fastrand::Rng;
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet};
use std::future::pending;

/// Conversations a run, in one format after the other.
const SEEDS: u64 = 180;

/// What happens in one.
const LENGTH: usize = 40;

/// Tells the weather of a city
#[tool(traits(effect = "read"))]
async fn forecast(city: &str, days: Option<u8>) -> String {
    format!("{city} {days:?}")
}

/// Sends a message to a person
#[tool(keywords = ["newsletter"], traits(effect = "read"))]
async fn mail() {}

/// Adds two numbers
#[tool(mode = "direct", traits(effect = "read"))]
async fn add(a: i64, b: i64) -> i64 {
    a + b
}

/// 查询股票的价格
#[tool(traits(deferred, effect = "read"))]
async fn stock_price() {}

/// Reads a page that is too long
#[tool(traits(effect = "read"))]
async fn page() -> String {
    "line\n".repeat(3_000)
}

/// Watches the sky, for ever
#[tool(traits(parallel, effect = "read", timeout = 10))]
async fn watch() {
    pending().await
}

/// The agent of the conversation.
const AGENT: &str = "main";

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Whose {
    Everybody,
    Own,
    Others,
}

impl Whose {
    fn owner(self) -> Owner {
        match self {
            Self::Everybody => Owner::Global,
            Self::Own => Owner::agent(AGENT),
            Self::Others => Owner::agent("other"),
        }
    }
}

/// A tool that comes and goes, by its owner and number.
type Plugin = (Whose, u8);

fn plugin((whose, number): Plugin) -> impl Tool {
    let text = format!("Is plugin number {number} of {whose:?}");
    let traits = Traits::new().effect(Effect::Read);
    let definition = ToolDefinition::new(format!("plugin_{number}"), text).traits(traits);
    FnTool::new(definition, |_: Value, _| async {})
}

/// Where calls are made.
#[derive(Clone, Copy, Debug)]
enum Where {
    Here,
    /// In a handle of the same session that another agent has.
    Beside,
    Child,
    Elsewhere,
}

#[derive(Clone, Debug)]
enum Act {
    /// The calls of one reply.
    Step(Where, Vec<(&'static str, Value)>),
    Register(Plugin),
    Drop(Plugin),
    Mode(Option<ToolMode>),
    RuntimeMode(ToolMode),
    ModeOf(&'static str, Option<ToolMode>),
    Turn,
    Refresh,
}

/// What happens, and whether a request is sent after it.
type Conversation = Vec<(Act, bool)>;

fn conversation(seed: u64) -> Conversation {
    let mut rng = Rng::with_seed(seed);
    (0..LENGTH)
        .map(|_| (act(&mut rng), rng.u8(..4) > 0))
        .collect()
}

fn act(rng: &mut Rng) -> Act {
    let plugin = |rng: &mut Rng| {
        let whose = [Whose::Everybody, Whose::Own, Whose::Others];
        (whose[rng.usize(..3)], rng.u8(..3))
    };
    match rng.u8(..20) {
        0..=9 => {
            let places = [Where::Beside, Where::Child, Where::Elsewhere];
            let place = places.get(rng.usize(..9)).copied();
            let calls = (0..rng.usize(1..4)).map(|_| call(rng)).collect();
            Act::Step(place.unwrap_or(Where::Here), calls)
        }
        10..=12 => Act::Register(plugin(rng)),
        13..=14 => Act::Drop(plugin(rng)),
        15 => Act::Mode(rng.bool().then(|| mode(rng))),
        16 => Act::RuntimeMode(mode(rng)),
        17 => {
            let name = ["forecast", "mail", "add"][rng.usize(..3)];
            Act::ModeOf(name, rng.bool().then(|| mode(rng)))
        }
        18 => Act::Turn,
        _ => Act::Refresh,
    }
}

fn mode(rng: &mut Rng) -> ToolMode {
    match rng.u8(..4) {
        0 => ToolMode::Direct,
        1 => ToolMode::Auto(rng.usize(5..9)),
        _ => ToolMode::Search,
    }
}

fn call(rng: &mut Rng) -> (&'static str, Value) {
    const QUERIES: &[&str] = &[
        "weather",
        "a message",
        "股票",
        "add numbers",
        "plugin",
        "a plugin of everybody",
        "select:mail,plugin_0",
        "select:watch",
        "select:nobodys",
        "zzz",
        "",
    ];
    const NAMES: &[&str] = &[
        "forecast",
        "mail",
        "stock_price",
        "page",
        "watch",
        "plugin_0",
        "plugin_1",
        "plugin_2",
        "functions.mail",
        "nobodys",
        "task_list",
    ];
    match rng.bool() {
        true => {
            let queries: Vec<&str> = (0..rng.usize(1..4))
                .map(|_| QUERIES[rng.usize(..QUERIES.len())])
                .collect();
            (
                "tool_search",
                json!({"queries": queries, "limit": rng.u8(1..4)}),
            )
        }
        false => (NAMES[rng.usize(..NAMES.len())], json!({})),
    }
}

/// What decides which tools there are to tell of at first: as long as it is the same, or when it is
/// again, a request begins as the last one did.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Setting {
    session: Option<String>,
    runtime: String,
    names: BTreeMap<&'static str, String>,
    plugins: BTreeMap<u8, Whose>,
}

struct World {
    runtime: Runtime,
    session: Session,
    setting: Setting,
    /// With the number of the registration.
    plugins: BTreeMap<Plugin, (usize, ToolGuard)>,
    /// Those that the turn began with, if one is open.
    pinned: Option<BTreeMap<Plugin, usize>>,
    registrations: usize,
    format: Format,
    sent: BTreeMap<Setting, Request>,
    /// What came behind something that had been sent.
    came: BTreeSet<String>,
}

impl World {
    fn new(format: Format) -> Result<Self, BuildError> {
        let builder =
            Runtime::builder().tools(tools![forecast, mail, add, stock_price, page, watch]);
        let runtime = builder.tool_mode(ToolMode::Search).build()?;
        let session = runtime.session(SessionInfo::new("s").agent(AGENT));
        let setting = Setting {
            session: None,
            runtime: format!("{:?}", ToolMode::Search),
            names: BTreeMap::new(),
            plugins: BTreeMap::new(),
        };
        Ok(Self {
            runtime,
            session,
            setting,
            plugins: BTreeMap::new(),
            pinned: None,
            registrations: 0,
            format,
            sent: BTreeMap::new(),
            came: BTreeSet::new(),
        })
    }

    async fn act(&mut self, act: &Act) {
        match act {
            Act::Step(place, calls) => self.step(*place, calls).await,
            Act::Register(named) => self.register(*named),
            Act::Drop(named) => drop(self.plugins.remove(named)),
            Act::Mode(mode) => {
                self.session.set_tool_mode(*mode);
                self.setting.session = mode.map(|mode| format!("{mode:?}"));
            }
            Act::RuntimeMode(mode) => {
                self.runtime.set_tool_mode(*mode);
                self.setting.runtime = format!("{mode:?}");
            }
            Act::ModeOf(name, mode) => {
                self.runtime.set_tool_mode_of(name, *mode);
                match mode {
                    Some(mode) => self.setting.names.insert(name, format!("{mode:?}")),
                    None => self.setting.names.remove(name),
                };
            }
            Act::Turn => {
                self.session.begin_turn(TurnInfo::new("m"));
                self.pinned = Some(self.current());
            }
            Act::Refresh => {
                self.session.refresh_tools();
                if self.pinned.is_some() {
                    self.pinned = Some(self.current());
                }
            }
        }
        self.setting.plugins = self.seen();
    }

    async fn step(&self, place: Where, calls: &[(&'static str, Value)]) {
        let session = match place {
            Where::Here => self.session.clone(),
            Where::Beside => self.runtime.session(SessionInfo::new("s").agent("other")),
            Where::Child => self.session.child(ToolFilter::new()),
            Where::Elsewhere => self.runtime.session(SessionInfo::new("t")),
        };
        let calls = calls.iter();
        let calls = calls.map(|(name, arguments)| ToolCall::new(*name, arguments.clone()));
        session.execute(calls).await;
    }

    fn register(&mut self, named: Plugin) {
        if let Ok(guard) = self.runtime.register(named.0.owner(), plugin(named)) {
            self.registrations += 1;
            self.plugins.insert(named, (self.registrations, guard));
        }
    }

    fn current(&self) -> BTreeMap<Plugin, usize> {
        let plugins = self.plugins.iter();
        plugins
            .map(|(named, (number, _))| (*named, *number))
            .collect()
    }

    /// The plugins that the session sees: those of its turn that are still there.
    fn seen(&self) -> BTreeMap<u8, Whose> {
        let mut there = self.current();
        if let Some(pinned) = &self.pinned {
            there.retain(|named, number| pinned.get(named) == Some(number));
        }
        // An agent's own goes before everybody's: it comes later here.
        let seen = there
            .into_keys()
            .filter(|(whose, _)| *whose != Whose::Others);
        seen.map(|(whose, number)| (number, whose)).collect()
    }

    /// Sends a request, and compares it with the last one of the setting.
    fn send(&mut self) -> Result<(), String> {
        let request = Request::new(self.format, &self.session);
        if let Some(before) = self.sent.get(&self.setting) {
            request.check_continues(before)?;
            let new = &request.names[before.names.len()..];
            self.came.extend(new.iter().cloned());
        }
        self.sent.insert(self.setting.clone(), request);
        Ok(())
    }
}

/// How a format says the tools that a model is told of, and what stands behind the last one; and those
/// that the provider keeps out of its context until they are found.
type Format = (&'static str, &'static str, Write);
type Write = fn(&[ToolDefinition], &[ToolDefinition]) -> (Value, Value);

const FORMATS: [Format; 9] = [
    ("openai", "]", |told, _| (openai::tools(told), json!([]))),
    ("openai, strict", "]", |told, _| {
        (openai::strict_tools(told), json!([]))
    }),
    ("responses", "]", |told, _| {
        (responses::tools(told), json!([]))
    }),
    ("responses, strict", "]", |told, _| {
        (responses::strict_tools(told), json!([]))
    }),
    ("responses, deferred", "]", |told, deferred| {
        (responses::deferred::tools(told, deferred), json!([]))
    }),
    ("anthropic", "]", |told, _| {
        (anthropic::tools(told), json!([]))
    }),
    ("anthropic, strict", "]", |told, _| {
        (anthropic::strict_tools(told), json!([]))
    }),
    ("anthropic, deferred", "]", |told, deferred| {
        let tools = anthropic::deferred::tools(told, deferred);
        let tools = tools.as_array().into_iter().flatten().cloned();
        let (kept_back, at_once) =
            tools.partition::<Vec<_>, _>(|tool| tool["defer_loading"] == true);
        (at_once.into(), kept_back.into())
    }),
    ("gemini", "]}]", |told, _| (gemini::tools(told), json!([]))),
];

/// The tools of a request.
struct Request {
    /// Up to where more would stand.
    bytes: String,
    names: Vec<String>,
    kept_back: String,
}

impl Request {
    fn new((_, end, write): Format, session: &Session) -> Self {
        let told = session.definitions();
        let (tools, kept_back) = write(&told, &session.deferred_definitions());
        let text = tools.to_string();
        let open = text.strip_suffix(end).or(text.strip_suffix(']'));
        Self {
            bytes: open.unwrap_or_default().to_owned(),
            names: told.iter().map(|tool| tool.name().to_owned()).collect(),
            kept_back: kept_back.to_string(),
        }
    }

    fn check_continues(&self, before: &Self) -> Result<(), String> {
        if self.bytes.starts_with(&before.bytes) && self.kept_back == before.kept_back {
            return Ok(());
        }
        Err(format!(
            "{}\n{}\ndo not continue\n{}\n{}",
            self.bytes, self.kept_back, before.bytes, before.kept_back
        ))
    }
}

/// Holds a conversation, with a request at its beginning; what came behind what had been sent.
fn held(format: Format, conversation: &[(Act, bool)]) -> Result<BTreeSet<String>, String> {
    let tokio = tokio::runtime::Builder::new_current_thread()
        .enable_time()
        .start_paused(true)
        .build();
    let tokio = tokio.map_err(|error| error.to_string())?;
    tokio.block_on(async {
        let mut world = World::new(format).map_err(|error| error.to_string())?;
        world.send()?;
        for (act, is_sent) in conversation {
            world.act(act).await;
            if *is_sent {
                world.send()?;
            }
        }
        world.send()?;
        Ok(world.came)
    })
}

/// The conversation without what it fails without, too.
fn shrunk(format: Format, mut conversation: Conversation) -> Conversation {
    let without = |conversation: &Conversation, index| {
        let mut less = conversation.clone();
        less.remove(index);
        less
    };
    let fails = |conversation: &Conversation| held(format, conversation).is_err();
    while let Some(less) = (0..conversation.len())
        .map(|index| without(&conversation, index))
        .find(fails)
    {
        conversation = less;
    }
    conversation
}

#[test]
fn what_was_sent_stays_and_what_comes_stands_behind_it() {
    let mut came = BTreeSet::new();
    for (seed, format) in (0..SEEDS).zip(FORMATS.into_iter().cycle()) {
        match held(format, &conversation(seed)) {
            Ok(new) => came.extend(new),
            Err(_) => {
                let shrunk = shrunk(format, conversation(seed));
                let why = held(format, &shrunk).err().unwrap_or_default();
                panic!("seed {seed}, {}: {why}\n{shrunk:#?}", format.0);
            }
        }
    }
    let came: Vec<&str> = came.iter().map(String::as_str).collect();
    assert_eq!(
        came,
        [
            "add",
            "forecast",
            "mail",
            "page",
            "plugin_0",
            "plugin_1",
            "plugin_2",
            "read_output",
            "stock_price",
            "task_cancel",
            "task_list",
            "task_output",
            "watch",
        ]
    );
}
