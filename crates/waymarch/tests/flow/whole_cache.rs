//! The cache of whole-map fields: which queries share a field, how long a refusal is remembered, and how many bytes it holds.

use waymarch::base::{Agent, CellPos, CellRect, Dir8, GridSize, LocomotorId, SizeClass, Tick, cell};
use waymarch::cost::{
    CornerRule, CostLayer, CostSettings, FootCell, LocomotorDef, Map, Rules, Stamp, StampId, StepRule,
    Surface, SurfaceMask, TerrainDef,
};
use waymarch::flow::whole::{
    FieldError, FieldKey, Keep, WholeField, WholeFields, WholeFieldsSettings, WholeScratch,
};
use waymarch::query::{Goal, PlanError, Shape, Threat};
use waymarch_testkit::alloc::held_by;
use waymarch_testkit::grids::Grid;
use waymarch_testkit::splitmix::SplitMix;

const RULES: [StepRule; 4] = [
    StepRule::eight(CornerRule::Forbid),
    StepRule::eight(CornerRule::AllowOne),
    StepRule::eight(CornerRule::Allow),
    StepRule::FOUR,
];
const SIZES: [SizeClass; 3] = [SizeClass::ONE, SizeClass::TWO, SizeClass::THREE];

/// Open ground for two locomotors, the second of which pays more.
fn open(width: u32, height: u32, sizes: &[SizeClass]) -> CostLayer {
    let rules = Rules {
        normal: 1,
        terrains: vec![TerrainDef::new("grass", Surface::Ground)],
        locomotors: vec![
            LocomotorDef::new("foot", SurfaceMask::GROUND),
            LocomotorDef::new("wheels", SurfaceMask::GROUND),
        ],
        costs: vec![vec![Some(1), Some(3)]],
        speeds: Vec::new(),
    };
    let map = Map::flat("open", GridSize::new(width, height).expect("legal"), rules);
    let settings = CostSettings { sector_size: 8, sizes: sizes.to_vec(), ..CostSettings::default() };
    CostLayer::new(&map.validate().expect("legal"), settings)
}

#[test]
fn fields_are_kept_by_locomotor_size_threat_and_goal() {
    let mut layer = open(40, 40, &SIZES);
    layer.place(&Stamp::solid(1, 1), cell(20, 9), Tick::ZERO).expect("it fits");
    let mut fields = WholeFields::new(StepRule::default(), WholeFieldsSettings::default());
    let mut keys = Vec::new();
    for locomotor in [LocomotorId(0), LocomotorId(1)] {
        for size in SIZES {
            for goal in
                [Goal::point(cell(30, 10)), Goal::OutOf(Shape::Rect(CellRect::at(cell(5, 5), 20, 20)))]
            {
                keys.push(FieldKey::new(Agent { locomotor, size }, goal.clone()));
            }
        }
    }
    keys.push(keys[0].clone().with_threat(Threat::Heed));
    for round in 0..3 {
        for key in &keys {
            let field = fields.get(&layer, key, Tick(round)).expect("open");
            let mut scratch = WholeScratch::new();
            let alone = WholeField::new(&layer, key, StepRule::default(), Keep::Costs, &mut scratch);
            assert!(alone.as_ref() == Ok(field), "{key:?}");
        }
    }
    let all = keys.len() as u64;
    assert_eq!((fields.work().made, fields.work().found), (all, 2 * all), "each once, and found twice");
}

/// The answer of an empty cache.
fn cold(layer: &CostLayer, key: &FieldKey, rule: StepRule) -> Option<FieldError> {
    WholeFields::new(rule, WholeFieldsSettings::default()).get(layer, key, Tick::ZERO).err()
}

/// Goals near a corner of four sectors are walled in, covered and opened again, for every size. Whether a refusal still holds depends on the
/// cells under the unit, on the neighbouring positions, and on the cells under those, some of them in other sectors. The test uses one size
/// at a time, because an edit that changes another size marks more sectors.
#[test]
fn a_refusal_is_forgotten_when_the_goal_opens_and_kept_otherwise() {
    let (mut refused, mut opened, mut closed) = (0, 0, 0);
    for (seed, size) in (0..60).zip(SIZES.into_iter().cycle()) {
        let mut rng = SplitMix::new(seed);
        let (mut layer, rule) = (open(24, 24, &[size]), RULES[seed as usize % 4]);
        let mut fields = WholeFields::new(rule, WholeFieldsSettings { fields: 2, ..Default::default() });
        let mut near = || cell(5 + rng.below(6) as i32, 5 + rng.below(6) as i32);
        let spots = [near(), near(), near(), near()];
        let agent = Agent { locomotor: LocomotorId(0), size };
        let keys = [
            Goal::point(spots[0]),
            Goal::rect(CellRect::at(spots[1], 2, 2)),
            Goal::AnyOf(vec![Shape::Point(spots[2]), Shape::Point(spots[3])]),
        ]
        .map(|goal| FieldKey::new(agent, goal));
        let mut last = [None; 3];
        let mut standing: Vec<StampId> = Vec::new();
        for step in 0..250 {
            if standing.len() > 20 || (!standing.is_empty() && rng.chance(400)) {
                let id = standing.swap_remove(rng.below(standing.len() as u32) as usize);
                layer.remove(id).expect("it stands");
            } else {
                let foot = rng.pick(&[FootCell::Blocked, FootCell::Blocked, FootCell::NoStop]);
                let (w, h) = rng.pick(&[(1, 1), (1, 1), (1, 1), (3, 1), (1, 3), (2, 2)]);
                let at = cell(2 + rng.below(12) as i32, 2 + rng.below(12) as i32);
                standing.extend(layer.place(&Stamp::filled("wall", w, h, foot), at, Tick(step)));
            }
            for (key, last) in keys.iter().zip(&mut last) {
                let expected = cold(&layer, key, rule);
                let found = fields.get(&layer, key, Tick(step)).err();
                assert_eq!(found, expected, "seed {seed} step {step} {key:?}");
                opened += u32::from(last.is_some() && found.is_none());
                closed += u32::from(last.is_none() && found.is_some());
                *last = found;
            }
        }
        // Edits far from all goals: no refusal is checked again.
        let before = fields.work();
        layer.place(&Stamp::solid(2, 2), cell(20, 20), Tick(999)).expect("it fits");
        for (key, last) in keys.iter().zip(last).filter(|(_, last)| last.is_some()) {
            assert_eq!(fields.get(&layer, key, Tick(999)).err(), last);
            refused += 1;
        }
        assert_eq!(fields.work().checked, before.checked, "seed {seed}");
    }
    assert!(refused > 30 && opened > 300 && closed > 300, "{refused} {opened} {closed}");
}

