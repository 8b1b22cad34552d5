//! Reading headings off tiles.

use super::cache::{TileRef, byte_at};
use super::flows::{FlowId, TileFlows};
use super::ground::TileGround;
use super::heading::{Guide, Heading, NoHeading, Spot, go};
use crate::base::{CellPos, Dir8, Vec2, WorldPos};
use crate::cost::{CostLayer, SectorId};
use crate::flow::whole::{Flow, FlowByte};

/// Directions, each about 1024 long.
const LONG: [(i64, i64); 8] =
    [(0, -1024), (724, -724), (1024, 0), (724, 724), (0, 1024), (-724, 724), (-1024, 0), (-724, -724)];

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
        self.follow(layer);
        let Some(corridor) = self.flows.get(id) else { return Heading::Nowhere(NoHeading::UnknownFlow) };
        let (cell, aim) = (at.cell(), corridor.aim);
        if !self.size.contains(cell) || layer.grid() != self.size {
            return Heading::Nowhere(NoHeading::OffMap);
        }
        let ground = TileGround::new(layer, aim.agent, aim.threat, self.rule);
        let Some(ground) = ground.filter(|ground| ground.field.is_passable(cell)) else {
            return Heading::Nowhere(NoHeading::Closed);
        };
        let sector = self.grid.of(cell);
        let spot = Spot::new(at, ground.legal(cell));
        let straight = aim.goal.centre();
        let goal = (offset(straight.x, at.x), offset(straight.y, at.y));
        let Some((part, tile)) = self.ready(ground, id, sector) else {
            return self.without_tile(id, sector, at, spot);
        };
        let mut reader = Reader { flows: self, ground, id, sector, part, tile };
        let dir = match reader.byte(cell).flow() {
            Flow::Step(dir) => dir,
            Flow::Goal => {
                return Heading::Arrived { way: Vec2::new(straight.x - at.x, straight.y - at.y) };
            }
            Flow::Nowhere | Flow::Closed => return self.without_tile(id, sector, at, spot),
        };
        if reader.flows.flows.get(id).is_some_and(|corridor| corridor.straight.contains(cell)) {
            if let Some(way) = Spot::scaled(goal.0, goal.1).filter(|&way| spot.is_clear(way)) {
                return go(way, Guide::Sight);
            }
        }
        let mixed = reader.mix(at, cell, dir, spot);
        let along = LONG[usize::from(dir.index())];
        let is_forward = |&(x, y): &(i64, i64)| x * along.0 + y * along.1 > 0;
        match mixed.filter(is_forward).filter(|&way| spot.is_clear(way)) {
            Some(way) => go(way, Guide::Field),
            None => spot.step(dir, Guide::Cell),
        }
    }

    /// What a tile says of a cell, with [`FlowByte::HAS_LOS`] where units go straight to the goal; `None` outside of the corridor and where
    /// tiles are not there yet.
    pub fn byte(&mut self, layer: &CostLayer, id: FlowId, at: CellPos) -> Option<FlowByte> {
        self.follow(layer);
        let aim = self.aim(id)?;
        if !self.size.contains(at) || layer.grid() != self.size {
            return None;
        }
        let ground = TileGround::new(layer, aim.agent, aim.threat, self.rule)?;
        let sector = self.grid.of(at);
        let (part, tile) = self.ready(ground, id, sector)?;
        let FlowByte(byte) = Reader { flows: self, ground, id, sector, part, tile }.byte(at);
        let sees = self.flows.get(id).is_some_and(|corridor| corridor.straight.contains(at));
        Some(FlowByte(if sees { byte | FlowByte::HAS_LOS } else { byte }))
    }

    /// A heading for a unit whose tile is not there yet, or knows no way yet.
    fn without_tile(&self, id: FlowId, sector: SectorId, at: WorldPos, spot: Spot) -> Heading {
        let Some(corridor) = self.flows.get(id) else { return Heading::Nowhere(NoHeading::UnknownFlow) };
        let Some(part) = corridor.find(sector).map(|at| &corridor.parts[at]) else {
            return Heading::Nowhere(NoHeading::OffCorridor);
        };
        if corridor.is_done() {
            return Heading::Nowhere(NoHeading::NoWay);
        }
        let goal = corridor.aim.goal;
        let towards = match part.door {
            _ if part.frame.area.contains(goal) => goal,
            Some([here, there]) => {
                if at.cell() == here {
                    there
                } else {
                    here
                }
            }
            None => goal,
        };
        let towards = towards.centre();
        let way = (offset(towards.x, at.x), offset(towards.y, at.y));
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
}

#[inline]
fn offset(to: crate::base::Fixed, from: crate::base::Fixed) -> i64 {
    i64::from(to.raw()) - i64::from(from.raw())
}

/// Reads bytes, mostly of one tile.
struct Reader<'a, 'b> {
    flows: &'a mut TileFlows,
    ground: TileGround<'b>,
    id: FlowId,
    sector: SectorId,
    part: usize,
    tile: TileRef,
}

impl Reader<'_, '_> {
    #[inline]
    fn byte(&mut self, at: CellPos) -> FlowByte {
        let sector = self.flows.grid.of(at);
        if sector != self.sector {
            match self.flows.ready(self.ground, self.id, sector) {
                Some((part, tile)) => (self.sector, self.part, self.tile) = (sector, part, tile),
                None => return FlowByte::CLOSED,
            }
        }
        let frame = self.flows.flows.get(self.id).map(|corridor| corridor.parts[self.part].frame);
        let flow = self.flows.cache.flow(self.tile);
        match (frame, flow) {
            (Some(frame), Some(flow)) => byte_at(flow, frame.place(at)),
            _ => FlowByte::CLOSED,
        }
    }

    /// The directions of the four cells whose middles are nearest, each by how near it is.
    #[inline]
    fn mix(&mut self, at: WorldPos, cell: CellPos, own: Dir8, spot: Spot) -> Option<(i64, i64)> {
        let weight = |raw: i32| i64::from((raw + 512) & 1023);
        let (east, south) = (weight(at.x.raw()), weight(at.y.raw()));
        let first = |raw: i32| (raw - 512) >> 10;
        let corner = CellPos::new(first(at.x.raw()), first(at.y.raw()));
        let (mut x, mut y) = (0, 0);
        for (dx, dy) in [(0, 0), (1, 0), (0, 1), (1, 1)] {
            let near = corner.offset(dx, dy);
            let share = if dx == 1 { east } else { 1024 - east } * if dy == 1 { south } else { 1024 - south };
            let dir = match Dir8::from_delta(near.x - cell.x, near.y - cell.y) {
                None => own,
                Some(step) if spot.may(step) => match self.byte(near).flow() {
                    Flow::Step(dir) => dir,
                    Flow::Goal => step,
                    Flow::Nowhere | Flow::Closed => continue,
                },
                Some(_) => continue,
            };
            let (along_x, along_y) = LONG[usize::from(dir.index())];
            x += along_x * share;
            y += along_y * share;
        }
        if x.abs().max(y.abs()) < LEAST {
            return None;
        }
        Spot::scaled(x, y)
    }
}
