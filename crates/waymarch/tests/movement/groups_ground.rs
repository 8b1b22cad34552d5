//! Slots on real ground: water, walls, corridors, mazes.

use waymarch::avoid::Fine;
use waymarch::base::{Agent, Angle, CellPos, Dir8, Fixed, LocomotorId, SizeClass, cell};
use waymarch::cost::{CostLayer, CostSettings, StepRule};
use waymarch::groups::{Fit, Footing, Formation, FormationError, Formations, MapFooting, Member, Slot};
use waymarch::sectors::Sectors;
use waymarch_testkit::formation_slots::{arrange, check, plain_formations, request, soldiers};
use waymarch_testkit::grids::Grid;
use waymarch_testkit::picture::Picture;
use waymarch_testkit::splitmix::SplitMix;

/// A map with its cost layer and sectors.
struct Place {
    layer: CostLayer,
    sectors: Sectors,
}

impl Place {
    fn new(grid: &Grid) -> Self {
        let map = grid.to_map("ground").validate().expect("a legal map");
        let settings = CostSettings {
            sizes: vec![SizeClass::ONE, SizeClass::TWO, SizeClass::THREE],
            ..CostSettings::default()
        };
        let layer = CostLayer::new(&map, settings);
        let sectors = Sectors::new(&layer, StepRule::default());
        Self { layer, sectors }
    }

    fn picture(text: &str) -> Self {
        let map = Picture::new(text).map.validate().expect("a legal map");
        let layer = CostLayer::new(&map, CostSettings::default());
        let sectors = Sectors::new(&layer, StepRule::default());
        Self { layer, sectors }
    }

    fn footing<'a>(&'a self, starts: &'a [(Agent, CellPos)]) -> MapFooting<'a> {
        MapFooting::new(&self.layer, &self.sectors, starts)
    }
}

const FOOT: Agent = Agent { locomotor: LocomotorId(0), size: SizeClass::ONE };

#[test]
fn on_any_ground_slots_are_where_members_can_stop() {
    let mut rng = SplitMix::new(77);
    for seed in 0..6 {
        let grids = [
            Grid::scatter(seed, 90, 90, 250),
            Grid::maze(seed, 91, 91),
            Grid::rooms(seed, 90, 90, 7),
            Grid::caves(seed, 90, 90),
            Grid::city(seed, 90, 90),
        ];
        for (kind, grid) in grids.iter().enumerate() {
            let place = Place::new(grid);
            let Some(start) = grid.random_open(&mut rng) else { continue };
            let starts = [(FOOT, start)];
            let footing = place.footing(&starts);
            for formation in plain_formations() {
                let count = 1 + rng.below(120);
                let members = soldiers(count, start);
                let centre = Fine::new(rng.below(90 << 16) as i32, rng.below(90 << 16) as i32);
                let asked = request(&formation, centre, Angle(rng.below(65_536) as u16));
                let what = format!("seed {seed} kind {kind} {formation:?} {count}");
                let mut slots = Vec::new();
                match Formations::default().arrange(&asked, &members, &footing, &mut slots) {
                    Ok(_) => check(&slots, &members, Fixed::ZERO, &footing, &what),
                    Err(FormationError::NoRoom { placed, .. }) => {
                        assert_eq!(placed as usize, slots.len());
                        // A refusal is right only if the reachable ground is too small.
                        let reach: usize = (0..90 * 90)
                            .filter(|at| footing.is_reachable(FOOT, cell(at % 90, at / 90)))
                            .count();
                        assert!(reach < 2 * count as usize, "{what}: no room on {reach} cells");
                    }
                    Err(error) => panic!("{what}: {error}"),
                }
            }
        }
    }
}

#[test]
fn big_and_small_share_real_ground() {
    let grid = Grid::patches(5, 80, 80, &[1, 1, 255]);
    let place = Place::new(&grid);
    let size = |side: u8| Agent { locomotor: LocomotorId(0), size: SizeClass::new(side).expect("legal") };
    let open = |agent: Agent| {
        let field = place.layer.field(agent).expect("it exists");
        let cells = (0..80 * 80).map(|at| cell(at % 80, at / 80));
        cells.filter(|&at| field.is_passable(at)).max_by_key(|&at| {
            let reach = (0..80 * 80).step_by(37).map(|to| cell(to % 80, to / 80));
            (reach.filter(|&to| place.sectors.reachable(at, to, agent)).count(), at)
        })
    };
    let starts: Vec<(Agent, CellPos)> =
        [1, 2, 3].iter().map(|&side| (size(side), open(size(side)).expect("some ground"))).collect();
    let footing = place.footing(&starts);
    let members: Vec<Member> = (0..45)
        .map(|id| {
            let (agent, at) = starts[id as usize % 3];
            let radius = Fixed::from_raw(400 * i32::from(agent.size.side()));
            Member { id, at: Fine::centre(at), agent, radius, ..Member::default() }
        })
        .collect();
    for formation in plain_formations() {
        for centre in [cell(40, 40), cell(10, 70), cell(70, 15)] {
            let asked = request(&formation, Fine::centre(centre), Angle(20_000));
            arrange(&asked, &members, &footing, &format!("{formation:?} at {centre}"));
        }
    }
}

