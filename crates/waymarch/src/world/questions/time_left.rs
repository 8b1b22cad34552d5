//! How many ticks units will need for their present order.

use alloc::vec::Vec;

use crate::base::{CellPos, FINE_CELL, Fine, Fixed, LocomotorId, Vec2};
use crate::flow::tiles::TileReader;
use crate::groups::{GateFinder, RouteGate, lanes_in};
use crate::world::congestion::queue_length::headway;
use crate::world::groups::group::Group;
use crate::world::questions::error::QuestionError;
use crate::world::questions::route_points::{RoutePoints, RouteSource};
use crate::world::state::State;
use crate::world::units::membership::{Branch, GroupId, Membership};
use crate::world::units::unit::UnitId;
use crate::world::units::unit_type::UnitType;
use crate::world::world::World;

/// The way behind a gate is measured up to 8 cells beyond it.
const DEEP: i64 = 8 * FINE_CELL as i64;
/// Its width is measured every 1/2 cell.
const EVERY: i64 = FINE_CELL as i64 / 2;
/// Each lane beside the first one adds 1/7 to the rate at which units pass: measured for gaps of 1 to 5 cells and 20 to 100 units, which turn around the ends of a wall.
const LANES_PER_RATE: u64 = 7;
/// At most 16,384 points of a route are measured. The rest counts as a straight line.
const MOST_POINTS: usize = 1 << 14;

/// How long units will need; see [`World::ticks_left`].
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct TicksLeft {
    /// The ticks until the last of the units has arrived, if nothing gets in its way. 0 if none is under way.
    pub ticks: u32,
    /// How many of the units are under way.
    pub under_way: u32,
    /// How many of these have no route yet, or only a part of it. For the rest of the way a straight line was measured, so they may need longer.
    pub without_route: u32,
}

/// The way of one unit.
#[derive(Clone, Copy, Debug)]
struct Way {
    /// Ticks to the end.
    ticks: u64,
    is_known: bool,
}

/// How fast a unit walks.
#[derive(Clone, Copy, Debug)]
struct Gait {
    /// On ordinary ground, at the pace of its group.
    speed: Fixed,
    /// On any ground: 3 times the speed of its type.
    most: Fixed,
    locomotor: LocomotorId,
}

impl World {
    /// How many ticks units will need to end their present order, or to reach the present stop of a patrol. An estimate for plans and displays.
    ///
    /// For each unit under way it adds up the legs of its route ([`World::route_points`]), each at the unit's speed on the ground there, and half of the ticks to start and to
    /// brake. For each gate before members of a group it adds three times:
    ///
    /// - until the first of them is at the gate;
    /// - in which all of them pass the narrowest place up to 8 cells behind it, on the way to the next gate. One lane lets a unit pass in the time in which it walks 2.6 radii, and each lane beside it adds a
    ///   seventh to that rate;
    /// - for the average way from the gate to the slots.
    ///
    /// The largest of all these is the answer. It does not know of other groups, of units in the way, of later edits, and of queues of units without a group. On open ground it
    /// is less than 5 % off, before a gap up to 20 %. When a part of a crowd has passed the gap, it is up to 40 % too small.
    ///
    /// *Cost:* as [`World::route_points`] for each unit, and a step per cell where ground changes the speed.
    ///
    /// # Errors
    /// [`QuestionError`] if the list is empty, or a unit does not exist.
    ///
    /// ```
    /// use waymarch::base::{GridSize, cell};
    /// use waymarch::config::Config;
    /// use waymarch::cost::{Map, Rules};
    /// use waymarch::world::{Navigator, Order, PlayerId, UnitType, World};
    ///
    /// let map = Map::flat("field", GridSize::new(64, 64)?, Rules::standard());
    /// let mut world = World::new(Navigator::new(map, Config::default())?);
    /// let foot = world.nav().locomotor("foot").unwrap();
    /// let soldier = world.add_type(UnitType::new("soldier", foot))?;
    /// let unit = world.spawn(soldier, PlayerId(0), cell(3, 3))?;
    /// assert_eq!(world.ticks_left(&[unit])?.under_way, 0);
    /// world.order(&[unit], Order::move_to(cell(43, 3)))?;
    /// world.tick();
    /// let left = world.ticks_left(&[unit])?;
    /// assert!((310..340).contains(&left.ticks), "40 cells at 1/8 of a cell per tick");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn ticks_left(&self, units: &[UnitId]) -> Result<TicksLeft, QuestionError> {
        if units.is_empty() {
            return Err(QuestionError::NoUnits);
        }
        let state = &self.state;
        let mut indices = Vec::with_capacity(units.len());
        for &unit in units {
            indices.push(state.units.index_of(unit).ok_or(QuestionError::NoSuchUnit(unit))?);
        }
        // A unit named twice counts once.
        indices.sort_unstable();
        indices.dedup();
        let (mut left, mut ticks) = (TicksLeft::default(), 0);
        let (mut reader, mut points, mut members) = (TileReader::new(), Vec::new(), Vec::new());
        for &index in &indices {
            let Some(way) = state.way_of(index, &mut reader, &mut points) else { continue };
            left.under_way += 1;
            left.without_route += u32::from(!way.is_known);
            ticks = ticks.max(way.ticks);
            members.extend(state.units.membership(index).map(|own| (own.group, index)));
        }
        members.sort_unstable();
        for group in members.chunk_by(|a, b| a.0 == b.0) {
            ticks = ticks.max(state.ticks_at_gates(group));
        }
        left.ticks = u32::try_from(ticks).unwrap_or(u32::MAX);
        Ok(left)
    }
}

