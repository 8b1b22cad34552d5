//! Which member takes which slot.

use alloc::vec::Vec;
use core::cmp::Reverse;

use super::block_assignment::BlockAssignment;
use super::exact_assignment::ExactAssignment;
use super::formation::Slot;
use super::geometry::{centroid, offset};
use super::member::{Class, Member};
use super::points::{Point, write_points};
use super::uncross::uncross;
use crate::avoid::Fine;
use crate::base::{Scratch, poison_list};

/// A class of up to 200 members gets the best assignment. A leg is the straight line from a member to its slot. The sum of squared legs may
/// be 1/400 above the least, so that fewer legs cross. Larger classes get a nearly best assignment.
pub const EXACT_UP_TO: usize = 200;

/// How a group gets to its slots.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Approach {
    /// Every member goes by its own route: the least sum of squared distances. Of two members on one line the member in front takes the
    /// farther slot, and few legs cross. It suits doors too: with exchanges on the way, 60 units pass a door of three cells as fast as with
    /// [`Approach::Through`]. Without exchanges, and on open ground, it is much faster than `Through` (`tests/movement/groups_doors.rs`).
    #[default]
    Open,
    /// All members go through one narrow place, which ends at this point. The member that comes first (by [`left`](Member::left)) takes
    /// the slot farthest from it, so that it does not block the members behind. Use it for routes that wind so much that positions do not
    /// tell which member comes first.
    Through(Fine),
    /// Members come one after the other, as at a dock: the member that comes first takes the first slot of the list.
    Queue,
}

/// Scratch: assigns slots to members. Keep one and reuse it: it allocates nothing once it has grown.
///
/// ```
/// use waymarch::avoid::Fine;
/// use waymarch::base::{Dir8, Fixed, cell};
/// use waymarch::groups::{Approach, Assignment, Formation, FormationRequest, Formations, Member, OpenFooting, crossings};
///
/// // Ten side by side, ordered two cells back.
/// let soldier = |id| Member { id, at: Fine::centre(cell(10 + id as i32, 20)), radius: Fixed::from_raw(400), ..Member::default() };
/// let members: Vec<Member> = (0..10).map(soldier).collect();
/// let (centre, facing) = (Fine::centre(cell(15, 22)), Dir8::S.into());
/// let request = FormationRequest { formation: &Formation::Line, centre, facing, gap: Fixed::ZERO };
/// let mut slots = Vec::new();
/// Formations::default().arrange(&request, &members, &OpenFooting, &mut slots)?;
///
/// let mut taken = Vec::new();
/// Assignment::default().assign(&members, &slots, Approach::Open, &mut taken);
/// let legs: Vec<(Fine, Fine)> =
///     members.iter().zip(&taken).map(|(member, slot)| (member.at, slots[slot.unwrap() as usize].at)).collect();
/// assert_eq!(crossings(&legs), 0, "no two legs cross");
/// # Ok::<(), waymarch::groups::FormationError>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct Assignment {
    /// Indices of members, and of slots, by class.
    rows: Vec<u32>,
    columns: Vec<u32>,
    solver: Solver,
}

/// Scratch: solves the assignment of one class.
#[derive(Clone, Debug, Default)]
struct Solver {
    exact: ExactAssignment,
    blocks: BlockAssignment,
    members: Vec<Point>,
    slots: Vec<Point>,
    /// The slot of each member.
    assigned: Vec<u32>,
}

/// What an assignment reads.
#[derive(Clone, Copy)]
struct Group<'a> {
    members: &'a [Member],
    slots: &'a [Slot],
    approach: Approach,
}

fn class_of(slot: &Slot) -> Class {
    Class { role: slot.role, wide: Reverse(slot.radius), agent: slot.agent }
}

impl Scratch for Assignment {
    /// The memory grows with the largest class of members so far.
    type Demand = ();

