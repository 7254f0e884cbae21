//! All of JSON Schema, by the crate `jsonschema`: for schemas that are given by hand and say more
//! than the walker knows.

use super::verdict::Problem;
use jsonschema::ValidationError;
use serde_json::Value;

/// A compiled schema, or why it is none.
#[derive(Clone, Debug)]
pub(crate) struct Validator(Result<jsonschema::Validator, String>);

impl Validator {
    pub(crate) fn of(schema: &Value) -> Self {
        let options = jsonschema::options().should_validate_formats(true);
        let compiled = options.build(schema);
        Self(compiled.map_err(|error| error.to_string()))
    }

    /// Why the schema is none.
    pub(crate) fn error(&self) -> Option<&str> {
        self.0.as_ref().err().map(String::as_str)
    }

    /// What a value breaks, in the validator's words. A schema that is none accepts nothing.
    pub(crate) fn problems(&self, value: &Value) -> Vec<Problem> {
        match &self.0 {
            Ok(validator) => validator.iter_errors(value).map(problem).collect(),
            Err(why) => vec![Problem {
                pointer: String::new(),
                message: format!("the tool's schema is broken, so that nothing fits it: {why}"),
                is_constraint: false,
            }],
        }
    }
}

fn problem(error: ValidationError<'_>) -> Problem {
    Problem {
        pointer: error.instance_path().as_str().to_owned(),
        message: error.to_string(),
        is_constraint: false,
    }
}