impl State {
    /// The way of a unit; `None` if it is not under way.
    fn way_of(&self, index: usize, reader: &mut TileReader, points: &mut Vec<Vec2>) -> Option<Way> {
        let RoutePoints { source, is_whole } = self.route_points(index, MOST_POINTS, reader, points)?;
        let kind = self.type_of(index)?;
        let progress = &self.units.progress[index];
        let end = || self.service.end(progress.path);
        if let Some(end) = end().filter(|_| !is_whole) {
            points.push(end);
        }
        let gait = self.gait_of(index, kind);
        let legs = points.windows(2).map(|leg| self.ticks_of(gait, [leg[0], leg[1]]));
        let ticks = legs.fold(0_u64, u64::saturating_add);
        let start = u64::from(kind.acceleration + kind.braking) / 2;
        Some(Way {
            ticks: ticks.saturating_add(start),
            is_known: is_whole && source != RouteSource::Straight,
        })
    }

    /// How fast a unit walks. A unit that grants right of way will go on at its own speed.
    fn gait_of(&self, index: usize, kind: &UnitType) -> Gait {
        let pace = match self.units.body.crowd.pace(self.units.place(index)) {
            Fixed::ZERO => Fixed::ONE,
            pace => pace,
        };
        Gait {
            speed: self.units.speed(index, kind).saturating_mul(pace),
            most: Fixed::from_raw(3 * kind.speed.raw()),
            locomotor: kind.agent.locomotor,
        }
    }

    /// The ticks in which a unit walks straight from a point to another one.
    fn ticks_of(&self, gait: Gait, [from, to]: [Vec2; 2]) -> u64 {
        let length = u64::from(from.distance(to).raw().unsigned_abs());
        let layer = self.nav().layer();
        let speed = |ground: Fixed| {
            let speed = gait.speed.saturating_mul(ground).min(gait.most);
            u64::from(speed.raw().unsigned_abs()).max(1)
        };
        if !layer.rules().has_speeds() {
            return length.div_ceil(speed(Fixed::ONE));
        }
        // The speed is that in the middle of each cell's length.
        let pieces = length.div_ceil(u64::from(Fixed::ONE.raw().unsigned_abs())).max(1);
        let part = |piece: u64, a: Fixed, b: Fixed| {
            let whole = i64::from(b.raw()) - i64::from(a.raw());
            let along = whole * (2 * piece as i64 + 1) / (2 * pieces as i64);
            Fixed::saturate(i64::from(a.raw()) + along)
        };
        let at = |piece: u64| Vec2::new(part(piece, from.x, to.x), part(piece, from.y, to.y)).cell();
        let walk = |piece: u64| length / pieces * 1024 / speed(layer.pace(at(piece), gait.locomotor));
        // Added in 1024ths of a tick.
        (0..pieces).map(walk).fold(0_u64, u64::saturating_add).div_ceil(1024)
    }

