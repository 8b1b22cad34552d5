//! Whole-map fields through edits: an updated field equals a new one, and the cache changes no answer, for every cache size.

use waymarch::base::{Agent, CellPos, CellRect, Fixed, GridSize, LocomotorId, SizeClass, Tick, cell};
use waymarch::cost::{
    CornerRule, CostLayer, CostSettings, CrushMask, Falloff, FootCell, GateState, LocomotorDef, Map, Rules,
    Stamp, StampId, StepRule, Surface, SurfaceMask, TerrainDef, TerrainId, ThreatId, ThreatSource,
};
use waymarch::flow::whole::{
    FieldError, FieldKey, Followed, Keep, WholeField, WholeFields, WholeFieldsSettings, WholeScratch,
};
use waymarch::query::{Cost, Goal, GoalError, PlanError, Shape, Threat};
use waymarch_testkit::grids::Grid;
use waymarch_testkit::splitmix::SplitMix;

const WATER: TerrainId = TerrainId(2);
const BRIDGE: TerrainId = TerrainId(3);

/// Three ground terrains and water; foot, a crusher of walls, a boat.
fn rules(cheap: u8) -> Rules {
    Rules {
        normal: cheap,
        terrains: vec![
            TerrainDef::new("grass", Surface::Ground),
            TerrainDef::new("rough", Surface::Ground),
            TerrainDef::new("water", Surface::Water),
            TerrainDef::new("bridge", Surface::Ground),
        ],
        locomotors: vec![
            LocomotorDef::new("foot", SurfaceMask::GROUND),
            LocomotorDef { crushes: CrushMask(0b10), ..LocomotorDef::new("crusher", SurfaceMask::GROUND) },
            LocomotorDef::new("boat", SurfaceMask::WATER),
        ],
        costs: vec![
            vec![Some(cheap)],
            vec![Some(cheap + 3), Some(cheap + 40)],
            vec![],
            vec![Some(cheap + 1), None, Some(cheap + 9)],
        ],
        speeds: Vec::new(),
    }
}

fn land(seed: u64, (width, height): (u32, u32), cheap: u8) -> CostLayer {
    let mut map = Map::flat("land", GridSize::new(width, height).expect("legal"), rules(cheap));
    let (wet, rough) = (Grid::caves(seed, width, height), Grid::scatter(seed ^ 9, width, height, 200));
    for (at, terrain) in map.terrain.iter_mut().enumerate() {
        let dry = if rough.cost[at] == 255 { TerrainId(1) } else { TerrainId(0) };
        *terrain = if wet.cost[at] == 255 { WATER } else { dry };
    }
    CostLayer::new(&map.validate().expect("legal"), CostSettings { sector_size: 8, ..Default::default() })
}

/// A game with every kind of map change.
struct Game {
    layer: CostLayer,
    rng: SplitMix,
    now: Tick,
    standing: Vec<StampId>,
    gates: Vec<StampId>,
    threats: Vec<ThreatId>,
}

impl Game {
    fn new(seed: u64, size: (u32, u32), cheap: u8) -> Self {
        let layer = land(seed, size, cheap);
        let (standing, gates, threats) = (Vec::new(), Vec::new(), Vec::new());
        Self { layer, rng: SplitMix::new(seed), now: Tick::ZERO, standing, gates, threats }
    }

    fn place_for(&mut self, width: u32, height: u32) -> CellPos {
        let size = self.layer.grid();
        cell(
            self.rng.below(size.width() - width + 1) as i32,
            self.rng.below(size.height() - height + 1) as i32,
        )
    }

    fn stamp(&mut self, stamp: &Stamp) -> StampId {
        let at = self.place_for(stamp.width, stamp.height);
        self.layer.place(stamp, at, self.now).expect("it fits")
    }

