//! Gates on a group's route: at corners the group keeps its width, at doors it narrows, on open ground there are no gates.

use waymarch::avoid::{FINE_CELL, Fine};
use waymarch::base::{CellPos, Purpose, Rng, Tick, cell};
use waymarch::groups::{GateFinder, RouteGate};

const CELL: i64 = FINE_CELL as i64;

/// The gates of a route through the centres of these cells. `open` tells which cells are open.
fn gates(route: &[(i32, i32)], cells_wide: i64, open: impl Fn(i32, i32) -> bool) -> Vec<RouteGate> {
    let route: Vec<Fine> = route.iter().map(|&(x, y)| Fine::centre(cell(x, y))).collect();
    let mut out = Vec::new();
    let is_open = |at: CellPos| open(at.x, at.y);
    GateFinder::default().find(&route, cells_wide * CELL, is_open, &mut out);
    out
}

/// The cell where the taut route crosses a gate.
fn at(gate: &RouteGate) -> (i32, i32) {
    (gate.taut.cell().x, gate.taut.cell().y)
}

#[test]
fn open_ground_has_no_gates() {
    assert!(gates(&[(5, 5), (80, 40)], 10, |_, _| true).is_empty());
    // The same for a group that is wider than the search for walls.
    assert!(gates(&[(5, 5), (80, 40)], 90, |_, _| true).is_empty());
}

#[test]
fn a_route_that_begins_and_ends_in_a_corridor_has_no_gate() {
    // Slots may lie before the end of the route: a gate there would lead units past them.
    let corridor = |_: i32, y: i32| (10..=13).contains(&y);
    assert!(gates(&[(5, 11), (70, 11)], 9, corridor).is_empty());
    // A route that leaves the corridor has a gate at the exit.
    let found = gates(&[(5, 11), (70, 11)], 9, |x, y| x > 40 || (10..=13).contains(&y));
    assert_eq!(found.len(), 1, "{found:?}");
    assert!((39..=41).contains(&at(&found[0]).0));
}

#[test]
fn a_corner_has_a_gate_that_reaches_outwards_by_the_width_of_the_group() {
    // Closed south-west of (20, 20): the route goes east along the north side and turns south.
    let open = |x: i32, y: i32| !(x < 20 && y > 20);
    let found = gates(&[(2, 20), (20, 20), (20, 60)], 8, open);
    assert_eq!(found.len(), 1, "{found:?}");
    let gate = &found[0];
    assert_eq!(at(gate), (20, 20));
    assert!(gate.ahead.0 > 600 && gate.ahead.1 > 600, "south-east: {:?}", gate.ahead);
    // The gate ends at the corner on the inner side and goes on at the outer side.
    assert!(gate.width() >= 8 * CELL, "{}", gate.width());
    let inside = gate.gate.right.distance_squared(gate.taut).isqrt() as i64;
    assert!(inside < CELL, "the wall is on the right: {inside}");
    assert!(!gate.is_behind(Fine::centre(cell(10, 20))) && gate.is_behind(Fine::centre(cell(20, 30))));
}

#[test]
fn a_door_has_a_gate_from_jamb_to_jamb_for_a_wide_group_and_none_for_a_small_one() {
    let open = |x: i32, y: i32| x != 30 || (18..=20).contains(&y);
    let found = gates(&[(5, 19), (60, 19)], 9, open);
    assert_eq!(found.len(), 1, "{found:?}");
    let width = found[0].width();
    assert!((3 * CELL - CELL / 16..=3 * CELL).contains(&width), "{width}");
    assert_eq!(at(&found[0]), (30, 19));
    assert!(gates(&[(5, 19), (60, 19)], 2, open).is_empty());
}

#[test]
fn a_door_crossed_at_an_angle_has_a_gate_from_jamb_to_jamb() {
    // A line at right angles to such a route crosses only open ground. Places on that line were behind the wall, and units that had them
    // pushed each other against the jamb.
    let open = |x: i32, y: i32| x != 30 || (18..=20).contains(&y);
    for route in [[(10, 2), (50, 36)], [(10, 36), (50, 2)], [(20, 5), (40, 33)]] {
        let found = gates(&route, 12, open);
        assert_eq!(found.len(), 1, "{route:?}: {found:?}");
        let width = found[0].width();
        assert!((3 * CELL - CELL / 16..=3 * CELL).contains(&width), "{route:?}: {width}");
        assert_eq!(found[0].ahead, (1024, 0), "{route:?}");
        // A unit beside the wall has not passed the gate, although it is beyond a line at right angles to the route.
        for y in [14, 24] {
            assert!(!found[0].is_behind(Fine::centre(cell(29, y))), "{route:?}: (29, {y})");
        }
    }
}

