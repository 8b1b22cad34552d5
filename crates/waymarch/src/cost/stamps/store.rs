//! The stamps that stand on a map, by id and by cell.

use alloc::vec;
use alloc::vec::Vec;

use super::sparse_grid::SparseGrid;
use super::stamp::{FootCell, Stamp};
use crate::base::{CellPos, CellRect, GridSize, HashState, Slots, StampId, StampTag, StateHasher, Tick};
use crate::cost::rules::TerrainId;

/// Whether units can pass a stamp's gate cells.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "kebab-case"))]
pub enum GateState {
    /// Gate cells are blocked.
    #[default]
    Closed,
    /// Gate cells are open.
    Open,
    /// Gate cells are open to agents of these sides, and blocked for all others; see [`CostLayer::set_gate`](crate::cost::CostLayer::set_gate).
    OpenTo(SideMask),
}

/// A set of sides 0..=31, one bit each. In a World, a side is a team: the number of a [`TeamId`](crate::world::TeamId).
///
/// ```
/// use waymarch::cost::SideMask;
/// let allied = SideMask::of(2).with(5);
/// assert!(allied.contains(5) && !allied.contains(3) && !SideMask::of(40).contains(40));
/// assert_eq!(allied.sides().collect::<Vec<_>>(), [2, 5]);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct SideMask(pub u32);

impl SideMask {
    /// The set of one side; empty if its number is above 31.
    #[must_use]
    pub const fn of(side: u8) -> Self {
        Self(0).with(side)
    }

    /// The same set and this side. A side above 31 is left out.
    #[must_use]
    pub const fn with(self, side: u8) -> Self {
        if side < 32 { Self(self.0 | 1 << side) } else { self }
    }

    /// Whether a side is in the set.
    #[inline]
    #[must_use]
    pub const fn contains(self, side: u8) -> bool {
        side < 32 && self.0 >> side & 1 == 1
    }

    /// The sides in the set, ascending.
    pub fn sides(self) -> impl Iterator<Item = u8> {
        (0..32).filter(move |&side| self.contains(side))
    }
}

/// A stamp that stands on the map.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Standing {
    /// Its footprint: an index into the store's kinds.
    pub(in crate::cost) kind: u32,
    /// Its north-west cell.
    pub at: CellPos,
    /// Whether its gate cells are open.
    pub gate: GateState,
    /// The tick in which it is removed automatically.
    pub expires: Option<Tick>,
    /// Greater for stamps placed later. It decides which terrain is visible.
    pub serial: u64,
}

/// Link 0 means "no link". Links are numbered from 1, so that cells without stamps need no memory.
const NONE: u32 = 0;

#[derive(Clone, Copy, Debug)]
struct Link {
    stamp: StampId,
    next: u32,
}

/// What all stamps on one cell do to it.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(in crate::cost) struct CellEffect {
    /// Closed to all locomotors that do not fly.
    pub(in crate::cost) blocked: bool,
    /// The sides that may pass the gates on it; `None` if no gate is open to some sides only.
    pub(in crate::cost) open_to: Option<SideMask>,
    /// Units may pass but not stop.
    pub(in crate::cost) no_stop: bool,
    /// The classes of the walls on it, one bit each.
    pub(in crate::cost) walls: u32,
    /// The terrain that replaces the map's, with the serial of its stamp.
    pub(in crate::cost) terrain: Option<(u64, TerrainId)>,
}

impl CellEffect {
    /// Adds a cell of a stamp with this gate and serial.
    fn add(&mut self, foot: FootCell, gate: GateState, serial: u64) {
        match foot {
            FootCell::Open => {}
            FootCell::Blocked => self.blocked = true,
            FootCell::NoStop => self.no_stop = true,
            FootCell::Gate => match gate {
                GateState::Open => {}
                GateState::Closed => self.blocked = true,
                GateState::OpenTo(sides) => {
                    let before = self.open_to.map_or(u32::MAX, |before| before.0);
                    self.open_to = Some(SideMask(before & sides.0));
                }
            },
            FootCell::Wall(class) => self.walls |= 1 << (class & 31),
            FootCell::Terrain(terrain) => self.terrain = self.terrain.max(Some((serial, terrain))),
        }
    }
}

/// World: the stamps on a map. Derived: a list of stamps per cell, so that a cell can be recomputed when a stamp is
/// removed.
#[derive(Clone, Debug)]
pub(in crate::cost) struct StampStore {
    /// Footprints, each with the number of its stamps. A footprint without stamps stays until another one needs its place.
    pub(in crate::cost) kinds: Vec<(Stamp, u32)>,
    pub(in crate::cost) standing: Slots<StampTag, Standing>,
    pub(in crate::cost) next_serial: u64,
    /// Per cell: its first link.
    heads: SparseGrid,
    links: Vec<Link>,
    free_link: u32,
    /// Stamps with a lifetime, the latest expiry first. Entries of stamps that were removed early are skipped.
    pub(in crate::cost) expiries: Vec<(Tick, u64, StampId)>,
}