    fn edit(&mut self) {
        let (w, h) = (1 + self.rng.below(5), 1 + self.rng.below(5));
        match self.rng.below(12) {
            0 | 1 => {
                let id = self.stamp(&Stamp::solid(w, h));
                self.standing.push(id);
            }
            2 => drop(self.stamp(&Stamp::solid(w + 9, 1).lasting(5))),
            3 => {
                let foot = self.rng.pick(&[FootCell::NoStop, FootCell::Wall(0), FootCell::Wall(1)]);
                let id = self.stamp(&Stamp::filled("yard", w, h, foot));
                self.standing.push(id);
            }
            4 => {
                let id = self.stamp(&Stamp::filled("bridge", w + 4, 2, FootCell::Terrain(BRIDGE)));
                self.standing.push(id);
            }
            5 => {
                let id = self.stamp(&Stamp::filled("gate", 1, h + 5, FootCell::Gate));
                self.gates.push(id);
            }
            6 if !self.gates.is_empty() => {
                let id = self.rng.pick(&self.gates);
                let state = self.rng.pick(&[GateState::Open, GateState::Closed]);
                self.layer.set_gate(id, state).expect("a gate");
            }
            7 | 8 if !self.standing.is_empty() => {
                let id = self.standing.swap_remove(self.rng.below(self.standing.len() as u32) as usize);
                self.layer.remove(id).expect("it stands");
            }
            9 => self.threaten(),
            10 => {
                let (at, height) = (self.place_for(w, h), self.rng.pick(&[0, 0, 60, 300]));
                self.layer.set_elevation(CellRect::at(at, w, h), height).expect("on the map");
            }
            _ => {
                let (at, terrain) = (self.place_for(w, h), TerrainId(self.rng.below(4) as u8));
                self.layer.set_terrain(CellRect::at(at, w, h), terrain).expect("on the map");
            }
        }
        if self.rng.chance(300) {
            self.now = self.now.next();
            self.layer.advance(self.now);
        }
    }

    fn threaten(&mut self) {
        let at = self.place_for(1, 1);
        let falloff = self.rng.pick(&[Falloff::Flat, Falloff::Linear, Falloff::Quadratic]);
        let radius = self.rng.below(9) as u16;
        let source = ThreatSource { at, radius, strength: self.rng.below(256) as u8, falloff };
        if self.threats.len() < 4 {
            self.threats.push(self.layer.add_threat(source).expect("on the map"));
        } else {
            let id = self.rng.pick(&self.threats);
            self.layer.set_threat(id, source).expect("it exists");
        }
    }

    fn key(&mut self) -> FieldKey {
        let (a, b) = (self.place_for(1, 1), self.place_for(1, 1));
        let goal = match self.rng.below(6) {
            0..3 => Goal::point(a),
            3 => Goal::AnyOf(vec![Shape::Point(a), Shape::Point(b), Shape::Point(a)]),
            4 => Goal::circle(a, Fixed::from_cells(2)),
            _ => Goal::OutOf(Shape::Rect(CellRect::at(a, 12, 12))),
        };
        let locomotor = LocomotorId(self.rng.pick(&[0, 0, 1, 2]));
        let size = self.rng.pick(&[SizeClass::ONE, SizeClass::ONE, SizeClass::TWO, SizeClass::THREE]);
        let threat = self.rng.pick(&[Threat::Ignore, Threat::Heed]);
        FieldKey::new(Agent { locomotor, size }, goal).with_threat(threat)
    }
}

const RULES: [StepRule; 4] = [
    StepRule::eight(CornerRule::Forbid),
    StepRule::eight(CornerRule::AllowOne),
    StepRule::eight(CornerRule::Allow),
    StepRule::FOUR,
];

#[test]
fn an_updated_field_equals_a_new_one_after_every_kind_of_map_change() {
    let mut seen = [0; 3];
    for (seed, rule) in (0..12).zip(RULES.into_iter().cycle()) {
        // Cheap ground, and ground whose lowest cost changes with the edits.
        let mut game = Game::new(seed, (60 + 5 * (seed as u32 % 4), 47), [1, 1, 30, 100][seed as usize / 3]);
        let mut scratch = WholeScratch::new();
        let mut fields: Vec<WholeField> = Vec::new();
        while fields.len() < 8 {
            let key = game.key();
            fields.extend(WholeField::new(&game.layer, &key, rule, Keep::Costs, &mut scratch).ok());
        }
        for step in 0..120 {
            game.edit();
            for field in &mut fields {
                // Following several edits at once gives the same result as following each edit.
                if game.rng.chance(300) {
                    continue;
                }
                let how = field.follow(&game.layer, &mut scratch).expect("legal");
                seen[match how {
                    Followed::Unchanged => 0,
                    Followed::Mended(_) => 1,
                    Followed::Rebuilt => 2,
                }] += 1;
                let rebuilt = WholeField::new(&game.layer, field.key(), rule, Keep::Costs, &mut scratch);
                assert!(Ok(&*field) == rebuilt.as_ref(), "seed {seed} step {step} {:?}", field.key());
            }
        }
    }
    let enough = seen.iter().zip([500, 3000, 30]).all(|(&count, least)| count > least);
    assert!(enough, "unchanged, repaired, rebuilt: {seen:?}");
}

