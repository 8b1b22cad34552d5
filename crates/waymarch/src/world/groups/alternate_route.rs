//! The alternate route of a group: a detour around a crowded gate, for its rear members.

use alloc::vec::Vec;

use crate::base::{CellRect, GridSize, Tick, persist_fields};
use crate::groups::{Lanes, RouteGate};
use crate::service::PathId;
use crate::world::groups::gate_match::is_same_gate;
use crate::world::groups::group::{Group, GroupGate, Groups, WIDTHS};
use crate::world::units::membership::{Branch, Membership, RouteProgress};

/// World: a detour around a crowded gate.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct AlternateRoute {
    /// The number of the crowded gate on the main route; `None` if the main route has changed and no longer crosses it.
    pub(crate) gate: Option<u16>,
    /// The cells at that gate. They count as closed for members on the detour.
    pub(crate) closed: CellRect,
    /// The number of the detour's narrowest gate. A member past it no longer avoids `closed`.
    pub(crate) narrow: u16,
    /// The gates of the detour. Empty after an edit has cut it: its members follow their own routes then.
    pub(crate) gates: Vec<GroupGate>,
    pub(crate) lanes: Lanes,
    /// The tick in which the last member would arrive without the detour; `None` once it is known whether the detour gained time.
    pub(crate) arrival_without: Option<Tick>,
    /// Detours in a row that gained nothing.
    pub(crate) failures: u8,
}

/// World: the search of a group for a detour.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct DetourSearch {
    /// The request for a detour; dead if there is none.
    pub(crate) ask: PathId,
    /// The number of the crowded gate on the main route.
    pub(crate) gate: u16,
    /// The group looks for no detour before this tick.
    pub(crate) next: Tick,
    /// The last pause between two attempts, in seconds. It grows with each attempt without success.
    pub(crate) pause: u16,
}

impl Default for DetourSearch {
    fn default() -> Self {
        Self { ask: PathId::DEAD, gate: 0, next: Tick::ZERO, pause: 0 }
    }
}

impl Group {
    /// The gates of one of the group's routes.
    #[inline]
    pub(crate) fn gates(&self, branch: Branch) -> &[GroupGate] {
        match (branch, &self.alternate) {
            (Branch::Main, _) => &self.main_gates,
            (Branch::Alternate, Some(alternate)) => &alternate.gates,
            (Branch::Alternate, None) => &[],
        }
    }

    /// The gate that a member crosses next; `None` once it has crossed them all.
    #[inline]
    pub(crate) fn next_gate(&self, route: &RouteProgress) -> Option<&GroupGate> {
        self.gates(route.branch()).get(usize::from(route.gate()))
    }

    /// The gates that a member has not crossed yet.
    #[inline]
    pub(crate) fn gates_ahead(&self, route: &RouteProgress) -> &[GroupGate] {
        self.gates(route.branch()).get(usize::from(route.gate())..).unwrap_or(&[])
    }

    pub(crate) fn gates_mut(&mut self, branch: Branch) -> &mut [GroupGate] {
        match (branch, &mut self.alternate) {
            (Branch::Main, _) => &mut self.main_gates,
            (Branch::Alternate, Some(alternate)) => &mut alternate.gates,
            (Branch::Alternate, None) => &mut [],
        }
    }

    /// The lanes of members on one of the group's routes.
    pub(crate) fn lanes(&self, branch: Branch) -> Lanes {
        let alternate = self.alternate.as_ref().filter(|_| branch == Branch::Alternate);
        alternate.map_or(self.lanes, |alternate| alternate.lanes)
    }

    /// Finds the crowded gate again among the gates of a new main route.
    pub(crate) fn note_new_gates(&mut self, gates: &[RouteGate]) {
        let Some(alternate) = &mut self.alternate else { return };
        let old = alternate.gate.and_then(|gate| self.main_gates.get(usize::from(gate)));
        let same = old.and_then(|old| gates.iter().position(|gate| is_same_gate(&old.way, gate)));
        alternate.gate = same.and_then(|gate| u16::try_from(gate).ok());
    }

    /// The cells that a member avoids: the cells of the crowded gate, until the member has crossed the narrowest gate of the detour. Empty on
    /// the main route.
    pub(crate) fn avoids(&self, branch: Branch, gate: u16) -> CellRect {
        let alternate = self
            .alternate
            .as_ref()
            .filter(|alternate| branch == Branch::Alternate && gate <= alternate.narrow);
        alternate.map_or(CellRect::default(), |alternate| alternate.closed)
    }

    /// The gate of the main route at which a member that leaves the detour continues: the crowded gate, or the first if it is not known.
    pub(crate) fn rejoin_gate(&self) -> u16 {
        let crowded = self.alternate.as_ref().and_then(|alternate| alternate.gate);
        crowded.unwrap_or(0).min(self.main_gates.len() as u16)
    }
}

impl Groups {
    /// The cells that a unit on a detour avoids; empty for other units.
    pub(crate) fn avoided_by(&self, membership: Option<Membership>) -> CellRect {
        let group = membership.and_then(|own| self.list.get(own.group).map(|group| (own.route, group)));
        group.map_or(CellRect::default(), |(route, group)| group.avoids(route.branch(), route.gate()))
    }
}

impl AlternateRoute {
    /// Whether a loaded alternate route is valid on a map of this size.
    pub(crate) fn is_valid(&self, grid: GridSize, on_map: impl Fn(&RouteGate) -> bool) -> bool {
        self.closed.intersect(grid.rect()) == self.closed
            && usize::from(self.narrow) <= self.gates.len()
            && self.gates.len() < usize::from(u16::MAX)
            && WIDTHS.contains(&self.lanes.width)
            && self.gates.iter().all(|gate| on_map(&gate.way))
    }
}

persist_fields! {
    AlternateRoute {
        gate: Option<u16>,
        closed: CellRect,
        narrow: u16,
        gates: Vec<GroupGate>,
        lanes: Lanes,
        arrival_without: Option<Tick>,
        failures: u8,
    }
    DetourSearch { ask: PathId, gate: u16, next: Tick, pause: u16 }
}
