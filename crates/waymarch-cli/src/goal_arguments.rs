//! Arguments of `path` for goals larger than one cell, node limits and turn costs.

use clap::Args;
use waymarch::base::{CellPos, Dir8, StampId};
use waymarch::cost::CostLayer;
use waymarch::query::{Goal, GoalQuery, Threat, Turning};

use crate::arguments::EndArgs;
use crate::diagnostics::{Failure, Kind};
use crate::map_setup::MapSetup;

/// Goals, limits and turn costs.
#[derive(Args, Clone, Debug)]
pub(crate) struct GoalArgs {
    /// A goal area instead of --to: circle:X,Y,R, ring:X,Y,R1,R2, rect:X,Y,W,H or any:X,Y;X,Y. With out-of: before it, the
    /// route leaves the area.
    #[arg(long, value_name = "GOAL", conflicts_with = "to", allow_hyphen_values = true, value_parser = goal)]
    goal: Option<Goal>,
    /// Stop after N expanded nodes and give the best route so far.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    node_limit: Option<u32>,
    /// If the goal cannot be reached, go to the reachable cell nearest to it.
    #[arg(long)]
    nearest: bool,
    /// The cost of each turn of 45°; 1024 is a straight step onto a cell of cost 1.
    #[arg(long, value_name = "N", default_value_t = 0)]
    turn_cost: u32,
    /// The direction the unit faces at the start: n, ne, e, se, s, sw, w or nw. Without it the first step has no turn cost.
    #[arg(long, value_name = "DIR", requires = "turn_cost", value_parser = heading)]
    heading: Option<Dir8>,
    /// Ignore a stamp of the map (repeatable): its number, from 0 in the map's order, or a name, which means all stamps of
    /// that name.
    #[arg(long = "ignore-stamp", value_name = "NUMBER|NAME")]
    ignore_stamps: Vec<String>,
}

/// A goal query with owned parts; [`GoalRequest::query`] borrows from it.
#[derive(Debug)]
pub(crate) struct GoalRequest {
    pub(crate) starts: Vec<CellPos>,
    pub(crate) goal: Goal,
    ignored: Vec<StampId>,
    turning: Turning,
    node_limit: u32,
    nearest: bool,
}

impl GoalArgs {
    /// Whether the arguments need a goal query instead of a query from cell to cell.
    pub(crate) fn wanted(&self, ends: &EndArgs) -> bool {
        self.goal.is_some()
            || self.node_limit.is_some()
            || self.nearest
            || self.turn_cost > 0
            || !self.ignore_stamps.is_empty()
            || ends.from.len() > 1
    }

    /// The goal query; a missing start or goal is chosen as for any route.
    pub(crate) fn ask(&self, setup: &MapSetup, ends: &EndArgs) -> Result<GoalRequest, Failure> {
        let given_all = !ends.from.is_empty() && (self.goal.is_some() || ends.to.is_some());
        let (starts, to) = if given_all {
            (ends.from.clone(), ends.to)
        } else {
            let asked = EndArgs { from: ends.from.first().copied().into_iter().collect(), to: ends.to };
            let chosen = setup.ends(&asked)?;
            let starts = if ends.from.is_empty() { vec![chosen.from] } else { ends.from.clone() };
            (starts, Some(chosen.to))
        };
        let goal = self.goal.clone().or(to.map(Goal::point));
        let goal = goal.ok_or_else(|| Failure::new(Kind::Usage, "no goal given: add --to or --goal"))?;
        Ok(GoalRequest {
            starts,
            goal,
            ignored: self.ignored(&setup.layer)?,
            turning: Turning { per_eighth: self.turn_cost, heading: self.heading },
            node_limit: self.node_limit.unwrap_or(0),
            nearest: self.nearest,
        })
    }

    /// The stamps named by --ignore-stamp.
    fn ignored(&self, layer: &CostLayer) -> Result<Vec<StampId>, Failure> {
        let mut found = Vec::new();
        for word in &self.ignore_stamps {
            let number = word.parse::<usize>().ok();
            let before = found.len();
            let stamps = layer.stamps().enumerate();
            let named =
                stamps.filter(|(place, (_, _, stamp))| number.map_or(stamp.name == *word, |n| n == *place));
            found.extend(named.map(|(_, (id, _, _))| id));
            let count = layer.stamps().count();
            if let Some(number) = number.filter(|&number| number >= count) {
                let message = match count {
                    0 => format!("--ignore-stamp: there is no stamp number {number}: the map has no stamps"),
                    _ => format!(
                        "--ignore-stamp: there is no stamp number {number}: the map has the numbers 0 to {}",
                        count - 1
                    ),
                };
                return Err(Failure::new(Kind::UnknownName, message));
            }
            if found.len() == before {
                let mut names: Vec<&str> = layer.stamps().map(|(_, _, stamp)| stamp.name.as_str()).collect();
                names.sort_unstable();
                names.dedup();
                return Err(Failure::unknown("stamp", word, &names).option("--ignore-stamp"));
            }
        }
        found.sort_unstable();
        found.dedup();
        Ok(found)
    }
}

impl GoalRequest {
    /// The query as the engine takes it.
    pub(crate) fn query(&self, setup: &MapSetup, threat: Threat) -> GoalQuery<'_> {
        let query = GoalQuery::new(&self.starts, &self.goal, setup.agent)
            .with_threat(threat)
            .with_turning(self.turning)
            .node_limit(self.node_limit)
            .ignoring(&self.ignored);
        if self.nearest { query.or_nearest() } else { query }
    }
}

fn goal(word: &str) -> Result<Goal, String> {
    word.parse().map_err(|error| format!("{error}"))
}

fn heading(word: &str) -> Result<Dir8, String> {
    let names = ["n", "ne", "e", "se", "s", "sw", "w", "nw"];
    let found = names.iter().zip(Dir8::ALL).find(|(name, _)| name.eq_ignore_ascii_case(word));
    found.map(|(_, dir)| dir).ok_or_else(|| format!("a direction is one of: {}", names.join(", ")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn wrong_goals_and_headings_are_reported_with_their_place() {
        assert_eq!(goal("circle:3,4,2").map(|goal| goal.to_string()), Ok("circle:3,4,2".to_owned()));
        assert!(goal("circle:3,4").unwrap_err().starts_with("at 7: 2 numbers"));
        assert_eq!(heading("SW"), Ok(Dir8::SW));
        assert!(heading("up").unwrap_err().contains("nw"));
    }
}