#[test]
fn only_cells_whose_route_changes_are_written() {
    let grid = Grid::filled(200, 200, 1);
    let mut layer = CostLayer::new(&grid.to_map("open").validate().expect("legal"), CostSettings::default());
    let mut scratch = WholeScratch::new();
    let key = FieldKey::new(LocomotorId(0), cell(20, 100));
    let mut field =
        WholeField::new(&layer, &key, StepRule::default(), Keep::Costs, &mut scratch).expect("legal");
    for at in [cell(150, 30), cell(60, 100), cell(199, 199)] {
        let before = field.clone();
        layer.place(&Stamp::solid(1, 1), at, Tick::ZERO).expect("it fits");
        let followed = field.follow(&layer, &mut scratch).expect("legal");
        let Followed::Mended(touched) = followed else { panic!("{followed:?}") };
        let differ = |at: &CellPos| {
            field.byte(*at) != before.byte(*at) || field.cost_to_goal(*at) != before.cost_to_goal(*at)
        };
        let changed = layer.grid().rect().cells().filter(differ).count();
        assert!(changed > 0, "{at} itself");
        assert!(touched as usize <= 4 * changed + 16, "{at}: {touched} touched, {changed} changed");
    }
}

#[test]
fn a_field_that_was_not_followed_for_long_catches_up() {
    let (mut game, mut scratch) = (Game::new(5, (70, 60), 1), WholeScratch::new());
    let rule = StepRule::default();
    let key = FieldKey::new(LocomotorId(0), Goal::circle(cell(30, 30), Fixed::from_cells(9)));
    let [mut costs, mut bare] = [Keep::Costs, Keep::DirectionsOnly]
        .map(|keep| WholeField::new(&game.layer, &key, rule, keep, &mut scratch).expect("a goal on the map"));
    for edits in [1, 30, 3000] {
        (0..edits).for_each(|_| game.edit());
        for field in [&mut costs, &mut bare] {
            field.follow(&game.layer, &mut scratch).expect("legal");
            let rebuilt =
                WholeField::new(&game.layer, &key, rule, field.keeps(), &mut scratch).expect("legal");
            assert!(*field == rebuilt, "{edits} edits, {:?}", field.keeps());
        }
    }
}

