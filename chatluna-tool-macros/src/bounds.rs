//! Model: `range(A..=B)` and `length(A..=B)`.

use crate::key::{Key, Value};
use crate::report::Report;
use crate::value::ungrouped;
use quote::ToTokens;
use std::cmp::Ordering;
use syn::{Expr, ExprRange, ExprUnary, Lit, RangeLimits, UnOp};

/// The two ends, both included.
pub(crate) struct Bounds {
    pub(crate) whole: Expr,
    pub(crate) min: Option<Expr>,
    pub(crate) max: Option<Expr>,
}

/// `key(A..=B)` or `key = A..=B`.
pub(crate) fn bounds(key: Key, report: &mut Report) -> Option<Bounds> {
    let name = key.name;
    let value = match key.value {
        Value::Broken => return None,
        Value::Flag => None,
        Value::Expr(value) => Some(*value),
        Value::List(tokens) => syn::parse2(tokens).ok(),
    };
    match value.map(ungrouped) {
        Some(Expr::Range(range)) => inclusive(&name, range, report),
        _ => {
            let message = format_args!("`{name}` takes a range; write `{name}(1..=10)`");
            report.on(name.clone(), message);
            None
        }
    }
}

fn inclusive(name: &impl ToTokens, range: ExprRange, report: &mut Report) -> Option<Bounds> {
    match (&range.start, &range.limits, &range.end) {
        (None, _, None) => {
            let message = "a range needs a bound; write `1..=10`, `1..` or `..=10`";
            report.on(name, message);
            None
        }
        (_, RangeLimits::HalfOpen(dots), Some(_)) => {
            report.on(dots, "the end of a range is part of it; write `..=`");
            None
        }
        _ => Some(Bounds {
            min: range.start.clone().map(|bound| ungrouped(*bound)),
            max: range.end.clone().map(|bound| ungrouped(*bound)),
            whole: Expr::Range(range),
        }),
    }
}

/// A number whose value is known here.
#[derive(Clone, Copy)]
pub(crate) enum Number {
    Integer(i128),
    Float(f64),
}

impl Number {
    /// The value of a literal, also of a negative one.
    pub(crate) fn of(expr: &Expr) -> Option<Self> {
        match expr {
            Expr::Group(group) => Self::of(&group.expr),
            Expr::Paren(paren) => Self::of(&paren.expr),
            Expr::Unary(ExprUnary {
                op: UnOp::Neg(_),
                expr,
                ..
            }) => Some(match Self::of(expr)? {
                Self::Integer(value) => Self::Integer(-value),
                Self::Float(value) => Self::Float(-value),
            }),
            Expr::Lit(literal) => match &literal.lit {
                Lit::Int(number) => number.base10_parse().ok().map(Self::Integer),
                Lit::Float(number) => number.base10_parse().ok().map(Self::Float),
                _ => None,
            },
            _ => None,
        }
    }

    pub(crate) fn float(self) -> f64 {
        match self {
            #[allow(
                clippy::cast_precision_loss,
                reason = "for the comparison with a float"
            )]
            Self::Integer(value) => value as f64,
            Self::Float(value) => value,
        }
    }

    fn compare(self, other: Self) -> Option<Ordering> {
        match (self, other) {
            (Self::Integer(left), Self::Integer(right)) => Some(left.cmp(&right)),
            _ => self.float().partial_cmp(&other.float()),
        }
    }

    pub(crate) fn is_less(self, other: Self) -> bool {
        self.compare(other) == Some(Ordering::Less)
    }
}

impl Bounds {
    pub(crate) fn min_number(&self) -> Option<Number> {
        self.min.as_ref().and_then(Number::of)
    }

    pub(crate) fn max_number(&self) -> Option<Number> {
        self.max.as_ref().and_then(Number::of)
    }

    /// Whether all there is to know of them is known here.
    pub(crate) fn are_literal(&self) -> bool {
        let is_literal = |bound: &Option<Expr>| {
            bound
                .as_ref()
                .is_none_or(|bound| Number::of(bound).is_some())
        };
        is_literal(&self.min) && is_literal(&self.max)
    }

    /// Whether a value that is known lies beyond a bound that is known.
    pub(crate) fn excludes(&self, value: Number) -> bool {
        self.min_number().is_some_and(|min| value.is_less(min))
            || self.max_number().is_some_and(|max| max.is_less(value))
    }

    pub(crate) fn is_inverted(&self) -> bool {
        let ends = self.min_number().zip(self.max_number());
        ends.is_some_and(|(min, max)| max.is_less(min))
    }
}
