//! The units of a crowd, one list per property.

use alloc::vec::Vec;

use super::kinematics::{Kinematics, KinematicsError};
use super::motor::Motor;
use super::spawn::{MAX_UNITS, Spawn, SpawnError};
use super::unit::{Attributes, CALM, Guide, KindId, Memory, Stance, USUAL_SPEED};
use crate::base::{Angle, CollisionLayers, Fine, Fixed, Vec2};

/// World: the units that avoid each other. One list per property, all in the same order.
///
/// A unit is named by its index in these lists. Indices are dense: when a unit is removed, the last unit moves to
/// its index. Results depend on the ids of units, never on their indices.
///
/// ```
/// use waymarch::avoid::{Avoidance, Crowd, Guide, Kinematics, OpenGround, Spawn, Stance};
/// use waymarch::base::{Fine, cell};
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
    pub(in crate::avoid) kinds: Vec<Kinematics>,
    /// By kind. Kinds of a crowd that was stored without layers are on the ground.
    #[cfg_attr(feature = "serde", serde(default))]
    layers: Vec<CollisionLayers>,
    pub(in crate::avoid) id: Vec<u32>,
    pub(in crate::avoid) pos: Vec<Fine>,
    pub(in crate::avoid) vel: Vec<Fine>,
    /// The velocity that each unit chose in the last tick, before contacts and walls changed it.
    #[cfg_attr(feature = "serde", serde(rename = "wanted"))]
    pub(in crate::avoid) chosen_vel: Vec<Fine>,
    pub(in crate::avoid) guide: Vec<Guide>,
    /// Where an idle unit belongs: its goal, or the point where other units at the same goal made it stop.
    #[cfg_attr(feature = "serde", serde(rename = "spot"))]
    pub(in crate::avoid) home: Vec<Fine>,
    #[cfg_attr(feature = "serde", serde(rename = "body"))]
    pub(in crate::avoid) attributes: Vec<Attributes>,
    #[cfg_attr(feature = "serde", serde(rename = "mind"))]
    pub(in crate::avoid) memory: Vec<Memory>,
    #[cfg_attr(feature = "serde", serde(skip))]
    pub(super) rest: Rest,
}

/// Derived from the units that rest: whether there may be any, so that waking all units costs nothing if none rests.
#[derive(Clone, Copy, Default, Debug)]
pub(super) enum Rest {
    /// Units may rest.
    #[default]
    Possible,
    /// No unit rests.
    None,
}

/// Two crowds with equal units are equal, whatever is known about their rest.
impl PartialEq for Rest {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

impl Eq for Rest {}

impl Crowd {
    /// An empty crowd that runs at `ticks_per_second`, clamped to 1..=240.
    #[must_use]
    pub fn new(ticks_per_second: u16) -> Self {
        Self {
            ticks_per_second: ticks_per_second.clamp(1, 240),
            kinds: Vec::new(),
            layers: Vec::new(),
            id: Vec::new(),
            pos: Vec::new(),
            vel: Vec::new(),
            chosen_vel: Vec::new(),
            guide: Vec::new(),
            home: Vec::new(),
            attributes: Vec::new(),
            memory: Vec::new(),
            rest: Rest::None,
        }
    }

    /// Ticks per second.
    #[must_use]
    pub fn ticks_per_second(&self) -> u16 {
        self.ticks_per_second
    }

    /// Registers a kind of unit on the ground.
    ///
    /// # Errors
    /// [`KinematicsError`] with the first value that is out of range, or when there are 65,536 kinds already.
    pub fn add_kind(&mut self, kind: Kinematics) -> Result<KindId, KinematicsError> {
        self.add_kind_on(kind, CollisionLayers::GROUND)
    }

    /// Registers a kind of unit on these layers. Units without a common layer do not see each other.
    ///
    /// # Errors
    /// As [`Crowd::add_kind`].
    pub fn add_kind_on(
        &mut self,
        kind: Kinematics,
        layers: CollisionLayers,
    ) -> Result<KindId, KinematicsError> {
        Motor::new(&kind, self.ticks_per_second)?;
        let number = u16::try_from(self.kinds.len())
            .map_err(|_| KinematicsError { what: "number of kinds", value: Fixed::from_cells(65_536) })?;
        self.kinds.push(kind);
        self.layers.resize(usize::from(number), CollisionLayers::GROUND);
        self.layers.push(layers);
        Ok(KindId(number))
    }

    /// The layers of a kind; the ground if there is no such kind.
    #[inline]
    #[must_use]
    pub fn layers_of(&self, kind: KindId) -> CollisionLayers {
        self.layers.get(usize::from(kind.0)).copied().unwrap_or_default()
    }

    /// Whether all kinds are on the same layers.
    pub(crate) fn is_on_one_layer(&self) -> bool {
        let all = || (0..self.kinds.len()).map(|kind| self.layers_of(KindId(kind as u16)));
        all().all(|layers| Some(layers) == all().next())
    }

    /// Adds an idle unit and returns its index. The home position is where it stands.
    ///
    /// Cost: compares the id with the ids of all units.
    ///
    /// # Errors
    /// [`SpawnError`]: the kind is unknown, another unit has the id, or the crowd is full.
    pub fn spawn(&mut self, unit: &Spawn) -> Result<usize, SpawnError> {
        if self.id.contains(&unit.id) {
            return Err(SpawnError::IdTaken { id: unit.id });
        }
        self.spawn_with_new_id(unit)
    }