    /// The ticks in which these members of one group pass its gates and get to their slots. 0 without a group.
    fn ticks_at_gates(&self, members: &[(GroupId, usize)]) -> u64 {
        let Some(group) = members.first().and_then(|&(id, _)| self.groups.list.get(id)) else { return 0 };
        let mut most = 0;
        for branch in [Branch::Main, Branch::Alternate] {
            for number in 0..group.gates(branch).len() {
                most = most.max(self.ticks_at_gate(group, members, (branch, number)).unwrap_or(0));
            }
        }
        most
    }

    /// The ticks until all members that have this gate before them are in their slots; `None` if none has.
    fn ticks_at_gate(
        &self,
        group: &Group,
        members: &[(GroupId, usize)],
        (branch, number): (Branch, usize),
    ) -> Option<u64> {
        let gates = group.gates(branch);
        let gate = &gates[number].way;
        let is_before =
            |own: &Membership| own.route.branch() == branch && usize::from(own.route.gate()) <= number;
        let (mut count, mut first, mut rest, mut slot) = (0_u64, u64::MAX, 0_u64, gate.taut);
        for &(_, index) in members {
            let Some(own) = self.units.membership(index).filter(is_before) else { continue };
            let Some(kind) = self.type_of(index) else { continue };
            let gait = self.gait_of(index, kind);
            let ticks = |points: &mut dyn Iterator<Item = Vec2>| {
                let (mut sum, mut last) = (0_u64, None);
                for point in points {
                    let leg = last.map_or(0, |last| self.ticks_of(gait, [last, point]));
                    (sum, last) = (sum.saturating_add(leg), Some(point));
                }
                sum
            };
            let to = gates[usize::from(own.route.gate())..=number].iter().map(|gate| gate.way.taut.floor());
            let after = gates[number..].iter().map(|gate| gate.way.taut.floor());
            (count, slot) = (count + 1, own.slot);
            first = first.min(ticks(&mut core::iter::once(self.units.middle(index).floor()).chain(to)));
            rest = rest.saturating_add(ticks(&mut after.chain([own.slot.floor()])));
        }
        if count == 0 {
            return None;
        }
        let speed = u64::from(group.speed.raw().unsigned_abs()).max(1);
        let next = gates.get(number + 1).map_or(slot, |next| next.way.taut);
        let lanes = u64::from(lanes_in(self.narrowest_beyond(group, gate, next), group.radius));
        let queue =
            headway(group, 1).saturating_mul(count - 1) * LANES_PER_RATE / (LANES_PER_RATE - 1 + lanes);
        Some(first.saturating_add(queue / speed).saturating_add(rest / count))
    }

    /// The width of the narrowest place at a gate or on the way from there to the next one, in 65,536ths of a cell. Gates before a gap are as wide as the ground before it.
    fn narrowest_beyond(&self, group: &Group, gate: &RouteGate, next: Fine) -> i64 {
        let width = gate.width();
        let Some(field) = self.nav().layer().field(group.agent.locomotor.into()) else { return width };
        let is_open = |at: CellPos| field.is_passable(at);
        let Some(way) = next.wide().minus(gate.taut.wide()).polar() else { return width };
        let ahead = way.unit.along(1024);
        let places = (0..=DEEP.min(way.length()) / EVERY)
            .map(|step| gate.taut.plus(way.unit.along(step * EVERY).fine()));
        let widths = places
            .filter(|at| is_open(at.cell()))
            .map(|at| GateFinder::across(at, (ahead.x, ahead.y), width, is_open).width());
        widths.min().map_or(width, |narrow| narrow.min(width))
    }
}
