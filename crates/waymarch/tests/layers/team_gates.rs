//! Gates that are open to some sides only: costs, reachability and routes of each side equal those on a map in which the gate is open or closed.

use waymarch::base::{Agent, CellPos, CellRect, GridSize, LocomotorId, SizeClass, cell};
use waymarch::config::Config;
use waymarch::cost::{FootCell, GateState, Map, Rules, SideMask, Stamp, StampId, TerrainId};
use waymarch::query::{PathQuery, Threat};
use waymarch::search::Route;
use waymarch::world::Navigator;
use waymarch_testkit::splitmix::SplitMix;

const SIDE: u32 = 40;

/// Sides that are asked for; no gate ever opens to 3.
const SIDES: [u8; 4] = [0, 1, 2, 3];

fn agents() -> Vec<Agent> {
    let sizes = [SizeClass::ONE, SizeClass::TWO];
    (0..3).flat_map(|number| sizes.map(|size| Agent { locomotor: LocomotorId(number), size })).collect()
}

/// The game's map, and for each side a slow twin: a map in which each gate is simply open or closed.
struct Twins {
    nav: Navigator,
    twins: Vec<Navigator>,
    gates: Vec<StampId>,
    rng: SplitMix,
}

impl Twins {
    fn new(seed: u64) -> Self {
        let mut rng = SplitMix::new(seed);
        let mut map = Map::flat("field", GridSize::new(SIDE, SIDE).expect("legal"), Rules::standard());
        // Walls in both directions, with a way around them in some maps.
        for k in 0..SIDE as i32 {
            map.set_terrain(cell(13, k), TerrainId(6));
            if rng.chance(950) {
                map.set_terrain(cell(k, 26), TerrainId(6));
            }
            if rng.chance(300) {
                map.set_terrain(cell(rng.below(SIDE) as i32, rng.below(SIDE) as i32), TerrainId(2));
            }
        }
        let nav = Navigator::new(map, Config::default()).expect("legal");
        Self { twins: SIDES.map(|_| nav.clone()).to_vec(), nav, gates: Vec::new(), rng }
    }

    fn each(&mut self, edit: impl Fn(&mut Navigator)) {
        edit(&mut self.nav);
        self.twins.iter_mut().for_each(edit);
    }

    fn edit(&mut self) {
        let at = cell(self.rng.below(SIDE - 5) as i32, self.rng.below(SIDE - 5) as i32);
        match self.rng.below(7) {
            0 | 1 => {
                let (wide, high) = (1 + self.rng.below(4), 1 + self.rng.below(4));
                let gate = Stamp::filled("gate", wide, high, FootCell::Gate);
                // Mostly in a wall: the ground under the gate is opened.
                let at = if self.rng.chance(700) { cell(12, at.y) } else { at };
                let under = CellRect::at(at, wide, high);
                self.each(|nav| nav.set_terrain(under, TerrainId(0)).expect("on the map"));
                self.gates.push(self.nav.place(&gate, at).expect("it fits"));
                for twin in &mut self.twins {
                    assert_eq!(twin.place(&gate, at).ok().as_ref(), self.gates.last());
                }
            }
            2 if !self.gates.is_empty() => {
                let place = self.rng.below(self.gates.len() as u32) as usize;
                let id = self.gates.swap_remove(place);
                self.each(|nav| nav.remove(id).expect("it stands"));
            }
            3 => {
                let wall = Stamp::solid(1 + self.rng.below(4), 1 + self.rng.below(4));
                self.each(|nav| {
                    nav.place(&wall, at).expect("it fits");
                });
            }
            _ => {
                let Some(place) = self.gates.len().checked_sub(1) else { return };
                let id = self.gates[self.rng.below(place as u32 + 1) as usize];
                let sides = SideMask(self.rng.below(8));
                let gate = self.rng.pick(&[
                    GateState::Open,
                    GateState::Closed,
                    GateState::OpenTo(sides),
                    GateState::OpenTo(sides),
                ]);
                self.nav.set_gate(id, gate).expect("it stands");
                for (twin, side) in self.twins.iter_mut().zip(SIDES) {
                    let open = match gate {
                        GateState::OpenTo(sides) if sides.contains(side) => GateState::Open,
                        GateState::OpenTo(_) => GateState::Closed,
                        other => other,
                    };
                    twin.set_gate(id, open).expect("it stands");
                }
            }
        }
        self.each(Navigator::tick);
    }

    fn check(&mut self) {
        let rebuilt = self.nav.layer().rebuilt();
        assert!(self.nav.layer().same_derived(&rebuilt));
        for (twin, side) in self.twins.iter_mut().zip(SIDES) {
            for agent in agents() {
                let own = self.nav.layer().as_side(agent, side);
                assert_eq!(self.nav.layer().as_anyone(own), agent);
                let (field, slow) =
                    (self.nav.layer().field(own).expect("costs"), twin.layer().field(agent).expect("costs"));
                for at in CellRect::at(cell(0, 0), SIDE, SIDE).cells() {
                    assert_eq!(field.cost(at), slow.cost(at), "side {side}, {agent:?} at {at}");
                }
                let any = |rng: &mut SplitMix| cell(rng.below(SIDE) as i32, rng.below(SIDE) as i32);
                for _ in 0..6 {
                    let (from, to): (CellPos, CellPos) = (any(&mut self.rng), any(&mut self.rng));
                    assert_eq!(self.nav.reachable(from, to, own), twin.reachable(from, to, agent));
                    assert_eq!(self.nav.layer().can_stop(to, own), twin.layer().can_stop(to, agent));
                    let (mut route, mut expected) = (Route::new(), Route::new());
                    let found = self.nav.path_into(&PathQuery::new(from, to, own), &mut route);
                    let twin_found = twin.path_into(&PathQuery::new(from, to, agent), &mut expected);
                    assert_eq!(found.is_ok(), twin_found.is_ok(), "side {side}, {from} to {to}");
                    assert_eq!(route.cost, expected.cost, "side {side}, {from} to {to}");
                    let far = self.nav.path_far(&PathQuery::new(from, to, own), &mut route);
                    assert_eq!(far.is_ok(), twin_found.is_ok());
                }
            }
        }
    }
}

