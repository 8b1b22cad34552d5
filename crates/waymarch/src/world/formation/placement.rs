//! Where the units of an order stand: slots for all of them, and which unit takes which slot.

use crate::avoid::{FINE_CELL, Fine};
use crate::base::{Agent, Angle, CellPos, Fixed};
use crate::config::Config;
use crate::cost::{CornerRule, StepRule};
use crate::groups::{
    Approach, Formation, FormationLayout, FormationRequest, GoalArea, MapFooting, Member, Role,
    Shape as Taken, Station, StationRequest, facing_towards, has_slots, middle_of, room_between,
};
use crate::nav::Navigator;
use crate::query::{Goal, Shape};
use crate::search::line_of_sight_between;
use crate::world::formation::forming::FormingScratch;
use crate::world::formation::parts::GroupParts;
use crate::world::groups::group::{Entry, Group};
use crate::world::orders::goals::middle_of_goal;
use crate::world::orders::order::Order;
use crate::world::orders::parts::OrderView;
use crate::world::orders::target::{Around, Fire, Whereabouts, beside, near};
use crate::world::units::order_queue::OrderStage;

/// At most 8 members with the same agent are tried when a reachable cell of a goal is searched.
const MOST_ASKED: usize = 8;

/// How the units of an order are to stand.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Placement {
    /// In formation around a cell.
    At(CellPos, Formation, Option<Angle>, FormationLayout),
    /// In formation inside a goal; on the side where the group's route enters it, once that is known.
    Within(Goal, Formation, Option<Angle>, Option<Entry>),
    /// Around a target.
    Around(Whereabouts, Around),
    /// Each unit at least this far from the centre of all units.
    Apart(Fixed),
}

impl Placement {
    /// Whether units keep their positions relative to each other.
    pub(crate) fn is_relative(&self) -> bool {
        matches!(self, Self::At(_, Formation::Relative, ..) | Self::Within(_, Formation::Relative, ..))
    }
}

/// The result of a placement, apart from the slots.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Placed {
    /// The centre of the slots; for slots around a target the centre of the target.
    pub(crate) centre: Fine,
    /// The cell where the route of the group ends.
    pub(crate) end: CellPos,
    /// What [`Formation::Adaptive`] has chosen. The group keeps it while it walks. `None` for other formations.
    pub(crate) keeps: Option<Formation>,
    /// The facing of all units.
    pub(crate) facing: Option<Angle>,
    /// Where the formation as a whole faces.
    pub(crate) towards: Angle,
    /// The point that units face if `facing` is `None`.
    looks_at: Option<Fine>,
}

impl Placed {
    /// The facing of the unit in a slot; `None` if it is free.
    pub(crate) fn facing_at(&self, slot: Fine) -> Option<Angle> {
        let towards = |at: Fine| {
            let part = |to: i32, from: i32| ((i64::from(to) - i64::from(from)) >> 1) as i32;
            Angle::atan2(part(at.y, slot.y), part(at.x, slot.x))
        };
        self.facing.or_else(|| self.looks_at.map(towards))
    }
}

impl Order {
    /// Whether a single unit with this order gets a slot too.
    pub(crate) const fn has_slot_alone(&self) -> bool {
        matches!(self, Self::Form { .. } | Self::Around { .. } | Self::Scatter { .. })
    }
}

