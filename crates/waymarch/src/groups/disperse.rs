//! Away from each other: everybody goes so far from the middle of all.

use alloc::vec::Vec;

use super::arrange::Formations;
use super::footing::Footing;
use super::formation::{Formation, FormationError, Muster, Slot};
use super::member::{Member, Packing, fine, offset, turned};
use super::place::Anywhere;
use super::shapes::{Ideal, spread};
use crate::base::{Angle, Fixed};

/// Nobody is sent further: 256 cells.
const FURTHEST: Fixed = Fixed::from_cells(256);

impl Formations {
    /// Writes a slot for each member, `distance` further from the middle of all than it is, as [`Formations::arrange`] does. Who is in the very
    /// middle goes some way or other, each its own. With nobody else one stays where it is.
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
        let muster =
            Muster { formation: &Formation::Scatter, centre: middle, facing: Angle::ZERO, gap: Fixed::ZERO };
        muster.check(members)?;
        self.line_up(members);
        let far = fine(distance.clamp(Fixed::ZERO, FURTHEST));
        self.ideals.clear();
        for (file, &place) in (0_u16..=u16::MAX).cycle().zip(&self.order) {
            let member = &members[place as usize];
            let (x, y) = offset(middle, member.at);
            // Eight directions for those who have none of their own.
            let away = if (x, y) == (0, 0) {
                Angle((member.id % 8) as u16 * 8192)
            } else {
                Angle::atan2((y >> 1) as i32, (x >> 1) as i32)
            };
            let (dx, dy) = if members.len() > 1 { turned(0, -far, away) } else { (0, 0) };
            self.ideals.push(Ideal { at: Some((x + dx, y + dy)), rank: 0, file });
        }
        self.settle(middle, (Fixed::ZERO, Packing::Loose), members, footing, &Anywhere, out)
    }
}
