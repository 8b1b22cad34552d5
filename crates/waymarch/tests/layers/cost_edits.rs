//! Cost layer under edits: after every edit it equals a naive model and a rebuild.

use waymarch::base::{Agent, CellPos, CellRect, GridSize, LocomotorId, SizeClass, Tick, cell};
use waymarch::cost::{
    CostLayer, CostSettings, CrushMask, EditError, Falloff, FootCell, GateState, LocomotorDef, Map, Mobility,
    Rules, SectorChange, SectorId, Stamp, StampError, StampId, Surface, SurfaceMask, TerrainDef, TerrainId,
    ThreatSource, ValidRules,
};
use waymarch_testkit::splitmix::SplitMix;
use waymarch_testkit::wide_units::{clearance, field_for_size};

/// The size classes in use, in cells per side: not the default ones.
const SIZES: [u8; 4] = [1, 2, 3, 6];

const GRASS: TerrainId = TerrainId(0);
const ROUGH: TerrainId = TerrainId(1);
const WATER: TerrainId = TerrainId(2);
const BRIDGE: TerrainId = TerrainId(3);

/// Four terrains and four locomotors: foot, a crusher of class 1, a boat, an aircraft.
fn rules() -> Rules {
    let locomotor = |name: &str, surfaces| LocomotorDef::new(name, surfaces);
    Rules {
        normal: 100,
        terrains: vec![
            TerrainDef::new("grass", Surface::Ground),
            TerrainDef::new("rough", Surface::Ground),
            TerrainDef::new("water", Surface::Water),
            TerrainDef::new("bridge", Surface::Ground),
        ],
        locomotors: vec![
            locomotor("foot", SurfaceMask::GROUND),
            LocomotorDef {
                crushes: CrushMask(0b10),
                mobility: Mobility::Climber,
                ..locomotor("crusher", SurfaceMask::GROUND)
            },
            locomotor("boat", SurfaceMask::WATER),
            locomotor("plane", SurfaceMask::AIR),
        ],
        costs: vec![vec![Some(100)], vec![Some(130), Some(200)], vec![], vec![Some(80), None, Some(90)]],
        speeds: Vec::new(),
    }
}

struct Standing {
    id: StampId,
    stamp: Stamp,
    at: CellPos,
    gate: GateState,
    expires: Option<Tick>,
}

/// The slow twin: it stores all edits and computes every cell from them.
struct Model {
    size: GridSize,
    rules: ValidRules,
    terrain: Vec<TerrainId>,
    elevation: Vec<i32>,
    stamps: Vec<Standing>,
}

impl Model {
    fn height(&self, at: CellPos) -> Option<i32> {
        self.size.id(at).map(|id| self.elevation[id.index()])
    }

    fn cost(&self, at: CellPos, locomotor: LocomotorId) -> u8 {
        let mut terrain = self.terrain[self.size.id(at).unwrap().index()];
        let mut blocked = false;
        let def = self.rules.locomotor_def(locomotor).unwrap();
        for Standing { stamp, at: corner, gate, .. } in &self.stamps {
            let (dx, dy) = (at.x - corner.x, at.y - corner.y);
            if dx < 0 || dy < 0 || dx >= stamp.width as i32 || dy >= stamp.height as i32 {
                continue;
            }
            match stamp.cells[(dy * stamp.width as i32 + dx) as usize] {
                FootCell::Open | FootCell::NoStop => {}
                FootCell::Blocked => blocked = true,
                FootCell::Gate => blocked |= *gate == GateState::Closed,
                FootCell::Wall(class) => blocked |= !def.crushes.contains(class),
                // In order of placing: the latest stamp decides.
                FootCell::Terrain(shown) => terrain = shown,
            }
        }
        let cost = self.rules.cost(terrain, locomotor);
        if def.surfaces.is_airborne() {
            return cost;
        }
        if blocked {
            return 255;
        }
        let here = self.height(at).unwrap();
        let mut steepest = 0;
        for dy in -1..=1 {
            for dx in -1..=1 {
                if let Some(there) = self.height(at.offset(dx, dy)) {
                    let rise = (there - here).abs() * 4;
                    let slope = if dx != 0 && dy != 0 { rise * 1024 / 1448 } else { rise };
                    steepest = steepest.max(slope);
                }
            }
        }
        ValidRules::on_slope(cost, waymarch::base::Fixed::from_raw(steepest), def.mobility)
    }

