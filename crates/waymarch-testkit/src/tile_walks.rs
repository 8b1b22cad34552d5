//! The cost of following flow tiles from every cell of a corridor, step by step, compared with the cheapest routes.

use waymarch::base::CellPos;
use waymarch::cost::CostLayer;
use waymarch::flow::tiles::{FlowId, TileFlows, TileReader};
use waymarch::flow::whole::{Flow, FlowByte};

use crate::rule::{Rule, step_cost};

/// The cost of following the tiles of a finished flow from every cell of the map, row by row; `None` where they lead nowhere and
/// outside the corridor. `cost` is the cost of each cell, row by row.
///
/// # Panics
/// If tiles lead in a circle, into a closed cell, past a corner that must not be cut, or out of their corridor.
#[must_use]
pub fn walks(
    layer: &CostLayer,
    flows: &mut TileFlows,
    id: FlowId,
    cost: &[u8],
    rule: impl Into<Rule>,
) -> Vec<Option<u64>> {
    let (size, rule) = (layer.grid(), rule.into());
    let dims = (size.width(), size.height());
    let place = |at: CellPos| at.y as usize * dims.0 as usize + at.x as usize;
    let sectors = layer.changes().sectors();
    let mut told = vec![Flow::Closed; cost.len()];
    let mut reader = TileReader::new();
    for sector in flows.corridor(id).collect::<Vec<_>>() {
        for at in sectors.area(sector).intersect(size.rect()).cells() {
            told[place(at)] = flows.byte(layer, id, at, &mut reader).map_or(Flow::Closed, FlowByte::flow);
        }
    }
    let (mut paid, mut done) = (vec![None; cost.len()], vec![false; cost.len()]);
    let mut passed = Vec::new();
    for from in size.rect().cells().filter(|&at| matches!(told[place(at)], Flow::Step(_))) {
        let mut at = from;
        passed.clear();
        while !done[place(at)] {
            let Flow::Step(dir) = told[place(at)] else { break };
            let to = at.step(dir);
            let step = step_cost(cost, dims, rule, (at.x, at.y), (to.x, to.y));
            let step = step.unwrap_or_else(|_| panic!("from {from}: an illegal step {dir:?} at {at}"));
            passed.push((at, step));
            assert!(passed.len() <= cost.len(), "from {from}: a loop at {at}");
            at = to;
        }
        if told[place(at)] == Flow::Goal {
            paid[place(at)] = Some(0);
        }
        assert!(paid[place(at)].is_some(), "from {from}: tiles end at {at}");
        for &(at, step) in passed.iter().rev() {
            let dir = match told[place(at)] {
                Flow::Step(dir) => dir,
                _ => continue,
            };
            paid[place(at)] = paid[place(at.step(dir))].map(|rest: u64| rest + step);
            done[place(at)] = true;
        }
    }
    paid
}

/// How much more walks cost than the cheapest routes, in millionths.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Ratios {
    /// Number of walks.
    pub count: u64,
    /// The sum of all ratios.
    pub sum: u128,
    /// The largest ratio.
    pub worst: u64,
    /// How many cost over ten per cent more than the cheapest route.
    pub over_ten: u64,
}

impl Ratios {
    /// Counts a walk; a walk of length 0 does not count.
    ///
    /// # Panics
    /// If it is cheaper than the cheapest route.
    pub fn add(&mut self, paid: u64, best: u64) {
        assert!(paid >= best, "{paid} is cheaper than the best, {best}");
        let Some(ratio) = (paid * 1_000_000).checked_div(best) else { return };
        self.count += 1;
        self.sum += u128::from(ratio);
        self.worst = self.worst.max(ratio);
        self.over_ten += u64::from(ratio > 1_100_000);
    }

    /// Adds the counts of another.
    pub fn join(&mut self, other: Self) {
        self.count += other.count;
        self.sum += other.sum;
        self.worst = self.worst.max(other.worst);
        self.over_ten += other.over_ten;
    }

    /// The mean ratio.
    #[must_use]
    pub fn mean(&self) -> u64 {
        (self.sum / u128::from(self.count.max(1))) as u64
    }
}

/// Moves straight by `offset` from a position, in 1/1024 cell. Returns the end, or the first change of cells that is not a legal step.
/// Two changes at the same point must together be a legal step too, so that no corner is cut.
///
/// # Errors
/// The illegal step as text.
pub fn go_straight(
    cost: &[u8],
    size: (u32, u32),
    rule: impl Into<Rule>,
    from: (i64, i64),
    offset: (i64, i64),
) -> Result<(i32, i32), String> {
    let rule = rule.into();
    let start = (from.0.div_euclid(1024) as i32, from.1.div_euclid(1024) as i32);
    // When each border is crossed, as a fraction of the move: (numerator, denominator, along x, by how much).
    let mut crossings: Vec<(i64, i64, bool, i32)> = Vec::new();
    for (along_x, at, by) in [(true, from.0, offset.0), (false, from.1, offset.1)] {
        let (first, last) = (at.div_euclid(1024), (at + by).div_euclid(1024));
        let borders = if by > 0 { first + 1..=last } else { last + 1..=first };
        crossings.extend(
            borders.map(|border| ((border * 1024 - at).abs(), by.abs(), along_x, by.signum() as i32)),
        );
    }
    crossings.sort_by(|a, b| (a.0 * b.1).cmp(&(b.0 * a.1)));
    let step = |a: (i32, i32), b: (i32, i32)| {
        step_cost(cost, size, rule, a, b).map_err(|why| format!("{a:?} to {b:?}: {why:?}"))
    };
    let (mut at, mut next) = (start, 0);
    while let Some(&(when, of, along_x, by)) = crossings.get(next) {
        let together =
            crossings.get(next + 1).filter(|other| other.2 != along_x && other.0 * of == when * other.1);
        let mut to = at;
        for &(_, _, along_x, by) in [(when, of, along_x, by)].iter().chain(together) {
            *(if along_x { &mut to.0 } else { &mut to.1 }) += by;
        }
        step(at, to)?;
        next += 1 + usize::from(together.is_some());
        at = to;
    }
    if (at.0 - start.0).abs() == 1 && (at.1 - start.1).abs() == 1 {
        step(start, at).map_err(|why| format!("cuts a corner: {why}"))?;
    }
    Ok(at)
}
