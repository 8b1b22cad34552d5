//! The rule for legal steps: which of its eight neighbours a unit may step to, and what a step costs.

use crate::base::Dir8;

/// A straight step over a cell of cost 1 costs 1024: one cell in fixed point.
pub const STRAIGHT: u32 = 1024;

/// A diagonal step over a cell of cost 1 costs 1448: √2 cells in fixed point, rounded down.
pub const DIAGONAL: u32 = 1448;

/// The length of one step in direction `dir`.
#[inline]
#[must_use]
pub const fn step_length(dir: Dir8) -> u32 {
    if dir.is_diagonal() { DIAGONAL } else { STRAIGHT }
}

/// When a diagonal step past blocked cells is legal.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "kebab-case"))]
pub enum CornerRule {
    /// Both cells beside the diagonal must be open: units never cut corners.
    #[default]
    Forbid,
    /// One of the two cells may be blocked.
    AllowOne,
    /// Both may be blocked: units squeeze between corners.
    Allow,
}

/// Which neighbours a unit may step to.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "kebab-case"))]
pub enum Neighbours {
    /// All eight.
    #[default]
    Eight,
    /// North, east, south and west only.
    Four,
}

/// The rule for legal steps: which neighbours, and how to treat corners.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct StepRule {
    /// Which neighbours.
    pub neighbours: Neighbours,
    /// How to treat corners.
    pub corners: CornerRule,
}

/// For every pattern of open neighbours (bit = [`Dir8`] number), the legal directions from the middle.
///
/// Whether the middle is open does not matter: a unit on a cell that was closed under it may leave.
const fn legal_table(rule: StepRule) -> [u8; 256] {
    let mut table = [0; 256];
    let mut open = 0;
    while open < 256 {
        let mut legal = 0;
        let mut dir = 0;
        while dir < 8 {
            let to = open >> dir & 1;
            let beside = (open >> ((dir + 1) & 7) & 1) + (open >> ((dir + 7) & 7) & 1);
            let may = if dir & 1 == 0 {
                true
            } else {
                match (rule.neighbours, rule.corners) {
                    (Neighbours::Four, _) => false,
                    (_, CornerRule::Forbid) => beside == 2,
                    (_, CornerRule::AllowOne) => beside >= 1,
                    (_, CornerRule::Allow) => true,
                }
            };
            if to == 1 && may {
                legal |= 1 << dir;
            }
            dir += 1;
        }
        table[open] = legal;
        open += 1;
    }
    table
}

const fn eight(corners: CornerRule) -> StepRule {
    StepRule { neighbours: Neighbours::Eight, corners }
}

static FORBID: [u8; 256] = legal_table(eight(CornerRule::Forbid));
static ALLOW_ONE: [u8; 256] = legal_table(eight(CornerRule::AllowOne));
static ALLOW: [u8; 256] = legal_table(eight(CornerRule::Allow));
static FOUR: [u8; 256] = legal_table(StepRule { neighbours: Neighbours::Four, corners: CornerRule::Forbid });

impl StepRule {
    /// Four neighbours. Corners do not matter.
    pub const FOUR: Self = Self { neighbours: Neighbours::Four, corners: CornerRule::Forbid };

    /// Eight neighbours with the given corner rule.
    #[must_use]
    pub const fn eight(corners: CornerRule) -> Self {
        eight(corners)
    }

    /// The rule as a table: the index is the open neighbours (bit = direction number), the value the legal directions.
    #[inline]
    #[must_use]
    pub fn table(self) -> &'static [u8; 256] {
        match (self.neighbours, self.corners) {
            (Neighbours::Four, _) => &FOUR,
            (Neighbours::Eight, CornerRule::Forbid) => &FORBID,
            (Neighbours::Eight, CornerRule::AllowOne) => &ALLOW_ONE,
            (Neighbours::Eight, CornerRule::Allow) => &ALLOW,
        }
    }
}