#[test]
fn each_side_has_the_costs_and_routes_of_a_map_with_its_gates_open() {
    for seed in 0..6 {
        let mut twins = Twins::new(seed);
        for step in 0..40 {
            twins.edit();
            if step % 4 == 3 {
                twins.check();
            }
        }
        assert!(!twins.nav.layer().gate_sides().is_empty());
    }
}

#[test]
fn a_saved_or_restored_map_keeps_the_gates_of_each_side() {
    use waymarch::base::{ByteReader, ByteWriter};
    for seed in 0..4 {
        let mut twins = Twins::new(seed);
        let mut before = ByteWriter::new();
        twins.nav.save(&mut before);
        (0..40).for_each(|_| twins.edit());
        let mut saved = ByteWriter::new();
        twins.nav.save(&mut saved);
        let hash = twins.nav.state_hash();
        twins.nav = Navigator::load(&mut ByteReader::new(saved.bytes())).expect("its own save");
        assert_eq!(twins.nav.state_hash(), hash);
        twins.check();
        // Back to before any gate, and forward again.
        twins.nav.restore(&mut ByteReader::new(before.bytes())).expect("its own save");
        assert!(twins.nav.layer().gate_sides().is_empty());
        twins.nav.restore(&mut ByteReader::new(saved.bytes())).expect("its own save");
        assert_eq!(twins.nav.state_hash(), hash);
        twins.check();
    }
}

#[test]
fn a_gate_for_nobody_is_closed_and_numbers_above_31_open_nothing() {
    let map = Map::flat("field", GridSize::new(9, 9).expect("legal"), Rules::standard());
    let mut nav = Navigator::new(map, Config::default()).expect("legal");
    let gate = nav.place(&Stamp::filled("gate", 9, 1, FootCell::Gate), cell(0, 4)).expect("it fits");
    let (foot, ends): (Agent, _) = (LocomotorId(0).into(), [cell(4, 0), cell(4, 8)]);
    for sides in [SideMask::default(), SideMask::of(32), SideMask::of(255)] {
        nav.set_gate(gate, GateState::OpenTo(sides)).expect("it stands");
        assert!(!nav.reachable(ends[0], ends[1], foot));
        assert!(nav.layer().gate_sides().is_empty());
    }
    nav.set_gate(gate, GateState::OpenTo(SideMask::of(7))).expect("it stands");
    let open = |nav: &Navigator, side| nav.reachable(ends[0], ends[1], nav.layer().as_side(foot, side));
    assert!(open(&nav, 7) && !open(&nav, 6) && !nav.reachable(ends[0], ends[1], foot));
    // Two gates in one place: both must be open.
    let other = nav.place(&Stamp::filled("gate", 9, 1, FootCell::Gate), cell(0, 4)).expect("it fits");
    nav.set_gate(other, GateState::OpenTo(SideMask::of(6).with(7))).expect("it stands");
    assert!(open(&nav, 7) && !open(&nav, 6));
    // The jump planes of the side are ready some ticks later.
    (0..100).for_each(|_| nav.tick());
    assert_eq!(
        nav.planner_for(nav.layer().as_side(foot, 7), Threat::Ignore).0,
        nav.planner_for(foot, Threat::Ignore).0
    );
}

#[test]
fn more_sides_than_locomotors_allow_are_refused_and_change_nothing() {
    use waymarch::cost::{EditError, LocomotorDef, SurfaceMask, ValidRules};
    let mut rules = Rules::standard();
    let mut number = 0;
    while rules.locomotors.len() < 32 {
        rules.locomotors.push(LocomotorDef::new(format!("more {number}"), SurfaceMask::GROUND));
        rules.costs.iter_mut().for_each(|row| row.push(Some(1)));
        number += 1;
    }
    let _checked: ValidRules = rules.clone().validate().expect("legal");
    let map = Map::flat("field", GridSize::new(9, 9).expect("legal"), rules);
    let mut nav = Navigator::new(map, Config::default()).expect("legal");
    let gate = nav.place(&Stamp::filled("gate", 9, 1, FootCell::Gate), cell(0, 4)).expect("it fits");
    nav.set_gate(gate, GateState::OpenTo(SideMask(0b11_1111))).expect("six sides and the usual fields: 224");
    let hash = nav.state_hash();
    let refused = nav.set_gate(gate, GateState::OpenTo(SideMask(0b1111_1111)));
    assert_eq!(refused, Err(EditError::TooManySides { most: 6 }));
    assert_eq!(nav.state_hash(), hash);
}
