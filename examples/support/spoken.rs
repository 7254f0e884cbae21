//! The text of a streamed reply. `openai::Deltas` puts the calls together; words are the program's.

use serde_json::Value;

/// Reads server-sent events, cut anywhere, for what the model says in them.
#[derive(Default)]
pub struct Spoken {
    /// A line that is not complete yet.
    rest: Vec<u8>,
    /// All that was said.
    pub text: String,
}

impl Spoken {
    /// Takes the next bytes in; gives what they say.
    pub fn push(&mut self, bytes: &[u8]) -> String {
        self.rest.extend(bytes);
        let mut said = String::new();
        while let Some(end) = self.rest.iter().position(|byte| *byte == b'\n') {
            let line: Vec<u8> = self.rest.drain(..=end).collect();
            said += &words(&line);
        }
        self.text += &said;
        said
    }
}

/// What one line says. All but chunks of the reply say nothing: `: ping`, `data: [DONE]`.
fn words(line: &[u8]) -> String {
    let data = line.strip_prefix(b"data:").unwrap_or_default();
    let chunk: Value = serde_json::from_slice(data).unwrap_or_default();
    let words = chunk.pointer("/choices/0/delta/content");
    words.and_then(Value::as_str).unwrap_or_default().to_owned()
}