    fn no_stop(&self, at: CellPos) -> bool {
        self.stamps.iter().any(|standing| {
            let rect = CellRect::at(standing.at, standing.stamp.width, standing.stamp.height);
            rect.cells()
                .zip(&standing.stamp.cells)
                .any(|(covered, foot)| covered == at && *foot == FootCell::NoStop)
        })
    }

    fn check(&self, layer: &CostLayer, what: &str) {
        let (width, height) = (self.size.width(), self.size.height());
        for locomotor in (0..4).map(LocomotorId) {
            let costs: Vec<u8> = self.size.rect().cells().map(|at| self.cost(at, locomotor)).collect();
            for size in SIZES.map(|side| SizeClass::new(side).unwrap()) {
                let field = layer.field(Agent { locomotor, size }).unwrap();
                let expected = field_for_size(&costs, width, height, size.side());
                for (at, &cost) in self.size.rect().cells().zip(&expected) {
                    assert_eq!(field.cost(at), cost, "{what}: {locomotor:?} {size} at {at}");
                    assert_eq!(field.closed_bits().get(at), cost == 255, "{what}: bits at {at}");
                }
                let open = expected.iter().filter(|&&cost| cost != 255);
                assert_eq!(field.cheapest(), open.clone().min().copied().unwrap_or(254), "{what}");
                assert_eq!(field.dearest(), open.max().copied().unwrap_or(1), "{what}");
            }
            let expected = clearance(&costs, width, height, 6);
            assert_eq!(layer.clearance(locomotor).unwrap().sides(), expected, "{what}");
        }
        for at in self.size.rect().cells() {
            assert_eq!(
                layer.can_stop(at, LocomotorId(0).into()),
                !self.no_stop(at),
                "{what}: stopping at {at}"
            );
        }
    }
}

/// All costs of all locomotors and sizes, and the threat, cell by cell.
fn picture(layer: &CostLayer) -> Vec<Vec<u8>> {
    let mut all: Vec<Vec<u8>> = Vec::new();
    for locomotor in (0..4).map(LocomotorId) {
        for size in SIZES.map(|side| SizeClass::new(side).unwrap()) {
            let field = layer.field(Agent { locomotor, size }).unwrap();
            all.push(layer.grid().rect().cells().map(|at| field.cost(at)).collect());
        }
    }
    all.push(layer.grid().rect().cells().map(|at| layer.threat().at(at)).collect());
    let stops = |at| u8::from(layer.can_stop(at, LocomotorId(0).into()));
    all.push(layer.grid().rect().cells().map(stops).collect());
    all
}

/// The sectors that differ between two pictures: the change log must name exactly these.
fn changed_sectors(layer: &CostLayer, before: &[Vec<u8>], after: &[Vec<u8>]) -> Vec<SectorChange> {
    let sectors = layer.changes().sectors();
    let mut found = std::collections::BTreeMap::new();
    for (plane, (old, new)) in before.iter().zip(after).enumerate() {
        for (at, (old, new)) in layer.grid().rect().cells().zip(old.iter().zip(new)) {
            if old != new {
                let change = found.entry(sectors.of(at)).or_insert((0, false, false));
                match plane / SIZES.len() {
                    locomotor @ 0..4 => change.0 |= 1 << locomotor,
                    _ if plane % SIZES.len() == 0 => change.1 = true,
                    _ => change.2 = true,
                }
            }
        }
    }
    let change =
        |(sector, (locomotors, threat, stopping))| SectorChange { sector, locomotors, threat, stopping };
    found.into_iter().map(change).collect()
}

fn random_stamp(rng: &mut SplitMix) -> Stamp {
    let (width, height) = (1 + rng.below(4), 1 + rng.below(4));
    let kinds = [
        FootCell::Open,
        FootCell::Blocked,
        FootCell::Blocked,
        FootCell::NoStop,
        FootCell::Gate,
        FootCell::Wall(0),
        FootCell::Wall(1),
        FootCell::Terrain(BRIDGE),
        FootCell::Terrain(WATER),
    ];
    let cells = (0..width * height).map(|_| rng.pick(&kinds)).collect();
    let lifetime = rng.chance(300).then(|| 1 + rng.below(9));
    Stamp { name: "random".to_string(), width, height, cells, lifetime }
}

