//! Where the units of an order are to stand: slots for all of them, and who takes which.

use super::aims::middle_of_goal;
use super::group::{Entry, Group};
use super::muster::Sergeant;
use super::orders::{Order, OrderId};
use super::simulation::World;
use super::target::{Around, Fire, Whereabouts, beside};
use super::units::coarse;
use crate::avoid::{FINE_BITS, FINE_CELL, Fine};
use crate::base::{Agent, Angle, CellPos, Fixed, isqrt};
use crate::cost::{CornerRule, StepRule};
use crate::groups::{
    Approach, Formation, MapFooting, Member, Muster, Role, Shape as Taken, Station, facing_towards,
    has_slots, middle_of, room_between,
};
use crate::query::{Goal, Shape};
use crate::search::line_of_sight_between;

/// Of units that move alike so many at most are asked for a way to a goal that is a shape.
const MOST_ASKED: usize = 8;
/// Around something units begin to look for places so many cells from it.
const NEAR: i32 = 3;

/// How the units of an order are to stand.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Standing {
    /// In formation around a cell.
    At(CellPos, Formation, Option<Angle>),
    /// In formation inside a goal, and where and in which direction the way there enters it if that is known.
    Within(Goal, Formation, Option<Angle>, Option<Entry>),
    /// Around something.
    Around(Whereabouts, Around),
    /// So far from the middle of all.
    Apart(Fixed),
}

impl Standing {
    /// Whether units keep the shape they have.
    pub(super) fn is_relative(&self) -> bool {
        matches!(self, Self::At(_, Formation::Relative, _) | Self::Within(_, Formation::Relative, ..))
    }
}

/// What came of it, beside slots.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Arranged {
    /// The middle of where they stand.
    pub(super) centre: Fine,
    /// The middle of what they stand around.
    pub(super) anchor: Fine,
    /// Where the way of their middle leads.
    pub(super) end: CellPos,
    /// The formation that suits them, for as long as they are on their way; `None` if the order says it.
    pub(super) keeps: Option<Formation>,
    /// Which way all look, or what at.
    pub(super) facing: Option<Angle>,
    looks_at: Option<Fine>,
}

impl Arranged {
    /// Which way the unit in a slot is to look; `None` if that does not matter.
    pub(super) fn facing_at(&self, slot: Fine) -> Option<Angle> {
        let towards = |at: Fine| {
            let part = |to: i32, from: i32| ((i64::from(to) - i64::from(from)) >> 1) as i32;
            Angle::atan2(part(at.y, slot.y), part(at.x, slot.x))
        };
        self.facing.or_else(|| self.looks_at.map(towards))
    }
}

impl Order {
    /// Whether one unit alone has a slot too.
    pub(super) const fn posts_one(&self) -> bool {
        matches!(self, Self::Form { .. } | Self::Around { .. } | Self::Scatter { .. })
    }
}

impl World {
    /// Whether units that are given an order together go as a group.
    pub(super) fn forms_groups(&self, order: &Order) -> bool {
        let formations = self.service.nav().config().get().formation_movement;
        match order {
            Order::Move(goal) | Order::AttackMove { goal, .. } => formations && has_slots(goal),
            Order::Patrol(_) | Order::Form { .. } => formations,
            Order::Around { .. } | Order::Scatter { .. } => true,
            Order::Follow { .. }
            | Order::FollowGroup { .. }
            | Order::Guard { .. }
            | Order::Stop
            | Order::Hold => false,
        }
    }

    /// How the units of an order are to stand at a stop of it; a group may have been told another formation on the way.
    pub(super) fn standing_of(&self, order: OrderId, leg: u16, group: Option<&Group>) -> Option<Standing> {
        let otherwise = group.and_then(|group| group.formation.as_ref().map(|other| (other, group.facing)));
        let usual = || match otherwise {
            Some((formation, facing)) => (formation.clone(), facing),
            None => (Formation::from(self.service.nav().config().get().formation_type), None),
        };
        let at = |at: CellPos, (formation, facing): (Formation, Option<Angle>)| {
            Some(Standing::At(at, formation, facing))
        };
        match self.orders.get(order)? {
            Order::Move(Goal::In(Shape::Point(goal)))
            | Order::AttackMove { goal: Goal::In(Shape::Point(goal)), .. } => at(*goal, usual()),
            Order::Move(goal) | Order::AttackMove { goal, .. } => {
                let (formation, facing) = usual();
                let entry = group.and_then(|group| group.entry);
                Some(Standing::Within(goal.clone(), formation, facing, entry))
            }
            Order::Patrol(stops) => stops.get(usize::from(leg)).and_then(|&stop| at(stop, usual())),
            Order::Form { at: goal, formation, facing } => match otherwise {
                Some(_) => at(*goal, usual()),
                None => at(*goal, (formation.clone(), *facing)),
            },
            Order::Around { target, how } => Some(Standing::Around(self.whereabouts(target)?, *how)),
            Order::Scatter { distance } => Some(Standing::Apart(*distance)),
            Order::Follow { .. }
            | Order::FollowGroup { .. }
            | Order::Guard { .. }
            | Order::Stop
            | Order::Hold => None,
        }
    }

