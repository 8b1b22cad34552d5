//! Pieces of rims: up to 4 cells in a row at the edge of a sector; and the squares within which costs are found.

use alloc::vec::Vec;

use crate::base::{CellPos, CellRect, GridSize};
use crate::cost::{CostView, SectorGrid, SectorId};

/// A piece has at most 4 cells. Within a piece a route may jump at no cost. So shorter pieces give a tighter bound, but more work.
const LENGTH: u32 = 4;

/// A piece of a sector's rim: the number of its first cell among the rim cells of all sectors.
pub(super) type Piece = u32;

/// How rims are cut into pieces, and which squares there are.
///
/// A piece is a row of open cells along one side of a sector. A *square* is the four sectors around a corner where sectors meet; at the edge of the
/// map it has fewer.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct PieceGrid {
    pub(super) size: GridSize,
    pub(super) grid: SectorGrid,
}

impl PieceGrid {
    /// How many piece numbers there are in all.
    pub(super) fn numbers(self) -> usize {
        self.grid.count() * 4 * self.grid.side() as usize
    }

    /// The cells of a sector that are on the map.
    pub(super) fn area(self, sector: SectorId) -> CellRect {
        self.grid.area(sector).intersect(self.size.rect())
    }

    /// The number of a piece that begins at a cell; `None` if the cell is not on the rim of its sector.
    fn number(self, at: CellPos) -> Option<Piece> {
        let sector = self.grid.of(at);
        let area = self.area(sector);
        let (x, y) = ((at.x - area.x0) as u32, (at.y - area.y0) as u32);
        // Corner cells belong to the northern or southern side.
        let (side, along) = match () {
            () if y == 0 => (0, x),
            () if at.y == area.y1 - 1 => (1, x),
            () if x == 0 => (2, y),
            () if at.x == area.x1 - 1 => (3, y),
            () => return None,
        };
        Some((sector.0 * 4 + side) * self.grid.side() + along)
    }

    /// The cell of a number; `None` if there is none or it is closed.
    fn open_cell(self, ground: CostView<'_>, number: Piece) -> Option<CellPos> {
        let (area, along) = (self.area(self.sector(number)), (number % self.grid.side()) as i32);
        let at = match number / self.grid.side() % 4 {
            0 => CellPos::new(area.x0 + along, area.y0),
            1 => CellPos::new(area.x0 + along, area.y1 - 1),
            2 => CellPos::new(area.x0, area.y0 + along),
            _ => CellPos::new(area.x1 - 1, area.y0 + along),
        };
        // A corner cell belongs to one side only. So does each cell of a sector that is one cell wide.
        let is_it = area.contains(at) && self.number(at) == Some(number);
        (is_it && ground.field.is_passable(at)).then_some(at)
    }

    /// Whether a piece begins at the open cell with this number.
    fn begins(self, ground: CostView<'_>, number: Piece) -> bool {
        number % LENGTH.min(self.grid.side()) == 0 || self.open_cell(ground, number - 1).is_none()
    }

    /// The piece of a cell; `None` if the cell is closed or not on the rim of its sector.
    pub(super) fn piece(self, ground: CostView<'_>, at: CellPos) -> Option<Piece> {
        let mut number = self.number(at).filter(|_| ground.field.is_passable(at))?;
        while !self.begins(ground, number) {
            number -= 1;
        }
        Some(number)
    }

    /// The sector of a piece.
    pub(super) fn sector(self, piece: Piece) -> SectorId {
        SectorId(piece / (4 * self.grid.side()))
    }

    /// The cells of a piece.
    pub(super) fn cells(self, ground: CostView<'_>, piece: Piece) -> impl Iterator<Item = CellPos> + Clone {
        let rest = (piece + 1..).take_while(move |&number| !self.begins(ground, number));
        core::iter::once(piece).chain(rest).map_while(move |number| self.open_cell(ground, number))
    }

    /// The pieces of a sector.
    fn pieces(self, ground: CostView<'_>, sector: SectorId) -> impl Iterator<Item = Piece> {
        let first = sector.0 * 4 * self.grid.side();
        let numbers = first..first + 4 * self.grid.side();
        numbers.filter(move |&number| self.open_cell(ground, number).is_some() && self.begins(ground, number))
    }

