//! The units as layer 4 knows them.

use alloc::vec::Vec;

use super::fine::{FINE_BITS, Fine};
use super::kinematics::{Kinematics, KinematicsError, Motor};
use super::parts::send_off;
use super::spawn::{Spawn, SpawnError};
use crate::base::{Angle, Fixed, Vec2};

/// What a unit is about.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Stance {
    /// Nothing: it stands at its spot, makes way for friends and comes back.
    #[default]
    Idle,
    /// Under way to where it was guided.
    Moving,
    /// Under way back to the spot that it made way from.
    Returning,
    /// It stays where it is, whoever wants to pass.
    Holding,
}

impl Stance {
    /// Whether it goes somewhere.
    #[inline]
    #[must_use]
    pub const fn travels(self) -> bool {
        matches!(self, Self::Moving | Self::Returning)
    }
}

/// What a gate ahead adds to [`Guide::left`]: as much as 4,096 cells, so that it counts for more than any distance. Units with one or more ahead
/// line up: they wait for those before them and look for no way round.
pub const GATE_LEFT: u32 = 1 << 22;

/// Where a unit is to go. Given anew whenever its way bends; the last one stays.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Guide {
    /// Where to head for now: the next bend of its route, or a point ahead in the direction of a flow field.
    pub aim: Fine,
    /// Where it belongs in the end. It stops there if that is also its aim; of several with the same goal the later ones stop around
    /// those that are there.
    pub goal: Fine,
    /// What is left to pay, in any unit that is the same within a group: who has less left goes first.
    pub left: u32,
}

impl Guide {
    /// Straight to a point.
    #[must_use]
    pub fn to(goal: Fine) -> Self {
        Self { aim: goal, goal, left: 0 }
    }
}

/// Who moves a unit.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Mover {
    /// The engine.
    #[default]
    Engine,
    /// The game: the engine says which velocity the unit should have, the game moves it and says where it is with [`Crowd::put`]. Others
    /// keep clear of it, and push it in vain.
    Game,
}

/// A kind of unit, by its place among a crowd's kinds.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct KindId(pub u16);

/// World: what a unit remembers from tick to tick besides where it is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub(super) struct Mind {
    /// How far it turns its wish aside because it is blocked, clockwise.
    pub(super) turn: u16,
    /// Whom an idle unit makes way for: 0 travels itself, 1 makes way for somebody who travels, 2 for one of those, 255 for nobody.
    pub(super) level: u8,
    /// For how many ticks nobody needed it to make way.
    pub(super) calm: u8,
    pub(super) heading: Angle,
    /// `orca-lite`: the side it passes on, 0 for none, and for how many ticks more.
    pub(super) side: i8,
    pub(super) commitment: u8,
    /// For how long it has not got on in a narrow place, in ticks; it is forgotten as slowly as it grew.
    pub(super) jam: u8,
    /// Whether its last tick changed nothing: 1 or 0.
    pub(super) rests: u8,
    /// Whether it has come to rest where it was ordered, or before those who have: 1 or 0.
    pub(super) there: u8,
}

impl Default for Mind {
    fn default() -> Self {
        Self {
            turn: 0,
            level: CALM,
            calm: 0,
            heading: Angle::ZERO,
            side: 0,
            commitment: 0,
            jam: 0,
            rests: 0,
            there: 0,
        }
    }
}

/// Nobody brakes for longer than this: some 64 cells.
const FARTHEST_STOP: i64 = 64 << FINE_BITS;

/// The level of an idle unit that nobody needs to make way.
pub(super) const CALM: u8 = 255;

/// World: what a unit is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub(super) struct Body {
    pub(super) kind: KindId,
    pub(super) team: u8,
    pub(super) stance: Stance,
    pub(super) group: u32,
    /// Part of its kind's speed that it may have, 1024 for all.
    pub(super) pace: u16,
    pub(super) mover: Mover,
}

/// World: positions, velocities, guides and what else units of a crowd are about, one list each, in the same order.
///
/// Places in the lists are handed out densely: the last unit moves into the place of one that is removed. What happens does not
/// depend on places, only on ids.
///
/// ```
/// use waymarch::avoid::{Avoidance, Crowd, Fine, Guide, Kinematics, OpenGround, Spawn, Stance};
/// use waymarch::base::cell;
///
/// let mut avoidance = Avoidance::default();
/// let mut crowd = Crowd::new(20);
/// let kind = crowd.add_kind(Kinematics::INFANTRY)?;
/// let (west, east) = (Fine::centre(cell(2, 5)), Fine::centre(cell(12, 5)));
/// let a = crowd.spawn(&Spawn { id: 1, kind, at: west, ..Spawn::default() })?;
/// let b = crowd.spawn(&Spawn { id: 2, kind, at: east, ..Spawn::default() })?;
/// crowd.guide(a, Guide::to(east));
/// crowd.guide(b, Guide::to(west));
/// for _ in 0..150 {
///     avoidance.tick(&mut crowd, &OpenGround);
/// }
/// assert_eq!([crowd.stance(a), crowd.stance(b)], [Stance::Idle; 2], "they passed each other and arrived");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Crowd {
    ticks_per_second: u16,
    pub(super) kinds: Vec<Kinematics>,
    pub(super) id: Vec<u32>,
    pub(super) pos: Vec<Fine>,
    pub(super) vel: Vec<Fine>,
    /// The velocity that each unit wanted last, having looked at all others.
    pub(super) wanted: Vec<Fine>,
    pub(super) guide: Vec<Guide>,
    /// Where an idle unit belongs: its goal, or where it had to stop because others were there first.
    pub(super) spot: Vec<Fine>,
    pub(super) body: Vec<Body>,
    pub(super) mind: Vec<Mind>,
}

