//! Sending the rear of a group round a crowded gate, and calling back whom no way leads round.

use super::byway::{Branch, Byway};
use super::carry_out::Turn;
use super::congestion::Steward;
use super::errand::{Phase, Vain};
use super::events::{EventKind, RouteChange};
use super::group::{Group, GroupId, Passage, Post};
use super::lineup::{OtherWay, headway, length_over, members, on_the_way_round};
use super::march::is_same_gate;
use super::muster::{GATES_NODES, Sergeant};
use super::service::{Guidance, PathId, PathStatus};
use super::simulation::World;
use crate::avoid::Fine;
use crate::base::{CellRect, Tick, Vec2};
use crate::groups::{Crossing, Lanes, Member, Traffic, WayGate};

/// Another way has to bring the last one there earlier by one in so many of what those who take it walk more,
const OF_THE_WAY: u64 = 3;
/// or by one in so many of all the time that it takes: so whoever waits loses no more than a seventh.
const OF_THE_TIME: u64 = 8;

/// Another way that is worth it.
#[derive(Clone, Copy)]
struct Found {
    /// Its narrowest gate.
    narrow: usize,
    /// When the last one would be there if nobody took it.
    beat: Tick,
}

impl World {
    /// Another way has been looked for: sends as many round as gain by it. How many.
    pub(super) fn weigh(&mut self, id: GroupId, steward: &mut Steward) -> usize {
        let mut sergeant = core::mem::take(&mut self.sergeant);
        let found = self.is_worth_it(id, &mut sergeant, steward);
        let laid = found.and_then(|found| self.lay_byway(id, found, &mut sergeant, steward));
        self.sergeant = sergeant;
        self.service.owe(GATES_NODES);
        let Some((first, ask)) = laid else { return 0 };
        for place in 0..steward.sent.len() {
            self.send(steward.sent[place] as usize, first, ask);
        }
        self.spread_out(id, first, steward);
        // Whom no way leads round has been called back.
        let post = |&slot: &u32| self.units.post[slot as usize];
        steward.sent.iter().filter_map(post).filter(|post| post.branch == Branch::Byway).count()
    }

    /// Writes the gates of the other way, and who is to go there; which gate is the narrowest, and when all would be there without it. `None` if it gains too
    /// little.
    fn is_worth_it(&self, id: GroupId, sergeant: &mut Sergeant, steward: &mut Steward) -> Option<Found> {
        let group = self.groups.list.get(id)?;
        let (ask, crowded) = (group.patience.ask, usize::from(group.patience.gate));
        let near = group.passages.get(crowded)?.way;
        let Sergeant { finder, points, gates, .. } = sergeant;
        points.clear();
        if let (Some(PathStatus::Complete), Some(Guidance::Waypoints(way))) =
            (self.service.status(ask), self.service.guidance(ask))
        {
            points.extend(way.iter().map(|&at| Fine::from(Vec2::from(at))));
        }
        let &end = points.last()?;
        let field = self.service.nav().layer().field(group.agent.locomotor.into())?;
        finder.find(points, group.width(), |at| field.is_passable(at), gates);
        let lanes_of = |gate: &WayGate| self.lanes_left(id, group, gate, steward);
        let (narrow, lanes) = narrowest(group, crowded, gates, lanes_of)?;
        let crossing = self.line_up_at(id, group, &near, Some(OtherWay { gates, narrow, end }), steward);
        let main = Crossing {
            headway: crossing.headway,
            rest: length_over(group.passages[crowded..].iter().map(|passage| passage.way.taut), end),
        };
        let far = |length: u64| if gates.is_empty() { 0 } else { on_the_way_round(length) };
        let other = Crossing {
            headway: far(headway(group, lanes)),
            rest: far(length_over(gates[narrow.min(gates.len())..].iter().map(|gate| gate.taut), end)),
        };
        let Steward { splitter, crossers, sent, .. } = steward;
        let ends = splitter.split(main, other, crossers, sent);
        let last = sent.last().and_then(|id| crossers.iter().find(|crosser| crosser.id == *id))?;
        let farther = last.far.saturating_add(other.rest).saturating_sub(last.near.saturating_add(main.rest));
        let least = (farther / OF_THE_WAY).min(ends.without / OF_THE_TIME);
        let beat = Tick(self.now().0.saturating_add(group.ticks_for(ends.without)));
        (ends.gain() >= least.max(self.worthwhile(group))).then_some(Found { narrow, beat })
    }

