//! Splitting a group between two crossings: equals a twin that tries every split and lets units cross one by one.

use waymarch::base::Rng;
use waymarch::groups::{Crosser, Crossing, Splitter, Standing};

/// The tick at which the last member arrives if the first `count` of `order` take the far crossing.
fn end(near: Crossing, far: Crossing, all: &[Crosser], order: &[usize], count: usize) -> u64 {
    let sent = &order[..count];
    let queue = |takes: &dyn Fn(usize) -> Option<u64>, crossing: Crossing| {
        let mut waiting: Vec<(u64, u32, usize)> =
            (0..all.len()).filter_map(|place| takes(place).map(|at| (at, all[place].id, place))).collect();
        waiting.sort_unstable();
        let (mut free, mut last) = (0, 0);
        for (at, _, place) in waiting {
            let crosses = free.max(at);
            free = crosses + crossing.headway;
            if !matches!(all[place].standing, Standing::OtherNear | Standing::OtherFar) {
                last = crosses + crossing.rest;
            }
        }
        last
    };
    let goes_far = |place: usize| match all[place].standing {
        Standing::Far | Standing::OtherFar => true,
        Standing::Near | Standing::OtherNear => false,
        Standing::Free => sent.contains(&place),
    };
    let one = queue(&|place| (!goes_far(place)).then_some(all[place].near), near);
    let other = queue(&|place| goes_far(place).then_some(all[place].far), far);
    one.max(other)
}

#[test]
fn no_other_split_is_faster_than_the_one_chosen() {
    let mut rng = Rng::pcg32(9, 1);
    let (mut splitter, mut sent) = (Splitter::default(), Vec::new());
    let mut split = 0;
    for _ in 0..400 {
        let mut crossing =
            |rest: u32| Crossing { headway: u64::from(rng.below(40)), rest: u64::from(rng.below(rest)) };
        let (near, far) = (crossing(50), crossing(500));
        let all: Vec<Crosser> = (0..rng.below(60))
            .map(|id| {
                let standing = match rng.below(9) {
                    0 => Standing::Near,
                    1 => Standing::Far,
                    2 => Standing::OtherNear,
                    3 => Standing::OtherFar,
                    _ => Standing::Free,
                };
                let (near, far) = (u64::from(rng.below(300)), u64::from(rng.below(900)));
                Crosser { id: 1000 - id, standing, near, far }
            })
            .collect();
        let mut order: Vec<usize> =
            (0..all.len()).filter(|&place| all[place].standing == Standing::Free).collect();
        order.sort_by_key(|&place| (all[place].far as i64 - all[place].near as i64, all[place].id));
        let ends: Vec<u64> = (0..=order.len()).map(|count| end(near, far, &all, &order, count)).collect();
        let best = *ends.iter().min().expect("at least one");
        let found = splitter.split(near, far, &all, &mut sent);
        assert_eq!((found.without, found.with), (ends[0], best), "{near:?} {far:?} {all:?}");
        assert_eq!(ends[sent.len()], best);
        let expected: Vec<u32> = order[..sent.len()].iter().map(|&place| all[place].id).collect();
        assert_eq!(sent, expected, "members with the smallest detour go first");
        split += usize::from(!sent.is_empty());
    }
    assert!(split > 60, "{split} of 400 were split");
}