impl StampStore {
    pub(in crate::cost) fn new(grid: GridSize) -> Self {
        Self {
            kinds: Vec::new(),
            standing: Slots::new(),
            next_serial: 0,
            heads: SparseGrid::new(grid),
            links: vec![Link { stamp: StampId::DEAD, next: NONE }],
            free_link: NONE,
            expiries: Vec::new(),
        }
    }

    /// Places `stamp`, which was checked and fits, at `at`. A footprint that was placed before needs no new memory.
    pub(in crate::cost) fn place(&mut self, stamp: &Stamp, at: CellPos, now: Tick) -> StampId {
        let kind = self.kind_of(stamp);
        let serial = self.next_serial;
        self.next_serial += 1;
        let expires = stamp.lifetime.map(|ticks| now + ticks);
        let gate = GateState::Closed;
        let id = self.standing.insert(Standing { kind, at, gate, expires, serial });
        if let Some(tick) = expires {
            let place = self.expiries.partition_point(|&(due, other, _)| (due, other) > (tick, serial));
            self.expiries.insert(place, (tick, serial, id));
        }
        self.link_all(id);
        id
    }

    /// The index of a footprint among the kinds. Counts one more stamp of this kind.
    pub(in crate::cost) fn kind_of(&mut self, stamp: &Stamp) -> u32 {
        let known = self.kinds.iter().position(|(kind, _)| kind == stamp);
        let unused = || self.kinds.iter().position(|&(_, users)| users == 0);
        let place = match (known, known.is_none().then(unused).flatten()) {
            (Some(place), _) => place,
            (None, Some(place)) => {
                self.kinds[place].0 = stamp.clone();
                place
            }
            (None, None) => {
                self.kinds.push((stamp.clone(), 0));
                self.kinds.len() - 1
            }
        };
        self.kinds[place].1 += 1;
        place as u32
    }

    /// Adds a standing stamp to the lists of its cells.
    pub(in crate::cost) fn link_all(&mut self, id: StampId) {
        let Some(rect) = self.rect(id) else { return };
        for at in rect.cells() {
            if self.foot_cell(id, at).is_some_and(|foot| foot != FootCell::Open) {
                self.link(at, id);
            }
        }
    }

    /// The same stamps with the lists per cell rebuilt.
    pub(in crate::cost) fn relinked(&self) -> Self {
        let mut relinked = self.clone();
        relinked.heads.clear();
        relinked.links.truncate(1);
        relinked.free_link = NONE;
        for id in self.standing.ids() {
            relinked.link_all(id);
        }
        relinked
    }

    /// Removes a stamp and returns its area; `None` if no stamp with this id stands.
    pub(in crate::cost) fn remove(&mut self, id: StampId) -> Option<CellRect> {
        let rect = self.unlink_all(id)?;
        let gone = self.standing.remove(id)?;
        self.kinds[gone.kind as usize].1 -= 1;
        Some(rect)
    }

    /// Removes a standing stamp from the lists of its cells. Returns its area.
    pub(in crate::cost) fn unlink_all(&mut self, id: StampId) -> Option<CellRect> {
        let rect = self.rect(id)?;
        for cell in rect.cells() {
            self.unlink(cell, id);
        }
        Some(rect)
    }

    /// Takes the next stamp that expires by `now` off the list of expiries.
    pub(in crate::cost) fn pop_expired(&mut self, now: Tick) -> Option<StampId> {
        while let Some(&(due, _, id)) = self.expiries.last() {
            if due > now {
                return None;
            }
            self.expiries.pop();
            if self.standing.get(id).is_some() {
                return Some(id);
            }
        }
        None
    }

    pub(in crate::cost) fn get(&self, id: StampId) -> Option<(&Standing, &Stamp)> {
        let standing = self.standing.get(id)?;
        Some((standing, &self.kinds[standing.kind as usize].0))
    }

    pub(in crate::cost) fn set_gate(&mut self, id: StampId, gate: GateState) -> Option<()> {
        self.standing.get_mut(id)?.gate = gate;
        Some(())
    }

    /// The cells that a standing stamp covers.
    pub(in crate::cost) fn rect(&self, id: StampId) -> Option<CellRect> {
        let (standing, stamp) = self.get(id)?;
        Some(CellRect::at(standing.at, stamp.width, stamp.height))
    }

