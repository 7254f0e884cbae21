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
        assert_eq!(self.said(chat).await?, reply);
        Ok(())
    }

    async fn said(&mut self, chat: &str) -> Result<String, Box<dyn Error>> {
        let said = timeout(Duration::from_secs(5), self.said.recv()).await?;
        let (place, text) = said.ok_or("the bot is gone")?;
        assert_eq!(place, chat, "{text}");
        Ok(text)
    }

    /// Waits for a question about this environment; its code.
    async fn question(&mut self, chat: &str, env: &str) -> Result<String, Box<dyn Error>> {
        let said = self.said(chat).await?;
        let question = format!(r#"may I call `deploy` with {{"env":"{env}"}}? (yes "#);
        let rest = said.strip_prefix(&question).ok_or_else(|| said.clone())?;
        let (code, rest) = rest.split_once(',').ok_or_else(|| said.clone())?;
        assert_eq!(rest, format!(" no {code}, stop)"));
        Ok(code.to_owned())
    }

    /// Asks for a deployment; the code of the question that follows.
    async fn deploy(&mut self, chat: &str, env: &str) -> Result<String, Box<dyn Error>> {
        self.bot.on_message(chat, &format!("deploy {env}"));
        self.question(chat, env).await
    }
}

const REFUSED: &str = "error (denied_by_user): the call was refused: the user said no; nothing was run; do not try it again";
const BUSY: &str = "one moment; answer what is open with its code, or say `stop`";
const NO_COMMAND: &str = "I know only `deploy <where>`";

fn unknown(code: &str) -> String {
    format!("no question has the code {code}")
}

#[tokio::test]
async fn a_later_yes_runs_the_call() -> Tested {
    let mut chats = Chats::new()?;
    let code = chats.deploy("a", "prod").await?;
    let yes = format!("yes {code}");
    chats.expect("a", &yes, "deployed to prod").await?;
    chats.expect("a", &yes, &unknown(&code)).await
}

#[tokio::test]
async fn a_later_no_refuses_it() -> Tested {
    let mut chats = Chats::new()?;
    let code = chats.deploy("a", "prod").await?;
    chats.expect("a", &format!("no {code}"), REFUSED).await
}

#[tokio::test]
async fn a_dropped_step_leaves_no_question_behind() -> Tested {
    let mut chats = Chats::new()?;
    let code = chats.deploy("a", "prod").await?;
    chats.expect("a", "stop", "stopped").await?;
    chats.expect("a", "hello", NO_COMMAND).await?;
    let yes = format!("yes {code}");
    chats.expect("a", &yes, &unknown(&code)).await?;
    chats.expect("a", "stop", "nothing is running").await?;
    let code = chats.deploy("a", "test").await?;
    let yes = format!("yes {code}");
    chats.expect("a", &yes, "deployed to test").await
}

#[tokio::test]
async fn two_questions_of_a_step_are_told_apart_by_their_codes() -> Tested {
    let mut chats = Chats::new()?;
    chats.bot.on_message("a", "deploy prod test");
    let prod = chats.question("a", "prod").await?;
    let test = chats.question("a", "test").await?;
    chats.bot.on_message("a", &format!("yes {test}"));
    chats.expect("a", &format!("no {prod}"), REFUSED).await?;
    assert_eq!(chats.said("a").await?, "deployed to test");
    Ok(())
}

#[tokio::test]
async fn another_chat_answers_nothing() -> Tested {
    let mut chats = Chats::new()?;
    let code = chats.deploy("a", "prod").await?;
    let yes = format!("yes {code}");
    chats.expect("b", &yes, &unknown(&code)).await?;
    chats.expect("a", "deploy test", BUSY).await?;
    chats.expect("a", &yes, "deployed to prod").await
}
