//! Facts from the tests of another engine, 0 A.D.: which cells are connected, which rooms touch, where units end up.
//!
//! That engine cuts maps into squares of 96 cells; sectors here have powers of two. Reachability does not depend on the size. The number of
//! rooms and the number of neighbours of a room do. The slow twin is asked at 96 cells, where it must agree with the other engine.
//! The engine must agree with the twin at every sector size.

use waymarch::base::{Agent, CellPos, CellRect, Fixed, LocomotorId, Tick, cell};
use waymarch::cost::{
    CostLayer, CostSettings, LocomotorDef, Map, Rules, Stamp, StampId, StepRule, Surface, SurfaceMask,
    TerrainDef,
};
use waymarch::query::{Goal, PlanError};
use waymarch::sectors::{RoomId, Sectors, SnapScratch};
use waymarch_testkit::connectivity;
use waymarch_testkit::grids::Grid;
use waymarch_testkit::picture::Picture;

const SIDE: u32 = 240;

/// Locomotor 0 can enter the ground, locomotor 1 cannot.
const FIRST: LocomotorId = LocomotorId(0);
const SECOND: LocomotorId = LocomotorId(1);

/// The map of 240 × 240 cells at one sector size, edited and followed step by step.
struct Scene {
    layer: CostLayer,
    sectors: Sectors,
}

impl Scene {
    fn new(sector_size: u32) -> Self {
        let rules = Rules {
            normal: 1,
            terrains: vec![TerrainDef::new("land", Surface::Ground)],
            locomotors: vec![
                LocomotorDef::new("first", SurfaceMask::GROUND),
                LocomotorDef::new("second", SurfaceMask::WATER),
            ],
            costs: vec![vec![Some(1), None]],
            speeds: Vec::new(),
        };
        let size = waymarch::base::GridSize::new(SIDE, SIDE).expect("legal");
        let map = Map::flat("open", size, rules).validate().expect("legal");
        let layer = CostLayer::new(&map, CostSettings { sector_size, ..CostSettings::default() });
        let sectors = Sectors::new(&layer, StepRule::default());
        Self { layer, sectors }
    }

    /// Closes a rectangle, ends included. It consists of several stamps because a stamp has at most 64 cells a side.
    fn wall(&mut self, (x0, x1): (i32, i32), (y0, y1): (i32, i32)) -> Vec<StampId> {
        let mut ids = Vec::new();
        for y in (y0..=y1).step_by(60) {
            let piece = Stamp::solid((x1 - x0 + 1) as u32, (y1 - y + 1).min(60) as u32);
            ids.push(self.layer.place(&piece, cell(x0, y), Tick::ZERO).expect("it fits"));
            self.sectors.follow(&self.layer);
        }
        ids
    }

    fn remove(&mut self, ids: &[StampId]) {
        for &id in ids {
            self.layer.remove(id).expect("it stands");
            self.sectors.follow(&self.layer);
        }
    }

    fn rooms(&self) -> Vec<Option<RoomId>> {
        self.layer.grid().rect().cells().map(|at| self.sectors.room(at, FIRST)).collect()
    }

    /// The number of rooms that can be reached from a cell, and the number of rooms that touch its own.
    fn around(&self, at: CellPos) -> (usize, usize) {
        let rooms = self.rooms();
        let reached = |&(other, _): &(CellPos, Option<RoomId>)| self.sectors.reachable(at, other, FIRST);
        let with_rooms = self.layer.grid().rect().cells().zip(rooms.iter().copied());
        let mut reached: Vec<RoomId> = with_rooms.filter(reached).filter_map(|(_, room)| room).collect();
        reached.sort_unstable();
        reached.dedup();
        (reached.len(), connectivity::rooms_beside(&rooms, SIDE, SIDE, index(at)).len())
    }

