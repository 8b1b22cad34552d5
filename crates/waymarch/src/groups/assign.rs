//! Who takes which slot.

use alloc::vec::Vec;
use core::cmp::Reverse;

use super::blocks::Blocks;
use super::exact::Exact;
use super::formation::Slot;
use super::likeness::{Point, points};
use super::member::{Class, Member, centroid, offset};
use super::uncross::uncross;
use crate::avoid::Fine;
use crate::base::spoil;

/// Up to so many members of one class have the best assignment there is, but for a four hundredth that may be paid so that legs do not
/// cross; more have one that is near the best.
pub const EXACT_UP_TO: usize = 200;

/// How a group comes to its slots.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Approach {
    /// Everybody by its own way: the least sum of squared legs. Of two members that go the same way the one in front takes the further slot,
    /// and legs cross as little as can be. Right through doors too: measured with layer 4 and exchanges on the way, 60 units through a door of three
    /// cells take as long as with [`Approach::Through`]; without exchanges, and in the open, this is much faster
    /// (`tests/groups_doors.rs`).
    #[default]
    Open,
    /// All by the same narrow way, which ends at this point: who comes first (by what is [`left`](Member::left)) takes the slot furthest from
    /// it, so that nobody stands in the way of those behind. For ways so winding that where members stand says nothing about who comes
    /// first.
    Through(Fine),
    /// One after the other: who comes first takes the first slot of the list, as at a dock.
    Queue,
}

/// Scratch: gives members slots. Keep one and use it again: it allocates nothing once it has grown.
///
/// ```
/// use waymarch::avoid::Fine;
/// use waymarch::base::{Dir8, Fixed, cell};
/// use waymarch::groups::{Approach, Assignment, Formation, Formations, Member, Muster, OpenFooting, crossings};
///
/// // Ten abreast, ordered two cells back.
/// let soldier = |id| Member { id, at: Fine::centre(cell(10 + id as i32, 20)), radius: Fixed::from_raw(400), ..Member::default() };
/// let members: Vec<Member> = (0..10).map(soldier).collect();
/// let muster = Muster { formation: &Formation::Line, centre: Fine::centre(cell(15, 22)), facing: Dir8::S.into(), gap: Fixed::ZERO };
/// let mut slots = Vec::new();
/// Formations::default().arrange(&muster, &members, &OpenFooting, &mut slots)?;
///
/// let mut taken = Vec::new();
/// Assignment::default().assign(&members, &slots, Approach::Open, &mut taken);
/// let legs: Vec<(Fine, Fine)> =
///     members.iter().zip(&taken).map(|(member, slot)| (member.at, slots[slot.unwrap() as usize].at)).collect();
/// assert_eq!(crossings(&legs), 0, "nobody walks through anybody");
/// # Ok::<(), waymarch::groups::FormationError>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct Assignment {
    rows: Vec<u32>,
    columns: Vec<u32>,
    exact: Exact,
    blocks: Blocks,
    members: Vec<Point>,
    places: Vec<Point>,
    mates: Vec<u32>,
}

fn class_of(slot: &Slot) -> Class {
    Class { role: slot.role, wide: Reverse(slot.radius), agent: slot.agent }
}

impl Assignment {
    /// Fills it with rubbish; no answer changes.
    pub(crate) fn poison(&mut self) {
        let point = Point { x: 7, y: -7 };
        for list in [&mut self.rows, &mut self.columns, &mut self.mates] {
            spoil(list, u32::MAX);
        }
        spoil(&mut self.members, point);
        spoil(&mut self.places, point);
        self.exact.poison();
        self.blocks.poison();
    }

