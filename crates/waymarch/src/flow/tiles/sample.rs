//! Reading headings off tiles.

use super::flows::TileFlows;
use super::heading::{Guide, Heading, NoHeading, REACH, Spot, go};
use super::key::STRAIGHT_IS_BEST;
use super::reader::{FlowView, TileReader};
use super::state::FlowId;
use crate::base::{CellPos, Fixed, Vec2};
use crate::cost::CostLayer;
use crate::flow::dijkstra::{Flow, FlowByte};

/// Direction vectors about 1024 long, by direction number. The ninth is zero.
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

/// The heading if all four nearest cells have the same direction, by direction number, in 1024ths of a cell. The ninth is zero.
const AGREED: [(i64, i64); 9] = [
    (0, -REACH),
    (REACH, -REACH),
    (REACH, 0),
    (REACH, REACH),
    (0, REACH),
    (-REACH, REACH),
    (-REACH, 0),
    (-REACH, -REACH),
    (0, 0),
];

/// A blend shorter than 2^28 has no clear direction. (A full blend is about 2^30 long.)
const LEAST: i64 = 1 << 28;

impl TileFlows {
    /// The direction in which a unit at `at` that follows a flow should go.
    ///
    /// If the goal is visible, it leads straight there. Otherwise it blends the directions of the four nearest cells by distance, counting only
    /// cells that the unit may step to. If the blend would lead into a closed cell or past a corner that must not be cut, the
    /// direction of the unit's own cell counts alone.
    ///
    /// The result is a function of World data: cached tiles, earlier calls and `reader` change nothing. If the unit was among the `users`
    /// of [`TileFlows::prepare`], the call costs a few tens of nanoseconds and allocates nothing. Otherwise `reader` may have to make the
    /// tile.
    pub fn heading(&self, layer: &CostLayer, id: FlowId, at: Vec2, reader: &mut TileReader) -> Heading {
        let cell = at.cell();
        let Some(read) = self.read(layer, id) else {
            return Heading::Nowhere(NoHeading::UnknownFlow);
        };
        if !self.size.contains(cell) {
            return Heading::Nowhere(NoHeading::OffMap);
        }
        if !read.ground.field().is_passable(cell) {
            return Heading::Nowhere(NoHeading::Closed);
        }
        let Some(part) = read.part(read.sector(cell), reader) else { return read.no_heading(cell) };
        // No heading leads out of the corridor.
        let spot = Spot::new(at, read.corridor.derived[part].within(cell, read.ground.legal(cell)));
        let Some(around) = read.around(part, at, cell, spot, reader) else { return read.no_heading(cell) };
        let goal = read.corridor.state.target.goal;
        let dir = match around.own.flow() {
            Flow::Step(dir) if spot.may(dir) => dir,
            Flow::Goal => {
                let middle = goal.centre();
                return Heading::Arrived { direction: Vec2::new(middle.x - at.x, middle.y - at.y) };
            }
            Flow::Step(_) => return Heading::Nowhere(NoHeading::Edited),
            Flow::Nowhere | Flow::Closed => return read.no_heading(cell),
        };
        if read.sees(cell, around.own) {
            let (x, y) = towards(at, goal);
            if let Some(seen) = Spot::scaled(x, y).filter(|&seen| spot.is_clear(seen)) {
                return go(seen, Guide::Sight);
            }
        }
        let along = LONG[usize::from(dir.index())];
        let is_forward = |&(x, y): &(i64, i64)| x * along.0 + y * along.1 > 0;
        let (field, own) = read.guides(part);
        match around.blend(at).filter(is_forward).filter(|&blend| spot.is_clear(blend)) {
            Some(blend) => go(blend, field),
            None => spot.step(dir, own),
        }
    }

    /// The tile's byte of a cell, with [`FlowByte::HAS_LOS`] where units go straight to the goal. `None` outside of the corridor, and where
    /// the flow does not lead on yet.
    #[must_use]
    pub fn byte(
        &self,
        layer: &CostLayer,
        id: FlowId,
        at: CellPos,
        reader: &mut TileReader,
    ) -> Option<FlowByte> {
        let read = self.read(layer, id).filter(|_| self.size.contains(at))?;
        let byte = read.byte(at, reader)?;
        let has_route = matches!(byte.flow(), Flow::Step(_) | Flow::Goal);
        let sight = if has_route && read.sees(at, byte) { FlowByte::HAS_LOS } else { 0 };
        Some(FlowByte(byte.0 & !STRAIGHT_IS_BEST | sight))
    }