    /// [`Crowd::spawn`] for an id that the caller knows to be unused. Cost: constant.
    pub(crate) fn spawn_with_new_id(&mut self, unit: &Spawn) -> Result<usize, SpawnError> {
        if usize::from(unit.kind.0) >= self.kinds.len() {
            return Err(SpawnError::UnknownKind { kind: unit.kind });
        }
        if self.id.len() >= MAX_UNITS {
            return Err(SpawnError::TooMany);
        }
        let at = unit.at.on_plane();
        self.id.push(unit.id);
        self.pos.push(at);
        self.vel.push(Fine::ZERO);
        self.chosen_vel.push(Fine::ZERO);
        self.guide.push(Guide::to(at));
        self.home.push(at);
        let Spawn { kind, team, group, mover, heading, .. } = *unit;
        let (drive, stance, percent) = (mover.into(), Stance::Idle, USUAL_SPEED);
        self.attributes.push(Attributes { kind, team, stance, group, pace: 1024, drive, percent });
        self.memory.push(Memory { heading, ..Memory::default() });
        Ok(self.id.len() - 1)
    }

    /// Removes a unit; the last unit moves to its index. Wakes all units, because space has become free.
    /// Does nothing if there is no such unit.
    pub fn remove(&mut self, unit: usize) {
        if unit < self.id.len() {
            self.id.swap_remove(unit);
            self.pos.swap_remove(unit);
            self.vel.swap_remove(unit);
            self.chosen_vel.swap_remove(unit);
            self.guide.swap_remove(unit);
            self.home.swap_remove(unit);
            self.attributes.swap_remove(unit);
            self.memory.swap_remove(unit);
            self.wake_all();
        }
    }

    pub(in crate::avoid) fn motor(&self, unit: usize) -> Option<Motor> {
        let kind = self.kinds.get(usize::from(self.attributes.get(unit)?.kind.0))?;
        Motor::new(kind, self.ticks_per_second).ok()
    }

    /// The number of units.
    #[must_use]
    pub fn len(&self) -> usize {
        self.id.len()
    }

    /// Whether the crowd has no units.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.id.is_empty()
    }

    /// The ids of all units.
    #[must_use]
    pub fn ids(&self) -> &[u32] {
        &self.id
    }

    /// The positions of all units.
    #[must_use]
    pub fn positions(&self) -> &[Fine] {
        &self.pos
    }

    /// The velocities of all units per tick: how far each unit moved in the last tick, limited to its speed.
    #[must_use]
    pub fn velocities(&self) -> &[Fine] {
        &self.vel
    }

    /// The velocities per tick that all units chose in the last tick: after avoidance, before contacts and walls.
    #[must_use]
    pub fn chosen_velocities(&self) -> &[Fine] {
        &self.chosen_vel
    }

    /// The velocities per tick that all units chose in the last tick.
    #[deprecated(since = "0.2.0", note = "renamed to `chosen_velocities`")]
    #[must_use]
    pub fn wanted(&self) -> &[Fine] {
        self.chosen_velocities()
    }

    /// The position of a unit, rounded to 1024ths of a cell; the origin if there is no such unit.
    #[must_use]
    pub fn position(&self, unit: usize) -> Vec2 {
        self.pos.get(unit).copied().unwrap_or_default().into()
    }

    /// The stance of a unit; idle if there is no such unit.
    #[must_use]
    pub fn stance(&self, unit: usize) -> Stance {
        self.attributes.get(unit).map_or(Stance::Idle, |attributes| attributes.stance)
    }

    /// The guide of a unit; all zero if there is no such unit.
    #[must_use]
    pub fn guide_of(&self, unit: usize) -> Guide {
        self.guide.get(unit).copied().unwrap_or_default()
    }

    /// Where a unit belongs when it is idle: its goal, or the point where other units at the same goal made it stop.
    /// The origin if there is no such unit.
    #[must_use]
    pub fn home(&self, unit: usize) -> Fine {
        self.home.get(unit).copied().unwrap_or_default()
    }

    /// Where a unit belongs when it is idle.
    #[deprecated(since = "0.2.0", note = "renamed to `home`")]
    #[must_use]
    pub fn spot(&self, unit: usize) -> Fine {
        self.home(unit)
    }

    /// The direction that a unit faces; east if there is no such unit.
    #[must_use]
    pub fn heading(&self, unit: usize) -> Angle {
        self.memory.get(unit).map_or(Angle::ZERO, |memory| memory.heading)
    }

    /// The part of its speed that a unit may use, see [`Crowd::set_pace`]; 1 if there is no such unit.
    #[must_use]
    pub fn pace(&self, unit: usize) -> Fixed {
        self.attributes.get(unit).map_or(Fixed::ONE, |attributes| Fixed::from_raw(i32::from(attributes.pace)))
    }

    /// The speed that commands give a unit, in per cent of its kind's speed; 100 if there is no such unit.
    #[must_use]
    pub fn speed_percent(&self, unit: usize) -> u16 {
        self.attributes.get(unit).map_or(USUAL_SPEED, |attributes| attributes.percent)
    }

    /// Whether an idle unit that has arrived still moves, although no unit asks it to make way.
    pub(crate) fn is_restless(&self, unit: usize) -> bool {
        let calm =
            self.memory.get(unit).is_some_and(|memory| memory.yield_level == CALM && memory.arrived != 0);
        calm && self.attributes[unit].stance == Stance::Idle && !self.vel[unit].is_zero()
    }

    /// The number of units whose last tick changed nothing. Such a unit costs almost nothing while all units near it rest too.
    #[must_use]
    pub fn resting(&self) -> usize {
        self.memory.iter().filter(|memory| memory.resting != 0).count()
    }
}
