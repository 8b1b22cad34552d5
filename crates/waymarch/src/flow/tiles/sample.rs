//! Reading headings off tiles.

use super::corridor::Corridor;
use super::flows::{FlowId, TileFlows};
use super::heading::{Guide, Heading, NoHeading, Spot, go};
use super::reader::Reader;
use crate::base::{CellPos, Dir8, Fixed, Vec2, WorldPos};
use crate::cost::{CostLayer, SectorId};
use crate::flow::whole::{Flow, FlowByte};

/// Directions, each about 1024 long; the last is none.
const LONG: [(i64, i64); 9] = [
    (0, -1024),
    (724, -724),
    (1024, 0),
    (724, 724),
    (0, 1024),
    (-724, 724),
    (-1024, 0),
    (-724, -724),
    (0, 0),
];

/// Sums of directions shorter than this do not mean anything.
const LEAST: i64 = 1 << 28;

impl TileFlows {
    /// Which way a unit should go that is at a point of the world, and follows a flow.
    ///
    /// Where the goal is seen, straight to it. Elsewhere the directions of the four nearest cells are mixed by how near their middles
    /// are; of those only such count as the unit may step to. If going that way would lead it into a closed cell or past a corner that
    /// may not be cut, its own cell's direction counts alone.
    ///
    /// Costs some tens of nanoseconds, once its tile is there; and allocates nothing then.
    pub fn heading(&mut self, layer: &CostLayer, id: FlowId, at: WorldPos) -> Heading {
        let (cell, size) = (at.cell(), self.size);
        let Some(mut reader) = self.reader(layer, id) else {
            return Heading::Nowhere(NoHeading::UnknownFlow);
        };
        if !size.contains(cell) {
            return Heading::Nowhere(NoHeading::OffMap);
        }
        if !reader.ground.field.is_passable(cell) {
            return Heading::Nowhere(NoHeading::Closed);
        }
        let spot = Spot::new(at, reader.ground.legal(cell));
        let Some(around) = reader.around(at, cell, spot) else {
            return without_tile(reader.corridor, reader.grid.of(cell), at, spot);
        };
        let goal = reader.corridor.aim.goal;
        let dir = match around.own.flow() {
            Flow::Step(dir) => dir,
            Flow::Goal => {
                let middle = goal.centre();
                return Heading::Arrived { way: Vec2::new(middle.x - at.x, middle.y - at.y) };
            }
            Flow::Nowhere | Flow::Closed => {
                return without_tile(reader.corridor, reader.grid.of(cell), at, spot);
            }
        };
        if reader.corridor.is_straight(cell) {
            let (x, y) = towards(at, goal);
            if let Some(way) = Spot::scaled(x, y).filter(|&way| spot.is_clear(way)) {
                return go(way, Guide::Sight);
            }
        }
        let along = LONG[usize::from(dir.index())];
        let is_forward = |&(x, y): &(i64, i64)| x * along.0 + y * along.1 > 0;
        match around.mix(at).filter(is_forward).filter(|&way| spot.is_clear(way)) {
            Some(way) => go(way, Guide::Field),
            None => spot.step(dir, Guide::Cell),
        }
    }

    /// What a tile says of a cell, with [`FlowByte::HAS_LOS`] where units go straight to the goal; `None` outside of the corridor and where
    /// tiles are not there yet.
    pub fn byte(&mut self, layer: &CostLayer, id: FlowId, at: CellPos) -> Option<FlowByte> {
        let is_on_map = self.size.contains(at);
        let mut reader = self.reader(layer, id).filter(|_| is_on_map)?;
        let byte = reader.byte(at)?;
        let has_way = matches!(byte.flow(), Flow::Step(_) | Flow::Goal);
        let sees = has_way && reader.corridor.is_straight(at);
        Some(FlowByte(if sees { byte.0 | FlowByte::HAS_LOS } else { byte.0 }))
    }
}

