//! The spatial index finds what a scan over all units finds.

use waymarch::avoid::{Fine, SpatialIndex};
use waymarch::base::Fixed;
use waymarch_testkit::splitmix::SplitMix;

/// Sets of points: spread, crowded onto few positions (many ties), far apart, all at one position.
fn scenes() -> Vec<(Vec<Fine>, Vec<u32>)> {
    let mut rng = SplitMix::new(11);
    let mut scenes = Vec::new();
    for (count, extent, grain) in
        [(300, 30 << 16, 1), (200, 8 << 16, 1 << 16), (60, i32::MAX, 1), (40, 1, 1), (1, 9, 1), (0, 1, 1)]
    {
        let mut coordinate = || (rng.below(extent as u32) as i32 - extent / 2) / grain * grain;
        let pos: Vec<Fine> = (0..count).map(|_| Fine::new(coordinate(), coordinate())).collect();
        // Different ids, not sorted.
        let ids = (0..count).map(|number| (number * 7919 + 5) % 1009).collect();
        scenes.push((pos, ids));
    }
    scenes
}

fn slow_within(pos: &[Fine], ids: &[u32], at: Fine, reach: Fixed) -> Vec<u32> {
    let limit = (i128::from(reach.raw()) * 64).pow(2);
    let square = |to: Fine| {
        let (x, y) = (i128::from(to.x) - i128::from(at.x), i128::from(to.y) - i128::from(at.y));
        x * x + y * y
    };
    let mut near: Vec<u32> =
        (0..pos.len() as u32).filter(|&unit| square(pos[unit as usize]) <= limit).collect();
    near.sort_by_key(|&unit| (square(pos[unit as usize]), ids[unit as usize]));
    near
}

#[test]
fn radius_and_nearest_queries_find_what_a_full_scan_finds() {
    let mut found = Vec::new();
    for (pos, ids) in scenes() {
        let mut index = SpatialIndex::new(Fixed::from_cells(2));
        index.rebuild(&pos, &ids);
        let elsewhere = [Fine::ZERO, Fine::new(i32::MAX, i32::MIN), Fine::new(-40 << 16, 3)];
        for &at in pos.iter().step_by(3).chain(&elsewhere) {
            for reach in [0, 512, 2 * 1024, 9 * 1024, i32::MAX / 64] {
                let reach = Fixed::from_raw(reach);
                let slow = slow_within(&pos, &ids, at, reach);
                index.within(at, reach, &mut found);
                assert_eq!(found, slow, "{at:?} {reach}");
                index.nearest(at, 8, reach, &mut found);
                assert_eq!(found, slow[..slow.len().min(8)], "{at:?} {reach}");
            }
        }
    }
}

#[test]
fn box_queries_find_what_a_full_scan_finds() {
    let mut found = Vec::new();
    let mut rng = SplitMix::new(3);
    for (pos, ids) in scenes() {
        let mut index = SpatialIndex::new(Fixed::from_cells(3));
        index.rebuild(&pos, &ids);
        for _ in 0..60 {
            let mut corner = || (rng.below(40 << 16) as i32) - (20 << 16);
            let (low, high) = (Fine::new(corner(), corner()), Fine::new(corner(), corner()));
            let inside = |at: Fine| at.x >= low.x && at.x <= high.x && at.y >= low.y && at.y <= high.y;
            let mut slow: Vec<u32> =
                (0..pos.len() as u32).filter(|&unit| inside(pos[unit as usize])).collect();
            slow.sort_by_key(|&unit| ids[unit as usize]);
            index.in_box(low, high, &mut found);
            assert_eq!(found, slow, "{low:?} {high:?}");
        }
    }
}

#[test]
fn a_rebuilt_index_forgets_its_old_points() {
    let mut used = SpatialIndex::new(Fixed::from_cells(2));
    let (mut a, mut b) = (Vec::new(), Vec::new());
    for (pos, ids) in scenes() {
        used.rebuild(&pos, &ids);
        let mut fresh = SpatialIndex::new(Fixed::from_cells(2));
        fresh.rebuild(&pos, &ids);
        used.within(Fine::ZERO, Fixed::from_cells(12), &mut a);
        fresh.within(Fine::ZERO, Fixed::from_cells(12), &mut b);
        assert_eq!(a, b);
    }
}
