//! Rims: what ways through a few sectors cost at least, and from that, what is left to a goal at least.
//!
//! The way over doors is a real way, so its cost is never below the least; an exact search needs a guess that is never above
//! it. So here is the other side: the cells at the edges of sectors are cut into short *pieces*, and of all ways
//! from one piece to another the cheapest counts, wherever in the pieces it begins and ends.
//!
//! Between pieces of one sector that would be worth little: a way along a border could hop from one side to the
//! other, and at each hop jump to the other end of a piece for nothing. So a way is followed until it leaves the *square* of
//! four sectors around the corner that is nearest to where it begins. For that it has to go half a sector at least, and
//! what it jumps for nothing is little beside that.
//!
//! *Why it is never too much.* Take any way from a cell of a piece to the goal. Either it stays within the piece's square, and
//! costs no less than the cheapest way within the square; or it leaves it, for the first time by a step to a cell
//! around the square, which is in some other piece. Up to there it costs no less than the cheapest way from piece to piece within the square
//! and one step out of it, and from there no less than what is left from that piece. From any cell likewise, with its sector in place of the square.

mod field;
mod pieces;

use alloc::vec::Vec;

pub use field::{RimField, RimScratch};

use super::doors::inside::{Ground, Inside, NO_WAY, Towards, step_units};
use super::doors::table::Table;
use crate::base::{Agent, CellPos, CellRect, Dir8};
use crate::cost::{ChangeMark, CostLayer, IMPASSABLE, SectorId, StepRule};
use crate::query::{PlanError, Threat};
use pieces::{Cut, Piece};

/// The least costs from the pieces in the middle of a square to those around it.
#[derive(Clone, Debug, Default)]
struct Square {
    ins: Vec<Piece>,
    outs: Vec<Piece>,
    /// A row for each of `outs`, a column for each of `ins`.
    costs: Table,
}

/// Derived from one agent's costs, with threat or without: the least costs between pieces of sectors' rims.
///
/// What [`RimField`]s are made of. The costs of a square are found when they are first needed, and kept: about two milliseconds each and two
/// bytes a cell, at sectors of 32 cells. An edit makes those near it be found again.
#[derive(Clone, Debug)]
pub struct Rims {
    agent: Agent,
    rule: StepRule,
    threat: Threat,
    cut: Cut,
    squares: Vec<Square>,
    /// How far the layer's changes were followed.
    known: ChangeMark,
}

/// A legal step from a cell to one beyond, what it costs, and the piece of the latter.
#[derive(Clone, Copy, Debug)]
struct Crossing {
    from: CellPos,
    units: u32,
    piece: Piece,
}

impl Rims {
    /// For units of `agent` that step by `rule` and heed threat or not. Costs a look at the rims.
    ///
    /// # Errors
    /// [`PlanError::UnknownAgent`] for a locomotor or size without costs.
    pub fn new(layer: &CostLayer, agent: Agent, rule: StepRule, threat: Threat) -> Result<Self, PlanError> {
        let field = layer.field(agent).ok_or(PlanError::UnknownAgent(agent))?;
        let ground = Ground::new(field, layer.threat(), threat);
        let cut = Cut { size: layer.grid(), grid: layer.changes().sectors() };
        let mut squares = Vec::new();
        squares.resize_with(cut.squares() as usize, Square::default);
        squares.iter_mut().zip(0..).for_each(|(square, number)| square.look_again(cut, ground, number));
        Ok(Self { agent, rule, threat, cut, squares, known: layer.changes().mark_now() })
    }

    /// Follows what changed in the layer since this was last called.
    pub fn follow(&mut self, layer: &CostLayer) {
        let log = layer.changes();
        if layer.grid() != self.cut.size || log.sectors() != self.cut.grid {
            // Another map: begin anew. An agent it has no costs for keeps rims that are never current.
            if let Ok(anew) = Self::new(layer, self.agent, self.rule, self.threat) {
                *self = anew;
            }
            return;
        }
        let behind = core::mem::replace(&mut self.known, log.mark_now());
        let (cut, Some(ground)) = (self.cut, self.ground(layer)) else { return };
        let mut look = |square: u32| self.squares[square as usize].look_again(cut, ground, square);
        match log.since(behind) {
            Some(changed) => changed.iter().flat_map(|&sector| cut.squares_near(sector)).for_each(look),
            None => (0..cut.squares()).for_each(&mut look),
        }
    }

    /// Whether nothing changed in the layer that has not been followed.
    #[must_use]
    pub fn is_current(&self, layer: &CostLayer) -> bool {
        self.known == layer.changes().mark_now() && layer.grid() == self.cut.size
    }

    /// Finds all costs that are not known yet, for those who would rather wait while a map is being loaded.
    pub fn prepare_all(&self, layer: &CostLayer, scratch: &mut RimScratch) {
        let Some(ground) = self.ground(layer) else { return };
        for square in 0..self.cut.squares() {
            if self.squares[square as usize].costs.row(0).is_none() {
                self.find_costs(ground, square, scratch.tools());
            }
        }
    }

