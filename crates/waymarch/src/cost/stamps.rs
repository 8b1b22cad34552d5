//! The stamps that stand on a map, by id and by cell.

use alloc::vec;
use alloc::vec::Vec;

use super::heads::Heads;
use super::stamp::{FootCell, Stamp};
use super::terrain::TerrainId;
use crate::base::{CellPos, CellRect, GridSize, HashState, Slots, StampId, StampTag, StateHasher, Tick};

/// Whether a stamp's gate cells can be passed.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "kebab-case"))]
pub enum GateState {
    /// Gate cells are blocked.
    #[default]
    Closed,
    /// Gate cells are open.
    Open,
}

/// A stamp that stands on the map.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Standing {
    /// Which footprint, by its place among the kinds placed so far.
    pub(super) kind: u32,
    /// Its north-west cell.
    pub at: CellPos,
    /// Whether its gate cells are open.
    pub gate: GateState,
    /// When it goes by itself.
    pub expires: Option<Tick>,
    /// Greater for stamps placed later; decides which terrain shows.
    pub serial: u64,
}

/// No link; links are numbered from 1, so that cells where nothing stands need no memory.
const NONE: u32 = 0;

#[derive(Clone, Copy, Debug)]
struct Link {
    stamp: StampId,
    next: u32,
}

/// What the stamps on one cell do to it together.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) struct CellEffect {
    /// Closed to all on the ground.
    pub(super) blocked: bool,
    /// Passed, not stopped on.
    pub(super) no_stop: bool,
    /// The classes of the walls on it, a bit each.
    pub(super) walls: u32,
    /// The terrain that shows instead of the map's, with the serial of its stamp.
    pub(super) terrain: Option<(u64, TerrainId)>,
}

/// World: the stamps on a map, with a list per cell (Derived) so that a cell's state can be recomputed from what remains.
#[derive(Clone, Debug)]
pub(super) struct StampStore {
    /// Footprints with the number of stamps that have each; one that nothing has any more is kept until another needs its
    /// place.
    pub(super) kinds: Vec<(Stamp, u32)>,
    pub(super) standing: Slots<StampTag, Standing>,
    pub(super) next_serial: u64,
    /// Per cell the first link.
    heads: Heads,
    links: Vec<Link>,
    free_link: u32,
    /// Expiries to come, latest first; entries of stamps removed early are skipped.
    pub(super) expiries: Vec<(Tick, u64, StampId)>,
}

impl StampStore {
    pub(super) fn new(grid: GridSize) -> Self {
        Self {
            kinds: Vec::new(),
            standing: Slots::new(),
            next_serial: 0,
            heads: Heads::new(grid),
            links: vec![Link { stamp: StampId::DEAD, next: NONE }],
            free_link: NONE,
            expiries: Vec::new(),
        }
    }

    /// Stands `stamp` (checked, and known to fit) at `at`; kinds seen before cost no memory.
    pub(super) fn place(&mut self, stamp: &Stamp, at: CellPos, now: Tick) -> StampId {
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

    /// The place of a footprint among the kinds, which then has one stamp more.
    pub(super) fn kind_of(&mut self, stamp: &Stamp) -> u32 {
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

    /// Puts a standing stamp on the lists of its cells.
    pub(super) fn link_all(&mut self, id: StampId) {
        let Some(rect) = self.rect(id) else { return };
        for at in rect.cells() {
            if self.foot_cell(id, at).is_some_and(|foot| foot != FootCell::Open) {
                self.link(at, id);
            }
        }
    }

    /// The same stamps with the lists per cell made anew.
    pub(super) fn relinked(&self) -> Self {
        let mut anew = self.clone();
        anew.heads.clear();
        anew.links.truncate(1);
        anew.free_link = NONE;
        for id in self.standing.ids() {
            anew.link_all(id);
        }
        anew
    }

    /// Takes it away; `None` for an id that does not stand.
    pub(super) fn remove(&mut self, id: StampId) -> Option<CellRect> {
        let rect = self.unlink_all(id)?;
        let gone = self.standing.remove(id)?;
        self.kinds[gone.kind as usize].1 -= 1;
        Some(rect)
    }

    /// Takes a standing stamp off the lists of its cells; which those are.
    pub(super) fn unlink_all(&mut self, id: StampId) -> Option<CellRect> {
        let rect = self.rect(id)?;
        for cell in rect.cells() {
            self.unlink(cell, id);
        }
        Some(rect)
    }

    /// The next stamp that is due to go at `now`, and forgets that it is due.
    pub(super) fn pop_expired(&mut self, now: Tick) -> Option<StampId> {
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

    pub(super) fn get(&self, id: StampId) -> Option<(&Standing, &Stamp)> {
        let standing = self.standing.get(id)?;
        Some((standing, &self.kinds[standing.kind as usize].0))
    }

    pub(super) fn set_gate(&mut self, id: StampId, gate: GateState) -> Option<()> {
        self.standing.get_mut(id)?.gate = gate;
        Some(())
    }

    /// The cells a standing stamp covers.
    pub(super) fn rect(&self, id: StampId) -> Option<CellRect> {
        let (standing, stamp) = self.get(id)?;
        Some(CellRect::at(standing.at, stamp.width, stamp.height))
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = (StampId, &Standing, &Stamp)> {
        self.standing.iter().map(|(id, standing)| (id, standing, &self.kinds[standing.kind as usize].0))
    }

    /// The stamps whose footprint does something to `at`, in no particular order.
    pub(super) fn on_cell(&self, at: CellPos) -> impl Iterator<Item = (StampId, FootCell)> {
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

    /// What they do together, those in `ignored` left out.
    pub(super) fn effect_without(&self, at: CellPos, ignored: &[StampId]) -> CellEffect {
        let mut effect = CellEffect::default();
        for (id, foot) in self.on_cell(at) {
            if ignored.contains(&id) {
                continue;
            }
            let Some(standing) = self.standing.get(id) else { continue };
            match foot {
                FootCell::Open => {}
                FootCell::Blocked => effect.blocked = true,
                FootCell::NoStop => effect.no_stop = true,
                FootCell::Gate => effect.blocked |= standing.gate == GateState::Closed,
                FootCell::Wall(class) => effect.walls |= 1 << (class & 31),
                FootCell::Terrain(terrain) => {
                    effect.terrain = effect.terrain.max(Some((standing.serial, terrain)));
                }
            }
        }
        effect
    }

    /// What they do together.
    pub(super) fn effect(&self, at: CellPos) -> CellEffect {
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

    pub(super) fn memory_bytes(&self) -> usize {
        self.heads.memory_bytes() + self.links.len() * size_of::<Link>()
    }
}

impl HashState for StampStore {
    fn hash_state(&self, hasher: &mut StateHasher) {
        hasher.write_u64(self.next_serial);
        // With the generations of free places: they decide the ids to come.
        self.standing.hash_state(hasher);
        for (_, _, stamp) in self.iter() {
            stamp.hash_state(hasher);
        }
    }
}

impl HashState for Standing {
    fn hash_state(&self, hasher: &mut StateHasher) {
        self.at.hash_state(hasher);
        hasher.write_u8(self.gate as u8);
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
