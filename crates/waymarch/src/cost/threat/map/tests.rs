use super::*;
use crate::base::{Purpose, Rng, cell};
use crate::cost::sector_grid::{SectorGrid, SectorId};
use crate::cost::threat::Falloff;

fn empty_map() -> (ThreatMap, ChangeLog) {
    let grid = GridSize::new(80, 60).expect("a legal size");
    (ThreatMap::new(grid, 200), ChangeLog::new(SectorGrid::new(grid, 16)))
}

fn sources(count: u32) -> Vec<ThreatSource> {
    let mut random = Rng::keyed(5, Tick::ZERO, 0, Purpose(1));
    let mut source = |number: u32| {
        let at = cell(random.below(80) as i32, random.below(60) as i32);
        ThreatSource { at, radius: 4 + (number % 2) as u16, strength: 3, falloff: Falloff::Linear }
    };
    (0..count).map(&mut source).collect()
}

#[test]
fn the_strengths_of_alternating_sources_are_computed_once_per_kind() {
    let (mut map, mut log) = empty_map();
    let ids: Vec<ThreatId> = sources(500).into_iter().map(|source| map.add(source.into())).collect();
    map.refresh(&mut log);
    assert_eq!(map.stencil.computed, 2);
    assert!(map.same_values(&map.rebuilt()));
    ids.into_iter().for_each(|id| map.set(id, None).expect("it exists"));
    map.refresh(&mut log);
    assert!(map.stencil.computed <= 4 && map.counted == 0 && map.sums.iter().all(|&sum| sum == 0));
}

/// Sources in the order of their slots, the cells of each row by row, each cell when it first differs.
#[test]
fn many_overlapping_sources_log_their_cells_in_the_order_of_single_ones() {
    for count in [3, 500] {
        let (mut map, mut log) = empty_map();
        let list = sources(count);
        for source in &list {
            map.add((*source).into());
        }
        map.allocate();
        let (mut values, mut expected) = (map.values.clone(), empty_map().1);
        let (now, then) = (log.mark_now(), expected.mark_now());
        log.begin();
        map.refresh(&mut log);
        expected.begin();
        for source in list {
            for at in source.rect().intersect(map.grid.rect()).cells() {
                let place = map.padding.pad(at).index();
                if core::mem::replace(&mut values[place], map.values[place]) != map.values[place] {
                    expected.mark_threat(at);
                }
            }
        }
        let sectors: Option<&[SectorId]> = expected.since(then);
        assert_eq!(log.since(now), sectors);
        assert_eq!(log.count_since(now), expected.count_since(then));
        assert!(log.count_since(now) > 3);
    }
}
