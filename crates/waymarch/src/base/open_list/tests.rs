use proptest::prelude::*;

use super::{OpenEntry, OpenList};

/// Small ranges, so that ties are frequent in every field.
fn entry() -> impl Strategy<Value = OpenEntry> {
    prop_oneof![
        (0..6_u64, 0..4_u32, 0..8_u32).prop_map(|(f, h, id)| OpenEntry::new(f, h, id)),
        any::<(u64, u32, u32)>().prop_map(|(f, h, id)| OpenEntry::new(f, h, id)),
    ]
}

proptest! {
    #[test]
    fn pops_in_sorted_order(entries in prop::collection::vec(entry(), 0..200)) {
        let mut open = OpenList::new();
        for &entry in &entries {
            open.push(entry);
        }
        let mut sorted = entries;
        sorted.sort_unstable();
        let mut popped = Vec::new();
        while let Some(entry) = open.pop() {
            popped.push(entry);
        }
        prop_assert_eq!(popped, sorted);
    }

    /// `None` pops and `Some` pushes. The reference is a sorted vector.
    #[test]
    fn agrees_with_a_sorted_vector_when_mixed(acts in prop::collection::vec(prop::option::of(entry()), 0..200)) {
        let mut open = OpenList::with_capacity(8);
        let mut twin: Vec<OpenEntry> = Vec::new();
        for act in acts {
            match act {
                Some(entry) => {
                    open.push(entry);
                    let at = twin.partition_point(|other| *other <= entry);
                    twin.insert(at, entry);
                }
                None => {
                    let expected = if twin.is_empty() { None } else { Some(twin.remove(0)) };
                    prop_assert_eq!(open.pop(), expected);
                }
            }
            prop_assert_eq!(open.peek(), twin.first().copied());
            prop_assert_eq!(open.len(), twin.len());
            prop_assert_eq!(open.is_empty(), twin.is_empty());
        }
    }

    #[test]
    fn changed_entries_are_popped_in_order(entries in proptest::collection::vec(entry(), 0..200)) {
        let mut open = OpenList::new();
        entries.iter().for_each(|&entry| open.push(entry));
        let change = |entry: OpenEntry| {
            (entry.id % 3 != 0).then(|| OpenEntry::new(u64::from(entry.h), entry.f as u32, entry.id))
        };
        open.change_all(change);
        let mut twin: Vec<OpenEntry> = entries.into_iter().filter_map(change).collect();
        twin.sort_unstable();
        prop_assert_eq!(core::iter::from_fn(|| open.pop()).collect::<Vec<_>>(), twin);
    }

    #[test]
    fn the_packed_key_has_the_order_of_entries(a in entry(), b in entry()) {
        prop_assert_eq!(a.key().cmp(&b.key()), a.cmp(&b));
    }
}

#[test]
fn clearing_keeps_the_memory() {
    let mut open = OpenList::new();
    for id in 0..100 {
        open.push(OpenEntry::new(u64::from(100 - id), 0, id));
    }
    let before = open.heap.capacity();
    open.clear();
    assert!(open.is_empty());
    for id in 0..100 {
        open.push(OpenEntry::new(7, 7, id));
    }
    assert_eq!(open.heap.capacity(), before);
    assert_eq!(open.pop(), Some(OpenEntry::new(7, 7, 0)));
}
