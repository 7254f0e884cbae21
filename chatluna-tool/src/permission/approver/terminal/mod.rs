//! Questions that are put on the terminal and answered with one key.

mod hidden;
mod keyboard;
mod question;

use super::{Answer, ApprovalRequest, Approver};
use crate::BoxFuture;
use crate::permission::Risk;
use console::{Key, Term};
use keyboard::Keyboard;
use question::question;
use std::io;
use std::sync::Arc;
use std::thread;
use std::time::Duration;
use tokio::sync::{Mutex, MutexGuard, oneshot};

/// Who may ask: a process has one terminal, whichever approver uses it.
static TURN: Mutex<()> = Mutex::const_new(());
/// How long nothing is asked after a question was withdrawn, lest a key that was meant for it
/// answers the next one.
const PAUSE: Duration = Duration::from_millis(300);
const LEGEND: &str = "y once, t this turn, s this session, a always, n no, v never: ";
/// Of critical calls nothing is remembered.
const CRITICAL_LEGEND: &str = "y once, n no: ";

/// An approver that asks whoever sits at the terminal.
///
/// ```
/// use chatluna_tool::{Runtime, approver};
///
/// let runtime = Runtime::builder().approver(approver::terminal());
/// # let _ = runtime.build();
/// ```
pub fn terminal() -> TerminalApprover {
    TerminalApprover(())
}

/// Asks on the terminal, one question at a time, in the order in which they are asked.
///
/// The question goes to standard error. One key answers it: `y` once, `t` this turn, `s` this
/// session, `a` always, `n` (or `q`, Escape, Ctrl-C) no, `v` never; of a call at
/// [`Risk::Critical`] only yes and no. The key is read from the terminal also where standard input
/// is not one. What was typed before the question was shown answers nothing. Whatever a terminal
/// would obey or hide is shown as an escape such as `\u{202e}`.
///
/// Without a terminal it refuses at once.
///
/// Dropping the future withdraws the question, gives the terminal back and lets the next one ask.
/// Where the system cannot wait for a key and for something else (anything but Linux and its
/// like), the next one asks after one more key. A program that exits while a question is open
/// leaves the terminal without echo: `reset` brings it back.
#[derive(Clone, Copy, Debug)]
pub struct TerminalApprover(());

impl Approver for TerminalApprover {
    fn ask<'a>(&'a self, request: &'a ApprovalRequest) -> BoxFuture<'a, Answer> {
        Box::pin(async move {
            let turn = TURN.lock().await;
            put(request, turn).await.unwrap_or_else(Answer::Reject)
        })
    }

    fn name(&self) -> &str {
        "terminal"
    }
}

/// Asks in a thread of its own: reading a key blocks, and a runtime that ends does not wait for it.
async fn put(request: &ApprovalRequest, turn: MutexGuard<'static, ()>) -> Result<Answer, String> {
    let no_terminal = || "there is no terminal to ask on".to_owned();
    let screen = Term::stderr();
    if !screen.is_term() {
        return Err(no_terminal());
    }
    let keyboard = Arc::new(Keyboard::open().map_err(|_| no_terminal())?);
    let _restored = Restored(Arc::clone(&keyboard));
    let (sender, answer) = oneshot::channel();
    let asked = Asked {
        screen,
        keyboard,
        text: question(request),
        risk: request.risk(),
        sender,
    };
    let asking = move || {
        asked.settle();
        drop(turn);
    };
    let thread = thread::Builder::new().name("chatluna-tool-terminal".to_owned());
    thread
        .spawn(asking)
        .map_err(|error| format!("the terminal cannot be read: {error}"))?;
    answer
        .await
        .unwrap_or_else(|_| Err("the terminal cannot be read".to_owned()))
}

/// Gives the terminal back at once when the question is withdrawn: the program may end before the
/// thread hears of it.
struct Restored(Arc<Keyboard>);

impl Drop for Restored {
    fn drop(&mut self) {
        self.0.restore();
    }
}