    /// Writes down the units of some slots that can get where they are to stand.
    pub(super) fn gather(
        &mut self,
        slots: impl Iterator<Item = u32>,
        standing: &Standing,
        sergeant: &mut Sergeant,
    ) {
        let Sergeant { members, starts, .. } = sergeant;
        members.clear();
        starts.clear();
        for slot in slots {
            let Some(kind) = self.types.get(self.units.kind[slot as usize]) else { continue };
            members.push(Member {
                id: slot,
                at: self.units.middle(slot as usize),
                agent: kind.agent,
                radius: kind.radius,
                speed: kind.speed,
                role: kind.role,
                left: 0,
            });
        }
        if let Standing::Around(_, Around::Dock { .. }) = standing {
            // A line of places that all of them fit into.
            let widest = members.iter().map(|member| (member.agent.size, member.agent, member.radius)).max();
            let Some((_, agent, _)) = widest else { return };
            let radius = members.iter().map(|member| member.radius).max().unwrap_or_default();
            for member in members.iter_mut() {
                (member.agent, member.radius, member.role) = (agent, radius, Role::Middle);
            }
        }
        for place in 0..members.len() {
            let agent = members[place].agent;
            if !starts.iter().any(|(known, _)| *known == agent) {
                let mut alike = members[place..].iter().filter(|member| member.agent == agent);
                starts.extend(self.entry(&mut alike, standing).map(|entry| (agent, entry)));
            }
        }
        // Who cannot get there goes as near as can be, by itself.
        let nav = self.service.nav();
        members.retain(|member| {
            let from = self.units.cell(member.id as usize);
            let start = starts.iter().find(|(agent, _)| *agent == member.agent);
            start.is_some_and(|&(agent, entry)| nav.reachable(from, entry, agent))
        });
    }