#[test]
fn a_cache_gives_the_same_answers_cold_warm_tiny_and_without_costs() {
    let (mut refused, mut answered, mut used) = ([0; 3], 0, Vec::new());
    for seed in 0..6 {
        let mut game = Game::new(seed, (64, 50), 2);
        let settings = |fields, refusals, keep| WholeFieldsSettings { fields, refusals, keep };
        let rule = RULES[seed as usize % 4];
        let mut caches = [
            settings(100, 100, Keep::Costs),
            settings(1, 1, Keep::Costs),
            settings(3, 0, Keep::Costs),
            settings(0, 9, Keep::DirectionsOnly),
        ]
        .map(|settings| WholeFields::new(rule, settings));
        let mut keys: Vec<FieldKey> = (0..12).map(|_| game.key()).collect();
        // A goal inside a wall, and a goal enclosed by walls.
        game.layer.place(&Stamp::solid(5, 5), cell(8, 8), Tick::ZERO).expect("it fits");
        keys.push(FieldKey::new(LocomotorId(0), cell(10, 10)));
        for step in 0..150 {
            if step % 3 == 0 {
                game.edit();
            }
            if step % 40 == 20 {
                // The only cell of a yard opens and closes.
                let yard = [
                    (cell(30, 30), Stamp::filled("yard", 3, 3, FootCell::Terrain(BRIDGE)).lasting(4)),
                    (cell(29, 29), Stamp::solid(5, 1).lasting(3)),
                    (cell(29, 33), Stamp::solid(5, 1).lasting(3)),
                    (cell(29, 29), Stamp::solid(1, 5).lasting(3)),
                    (cell(33, 29), Stamp::solid(1, 5).lasting(3)),
                ];
                for (at, stamp) in &yard {
                    game.layer.place(stamp, *at, game.now).expect("it fits");
                }
                keys.push(FieldKey::new(LocomotorId(0), Goal::rect(CellRect::at(cell(30, 30), 3, 3))));
            }
            let key = keys[game.rng.below(keys.len() as u32) as usize].clone();
            let from: Vec<CellPos> = (0..20).map(|_| game.place_for(1, 1)).collect();
            let layer = &game.layer;
            let ask = |cache: &mut WholeFields| {
                let field = cache.get(layer, &key, Tick(step))?;
                let mut path = Vec::new();
                Ok(from
                    .iter()
                    .map(|&at| (field.byte(at), field.path_over(layer, at, &mut path), path.clone()))
                    .collect::<Vec<_>>())
            };
            let cold: Result<_, FieldError> =
                ask(&mut WholeFields::new(rule, WholeFieldsSettings::default()));
            for cache in &mut caches {
                assert_eq!(ask(cache), cold, "seed {seed} step {step} {key:?}");
            }
            match cold {
                Ok(_) => answered += 1,
                Err(FieldError::Isolated) => refused[0] += 1,
                Err(FieldError::Plan(PlanError::Goal(_))) => refused[1] += 1,
                Err(FieldError::Plan(_)) => refused[2] += 1,
            }
            if step % 50 == 49 {
                caches[0].clear();
            }
            assert!(caches[1].fields().count() <= 1 && caches[2].fields().count() <= 3);
        }
        used.push(caches.map(|cache| cache.work()));
    }
    assert!(answered > 200 && refused[0] > 0 && refused[2] > 50, "{answered} {refused:?}");
    let sum = |of: usize| used.iter().map(|work| work[of].made).sum::<u64>();
    assert!(
        sum(0) < sum(2) && sum(2) < sum(1),
        "a bigger cache needs less work: {} {} {}",
        sum(0),
        sum(2),
        sum(1)
    );
    assert!(used.iter().map(|work| work[0].refused).sum::<u64>() > 20, "refusals are remembered");
}

#[test]
fn a_refusal_is_remembered_until_something_changes_around_the_goal() {
    let mut layer = CostLayer::new(
        &Grid::filled(100, 100, 1).to_map("open").validate().expect("legal"),
        CostSettings { sector_size: 8, ..Default::default() },
    );
    let mut fields = WholeFields::new(StepRule::default(), WholeFieldsSettings::default());
    let (at, now) = (cell(50, 50), Tick::ZERO);
    let key = FieldKey::new(LocomotorId(0), at);
    let house = layer.place(&Stamp::solid(3, 3), cell(49, 49), now).expect("it fits");
    let closed = Some(FieldError::Plan(PlanError::GoalBlocked { at }));
    assert_eq!(fields.get(&layer, &key, now).err(), closed);
    let checked = fields.work().checked;
    layer.place(&Stamp::solid(2, 2), cell(5, 80), now).expect("it fits");
    assert_eq!(fields.get(&layer, &key, now).err(), closed);
    assert_eq!((fields.work().checked, fields.work().made), (checked, 0), "far edits do not cause a check");
    assert_eq!(fields.work().refused, 1, "the first refusal is counted");
    layer.remove(house).expect("it stands");
    assert!(fields.get(&layer, &key, now).is_ok());
    let mut ring = Stamp::solid(3, 3);
    ring.cells[4] = FootCell::Open;
    let ring = layer.place(&ring, cell(49, 49), now).expect("it fits");
    assert_eq!(fields.get(&layer, &key, now).err(), Some(FieldError::Isolated));
    assert_eq!(fields.fields().count(), 0);
    let exit = layer.place(&Stamp::filled("exit", 1, 1, FootCell::NoStop), at, now).expect("it fits");
    assert_eq!(fields.get(&layer, &key, now).err(), Some(FieldError::Plan(PlanError::GoalNoStop { at })));
    layer.remove(ring).expect("it stands");
    assert!(fields.get(&layer, &key, now).is_err());
    layer.remove(exit).expect("it stands");
    let field = fields.get(&layer, &key, now).expect("open again");
    assert_eq!(field.cost_to_goal(cell(50, 40)), Some(Cost(10 * 1024)));
}