#[test]
fn a_long_corridor_has_a_gate_at_each_end() {
    let open = |x: i32, y: i32| !(20..=50).contains(&x) || (10..=13).contains(&y);
    let found = gates(&[(5, 11), (70, 11)], 9, open);
    let places: Vec<i32> = found.iter().map(|gate| at(gate).0).collect();
    assert_eq!(places.len(), 2, "{places:?}");
    assert!((19..=21).contains(&places[0]) && (49..=51).contains(&places[1]), "{places:?}");
}

#[test]
fn degenerate_routes_have_no_gates_and_do_not_panic() {
    for route in [&[][..], &[(3, 3)], &[(3, 3), (3, 3)], &[(3, 3), (4, 3), (3, 3)]] {
        gates(route, 5, |_, _| false);
        gates(route, 0, |_, _| true);
    }
    let far = [Fine::new(i32::MIN, i32::MIN), Fine::new(i32::MAX, i32::MAX), Fine::new(i32::MIN, i32::MAX)];
    let mut out = Vec::new();
    GateFinder::default().find(&far, i64::from(i32::MAX), |_| true, &mut out);
    GateFinder::default().find(&far, 0, |_| false, &mut out);
}

#[test]
fn members_spread_wider_at_a_bend_than_at_a_door() {
    use waymarch::base::Fixed;
    use waymarch::groups::Lanes;
    let open = |x: i32, y: i32| !(x < 20 && y > 20);
    let bend = gates(&[(2, 20), (20, 20), (20, 60)], 8, open)[0];
    let door = gates(&[(5, 19), (60, 19)], 9, |x, y| x != 30 || (18..=20).contains(&y))[0];
    let (radius, lanes) = (Fixed::from_raw(410), |cells: i64| Lanes { width: cells * CELL });
    assert_eq!(door.slant, 1024);
    assert_eq!(lanes(2).across(&door, radius), lanes(2), "straight through");
    let askew = lanes(6).across(&bend, radius).width;
    assert!(askew > 6 * CELL && askew < 7 * CELL, "{askew}");
    // At most the width of the gate, and at least the unit's own width.
    let full = (bend.width() - CELL) / CELL;
    assert!(lanes(full).across(&bend, radius).width <= bend.width());
    assert_eq!(lanes(40).across(&bend, radius), lanes(40));
}

#[test]
fn a_gate_across_open_ground_reaches_from_wall_to_wall_in_both_directions() {
    let corridor = |at: CellPos| (10..=19).contains(&at.y);
    let gate = GateFinder::across(Fine::centre(cell(30, 12)), (1024, 0), 30 * CELL, corridor);
    assert!((gate.width() - 10 * CELL).abs() < CELL / 16, "{}", gate.width());
    assert!(gate.gate.left.y < gate.gate.right.y, "north is left of a unit that goes east");
    let back = gate.turned_round();
    assert_eq!((back.gate.left, back.gate.right), (gate.gate.right, gate.gate.left));
    assert!(back.is_behind(Fine::centre(cell(20, 12))) && !gate.is_behind(Fine::centre(cell(20, 12))));
    assert_eq!(back.turned_round(), gate);
    let near = GateFinder::across(Fine::centre(cell(30, 12)), (1024, 0), 2 * CELL, corridor);
    assert_eq!(near.width(), 4 * CELL, "the gate ends at the search limit");
}

/// The distance to closed ground, sampled every eighth of a cell and then every 64th.
fn sampled_distance(at: Fine, (x, y): (i64, i64), far: i64, open: impl Fn(CellPos) -> bool) -> i64 {
    let point = |by: i64| {
        Fine::new((i64::from(at.x) + x * by / 1024) as i32, (i64::from(at.y) + y * by / 1024) as i32)
    };
    let is_open = |by: i64| open(point(by).cell());
    let mut free = 0;
    while free < far && is_open((free + CELL / 8).min(far)) {
        free = (free + CELL / 8).min(far);
    }
    for part in [16, 32, 64] {
        if free + CELL / part < far && is_open(free + CELL / part) {
            free += CELL / part;
        }
    }
    free
}

