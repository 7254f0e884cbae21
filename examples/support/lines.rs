//! What a person types.

use std::io::stdin;
use tokio::sync::mpsc;

/// The lines of standard input, read on a thread: reading blocks.
pub fn lines() -> mpsc::UnboundedReceiver<String> {
    let (lines, read) = mpsc::unbounded_channel();
    std::thread::spawn(move || {
        for line in stdin().lines().map_while(Result::ok) {
            let _ = lines.send(line); // fails only when the program is about to end
        }
    });
    read
}
