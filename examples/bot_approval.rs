//! A bot that asks before it acts, and gets the answer as a later message of the same chat.
//!
//! ```console
//! $ cargo run -p chatluna-tool-examples --example bot_approval
//! deploy prod
//! bot> may I call `deploy` with {"env":"prod"}? (yes 4817, no 4817, stop)
//! yes 4817
//! bot> deployed to prod
//! ```
//!
//! The trap: whoever handles a message and waits there for the step will never see the answer,
//! because that is the next message. So [`Bot::on_message`] waits for nothing. The step runs in a
//! task of its own, its questions arrive on a channel, and the handler of a later message answers
//! them by their codes, which tell several open questions apart. No model is needed:
//! [`scripted_model`] stands in for one.

#[path = "support/lines.rs"]
mod lines;

use chatluna_tool::approver::{self, ChannelApprover, Question, Questions};
use chatluna_tool::{Answer, PermissionPolicy, Runtime, Session, SessionInfo, ToolCall, tool};
use lines::lines;
use serde_json::json;
use std::collections::HashMap;
use std::error::Error;
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

/// What the bot says, and to which chat.
pub type Out = mpsc::UnboundedSender<(String, String)>;

/// The bot.
pub struct Bot {
    runtime: Runtime,
    approver: ChannelApprover,
    out: Out,
    chats: Mutex<HashMap<String, Arc<Chat>>>,
}

impl Bot {
    /// A bot that speaks into `out`.
    pub fn new(out: Out) -> Result<Self, Box<dyn Error>> {
        let (approver, questions) = approver::channel();
        let runtime = Runtime::builder()
            .collect()
            .policy(PermissionPolicy::new()) // reads run, the rest is asked about
            .approver(approver.clone())
            .build()?;
        tokio::spawn(show(questions, out.clone()));
        let chats = Mutex::default();
        Ok(Self {
            runtime,
            approver,
            out,
            chats,
        })
    }

    /// Handles one message, and never waits. Where many people share a chat, this is the place to
    /// check that the sender is one who may say yes.
    pub fn on_message(&self, id: &str, text: &str) {
        let chat = self.chat(id);
        let no = || Answer::Reject("the user said no".to_owned());
        match text.split_whitespace().collect::<Vec<_>>()[..] {
            ["stop"] => chat.stop(),
            ["yes", code] => self.answer(&chat, code, Answer::Once),
            ["no", code] => self.answer(&chat, code, no()),
            _ if chat.is_busy() => {
                chat.say("one moment; answer what is open with its code, or say `stop`")
            }
            _ => {
                let session = self.runtime.session(SessionInfo::new(id));
                chat.start(session, scripted_model(text));
            }
        }
    }

    /// Answers a question of this chat: nobody else's, even with its code.
    fn answer(&self, chat: &Chat, code: &str, answer: Answer) {
        let of_chat = |question: &Question| question.request.session().id == chat.id;
        let mut open = self.approver.open().into_iter().filter(of_chat);
        let question = open.find(|question| question.code == code);
        if !question.is_some_and(|question| self.approver.answer(question.id, answer)) {
            chat.say(format!("no question has the code {code}"));
        }
    }

    fn chat(&self, id: &str) -> Arc<Chat> {
        let mut chats = lock(&self.chats);
        let open = || Arc::new(Chat::new(id, self.out.clone()));
        Arc::clone(chats.entry(id.to_owned()).or_insert_with(open))
    }
}

/// Shows each question in the chat whose step asks it, until the bot is gone.
async fn show(mut questions: Questions, out: Out) {
    while let Some(Question { code, request, .. }) = questions.next().await {
        let tool = request.tool().unwrap_or("the program");
        let arguments = request.arguments().unwrap_or_default();
        let text = format!("may I call `{tool}` with {arguments}? (yes {code}, no {code}, stop)");
        let _ = out.send((request.session().id.clone(), text));
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

/// One chat: at most one step at a time.
struct Chat {
    id: String,
    out: Out,
    /// Ends the step that runs, if one does.
    step: Mutex<Option<oneshot::Sender<()>>>,
}

impl Chat {
    fn new(id: &str, out: Out) -> Self {
        Self {
            id: id.to_owned(),
            out,
            step: Mutex::default(),
        }
    }

    fn say(&self, text: impl Into<String>) {
        let _ = self.out.send((self.id.clone(), text.into())); // fails only when the bot is gone
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
                // The step is dropped by now, and its questions with it.
                _ = stopped => self.say("stopped"),
            }
        });
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
