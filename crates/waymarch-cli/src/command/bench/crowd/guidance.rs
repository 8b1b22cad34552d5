//! Our own ways through a crowd scene: straight where the goal is seen, smoothed routes elsewhere.

use waymarch::avoid::{Crowd, Fine, Guide, Stance};
use waymarch::base::{Agent, Fixed, LocomotorId, SizeClass, Vec2, WorldPos};
use waymarch::cost::StepRule;
use waymarch::search::line_of_sight_between;
use waymarch::world::Navigator;
use waymarch_maps::crowd::{CrowdScene, Ground};

/// A unit that lost sight of its next bend for so long looks for another way, in ticks.
const LOST: u16 = 20;

/// A unit's way.
#[derive(Clone, Debug)]
struct Way {
    agent: Agent,
    goal: Fine,
    /// Bends, the goal last.
    bends: Vec<Fine>,
    next: usize,
    lost: u16,
}

/// The ways of all units of a scene.
pub(super) struct Guidance {
    ways: Vec<Way>,
    /// Without walls everybody goes straight.
    walled: bool,
}

impl Guidance {
    pub(super) fn new(
        scene: &CrowdScene,
        ground: &Ground,
        navigator: &mut Navigator,
        crowd: &mut Crowd,
    ) -> Self {
        let mut ways = Vec::with_capacity(scene.agents.len());
        let walled = !scene.walls.is_empty();
        for (place, unit) in scene.agents.iter().enumerate() {
            let side = (2.0 * unit.radius).ceil().clamp(1.0, 3.0) as u8;
            let size = SizeClass::new(side).unwrap_or_default();
            let goal = ground.point(unit.goal);
            let agent = Agent { locomotor: LocomotorId(0), size };
            let mut way = Way { agent, goal, bends: vec![goal], next: 0, lost: 0 };
            if walled {
                way.find(navigator, crowd.positions()[place]);
            }
            // Who has no way to go is idle.
            if unit.shortest > 0.0 {
                crowd.guide(place, way.guide(crowd.positions()[place]));
            }
            ways.push(way);
        }
        Self { ways, walled }
    }

    /// Tells everybody the next bend.
    pub(super) fn guide(&mut self, navigator: &mut Navigator, crowd: &mut Crowd) {
        if !self.walled {
            return;
        }
        for (place, way) in self.ways.iter_mut().enumerate() {
            if crowd.stance(place) == Stance::Moving {
                let at = crowd.positions()[place];
                if way.go_on(navigator, at) {
                    crowd.guide(place, way.guide(at));
                }
            }
        }
    }
}

fn world(at: Fine) -> WorldPos {
    Vec2::from(at).at_height(Fixed::ZERO)
}

impl Way {
    fn sees(&self, navigator: &Navigator, at: Fine, to: Fine) -> bool {
        let field = navigator.layer().field(self.agent);
        field.is_some_and(|field| line_of_sight_between(field, StepRule::default(), world(at), world(to)))
    }

    fn find(&mut self, navigator: &mut Navigator, at: Fine) {
        (self.next, self.lost) = (0, 0);
        self.bends.clear();
        if !self.sees(navigator, at, self.goal)
            && let Ok(path) = navigator.path_smooth(at.cell(), self.goal.cell(), self.agent)
        {
            // The middle of its own cell too: from elsewhere in it the next bend may be behind a corner.
            let inner = path.points.len().saturating_sub(1).max(1).min(path.points.len());
            self.bends.extend(path.points[..inner].iter().map(|&point| Fine::from(Vec2::from(point))));
        }
        self.bends.push(self.goal);
    }

    /// Goes on to the next bend when that is seen, or near. Whether anything changed for the unit.
    fn go_on(&mut self, navigator: &mut Navigator, at: Fine) -> bool {
        let before = self.next;
        while let Some(&after) = self.bends.get(self.next + 1) {
            let near = at.distance_squared(self.bends[self.next]) < 1 << 30;
            if !near && !self.sees(navigator, at, after) {
                break;
            }
            self.next += 1;
        }
        let last = self.next + 1 == self.bends.len();
        if before != self.next || self.sees(navigator, at, self.bends[self.next]) {
            self.lost = 0;
        } else {
            self.lost += 1;
            if self.lost > LOST {
                self.find(navigator, at);
                return true;
            }
        }
        before != self.next || !last
    }

    fn guide(&self, at: Fine) -> Guide {
        let mut left = 0_u64;
        let mut from = at;
        for &bend in &self.bends[self.next..] {
            left += from.distance_squared(bend).isqrt() >> 6;
            from = bend;
        }
        let aim = self.bends[self.next];
        Guide { aim, goal: self.goal, left: left.min(u64::from(u32::MAX)) as u32 }
    }
}