/// Whether units with this order form a group.
pub(crate) fn forms_groups(order: &Order, config: &Config) -> bool {
    let formations = config.formation_movement;
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

/// How units stand at a stage of their order. `group` may have another formation than the order, since
/// [`World::reform`](crate::world::World::reform).
pub(crate) fn placement_of(
    view: &OrderView<'_>,
    stage: OrderStage,
    group: Option<&Group>,
) -> Option<Placement> {
    let otherwise = group.and_then(|group| group.formation.as_ref().map(|other| (other, group.facing)));
    let usual = || match otherwise {
        Some((formation, facing)) => (formation.clone(), facing),
        None => (Formation::from(view.service.nav().config().get().formation_type), None),
    };
    let at = |at: CellPos, (formation, facing): (Formation, Option<Angle>)| {
        Some(Placement::At(at, formation, facing, FormationLayout::default()))
    };
    match view.orders.get(stage.order)? {
        Order::Move(Goal::In(Shape::Point(goal)))
        | Order::AttackMove { goal: Goal::In(Shape::Point(goal)), .. } => at(*goal, usual()),
        Order::Move(goal) | Order::AttackMove { goal, .. } => {
            let (formation, facing) = usual();
            let entry = group.and_then(|group| group.entry);
            Some(Placement::Within(goal.clone(), formation, facing, entry))
        }
        Order::Patrol(stops) => stops.get(usize::from(stage.leg)).and_then(|&stop| at(stop, usual())),
        Order::Form { at: goal, formation, facing, layout } => {
            let (formation, facing) = match otherwise {
                Some(_) => usual(),
                None => (formation.clone(), *facing),
            };
            Some(Placement::At(*goal, formation, facing, *layout))
        }
        Order::Around { target, how } => Some(Placement::Around(view.whereabouts(target)?, *how)),
        Order::Scatter { distance } => Some(Placement::Apart(*distance)),
        Order::Follow { .. }
        | Order::FollowGroup { .. }
        | Order::Guard { .. }
        | Order::Stop
        | Order::Hold => None,
    }
}

/// Writes the chosen units that can reach their place into `members`, and a reachable cell for each of their agents into `starts`.
pub(crate) fn collect_members(
    parts: &mut GroupParts<'_>,
    placement: &Placement,
    forming: &mut FormingScratch,
) {
    let FormingScratch { chosen, members, starts, .. } = forming;
    members.clear();
    starts.clear();
    for &index in &*chosen {
        let Some(kind) = parts.types.get(parts.units.body.kind[index as usize]) else { continue };
        members.push(Member {
            id: index,
            at: parts.units.middle(index as usize),
            agent: parts.units.agent(index as usize, kind, parts.service.nav().layer()),
            radius: kind.radius,
            speed: parts.units.speed(index as usize, kind),
            role: kind.role,
            left: 0,
        });
    }
    if let Placement::Around(_, Around::Dock { .. }) = placement {
        // Every place of a queue fits the largest member, so that members can move up.
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
            starts.extend(reachable_cell(parts, &mut alike, placement).map(|cell| (agent, cell)));
        }
    }
    // A unit that cannot get there gets no slot. It goes as near as possible on its own route.
    let nav = parts.service.nav();
    members.retain(|member| {
        let from = parts.units.cell(member.id as usize);
        let start = starts.iter().find(|(agent, _)| *agent == member.agent);
        start.is_some_and(|&(agent, cell)| nav.reachable(from, cell, agent))
    });
}

/// A cell of the placement that one of the members `alike` can reach. They all have the same agent.
fn reachable_cell<'a>(
    parts: &mut GroupParts<'_>,
    alike: &mut impl Iterator<Item = &'a Member>,
    placement: &Placement,
) -> Option<CellPos> {
    let goal = match placement {
        Placement::At(at, ..) => {
            let nav = parts.service.nav();
            let gets_there =
                |member: &Member| nav.reachable(parts.units.cell(member.id as usize), *at, member.agent);
            return alike.any(gets_there).then_some(*at);
        }
        Placement::Apart(_) => return alike.next().map(|member| parts.units.cell(member.id as usize)),
        Placement::Within(goal, ..) => goal.clone(),
        Placement::Around(there, how) => Goal::circle(there.middle.cell(), near(there, how)),
    };
    for member in alike.take(MOST_ASKED) {
        let from = parts.units.cell(member.id as usize);
        match parts.service.nav_mut().snap(from, &goal, member.agent) {
            Ok(snapped) if snapped.gap == 0 && snapped.from == from => return Some(snapped.to),
            _ => {}
        }
    }
    None
}

/// Makes slots for the collected members, clear of `held`, and assigns them. `None` if there is no member or no slot.
pub(crate) fn place_members(
    nav: &Navigator,
    placement: &Placement,
    forming: &mut FormingScratch,
) -> Option<Placed> {
    let FormingScratch { members, starts, formations, assignment, slots, taken, held, passages, .. } =
        forming;
    if members.is_empty() {
        return None;
    }
    let mut footing = MapFooting::new(nav.layer(), nav.sectors(), starts);
    if keeps_passages_free(placement, members.len()) {
        let rule = nav.config().step_rule();
        passages.follow(nav.layer(), rule);
        for (agent, _) in &*starts {
            passages.number_of(nav.layer(), *agent, rule);
        }
        footing = footing.keeping_free(passages.all());
    }
    if let Placement::Around(there, how @ Around::Dock { .. }) = placement {
        if let Station::Dock { berth, .. } = station(nav, there, how, members) {
            footing = footing.with_berth(berth.cell());
        }
    }
    formations.keep_clear_of(held.iter().copied());
    let mut placed = Placed {
        centre: Fine::ZERO,
        end: CellPos::default(),
        keeps: None,
        facing: None,
        towards: Angle::ZERO,
        looks_at: None,
    };
    let mut approach = Approach::Open;
    // A member without room gets no slot, and goes to the goal itself.
    match placement {
        Placement::At(goal, formation, facing, layout) => {
            let centre = Fine::centre(*goal);
            let towards = facing.unwrap_or_else(|| facing_towards(members, centre, Angle::ZERO));
            let request = FormationRequest { formation, centre, facing: towards, gap: Fixed::ZERO };
            // Of a formation that was changed on the way, the layout keeps what still applies.
            let layout = layout.for_formation(formation);
            let taken = formations.arrange_with_layout(&request, &layout, members, &footing, slots);
            (placed.centre, placed.facing, placed.towards) = (centre, *facing, towards);
            placed.keeps = taken.ok().and_then(|taken| kept(formation, taken));
        }
        Placement::Within(goal, formation, facing, entry) => {
            let middle = Fine::centre(middle_of_goal(goal));
            let straight = || facing_towards(members, middle, Angle::ZERO);
            let towards = facing.or(entry.map(|entry| entry.1)).unwrap_or_else(straight);
            let centre = entry.map_or_else(|| middle_of(members), |entry| entry.0);
            let request = FormationRequest { formation, centre, facing: towards, gap: Fixed::ZERO };
            let area = GoalArea { goal, map: nav.layer().grid().rect() };
            let found = formations.arrange_in_goal(&area, &request, members, &footing, slots);
            let found = found.ok().flatten();
            let centre = found.map(|found| found.0).or_else(|| slots.first().map(|slot| slot.at));
            (placed.centre, placed.facing) = (centre?, *facing);
            placed.keeps = found.and_then(|found| kept(formation, found.1));
        }
        Placement::Around(there, how) => {
            let station = station(nav, there, how, members);
            let fire = &line_of_fire(nav, there, how);
            let request = StationRequest { station, gap: Fixed::ZERO, fire };
            let _ = formations.arrange_station(&request, members, &footing, slots);
            placed.centre = there.middle;
            match how {
                Around::InRange { .. } | Around::Surround => placed.looks_at = Some(there.middle),
                Around::Dock { .. } => approach = Approach::Queue,
                Around::Park => {}
            }
        }
        Placement::Apart(distance) => {
            let _ = formations.disperse(*distance, members, &footing, slots);
            placed.centre = slots.first()?.at;
        }
    }
    assignment.assign(members, slots, approach, taken);
    placed.end = match placement {
        Placement::At(goal, ..) => *goal,
        _ => {
            let far = |at: Fine| (at.distance_squared(placed.centre), at);
            slots.iter().map(|slot| slot.at).min_by_key(|&at| far(at))?.cell()
        }
    };
    Some(placed)
}

