use alloc::collections::BTreeMap;

use proptest::prelude::*;

use super::{RETIRED, Slot, Slots};
use crate::base::Id;

/// A kind without traits.
struct Thing;

type Store = Slots<Thing, u32>;

#[test]
fn the_smallest_free_index_is_reused_first() {
    let mut store = Store::new();
    let ids: Vec<_> = (0..6).map(|value| store.insert(value)).collect();
    for at in [4, 1, 3] {
        assert_eq!(store.remove(ids[at]), Some(at as u32));
    }
    let again: Vec<_> = (10..14).map(|value| store.insert(value)).collect();
    assert_eq!(again, [Id::new(1, 1), Id::new(3, 1), Id::new(4, 1), Id::new(6, 0)]);
}

#[test]
fn a_stale_id_finds_nothing_and_removes_nothing() {
    let mut store = Store::new();
    let old = store.insert(1);
    store.remove(old);
    let new = store.insert(2);
    assert_eq!(old.index(), new.index());
    assert_eq!(store.get(old), None);
    assert_eq!(store.get_mut(old), None);
    assert!(!store.contains(old));
    assert_eq!(store.remove(old), None);
    assert_eq!(store.get(new), Some(&2));
    assert_eq!(store.get(Id::DEAD), None);
    assert_eq!(store.id_at(0), Some(new));
    assert_eq!(store.id_at(1), None);
}

#[test]
fn a_slot_out_of_generations_is_retired() {
    let mut store = Store::from_slots(vec![
        Slot { generation: RETIRED - 1, value: Some(5) },
        Slot { generation: RETIRED - 1, value: None },
    ]);
    let last = Id::new(0, RETIRED - 1);
    assert_eq!(store.remove(last), Some(5));
    assert_eq!(store.get(last), None);
    let next = store.insert(6);
    assert_eq!(next, Id::new(1, RETIRED - 1), "slot 1 has one generation left");
    store.clear();
    assert_eq!(store.insert(7), Id::new(2, 0), "slots 0 and 1 are retired");
    assert_eq!(store.len(), 1);
}

#[test]
fn clearing_makes_every_id_stale() {
    let mut store = Store::new();
    let ids: Vec<_> = (0..3).map(|value| store.insert(value)).collect();
    store.clear();
    assert!(store.is_empty() && ids.iter().all(|&id| !store.contains(id)));
    assert_eq!(store.insert(9), Id::new(0, 1));
}

#[test]
fn a_value_can_store_its_own_id() {
    let mut store: Slots<Thing, u64> = Slots::new();
    let id = store.insert_with(Id::to_bits);
    assert_eq!(store.get(id), Some(&id.to_bits()));
}

#[test]
fn memory_does_not_grow_while_no_more_values_exist_than_before() {
    for mut store in [Store::new(), Store::with_capacity(100)] {
        let mut ids: Vec<_> = (0..100).map(|value| store.insert(value)).collect();
        let before = (store.slots.capacity(), store.free.capacity());
        for round in 0..10 {
            for id in ids.drain(..) {
                store.remove(id);
            }
            ids.extend((0..100).map(|value| store.insert(value + round)));
        }
        assert_eq!((store.slots.capacity(), store.free.capacity()), before);
    }
}

#[derive(Clone, Debug)]
enum Act {
    Insert(u32),
    Remove(usize),
    Change(usize),
}

fn acts() -> impl Strategy<Value = Vec<Act>> {
    let act = prop_oneof![
        3 => any::<u32>().prop_map(Act::Insert),
        2 => (0..40_usize).prop_map(Act::Remove),
        1 => (0..40_usize).prop_map(Act::Change),
    ];
    prop::collection::vec(act, 0..120)
}

proptest! {
    /// For every id that was ever handed out, the store answers like a map with unique keys.
    #[test]
    fn a_store_is_a_map_that_never_reuses_an_id(acts in acts()) {
        let mut store = Store::new();
        let mut model = BTreeMap::new();
        let mut names = Vec::new();
        for act in acts {
            match act {
                Act::Insert(value) => {
                    let id = store.insert(value);
                    prop_assert!(!names.contains(&id));
                    names.push(id);
                    model.insert(id, value);
                }
                Act::Remove(at) => {
                    if let Some(id) = names.get(at) {
                        prop_assert_eq!(store.remove(*id), model.remove(id));
                    }
                }
                Act::Change(at) => {
                    if let Some(id) = names.get(at) {
                        if let Some(value) = store.get_mut(*id) {
                            *value ^= 1;
                        }
                        model.entry(*id).and_modify(|value| *value ^= 1);
                    }
                }
            }
            prop_assert_eq!(store.len(), model.len());
            prop_assert!(names.iter().all(|id| store.get(*id) == model.get(id)));
            prop_assert!(store.iter().eq(model.iter().map(|(&id, value)| (id, value))), "in index order");
        }
        let mut rebuilt = Store::from_slots(store.slots.clone());
        prop_assert_eq!(&rebuilt, &store);
        let mut copy = store.clone();
        for value in 0..5 {
            let id = store.insert(value);
            prop_assert_eq!(rebuilt.insert(value), id, "a rebuilt store hands out the same ids");
            prop_assert_eq!(copy.insert(value), id);
        }
        prop_assert!(store.iter_mut().map(|(id, _)| id).eq(rebuilt.ids()));
    }
}