    /// Whether the flow leads on from a cell. If not, and the goal can be reached, the flow needs a route from there ([`TileFlows::widen`]).
    ///
    /// The answer is the same for all cells of a room, so ask once per room.
    #[must_use]
    pub fn leads(&self, layer: &CostLayer, id: FlowId, at: CellPos, reader: &mut TileReader) -> bool {
        let byte = self.byte(layer, id, at, reader);
        byte.is_some_and(|byte| matches!(byte.flow(), Flow::Step(_) | Flow::Goal))
    }
}

/// The vector from a point to the middle of a cell.
#[inline]
fn towards(at: Vec2, cell: CellPos) -> (i64, i64) {
    let (middle, raw) = (cell.centre(), |fixed: Fixed| i64::from(fixed.raw()));
    (raw(middle.x) - raw(at.x), raw(middle.y) - raw(at.y))
}

/// The four cells whose middles are nearest to a point.
struct NearestCells {
    /// Row by row: a direction number, or [`NOT_COUNTED`].
    dirs: [u8; 4],
    /// The unit's own cell.
    own: FlowByte,
}

/// Direction 8 marks a cell that does not count.
const NOT_COUNTED: u8 = 8;

/// The direction bits of a goal cell (8).
const GOAL: u8 = FlowByte::GOAL.0 & FlowByte::DIRECTION;

/// For a unit in each of the four cells, row by row: the direction numbers of the steps to all four; 8 for staying.
const STEPS: [[u8; 4]; 4] = [[8, 2, 4, 3], [6, 8, 5, 4], [0, 1, 8, 2], [7, 0, 6, 8]];

impl FlowView<'_> {
    /// Whether units go straight to the goal from a cell that leads to it.
    #[inline]
    fn sees(&self, at: CellPos, own: FlowByte) -> bool {
        let corridor = self.corridor;
        let is_best = corridor.is_cheapest || own.0 & STRAIGHT_IS_BEST != 0;
        is_best && self.is_current && corridor.visible.contains(at)
    }

    /// What headings in a part follow: a blend, and a single cell.
    #[inline]
    fn guides(&self, part: usize) -> (Guide, Guide) {
        if self.corridor.follows_doors(part) {
            (Guide::Door, Guide::Door)
        } else {
            (Guide::Field, Guide::Cell)
        }
    }

    /// Why the flow does not lead on from an open cell.
    #[cold]
    fn no_heading(&self, cell: CellPos) -> Heading {
        Heading::Nowhere(match self.corridor.find(self.sector(cell)) {
            None => NoHeading::OffCorridor,
            Some(_) if self.corridor.done => NoHeading::NoRoute,
            Some(_) => NoHeading::NoDoor,
        })
    }

    /// Reads the four cells around a point; `None` if nothing is known of the unit's own cell.
    #[inline]
    fn around(
        &self,
        part: usize,
        at: Vec2,
        cell: CellPos,
        spot: Spot,
        reader: &mut TileReader,
    ) -> Option<NearestCells> {
        let first = |raw: i32| (raw - 512) >> 10;
        let corner = CellPos::new(first(at.x.raw()), first(at.y.raw()));
        let (frame, flow) = self.tile(part, reader)?;
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
                if self.ground.field().grid().contains(near) {
                    *byte = self.byte(near, reader).unwrap_or(FlowByte::CLOSED);
                }
            }
        }
        let steps = STEPS[((cell.y - corner.y) * 2 + cell.x - corner.x) as usize & 3];
        let mut dirs = [NOT_COUNTED; 4];
        for ((dir, byte), step) in dirs.iter_mut().zip(bytes).zip(steps) {
            // A cell without a direction has a number of 8 or more.
            let there = byte.0 & FlowByte::DIRECTION;
            let there = if there == GOAL { step } else { there };
            let counts = byte.0 & FlowByte::PATHABLE != 0 && spot.may_or_stays(step);
            *dir = if counts { there.min(NOT_COUNTED) } else { NOT_COUNTED };
        }
        Some(NearestCells { dirs, own })
    }
}

impl NearestCells {
    /// The sum of their directions, weighted by distance; `None` if they cancel out.
    #[inline]
    fn blend(&self, at: Vec2) -> Option<(i64, i64)> {
        let [first, rest @ ..] = self.dirs;
        if first != NOT_COUNTED && rest == [first; 3] {
            // For most units all four agree.
            return Some(AGREED[usize::from(first)]);
        }
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