/// A heading for a unit whose tile is not there yet, or knows no way yet.
fn without_tile(corridor: &Corridor, sector: SectorId, at: WorldPos, spot: Spot) -> Heading {
    let Some(part) = corridor.find(sector).map(|at| &corridor.parts[at]) else {
        return Heading::Nowhere(NoHeading::OffCorridor);
    };
    if corridor.is_done() {
        return Heading::Nowhere(NoHeading::NoWay);
    }
    let goal = corridor.aim.goal;
    let next = match part.door {
        Some([here, there]) if !part.frame.area.contains(goal) => {
            if at.cell() == here {
                there
            } else {
                here
            }
        }
        _ => goal,
    };
    let way = towards(at, next);
    if let Some(way) = Spot::scaled(way.0, way.1).filter(|&way| spot.is_clear(way)) {
        return go(way, Guide::Door);
    }
    let legal = Dir8::ALL.into_iter().filter(|&dir| spot.may(dir));
    let along = |dir: Dir8| {
        let (x, y) = LONG[usize::from(dir.index())];
        x * way.0 + y * way.1
    };
    match legal.max_by_key(|&dir| (along(dir), core::cmp::Reverse(dir.index()))) {
        Some(dir) => spot.step(dir, Guide::Door),
        None => Heading::Nowhere(NoHeading::NoWay),
    }
}

/// From a point to the middle of a cell.
#[inline]
fn towards(at: WorldPos, cell: CellPos) -> (i64, i64) {
    let (middle, raw) = (cell.centre(), |fixed: Fixed| i64::from(fixed.raw()));
    (raw(middle.x) - raw(at.x), raw(middle.y) - raw(at.y))
}

/// What counts at a point: the four cells whose middles are nearest.
struct Around {
    /// Row by row: a direction's number; [`NOT_COUNTED`] for a cell that does not count.
    dirs: [u8; 4],
    /// The unit's own cell.
    own: FlowByte,
}

/// Of a cell that does not count.
const NOT_COUNTED: u8 = 8;

/// What a goal has for a direction.
const GOAL: u8 = FlowByte::GOAL.0 & FlowByte::DIRECTION;

/// For a unit in each of four cells, row by row: the steps to all four, [`NOT_COUNTED`] for staying.
const STEPS: [[u8; 4]; 4] = [[8, 2, 4, 3], [6, 8, 5, 4], [0, 1, 8, 2], [7, 0, 6, 8]];

impl Reader<'_> {
    /// Reads what the cells around a point say; `None` if the unit's own tile is not there yet.
    #[inline]
    fn around(&mut self, at: WorldPos, cell: CellPos, spot: Spot) -> Option<Around> {
        let first = |raw: i32| (raw - 512) >> 10;
        let corner = CellPos::new(first(at.x.raw()), first(at.y.raw()));
        let (frame, flow) = self.tile(self.grid.of(cell))?;
        let own = FlowByte(*flow.get(frame.place(cell))?);
        let near = [corner, corner.offset(1, 0), corner.offset(0, 1), corner.offset(1, 1)];
        let mut bytes = [FlowByte::CLOSED; 4];
        if frame.area.contains(corner) && frame.area.contains(near[3]) {
            let (north, south) = (frame.place(corner), frame.place(near[2]));
            let north = flow.get(north..)?.first_chunk::<2>()?;
            let south = flow.get(south..)?.first_chunk::<2>()?;
            bytes = [north[0], north[1], south[0], south[1]].map(FlowByte);
        } else {
            for (byte, &near) in bytes.iter_mut().zip(&near) {
                if self.ground.field.grid().contains(near) {
                    *byte = self.byte(near).unwrap_or(FlowByte::CLOSED);
                }
            }
        }
        let steps = STEPS[((cell.y - corner.y) * 2 + cell.x - corner.x) as usize & 3];
        let mut dirs = [NOT_COUNTED; 4];
        for ((dir, byte), step) in dirs.iter_mut().zip(bytes).zip(steps) {
            // A cell without a direction has a higher number than any.
            let there = byte.0 & FlowByte::DIRECTION;
            let there = if there == GOAL { step } else { there };
            let counts = byte.0 & FlowByte::PATHABLE != 0 && spot.may_or_stays(step);
            *dir = if counts { there.min(NOT_COUNTED) } else { NOT_COUNTED };
        }
        Some(Around { dirs, own })
    }
}

impl Around {
    /// Their directions, each by how near it is; `None` if they come to nothing.
    #[inline]
    fn mix(&self, at: WorldPos) -> Option<(i64, i64)> {
        let weight = |raw: i32| i64::from((raw + 512) & 1023);
        let (east, south) = (weight(at.x.raw()), weight(at.y.raw()));
        let (west, north) = (1024 - east, 1024 - south);
        let shares = [west * north, east * north, west * south, east * south];
        let (mut x, mut y) = (0, 0);
        for (&dir, share) in self.dirs.iter().zip(shares) {
            let (along_x, along_y) = LONG[usize::from(dir)];
            x += along_x * share;
            y += along_y * share;
        }
        if x.abs().max(y.abs()) < LEAST {
            return None;
        }
        Spot::scaled(x >> 10, y >> 10)
    }
}
