//! Tools that are methods of a value, with arguments that say what fits.
//!
//! ```console
//! $ cargo run --example toolset
//! error (invalid_arguments): /task: must have between 1 and 80 characters, has 0
//! /priority: must be between 1 and 5, got 9
//! added as number 1
//! 1. [3] buy milk
//! ```

use chatluna_tool::{AllowAll, BuildError, Runtime, SessionInfo, tool, tools, toolset};
use std::fmt::Write;
use std::sync::{Mutex, PoisonError};

/// What is to be done.
#[derive(Default)]
struct TodoList {
    tasks: Mutex<Vec<(String, u8)>>,
}

#[toolset(prefix = "todo")]
impl TodoList {
    /// Adds a task
    #[tool(traits(effect = "write"))]
    async fn add(
        &self,
        /// What is to be done
        #[arg(length(1..=80))]
        task: String,
        /// 5 is urgent
        #[arg(default = 3, range(1..=5))]
        priority: u8,
    ) -> String {
        let mut tasks = self.tasks.lock().unwrap_or_else(PoisonError::into_inner);
        tasks.push((task, priority));
        format!("added as number {}", tasks.len())
    }

    /// Lists the tasks
    #[tool(traits(parallel, effect = "read"))]
    async fn list(&self) -> String {
        let tasks = self.tasks.lock().unwrap_or_else(PoisonError::into_inner);
        let mut text = String::new();
        for (index, (task, priority)) in tasks.iter().enumerate() {
            let _ = writeln!(text, "{}. [{priority}] {task}", index + 1);
        }
        text
    }
}

/// What a model might send: a mistake, then the same again with other arguments.
const CALLS: [(&str, &str); 3] = [
    ("todo_add", r#"{"task": "", "priority": 9}"#),
    ("todo_add", r#"{"task": "buy milk"}"#),
    ("todo_list", ""),
];

async fn answers() -> Result<Vec<String>, BuildError> {
    let runtime = Runtime::builder()
        .tools(tools![TodoList::*])
        .state(TodoList::default())
        .approver(AllowAll)
        .build()?;
    let session = runtime.session(SessionInfo::new("demo"));
    let mut answers = Vec::new();
    for (name, arguments) in CALLS {
        let result = session.call(name, arguments).await;
        answers.push(result.text().trim_end().to_owned());
    }
    Ok(answers)
}

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), BuildError> {
    println!("{}", answers().await?.join("\n"));
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::answers;
    use std::error::Error;

    #[tokio::test]
    async fn the_transcript_above_is_real() -> Result<(), Box<dyn Error>> {
        let file = include_str!("toolset.rs").split_once("--example toolset\n");
        let transcript = file.and_then(|(_, rest)| rest.split_once("//! ```"));
        let (transcript, _) = transcript.ok_or("there is no transcript")?;
        let answers = answers().await?.join("\n");
        assert_eq!(transcript.replace("//! ", "").trim(), answers);
        Ok(())
    }
}
