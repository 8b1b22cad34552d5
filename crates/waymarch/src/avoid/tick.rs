//! One tick of layer 4, phase by phase.

use alloc::vec::Vec;

use super::contacts;
use super::crowd::{CALM, Crowd, Guide, KindId, Mind, Mover, Stance};
use super::fine::{FINE_CELL, Fine, fine};
use super::kinematics::Motor;
use super::neighbours::{Neighbours, Search};
use super::parts::{PARTS, Part, part_size};
use super::seen::{Seen, seen};
use super::settings::{MAX_NEIGHBOURS, Tempo, ValidAvoidSettings};
use super::spatial::SpatialIndex;
use super::steer::{Delay, Plan, View};
use super::walls::{self, Grounds, Walls};
use crate::base::{Executor, Fixed, Serial};
use crate::config::AvoidanceModel;

/// This near to its goal a unit has arrived.
const ARRIVED: u64 = FINE_CELL as u64 * 15 / 100;
/// An idle unit further from its spot walks back when it is left alone.
const ASTRAY: u64 = FINE_CELL as u64 / 2;
/// And at once from here.
const FAR_ASTRAY: u64 = FINE_CELL as u64 * 6;

/// Pushes of fewer units than this are done sooner than shared out.
const SHARED_FROM: usize = 256;

/// Scratch: moves a [`Crowd`], tick by tick. What it keeps between ticks is memory, never knowledge.
///
/// A tick is a few phases; in each, every unit's part is a function of the phase before and is written to a place of its own, so
/// that an [`Executor`] may share the work out as it likes: results are the same, bit for bit. Nothing is allocated once it has
/// grown.
///
/// Two ways to use it: [`tick`](Avoidance::tick) moves the units; or [`steer`](Avoidance::steer) says which velocities
/// units should have, and the game moves them and tells the crowd with [`Crowd::put`].
#[derive(Clone, Debug)]
pub struct Avoidance {
    settings: ValidAvoidSettings,
    index: SpatialIndex,
    motors: Vec<Motor>,
    seen: Vec<Seen>,
    plans: Vec<Plan>,
    /// How many units before each slot do not rest.
    awake: Vec<u32>,
    /// Where units are between the passes, by slot.
    from: Vec<Fine>,
    /// The slots of those who may be pushed, and where to.
    touched: Vec<u32>,
    pushed: Vec<Fine>,
    /// The last pass in which each unit was pushed, by slot; 0 for none.
    stirred: Vec<u8>,
    /// What keeps units, by place in the crowd.
    delays: Vec<Delay>,
    /// How far to look for neighbours at first, by place in the crowd: whatever it says, the same ones are found.
    hints: Vec<i64>,
}

impl Default for Avoidance {
    fn default() -> Self {
        Self::new(&ValidAvoidSettings::default())
    }
}

impl Avoidance {
    /// With these settings.
    #[must_use]
    pub fn new(settings: &ValidAvoidSettings) -> Self {
        Self {
            index: SpatialIndex::new(Fixed::from_raw(settings.get().range.raw() / 2)),
            settings: settings.clone(),
            motors: Vec::new(),
            seen: Vec::new(),
            plans: Vec::new(),
            awake: Vec::new(),
            from: Vec::new(),
            touched: Vec::new(),
            pushed: Vec::new(),
            stirred: Vec::new(),
            delays: Vec::new(),
            hints: Vec::new(),
        }
    }

    /// Its settings.
    #[must_use]
    pub fn settings(&self) -> &ValidAvoidSettings {
        &self.settings
    }

    /// Moves everybody by one tick.
    pub fn tick<G: Grounds>(&mut self, crowd: &mut Crowd, grounds: &G) {
        self.tick_with(crowd, grounds, &Serial);
    }

    /// The same with the work shared out.
    pub fn tick_with<G: Grounds, E: Executor>(&mut self, crowd: &mut Crowd, grounds: &G, executor: &E) {
        self.tick_told(crowd, grounds, executor, |_| None);
    }

    /// The same after units have been sent on their way: `told` says by id to which group and where, like [`Crowd::set_group`] and
    /// [`Crowd::guide`].
    pub(crate) fn tick_told<G: Grounds, E: Executor>(
        &mut self,
        crowd: &mut Crowd,
        grounds: &G,
        executor: &E,
        told: impl Fn(u32) -> Option<(u32, Guide)> + Send + Sync,
    ) {
        let tempo = Tempo::new(crowd.ticks_per_second());
        executor.whole(|| {
            crowd.send_all(&mut self.index, executor, told);
            self.plan(crowd, grounds, &tempo, executor);
            self.part(grounds, &tempo, executor);
            self.commit(crowd, grounds, &tempo, executor);
        });
    }

