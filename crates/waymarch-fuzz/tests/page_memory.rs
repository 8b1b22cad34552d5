//! The memory for messages of pages follows the maps that they ask for.

use waymarch_fuzz::page_messages::{asked_bytes, page_message};
use waymarch_fuzz::seeds::seeds_of;
use waymarch_fuzz::targets::find;
use waymarch_testkit::alloc::{CountingAllocator, peak_in};

#[global_allocator]
static ALLOCATOR: CountingAllocator = CountingAllocator;

/// The most memory that messages may take, and what they took, in bytes.
fn memory(messages: &[&str]) -> (u64, u64) {
    let text = messages.join("\n");
    let target = find("page_message").unwrap();
    let (peak, answer) = peak_in(|| page_message(text.as_bytes()));
    assert!(answer.is_ok(), "{answer:?}");
    (target.allowed_bytes(text.as_bytes()), peak)
}

fn load(side: u32) -> String {
    format!(r#"{{"do": "load", "generate": {{"seed": 7, "width": {side}, "height": {side}}}}}"#)
}

const SNAPSHOT: &str = r#"{"do": "snapshot"}"#;
const ALL_SIZES: &str = r#"{"do": "config", "key": "size_classes", "value": "[1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16]"}"#;

#[test]
fn messages_that_load_no_map_may_take_100_mb_and_the_seeds_take_2() {
    let target = find("page_message").unwrap();
    for (name, bytes) in seeds_of(target).unwrap() {
        let (peak, _) = peak_in(|| page_message(&bytes));
        assert!(peak < 2 << 20, "{name}: {peak} bytes");
        if !bytes.windows(4).any(|word| word == b"load") {
            assert_eq!(asked_bytes(&bytes), 0, "{name}");
            assert!(target.allowed_bytes(&bytes) < 100_000_000, "{name}");
        }
    }
    let spawn = r#"{"do": "spawn", "kind": 0, "count": 5000, "x": 4, "y": 4}"#;
    let (allowed, peak) = memory(&[spawn, SNAPSHOT, ALL_SIZES]);
    assert!(allowed < 100_000_000 && peak < 10_000_000, "{peak} of {allowed}");
}

#[test]
fn a_message_that_loads_the_largest_map_takes_memory_for_its_cells_and_not_more() {
    let (allowed, peak) = memory(&[&load(2048)]);
    assert!(peak < allowed && allowed < 6 * peak, "{peak} of {allowed}");
    // The old game and a snapshot are still held when the next game begins.
    let (allowed, peak) = memory(&[&load(512), SNAPSHOT, &load(512)]);
    assert!(peak < allowed && allowed < 8 * peak, "{peak} of {allowed}");
    let (allowed, peak) = memory(&[&load(512), ALL_SIZES, SNAPSHOT]);
    assert!(peak < allowed && allowed < 3 * peak, "{peak} of {allowed}");
    let refused = load(2049);
    assert_eq!(asked_bytes(refused.as_bytes()), 0);
    let (peak, answer) = peak_in(|| page_message(refused.as_bytes()));
    assert!(answer.is_err() && peak < 2 << 20, "{answer:?}: {peak} bytes");
}