    /// A cell where units can stand that move like some members, and to which one of them can get.
    fn entry<'a>(
        &mut self,
        alike: &mut impl Iterator<Item = &'a Member>,
        standing: &Standing,
    ) -> Option<CellPos> {
        let goal = match standing {
            Standing::At(at, ..) => {
                let nav = self.service.nav();
                let gets_there =
                    |member: &Member| nav.reachable(self.units.cell(member.id as usize), *at, member.agent);
                return alike.any(gets_there).then_some(*at);
            }
            Standing::Apart(_) => return alike.next().map(|member| self.units.cell(member.id as usize)),
            Standing::Within(goal, ..) => goal.clone(),
            Standing::Around(there, how) => Goal::circle(there.middle.cell(), near(there, how)),
        };
        for member in alike.take(MOST_ASKED) {
            let from = self.units.cell(member.id as usize);
            match self.service.nav_mut().snap(from, &goal, member.agent) {
                Ok(snapped) if snapped.gap == 0 && snapped.from == from => return Some(snapped.to),
                _ => {}
            }
        }
        None
    }

    /// Makes slots for the members that were gathered, clear of those who are there already, and gives each its own.
    pub(super) fn arrange(&self, standing: &Standing, sergeant: &mut Sergeant) -> Option<Arranged> {
        let Sergeant { members, starts, formations, assignment, slots, taken, held, .. } = sergeant;
        if members.is_empty() {
            return None;
        }
        let nav = self.service.nav();
        let footing = MapFooting::new(nav.layer(), nav.sectors(), starts);
        formations.keep_clear_of(held.iter().copied());
        let mut arranged = Arranged {
            centre: Fine::ZERO,
            anchor: Fine::ZERO,
            end: CellPos::default(),
            keeps: None,
            facing: None,
            looks_at: None,
        };
        let mut approach = Approach::Open;
        // Who finds no room has no slot, and goes to the goal itself.
        match standing {
            Standing::At(goal, formation, facing) => {
                let centre = Fine::centre(*goal);
                let towards = facing.unwrap_or_else(|| facing_towards(members, centre, Angle::ZERO));
                let muster = Muster { formation, centre, facing: towards, gap: Fixed::ZERO };
                let taken = formations.arrange(&muster, members, &footing, slots);
                (arranged.centre, arranged.facing) = (centre, *facing);
                arranged.keeps = taken.ok().and_then(|taken| kept(formation, taken));
            }
            Standing::Within(goal, formation, facing, entry) => {
                let middle = Fine::centre(middle_of_goal(goal));
                let straight = || facing_towards(members, middle, Angle::ZERO);
                let towards = facing.or(entry.map(|entry| entry.1)).unwrap_or_else(straight);
                let centre = entry.map_or_else(|| middle_of(members), |entry| entry.0);
                let muster = Muster { formation, centre, facing: towards, gap: Fixed::ZERO };
                let map = nav.layer().grid().rect();
                let found = formations.arrange_within(goal, map, &muster, members, &footing, slots);
                let found = found.ok().flatten();
                let centre = found.map(|found| found.0).or_else(|| slots.first().map(|slot| slot.at));
                (arranged.centre, arranged.facing) = (centre?, *facing);
                arranged.keeps = found.and_then(|found| kept(formation, found.1));
            }
            Standing::Around(there, how) => {
                let station = self.station(there, how, members);
                let fire = self.line_of_fire(there, how);
                let _ = formations.station(&station, Fixed::ZERO, members, &footing, &fire, slots);
                arranged.centre = there.middle;
                match how {
                    Around::InRange { .. } | Around::Surround => arranged.looks_at = Some(there.middle),
                    Around::Dock { .. } => approach = Approach::Queue,
                    Around::Park => {}
                }
            }
            Standing::Apart(distance) => {
                let _ = formations.disperse(*distance, members, &footing, slots);
                arranged.centre = slots.first()?.at;
            }
        }
        assignment.assign(members, slots, approach, taken);
        arranged.anchor = arranged.centre;
        arranged.end = match standing {
            Standing::At(goal, ..) => *goal,
            _ => {
                let far = |at: Fine| (at.distance_squared(arranged.centre), at);
                slots.iter().map(|slot| slot.at).min_by_key(|&at| far(at))?.cell()
            }
        };
        Some(arranged)
    }

    /// What a target and a way to stand around it come to.
    fn station(&self, there: &Whereabouts, how: &Around, members: &[Member]) -> Station {
        match *how {
            Around::InRange { least, most, .. } => Station::InRange { target: there.middle, least, most },
            Around::Surround => Station::Surround { target: there.middle, radius: there.radius },
            Around::Park => Station::Park { building: there.cells },
            Around::Dock { queue } => {
                let widest = members.iter().map(|member| member.radius).max().unwrap_or_default();
                let one = there.cells.x1.abs_diff(there.cells.x0) <= 1
                    && there.cells.y1.abs_diff(there.cells.y0) <= 1;
                let berth = if one && self.is_open(there.middle.cell(), members) {
                    there.middle
                } else {
                    let room = room_between(widest, Fixed::ZERO, Fixed::ZERO);
                    let (x, y) = (i64::from(queue.cos_16()), i64::from(queue.sin_16()));
                    let away = |at: i32, part: i64, by: i64| (i64::from(at) + ((part * by) >> 16)) as i32;
                    let far = i64::from(128 * FINE_CELL);
                    let out = Fine::new(away(there.middle.x, x, far), away(there.middle.y, y, far));
                    let side = beside(there.cells, out);
                    Fine::new(away(side.x, x, room), away(side.y, y, room))
                };
                Station::Dock { berth, queue }
            }
        }
    }

    fn is_open(&self, at: CellPos, members: &[Member]) -> bool {
        let layer = self.service.nav().layer();
        let open = |agent: Agent| layer.field(agent).is_some_and(|field| field.is_passable(at));
        members.first().is_some_and(|member| open(member.agent))
    }

    /// Whether a shot from a point reaches a target, as a question.
    fn line_of_fire(&self, there: &Whereabouts, how: &Around) -> impl Fn(Fine, Fine) -> bool + use<'_> {
        let nav = self.service.nav();
        let along = match *how {
            Around::InRange { fire: Fire::Along(locomotor), .. } => Some(nav.layer().field(locomotor.into())),
            _ => None,
        };
        let rule = StepRule { corners: CornerRule::AllowOne, ..nav.config().step_rule() };
        let cells = there.cells;
        // A building is in its own way: what is hit is its side.
        let closed = along.flatten().is_some_and(|field| cells.cells().any(|at| !field.is_passable(at)));
        move |from: Fine, target: Fine| {
            let point = |at: Fine| coarse(at).at_height(Fixed::ZERO);
            let to = if closed { beside(cells, from) } else { target };
            match along {
                None => true,
                Some(field) => {
                    field.is_some_and(|field| line_of_sight_between(field, rule, point(from), point(to)))
                }
            }
        }
    }
}

/// What [`Formation::Adaptive`] stays when it has become something: near its goal it would choose otherwise.
fn kept(formation: &Formation, taken: Taken) -> Option<Formation> {
    match (formation, taken) {
        (Formation::Adaptive, Taken::Relative) => Some(Formation::Relative),
        (Formation::Adaptive, Taken::Box) => Some(Formation::Box),
        (Formation::Adaptive, Taken::Hex) => Some(Formation::Hex),
        _ => None,
    }
}

/// How near to the middle of something units have to be able to come, to stand around it.
pub(super) fn near(there: &Whereabouts, how: &Around) -> Fixed {
    match how {
        Around::InRange { most, .. } => *most,
        Around::Surround | Around::Park | Around::Dock { .. } => {
            there.radius.saturating_add(Fixed::from_cells(NEAR))
        }
    }
}

/// How far it is from one point to another, in 1024ths of a cell.
pub(super) fn thousandths(a: Fine, b: Fine) -> u32 {
    (isqrt(a.distance_squared(b)) >> (FINE_BITS - Fixed::BITS)).min(u64::from(u32::MAX >> 1)) as u32
}
