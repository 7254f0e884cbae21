//! OpenAI's two formats. What is here without a further name is [`chat`].

pub mod chat;
pub mod responses;

pub use chat::{
    Deltas, strict_tools, strict_tools_as, tool_calls, tool_messages, tool_messages_as, tools,
    tools_as,
};
