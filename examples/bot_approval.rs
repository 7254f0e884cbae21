//! A bot that asks before it acts, and gets the answer as a later message of the same chat.
//!
//! ```console
//! $ cargo run -p chatluna-tool-examples --example bot_approval
//! deploy prod
//! bot> may I call `deploy` with {"env":"prod"}? (yes, no, stop)
//! yes
//! bot> deployed to prod
//! ```
//!
//! The trap: whoever handles a message and waits there for the step will never see the answer,
//! because that is the next message. So [`Bot::on_message`] waits for nothing. The step runs in a
//! task of its own, its question waits on a channel, and the handler of the next message answers
//! it. No model is needed: [`scripted_model`] stands in for one.

use chatluna_tool::{
    Answer, ApprovalRequest, Approver, BoxFuture, PermissionPolicy, Runtime, Session, SessionInfo,
    ToolCall, tool,
};
use serde_json::json;
use std::collections::HashMap;
use std::error::Error;
use std::io::stdin;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use tokio::sync::{mpsc, oneshot};

/// Deploys the service
#[tool] // without an effect it executes, and the policy asks
async fn deploy(
    /// Where to
    env: String,
) -> String {
    format!("deployed to {env}")
}

#[tokio::main]
async fn main() -> Result<(), Box<dyn Error>> {
    let (out, mut said) = mpsc::unbounded_channel();
    let bot = Bot::new(out)?;
    let mut lines = lines();
    loop {
        tokio::select! {
            Some((_, text)) = said.recv() => println!("bot> {text}"),
            line = lines.recv() => match line {
                Some(line) => bot.on_message("terminal", line.trim()),
                None => return Ok(()),
            },
        }
    }
}

/// The lines of standard input, read on a thread: reading blocks.
fn lines() -> mpsc::UnboundedReceiver<String> {
    let (lines, read) = mpsc::unbounded_channel();
    std::thread::spawn(move || {
        for line in stdin().lines().map_while(Result::ok) {
            let _ = lines.send(line); // fails only when the program is about to end
        }
    });
    read
}

/// What the bot says, and to which chat.
pub type Out = mpsc::UnboundedSender<(String, String)>;

/// The bot.
pub struct Bot {
    runtime: Runtime,
    chats: Chats,
}

impl Bot {
    /// A bot that speaks into `out`.
    pub fn new(out: Out) -> Result<Self, Box<dyn Error>> {
        let by_id = Arc::default();
        let chats = Chats { by_id, out };
        let runtime = Runtime::builder()
            .collect()
            .policy(PermissionPolicy::new()) // reads run, the rest is asked about
            .approver(chats.clone())
            .build()?;
        Ok(Self { runtime, chats })
    }

    /// Handles one message, and never waits. Where many people share a chat, this is the place to
    /// check that the sender is one who may say yes.
    pub fn on_message(&self, chat: &str, text: &str) {
        let session = self.runtime.session(SessionInfo::new(chat));
        let chat = self.chats.get(chat);
        match text {
            "stop" => chat.stop(),
            "yes" if chat.answer(Answer::Once) => {}
            "no" if chat.answer(Answer::Reject("the user said no".to_owned())) => {}
            _ if chat.is_asking() => chat.say("please say yes or no"),
            _ if chat.is_busy() => chat.say("one moment; `stop` ends what is running"),
            _ => chat.start(session, scripted_model(text)),
        }
    }
}

/// `deploy a b` calls `deploy` for each.
fn scripted_model(text: &str) -> Vec<ToolCall> {
    let mut words = text.split_whitespace();
    if words.next() != Some("deploy") {
        return Vec::new();
    }
    words
        .map(|env| ToolCall::new("deploy", json!({"env": env})))
        .collect()
}

/// The chats by session id, and who answers: each chat for itself.
#[derive(Clone)]
struct Chats {
    by_id: Arc<Mutex<HashMap<String, Arc<Chat>>>>,
    out: Out,
}

impl Chats {
    fn get(&self, id: &str) -> Arc<Chat> {
        let mut chats = lock(&self.by_id);
        let open = || Arc::new(Chat::new(id, self.out.clone()));
        Arc::clone(chats.entry(id.to_owned()).or_insert_with(open))
    }
}

impl Approver for Chats {
    fn ask<'a>(&'a self, request: &'a ApprovalRequest) -> BoxFuture<'a, Answer> {
        let chat = self.get(&request.session().id);
        Box::pin(async move { chat.ask(&words(request)).await })
    }
}

fn words(request: &ApprovalRequest) -> String {
    let tool = request.tool().unwrap_or("the program");
    let arguments = request.arguments().unwrap_or_default();
    format!("may I call `{tool}` with {arguments}? (yes, no, stop)")
}

/// One chat: at most one step at a time, which has at most one question open.
struct Chat {
    id: String,
    out: Out,
    /// Held by whoever asks: several questions of one step come one after the other, or nobody
    /// could tell which of them a `yes` means.
    floor: tokio::sync::Mutex<()>,
    question: Mutex<Option<oneshot::Sender<Answer>>>,
    /// Ends the step that runs, if one does.
    step: Mutex<Option<oneshot::Sender<()>>>,
}

impl Chat {
    fn new(id: &str, out: Out) -> Self {
        Self {
            id: id.to_owned(),
            out,
            floor: tokio::sync::Mutex::default(),
            question: Mutex::default(),
            step: Mutex::default(),
        }
    }

    fn say(&self, text: impl Into<String>) {
        let _ = self.out.send((self.id.clone(), text.into())); // fails only when the bot is gone
    }

    /// Asks the chat and waits for a later message.
    async fn ask(&self, text: &str) -> Answer {
        let _floor = self.floor.lock().await;
        let (answer, answered) = oneshot::channel();
        *lock(&self.question) = Some(answer);
        let _withdrawn = Withdrawn(&self.question);
        self.say(text);
        let gone = |_| Answer::Reject("the chat was closed".to_owned());
        answered.await.unwrap_or_else(gone)
    }

    /// Answers the open question. Without one, the message means something else.
    fn answer(&self, answer: Answer) -> bool {
        let question = lock(&self.question).take();
        question.is_some_and(|question| question.send(answer).is_ok())
    }

    fn is_asking(&self) -> bool {
        lock(&self.question).is_some()
    }

    /// The receiver lives as long as the step.
    fn is_busy(&self) -> bool {
        let step = lock(&self.step);
        step.as_ref().is_some_and(|step| !step.is_closed())
    }

    fn stop(&self) {
        let step = lock(&self.step).take();
        if step.is_none_or(|step| step.send(()).is_err()) {
            self.say("nothing is running");
        }
    }

    /// Runs the calls beside whoever called this.
    fn start(self: Arc<Self>, session: Session, calls: Vec<ToolCall>) {
        if calls.is_empty() {
            return self.say("I know only `deploy <where>`");
        }
        let (stop, stopped) = oneshot::channel();
        *lock(&self.step) = Some(stop);
        tokio::spawn(async move {
            tokio::select! {
                results = session.execute(calls) => for result in results {
                    self.say(result.text());
                },
                // The step is dropped by now, and its question with it.
                _ = stopped => self.say("stopped"),
            }
        });
    }
}

/// Takes a question back when it was answered, or when the step that asked it is dropped.
struct Withdrawn<'chat>(&'chat Mutex<Option<oneshot::Sender<Answer>>>);

impl Drop for Withdrawn<'_> {
    fn drop(&mut self) {
        lock(self.0).take();
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
