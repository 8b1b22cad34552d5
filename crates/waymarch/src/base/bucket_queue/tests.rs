use proptest::prelude::*;

use super::{BucketQueue, MAX_WINDOW, NIL};
use crate::base::{OpenEntry, OpenList};

/// A slow reference: a list of (bucket, number of the push, key, item). It pops the lowest bucket, then the latest push.
struct Twin {
    shift: u32,
    floor: u64,
    pushes: u32,
    items: Vec<(u64, u32, u64)>,
}

impl Twin {
    fn push(&mut self, key: u64) -> u32 {
        self.items.push(((key >> self.shift).max(self.floor), self.pushes, key));
        self.pushes += 1;
        self.pushes - 1
    }

    fn pop(&mut self) -> Option<(u64, u32)> {
        let least = *self.items.iter().min_by_key(|(bucket, push, _)| (*bucket, u32::MAX - push))?;
        self.items.retain(|item| *item != least);
        self.floor = least.0;
        Some((least.2, least.1))
    }
}

#[derive(Clone, Debug)]
enum Act {
    /// Pushes a key this far above the floor.
    Push(u64),
    /// Pushes this key, above or below the floor.
    PushAnywhere(u64),
    Pop,
    ClearTo(u64),
}

fn act() -> impl Strategy<Value = Act> {
    let window = MAX_WINDOW;
    prop_oneof![
        8 => (0..300_u64).prop_map(Act::Push),
        2 => (0..20_000_u64).prop_map(Act::Push),
        2 => (window - 3..window + 3).prop_map(Act::Push),
        1 => (window * 2 - 3..window * 2 + 3).prop_map(Act::Push),
        1 => any::<u64>().prop_map(Act::PushAnywhere),
        10 => Just(Act::Pop),
        1 => prop_oneof![Just(0), any::<u64>(), 0..100_u64].prop_map(Act::ClearTo),
    ]
}

proptest! {
    #[test]
    fn agrees_with_the_slow_reference(
        shift in prop_oneof![Just(0_u32), 1..12_u32, Just(63), Just(200)],
        acts in prop::collection::vec(act(), 0..150),
    ) {
        let mut queue = BucketQueue::new(shift);
        let mut twin = Twin { shift: shift.min(63), floor: 0, pushes: 0, items: Vec::new() };
        for act in acts {
            match act {
                Act::Push(above) => {
                    let key = queue.floor().saturating_add(above << (shift.min(63) / 2));
                    queue.push(key, twin.push(key));
                }
                Act::PushAnywhere(key) => queue.push(key, twin.push(key)),
                Act::Pop => {
                    let bound = queue.lower_bound();
                    let popped = queue.pop();
                    prop_assert_eq!(popped, twin.pop());
                    prop_assert_eq!(bound, popped.map(|_| twin.floor << twin.shift));
                }
                Act::ClearTo(key) => {
                    queue.clear_to(key);
                    twin.items.clear();
                    twin.floor = key >> twin.shift;
                }
            }
            prop_assert_eq!(queue.len(), twin.items.len());
            prop_assert_eq!(queue.is_empty(), twin.items.is_empty());
        }
    }

    /// As in Dijkstra's algorithm, every push is at or above the last key popped. So both queues pop ascending buckets.
    #[test]
    fn buckets_are_popped_in_the_order_of_a_heap(
        steps in prop::collection::vec((0..900_u64, 0..900_u64), 1..120),
        shift in 0..8_u32,
    ) {
        let mut queue = BucketQueue::new(shift);
        let mut heap = OpenList::new();
        queue.push(0, 0);
        heap.push(OpenEntry::new(0, 0, 0));
        for (a, b) in steps {
            let (Some((key, _)), Some(entry)) = (queue.pop(), heap.pop()) else { break };
            prop_assert_eq!(key >> shift, entry.f >> shift);
            // Both queues get the same keys, relative to the lower end of the bucket.
            for step in [a, b] {
                let next = queue.floor() + (1 << shift) + step;
                queue.push(next, 0);
                heap.push(OpenEntry::new(next, 0, 0));
            }
        }
    }
}

#[test]
fn a_key_below_the_floor_is_popped_next_and_not_lost() {
    let mut queue = BucketQueue::new(0);
    queue.push(10, 'a');
    queue.push(11, 'b');
    assert_eq!(queue.pop(), Some((10, 'a')));
    queue.push(3, 'c');
    assert_eq!(queue.floor(), 10);
    assert_eq!(queue.pop(), Some((3, 'c')));
    assert_eq!(queue.floor(), 10, "the floor never sinks");
    assert_eq!(queue.pop(), Some((11, 'b')));
}

#[test]
fn repeating_the_same_calls_allocates_nothing() {
    let mut queue = BucketQueue::new(3);
    let mut memory = None;
    for round in 0..4_u64 {
        queue.clear_to(round * 1_000_000);
        let mut last = queue.floor();
        for at in 0..500_u64 {
            for step in [0, at % 700, 1_000_000] {
                queue.push(last + step, at);
            }
            if let Some((key, _)) = queue.pop() {
                last = key.max(last);
            }
        }
        let now =
            (queue.heads.capacity(), queue.occupied.capacity(), queue.nodes.capacity(), queue.far.capacity());
        assert_eq!(*memory.get_or_insert(now), now, "round {round}");
    }
    assert_ne!(queue.vacant, NIL);
}
