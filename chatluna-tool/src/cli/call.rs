//! `call`.

use super::{Outcome, Usage};
use crate::error::ErrorKind;
use crate::session::Session;

pub(super) async fn call(session: &Session, name: &str, json: String) -> Result<Outcome, Usage> {
    // A name that was typed wrong is no call.
    session.definition(name)?;
    let result = session.call(name, json).await;
    let text = result.text();
    Ok(match result.error() {
        None => Outcome::Printed(text.into_owned()),
        Some(ErrorKind::NoApprover) => {
            Outcome::Failed(format!("`{name}`: {text}; `--yes` approves it"))
        }
        Some(_) => Outcome::Failed(format!("`{name}`: {text}")),
    })
}