/// The goal is the last cell of its sector; the walls around it stand in four.
#[test]
fn a_wall_removed_in_the_next_sector_opens_the_goal() {
    let (at, now) = (cell(7, 7), Tick::ZERO);
    let mut opened = 0;
    for rule in RULES {
        for dir in Dir8::ALL {
            let mut layer = open(24, 24, &[SizeClass::ONE]);
            let walls =
                Dir8::ALL.map(|dir| layer.place(&Stamp::solid(1, 1), at.step(dir), now).expect("it fits"));
            let mut fields = WholeFields::new(rule, WholeFieldsSettings::default());
            let key = FieldKey::new(LocomotorId(0), at);
            assert_eq!(fields.get(&layer, &key, now).err(), Some(FieldError::Isolated));
            layer.remove(walls[usize::from(dir.index())]).expect("it stands");
            let found = fields.get(&layer, &key, now).err();
            assert_eq!(found, cold(&layer, &key, rule), "{rule:?} {dir:?}");
            opened += u32::from(found.is_none());
        }
    }
    assert_eq!(opened, 4 + 4 + 8 + 4, "a diagonal between two walls is open only where corners may be cut");
    // The cell where a big unit may not stop lies in the next sector.
    let mut layer = open(24, 24, &[SizeClass::THREE]);
    let mut fields = WholeFields::new(StepRule::default(), WholeFieldsSettings::default());
    let key = FieldKey::new(Agent { locomotor: LocomotorId(0), size: SizeClass::THREE }, at);
    let exit = layer.place(&Stamp::filled("exit", 1, 1, FootCell::NoStop), cell(8, 8), now).expect("it fits");
    assert_eq!(fields.get(&layer, &key, now).err(), Some(FieldError::Plan(PlanError::GoalNoStop { at })));
    layer.remove(exit).expect("it stands");
    assert_eq!(fields.get(&layer, &key, now).err(), None);
}

#[test]
fn a_field_takes_a_byte_per_cell_and_five_more_if_it_can_be_updated() {
    let grid = Grid::scatter(4, 300, 200, 150);
    let layer = CostLayer::new(&grid.to_map("weight").validate().expect("legal"), CostSettings::default());
    let key = FieldKey::new(LocomotorId(0), grid.random_open(&mut SplitMix::new(3)).expect("open"));
    let mut scratch = WholeScratch::new();
    let make = |keep, scratch: &mut WholeScratch| {
        WholeField::new(&layer, &key, StepRule::default(), keep, scratch).expect("legal")
    };
    // The scratch has its full capacity before bytes are counted.
    drop(make(Keep::DirectionsOnly, &mut scratch));
    let cells = 300 * 200;
    for (keep, bytes) in [(Keep::DirectionsOnly, 1), (Keep::Costs, 6)] {
        let (held, field) = held_by(|| make(keep, &mut scratch));
        // Padding is one column and two rows.
        let most = bytes * (301 * 202 + 2) + 64;
        assert!((bytes * cells..=most).contains(&held), "{keep:?}: {held} bytes held");
        assert!(
            held.abs_diff(field.memory_bytes() as u64) <= 64,
            "{keep:?}: {held}, {} stated",
            field.memory_bytes()
        );
    }
}

/// Whether the path bends at each of its inner waypoints.
fn bends_everywhere(path: &[CellPos]) -> bool {
    path.windows(3).all(|three| {
        let way = |a: CellPos, b: CellPos| ((b.x - a.x).signum(), (b.y - a.y).signum());
        way(three[0], three[1]) != way(three[1], three[2])
    })
}

#[test]
fn a_path_names_its_start_its_bends_and_its_destination_and_nothing_else() {
    let mut rng = SplitMix::new(5);
    let grid = Grid::scatter(6, 90, 70, 200);
    let layer = CostLayer::new(&grid.to_map("bends").validate().expect("legal"), CostSettings::default());
    let (mut scratch, mut path, mut bends) = (WholeScratch::new(), Vec::new(), 0);
    let to = grid.random_open(&mut rng).expect("open");
    let key = FieldKey::new(LocomotorId(0), to);
    let field = WholeField::new(&layer, &key, StepRule::default(), Keep::Costs, &mut scratch).expect("legal");
    for _ in 0..300 {
        let from = grid.random_open(&mut rng).expect("open");
        if field.path_into(from, &mut path).is_err() {
            continue;
        }
        assert_eq!((path.first(), path.last()), (Some(&from), Some(&to)));
        assert!(bends_everywhere(&path), "{path:?}");
        bends += path.len();
    }
    assert!(bends > 1000, "{bends}");
}