    pub(in crate::cost) fn iter(&self) -> impl Iterator<Item = (StampId, &Standing, &Stamp)> {
        self.standing.iter().map(|(id, standing)| (id, standing, &self.kinds[standing.kind as usize].0))
    }

    /// The stamps whose footprint affects `at`, in no particular order.
    pub(in crate::cost) fn on_cell(&self, at: CellPos) -> impl Iterator<Item = (StampId, FootCell)> {
        let mut link = self.heads.get(at);
        core::iter::from_fn(move || {
            if link == NONE {
                return None;
            }
            let Link { stamp, next } = self.links[link as usize];
            link = next;
            self.foot_cell(stamp, at).map(|foot| (stamp, foot))
        })
    }

    /// What all stamps on a cell do to it, except those in `ignored`.
    pub(in crate::cost) fn effect_without(&self, at: CellPos, ignored: &[StampId]) -> CellEffect {
        let mut effect = CellEffect::default();
        for (id, foot) in self.on_cell(at) {
            if ignored.contains(&id) {
                continue;
            }
            let Some(standing) = self.standing.get(id) else { continue };
            effect.add(foot, standing.gate, standing.serial);
        }
        effect
    }

    /// What all stamps on a cell and one more stamp, placed last, do to it. A new gate is closed.
    pub(in crate::cost) fn effect_with(&self, at: CellPos, foot: FootCell) -> CellEffect {
        let mut effect = self.effect(at);
        effect.add(foot, GateState::default(), self.next_serial);
        effect
    }

    /// What all stamps on a cell do to it.
    pub(in crate::cost) fn effect(&self, at: CellPos) -> CellEffect {
        self.effect_without(at, &[])
    }

    fn foot_cell(&self, id: StampId, at: CellPos) -> Option<FootCell> {
        let (standing, stamp) = self.get(id)?;
        let (dx, dy) = (at.x - standing.at.x, at.y - standing.at.y);
        stamp.cells.get((dy * stamp.width as i32 + dx) as usize).copied()
    }

    fn link(&mut self, at: CellPos, stamp: StampId) {
        let Some(head) = self.heads.slot(at) else { return };
        let link = Link { stamp, next: *head };
        let place = self.free_link;
        if place == NONE {
            *head = self.links.len() as u32;
            self.links.push(link);
        } else {
            self.free_link = self.links[place as usize].next;
            self.links[place as usize] = link;
            *head = place;
        }
    }

    fn unlink(&mut self, at: CellPos, stamp: StampId) {
        let (mut before, mut place) = (NONE, self.heads.get(at));
        while place != NONE {
            let link = self.links[place as usize];
            if link.stamp == stamp {
                if before != NONE {
                    self.links[before as usize].next = link.next;
                } else if let Some(head) = self.heads.slot(at) {
                    *head = link.next;
                }
                self.links[place as usize].next = self.free_link;
                self.free_link = place;
                return;
            }
            before = place;
            place = link.next;
        }
    }

    pub(in crate::cost) fn memory_bytes(&self) -> usize {
        self.heads.memory_bytes() + self.links.len() * size_of::<Link>()
    }
}

impl HashState for StampStore {
    fn hash_state(&self, hasher: &mut StateHasher) {
        hasher.write_u64(self.next_serial);
        // Includes the generations of free slots: they decide the next ids.
        self.standing.hash_state(hasher);
        for (_, _, stamp) in self.iter() {
            stamp.hash_state(hasher);
        }
    }
}

impl HashState for Standing {
    fn hash_state(&self, hasher: &mut StateHasher) {
        self.at.hash_state(hasher);
        match self.gate {
            GateState::Closed => hasher.write_u8(0),
            GateState::Open => hasher.write_u8(1),
            GateState::OpenTo(sides) => {
                hasher.write_u8(2);
                hasher.write_u32(sides.0);
            }
        }
        self.expires.hash_state(hasher);
        hasher.write_u64(self.serial);
    }
}

impl HashState for Stamp {
    fn hash_state(&self, hasher: &mut StateHasher) {
        hasher.write_u32(self.width);
        hasher.write_u32(self.height);
        self.lifetime.hash_state(hasher);
        for foot in &self.cells {
            let (kind, value) = match *foot {
                FootCell::Open => (0, 0),
                FootCell::Blocked => (1, 0),
                FootCell::NoStop => (2, 0),
                FootCell::Gate => (3, 0),
                FootCell::Wall(class) => (4, class),
                FootCell::Terrain(terrain) => (5, terrain.0),
            };
            hasher.write_u8(kind);
            hasher.write_u8(value);
        }
    }
}
