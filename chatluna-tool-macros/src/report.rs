//! Every mistake once, all of them in one compile.

use proc_macro2::{Span, TokenStream};
use quote::ToTokens;
use std::fmt::Display;
use syn::Error;

/// Collects errors; pushing one never stops the stage at hand.
#[derive(Default)]
pub(crate) struct Report {
    errors: Option<Error>,
    is_left_to_rustc: bool,
}

impl Report {
    /// An error on all tokens of `place`.
    pub(crate) fn on(&mut self, place: impl ToTokens, message: impl Display) {
        self.push(Error::new_spanned(place, message));
    }

    /// An error at one span.
    pub(crate) fn at(&mut self, span: Span, message: impl Display) {
        self.push(Error::new(span, message));
    }

    pub(crate) fn push(&mut self, error: Error) {
        match &mut self.errors {
            Some(errors) => errors.combine(error),
            none => *none = Some(error),
        }
    }

    /// A mistake that rustc reports about the function alone: saying it twice helps nobody.
    pub(crate) fn leave_to_rustc(&mut self) {
        self.is_left_to_rustc = true;
    }

    /// The errors as `compile_error!` calls, if anything is wrong.
    pub(crate) fn into_errors(self) -> Option<TokenStream> {
        let errors = self.errors.map(Error::into_compile_error);
        errors.or_else(|| self.is_left_to_rustc.then(TokenStream::new))
    }
}
