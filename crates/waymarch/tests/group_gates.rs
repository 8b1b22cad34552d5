//! Gates on a group's way: at corners the group keeps its width, at doors it narrows, in the open there are none.

use waymarch::avoid::{FINE_CELL, Fine};
use waymarch::base::{CellPos, Purpose, Rng, Tick, cell};
use waymarch::groups::{GateFinder, WayGate};

const CELL: i64 = FINE_CELL as i64;

/// The gates of a way through the middles of these cells, on ground that is open where `open` says so.
fn gates(way: &[(i32, i32)], cells_wide: i64, open: impl Fn(i32, i32) -> bool) -> Vec<WayGate> {
    let way: Vec<Fine> = way.iter().map(|&(x, y)| Fine::centre(cell(x, y))).collect();
    let mut out = Vec::new();
    let is_open = |at: CellPos| open(at.x, at.y);
    GateFinder::default().find(&way, cells_wide * CELL, is_open, &mut out);
    out
}

/// Where it lies, in cells.
fn at(gate: &WayGate) -> (i32, i32) {
    (gate.taut.cell().x, gate.taut.cell().y)
}

#[test]
fn in_the_open_there_are_none() {
    assert!(gates(&[(5, 5), (80, 40)], 10, |_, _| true).is_empty());
    // Not for a group that is wider than anybody looks for walls either.
    assert!(gates(&[(5, 5), (80, 40)], 90, |_, _| true).is_empty());
}

#[test]
fn a_way_that_begins_and_ends_in_a_corridor_has_none() {
    // Slots may lie on this side of where the way ends: a gate there would lead units past them.
    let corridor = |_: i32, y: i32| (10..=13).contains(&y);
    assert!(gates(&[(5, 11), (70, 11)], 9, corridor).is_empty());
    // One that comes out of it has one where it comes out.
    let found = gates(&[(5, 11), (70, 11)], 9, |x, y| x > 40 || (10..=13).contains(&y));
    assert_eq!(found.len(), 1, "{found:?}");
    assert!((39..=41).contains(&at(&found[0]).0));
}

#[test]
fn a_corner_has_one_that_reaches_outwards_as_far_as_the_group_is_wide() {
    // Closed south-west of (20, 20): the way goes east along its north side and turns south.
    let open = |x: i32, y: i32| !(x < 20 && y > 20);
    let found = gates(&[(2, 20), (20, 20), (20, 60)], 8, open);
    assert_eq!(found.len(), 1, "{found:?}");
    let gate = &found[0];
    assert_eq!(at(gate), (20, 20));
    assert!(gate.ahead.0 > 600 && gate.ahead.1 > 600, "south-east: {:?}", gate.ahead);
    // Inside it ends at the corner, outside it goes on.
    assert!(gate.width() >= 8 * CELL, "{}", gate.width());
    let inside = gate.gate.right.distance_squared(gate.taut).isqrt() as i64;
    assert!(inside < CELL, "the wall is on the right: {inside}");
    assert!(!gate.is_behind(Fine::centre(cell(10, 20))) && gate.is_behind(Fine::centre(cell(20, 30))));
}

#[test]
fn a_door_in_the_way_of_a_wide_group_has_one_from_jamb_to_jamb_and_a_small_group_needs_none() {
    let open = |x: i32, y: i32| x != 30 || (18..=20).contains(&y);
    let found = gates(&[(5, 19), (60, 19)], 9, open);
    assert_eq!(found.len(), 1, "{found:?}");
    let width = found[0].width();
    assert!((3 * CELL - CELL / 16..=3 * CELL).contains(&width), "{width}");
    assert_eq!(at(&found[0]), (30, 19));
    assert!(gates(&[(5, 19), (60, 19)], 2, open).is_empty());
}

#[test]
fn a_door_that_the_way_goes_through_askew_has_one_from_jamb_to_jamb_too() {
    // Straight across such a way there is nothing but open ground: places in that line were behind the wall, and all who had them pressed
    // each other against the jamb.
    let open = |x: i32, y: i32| x != 30 || (18..=20).contains(&y);
    for way in [[(10, 2), (50, 36)], [(10, 36), (50, 2)], [(20, 5), (40, 33)]] {
        let found = gates(&way, 12, open);
        assert_eq!(found.len(), 1, "{way:?}: {found:?}");
        let width = found[0].width();
        assert!((3 * CELL - CELL / 16..=3 * CELL).contains(&width), "{way:?}: {width}");
        assert_eq!(found[0].ahead, (1024, 0), "{way:?}");
        // Who comes along the wall has not passed it, though it has by a line across the way.
        for y in [14, 24] {
            assert!(!found[0].is_behind(Fine::centre(cell(29, y))), "{way:?}: (29, {y})");
        }
    }
}

