//! A chat bot over HTTP: a session a chat, a turn a message, state that stays in its chat.
//!
//! ```console
//! $ export OPENAI_API_KEY=sk-… OPENAI_MODEL=gpt-4.1-mini
//! $ cargo run -p chatluna-tool-examples --example axum_bot
//! $ curl localhost:3000/chats/kitchen -H 'content-type: application/json' \
//!       -d '{"id": "1", "user": "li", "text": "Remember that we need tea."}'
//! {"text":"I noted it."}
//! ```
//!
//! `BOT_ADDRESS` is where it listens. What chats said is gone when the program ends.

#[path = "support/model.rs"]
pub mod model;

use axum::extract::{Path, State};
use axum::http::StatusCode;
use axum::routing::post;
use axum::{Json, Router};
use chatluna_tool::{
    CallContext, PermissionPolicy, Runtime, Session, SessionInfo, Subject, TurnInfo, openai, tool,
};
use model::{Failure, Model};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use tokio::net::TcpListener;

/// How often the model may answer one message with calls.
const MAX_STEPS: usize = 8;

/// What a chat asked the bot to remember: state of the session, so no other chat sees it.
#[derive(Default)]
struct Notes(Mutex<Vec<String>>);

impl Notes {
    fn lock(&self) -> MutexGuard<'_, Vec<String>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Writes something down for this chat
#[tool(traits(effect = "write"))]
async fn remember(
    /// What to write down
    note: String,
    call: &CallContext,
    notes: &Notes,
) {
    let subject = call.session().subject.as_ref();
    let user = subject.map_or("somebody", |subject| &subject.user);
    let message = call.turn().map_or("?", |turn| &turn.message_id);
    let note = format!("{note} ({user}, message {message})");
    notes.lock().push(note);
}

/// Everything that was written down in this chat
#[tool(traits(parallel, effect = "read"))]
async fn recall(notes: &Notes) -> Option<String> {
    let notes = notes.lock();
    (!notes.is_empty()).then(|| notes.join("\n"))
}

#[tokio::main]
async fn main() -> Result<(), Failure> {
    let address = std::env::var("BOT_ADDRESS").unwrap_or("127.0.0.1:3000".to_owned());
    let bot = Bot::new(Model::from_env()?)?;
    axum::serve(TcpListener::bind(address).await?, app(bot)).await?;
    Ok(())
}

/// The bot as an HTTP service.
pub fn app(bot: Bot) -> Router {
    let router = Router::new().route("/chats/{chat}", post(on_message));
    router.with_state(Arc::new(bot))
}

/// Everything that chats have in common, and the chats.
pub struct Bot {
    runtime: Runtime,
    model: Model,
    chats: Mutex<HashMap<String, Arc<Chat>>>,
}

/// What lasts from one message of a chat to the next.
#[derive(Default)]
struct Chat {
    notes: Arc<Notes>,
    /// Locked for a whole turn: the messages of a chat are answered one after the other.
    history: tokio::sync::Mutex<Vec<Value>>,
}

#[derive(Deserialize)]
struct Message {
    id: String,
    user: String,
    text: String,
}

#[derive(Serialize)]
struct Reply {
    text: String,
}

impl Bot {
    /// A bot that this model answers for.
    pub fn new(model: Model) -> Result<Self, Failure> {
        let runtime = Runtime::builder()
            .collect()
            .session_state::<Notes>() // each session brings its own
            .policy(PermissionPolicy::new().allow("tool:remember"))
            .build()?;
        let chats = Mutex::default();
        Ok(Self {
            runtime,
            model,
            chats,
        })
    }

    fn chat(&self, id: &str) -> Arc<Chat> {
        let mut chats = self.chats.lock().unwrap_or_else(PoisonError::into_inner);
        Arc::clone(chats.entry(id.to_owned()).or_default())
    }

    /// The session of a chat, on behalf of whoever wrote: in a group these are many. A session id
    /// that is in use gives that same session, so the chat's calls stay in order.
    fn session(&self, id: &str, chat: &Chat, user: &str) -> Session {
        let subject = Subject::user(user).platform("http").channel(id);
        let info = SessionInfo::new(id).subject(subject);
        self.runtime.session(info.state(Arc::clone(&chat.notes)))
    }

    /// The agent loop over the history of a chat.
    async fn answer(&self, session: &Session, history: &mut Vec<Value>) -> Result<String, Failure> {
        let tools = openai::tools(&session.definitions());
        for _ in 0..MAX_STEPS {
            let mut response = self.model.chat(history, &tools).await?;
            let calls = openai::tool_calls(&response)?;
            let message = response["choices"][0]["message"].take();
            if calls.is_empty() {
                let text = model::text(&message);
                history.push(message);
                return Ok(text);
            }
            let results = session.execute(calls).await;
            // Together: a client that hangs up drops this future, and calls without results would
            // make every later request of the chat invalid.
            history.push(message);
            history.extend(openai::tool_messages_as::<Vec<Value>>(&results)?);
        }
        Err(format!("the model still calls tools after {MAX_STEPS} steps").into())
    }
}

async fn on_message(
    State(bot): State<Arc<Bot>>,
    Path(id): Path<String>,
    Json(message): Json<Message>,
) -> Result<Json<Reply>, (StatusCode, &'static str)> {
    let chat = bot.chat(&id);
    let mut history = chat.history.lock().await;
    let session = bot.session(&id, &chat, &message.user);
    session.begin_turn(TurnInfo::new(message.id));
    history.push(json!({"role": "user", "content": message.text}));
    let answer = bot.answer(&session, &mut history).await;
    answer.map(|text| Json(Reply { text })).map_err(failed)
}

/// The chat learns that it failed, the operator why.
fn failed(error: Failure) -> (StatusCode, &'static str) {
    eprintln!("error: {error}");
    (StatusCode::BAD_GATEWAY, "the model did not answer\n")
}