impl Crowd {
    /// Nobody, at so many ticks a second (at least one).
    #[must_use]
    pub fn new(ticks_per_second: u16) -> Self {
        Self {
            ticks_per_second: ticks_per_second.clamp(1, 240),
            kinds: Vec::new(),
            id: Vec::new(),
            pos: Vec::new(),
            vel: Vec::new(),
            wanted: Vec::new(),
            guide: Vec::new(),
            spot: Vec::new(),
            body: Vec::new(),
            mind: Vec::new(),
        }
    }

    /// Ticks per second.
    #[must_use]
    pub fn ticks_per_second(&self) -> u16 {
        self.ticks_per_second
    }

    /// Makes a kind of unit known.
    ///
    /// # Errors
    /// [`KinematicsError`] naming the number that is out of range; more than 65,535 kinds count as such.
    pub fn add_kind(&mut self, kind: Kinematics) -> Result<KindId, KinematicsError> {
        kind.motor(self.ticks_per_second)?;
        let number = u16::try_from(self.kinds.len())
            .map_err(|_| KinematicsError { what: "number of kinds", value: Fixed::from_cells(65_536) })?;
        self.kinds.push(kind);
        Ok(KindId(number))
    }

    /// Adds a unit, idle at its spot, and gives its place. Costs a look at all ids.
    ///
    /// # Errors
    /// [`SpawnError`]: an unknown kind, or an id that is taken.
    pub fn spawn(&mut self, unit: &Spawn) -> Result<usize, SpawnError> {
        if self.id.contains(&unit.id) {
            return Err(SpawnError::IdTaken { id: unit.id });
        }
        self.spawn_known(unit)
    }

    /// The same for an id that is known not to be taken. Costs next to nothing.
    pub(crate) fn spawn_known(&mut self, unit: &Spawn) -> Result<usize, SpawnError> {
        if usize::from(unit.kind.0) >= self.kinds.len() {
            return Err(SpawnError::UnknownKind { kind: unit.kind });
        }
        // Slots and shares are packed into 32 bits.
        if self.id.len() >= 1 << 26 {
            return Err(SpawnError::TooMany);
        }
        let at = unit.at.on_plane();
        self.id.push(unit.id);
        self.pos.push(at);
        self.vel.push(Fine::ZERO);
        self.wanted.push(Fine::ZERO);
        self.guide.push(Guide::to(at));
        self.spot.push(at);
        let Spawn { kind, team, group, mover, heading, .. } = *unit;
        self.body.push(Body { kind, team, stance: Stance::Idle, group, pace: 1024, mover });
        self.mind.push(Mind { heading, ..Mind::default() });
        Ok(self.id.len() - 1)
    }

    /// Removes a unit; the last one takes its place. Wakes everybody, since room has become free. Nothing happens for no unit.
    pub fn remove(&mut self, place: usize) {
        if place < self.id.len() {
            self.id.swap_remove(place);
            self.pos.swap_remove(place);
            self.vel.swap_remove(place);
            self.wanted.swap_remove(place);
            self.guide.swap_remove(place);
            self.spot.swap_remove(place);
            self.body.swap_remove(place);
            self.mind.swap_remove(place);
            self.wake_all();
        }
    }

    /// Sends a unit on its way, or tells it the next bend of it.
    pub fn guide(&mut self, place: usize, guide: Guide) {
        let (Some(own), Some(body)) = (self.guide.get_mut(place), self.body.get_mut(place)) else { return };
        (*own, self.spot[place]) = send_off(guide, body, &mut self.mind[place]);
    }

    /// Stops a unit: it is idle and belongs where it comes to stand.
    pub fn stop(&mut self, place: usize) {
        self.stand(place, Stance::Idle);
    }

    /// The same for a unit that is as good as there: those of its group who come later may stop before it.
    pub fn settle(&mut self, place: usize) {
        self.stand(place, Stance::Idle);
        if let Some(mind) = self.mind.get_mut(place) {
            mind.there = 1;
        }
    }

    /// Gives a unit that stands another spot: it drifts there while nobody needs it to make way.
    pub fn set_spot(&mut self, place: usize, at: Fine) {
        if let Some(spot) = self.spot.get_mut(place) {
            *spot = at.on_plane();
            self.wake(place);
        }
    }

    /// Gives a unit that stands another spot and sends it there at once. Who holds its ground stays.
    pub fn send(&mut self, place: usize, at: Fine) {
        let Some(body) = self.body.get_mut(place) else { return };
        if body.stance == Stance::Idle {
            body.stance = Stance::Returning;
        }
        self.set_spot(place, at);
    }

