//! Line of sight: may a unit move straight from one place to another?

use super::segment::{Lines, SIDE, Segment};
use crate::base::{BitLines, CellPos, Fixed, Vec2};
use crate::cost::{CornerRule, CostField, Neighbours, StepRule};

/// The width of a line of sight.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Breadth {
    /// As wide as the unit: all cells that its square passes over must be open. For [`CornerRule::Forbid`].
    Body,
    /// Thin: at a corner, at least this many of the two cells beside it must be open.
    Thin {
        /// The number of open cells: 0, 1 or 2.
        needed: u8,
    },
}

impl Breadth {
    pub(super) fn of(rule: StepRule) -> Self {
        match (rule.neighbours, rule.corners) {
            (Neighbours::Four, _) | (_, CornerRule::Forbid) => Self::Body,
            (_, CornerRule::AllowOne) => Self::Thin { needed: 1 },
            (_, CornerRule::Allow) => Self::Thin { needed: 0 },
        }
    }
}

/// Whether a unit may move straight from the middle of cell `a` to the middle of cell `b`.
///
/// Exact and symmetric. `field` must be that of the unit's size.
///
/// - Where corners may not be cut, the whole square of the unit passes over open cells only, as in a legal diagonal step.
/// - Where corners may be cut, the line is thin. Every cell that it enters is open. Where it passes exactly through a corner, as many cells
///   beside it are open as the rule needs.
///
/// Takes constant time per row (or column, if there are fewer) for units that do not cut corners. False for places off the map.
///
/// ```
/// use waymarch::base::{cell, GridSize, LocomotorId, Tick};
/// use waymarch::cost::{CostLayer, CostSettings, Map, Rules, Stamp, StepRule};
/// use waymarch::search::line_of_sight;
///
/// let map = Map::flat("field", GridSize::new(20, 20)?, Rules::standard()).validate()?;
/// let mut layer = CostLayer::new(&map, CostSettings::default());
/// layer.place(&Stamp::solid(3, 3), cell(8, 8), Tick::ZERO)?;
/// let field = layer.field(LocomotorId(0).into()).unwrap();
/// let sees = |a, b| line_of_sight(field, StepRule::default(), a, b);
/// assert!(sees(cell(2, 2), cell(18, 7)));
/// assert!(!sees(cell(2, 2), cell(17, 17)));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[must_use]
pub fn line_of_sight(field: &CostField, rule: StepRule, a: CellPos, b: CellPos) -> bool {
    // Checked here, because cells far off the map would saturate to points on it.
    let on_map = field.grid().contains(a) && field.grid().contains(b);
    on_map && clear(field, Breadth::of(rule), a.centre(), b.centre())
}

/// [`line_of_sight`] between points within cells.
///
/// A point on the border between cells is in all of them. Where corners may be cut, the cells at either end must be open.
#[must_use]
pub fn line_of_sight_between(field: &CostField, rule: StepRule, a: Vec2, b: Vec2) -> bool {
    clear(field, Breadth::of(rule), a, b)
}

pub(super) fn clear(field: &CostField, breadth: Breadth, a: Vec2, b: Vec2) -> bool {
    if !field.grid().contains(a.cell()) || !field.grid().contains(b.cell()) {
        return false;
    }
    match breadth {
        Breadth::Body => swept_clear(field, a, b),
        Breadth::Thin { needed } => thin_clear(field, needed, a, b),
    }
}

/// The closed cells of a field as bits, along the lines of a segment.
struct Closed<'a> {
    bits: &'a BitLines,
    /// The number of lines, and of cells per line.
    lines: i64,
    places: i64,
}

impl<'a> Closed<'a> {
    fn new(field: &'a CostField, lines: Lines) -> Self {
        let (closed, grid) = (field.closed_bits(), field.grid());
        let (width, height) = (i64::from(grid.width()), i64::from(grid.height()));
        match lines {
            Lines::Rows => Self { bits: closed.rows(), lines: height, places: width },
            Lines::Columns => Self { bits: closed.columns(), lines: width, places: height },
        }
    }