#[test]
fn a_formation_half_in_the_water_reshapes_on_the_shore() {
    // Water east of column 20.
    let mut grid = Grid::filled(40, 40, 1);
    for (x, y) in grid.cells() {
        if x >= 20 {
            grid.set((x, y), 255);
        }
    }
    let place = Place::new(&grid);
    let starts = [(FOOT, cell(2, 20))];
    let footing = place.footing(&starts);
    let members = soldiers(36, cell(0, 0));
    let asked = request(&Formation::Box, Fine::centre(cell(20, 20)), Dir8::N.into());
    let (_, slots) = arrange(&asked, &members, &footing, "half in the water");
    let far = |slot: &Slot| slot.at.distance_squared(asked.centre).isqrt() >> 16;
    assert!(slots.iter().all(|slot| far(slot) <= 7), "the slots stay together");
    let kept = slots.iter().filter(|slot| slot.fit == Fit::Ideal).count();
    assert!((12..=20).contains(&kept), "the half on land keeps its shape: {kept}");
}

#[test]
fn no_slot_lies_behind_the_wall() {
    // A wall whose only gate is far away. The formation around the goal would cross it.
    let mut grid = Grid::filled(60, 60, 1);
    for x in 0..59 {
        grid.set((x, 30), 255);
    }
    let place = Place::new(&grid);
    let starts = [(FOOT, cell(20, 20))];
    let footing = place.footing(&starts);
    let members = soldiers(50, cell(15, 15));
    for formation in [Formation::Box, Formation::Hex, Formation::Circle, Formation::Scatter, Formation::Line]
    {
        let asked = request(&formation, Fine::centre(cell(20, 28)), Dir8::E.into());
        let (_, slots) = arrange(&asked, &members, &footing, "wall");
        assert!(slots.iter().all(|slot| slot.at.cell().y < 30), "{formation:?}");
    }
}

#[test]
fn in_a_corridor_the_formation_grows_along_it() {
    let mut grid = Grid::filled(120, 9, 255);
    for x in 0..120 {
        grid.set((x, 4), 1);
    }
    let place = Place::new(&grid);
    let starts = [(FOOT, cell(0, 4))];
    let footing = place.footing(&starts);
    for formation in plain_formations() {
        let members = soldiers(60, cell(0, 4));
        let asked = request(&formation, Fine::centre(cell(60, 4)), Dir8::E.into());
        arrange(&asked, &members, &footing, &format!("{formation:?} in a corridor"));
    }
    // More members than fit: members that fit have slots, and the others are reported.
    let members = soldiers(400, cell(0, 4));
    let asked = request(&Formation::Box, Fine::centre(cell(60, 4)), Dir8::E.into());
    let mut slots = Vec::new();
    let refused = Formations::default().arrange(&asked, &members, &footing, &mut slots);
    let Err(FormationError::NoRoom { placed, wanted: 400, .. }) = refused else { panic!("{refused:?}") };
    assert!(placed as usize == slots.len() && placed >= 110, "{placed}");
}

#[test]
fn slots_depend_neither_on_the_order_of_members_nor_on_earlier_calls() {
    let place = Place::picture(
        "..........
         ..........
         ...##.....
         ...##.....
         ..........
         ..........",
    );
    let starts = [(FOOT, cell(0, 0))];
    let footing = place.footing(&starts);
    let mut used = Formations::default();
    let mut rng = SplitMix::new(4);
    for formation in plain_formations() {
        let mut members = soldiers(14, cell(1, 1));
        let asked = request(&formation, Fine::centre(cell(4, 3)), Angle(4321));
        let (mut first, mut again) = (Vec::new(), Vec::new());
        Formations::default().arrange(&asked, &members, &footing, &mut first).expect("room");
        for at in (1..members.len()).rev() {
            members.swap(at, rng.below(at as u32 + 1) as usize);
        }
        used.arrange(&asked, &members, &footing, &mut again).expect("room");
        assert_eq!(first, again, "{formation:?}");
    }
}
