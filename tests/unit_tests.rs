//! How a user tests tools: as functions, without a runtime of ours.

use chatluna_tool::{CallContext, ToolError, tool};
use std::sync::Mutex;

/// What the program brings.
pub struct Stock<T> {
    sold: Mutex<Vec<T>>,
}

/// Sells a thing
#[tool]
pub async fn sell(
    /// What to sell
    name: &str,
    count: Option<u8>,
    stock: &Stock<String>,
    call: &CallContext,
) -> Result<usize, ToolError> {
    if count == Some(0) {
        return Err(call.deny("nothing to sell"));
    }
    tokio::task::yield_now().await;
    let mut sold = stock.sold.lock().map_err(|_| ToolError::new("closed"))?;
    sold.extend((0..count.unwrap_or(1)).map(|_| name.to_owned()));
    Ok(sold.len())
}

/// Adds prices
#[tool]
#[must_use]
pub fn total(prices: &[u32], call: &CallContext) -> String {
    format!("{}: {}", call.name(), prices.iter().sum::<u32>())
}

#[cfg(test)]
mod tests {
    use super::{Stock, sell, total};
    use chatluna_tool::{CallContext, testing, tool};
    use std::sync::Mutex;

    /// A tool that only tests have
    #[tool]
    fn double(number: u8) -> u8 {
        number * 2
    }

    fn stock() -> Stock<String> {
        let sold = Mutex::new(Vec::new());
        Stock { sold }
    }

    #[test]
    fn a_plain_function_is_called() {
        assert_eq!(double(2), 4);
        let call: CallContext = testing::call_context().build();
        let total = total(&[1, 2], &call);
        assert!(total.ends_with(": 3"), "{total}");
    }

    #[tokio::test]
    async fn an_async_function_is_awaited() {
        let (stock, call) = (stock(), testing::call_context().build());
        assert_eq!(sell("tea", Some(2), &stock, &call).await.ok(), Some(2));
        assert_eq!(sell("cup", None, &stock, &call).await.ok(), Some(3));
    }

    #[tokio::test]
    async fn what_it_refuses_is_an_error() {
        let (stock, call) = (stock(), testing::call_context().build());
        let refused = sell("tea", Some(0), &stock, &call).await;
        assert!(refused.is_err_and(|error| error.to_string().contains("nothing to sell")));
    }

    #[test]
    fn it_is_a_value_like_any_function() {
        let function: fn(u8) -> u8 = double;
        let doubled: Vec<u8> = [1, 2].into_iter().map(function).collect();
        assert_eq!(doubled, [2, 4]);
    }
}
