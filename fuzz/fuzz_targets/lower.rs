//! Any schema in every dialect: it is lowered, to the same bytes each time and not to a flood, and
//! arguments come back. What was lowered is a schema that can be lowered again.

#![no_main]

use chatluna_tool::provider::{Dialect, lower};
use chatluna_tool_fuzz::case;
use libfuzzer_sys::fuzz_target;

/// References are inlined, so a schema grows; not without end.
const LARGEST: usize = 4 << 20;

fuzz_target!(|data: &[u8]| {
    let Some((schema, value)) = case(data) else {
        return;
    };
    for dialect in Dialect::ALL {
        let lowered = lower(&schema, *dialect);
        let again = lower(&schema, *dialect);
        let text = lowered.schema.to_string();
        assert_eq!(text, again.schema.to_string(), "{dialect}");
        assert_eq!(lowered.losses, again.losses, "{dialect}");
        assert!(text.len() < LARGEST, "{dialect}: {} bytes", text.len());
        assert_eq!(lowered.schema["type"], "object", "{dialect}: {schema}");
        assert!(
            lowered.schema["properties"].is_object(),
            "{dialect}: {schema}"
        );
        let restored = lowered.restore(value.clone());
        assert_eq!(restored, again.restore(value.clone()), "{dialect}");
        let twice = lower(&lowered.schema, *dialect);
        let _ = twice.restore(value.clone());
    }
});