    /// The same numbers from the twin, with squares of `side` cells.
    fn twin_around(&self, at: CellPos, side: u32) -> (usize, usize) {
        let field = self.layer.field(Agent::from(FIRST)).expect("it has one");
        let costs: Vec<u8> = self.layer.grid().rect().cells().map(|at| field.cost(at)).collect();
        let rooms = connectivity::rooms(&costs, SIDE, SIDE, side);
        let domains = connectivity::domains(&costs, SIDE, SIDE, StepRule::FOUR);
        let there = (0..rooms.len()).filter(|&other| domains[other] == domains[index(at)]);
        let mut reached: Vec<usize> = there.filter_map(|other| rooms[other]).collect();
        reached.sort_unstable();
        reached.dedup();
        (reached.len(), connectivity::rooms_beside(&rooms, SIDE, SIDE, index(at)).len())
    }

    /// Compares the twin at 96 cells with the other engine, and the engine with the twin at its own sector size.
    fn check(&self, facts: &[(CellPos, usize, usize)]) {
        for &(at, reached, degree) in facts {
            assert_eq!(self.twin_around(at, 96), (reached, degree), "{at}, in squares of 96");
            let side = self.layer.changes().sectors().side();
            assert_eq!(self.around(at), self.twin_around(at, side), "{at}, in sectors of {side}");
        }
        assert_eq!(self.sectors.domains(SECOND), 0, "closed all over");
    }
}

fn index(at: CellPos) -> usize {
    (at.y as u32 * SIDE + at.x as u32) as usize
}

#[test]
fn walls_that_come_and_go_leave_the_rooms_of_another_engines_tests() {
    for side in [8, 16, 32, 64, 128] {
        let mut scene = Scene::new(side);
        let (corner, west, middle, east) = (cell(20, 20), cell(20, 120), cell(150, 120), cell(220, 120));
        scene.check(&[(corner, 9, 2), (middle, 9, 4)]);
        assert_eq!(scene.sectors.domains(FIRST), 1);

        let whole = scene.wall((125, 125), (0, 239));
        assert_eq!(scene.sectors.domains(FIRST), 2);
        assert!((0..240).all(|y| scene.sectors.domain(cell(125, y), FIRST).is_none()), "walls are in none");
        // The two halves of the square in the middle.
        scene.check(&[(west, 6, 3), (cell(110, 120), 6, 3), (middle, 6, 3), (east, 6, 3)]);
        assert!(!scene.sectors.reachable(west, east, FIRST));

        scene.remove(&whole);
        scene.check(&[(corner, 9, 2), (middle, 9, 4)]);
        scene.wall((125, 125), (120, 149));
        scene.check(&[(middle, 9, 4)]);

        scene.wall((96, 96), (70, 199));
        scene.check(&[(west, 9, 2), (cell(170, 120), 9, 3)]);
        scene.wall((192, 192), (70, 199));
        scene.check(&[(west, 9, 2), (cell(170, 120), 9, 2), (east, 9, 2)]);
        assert_eq!(scene.sectors.domains(FIRST), 1);

        scene.wall((96, 139), (110, 110));
        scene.wall((96, 139), (140, 140));
        let lid = scene.wall((140, 140), (110, 140));
        assert_eq!(scene.sectors.domains(FIRST), 2);
        scene.check(&[(cell(120, 115), 1, 0), (west, 9, 2)]);
        assert!(!scene.sectors.reachable(cell(120, 115), west, FIRST));
        scene.remove(&lid);
        assert_eq!(scene.sectors.domains(FIRST), 1);
        scene.check(&[(cell(120, 115), 9, 2)]);
        assert!(scene.sectors == Sectors::new(&scene.layer, StepRule::default()), "equal to rebuilt sectors");
    }
}

/// The same map with sectors of 64 and 32 cells: the numbers that differ from those at 96.
#[test]
fn smaller_sectors_have_more_rooms_and_the_same_neighbours() {
    // Four by four sectors of 64, eight by eight of 32.
    for (side, open, west_of_wall, east_of_wall) in [(64, 16, 8, 12), (32, 64, 32, 40)] {
        let mut scene = Scene::new(side);
        assert_eq!(scene.around(cell(20, 20)), (open, 2));
        assert_eq!(scene.around(cell(150, 120)), (open, 4));
        // At 96 cells the wall cuts the middle one of three columns, so that two columns lie on each side. At 64 it cuts the second of
        // four columns near its eastern edge, at 32 the fourth of eight: the east side has one column more than its whole ones.
        let whole = scene.wall((125, 125), (0, 239));
        assert_eq!(scene.around(cell(110, 120)), (west_of_wall, 3));
        assert_eq!(scene.around(cell(127, 120)), (east_of_wall, 3));
        scene.remove(&whole);
        // At 96 and 32 cells, column 96 is the first of a sector, so that a wall there separates sectors. At 64 it cuts a sector in two.
        scene.wall((96, 96), (70, 199));
        let extra = usize::from(side == 64);
        assert_eq!(scene.around(cell(150, 120)).0, open + extra);
        assert_eq!(scene.around(cell(80, 150)).1, 3);
        assert_eq!(scene.around(cell(100, 150)).1, 3);
    }
}