    /// Lets a unit hold its ground: it makes way for nobody.
    pub fn hold(&mut self, place: usize) {
        self.stand(place, Stance::Holding);
    }

    fn stand(&mut self, place: usize, stance: Stance) {
        let Some(body) = self.body.get_mut(place) else { return };
        body.stance = stance;
        let there = self.pos[place].plus(self.braking_way(place)).on_plane();
        self.guide[place] = Guide::to(there);
        self.mind[place].there = 0;
        self.spot[place] = there;
        self.wake(place);
    }

    /// How far a unit still goes when it brakes from now on.
    fn braking_way(&self, place: usize) -> Fine {
        let Some(motor) = self.motor(place) else { return Fine::ZERO };
        let Some(way) = self.vel[place].wide().polar() else { return Fine::ZERO };
        // It loses speed at the end of each tick, the first included.
        let ticks = way.length() / motor.loss.max(1);
        let far = (way.length() - motor.loss).max(0) * ticks / 2;
        way.unit.along(far.min(FARTHEST_STOP)).fine()
    }

    /// Puts a unit somewhere, moving at so much a tick: for games that move units themselves, and for teleports.
    pub fn put(&mut self, place: usize, at: Fine, velocity: Fine) {
        if place < self.pos.len() {
            self.pos[place] = at.on_plane();
            // Three times its speed is more than anything that happens in a game, on roads too.
            let limit = self.motor(place).map_or(0, |motor| 3 * i64::from(motor.speed));
            self.vel[place] = velocity.on_plane().wide().clamp(limit).fine();
            self.wake(place);
        }
    }

    /// Puts a unit into another group.
    pub fn set_group(&mut self, place: usize, group: u32) {
        if let Some(body) = self.body.get_mut(place) {
            body.group = group;
            self.wake(place);
        }
    }

    /// Slows a unit down, to keep others company: a part of its speed, at most all of it. What the ground does to speeds comes on top of it,
    /// see [`Walls::pace`](super::Walls::pace).
    pub fn set_pace(&mut self, place: usize, part: Fixed) {
        if let Some(body) = self.body.get_mut(place) {
            body.pace = part.raw().clamp(0, 1024) as u16;
            self.wake(place);
        }
    }

    fn wake(&mut self, place: usize) {
        if let Some(mind) = self.mind.get_mut(place) {
            mind.rests = 0;
        }
    }

    /// Lets everybody look around again: to be called after the ground has changed.
    pub fn wake_all(&mut self) {
        self.mind.iter_mut().for_each(|mind| mind.rests = 0);
    }

    pub(super) fn motor(&self, place: usize) -> Option<Motor> {
        let kind = self.kinds.get(usize::from(self.body.get(place)?.kind.0))?;
        kind.motor(self.ticks_per_second).ok()
    }

    /// How many units there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.id.len()
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.id.is_empty()
    }

    /// Ids by place.
    #[must_use]
    pub fn ids(&self) -> &[u32] {
        &self.id
    }

    /// Positions by place.
    #[must_use]
    pub fn positions(&self) -> &[Fine] {
        &self.pos
    }

    /// Velocities by place, per tick: how each unit moved in the last one.
    #[must_use]
    pub fn velocities(&self) -> &[Fine] {
        &self.vel
    }

    /// The velocities that units wanted in the last tick, by place, per tick: after they looked at all others, before any push.
    #[must_use]
    pub fn wanted(&self) -> &[Fine] {
        &self.wanted
    }

    /// Where a unit is, on the map's scale; the origin for no unit.
    #[must_use]
    pub fn position(&self, place: usize) -> Vec2 {
        self.pos.get(place).copied().unwrap_or_default().into()
    }

    /// What a unit is about; idle for no unit.
    #[must_use]
    pub fn stance(&self, place: usize) -> Stance {
        self.body.get(place).map_or(Stance::Idle, |body| body.stance)
    }

    /// Where a unit is guided.
    #[must_use]
    pub fn guide_of(&self, place: usize) -> Guide {
        self.guide.get(place).copied().unwrap_or_default()
    }

    /// Where a unit belongs when it is idle: its goal, or where it had to stop because others were at the same goal before it.
    #[must_use]
    pub fn spot(&self, place: usize) -> Fine {
        self.spot.get(place).copied().unwrap_or_default()
    }

    /// Which way a unit faces.
    #[must_use]
    pub fn heading(&self, place: usize) -> Angle {
        self.mind.get(place).map_or(Angle::ZERO, |mind| mind.heading)
    }

    /// Whether a unit that nobody asks to make way does not come to rest at its spot all the same.
    pub(crate) fn is_restless(&self, place: usize) -> bool {
        let calm = self.mind.get(place).is_some_and(|mind| mind.level == CALM && mind.there != 0);
        calm && self.body[place].stance == Stance::Idle && !self.vel[place].is_zero()
    }

    /// How many units rest: they cost next to nothing.
    #[must_use]
    pub fn resting(&self) -> usize {
        self.mind.iter().filter(|mind| mind.rests != 0).count()
    }
}