    /// Writes the number of each member's slot to `out`, each slot for one member of its class at most.
    ///
    /// With too few slots for a class, its members furthest from them get none; with too many, the last ones stay empty. Members with
    /// the same id count as they are given. Cost: 200 members of a class some 10 to 15 million instructions, a thousand 8 to
    /// 10 million (about a millisecond), 5,000 some 70 million (`benches/groups.rs`).
    pub fn assign(
        &mut self,
        members: &[Member],
        slots: &[Slot],
        approach: Approach,
        out: &mut Vec<Option<u32>>,
    ) {
        out.clear();
        out.resize(members.len(), None);
        let mut rows = core::mem::take(&mut self.rows);
        let mut columns = core::mem::take(&mut self.columns);
        rows.clear();
        rows.extend(0..members.len() as u32);
        rows.sort_unstable_by_key(|&row| (members[row as usize].class(), members[row as usize].id, row));
        columns.clear();
        columns.extend(0..slots.len() as u32);
        columns.sort_unstable_by_key(|&column| (class_of(&slots[column as usize]), column));
        let (mut row, mut column) = (0, 0);
        while row < rows.len() && column < columns.len() {
            let class = members[rows[row] as usize].class();
            let next = class_of(&slots[columns[column] as usize]);
            let same_rows =
                rows[row..].iter().take_while(|&&at| members[at as usize].class() == class).count();
            let same_columns =
                columns[column..].iter().take_while(|&&at| class_of(&slots[at as usize]) == next).count();
            if class < next {
                row += same_rows;
            } else if next < class {
                column += same_columns;
            } else {
                let group = &mut rows[row..row + same_rows];
                let places = &mut columns[column..column + same_columns];
                self.assign_class(members, group, slots, places, approach, out);
                row += same_rows;
                column += same_columns;
            }
        }
        (self.rows, self.columns) = (rows, columns);
    }

    fn assign_class(
        &mut self,
        members: &[Member],
        mut rows: &mut [u32],
        slots: &[Slot],
        mut columns: &mut [u32],
        approach: Approach,
        out: &mut [Option<u32>],
    ) {
        let member = |row: u32| &members[row as usize];
        let slot = |column: u32| slots[column as usize].at;
        if rows.len() > columns.len() {
            let middle = centroid(columns.iter().map(|&column| slot(column)));
            rows.sort_unstable_by_key(|&row| (member(row).at.distance_squared(middle), member(row).id, row));
            rows = &mut rows[..columns.len()];
            rows.sort_unstable_by_key(|&row| (member(row).id, row));
        }
        columns = &mut columns[..rows.len()];
        match approach {
            Approach::Open => {
                self.least_legs(members, rows, slots, columns);
                for (&row, &mate) in rows.iter().zip(&self.mates) {
                    out[row as usize] = Some(columns[mate as usize]);
                }
                return;
            }
            Approach::Through(gate) => {
                rows.sort_unstable_by_key(|&row| {
                    (member(row).left, member(row).at.distance_squared(gate), member(row).id, row)
                });
                columns
                    .sort_unstable_by_key(|&column| (Reverse(slot(column).distance_squared(gate)), column));
            }
            Approach::Queue => {
                let first = columns.first().map_or(Fine::ZERO, |&column| slot(column));
                rows.sort_unstable_by_key(|&row| {
                    (member(row).left, member(row).at.distance_squared(first), member(row).id, row)
                });
            }
        }
        for (&row, &column) in rows.iter().zip(columns.iter()) {
            out[row as usize] = Some(column);
        }
    }

    fn least_legs(&mut self, members: &[Member], rows: &[u32], slots: &[Slot], columns: &[u32]) {
        // Where members and slots are, as wholes, adds the same to every assignment.
        let member = |row: &u32| members[*row as usize].at;
        let slot = |column: &u32| slots[*column as usize].at;
        let (here, there) = (centroid(rows.iter().map(member)), centroid(columns.iter().map(slot)));
        points(
            rows.iter().map(|row| offset(here, member(row))),
            columns.iter().map(|column| offset(there, slot(column))),
            &mut self.members,
            &mut self.places,
        );
        if rows.len() <= EXACT_UP_TO {
            let found = self.exact.solve(&self.members, &self.places);
            self.mates.clear();
            self.mates.extend_from_slice(found);
            uncross(&self.members, &self.places, &mut self.mates, |at, place| {
                (member(&rows[at]), slot(&columns[place as usize]))
            });
        } else {
            self.blocks.solve(&mut self.exact, &self.members, &self.places, &mut self.mates);
        }
    }
}
