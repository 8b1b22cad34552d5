//! The least costs from piece to piece, by squares of four sectors.

use alloc::vec::Vec;

use super::pieces::{Piece, PieceGrid};
use crate::base::{Agent, CellPos, CellRect, Dir8};
use crate::cost::{ChangeMark, CostLayer, CostView, SectorId, StepRule};
use crate::query::{PlanError, Threat};
use crate::sectors::doors::distances::{NO_ROUTE, SectorDistances, Towards, step_units};
use crate::sectors::doors::table::Table;

/// The least costs from the pieces near the middle of a square to the pieces around it.
#[derive(Clone, Debug, Default)]
pub(super) struct Square {
    pub(super) ins: Vec<Piece>,
    pub(super) outs: Vec<Piece>,
    /// A row for each of `outs`, a column for each of `ins`.
    pub(super) costs: Table,
}

/// Derived from one agent's costs, with or without threat: the least costs between pieces of sectors' rims.
///
/// [`RimField`](super::RimField)s are made from it. The costs of a square are found when they are first needed, and kept: about 2 ms per square and 2 bytes per
/// cell, with sectors of 32 cells. An edit drops the costs near it.
#[derive(Clone, Debug)]
pub struct Rims {
    agent: Agent,
    pub(super) rule: StepRule,
    threat: Threat,
    pub(super) pieces: PieceGrid,
    pub(super) squares: Vec<Square>,
    /// How far the layer's changes were followed.
    known: ChangeMark,
    /// Scratch: the sectors that changed.
    changed: Vec<SectorId>,
    /// Scratch: the squares whose costs depend on them.
    stale: Vec<u32>,
}

/// A legal step out of an area: the cell that it leaves, its cost, and the piece of the cell that it enters.
#[derive(Clone, Copy, Debug)]
pub(super) struct Crossing {
    pub(super) from: CellPos,
    pub(super) units: u32,
    pub(super) piece: Piece,
}

impl Rims {
    /// Makes the rims for units of `agent` that step by `rule`. `threat` says whether they heed threat. Cost: a few looks at each rim cell.
    ///
    /// # Errors
    /// [`PlanError::UnknownAgent`] if the locomotor or size has no costs.
    pub fn new(layer: &CostLayer, agent: Agent, rule: StepRule, threat: Threat) -> Result<Self, PlanError> {
        let ground = layer.view(agent, threat).ok_or(PlanError::UnknownAgent(agent))?;
        let pieces = PieceGrid { size: layer.grid(), grid: layer.changes().sectors() };
        let mut squares = Vec::new();
        squares.resize_with(pieces.squares() as usize, Square::default);
        squares.iter_mut().zip(0..).for_each(|(square, number)| square.refresh(pieces, ground, number));
        let (changed, stale) = (Vec::new(), Vec::new());
        Ok(Self { agent, rule, threat, pieces, squares, known: layer.changes().mark_now(), changed, stale })
    }

    /// Follows the changes of the layer since the last call.
    pub fn follow(&mut self, layer: &CostLayer) {
        let log = layer.changes();
        if layer.grid() != self.pieces.size || log.sectors() != self.pieces.grid {
            // Another map: start again. If it has no costs for the agent, the rims stay and are never current.
            if let Ok(rebuilt) = Self::new(layer, self.agent, self.rule, self.threat) {
                *self = rebuilt;
            }
            return;
        }
        log.collect_since(self.known, &mut self.changed);
        self.known = log.mark_now();
        let Some(ground) = self.ground(layer) else { return };
        let Self { pieces, squares, changed, stale, .. } = self;
        stale.clear();
        stale.extend(changed.iter().flat_map(|&sector| pieces.squares_near(sector)));
        stale.sort_unstable();
        stale.dedup();
        for &square in &*stale {
            squares[square as usize].refresh(*pieces, ground, square);
        }
    }

    /// Whether all changes of the layer were followed.
    #[must_use]
    pub fn is_current(&self, layer: &CostLayer) -> bool {
        let (log, PieceGrid { size, grid }) = (layer.changes(), self.pieces);
        self.known == log.mark_now() && layer.grid() == size && log.sectors() == grid
    }

