//! Where units may come to rest, so that no passage is closed.

use super::{Passage, Passages};
use crate::base::{Agent, CellPos, CellRect};
use crate::cost::CostLayer;

/// Ground on which units stop, and ground that they keep free for others: closed cells, cells where the map forbids stopping (docks, ramps, bridges), and
/// bottlenecks with the cells around them.
///
/// Formation slots, the ends of orders and the places of units that have given up all lie on such places to stand.
#[derive(Clone, Copy, Debug)]
pub struct StandingGround<'a> {
    layer: &'a CostLayer,
    passages: &'a [Passages],
}

impl<'a> StandingGround<'a> {
    /// The ground of a map. The passages must belong to the layer; those of other agents than the one that is asked for do not count.
    #[must_use]
    pub const fn new(layer: &'a CostLayer, passages: &'a [Passages]) -> Self {
        Self { layer, passages }
    }

    /// Whether a unit may stand on a cell for long. *Cost:* a look at the cells under the unit and around it.
    ///
    /// ```
    /// use waymarch::base::{Agent, GridSize, LocomotorId, Tick, cell};
    /// use waymarch::cost::{CostLayer, CostSettings, Map, Rules, Stamp, StepRule};
    /// use waymarch::passages::{Passages, StandingGround};
    ///
    /// // A wall with a gap of one cell.
    /// let map = Map::flat("field", GridSize::new(32, 32)?, Rules::standard()).validate()?;
    /// let mut layer = CostLayer::new(&map, CostSettings::default());
    /// layer.place(&Stamp::solid(3, 12), cell(14, 0), Tick::ZERO)?;
    /// layer.place(&Stamp::solid(3, 19), cell(14, 13), Tick::ZERO)?;
    /// let foot = Agent::from(LocomotorId(0));
    /// let passages = [Passages::new(&layer, foot, StepRule::default())?];
    /// let ground = StandingGround::new(&layer, &passages);
    /// assert!(!ground.is_place_to_stand(foot, cell(15, 12)), "it would close the gap");
    /// assert!(!ground.is_place_to_stand(foot, cell(17, 12)), "it would close the mouth");
    /// assert!(ground.is_place_to_stand(foot, cell(18, 12)));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn is_place_to_stand(&self, agent: Agent, at: CellPos) -> bool {
        let side = u32::from(agent.size.side());
        self.layer.field(agent).is_some_and(|field| field.is_passable(at))
            && self.layer.can_stop(at, agent)
            && self.leaves_passages_free(|of| of == agent, CellRect::at(at, side, side), None)
    }

    /// Whether a body over these cells is neither in a bottleneck nor within 1 cell of one. `counts` says whose passages count. The passage around a berth is kept
    /// free too, even if it is a dead end.
    pub(crate) fn leaves_passages_free(
        &self,
        counts: impl Fn(Agent) -> bool,
        body: CellRect,
        berth: Option<CellPos>,
    ) -> bool {
        let around = body.grow(1, 1);
        let closes = |passages: &Passages| {
            let approach = berth.and_then(|berth| passages.at(berth)).map(|passage| passage.id);
            let kept = |passage: &Passage| passage.is_bottleneck() || approach == Some(passage.id);
            around.cells().any(|at| passages.at(at).is_some_and(kept))
        };
        !self.passages.iter().filter(|passages| counts(passages.agent())).any(closes)
    }
}
