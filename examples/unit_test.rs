//! How to test tools: as the functions that they are, with a call by hand, and as a model calls them.
//!
//! ```console
//! $ cargo test -p chatluna-tool-examples --example unit_test
//! ```

use chatluna_tool::{CallContext, ToolError, tool};
use std::sync::atomic::{AtomicU32, Ordering::Relaxed};

/// The mails of the account.
struct Mailbox {
    mails: AtomicU32,
}

/// Splits an amount evenly
#[tool(traits(parallel, effect = "read"))]
async fn split(
    /// In cents
    amount: u32,
    /// How many share it
    people: u32,
) -> Result<u32, ToolError> {
    let share = amount.checked_div(people);
    share.ok_or_else(|| ToolError::retry("`people` is zero; somebody has to pay"))
}

/// Deletes old mails
#[tool(traits(effect = "write"))]
async fn clean_up(
    /// How many to keep
    keep: u32,
    mailbox: &Mailbox,
    call: &CallContext,
) -> Result<String, ToolError> {
    let mails = mailbox.mails.load(Relaxed);
    let old = mails.saturating_sub(keep);
    if old > 100 {
        call.ask(format!("deleting {old} mails")).await?;
    }
    mailbox.mails.store(mails - old, Relaxed);
    Ok(format!("deleted {old} mails"))
}

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), ToolError> {
    println!("each pays {} cents", split(1000, 4).await?);
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use chatluna_tool::{Answer, ErrorKind, testing};

    fn mailbox(mails: u32) -> Mailbox {
        let mails = mails.into();
        Mailbox { mails }
    }

    /// A tool is still a function.
    #[tokio::test]
    async fn each_pays_the_same() -> Result<(), ToolError> {
        assert_eq!(split(1000, 4).await?, 250);
        Ok(())
    }

    /// A script of answers stands in for the person.
    #[tokio::test]
    async fn many_mails_are_deleted_after_a_yes() -> Result<(), ToolError> {
        let call = testing::call_context().answers([Answer::Once]).build();
        let mailbox = mailbox(500);
        let said = clean_up(50, &mailbox, &call).await?;
        assert_eq!(said, "deleted 450 mails");
        assert_eq!(mailbox.mails.load(Relaxed), 50);
        Ok(())
    }

    /// The approver can be asked afterwards what it was asked.
    #[tokio::test]
    async fn nothing_is_deleted_after_a_no() {
        let approver = testing::ScriptedApprover::new([Answer::Reject("not today".to_owned())]);
        let call = testing::call_context().approver(approver.clone()).build();
        let mailbox = mailbox(500);
        let refused = clean_up(50, &mailbox, &call).await;
        assert_eq!(
            refused.map_err(|error| error.kind()),
            Err(ErrorKind::DeniedByUser)
        );
        assert_eq!(mailbox.mails.load(Relaxed), 500);
        let questions = approver.questions();
        let reasons: Vec<&str> = questions.iter().map(|question| question.reason()).collect();
        assert_eq!(reasons, ["deleting 450 mails"]);
    }

    /// As a model calls it: JSON in, text out.
    #[tokio::test]
    async fn a_model_splits_an_amount() {
        let result = testing::tool("split")
            .call(r#"{"amount": 1000, "people": 4}"#)
            .await;
        assert_eq!(result.text(), "250");
    }

    /// The same for what is wrong with the arguments, and with state.
    #[tokio::test]
    async fn a_model_reads_what_is_wrong() {
        let result = testing::tool("split").call(r#"{"amount": -1}"#).await;
        assert_eq!(result.error(), Some(ErrorKind::InvalidArguments));
        let result = testing::tool("clean_up")
            .state(mailbox(5))
            .call(r#"{"keep": 3}"#)
            .await;
        assert_eq!(result.text(), "deleted 2 mails");
    }
}