    /// The agent.
    #[must_use]
    pub fn agent(&self) -> Agent {
        self.agent
    }

    /// Whether threat counts.
    #[must_use]
    pub fn threat(&self) -> Threat {
        self.threat
    }

    /// The step rule.
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

    pub(super) fn ground<'a>(&self, layer: &'a CostLayer) -> Option<CostView<'a>> {
        layer.view(self.agent, self.threat).filter(|_| self.is_current(layer))
    }

    /// Finds the costs of a square.
    pub(super) fn find_costs(
        &self,
        ground: CostView<'_>,
        square: u32,
        inside: &mut SectorDistances,
        crossings: &mut Vec<Crossing>,
    ) {
        let Square { ins, outs, costs } = &self.squares[square as usize];
        let area = self.pieces.square_area(square);
        inside.enter(ground, area, self.rule);
        crossings.clear();
        self.pieces.ring(square).for_each(|at| self.steps_to(ground, at, area, crossings));
        crossings.sort_unstable_by_key(|step| (step.piece, step.from));
        for (&piece, column) in ins.iter().zip(0..) {
            let cells = self.pieces.cells(ground, piece);
            if inside.is_uniform() {
                costs.fill_column(
                    column,
                    outs.iter().map(|&out| {
                        let steps = of_piece(crossings, out).iter();
                        steps
                            .map(|step| uniform_least(inside, cells.clone(), *step))
                            .min()
                            .unwrap_or(NO_ROUTE)
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
                    least.min().unwrap_or(NO_ROUTE)
                }),
            );
        }
    }

    /// Adds the legal steps from cells of `area` to a cell beside it.
    fn steps_to(&self, ground: CostView<'_>, to: CellPos, area: CellRect, out: &mut Vec<Crossing>) {
        let Some(piece) = self.pieces.piece(ground, to) else { return };
        for dir in legal_dirs(ground, to, self.rule) {
            // Between open cells a step is legal in both directions.
            let from = to.step(dir);
            if area.contains(from) {
                out.push(Crossing { from, units: step_units(dir, ground.cost(to)), piece });
            }
        }
    }

    /// Writes the legal steps out of a sector.
    pub(super) fn steps_out_of(&self, ground: CostView<'_>, sector: SectorId, out: &mut Vec<Crossing>) {
        out.clear();
        let area = self.pieces.area(sector);
        let around = area.grow(1, 1).intersect(self.pieces.size.rect());
        let beside = around.cells().filter(|&at| !area.contains(at));
        beside.for_each(|at| self.steps_to(ground, at, area, out));
    }
}

impl Square {
    /// Finds the pieces again and drops the costs between them.
    fn refresh(&mut self, pieces: PieceGrid, ground: CostView<'_>, square: u32) {
        pieces.write_ins(ground, square, &mut self.ins);
        pieces.write_outs(ground, square, &mut self.outs);
        self.costs.reset_to(self.outs.len(), self.ins.len());
    }
}

/// The crossings to one piece, from a list sorted by piece.
fn of_piece(crossings: &[Crossing], piece: Piece) -> &[Crossing] {
    let from = crossings.partition_point(|step| step.piece < piece);
    let count = crossings[from..].partition_point(|step| step.piece == piece);
    &crossings[from..from + count]
}

/// The least cost from any of `cells` over one step, on uniform ground.
fn uniform_least(inside: &mut SectorDistances, cells: impl Iterator<Item = CellPos>, step: Crossing) -> u32 {
    let least = cells.map(|at| {
        inside.spread(at, Towards::Cells);
        inside.distance(step.from)
    });
    least.min().map_or(NO_ROUTE, |least| least.saturating_add(step.units))
}

/// The legal directions from a cell on the map; none from a closed cell.
fn legal_dirs(ground: CostView<'_>, at: CellPos, rule: StepRule) -> impl Iterator<Item = Dir8> {
    let legal = if ground.field.is_passable(at) { ground.field.legal_steps(at, rule) } else { 0 };
    Dir8::ALL.into_iter().filter(move |dir| legal >> dir.index() & 1 != 0)
}