    /// Gives a group its second way, unless members are on it already; the gate that those who are sent begin with, and whose route is theirs.
    fn lay_byway(
        &mut self,
        id: GroupId,
        Found { narrow, beat }: Found,
        sergeant: &mut Sergeant,
        steward: &Steward,
    ) -> Option<(u16, PathId)> {
        let group = self.groups.list.get_mut(id)?;
        let (gate, ask) = (group.patience.gate, group.patience.ask);
        let closed = self.service.ask(ask)?.avoid;
        let posts = || members(&steward.under_way, id).iter().map(|&(_, slot)| slot as usize);
        let mut vain = 0;
        if let Some(byway) = &mut group.byway {
            let count = byway.passages.len();
            let on_it = |slot: usize| {
                self.units.post[slot]
                    .is_some_and(|post| post.branch == Branch::Byway && usize::from(post.gate) < count)
            };
            if byway.gate == Some(gate) && byway.closed == closed && posts().any(on_it) {
                byway.beat = byway.beat.max(Some(beat));
                return Some((byway.narrow, ask));
            }
            vain = if byway.gate == Some(gate) { byway.vain } else { 0 };
        }
        let through = group.passages.len() as u16;
        let mut passages = sergeant.spare_passages.0.take(sergeant.gates.len());
        passages.extend(sergeant.gates.iter().map(|&way| Passage::new(way, Traffic::OneWay)));
        let byway = Byway {
            gate: Some(gate),
            closed,
            narrow: narrow as u16,
            passages,
            lanes: Lanes::default(),
            beat: Some(beat),
            vain,
        };
        if let Some(old) = group.byway.replace(byway) {
            sergeant.spare_passages.0.keep(old.passages);
            // Who came by the old one is through.
            let posts = self.units.post.iter_mut().flatten();
            let waiting = group.posts.iter_mut().map(|(_, post)| post);
            let old = |post: &&mut Post| post.group == id && post.branch == Branch::Byway;
            for post in posts.chain(waiting).filter(old) {
                (post.branch, post.gate) = (Branch::Main, through);
            }
        }
        Some((0, ask))
    }

    /// A unit leaves the crowd by its group's second way, from its gate `first` on, along the route of `like` if it can.
    fn send(&mut self, slot: usize, first: u16, like: PathId) {
        let aim = self.aim(slot);
        let goal = aim.and_then(|(aim, target)| Some((self.goal(slot, aim, target)?, target)));
        let kind = self.types.get(self.units.kind[slot]);
        let (Some((goal, target)), Some(kind), Some(post)) = (goal, kind, &mut self.units.post[slot]) else {
            return;
        };
        post.branch = Branch::Byway;
        post.look_anew(first);
        let ask = self.ask_for(slot, kind, goal).alone();
        let path = self.service.request_like(ask, like);
        if let Some(PathStatus::Unreachable(_) | PathStatus::Failed(_)) = self.service.status(path) {
            self.service.cancel(path);
            self.recall(slot);
            return;
        }
        let errand = &mut self.units.errand[slot];
        (errand.why, errand.target, errand.vain) = (RouteChange::Crowd, target, Vain::default());
        // Who follows nothing yet takes it at once, and is told here.
        let is_first = self.service.guidance(errand.path).is_none();
        self.reset_stuck(slot);
        self.take(slot, path);
        if let Some(id) = self.units.id_at(slot).filter(|_| is_first) {
            self.events.add(id, EventKind::RouteChanged(RouteChange::Crowd));
        }
    }