    /// Whose rims.
    #[must_use]
    pub fn agent(&self) -> Agent {
        self.agent
    }

    /// Whether threat counts.
    #[must_use]
    pub fn threat(&self) -> Threat {
        self.threat
    }

    /// By which rule units step.
    #[must_use]
    pub fn rule(&self) -> StepRule {
        self.rule
    }

    /// Bytes held.
    #[must_use]
    pub fn memory_bytes(&self) -> usize {
        let of_square = |square: &Square| {
            size_of::<Square>()
                + (square.ins.capacity() + square.outs.capacity()) * size_of::<Piece>()
                + square.costs.memory_bytes()
        };
        self.squares.iter().map(of_square).sum()
    }

    fn ground<'a>(&self, layer: &'a CostLayer) -> Option<Ground<'a>> {
        let field = layer.field(self.agent).filter(|_| self.is_current(layer))?;
        Some(Ground::new(field, layer.threat(), self.threat))
    }

    /// Finds the costs of a square.
    fn find_costs(
        &self,
        ground: Ground<'_>,
        square: u32,
        (inside, crossings): (&mut Inside, &mut Vec<Crossing>),
    ) {
        let Square { ins, outs, costs } = &self.squares[square as usize];
        let area = self.cut.square_area(square);
        inside.enter(ground, area, self.rule);
        crossings.clear();
        self.cut.ring(square).for_each(|at| self.steps_to(ground, at, area, crossings));
        crossings.sort_unstable_by_key(|step| (step.piece, step.from));
        for (&piece, column) in ins.iter().zip(0..) {
            let cells = self.cut.cells(ground, piece);
            if inside.is_even() {
                costs.fill_column(
                    column,
                    outs.iter().map(|&out| {
                        let steps = of_piece(crossings, out).iter();
                        steps.map(|step| even_least(inside, cells.clone(), *step)).min().unwrap_or(NO_WAY)
                    }),
                );
                continue;
            }
            inside.spread_from(cells.map(|at| (at, 0)), self.rule, Towards::Cells);
            costs.fill_column(
                column,
                outs.iter().map(|&out| {
                    let steps = of_piece(crossings, out).iter();
                    let least = steps.map(|step| inside.distance(step.from).saturating_add(step.units));
                    least.min().unwrap_or(NO_WAY)
                }),
            );
        }
    }

    /// Adds the legal steps from cells of `area` to a cell beside it.
    fn steps_to(&self, ground: Ground<'_>, to: CellPos, area: CellRect, out: &mut Vec<Crossing>) {
        let Some(piece) = self.cut.piece(ground, to) else { return };
        for dir in legal_dirs(ground, to, self.rule) {
            // Between open cells a step is legal both ways.
            let from = to.step(dir);
            if area.contains(from) {
                out.push(Crossing { from, units: step_units(dir, ground.cost(to)), piece });
            }
        }
    }

    /// Writes the legal steps out of a sector.
    fn steps_out_of(&self, ground: Ground<'_>, sector: SectorId, out: &mut Vec<Crossing>) {
        out.clear();
        let area = self.cut.area(sector);
        let around = area.grow(1, 1).intersect(self.cut.size.rect());
        let beside = around.cells().filter(|&at| !area.contains(at));
        beside.for_each(|at| self.steps_to(ground, at, area, out));
    }
}

impl Square {
    /// Finds the pieces anew; the costs between them are not known.
    fn look_again(&mut self, cut: Cut, ground: Ground<'_>, square: u32) {
        cut.write_ins(ground, square, &mut self.ins);
        cut.write_outs(ground, square, &mut self.outs);
        self.costs.reset_to(self.outs.len(), self.ins.len());
    }
}

/// The crossings to one piece, of those sorted by piece.
fn of_piece(crossings: &[Crossing], piece: Piece) -> &[Crossing] {
    let from = crossings.partition_point(|step| step.piece < piece);
    let count = crossings[from..].partition_point(|step| step.piece == piece);
    &crossings[from..from + count]
}

/// The least from any of `cells` over one step, on even ground.
fn even_least(inside: &mut Inside, cells: impl Iterator<Item = CellPos>, step: Crossing) -> u32 {
    let least = cells.map(|at| {
        inside.spread(at, Towards::Cells);
        inside.distance(step.from)
    });
    least.min().map_or(NO_WAY, |least| least.saturating_add(step.units))
}

/// The directions in which a cell on the map can be left; none of a closed cell.
fn legal_dirs(ground: Ground<'_>, at: CellPos, rule: StepRule) -> impl Iterator<Item = Dir8> {
    let (padding, costs) = (ground.field.padding(), ground.field.padded());
    let place = padding.pad(at).index();
    let mut around = 0;
    for (dir, offset) in padding.neighbour_offsets().into_iter().enumerate() {
        around |= usize::from(costs[place.wrapping_add_signed(offset as isize)] != IMPASSABLE) << dir;
    }
    let legal = if costs[place] == IMPASSABLE { 0 } else { rule.table()[around] };
    Dir8::ALL.into_iter().filter(move |dir| legal >> dir.index() & 1 != 0)
}
