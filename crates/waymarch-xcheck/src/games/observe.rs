//! Everything that a World shows of its units and groups, and the answers to queries in a running game, as hashes.

use waymarch::query::{BlockedBy, Controller, Goal, PathQuery};
use waymarch::search::Route;

use super::game::Game;
use crate::queries::hash_route;

impl Game {
    /// Adds what a World shows to [`Game::seen`].
    pub(crate) fn observe(&mut self) {
        let (seen, world) = (&mut self.seen, &self.world);
        let mut near = Vec::new();
        for unit in world.units() {
            seen.debug(unit);
            let id = unit.id;
            seen.debug((
                world.cell_of(id),
                world.route_status(id),
                world.route_of(id),
                world.next_waypoint(id),
                world.rung_of(id),
                world.trouble_of(id),
                world.order_number(id),
            ));
            seen.debug((
                world.place_of(id),
                world.group_of(id),
                world.slot_of(id),
                world.next_gate(id),
                world.is_on_detour(id),
                world.is_halted(id),
                world.grants_right_of_way(id),
                world.heads_for(id),
                world.desired_velocity(id),
            ));
            world.orders_of(id).for_each(|order| seen.debug(order));
            if let Some(path) = world.route_of(id) {
                seen.debug((world.service().guidance(path), world.service().report(path)));
            }
            if let Some(at) = world.cell_of(id).filter(|_| id.index() % 16 == 0) {
                for blocked_by in [BlockedBy::All, BlockedBy::Stationary, BlockedBy::Immovable] {
                    near.clear();
                    world.blockers_near(at, 6, blocked_by, id, &mut near);
                    seen.debug(&near);
                }
            }
        }
        for group in world.groups() {
            seen.debug_old((
                group,
                world.cohesion_of(group),
                world.waiting_of(group),
                world.formation_of(group),
            ));
            world.gates_of(group).for_each(|gate| seen.debug(gate));
            world.detour_gates_of(group).for_each(|gate| seen.debug(gate));
        }
        seen.debug((world.service().waiting(), world.service().len(), world.service().work()));
        seen.debug(world.service().groups().collect::<Vec<_>>());
        world.positions().for_each(|position| seen.debug(position));
    }

    /// Asks for routes in the middle of the game. The queries change no state; a later hash shows it.
    pub(crate) fn query(&mut self) {
        let mut route = Route::new();
        for _ in 0..3 {
            let (from, to) = (self.any_cell(), self.any_cell());
            let kind = self.random.below(self.world.types().len() as u32) as usize;
            let agent = self.world.types()[kind].agent;
            let query = PathQuery::new(from, to, agent);
            let mut queries = self.world.queries();
            let done = queries.path_into(&query, &mut route);
            hash_route(&mut self.seen, done, &route);
            let done = queries.path_far(&query, &mut route);
            hash_route(&mut self.seen, done, &route);
            let smooth = queries.path_smooth(from, to, agent);
            self.seen.debug(smooth.map(|path| (path.cost, path.length, path.points)));
            let route = queries.path_for(Controller::Ai, from, to, agent);
            self.seen.debug(route.map(|route| (route.cost, route.waypoints)));
            self.seen.debug(queries.path_or_nearest(from, &Goal::point(to), agent));
            self.seen.debug(queries.snap(from, &Goal::point(to), agent));
        }
    }
}