    fn poison(&mut self) {
        let Self { rows, columns, solver: Solver { exact, blocks, members, slots, assigned } } = self;
        for list in [rows, columns, assigned] {
            poison_list(list, u32::MAX);
        }
        for list in [members, slots] {
            poison_list(list, Point { x: 7, y: -7 });
        }
        exact.poison();
        blocks.poison();
    }

    fn reserve(&mut self, (): ()) {}
}

impl Assignment {
    /// Writes the index of each member's slot to `out`. Each slot goes to at most one member, of its class.
    ///
    /// If a class has too few slots, its members farthest from them get none. If it has too many, the last slots stay empty. Members with
    /// equal ids keep their order. Cost: 10 to 15 million instructions for 200 members of a class, 8 to 10 million (about a millisecond)
    /// for a thousand, and about 70 million for 5,000 (`benches/groups.rs`).
    pub fn assign(
        &mut self,
        members: &[Member],
        slots: &[Slot],
        approach: Approach,
        out: &mut Vec<Option<u32>>,
    ) {
        out.clear();
        out.resize(members.len(), None);
        let Self { rows, columns, solver } = self;
        rows.clear();
        rows.extend(0..members.len() as u32);
        rows.sort_unstable_by_key(|&row| (members[row as usize].class(), members[row as usize].id, row));
        columns.clear();
        columns.extend(0..slots.len() as u32);
        columns.sort_unstable_by_key(|&column| (class_of(&slots[column as usize]), column));
        let group = Group { members, slots, approach };
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
                let own_rows = &mut rows[row..row + same_rows];
                solver.assign_class(group, own_rows, &mut columns[column..column + same_columns], out);
                row += same_rows;
                column += same_columns;
            }
        }
    }
}

impl Solver {
    /// Assigns the slots `columns` to the members `rows`, all of one class.
    fn assign_class(
        &mut self,
        group: Group<'_>,
        mut rows: &mut [u32],
        mut columns: &mut [u32],
        out: &mut [Option<u32>],
    ) {
        let member = |row: u32| &group.members[row as usize];
        let slot = |column: u32| group.slots[column as usize].at;
        if rows.len() > columns.len() {
            let middle = centroid(columns.iter().map(|&column| slot(column)));
            rows.sort_unstable_by_key(|&row| (member(row).at.distance_squared(middle), member(row).id, row));
            rows = &mut rows[..columns.len()];
            rows.sort_unstable_by_key(|&row| (member(row).id, row));
        }
        columns = &mut columns[..rows.len()];
        match group.approach {
            Approach::Open => {
                self.minimise_distances(group, rows, columns);
                for (&row, &assigned) in rows.iter().zip(&self.assigned) {
                    out[row as usize] = Some(columns[assigned as usize]);
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

    /// Finds the assignment with the least sum of squared distances, or nearly so, into `assigned`.
    fn minimise_distances(&mut self, group: Group<'_>, rows: &[u32], columns: &[u32]) {
        // Positions are relative to the centroids: moving all members or all slots adds the same cost to every assignment.
        let member = |row: &u32| group.members[*row as usize].at;
        let slot = |column: &u32| group.slots[*column as usize].at;
        let (here, there) = (centroid(rows.iter().map(member)), centroid(columns.iter().map(slot)));
        write_points(
            rows.iter().map(|row| offset(here, member(row))),
            columns.iter().map(|column| offset(there, slot(column))),
            &mut self.members,
            &mut self.slots,
        );
        if rows.len() <= EXACT_UP_TO {
            let found = self.exact.solve(&self.members, &self.slots);
            self.assigned.clear();
            self.assigned.extend_from_slice(found);
            uncross(&self.members, &self.slots, &mut self.assigned, |at, place| {
                (member(&rows[at]), slot(&columns[place as usize]))
            });
        } else {
            self.blocks.solve(&mut self.exact, &self.members, &self.slots, &mut self.assigned);
        }
    }
}
