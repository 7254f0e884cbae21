//! Approvals that arrive as messages.

#[allow(dead_code, reason = "a test has no use for its `main`")]
#[path = "../bot_approval.rs"]
mod bot_approval;

use bot_approval::Bot;
use std::error::Error;
use std::time::Duration;
use tokio::sync::mpsc;
use tokio::time::timeout;

type Tested = Result<(), Box<dyn Error>>;

/// A bot and what it said so far.
struct Chats {
    bot: Bot,
    said: mpsc::UnboundedReceiver<(String, String)>,
}

impl Chats {
    fn new() -> Result<Self, Box<dyn Error>> {
        let (out, said) = mpsc::unbounded_channel();
        let bot = Bot::new(out)?;
        Ok(Self { bot, said })
    }

    /// Sends a message and waits for the next thing that the bot says, which has to be this, here.
    async fn expect(&mut self, chat: &str, message: &str, reply: &str) -> Tested {
        self.bot.on_message(chat, message);
        self.then(chat, reply).await
    }

    async fn then(&mut self, chat: &str, reply: &str) -> Tested {
        let said = timeout(Duration::from_secs(5), self.said.recv()).await?;
        assert_eq!(said, Some((chat.to_owned(), reply.to_owned())));
        Ok(())
    }
}

const PROD: &str = r#"may I call `deploy` with {"env":"prod"}? (yes, no, stop)"#;
const TEST: &str = r#"may I call `deploy` with {"env":"test"}? (yes, no, stop)"#;
const REFUSED: &str = "error (denied_by_user): the call was refused: the user said no; nothing was run; do not try it again";
const HINT: &str = "please say yes or no";
const NO_COMMAND: &str = "I know only `deploy <where>`";

#[tokio::test]
async fn a_later_yes_runs_the_call() -> Tested {
    let mut chats = Chats::new()?;
    chats.expect("a", "deploy prod", PROD).await?;
    chats.expect("a", "yes", "deployed to prod").await
}

#[tokio::test]
async fn a_later_no_refuses_it() -> Tested {
    let mut chats = Chats::new()?;
    chats.expect("a", "deploy prod", PROD).await?;
    chats.expect("a", "no", REFUSED).await
}

#[tokio::test]
async fn a_dropped_step_leaves_no_question_behind() -> Tested {
    let mut chats = Chats::new()?;
    chats.expect("a", "deploy prod", PROD).await?;
    chats.expect("a", "stop", "stopped").await?;
    // With a question open, the first would get a hint and the second run the call.
    chats.expect("a", "hello", NO_COMMAND).await?;
    chats.expect("a", "yes", NO_COMMAND).await?;
    chats.expect("a", "stop", "nothing is running").await?;
    chats.expect("a", "deploy test", TEST).await?;
    chats.expect("a", "yes", "deployed to test").await
}

#[tokio::test]
async fn two_questions_of_a_step_are_asked_one_after_the_other() -> Tested {
    let mut chats = Chats::new()?;
    chats.expect("a", "deploy prod test", PROD).await?;
    chats.expect("a", "no", TEST).await?;
    chats.expect("a", "yes", REFUSED).await?;
    chats.then("a", "deployed to test").await
}

#[tokio::test]
async fn another_chat_answers_nothing() -> Tested {
    let mut chats = Chats::new()?;
    chats.expect("a", "deploy prod", PROD).await?;
    chats.expect("b", "yes", NO_COMMAND).await?;
    chats.expect("a", "deploy test", HINT).await?;
    chats.expect("a", "yes", "deployed to prod").await
}