    /// Whether the cells `first..=last` of `line` are on the map and open.
    #[inline]
    fn is_open(&self, line: i64, first: i64, last: i64) -> bool {
        let on_map = line >= 0 && line < self.lines && first >= 0 && last < self.places;
        on_map && self.bits.is_clear(line as u32, first as u32, last as u32)
    }
}

/// Whether a unit's square, one cell wide, passes over open cells only while its middle moves from `a` to `b`.
///
/// The square overlaps a cell if its middle is less than one cell from the middle of the cell on both axes. Take the lattice through the
/// middles of cells:
///
/// - if the point is inside a lattice square, the unit overlaps the cells at the four corners of that square;
/// - if the point is on an edge of the lattice, it overlaps the cells at both ends of the edge;
/// - if the point is on a corner of the lattice, it overlaps that one cell.
fn swept_clear(field: &CostField, a: Vec2, b: Vec2) -> bool {
    let segment = Segment::new(a, b, -i64::from(Fixed::HALF.raw()));
    let closed = Closed::new(field, segment.lines);
    let (start, end) = (segment.start, segment.end);
    // Within half a cell of the edge, the square reaches over the edge. If neither end does, nothing in between does.
    let sticks_out = |at: i64, cells: i64| at < 0 || at > (cells - 1) * SIDE;
    if sticks_out(start.1, closed.lines)
        || sticks_out(end.1, closed.lines)
        || sticks_out(start.0, closed.places)
        || sticks_out(end.0, closed.places)
    {
        return false;
    }
    // A unit on the middle of a line of cells covers no second line. A unit that does not move covers one cell.
    let beyond = u32::from(!segment.is_on_border());
    let further = u32::from(segment.along() != 0 || start.0 % SIDE != 0);
    segment.spans().all(|span| {
        let (line, first, last) = (span.line as u32, span.first as u32, span.last as u32 + further);
        closed.bits.is_clear(line, first, last) && closed.bits.is_clear(line + beyond, first, last)
    })
}

fn thin_clear(field: &CostField, needed: u8, a: Vec2, b: Vec2) -> bool {
    if !around_is_open(field, a) || !around_is_open(field, b) {
        return false;
    }
    let segment = Segment::new(a, b, 0);
    let closed = Closed::new(field, segment.lines);
    let is_open = |line: i64, place: i64| u8::from(closed.is_open(line, place, place));
    let side = SIDE * segment.scale();
    segment.spans().all(|span| {
        if !closed.is_open(span.line, span.first, span.last) {
            return false;
        }
        if segment.is_on_border() && !closed.is_open(span.line - 1, span.first, span.last) {
            return false;
        }
        let border = (span.line + 1) * SIDE;
        let corner = segment.place_at(border);
        if border >= segment.end.1 || corner % side != 0 {
            return true;
        }
        // The line goes from the cell before the corner to the cell after it. The other two cells lie beside the corner.
        let after = corner / side;
        let (near, far) = if segment.along() > 0 { (after, after - 1) } else { (after - 1, after) };
        is_open(span.line, near) + is_open(span.line + 1, far) >= needed
    })
}

/// Whether every cell is open that contains the point or has it on its border.
fn around_is_open(field: &CostField, at: Vec2) -> bool {
    let closed = Closed::new(field, Lines::Rows);
    let (x, y) = (i64::from(at.x.raw()), i64::from(at.y.raw()));
    let (first, last) = ((x - 1).div_euclid(SIDE), x.div_euclid(SIDE));
    let first = if x % SIDE == 0 { first } else { last };
    let top = if y % SIDE == 0 { y / SIDE - 1 } else { y.div_euclid(SIDE) };
    (top..=y.div_euclid(SIDE)).all(|row| closed.is_open(row, first, last))
}