/// Whether no slot may lie in a bottleneck. Units that keep their positions keep their distances. A single unit that is sent to a cell goes there.
fn keeps_passages_free(placement: &Placement, members: usize) -> bool {
    let is_explicit = members == 1 && matches!(placement, Placement::At(..));
    !is_explicit && !placement.is_relative()
}

/// The station at a target.
fn station(nav: &Navigator, there: &Whereabouts, how: &Around, members: &[Member]) -> Station {
    match *how {
        Around::InRange { least, most, .. } => Station::InRange { target: there.middle, least, most },
        Around::Surround => Station::Surround { target: there.middle, radius: there.radius },
        Around::Park => Station::Park { building: there.cells },
        Around::Dock { queue } => {
            let widest = members.iter().map(|member| member.radius).max().unwrap_or_default();
            let one =
                there.cells.x1.abs_diff(there.cells.x0) <= 1 && there.cells.y1.abs_diff(there.cells.y0) <= 1;
            let berth = if one && is_open(nav, there.middle.cell(), members) {
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

fn is_open(nav: &Navigator, at: CellPos, members: &[Member]) -> bool {
    let layer = nav.layer();
    let open = |agent: Agent| layer.field(agent).is_some_and(|field| field.is_passable(at));
    members.first().is_some_and(|member| open(member.agent))
}

/// Returns a function of two points: whether a shot from the first point reaches the target at the second point.
fn line_of_fire<'a>(
    nav: &'a Navigator,
    there: &Whereabouts,
    how: &Around,
) -> impl Fn(Fine, Fine) -> bool + use<'a> {
    let along = match *how {
        Around::InRange { fire: Fire::Along(locomotor), .. } => Some(nav.layer().field(locomotor.into())),
        _ => None,
    };
    let rule = StepRule { corners: CornerRule::AllowOne, ..nav.config().step_rule() };
    let cells = there.cells;
    // The cells of a building block the line to its centre. So shots go to the nearest point of its outside.
    let closed = along.flatten().is_some_and(|field| cells.cells().any(|at| !field.is_passable(at)));
    move |from: Fine, target: Fine| {
        let point = |at: Fine| at.floor();
        let to = if closed { beside(cells, from) } else { target };
        match along {
            None => true,
            Some(field) => {
                field.is_some_and(|field| line_of_sight_between(field, rule, point(from), point(to)))
            }
        }
    }
}

/// What [`Formation::Adaptive`] has chosen; `None` for other formations. It is kept, because near the goal the choice would differ.
fn kept(formation: &Formation, taken: Taken) -> Option<Formation> {
    match (formation, taken) {
        (Formation::Adaptive, Taken::Relative) => Some(Formation::Relative),
        (Formation::Adaptive, Taken::Box) => Some(Formation::Box),
        (Formation::Adaptive, Taken::Hex) => Some(Formation::Hex),
        _ => None,
    }
}

/// The distance between two points, in 1024ths of a cell.
pub(crate) fn distance_in_1024ths(a: Fine, b: Fine) -> u32 {
    a.distance_fixed(b).min(u64::from(u32::MAX >> 1)) as u32
}
