//! The README's transcripts against what the commands print today.

use std::error::Error;
use std::path::Path;
use std::process::Command;

type Tested = Result<(), Box<dyn Error>>;

/// A command of the README and the lines below it.
struct Transcript {
    command: String,
    output: String,
}

/// The `console` blocks: `$ command`, then its output. A block without output is shown again later.
fn transcripts(readme: &str) -> Vec<Transcript> {
    let blocks = readme.split("```console\n$ ").skip(1);
    let blocks = blocks.filter_map(|block| block.split_once("```")?.0.split_once('\n'));
    blocks
        .map(|(command, output)| Transcript {
            command: command.to_owned(),
            output: output.to_owned(),
        })
        .collect()
}

/// Runs the command in a shell, with the binary of this build for `cargo run --`.
fn run(command: &str) -> Result<String, Box<dyn Error>> {
    let binary = concat!("'", env!("CARGO_BIN_EXE_quickstart"), "'");
    let script = format!("{{ {}; }} 2>&1", command.replace("cargo run --", binary));
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let output = Command::new("sh")
        .args(["-c", &script])
        .current_dir(folder)
        .output()?;
    Ok(String::from_utf8(output.stdout)?)
}

/// The text without the times, which differ from run to run, and without what they pad.
fn without_times(text: &str) -> String {
    let line = |line: &str| {
        let words = line.split(' ').filter(|word| !word.is_empty());
        let words: Vec<&str> = words
            .map(|word| if is_time(word) { "_" } else { word })
            .collect();
        words.join(" ")
    };
    text.lines().map(line).collect::<Vec<_>>().join("\n")
}

/// `301.4ms` and the like.
fn is_time(word: &str) -> bool {
    let unit = word.trim_start_matches(|letter: char| letter.is_ascii_digit() || letter == '.');
    unit.len() < word.len() && ["ns", "µs", "ms", "s"].contains(&unit)
}

#[test]
fn the_transcripts_of_the_readmes_are_real() -> Tested {
    for name in ["README.md", "README.zh-CN.md"] {
        let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("..").join(name);
        let readme = std::fs::read_to_string(file)?;
        let transcripts = transcripts(&readme);
        let shown = transcripts
            .iter()
            .filter(|transcript| !transcript.output.is_empty());
        let mut count = 0;
        for Transcript { command, output } in shown {
            count += 1;
            let real = without_times(&run(command)?);
            assert_eq!(real, without_times(output), "{name}: $ {command}");
        }
        assert_eq!(count, 6);
    }
    Ok(())
}
