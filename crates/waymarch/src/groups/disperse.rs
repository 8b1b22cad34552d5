//! Dispersing: every member moves away from the group's centre.

use alloc::vec::Vec;

use super::arrange::Formations;
use super::footing::Footing;
use super::formation::{Formation, FormationError, FormationRequest, Slot};
use super::geometry::{direction, fine, offset, turned};
use super::member::{Member, Packing};
use super::placement::Spacing;
use super::shapes::{Ideal, spread};
use super::slot_condition::Anywhere;
use crate::base::{Angle, Fixed};

/// A member moves by at most 256 cells.
const FARTHEST: Fixed = Fixed::from_cells(256);

impl Formations {
    /// Writes a slot for each member, `distance` farther from the group's centre than the member is now, as [`Formations::arrange`]
    /// does. A member at the centre gets one of eight directions, by its id. A single member stays where it is.
    ///
    /// ```
    /// use waymarch::avoid::Fine;
    /// use waymarch::base::{Fixed, cell};
    /// use waymarch::groups::{Formations, Member, OpenFooting};
    ///
    /// let soldier = |id| Member { id, at: Fine::centre(cell(20 + id as i32 % 3, 20 + id as i32 / 3)), ..Member::default() };
    /// let members: Vec<Member> = (0..9).map(soldier).collect();
    /// let mut slots = Vec::new();
    /// Formations::default().disperse(Fixed::from_cells(5), &members, &OpenFooting, &mut slots)?;
    /// let middle = Fine::centre(cell(21, 21));
    /// assert!(slots.iter().all(|slot| slot.at.distance_squared(middle).isqrt() >= 5 * 65_536 - 8));
    /// # Ok::<(), waymarch::groups::FormationError>(())
    /// ```
    ///
    /// # Errors
    /// [`FormationError`], as [`Formations::arrange`].
    pub fn disperse(
        &mut self,
        distance: Fixed,
        members: &[Member],
        footing: &impl Footing,
        out: &mut Vec<Slot>,
    ) -> Result<(), FormationError> {
        out.clear();
        let (middle, _) = spread(members);
        let (facing, gap) = (Angle::ZERO, Fixed::ZERO);
        let request = FormationRequest { formation: &Formation::Scatter, centre: middle, facing, gap };
        request.check(members)?;
        self.sort_members(members);
        let far = fine(distance.clamp(Fixed::ZERO, FARTHEST));
        self.ideals.clear();
        for (file, &index) in (0_u16..=u16::MAX).cycle().zip(&self.order) {
            let member = &members[index as usize];
            let (x, y) = offset(middle, member.at);
            let away =
                if (x, y) == (0, 0) { Angle((member.id % 8) as u16 * 8192) } else { direction((x, y)) };
            let (dx, dy) = if members.len() > 1 { turned(0, -far, away) } else { (0, 0) };
            self.ideals.push(Ideal { at: Some((x + dx, y + dy)), rank: 0, file });
        }
        let spacing = Spacing { centre: middle, gap, packing: Packing::Loose };
        self.settle(spacing, members, footing, &Anywhere, out)
    }
}
