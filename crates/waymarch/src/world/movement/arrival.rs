//! After all units have moved: which units have arrived, have come to rest, or made an illegal step.

use crate::avoid::{Avoidance, Stance};
use crate::base::{Executor, Fine};
use crate::service::PathService;
use crate::world::movement::guidance::{UnitGuide, is_within};
use crate::world::movement::guide_units::{CHUNK, Chunk, FollowUp, GuidanceScratch};
use crate::world::movement::legal_step::walk;
use crate::world::movement::settle::{calm_down, face_as_ordered, gives_up_approach, is_in_goal, patience};
use crate::world::orders::goals::is_simple;
use crate::world::orders::order::Order;
use crate::world::orders::order_book::OrderBook;
use crate::world::orders::parts::OrderParts;
use crate::world::units::bodies::Bodies;
use crate::world::units::columns::OwnColumns;
use crate::world::units::membership::Membership;
use crate::world::units::order_progress::OrderProgress;
use crate::world::units::progress_monitor::ProgressMonitor;
use crate::world::units::unit_type::UnitTypes;

/// At most 64 jobs check units in parallel.
const JOBS: usize = 64;

/// Scratch: consecutive units that one job checks and changes.
struct Job<'a> {
    chunks: &'a mut [Chunk],
    own: OwnColumns<'a>,
}

/// What a job reads.
struct Moved<'a> {
    body: &'a Bodies,
    types: &'a UnitTypes,
    orders: &'a OrderBook,
    service: &'a PathService,
}

/// One unit's own columns.
struct Own<'a> {
    progress: &'a mut OrderProgress,
    membership: &'a mut Option<Membership>,
    monitor: &'a mut ProgressMonitor,
}

/// Checks the steps of all units, and which units have arrived, in the order of unit indices.
///
/// Most units have moved on, or stand. Their own columns are updated in parallel. The other units are checked one after the other; the check
/// of one unit changes nothing that the check of another reads.
pub(crate) fn settle_units(
    parts: &mut OrderParts<'_>,
    scratch: &mut GuidanceScratch,
    avoidance: &Avoidance,
    executor: &impl Executor,
) {
    note_all(parts, scratch, executor);
    for chunk in &scratch.chunks {
        for &follow_up in &chunk.follow_ups {
            match follow_up {
                FollowUp::Moved(path, at) => parts.service.moved(path, at),
                FollowUp::Check(index) => {
                    check_arrival(parts, index as usize, &chunk.guides[index as usize % CHUNK], avoidance);
                }
            }
        }
    }
}

fn note_all(parts: &mut OrderParts<'_>, scratch: &mut GuidanceScratch, executor: &impl Executor) {
    let OrderParts { service, types, units, orders, .. } = parts;
    let (body, own) = units.split();
    let moved = Moved { body, types, orders, service };
    let OwnColumns { progress, monitor, membership } = own;
    let size = progress.len().div_ceil(JOBS).next_multiple_of(CHUNK).max(CHUNK);
    let columns = progress.chunks_mut(size).zip(membership.chunks_mut(size)).zip(monitor.chunks_mut(size));
    let mut shares = scratch.chunks.chunks_mut(size / CHUNK).zip(columns).map(
        |(chunks, ((progress, membership), monitor))| Job {
            chunks,
            own: OwnColumns { progress, monitor, membership },
        },
    );
    let mut jobs: [_; JOBS] = core::array::from_fn(|_| shares.next());
    executor.each(&mut jobs, |job| {
        let Some(Job { chunks, own: OwnColumns { progress, monitor, membership } }) = job else { return };
        let own = progress.iter_mut().zip(membership.iter_mut()).zip(monitor.iter_mut());
        let mut own = own.map(|((progress, membership), monitor)| Own { progress, membership, monitor });
        for Chunk { first, guides, follow_ups, .. } in chunks.iter_mut() {
            for (index, (guide, own)) in (*first..).zip(guides.iter().zip(own.by_ref())) {
                follow_ups.extend(moved.note(index as usize, guide, own));
            }
        }
    });
}