#[test]
fn two_regions_side_by_side_though_corners_touch() {
    let picture = Picture::new(
        "#.#..
         ..##.
         #.#..
         ..##.
         #.#..",
    );
    for sector_size in [8, 32, 64] {
        let map = picture.map.clone().validate().expect("legal");
        let layer = CostLayer::new(&map, CostSettings { sector_size, ..CostSettings::default() });
        let sectors = Sectors::new(&layer, StepRule::FOUR);
        assert_eq!(sectors.domains(FIRST), 2);
        assert!(sectors.reachable(cell(1, 0), cell(0, 3), FIRST));
        assert!(sectors.reachable(cell(3, 0), cell(3, 4), FIRST));
        assert!(!sectors.reachable(cell(1, 0), cell(3, 0), FIRST));
    }
}

/// 40 × 40 tiles of 5 × 5 cells. Obstacles as rows and columns of tiles, ends included.
fn obstacles() -> Grid {
    let mut grid = Grid::filled(200, 200, 1);
    let mut close = |(top, bottom): (i32, i32), (left, right): (i32, i32)| {
        for at in CellRect::at(
            cell(left * 5, top * 5),
            ((right - left + 1) * 5) as u32,
            ((bottom - top + 1) * 5) as u32,
        )
        .cells()
        {
            grid.set((at.x, at.y), 255);
        }
    };
    // A C shape that opens to the east.
    close((3, 4), (4, 9));
    close((5, 5), (4, 7));
    close((6, 6), (4, 4));
    close((7, 7), (4, 5));
    close((8, 9), (4, 9));
    // A trough of two walls and a bottom, with a hook.
    close((4, 17), (26, 26));
    close((9, 17), (28, 28));
    close((9, 9), (28, 31));
    close((10, 10), (31, 31));
    close((17, 17), (26, 28));
    // A block, and a single tile.
    close((13, 15), (6, 8));
    close((14, 14), (11, 11));
    grid
}

#[test]
fn closed_cells_are_left_by_the_nearest_open_one() {
    let map = obstacles().to_map("obstacles").validate().expect("legal");
    for sector_size in [8, 32, 64, 128] {
        let layer = CostLayer::new(&map, CostSettings { sector_size, ..CostSettings::default() });
        let sectors = Sectors::new(&layer, StepRule::default());
        let mut scratch = SnapScratch::default();
        // Row, column, and distance in straight steps. On this map the nearest cell by air line is also the nearest by steps.
        for (row, column, steps) in [
            (20, 20, 1),
            (21, 21, 2),
            (72, 37, 8),
            (72, 39, 6),
            (72, 40, 5),
            (72, 41, 4),
            (28, 37, 2),
            (5, 5, 0),
        ] {
            let from = cell(column, row);
            let snapped = sectors
                .snap(&layer, from, &Goal::point(cell(0, 0)), FIRST, &mut scratch)
                .expect("open ground");
            let far = snapped.from.x.abs_diff(from.x) + snapped.from.y.abs_diff(from.y);
            assert_eq!(far, steps, "{from} to {}", snapped.from);
        }
    }
}