/// A question that has its turn.
struct Asked {
    screen: Term,
    keyboard: Arc<Keyboard>,
    text: String,
    risk: Risk,
    sender: oneshot::Sender<Result<Answer, String>>,
}

impl Asked {
    fn settle(self) {
        let answer = self.answer();
        self.keyboard.close();
        let answer = answer.map_err(|error| format!("the terminal cannot be read: {error}"));
        if let Some(answer) = answer.transpose() {
            let _ = self.sender.send(answer);
            return;
        }
        let _ = self.screen.write_line("(withdrawn)");
        thread::sleep(PAUSE);
    }

    /// The answer; `None` when the question was withdrawn.
    fn answer(&self) -> io::Result<Option<Answer>> {
        self.screen.write_str(&self.text)?;
        loop {
            // Also the rest of a key that is unknown: an arrow can be an escape and a letter.
            self.keyboard.forget()?;
            self.screen.write_str(legend(self.risk))?;
            let Some(key) = self.key()? else {
                return Ok(None);
            };
            if let Some(answer) = answer(&key, self.risk) {
                self.screen.write_line(word(&answer))?;
                return Ok(Some(answer));
            }
            self.screen.write_line("")?;
        }
    }

    fn key(&self) -> io::Result<Option<Key>> {
        loop {
            if self.sender.is_closed() {
                return Ok(None);
            }
            if self.keyboard.has_key()? {
                let key = self.screen.read_key_raw()?;
                return Ok((!self.sender.is_closed()).then_some(key));
            }
        }
    }
}

fn legend(risk: Risk) -> &'static str {
    match risk {
        Risk::Critical => CRITICAL_LEGEND,
        Risk::Normal | Risk::Dangerous => LEGEND,
    }
}

/// What a key answers, if anything.
fn answer(key: &Key, risk: Risk) -> Option<Answer> {
    let answer = match key {
        Key::Char('y' | 'Y') => Answer::Once,
        Key::Char('n' | 'N' | 'q' | 'Q') | Key::Escape | Key::CtrlC => {
            Answer::Reject("refused at the terminal".to_owned())
        }
        _ if risk == Risk::Critical => return None,
        Key::Char('t') => Answer::Turn,
        Key::Char('s') => Answer::Session,
        Key::Char('a') => Answer::Always,
        Key::Char('v') => Answer::Never,
        _ => return None,
    };
    Some(answer)
}

fn word(answer: &Answer) -> &'static str {
    match answer {
        Answer::Reject(_) => "no",
        answer => answer.as_str(),
    }
}

#[cfg(test)]
mod tests {
    use super::{Answer, Key, Risk, answer, legend, word};

    fn words(risk: Risk, keys: &str) -> Vec<&'static str> {
        let answers = keys.chars().map(|key| answer(&Key::Char(key), risk));
        answers
            .map(|answer| answer.as_ref().map_or("?", word))
            .collect()
    }

    #[test]
    fn a_key_is_an_answer_or_nothing() {
        for risk in [Risk::Normal, Risk::Dangerous] {
            let answers = ["once", "turn", "session", "always", "no", "never", "no"];
            assert_eq!(words(risk, "ytsanvq"), answers);
            assert_eq!(words(risk, "YNQ"), ["once", "no", "no"]);
        }
        assert_eq!(words(Risk::Normal, "TSAV x1"), ["?"; 7]);
        for key in [Key::Enter, Key::Tab, Key::ArrowUp, Key::Unknown] {
            assert_eq!(answer(&key, Risk::Normal), None, "{key:?}");
        }
        for key in [Key::Escape, Key::CtrlC] {
            let refused = matches!(answer(&key, Risk::Normal), Some(Answer::Reject(_)));
            assert!(refused, "{key:?}");
        }
    }

    #[test]
    fn of_critical_calls_nothing_is_remembered() {
        assert_eq!(words(Risk::Critical, "yn"), ["once", "no"]);
        assert_eq!(words(Risk::Critical, "tsav"), ["?"; 4]);
        assert!(!legend(Risk::Critical).contains("always"));
    }
}