#[test]
fn after_every_edit_layer_1_equals_the_model_and_a_rebuild() {
    let mut rng = SplitMix::new(7);
    for round in 0..12 {
        let size = GridSize::new(9 + rng.below(40), 9 + rng.below(40)).unwrap();
        let mut map = Map::flat("edits", size, rules());
        for terrain in &mut map.terrain {
            *terrain = rng.pick(&[GRASS, GRASS, GRASS, ROUGH, WATER]);
        }
        let mut model = Model {
            size,
            rules: map.rules.validate().unwrap(),
            terrain: map.terrain.clone(),
            elevation: vec![0; size.cells()],
            stamps: Vec::new(),
        };
        let sizes = SIZES.iter().filter_map(|&side| SizeClass::new(side)).collect();
        let settings = CostSettings { sector_size: 8, sizes, ..CostSettings::default() };
        let mut layer = CostLayer::new(&map.validate().unwrap(), settings);
        let (mut threats, mut changes, mut now) = (Vec::new(), Vec::new(), Tick::ZERO);
        let mut before = picture(&layer);
        for step in 0..60 {
            let at = cell(rng.below(size.width()) as i32, rng.below(size.height()) as i32);
            let kind = rng.below(9);
            match kind {
                0 | 1 => {
                    let stamp = random_stamp(&mut rng);
                    match layer.place(&stamp, at, now) {
                        Ok(id) => {
                            let expires = stamp.lifetime.map(|ticks| now + ticks);
                            model.stamps.push(Standing { id, stamp, at, gate: GateState::Closed, expires });
                        }
                        Err(error) => {
                            assert!(matches!(error, EditError::Stamp(StampError::OffMap { .. })), "{error}")
                        }
                    }
                }
                2 if !model.stamps.is_empty() => {
                    let gone = model.stamps.remove(rng.below(model.stamps.len() as u32) as usize);
                    layer.remove(gone.id).unwrap();
                    assert_eq!(layer.remove(gone.id), Err(EditError::NoSuchStamp(gone.id)));
                }
                3 if !model.stamps.is_empty() => {
                    let pick = rng.below(model.stamps.len() as u32) as usize;
                    let gate = rng.pick(&[GateState::Open, GateState::Closed]);
                    let standing = &mut model.stamps[pick];
                    if standing.stamp.cells.contains(&FootCell::Gate) {
                        layer.set_gate(standing.id, gate).unwrap();
                        standing.gate = gate;
                    } else {
                        let refused = layer.set_gate(standing.id, gate);
                        assert_eq!(refused, Err(EditError::NoGate(standing.id)));
                    }
                }
                4 => {
                    let area = CellRect::at(at, 1 + rng.below(6), 1 + rng.below(6));
                    let terrain = rng.pick(&[GRASS, ROUGH, WATER, BRIDGE]);
                    layer.set_terrain(area, terrain).unwrap();
                    for at in area.intersect(size.rect()).cells() {
                        model.terrain[size.id(at).unwrap().index()] = terrain;
                    }
                }
                5 => {
                    let area = CellRect::at(at, 1 + rng.below(4), 1 + rng.below(4));
                    let height = rng.below(300) as i16 - 150;
                    layer.set_elevation(area, height).unwrap();
                    for at in area.intersect(size.rect()).cells() {
                        model.elevation[size.id(at).unwrap().index()] = i32::from(height);
                    }
                }
                6 => {
                    let falloff = rng.pick(&[Falloff::Flat, Falloff::Linear, Falloff::Quadratic]);
                    let (radius, strength) = (rng.below(9) as u16, rng.below(200) as u8);
                    threats.push(layer.add_threat(ThreatSource { at, radius, strength, falloff }).unwrap());
                }
                7 if !threats.is_empty() && rng.chance(500) => {
                    let id = rng.pick(&threats);
                    let falloff = rng.pick(&[Falloff::Flat, Falloff::Linear]);
                    let (radius, strength) = (rng.below(9) as u16, rng.below(200) as u8);
                    layer.set_threat(id, ThreatSource { at, radius, strength, falloff }).unwrap();
                }
                7 if !threats.is_empty() => {
                    let id = threats.remove(rng.below(threats.len() as u32) as usize);
                    layer.remove_threat(id).unwrap();
                    assert_eq!(layer.remove_threat(id), Err(EditError::NoSuchThreat(id)));
                }
                _ => {
                    now = now.next();
                    layer.advance(now);
                    model.stamps.retain(|standing| standing.expires.is_none_or(|tick| tick > now));
                }
            }
            let what = format!("round {round}, step {step}, edit {kind}");
            model.check(&layer, &what);
            let rebuilt = layer.rebuilt();
            assert!(layer.same_derived(&rebuilt), "{what}: not as rebuilt");
            let after = picture(&layer);
            let expected = changed_sectors(&layer, &before, &after);
            layer.take_changes(&mut changes);
            assert_eq!(changes, expected, "{what}");
            before = after;
        }
    }
}

