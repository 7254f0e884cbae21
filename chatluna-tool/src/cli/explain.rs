//! `explain`.

use super::judging::policy;
use super::{Usage, read};
use crate::call::ToolCall;
use crate::identity::SessionInfo;
use crate::runtime::{Overrides, Runtime};

pub(super) fn explain(
    runtime: &Runtime,
    name: &str,
    arguments: &str,
    file: Option<&str>,
) -> Result<String, Usage> {
    let overrides = Overrides {
        policy: file.map(policy).transpose()?,
        ..Overrides::default()
    };
    let arguments = match arguments {
        "-" => read("-")?,
        text => text.to_owned(),
    };
    let session = runtime.session_with(SessionInfo::new("cli"), overrides);
    let explained = session.explain(&ToolCall::new(name, arguments))?;
    Ok(explained.to_string())
}
