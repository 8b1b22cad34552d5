//! Who waits until another group has passed: for games that want to say why units stand.

use super::byway::Branch;
use super::events::EventKind;
use super::group::GroupId;
use super::let_pass::{Blocks, LET_PASS_EVERY};
use super::simulation::World;
use super::units::UnitId;

/// How a group waits for another one to pass.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Waiting {
    /// How many of its members stand.
    pub members: u32,
    /// For how many ticks, as far as its patience goes: what it waited shortly before counts too. 0 if it goes before all others but one.
    pub ticks: u32,
    /// The group that it lets pass, the nearest of several. `None` if that has just passed: then it goes on within four ticks.
    pub lets_pass: Option<GroupId>,
}

/// Scratch: how members of a group wait, by slot of the group.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Waits {
    /// How many waited before the look, and wait after it.
    before: u32,
    pub(super) now: u32,
    /// The first member's slot.
    first: Option<u32>,
    /// The slot of the group that the first of those who wait lets pass.
    lets_pass: Option<u32>,
}

impl Waits {
    /// What nobody may ever read.
    pub(super) const RUBBISH: Self = Self { before: 7, now: 7, first: Some(0), lets_pass: Some(0) };
}

impl World {
    /// Takes down that a unit waited or did not, and the slot of the group that it lets pass from now on.
    pub(super) fn note_wait(&self, slot: usize, lets_pass: Option<u32>, all: &mut [Waits]) {
        let post = self.units.post[slot].filter(|post| post.branch == Branch::Main);
        let Some(post) = post.filter(|post| self.groups.list.contains(post.group)) else { return };
        let waits = &mut all[post.group.index() as usize];
        waits.first = waits.first.or(Some(slot as u32));
        waits.before += u32::from(self.waits_for_others(slot));
        waits.now += u32::from(lets_pass.is_some());
        waits.lets_pass = waits.lets_pass.or(lets_pass);
    }

    /// Tells the first members of groups that these wait from now on, or go on.
    pub(super) fn tell_who_waits(&mut self, all: &[Waits]) {
        for waits in all {
            let what = match (waits.before, waits.now) {
                (0, 1..) => {
                    let other = waits.lets_pass.and_then(|other| self.groups.list.id_at(other));
                    other.map(EventKind::GroupWaits)
                }
                (1.., 0) => Some(EventKind::GroupGoesOn),
                _ => None,
            };
            let first = waits.first.and_then(|slot| self.units.id_at(slot as usize));
            if let Some((unit, what)) = first.zip(what) {
                self.events.add(unit, what);
            }
        }
    }

    /// Whether a unit stands until another group of its player has passed; `false` if it is gone.
    #[must_use]
    pub fn lets_others_pass(&self, id: UnitId) -> bool {
        self.units.slot(id).is_some_and(|slot| self.waits_for_others(slot))
    }

    /// How a group waits for another one to pass; `None` if it does not, or is gone.
    ///
    /// When it begins to wait its first member gets [`EventKind::GroupWaits`], and [`EventKind::GroupGoesOn`] when nobody of it waits any more.
    ///
    /// *Cost:* a look at each unit; if it waits, two more and some memory. Whoever asks for all groups in each tick had better listen to events.
    ///
    /// ```
    /// use waymarch::base::{CellRect, GridSize, cell};
    /// use waymarch::config::Config;
    /// use waymarch::cost::{Map, Rules};
    /// use waymarch::world::{Navigator, Order, PlayerId, UnitType, World};
    ///
    /// let map = Map::flat("field", GridSize::new(96, 96)?, Rules::spec_000());
    /// let mut world = World::new(Navigator::new(map, Config::default())?);
    /// let foot = world.nav().locomotor("foot").unwrap();
    /// let soldier = world.add_type(UnitType::new("soldier", foot))?;
    /// let mut squad = |x, y, to| {
    ///     let places: Vec<_> = CellRect::at(cell(x, y), 8, 8).cells().collect();
    ///     let units = world.spawn_many(soldier, PlayerId(0), &places)?;
    ///     world.order(&units, Order::move_to(to))?;
    ///     Ok::<_, Box<dyn std::error::Error>>(units[0])
    /// };
    /// let (east, south) = (squad(20, 44, cell(82, 48))?, squad(44, 20, cell(48, 82))?);
    /// let waits = (0..200).find_map(|_| {
    ///     world.tick();
    ///     world.waiting_of(world.group_of(south)?)
    /// });
    /// assert_eq!(waits.unwrap().lets_pass, world.group_of(east));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn waiting_of(&self, id: GroupId) -> Option<Waiting> {
        let group = self.groups.list.get(id)?;
        let is_member = |slot: usize| self.units.post[slot].is_some_and(|post| post.group == id);
        let waiting =
            || (0..self.units.slots()).filter(|&slot| is_member(slot) && self.lets_others_pass_at(slot));
        let members = waiting().count() as u32;
        if members == 0 {
            return None;
        }
        let mut blocks = Blocks::default();
        self.find_blocks(&mut blocks);
        let other = waiting().find_map(|slot| self.stopped_by(slot, &blocks));
        let lets_pass = other.and_then(|other| self.groups.list.id_at(other));
        let ticks = u32::from(group.turn.waited.max(0).unsigned_abs()) * LET_PASS_EVERY as u32;
        Some(Waiting { members, ticks, lets_pass })
    }

    fn lets_others_pass_at(&self, slot: usize) -> bool {
        self.units.id_at(slot).is_some() && self.waits_for_others(slot)
    }
}
