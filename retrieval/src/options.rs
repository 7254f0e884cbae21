//! The command line.

use std::path::PathBuf;

pub const USAGE: &str = "usage: retrieval DIR [--split NAME] [--json]

  DIR           holds NAME.tools.jsonl and NAME.SPLIT.jsonl of any number of NAMEs
  --split NAME  the queries to take; `dev` if absent
  --json        the figures of chatluna-tool alone, as JSON";

/// What to measure, and how to print it.
#[derive(Debug, PartialEq, Eq)]
pub struct Options {
    pub folder: PathBuf,
    pub split: String,
    pub json: bool,
}

impl Options {
    /// Reads what comes after the program's name. Without a DIR it is one that does not exist.
    pub fn read(arguments: impl IntoIterator<Item = String>) -> Result<Self, String> {
        let mut arguments = arguments.into_iter();
        let mut options = Self {
            folder: PathBuf::new(),
            split: "dev".to_owned(),
            json: false,
        };
        while let Some(argument) = arguments.next() {
            match &*argument {
                "--json" => options.json = true,
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
            json: true,
        };
        assert_eq!(read(&["--json", "data", "--split", "test"]), Ok(wanted));
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
        ] {
            assert_eq!(read(arguments), Err(error.to_owned()));
        }
    }
}
