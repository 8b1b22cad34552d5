//! The counting allocator counts correctly. This is a binary of its own, because the allocator is global.

use std::hint::black_box;

use waymarch_testkit::alloc::{Allocations, CountingAllocator, allocations_in, peak_in};

#[global_allocator]
static ALLOCATOR: CountingAllocator = CountingAllocator;

#[test]
fn borrowing_work_allocates_nothing() {
    let mut memory = vec![0_u64; 100];
    let (counted, ()) = allocations_in(|| {
        memory.clear();
        memory.extend(0..100);
    });
    assert_eq!(counted, Allocations::default());
}

#[test]
fn allocating_and_growing_memory_counts() {
    let (counted, memory) = allocations_in(|| {
        let mut memory: Vec<u8> = black_box(Vec::with_capacity(10));
        memory.resize(10, 1);
        memory.reserve_exact(90);
        memory
    });
    assert_eq!(counted, Allocations { calls: 2, bytes: 110 });
    let (counted, zeroed) = allocations_in(|| black_box(vec![0_u8; 64]));
    assert_eq!(counted, Allocations { calls: 1, bytes: 64 });
    let (counted, ()) = allocations_in(|| drop((memory, zeroed)));
    assert_eq!(counted.calls, 0);
}

#[test]
#[allow(clippy::disallowed_methods, reason = "the test is about threads")]
fn other_threads_do_not_count() {
    let (sender, receiver) = std::sync::mpsc::sync_channel::<()>(0);
    let busy = std::thread::scope(|scope| {
        let other = scope.spawn(move || {
            receiver.recv().expect("a start");
            (0..100).map(|n| black_box(vec![n])).map(|memory| memory.len()).sum::<usize>()
        });
        sender.send(()).expect("a listener");
        let (counted, ()) = allocations_in(|| {
            while !other.is_finished() {
                std::hint::spin_loop();
            }
        });
        assert_eq!(counted.calls, 0);
        other.join().expect("the other thread")
    });
    assert_eq!(busy, 100);
}

#[test]
fn the_peak_is_the_most_memory_held_at_once() {
    let kept = black_box(vec![0_u8; 1000]);
    let (peak, ()) = peak_in(|| {
        drop(black_box(vec![0_u8; 300]));
        let mut grown: Vec<u8> = black_box(Vec::with_capacity(100));
        grown.reserve_exact(400);
        drop(black_box(grown));
    });
    assert_eq!(peak, 400);
    let (peak, ()) = peak_in(|| drop(kept));
    assert_eq!(peak, 0);
}