#[test]
fn a_long_corridor_has_one_where_it_begins_and_one_where_it_ends() {
    let open = |x: i32, y: i32| !(20..=50).contains(&x) || (10..=13).contains(&y);
    let found = gates(&[(5, 11), (70, 11)], 9, open);
    let places: Vec<i32> = found.iter().map(|gate| at(gate).0).collect();
    assert_eq!(places.len(), 2, "{places:?}");
    assert!((19..=21).contains(&places[0]) && (49..=51).contains(&places[1]), "{places:?}");
}

#[test]
fn degenerate_ways_have_none_and_nothing_panics() {
    for way in [&[][..], &[(3, 3)], &[(3, 3), (3, 3)], &[(3, 3), (4, 3), (3, 3)]] {
        gates(way, 5, |_, _| false);
        gates(way, 0, |_, _| true);
    }
    let far = [Fine::new(i32::MIN, i32::MIN), Fine::new(i32::MAX, i32::MAX), Fine::new(i32::MIN, i32::MAX)];
    let mut out = Vec::new();
    GateFinder::default().find(&far, i64::from(i32::MAX), |_| true, &mut out);
    GateFinder::default().find(&far, 0, |_| false, &mut out);
}

#[test]
fn members_take_more_of_a_bend_s_line_than_of_a_door_s() {
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
    // No more than there is room for; and not less than its own width, whatever the gate's.
    let full = (bend.width() - CELL) / CELL;
    assert!(lanes(full).across(&bend, radius).width <= bend.width());
    assert_eq!(lanes(40).across(&bend, radius), lanes(40));
}

#[test]
fn a_gate_across_open_ground_reaches_from_wall_to_wall_and_is_the_same_both_ways() {
    let corridor = |at: CellPos| (10..=19).contains(&at.y);
    let gate = GateFinder::across(Fine::centre(cell(30, 12)), (1024, 0), 30 * CELL, corridor);
    assert!((gate.width() - 10 * CELL).abs() < CELL / 16, "{}", gate.width());
    assert!(gate.gate.left.y < gate.gate.right.y, "who goes east has the north on its left");
    let back = gate.turned_round();
    assert_eq!((back.gate.left, back.gate.right), (gate.gate.right, gate.gate.left));
    assert!(back.is_behind(Fine::centre(cell(20, 12))) && !gate.is_behind(Fine::centre(cell(20, 12))));
    assert_eq!(back.turned_round(), gate);
    let near = GateFinder::across(Fine::centre(cell(30, 12)), (1024, 0), 2 * CELL, corridor);
    assert_eq!(near.width(), 4 * CELL, "no further than it is to look");
}

/// How far it is to closed ground, felt for at every eighth of a cell and then to a 64th.
fn felt(at: Fine, (x, y): (i64, i64), far: i64, open: impl Fn(CellPos) -> bool) -> i64 {
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
fn walls_are_found_where_small_steps_would_feel_them() {
    let mut random = Rng::keyed(7, Tick::ZERO, 0, Purpose(1));
    let mut ended = [0; 2];
    for _ in 0..20_000 {
        let mut draw = |count: u32| random.below(count);
        // Ground with so many cells of a hundred closed, drawn by their place.
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
        let left = felt(at, (ahead.1, -ahead.0), far, open);
        let right = felt(at, (-ahead.1, ahead.0), far, open);
        let aside = |by: i64| {
            let (dx, dy) = (-ahead.1 * by / 1024, ahead.0 * by / 1024);
            Fine::new(at.x + dx as i32, at.y + dy as i32)
        };
        assert_eq!((found.left, found.right), (aside(-left), aside(right)), "{at:?} {ahead:?} {far}");
        ended[usize::from(left < far)] += 1;
    }
    assert!(ended.iter().all(|&many| many > 4000), "walls and none: {ended:?}");
}

/// Where a straight way crosses a gate's line, by fractions: between its ends, both counting, and from before it to beyond it.
fn crosses(gate: &WayGate, from: Fine, to: Fine) -> bool {
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
    // left + part * (right - left) is on the way: part = up / down.
    let up = (fx - lx) * (ty - fy) - (fy - ly) * (tx - fx);
    let down = (rx - lx) * (ty - fy) - (ry - ly) * (tx - fx);
    let (up, down) = if down < 0 { (-up, -down) } else { (up, down) };
    down > 0 && (0..=down).contains(&up)
}

#[test]
fn what_crosses_a_gate_is_what_fractions_say() {
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