#[test]
fn a_stamp_that_changes_nothing_dirties_nothing() {
    let map = Map::flat("flat", GridSize::new(64, 64).unwrap(), rules()).validate().unwrap();
    let mut layer = CostLayer::new(&map, CostSettings::default());
    let house = layer.place(&Stamp::solid(3, 3), cell(30, 30), Tick::ZERO).unwrap();
    let mut changes = Vec::new();
    layer.take_changes(&mut changes);
    // The stamp lies in four sectors of 32 cells and changes the two ground locomotors. The ground is closed to boats, and aircraft ignore it.
    assert_eq!(changes.len(), 4);
    assert!(changes.iter().all(|change| change.locomotors == 0b0011 && !change.threat && !change.stopping));
    let version = layer.changes().version(changes[0].sector);
    layer.place(&Stamp::solid(2, 2), cell(30, 30), Tick::ZERO).unwrap();
    assert!(layer.changes().is_empty(), "the ground was closed already");
    assert_eq!(layer.changes().version(changes[0].sector), version);
    layer.remove(house).unwrap();
    assert!(!layer.changes().is_empty());
    assert!(
        !layer.field(LocomotorId(0).into()).unwrap().is_passable(cell(31, 31)),
        "the other one still stands"
    );
    assert!(layer.field(LocomotorId(0).into()).unwrap().is_passable(cell(32, 32)));
}

#[test]
fn threat_shows_at_the_next_refresh_and_sums_up_to_its_cap() {
    let map = Map::flat("flat", GridSize::new(40, 40).unwrap(), rules()).validate().unwrap();
    let mut layer = CostLayer::new(&map, CostSettings::default());
    let tower = ThreatSource { at: cell(20, 20), radius: 5, strength: 100, falloff: Falloff::Linear };
    let first = layer.add_threat(tower).unwrap();
    for tick in 1..4 {
        layer.advance(Tick(tick));
        assert_eq!(layer.threat().at(cell(20, 20)), 0, "not before tick 4");
    }
    layer.advance(Tick(4));
    assert_eq!(layer.threat().at(cell(20, 20)), 100);
    assert!(layer.threat().at(cell(25, 20)) > 0, "the rim still counts");
    assert_eq!(layer.threat().at(cell(26, 20)), 0);
    layer.add_threat(tower).unwrap();
    layer.advance(Tick(8));
    assert_eq!(layer.threat().at(cell(20, 20)), 128, "two of them, capped at threat_max_cost");
    layer.remove_threat(first).unwrap();
    layer.advance(Tick(12));
    assert_eq!(layer.threat().at(cell(20, 20)), 100, "the cap did not reduce the other source's share");
}

#[test]
fn changes_since_a_mark_do_not_depend_on_the_changes_before_it() {
    let map = Map::flat("flat", GridSize::new(64, 64).unwrap(), rules()).validate().unwrap();
    for edits in [1, 20, 60, 64, 65, 70, 100, 140] {
        let mut lists = Vec::new();
        for earlier in 0..140 {
            let mut layer = CostLayer::new(&map, CostSettings::default());
            let edit = |layer: &mut CostLayer, number: i32| {
                let area = CellRect::at(cell(number % 60, number / 60), 1, 1);
                layer.set_terrain(area, TerrainId(1)).expect("on the map");
            };
            (0..earlier).for_each(|number| edit(&mut layer, number));
            let mark = layer.changes().mark_now();
            (1000..1000 + edits).for_each(|number| edit(&mut layer, number));
            let list = layer.changes().since(mark).map(<[SectorId]>::to_vec);
            // The map has fewer than 64 sectors.
            assert_eq!(list.is_some(), layer.changes().count_since(mark) <= 64, "{earlier}, {edits} edits");
            lists.push(list);
        }
        assert!(lists.iter().all(|list| *list == lists[0]), "{edits} edits");
    }
}