    /// The cells that a unit keeps clear of because it goes round them.
    pub(super) fn avoided(&self, slot: usize) -> CellRect {
        let post = self.units.post[slot].as_ref();
        let group = post.and_then(|post| self.groups.list.get(post.group).map(|group| (post, group)));
        group.map_or(CellRect::default(), |(post, group)| group.avoids(post.branch, post.gate))
    }

    /// No way leads round for a unit: back to the way of all others. `None` if it does not go round anything.
    pub(super) fn recall(&mut self, slot: usize) -> Option<Turn> {
        if self.avoided(slot).is_empty() {
            return None;
        }
        let post = self.units.post[slot].as_mut()?;
        let group = self.groups.list.get(post.group)?;
        let gate =
            group.byway.as_ref().and_then(|byway| byway.gate).unwrap_or(0).min(group.passages.len() as u16);
        post.branch = Branch::Main;
        post.look_anew(gate);
        let errand = &mut self.units.errand[slot];
        (errand.phase, errand.vain) = (Phase::Asking, Vain::default());
        Some(Turn::Again)
    }

    /// Those who stay take all lanes of their gates, in the order they had across the group; those who were sent those of theirs, as they stand before
    /// the first of these.
    fn spread_out(&mut self, id: GroupId, first: u16, steward: &mut Steward) {
        let Steward { under_way, ranks, sent, .. } = steward;
        ranks.clear();
        for &(_, slot) in members(under_way, id) {
            let post = self.units.post[slot as usize].filter(|post| post.branch == Branch::Main);
            ranks.extend(post.map(|post| (post.lane.rank, slot)));
        }
        ranks.sort_unstable();
        let count = ranks.len().max(1) as u64;
        for (rank, &(_, slot)) in (0_u64..).zip(ranks.iter()) {
            if let Some(post) = &mut self.units.post[slot as usize] {
                post.lane.rank = ((2 * rank + 1) * 32_768 / count).min(65_535) as u16;
            }
        }
        let Some(group) = self.groups.list.get_mut(id) else { return };
        let Some(byway) = &mut group.byway else { return };
        let Some(gate) = byway.passages.get(usize::from(first)) else { return };
        let Sergeant { members, sorted, lanes, .. } = &mut self.sergeant;
        members.clear();
        let at = |slot: u32| self.units.middle(slot as usize);
        members.extend(sent.iter().map(|&id| Member { id, at: at(id), ..Member::default() }));
        let all = Lanes::of(members, gate.way.taut, sorted, lanes);
        if first == 0 {
            byway.lanes = all;
        }
        for (&slot, &lane) in sent.iter().zip(lanes.iter()) {
            if let Some(post) =
                self.units.post[slot as usize].as_mut().filter(|post| post.branch == Branch::Byway)
            {
                post.lane = lane;
            }
        }
    }
}

/// The gate of another way that lets the fewest through, the first of several, and how many lanes it has for those who come that way. What the crowded gate lets
/// through takes lanes of gates that both ways pass. `None` if none are left.
fn narrowest(
    group: &Group,
    crowded: usize,
    gates: &[WayGate],
    mut lanes_of: impl FnMut(&WayGate) -> u32,
) -> Option<(usize, u32)> {
    let near = group.passages.get(crowded).map_or(0, |passage| lanes_of(&passage.way));
    let mut narrow = (u32::MAX, 0);
    for (number, gate) in gates.iter().enumerate() {
        let shared = group.passages[crowded..].iter().any(|passage| is_same_gate(&passage.way, gate));
        let lanes = lanes_of(gate).saturating_sub(if shared { near } else { 0 });
        narrow = narrow.min((lanes, number));
    }
    (narrow.0 > 0).then_some((narrow.1, narrow.0))
}