impl Moved<'_> {
    /// Updates the columns of the unit at an index, if there is one. Returns work that concerns more than this unit.
    #[inline]
    fn note(&self, index: usize, guided: &UnitGuide, own: Own<'_>) -> Option<FollowUp> {
        self.body.id_at(index)?;
        let Own { progress, membership, monitor } = own;
        let check = Some(FollowUp::Check(index as u32));
        let (place, kind) = (self.body.place(index), self.body.kind[index]);
        let crowd = &self.body.crowd;
        let stance = crowd.stance(place);
        if guided.guide.is_none() {
            let stands = matches!(stance, Stance::Idle | Stance::Holding)
                && crowd.velocities()[place].is_zero()
                && self.body.middle(index) == guided.from;
            let facing = membership.and_then(|membership| membership.facing);
            if !stands || facing.is_some_and(|towards| crowd.heading(place) != towards) {
                return check;
            }
            monitor.rest(self.body.at(index));
            monitor.calms();
            return None;
        }
        progress.trace = guided.trace;
        if let Some(next) = guided.membership {
            if membership.is_some_and(|membership| next.route.gate() < membership.route.gate()) {
                // The unit resumes gates that it had skipped: the distances noted so far were too short.
                monitor.remeasure();
            }
            *membership = Some(next);
        }
        let at = self.body.middle(index).minus(self.body.shift(kind)).floor();
        if legal_place(self.body, self.types, self.service, index, guided.from).is_some() {
            return check;
        }
        if let Some(end) = guided.end {
            let near = self.types.get(kind).is_some_and(|kind| is_within(at, end, kind.tolerance));
            let order = || self.orders.get(self.body.queue[index].front()?);
            let simple = || order().and_then(Order::goal).is_some_and(is_simple);
            let per_second = self.service.nav().config().get().ticks_per_second;
            let is_kept = || u32::from(monitor.kept) >= patience(per_second, membership.as_ref());
            if stance != Stance::Moving || near || (membership.is_none() && simple()) || is_kept() {
                return check;
            }
        }
        self.service.follows_flow(progress.path).then_some(FollowUp::Moved(progress.path, at))
    }
}

/// Undoes an illegal step of the unit at an index, and checks whether the unit has arrived.
fn check_arrival(parts: &mut OrderParts<'_>, index: usize, guided: &UnitGuide, avoidance: &Avoidance) {
    let Some(id) = parts.units.id_at(index) else { return };
    let (place, from) = (parts.units.place(index), guided.from);
    if let Some(at) = legal_place(&parts.units.body, parts.types, parts.service, index, from) {
        parts.units.body.crowd.put(place, at, at.minus(from));
    }
    let (at, delay) = (parts.units.at(index), avoidance.delay(place));
    if guided.guide.is_none() {
        parts.units.monitor[index].rest(at);
        calm_down(parts, index, delay);
        face_as_ordered(parts.units, index);
        return;
    }
    parts.service.moved(parts.units.progress[index].path, at);
    let Some(end) = guided.end else { return };
    let per_second = parts.service.nav().config().get().ticks_per_second;
    let tolerance = parts.type_of(index).map(|kind| kind.tolerance);
    // Avoidance lets a unit stop at its goal, or before units that are there already.
    let arrived = parts.units.stance(index) != Stance::Moving
        || tolerance.is_some_and(|near| is_within(at, end, near))
        || is_in_goal(&parts.view(), index)
        || gives_up_approach(parts.units, per_second, index);
    if arrived {
        parts.arrive(index, id);
    }
}

/// Where a unit that was at `from` must be after its illegal step; `None` if its step was legal.
fn legal_place(
    body: &Bodies,
    types: &UnitTypes,
    service: &PathService,
    index: usize,
    from: Fine,
) -> Option<Fine> {
    let (middle, kind) = (body.middle(index), body.kind[index]);
    let shift = body.shift(kind);
    let (from, to) = (from.minus(shift), middle.minus(shift));
    if from.cell() == to.cell() {
        return None;
    }
    let nav = service.nav();
    let agent = nav.layer().as_side(types.get(kind)?.agent, body.team(index).0);
    let field = nav.layer().field(agent)?;
    let legal = walk(field, nav.config().step_rule(), from, to);
    (legal != to).then(|| legal.plus(shift))
}
