//! Stores of the engine that are read as JSON are checked like saved bytes.

use waymarch::base::Slots;

#[test]
fn a_retired_slot_with_a_value_is_refused() {
    let read = |text: &str| serde_json::from_str::<Slots<(), u32>>(text);
    let store =
        read(r#"[{"generation":4294967295,"value":null},{"generation":3,"value":7}]"#).expect("a store");
    assert_eq!(store.len(), 1);
    let refused = read(r#"[{"generation":4294967295,"value":7}]"#).expect_err("slot 0 is retired");
    assert!(refused.to_string().contains("a retired slot has a value"), "{refused}");
}