    /// The velocities that units should have in the next tick, by place, without moving anybody: for games that move all units themselves.
    /// What units remember is brought up to date. For games that move some of them there is [`Mover`].
    pub fn steer<'a, G: Grounds, E: Executor>(
        &mut self,
        crowd: &'a mut Crowd,
        grounds: &G,
        executor: &E,
    ) -> &'a [Fine] {
        let tempo = Tempo::new(crowd.ticks_per_second());
        self.index.rebuild(&crowd.pos, &crowd.id);
        self.plan(crowd, grounds, &tempo, executor);
        for mut part in crowd.parts(usize::MAX) {
            for (place, &slot) in self.index.slots().iter().enumerate() {
                let plan = &self.plans[slot as usize];
                part.wanted[place] = plan.vel;
                self.hints[place] = plan.hint;
                remember(&mut part, place, plan, &tempo);
            }
        }
        &crowd.wanted
    }

    /// What kept a unit from getting on in the last tick, by its place in the crowd.
    #[must_use]
    pub fn delay(&self, place: usize) -> Delay {
        self.delays.get(place).copied().unwrap_or_default()
    }

    /// Fills it with rubbish, as another crowd could have left it; no result changes. For tests.
    pub fn poison(&mut self) {
        self.seen.iter_mut().for_each(|seen| (seen.pos, seen.rests) = (Fine::new(-7, 7), 1));
        self.plans.iter_mut().for_each(|plan| *plan = Plan::asleep(Mind::default()));
        self.awake.iter_mut().for_each(|count| *count = 7);
        self.from.push(Fine::new(7, 7));
        self.touched.push(u32::MAX);
        self.pushed.push(Fine::new(7, -7));
        self.stirred.fill(7);
        self.delays.iter_mut().for_each(|delay| *delay = Delay::Queue);
        self.hints.iter_mut().zip(-2..).for_each(|(hint, number)| *hint = number << 31);
        self.motors.clear();
    }

    /// Who is near whom, as of the last [`tick`](Avoidance::tick)'s or [`steer`](Avoidance::steer)'s start.
    #[must_use]
    pub fn index(&self) -> &SpatialIndex {
        &self.index
    }

    /// What units see, and which velocity each wants. The index has been made.
    fn plan<G: Grounds, E: Executor>(&mut self, crowd: &Crowd, grounds: &G, tempo: &Tempo, executor: &E) {
        let Self { settings, index, motors, seen: all, plans, awake, hints, from, touched, .. } = self;
        let settings = settings.get();
        motors.clear();
        motors.extend(crowd.kinds.iter().filter_map(|kind| kind.motor(crowd.ticks_per_second()).ok()));
        all.resize(crowd.len(), Seen::default());
        plans.resize(crowd.len(), Plan::default());
        hints.resize(crowd.len(), i64::MAX);
        let order = index.order();
        executor.each_at(all, |slot, out: &mut Seen| {
            *out = seen(crowd, grounds, motors, tempo, order[slot] as usize);
        });
        awake.clear();
        awake.push(0);
        let mut count = 0;
        let (mut widest, mut slimmest, mut fastest) = (0, i32::MAX, 0);
        for unit in all.iter() {
            count += u32::from(unit.rests == 0);
            widest = widest.max(unit.radius);
            slimmest = slimmest.min(unit.radius);
            fastest = fastest.max(unit.speed);
            awake.push(count);
        }
        let reach = |unit: &Seen| fine(settings.range).max(unit.radius + widest + FINE_CELL);
        let (index, all, awake, hints) = (&*index, &all[..], &awake[..], &hints[..]);
        let most = usize::from(settings.neighbours).min(MAX_NEIGHBOURS);
        let search = Search { index, seen: all, widest, slimmest, most };
        let view = View { settings, tempo, motors, seen: all, grounds, widest, fastest };
        let plan = |slot: usize, neighbours: &mut Neighbours, out: &mut Plan| {
            let me = &all[slot];
            let place = index.order()[slot] as usize;
            let mind = crowd.mind[place];
            // Who leaves is seen once more from afar, so that nobody sleeps on what was true when it was here.
            if me.rests != 0 && is_alone(index, all, awake, me.pos, reach(me).saturating_add(2 * fastest)) {
                *out = Plan::asleep(mind);
                return;
            }
            neighbours.find(&search, slot, reach(me), hints[place]);
            match settings.model {
                AvoidanceModel::Orca => {
                    let aside = view.aside(index, slot, reach(me));
                    view.orca(slot, neighbours, mind, aside, out);
                }
                AvoidanceModel::OrcaLite => *out = view.lite(slot, neighbours, mind),
                AvoidanceModel::SimpleBoids => *out = view.boids(slot, neighbours, mind),
                AvoidanceModel::VoSampling => *out = view.sampled(slot, neighbours, mind),
                AvoidanceModel::None => *out = view.unheeding(slot, mind),
            }
            out.hint = neighbours.hint(most);
        };
        // Everybody goes as planned, and those who may be pushed are noted.
        touched.resize(all.len(), 0);
        from.resize(all.len(), Fine::ZERO);
        let size = part_size(all.len());
        let lists = plans.chunks_mut(size).zip(from.chunks_mut(size)).zip(touched.chunks_mut(size));
        let mut parts = lists.enumerate();
        let mut jobs: [_; PARTS] = core::array::from_fn(|_| parts.next().map(|part| (part, 0)));
        executor.each(&mut jobs, |job| {
            let Some(((number, ((plans, from), touched)), count)) = job else { return };
            let mut neighbours = Neighbours::default();
            for (slot, (out, at)) in (*number * size..).zip(plans.iter_mut().zip(from.iter_mut())) {
                plan(slot, &mut neighbours, out);
                *at = all[slot].pos.plus(out.vel);
                // Without a branch: there are no more than slots.
                if let Some(place) = touched.get_mut(*count) {
                    *place = slot as u32;
                }
                *count += usize::from(!out.is_untouched());
            }
        });
        let counts = jobs.map(|job| job.map_or(0, |(_, count)| count));
        let mut count = 0;
        for (number, &here) in counts.iter().enumerate() {
            let start = number * size;
            touched.copy_within(start.min(all.len())..(start + here).min(all.len()), count);
            count += here;
        }
        touched.truncate(count);
    }

    /// Works off overlaps.
    fn part<G: Grounds, E: Executor>(&mut self, grounds: &G, tempo: &Tempo, executor: &E) {
        let Self { seen, plans, from, touched, pushed, stirred, .. } = self;
        let (seen, plans) = (&seen[..], &plans[..]);
        pushed.resize(touched.len(), Fine::ZERO);
        stirred.clear();
        stirred.resize(seen.len(), 0);
        for pass in 0..self.settings.get().contact_passes {
            let push = |place: usize, out: &mut Fine| {
                let slot = touched[place] as usize;
                // Where nobody around was moved by the last pass, nothing has changed: then what it gave is what this one gives.
                let stirs = |slot: usize| stirred[slot] == pass;
                *out = if stirs(slot) || plans[slot].near().any(|(near, _)| stirs(near)) {
                    contacts::pass(seen, &plans[slot], from, slot, grounds, tempo.spare)
                } else {
                    from[slot]
                };
            };
            if pushed.len() < SHARED_FROM {
                Serial.each_at(pushed, push)
            } else {
                executor.each_at(pushed, push)
            }
            let mut any = false;
            for (&slot, &at) in touched.iter().zip(&*pushed) {
                let slot = slot as usize;
                if from[slot] != at {
                    (from[slot], stirred[slot], any) = (at, pass + 1, true);
                }
            }
            if !any {
                return;
            }
        }
    }

    /// Sees to it that nobody ends up in closed ground, and writes the new state into the crowd.
    fn commit<G: Grounds, E: Executor>(
        &mut self,
        crowd: &mut Crowd,
        grounds: &G,
        tempo: &Tempo,
        executor: &E,
    ) {
        let Self { index, seen, plans, from, delays, hints, .. } = self;
        delays.resize(crowd.len(), Delay::None);
        let land = |slot: usize| {
            let (unit, at) = (&seen[slot], from[slot].on_plane());
            // Without walls within reach there is nothing to run into.
            let free = plans[slot].walls == 0 && {
                let reach = i64::from(unit.speed) * tempo.wall;
                at.wide().minus(unit.pos.wide()).square() <= reach * reach
            };
            if free {
                return at;
            }
            let walls = grounds.of(KindId(unit.kind));
            walls::slide(&walls, unit.pos, at, i64::from(walls.hull(unit.radius)))
        };
        let size = part_size(crowd.len());
        let mut parts = crowd.parts(size).zip(delays.chunks_mut(size).zip(hints.chunks_mut(size)));
        let mut jobs: [_; PARTS] = core::array::from_fn(|_| parts.next());
        executor.each(&mut jobs, |job| {
            let Some((crowd, (delays, hints))) = job else { return };
            for (place, &slot) in index.slots()[crowd.first..].iter().take(delays.len()).enumerate() {
                let slot = slot as usize;
                let plan = &plans[slot];
                delays[place] = plan.delay;
                if plan.asleep != 0 {
                    continue;
                }
                hints[place] = plan.hint;
                crowd.wanted[place] = plan.vel;
                if crowd.body[place].mover == Mover::Game {
                    remember(crowd, place, plan, tempo);
                    continue;
                }
                let (unit, at) = (&seen[slot], land(slot));
                let moved = at.wide().minus(unit.pos.wide());
                let vel = moved.clamp(i64::from(unit.speed)).fine();
                let before = (crowd.mind[place], crowd.vel[place], crowd.body[place].stance);
                crowd.vel[place] = vel;
                crowd.pos[place] = at;
                remember(crowd, place, plan, tempo);
                let mind = &mut crowd.mind[place];
                let after = (Mind { rests: before.0.rests, ..*mind }, vel, crowd.body[place].stance);
                mind.rests = u8::from(moved.square() == 0 && before == after && !after.2.travels());
            }
        });
    }
}

