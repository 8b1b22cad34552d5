//! Scripted games: situations that random commands seldom produce.

use waymarch::base::{Angle, CellRect, Dir8, Fixed, cell};
use waymarch::cost::{FootCell, GateState, Stamp};
use waymarch::groups::Formation;
use waymarch::query::Goal;
use waymarch::world::{Applied, Around, Command, Order, When};

use super::game::Game;

/// Armies with routes that cross, docks, guards, units around units.
pub(crate) fn cross(game: &mut Game, tick: u32) {
    use When::{Now, Queued};
    let cells = Fixed::from_cells;
    match tick {
        1 => {
            let east = game.squad(0, 0, CellRect::at(cell(20, 44), 8, 8));
            let south = game.squad(0, 0, CellRect::at(cell(44, 20), 8, 8));
            game.order(&east, Order::move_to(cell(82, 48)).formation(Formation::Box), Now);
            game.order(&south, Order::move_to(cell(48, 82)), Now);
            game.order(&east, Order::patrol([cell(82, 60), cell(60, 82)]), Queued);
            let dock = game.apply(Command::Place { stamp: Stamp::solid(3, 3), at: cell(10, 80) });
            let Some(Applied::Stamp(dock)) = dock else { panic!("the stamp fits the map") };
            game.stamps.push(dock);
            let trucks = game.squad(2, 0, CellRect::at(cell(4, 50), 3, 4));
            game.order(&trucks, Order::around(dock, Around::Dock { queue: Dir8::N.into() }), Now);
            let parked = game.squad(3, 0, CellRect::at(cell(3, 3), 3, 2));
            game.order(&parked, Order::around(dock, Around::Park), Now);
            let leader = game.squad(1, 1, CellRect::at(cell(80, 10), 1, 1))[0];
            game.order(&[leader], Order::patrol([cell(80, 10), cell(60, 10), cell(70, 25)]), Now);
            let ring = game.squad(0, 1, CellRect::at(cell(85, 3), 4, 3));
            game.order(&ring, Order::around(leader, Around::Surround), Now);
            let tail = game.squad(2, 1, CellRect::at(cell(70, 2), 4, 1));
            game.order(&tail, Order::FollowGroup { units: ring.clone(), distance: cells(5) }, Now);
            let guard = game.squad(0, 1, CellRect::at(cell(60, 3), 3, 2));
            game.order(&guard, Order::guard(leader, cells(5)), Now);
            let shy = game.squad(4, 2, CellRect::at(cell(30, 80), 3, 3));
            game.order(&shy, Order::Scatter { distance: cells(6) }, Now);
            let guns = game.squad(0, 2, CellRect::at(cell(30, 5), 5, 2));
            game.order(&guns, Order::around(cell(40, 40), Around::in_range(cells(3), cells(9))), Now);
        }
        90 | 180 | 270 => {
            let truck = game.units[128 + (tick as usize - 90) / 90];
            game.order(&[truck], Order::move_to(cell(50, 90)), Now);
        }
        120 => {
            let units = game.units[..64].to_vec();
            game.apply(Command::Reform { units, formation: Formation::Wedge, facing: Some(Dir8::SE.into()) });
        }
        160 => {
            let units = game.units[64..96].to_vec();
            game.order(
                &units,
                Order::move_to(cell(20, 20)).formation(Formation::Hex).facing(Angle(100)),
                Now,
            );
            game.order(&units, Order::Hold, Queued);
        }
        220 => {
            let (units, with) = (game.units[96..120].to_vec(), game.units[0]);
            game.apply(Command::Join { units, with });
        }
        300 => {
            let units = game.units[..40].to_vec();
            game.order(&units, Order::attack_move(Goal::circle(cell(75, 12), cells(4)), cells(9)), Now);
        }
        _ => {}
    }
}

/// A wall with a narrow gate that is near and a broad one that is far. A second army comes from the other side.
pub(crate) fn gates(game: &mut Game, tick: u32) {
    use When::Now;
    match tick {
        1 => {
            for (y, h) in [(0, 33), (34, 20), (60, 12)] {
                game.apply(Command::Place { stamp: Stamp::solid(2, h), at: cell(50, y) });
            }
            let gate = game.apply(Command::Place {
                stamp: Stamp::filled("gate", 2, 1, FootCell::Gate),
                at: cell(50, 33),
            });
            let Some(Applied::Stamp(gate)) = gate else { panic!("the stamp fits the map") };
            game.gates.push(gate);
            game.apply(Command::SetGate { id: gate, gate: GateState::Open });
            let west = game.squad(0, 0, CellRect::at(cell(8, 25), 10, 12));
            game.order(&west, Order::move_to(cell(85, 33)), Now);
            let east = game.squad(0, 0, CellRect::at(cell(80, 55), 8, 6));
            game.order(&east, Order::move_to(cell(12, 33)).formation(Formation::Column), Now);
            let tanks = game.squad(2, 0, CellRect::at(cell(10, 50), 5, 3));
            game.order(&tanks, Order::move_to(cell(80, 12)).formation(Formation::Line), Now);
        }
        170 => {
            let id = game.gates[0];
            game.apply(Command::SetGate { id, gate: GateState::Closed });
        }
        270 => {
            let id = game.gates[0];
            game.apply(Command::SetGate { id, gate: GateState::Open });
            game.apply(Command::Place { stamp: Stamp::solid(2, 6).lasting(200), at: cell(50, 54) });
        }
        _ => {}
    }
}
