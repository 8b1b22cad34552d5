//! The twin of the step rule, written from its definition, without the engine's table.

use std::fmt;

use waymarch::base::CellPos;
use waymarch::cost::{CornerRule, Neighbours, StepRule};

/// The cost of a straight step onto a cell of cost 1: 1024.
pub const STRAIGHT: u64 = 1024;
/// The cost of a diagonal step onto a cell of cost 1: 1448, which is √2 × 1024 rounded.
pub const DIAGONAL: u64 = 1448;
/// The cost of a blocked cell: 255.
pub const BLOCKED: u8 = 255;

/// Which steps are legal.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Rule {
    /// North, east, south and west only.
    Four,
    /// Diagonals where both cells beside them are open.
    Forbid,
    /// Diagonals where at least one cell beside them is open.
    AllowOne,
    /// Diagonals always.
    Allow,
}

impl Rule {
    /// All four.
    pub const ALL: [Self; 4] = [Self::Four, Self::Forbid, Self::AllowOne, Self::Allow];

    /// The equivalent rule of the engine.
    #[must_use]
    pub fn step_rule(self) -> StepRule {
        match self {
            Self::Four => StepRule::FOUR,
            Self::Forbid => StepRule::eight(CornerRule::Forbid),
            Self::AllowOne => StepRule::eight(CornerRule::AllowOne),
            Self::Allow => StepRule::eight(CornerRule::Allow),
        }
    }
}

impl From<StepRule> for Rule {
    fn from(rule: StepRule) -> Self {
        match (rule.neighbours, rule.corners) {
            (Neighbours::Four, _) => Self::Four,
            (Neighbours::Eight, CornerRule::Forbid) => Self::Forbid,
            (Neighbours::Eight, CornerRule::AllowOne) => Self::AllowOne,
            (Neighbours::Eight, CornerRule::Allow) => Self::Allow,
        }
    }
}

/// A cell in any notation.
pub trait Spot: Copy {
    /// Column and row.
    fn xy(self) -> (i32, i32);
}

impl Spot for (i32, i32) {
    fn xy(self) -> (i32, i32) {
        self
    }
}

impl Spot for CellPos {
    fn xy(self) -> (i32, i32) {
        (self.x, self.y)
    }
}

/// A grid of costs, row by row, as the twins read it.
#[derive(Clone, Copy, Debug)]
pub struct CostGrid<'a> {
    /// `width × height` costs; 255 is blocked.
    pub cost: &'a [u8],
    /// Columns.
    pub width: u32,
    /// Rows.
    pub height: u32,
}

/// The cost of entering `(x, y)`; cells off the grid are blocked.
///
/// # Panics
/// If `cost` is not `width × height` long.
#[must_use]
pub fn cost_at(cost: &[u8], width: u32, height: u32, x: i32, y: i32) -> u8 {
    assert_eq!(cost.len() as u64, u64::from(width) * u64::from(height), "the grid has the wrong length");
    match (u32::try_from(x), u32::try_from(y)) {
        (Ok(x), Ok(y)) if x < width && y < height => cost[y as usize * width as usize + x as usize],
        _ => BLOCKED,
    }
}

/// Why a step is illegal.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Illegal {
    /// It does not move, or moves more than one cell.
    NotANeighbour,
    /// It enters a blocked cell or leaves the grid.
    Blocked,
    /// It is diagonal where only straight steps are legal.
    Diagonal,
    /// Too few of the two cells beside a diagonal are open.
    CutsCorner {
        /// How many are open.
        open: u8,
        /// How many must be open.
        needed: u8,
    },
}

impl fmt::Display for Illegal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotANeighbour => write!(f, "is not to a neighbour"),
            Self::Blocked => write!(f, "enters a blocked cell"),
            Self::Diagonal => write!(f, "is diagonal"),
            Self::CutsCorner { open, needed } => {
                write!(f, "cuts a corner: {open} of the 2 cells beside it are open, not {needed}")
            }
        }
    }
}

/// The cost of one step. The cell it leaves may be blocked: a walled-in unit may still leave.
///
/// # Errors
/// Why the step is illegal.
pub fn step_cost(
    cost: &[u8],
    (width, height): (u32, u32),
    rule: Rule,
    (x, y): (i32, i32),
    (to_x, to_y): (i32, i32),
) -> Result<u64, Illegal> {
    let (dx, dy) = (to_x - x, to_y - y);
    if (dx, dy) == (0, 0) || dx.abs() > 1 || dy.abs() > 1 {
        return Err(Illegal::NotANeighbour);
    }
    let entered = cost_at(cost, width, height, to_x, to_y);
    if entered == BLOCKED {
        return Err(Illegal::Blocked);
    }
    if dx == 0 || dy == 0 {
        return Ok(STRAIGHT * u64::from(entered));
    }
    let is_open = |x, y| u8::from(cost_at(cost, width, height, x, y) != BLOCKED);
    let open = is_open(to_x, y) + is_open(x, to_y);
    let needed = match rule {
        Rule::Four => return Err(Illegal::Diagonal),
        Rule::Forbid => 2,
        Rule::AllowOne => 1,
        Rule::Allow => 0,
    };
    if open < needed {
        return Err(Illegal::CutsCorner { open, needed });
    }
    Ok(DIAGONAL * u64::from(entered))
}

#[cfg(test)]
mod tests {
    use super::*;
    use waymarch::base::Dir8;

    /// Every 3×3 pattern, direction and rule: the twin and the engine's table agree.
    #[test]
    fn the_engines_table_says_the_same_for_every_pattern() {
        for rule in Rule::ALL {
            assert_eq!(Rule::from(rule.step_rule()), rule);
            for open in 0..256_usize {
                let mut cost = [BLOCKED; 9];
                for dir in Dir8::ALL {
                    if open >> dir.index() & 1 == 1 {
                        cost[((1 + dir.dy()) * 3 + 1 + dir.dx()) as usize] = 7;
                    }
                }
                let mut legal = 0_u8;
                for dir in Dir8::ALL {
                    let step = step_cost(&cost, (3, 3), rule, (1, 1), (1 + dir.dx(), 1 + dir.dy()));
                    if let Ok(cost) = step {
                        legal |= 1 << dir.index();
                        assert_eq!(cost, u64::from(waymarch::cost::step_length(dir)) * 7);
                    }
                }
                assert_eq!(legal, rule.step_rule().table()[open], "{rule:?} {open:08b}");
            }
        }
    }

    #[test]
    fn steps_off_the_map_or_too_far_are_illegal() {
        let cost = [1; 4];
        assert!(step_cost(&cost, (2, 2), Rule::Allow, (0, 0), (-1, 0)).is_err());
        assert!(step_cost(&cost, (2, 2), Rule::Allow, (0, 0), (2, 0)).is_err());
        assert!(step_cost(&cost, (2, 2), Rule::Allow, (0, 0), (0, 0)).is_err());
        assert_eq!(step_cost(&cost, (2, 2), Rule::Forbid, (0, 0), (1, 1)), Ok(1448));
    }
}
