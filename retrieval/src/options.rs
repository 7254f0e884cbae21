//! The command line.

use std::path::PathBuf;

pub const USAGE: &str = "usage: retrieval DIR [--split NAME] [--examples N] [--json]

  DIR           holds NAME.tools.jsonl and NAME.SPLIT.jsonl of any number of NAMEs
  --split NAME  the queries to take; `dev` if absent
  --examples N  teaches the search, with at most N queries a tool (0 to 5; 0 if absent), and measures
                it on others: five folds of the queries, each measured with what the others teach
  --json        the figures of chatluna-tool alone, as JSON";

/// The most examples that the runtime keeps of a tool.
const MAX_EXAMPLES: usize = 5;

/// What to measure, and how to print it.
#[derive(Debug, PartialEq, Eq)]
pub struct Options {
    pub folder: PathBuf,
    pub split: String,
    pub examples: usize,
    pub json: bool,
}

impl Options {
    /// Reads what comes after the program's name. Without a DIR it is one that does not exist.
    pub fn read(arguments: impl IntoIterator<Item = String>) -> Result<Self, String> {
        let mut arguments = arguments.into_iter();
        let mut options = Self {
            folder: PathBuf::new(),
            split: "dev".to_owned(),
            examples: 0,
            json: false,
        };
        while let Some(argument) = arguments.next() {
            match &*argument {
                "--json" => options.json = true,
                "--examples" => options.examples = examples(arguments.next())?,
                "--split" => {
                    let split = arguments.next();
                    options.split = split.ok_or("`--split` has no value; write a name after it")?;
                }
                _ if argument.starts_with('-') => {
                    return Err(format!("`{argument}` is no option"));
                }
                _ if options.folder.as_os_str().is_empty() => options.folder = argument.into(),
                _ => return Err(format!("`{argument}` is a second folder; give one")),
            }
        }
        Ok(options)
    }
}

/// From 0 to [`MAX_EXAMPLES`].
fn examples(value: Option<String>) -> Result<usize, String> {
    let range = || format!("write a number from 0 to {MAX_EXAMPLES} after it");
    let value = value.ok_or_else(|| format!("`--examples` has no value; {}", range()))?;
    let number = value.parse().ok().filter(|number| *number <= MAX_EXAMPLES);
    number.ok_or_else(|| format!("`{value}` is no value of `--examples`; {}", range()))
}

#[cfg(test)]
mod tests {
    use super::Options;

    fn read(arguments: &[&str]) -> Result<Options, String> {
        Options::read(arguments.iter().map(|&argument| argument.to_owned()))
    }

    #[test]
    fn options_stand_anywhere() {
        let wanted = Options {
            folder: "data".into(),
            split: "test".to_owned(),
            examples: 3,
            json: true,
        };
        let arguments = ["--json", "data", "--examples", "3", "--split", "test"];
        assert_eq!(read(&arguments), Ok(wanted));
    }

    #[test]
    fn what_is_wrong_is_said() {
        for (arguments, error) in [
            (&["--jsno"][..], "`--jsno` is no option"),
            (&["a", "b"], "`b` is a second folder; give one"),
            (
                &["--split"],
                "`--split` has no value; write a name after it",
            ),
            (
                &["--examples"],
                "`--examples` has no value; write a number from 0 to 5 after it",
            ),
            (
                &["--examples", "6"],
                "`6` is no value of `--examples`; write a number from 0 to 5 after it",
            ),
            (
                &["--examples", "-1"],
                "`-1` is no value of `--examples`; write a number from 0 to 5 after it",
            ),
            (
                &["--examples", "--json"],
                "`--json` is no value of `--examples`; write a number from 0 to 5 after it",
            ),
        ] {
            assert_eq!(read(arguments), Err(error.to_owned()));
        }
    }
}
