use super::{StampedMap, StampedSet};

#[test]
fn a_stamp_stays_invalid_after_the_generations_ran_out() {
    let mut set = StampedSet::new(4);
    let mut map = StampedMap::new(4, 0_u8);
    // In generation 1, which is also the first generation after the generations ran out.
    set.insert(1);
    map.set(1, 11);
    (set.generation, map.generation) = (u32::MAX, u32::MAX);
    set.insert(2);
    map.set(2, 22);
    assert!(set.contains(2) && !set.contains(1));
    set.clear();
    map.clear();
    assert_eq!((set.generation, map.generation), (1, 1));
    for index in 0..4 {
        assert!(!set.contains(index));
        assert_eq!(map.get(index), None);
    }
    assert!(set.insert(2));
}

#[test]
fn poisoned_scratch_is_empty_in_every_generation() {
    for generation in [1, 2, 3, 1000, u32::MAX - 1, u32::MAX] {
        let mut set = StampedSet::new(500);
        let mut map = StampedMap::new(500, 0_u32);
        (set.generation, map.generation) = (generation, generation);
        for round in 0..5 {
            (0..500).for_each(|index| map.set(index, index));
            (0..500).for_each(|index| assert!(set.insert(index)));
            set.poison();
            map.poison(0xDEAD_BEEF);
            assert!((0..500).all(|index| !set.contains(index)), "generation {generation}, round {round}");
            assert!((0..500).all(|index| !map.contains(index)), "generation {generation}, round {round}");
        }
    }
}

#[test]
fn resizing_keeps_entries_and_adds_none() {
    let mut set = StampedSet::new(3);
    let mut map = StampedMap::new(3, 0_u8);
    for index in 0..3 {
        set.insert(index);
        map.set(index, 5);
    }
    set.resize(2);
    map.resize(2);
    assert!(!set.contains(2) && !map.contains(2));
    set.resize(9);
    map.resize(9);
    assert_eq!((set.len(), map.len()), (9, 9));
    let kept: Vec<u32> = (0..20).filter(|&index| set.contains(index)).collect();
    assert_eq!(kept, [0, 1], "no index out of range");
    assert!((0..20).filter(|&index| map.contains(index)).eq(kept));
    assert!(!set.is_empty() && !map.is_empty());
    assert!(StampedSet::new(0).is_empty() && StampedMap::new(0, 0).is_empty());
}

#[test]
fn removal_removes_one_entry() {
    let mut set = StampedSet::new(3);
    let mut map = StampedMap::new(3, 0_u8);
    for index in 0..3 {
        set.insert(index);
        map.set(index, index as u8);
    }
    assert!(set.remove(1) && !set.remove(1) && !set.remove(77));
    assert_eq!((map.remove(1), map.remove(1), map.remove(77)), (Some(1), None, None));
    assert!(set.contains(0) && !set.contains(1) && set.contains(2));
    if let Some(value) = map.get_mut(2) {
        *value += 40;
    }
    assert_eq!((map.get(0), map.get(1), map.get(2)), (Some(0), None, Some(42)));
    assert_eq!(map.get_mut(1), None);
}