#[test]
fn walls_are_found_where_small_samples_find_them() {
    let mut random = Rng::keyed(7, Tick::ZERO, 0, Purpose(1));
    let mut ended = [0; 2];
    for _ in 0..20_000 {
        let mut draw = |count: u32| random.below(count);
        // 0, 2, 10 or 40 % of the cells are closed, drawn from their position.
        let (closed, seed) = ([0, 2, 10, 40][draw(4) as usize], draw(1 << 16));
        let open = |at: CellPos| {
            let mixed =
                (at.x as u32).wrapping_mul(0x9e37_79b1) ^ (at.y as u32).wrapping_mul(0x85eb_ca77) ^ seed;
            mixed.wrapping_mul(0xc2b2_ae35) >> 16 & 127 >= closed
        };
        let mut place = || draw(1 << 22) as i32 - (1 << 21);
        let at = Fine::new(place(), place());
        let mut part = || i64::from(draw(2049)) - 1024;
        let (x, y) = (part(), part());
        let long = (x * x + y * y).isqrt() + 1;
        let ahead = (x * 1024 / long.max(1), y * 1024 / long.max(1));
        let far = CELL + i64::from(draw(20 * CELL as u32));
        let found = GateFinder::across(at, ahead, far, open).gate;
        let left = sampled_distance(at, (ahead.1, -ahead.0), far, open);
        let right = sampled_distance(at, (-ahead.1, ahead.0), far, open);
        let aside = |by: i64| {
            let (dx, dy) = (-ahead.1 * by / 1024, ahead.0 * by / 1024);
            Fine::new(at.x + dx as i32, at.y + dy as i32)
        };
        assert_eq!((found.left, found.right), (aside(-left), aside(right)), "{at:?} {ahead:?} {far}");
        ended[usize::from(left < far)] += 1;
    }
    assert!(ended.iter().all(|&many| many > 4000), "both cases occur often: {ended:?}");
}

/// Whether a straight line crosses a gate, computed with exact fractions. The line must meet the gate between its ends, ends included, and
/// lead from before the gate to beyond it.
fn crosses(gate: &RouteGate, from: Fine, to: Fine) -> bool {
    let wide = |at: Fine| (i128::from(at.x), i128::from(at.y));
    let ((fx, fy), (tx, ty)) = (wide(from), wide(to));
    let ((lx, ly), (rx, ry)) = (wide(gate.gate.left), wide(gate.gate.right));
    let beyond = |(x, y): (i128, i128)| {
        let (at_x, at_y) = wide(gate.taut);
        (x - at_x) * i128::from(gate.ahead.0) + (y - at_y) * i128::from(gate.ahead.1)
    };
    if beyond((fx, fy)) > 0 || beyond((tx, ty)) <= 0 {
        return false;
    }
    // left + part * (right - left) is on the line: part = up / down.
    let up = (fx - lx) * (ty - fy) - (fy - ly) * (tx - fx);
    let down = (rx - lx) * (ty - fy) - (ry - ly) * (tx - fx);
    let (up, down) = if down < 0 { (-up, -down) } else { (up, down) };
    down > 0 && (0..=down).contains(&up)
}

#[test]
fn gate_crossings_equal_exact_fractions() {
    let mut random = Rng::keyed(5, Tick::ZERO, 0, Purpose(5));
    let mut point = || Fine::new(random.below(40 << 16) as i32, random.below(40 << 16) as i32);
    let mut found = 0;
    for ahead in [(1024, 0), (0, -1024), (724, 724), (-1000, 221), (-391, -946)] {
        let gate = GateFinder::across(Fine::centre(cell(20, 20)), ahead, 6 * CELL, |_| true);
        for _ in 0..4000 {
            let (from, to) = (point(), point());
            assert_eq!(gate.is_crossed(from, to), crosses(&gate, from, to), "{gate:?} {from:?} {to:?}");
            found += usize::from(gate.is_crossed(from, to));
        }
        assert!(!gate.is_crossed(gate.taut, gate.taut));
    }
    assert!((500..12_000).contains(&found), "{found}");
}