#[test]
fn shapes_in_another_order_had_a_field_of_their_own() {
    let mut layer = CostLayer::new(
        &Grid::filled(40, 40, 1).to_map("open").validate().expect("legal"),
        CostSettings::default(),
    );
    let mut fields = WholeFields::new(StepRule::default(), WholeFieldsSettings::default());
    let [a, b, c] = [cell(30, 5), cell(3, 20), cell(12, 12)].map(Shape::Point);
    let orders = [vec![a, b, c], vec![c, b, a], vec![b, c, a, b, b]];
    for round in 0..3 {
        for lists in [Goal::AnyOf, Goal::OutOfAll] {
            let answers: Vec<_> = orders
                .iter()
                .map(|shapes| {
                    let key = FieldKey::new(LocomotorId(0), lists(shapes.clone()));
                    let field = fields.get(&layer, &key, Tick(round)).expect("open");
                    assert_eq!(*field.key(), key.normal());
                    layer.grid().rect().cells().map(|at| field.cost_to_goal(at)).collect::<Vec<_>>()
                })
                .collect();
            assert!(answers.iter().all(|answer| *answer == answers[0]));
        }
        let one = FieldKey::new(LocomotorId(0), Goal::AnyOf(vec![c, c]));
        let field = fields.get(&layer, &one, Tick(round)).expect("open");
        assert_eq!(field.key().goal, Goal::point(cell(12, 12)), "a list of one shape is that shape");
        let at = cell(5 + 9 * round as i32, 30);
        layer.place(&Stamp::solid(3, 3), at, Tick(round)).expect("it fits");
    }
    assert_eq!((fields.work().made, fields.fields().count()), (3, 3));
    // Errors use the order of the list as given.
    let off = Shape::Point(cell(-1, 0));
    for (shapes, culprit) in [(vec![b, a, off], 2), (vec![off, b, a], 0)] {
        let key = FieldKey::new(LocomotorId(0), Goal::AnyOf(shapes));
        let refused = fields.get(&layer, &key, Tick(9)).err();
        let named =
            FieldError::Plan(PlanError::Goal(GoalError::OffMap { shape: culprit, size: layer.grid() }));
        assert_eq!(refused, Some(named));
    }
}

#[test]
fn the_least_recently_used_field_is_evicted_first_and_ties_go_by_key() {
    let layer = CostLayer::new(
        &Grid::filled(20, 20, 1).to_map("open").validate().expect("legal"),
        CostSettings::default(),
    );
    let settings = WholeFieldsSettings { fields: 3, ..WholeFieldsSettings::default() };
    let mut fields = WholeFields::new(StepRule::default(), settings);
    let key = |x| FieldKey::new(LocomotorId(0), cell(x, 3));
    let names = |fields: &WholeFields| -> Vec<i32> {
        (0..9).filter(|&x| fields.fields().any(|field| *field.key() == key(x))).collect()
    };
    for (x, tick) in [(4, 1), (2, 1), (6, 2)] {
        fields.get(&layer, &key(x), Tick(tick)).expect("open");
    }
    assert_eq!(names(&fields), [2, 4, 6]);
    fields.get(&layer, &key(8), Tick(3)).expect("open");
    assert_eq!(names(&fields), [4, 6, 8], "2 and 4 are equally old, and 2 has the lower key");
    fields.get(&layer, &key(4), Tick(4)).expect("open");
    fields.get(&layer, &key(0), Tick(4)).expect("open");
    assert_eq!(names(&fields), [0, 4, 8]);
    assert_eq!(fields.work().made, 5);
}