    fn square_columns(self) -> u32 {
        self.grid.columns() + 1
    }

    /// The number of squares.
    pub(super) fn squares(self) -> u32 {
        self.square_columns() * (self.grid.rows() + 1)
    }

    /// The square that has the piece near its middle. A route from the piece out of the square is at least half a
    /// sector long.
    pub(super) fn square(self, piece: Piece) -> u32 {
        let sector = self.sector(piece);
        let half = self.grid.side() / 2;
        let (side, along) = (piece / self.grid.side() % 4, piece % self.grid.side());
        let second = |far: u32| u32::from(far >= half);
        let (east, south) = match side {
            0 => (second(along), 0),
            1 => (second(along), 1),
            2 => (0, second(along)),
            _ => (1, second(along)),
        };
        let (x, y) = (sector.0 % self.grid.columns(), sector.0 / self.grid.columns());
        (y + south) * self.square_columns() + x + east
    }

    /// The sectors of a square.
    fn around(self, square: u32) -> impl Iterator<Item = SectorId> {
        let (x, y) = ((square % self.square_columns()) as i32, (square / self.square_columns()) as i32);
        let (columns, rows) = (self.grid.columns() as i32, self.grid.rows() as i32);
        let all = [(x - 1, y - 1), (x, y - 1), (x - 1, y), (x, y)].into_iter();
        all.filter(move |&(x, y)| x >= 0 && y >= 0 && x < columns && y < rows)
            .map(move |(x, y)| SectorId((y * columns + x) as u32))
    }

    /// The cells of a square.
    pub(super) fn square_area(self, square: u32) -> CellRect {
        let mut areas = self.around(square).map(|sector| self.area(sector));
        let first = areas.next().unwrap_or(CellRect::at(CellPos::new(0, 0), 0, 0));
        areas.fold(first, CellRect::union)
    }

    /// The squares that contain a sector or touch it. Their costs depend on its cells.
    pub(super) fn squares_near(self, sector: SectorId) -> impl Iterator<Item = u32> {
        let (x, y) = ((sector.0 % self.grid.columns()) as i32, (sector.0 / self.grid.columns()) as i32);
        let (columns, rows) = (self.square_columns() as i32, self.grid.rows() as i32 + 1);
        let all = (-1..3).flat_map(move |dy| (-1..3).map(move |dx| (x + dx, y + dy)));
        all.filter(move |&(x, y)| x >= 0 && y >= 0 && x < columns && y < rows)
            .map(move |(x, y)| (y * columns + x) as u32)
    }

    /// The squares that contain a sector.
    pub(super) fn squares_of(self, sector: SectorId) -> [u32; 4] {
        let (x, y) = (sector.0 % self.grid.columns(), sector.0 / self.grid.columns());
        let first = y * self.square_columns() + x;
        [first, first + 1, first + self.square_columns(), first + self.square_columns() + 1]
    }

    /// Writes the pieces whose [`PieceGrid::square`] this is, in order. They are near its middle.
    pub(super) fn write_ins(self, ground: CostView<'_>, square: u32, out: &mut Vec<Piece>) {
        out.clear();
        for sector in self.around(square) {
            out.extend(self.pieces(ground, sector).filter(|&piece| self.square(piece) == square));
        }
    }

    /// Writes the pieces around a square, in order.
    pub(super) fn write_outs(self, ground: CostView<'_>, square: u32, out: &mut Vec<Piece>) {
        out.clear();
        out.extend(self.ring(square).filter_map(|at| self.piece(ground, at)));
        out.sort_unstable();
        out.dedup();
    }

    /// The cells around a square that are on the map.
    pub(super) fn ring(self, square: u32) -> impl Iterator<Item = CellPos> {
        ring(self.square_area(square)).filter(move |&at| self.size.contains(at))
    }
}

/// The cells around an area.
fn ring(area: CellRect) -> impl Iterator<Item = CellPos> {
    let CellRect { x0, y0, x1, y1 } = area;
    let rows = [y0 - 1, y1].into_iter().flat_map(move |y| (x0 - 1..=x1).map(move |x| CellPos::new(x, y)));
    let columns = [x0 - 1, x1].into_iter().flat_map(move |x| (y0..y1).map(move |y| CellPos::new(x, y)));
    rows.chain(columns)
}
