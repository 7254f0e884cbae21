//! Answers that are kept: always, and never.

use super::Rule;
use std::error::Error;
use std::fmt;
use std::sync::{Arc, Mutex, PoisonError};

/// Where the answers [`Always`](crate::Answer::Always) and [`Never`](crate::Answer::Never) are kept,
/// as rules.
///
/// They come after the rules of the policy, so that an answer wins over an `ask` that is not
/// final. [`MemoryGrants`] is the store that programs have unless they bring another with
/// [`RuntimeBuilder::grants`](crate::RuntimeBuilder::grants).
pub trait GrantStore: Send + Sync + 'static {
    /// All rules, in the order in which they were added. It is asked at each decision.
    fn rules(&self) -> Arc<[Rule]>;

    /// Keeps more rules.
    ///
    /// # Errors
    /// When they cannot be kept. The error is logged; the answer holds for the session then.
    fn add(&self, rules: &[Rule]) -> Result<(), GrantError>;
}

impl<G: GrantStore + ?Sized> GrantStore for Arc<G> {
    fn rules(&self) -> Arc<[Rule]> {
        (**self).rules()
    }

    fn add(&self, rules: &[Rule]) -> Result<(), GrantError> {
        (**self).add(rules)
    }
}

/// Keeps answers as long as the program runs.
#[derive(Debug)]
pub struct MemoryGrants(Mutex<Arc<[Rule]>>);

impl Default for MemoryGrants {
    fn default() -> Self {
        Self(Mutex::new(Arc::new([])))
    }
}

impl GrantStore for MemoryGrants {
    fn rules(&self) -> Arc<[Rule]> {
        Arc::clone(&self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }

    fn add(&self, rules: &[Rule]) -> Result<(), GrantError> {
        let mut kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        *kept = kept.iter().chain(rules).cloned().collect();
        Ok(())
    }
}

/// Why answers could not be read or kept.
#[derive(Debug)]
pub struct GrantError {
    message: String,
    source: Option<Box<dyn Error + Send + Sync>>,
}

impl GrantError {
    /// An error with this text.
    pub fn new(message: impl fmt::Display) -> Self {
        Self {
            message: message.to_string(),
            source: None,
        }
    }

    /// An error that says what could not be done, and why.
    pub fn wrap(message: impl fmt::Display, source: impl Error + Send + Sync + 'static) -> Self {
        Self {
            message: message.to_string(),
            source: Some(Box::new(source)),
        }
    }
}

impl fmt::Display for GrantError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)?;
        match &self.source {
            Some(source) => write!(f, ": {source}"),
            None => Ok(()),
        }
    }
}

impl Error for GrantError {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        // The text is the source's own, so what comes next is its source.
        self.source.as_deref().and_then(Error::source)
    }
}