#[test]
fn goals_that_are_closed_or_cannot_be_reached_are_replaced_by_the_nearest_that_can() {
    let map = obstacles().to_map("obstacles").validate().expect("legal");
    let mut layer = CostLayer::new(&map, CostSettings::default());
    let mut sectors = Sectors::new(&layer, StepRule::default());
    let (start, mut scratch) = (cell(18, 28), SnapScratch::default());
    // In the second round the trough has a lid, and the C shape has a door.
    for sealed in 0..2 {
        let cells: Vec<CellPos> = layer.grid().rect().cells().collect();
        let there: Vec<CellPos> =
            cells.iter().copied().filter(|&at| sectors.reachable(start, at, FIRST)).collect();
        let mut replaced = 0;
        for (number, &goal) in cells.iter().enumerate() {
            let reachable = sectors.reachable(start, goal, FIRST);
            let open = layer.field(Agent::from(FIRST)).is_some_and(|field| field.is_passable(goal));
            assert_eq!(
                open && sealed == 0,
                reachable && sealed == 0,
                "all open ground is connected at first"
            );
            let shape = Goal::point(goal);
            let found =
                sectors.snap(&layer, start, &shape, FIRST, &mut scratch).expect("it stands on open ground");
            if reachable {
                assert_eq!((found.to, found.gap), (goal, 0), "goals that can be reached keep their cell");
            } else if number % 3 == 0 {
                let square = |at: CellPos| (at.x - goal.x).pow(2) + (at.y - goal.y).pow(2);
                let nearest = there.iter().copied().min_by_key(|&at| (square(at), at)).expect("some");
                assert_eq!(found.to, nearest, "for {goal}");
                replaced += 1;
            }
        }
        assert!(replaced > 500 + 150 * sealed, "{replaced}");
        layer.place(&Stamp::solid(5, 1), cell(135, 45), Tick::ZERO).expect("it fits");
        layer.place(&Stamp::solid(1, 15), cell(49, 25), Tick::ZERO).expect("it fits");
        sectors.follow(&layer);
    }
    let inside = Goal::point(cell(137, 60));
    assert!(!sectors.reachable(start, cell(137, 60), FIRST));
    let found = sectors.snap(&layer, start, &inside, FIRST, &mut scratch).expect("it stands on open ground");
    assert_eq!((found.from, found.to), (start, cell(129, 60)), "behind the wall nearest to it");
    let off = sectors.snap(&layer, cell(200, 0), &inside, FIRST, &mut scratch);
    assert!(matches!(off, Err(PlanError::OffMap { .. })));
}

#[test]
fn distances_to_shapes_are_those_of_another_engine_but_for_rims() {
    let centre = cell(8, 6);
    let cells = || CellRect::at(cell(0, 0), 30, 30).cells();
    let nearest = |goal: &Goal, from: CellPos| {
        let square = |at: CellPos| (at.x - from.x).pow(2) + (at.y - from.y).pow(2);
        cells().filter(|&at| goal.contains(at)).min_by_key(|&at| (square(at), at)).expect("some")
    };
    let whole = |cells: u64| cells * 1024;

    let point = Goal::point(centre);
    assert_eq!((nearest(&point, cell(8, 4)), point.gap(cell(8, 4))), (centre, whole(2)));
    assert_eq!(point.gap(cell(0, 0)), whole(10));

    let circle = Goal::circle(centre, Fixed::from_cells(5));
    assert_eq!((nearest(&circle, cell(8, 4)), circle.gap(cell(8, 4))), (cell(8, 4), 0));
    assert_eq!((nearest(&circle, cell(0, 0)), circle.gap(cell(0, 0))), (cell(4, 3), whole(5)));

    let rect = Goal::rect(CellRect { x0: 4, y0: 3, x1: 13, y1: 10 });
    assert_eq!((nearest(&rect, cell(0, 0)), rect.gap(cell(0, 0))), (cell(4, 3), whole(5)));

    // In the other engine the rim is both inside and outside. Here a cell on the rim is inside, so that a unit that must leave goes on
    // to the next cell: a goal and its inverse have no cell in common.
    let away = circle.inverse();
    assert_eq!(away.gap(cell(8, 4)) / 1024, 3, "as far as to the rim, at 8,1");
    assert_eq!(nearest(&away, cell(8, 4)), cell(7, 1), "the cell beside, which is just out");
    assert_eq!(away.gap(cell(0, 0)), 0);
    let away = rect.inverse();
    assert_eq!(nearest(&away, cell(8, 4)), cell(8, 2), "one cell on from 8,3");
    assert_eq!(away.gap(cell(0, 0)), 0);
}