/// Whether nobody is awake within `reach` of a point.
fn is_alone(index: &SpatialIndex, seen: &[Seen], awake: &[u32], at: Fine, reach: i32) -> bool {
    let limit = i64::from(reach) * i64::from(reach);
    let far = |unit: &Seen| unit.rests != 0 || unit.pos.wide().minus(at.wide()).square() > limit;
    index.runs_around(at, reach).all(|run| awake[run.end] == awake[run.start] || seen[run].iter().all(far))
}

/// Brings up to date what a unit remembers, and whether it has arrived, or gone astray.
fn remember(crowd: &mut Part<'_>, place: usize, plan: &Plan, tempo: &Tempo) {
    let own = &mut crowd.mind[place];
    let calm = if plan.mind.level == CALM { own.calm.saturating_add(1).min(tempo.calm) } else { 0 };
    *own = Mind { calm, ..plan.mind };
    let (body, guide, spot) = (&mut crowd.body[place], &crowd.guide[place], &mut crowd.spot[place]);
    let at = crowd.pos[place];
    let off = at.distance_squared(*spot);
    let settles = match body.stance {
        // Where others were first it stops before them.
        Stance::Moving if plan.crowded != 0 && own.jam >= tempo.patience => {
            *spot = at;
            true
        }
        Stance::Moving if guide.aim == guide.goal => {
            let radius = crowd.kinds.get(usize::from(body.kind.0)).map_or(Fixed::ZERO, |kind| kind.radius);
            off < ARRIVED * ARRIVED || is_past(at, *spot, crowd.vel[place], radius)
        }
        Stance::Moving => false,
        Stance::Returning => off < ARRIVED * ARRIVED,
        Stance::Idle => {
            // Spots taken in a heap may overlap: who is kept from its own belongs where it is, or all would press each other for ever.
            let wanted = plan.vel.wide();
            let kept = 2 * crowd.vel[place].wide().dot(wanted) < wanted.square();
            let before_goal = at.distance_squared(guide.goal) > ASTRAY * ASTRAY;
            if kept && before_goal && calm >= tempo.calm && off <= ASTRAY * ASTRAY {
                *spot = at;
            }
            let alone = calm >= tempo.calm && off > ASTRAY * ASTRAY;
            if alone || off > FAR_ASTRAY * FAR_ASTRAY {
                body.stance = Stance::Returning;
            }
            false
        }
        Stance::Holding => false,
    };
    if settles {
        // Who was there before, is so again.
        let there = u8::from(body.stance == Stance::Moving) | own.there;
        body.stance = Stance::Idle;
        *own = Mind { calm: 0, turn: 0, jam: 0, there, ..*own };
    }
}

/// Whether a unit moves away from its goal though it is within its radius, half a cell at most: others kept it from the very point. It has arrived, and drifts there
/// when they leave room: who turned back would walk against those who come after it, and be carried further past.
fn is_past(at: Fine, goal: Fine, velocity: Fine, radius: Fixed) -> bool {
    let near = u64::from(fine(radius).unsigned_abs()).min(ASTRAY);
    at.distance_squared(goal) < near * near && goal.wide().minus(at.wide()).dot(velocity.wide()) < 0
}
