//! Draws stamps: houses with roofs, walls, gates and paved yards.

use waymarch::base::cell;
use waymarch::cost::{FootCell, PlacedStamp};

use super::canvas::Canvas;
use super::colour::Colour;
use super::map_view::MapView;

/// Draws every stamp.
pub(super) fn build(canvas: &mut Canvas, view: &MapView<'_>) {
    for placed in view.stamps {
        let solid = placed.stamp.cells.iter().all(|foot| *foot == FootCell::Blocked);
        if solid { house(canvas, placed) } else { parts(canvas, placed) }
    }
}

/// Roof colours: the lit and the shaded side. The stamp's name and position choose one.
const ROOFS: [(Colour, Colour); 5] = [
    (Colour::hex(0xc8553d), Colour::hex(0x8f3526)),
    (Colour::hex(0xd0a85a), Colour::hex(0x9a7638)),
    (Colour::hex(0x7d8ca0), Colour::hex(0x546173)),
    (Colour::hex(0xb5714a), Colour::hex(0x7f4a2e)),
    (Colour::hex(0xa04a4a), Colour::hex(0x6e2f33)),
];

fn roof_of(placed: &PlacedStamp) -> (Colour, Colour) {
    let salt = (placed.at.x / 2 + placed.at.y / 3) as u32 % 3;
    let sum = placed.stamp.name.bytes().fold(salt, |h, b| h.wrapping_mul(31).wrapping_add(u32::from(b)));
    ROOFS[sum as usize % ROOFS.len()]
}

/// Draws a hipped roof over the whole footprint, with a shadow to the south-east.
fn house(canvas: &mut Canvas, placed: &PlacedStamp) {
    let side = canvas.cell_side();
    let inset = 0.08;
    let (left, top) = canvas.place(placed.at.x as f32 + inset, placed.at.y as f32 + inset);
    let (wide, tall) =
        ((placed.stamp.width as f32 - 2.0 * inset) * side, (placed.stamp.height as f32 - 2.0 * inset) * side);
    let (right, bottom) = (left + wide, top + tall);
    let (lit, dark) = roof_of(placed);
    if side < 2.0 {
        canvas.fill_rect([left, top, wide.max(1.0), tall.max(1.0)], lit, 255);
        return;
    }
    let cast = side * 0.45;
    let shadow = [
        (left + cast * 0.4, bottom),
        (left + cast, bottom + cast),
        (right + cast, bottom + cast),
        (right + cast, top + cast),
        (right, top + cast * 0.4),
        (right, bottom),
    ];
    canvas.fill_polygon(&shadow, Colour::hex(0x000000), 100);
    let corners = [(left, top), (right, top), (right, bottom), (left, bottom)];
    // The ridge runs along the longer side.
    let half = wide.min(tall) / 2.0;
    let (a, b) = if wide >= tall {
        ((left + half * 0.8, top + half), (right - half * 0.8, top + half))
    } else {
        ((left + half, top + half * 0.8), (left + half, bottom - half * 0.8))
    };
    let mid = |share: f32| {
        let mix =
            |i: usize| (f32::from(dark.0[i]) + (f32::from(lit.0[i]) - f32::from(dark.0[i])) * share) as u8;
        Colour([mix(0), mix(1), mix(2)])
    };
    canvas.fill_polygon(&corners, dark, 255);
    let [nw, ne, se, sw] = corners;
    let facets: [(Vec<(f32, f32)>, f32); 4] = if wide >= tall {
        [
            (vec![nw, ne, b, a], 1.0),
            (vec![ne, se, b], 0.25),
            (vec![sw, se, b, a], 0.0),
            (vec![nw, sw, a], 0.8),
        ]
    } else {
        [
            (vec![nw, ne, a], 1.0),
            (vec![ne, se, b, a], 0.1),
            (vec![sw, se, b], 0.0),
            (vec![nw, sw, b, a], 0.85),
        ]
    };
    for (facet, share) in &facets {
        canvas.fill_polygon(facet, mid(*share), 255);
    }
    let line = (side * 0.09).clamp(0.8, 3.0);
    let outline = Colour::hex(0x2b1c14);
    canvas.stroke_line(&[nw, ne, se, sw, nw], line * 1.3, outline, 255);
    canvas.stroke_line(&[a, b], line, mid(1.35), 230);
    for (corner, end) in
        [(nw, a), (sw, if wide >= tall { a } else { b }), (se, b), (ne, if wide >= tall { b } else { a })]
    {
        canvas.stroke_line(&[corner, end], line * 0.6, outline, 120);
    }
    // A chimney, if there is space.
    if side >= 6.0 && placed.stamp.width.max(placed.stamp.height) >= 3 {
        let (x, y) = (b.0 - side * 0.35, b.1 - side * 0.45);
        canvas.fill_rect([x, y, side * 0.32, side * 0.32], Colour::hex(0x4a3a32), 255);
        canvas.fill_rect([x, y, side * 0.32, side * 0.12], Colour::hex(0x8a766a), 255);
    }
}

/// Draws a footprint with several kinds of cells, cell by cell.
fn parts(canvas: &mut Canvas, placed: &PlacedStamp) {
    let side = canvas.cell_side();
    let columns = placed.stamp.width.max(1);
    let at = |i: usize| {
        let at = cell(i as i32 % columns as i32, i as i32 / columns as i32);
        canvas_place(placed, at.x, at.y, side)
    };
    let (lit, dark) = roof_of(placed);
    for (i, foot) in placed.stamp.cells.iter().enumerate() {
        let (x, y) = at(i);
        if matches!(foot, FootCell::Blocked | FootCell::Wall(_) | FootCell::Gate) {
            canvas.fill_rect([x + side * 0.3, y + side * 0.35, side, side], Colour::hex(0x000000), 80);
        }
    }
    for (i, foot) in placed.stamp.cells.iter().enumerate() {
        let (x, y) = at(i);
        let rim = (side * 0.14).max(0.5);
        match foot {
            FootCell::Open | FootCell::Terrain(_) => {}
            FootCell::NoStop => {
                canvas.fill_rect([x, y, side, side], Colour::hex(0x9a9a94), 255);
                canvas.fill_rect(
                    [x + side * 0.4, y + rim, side * 0.2, side - 2.0 * rim],
                    Colour::hex(0xe8c84a),
                    220,
                );
            }
            FootCell::Blocked => {
                canvas.fill_rect([x, y, side, side], dark, 255);
                canvas.fill_rect([x, y, side, side - rim], lit, 255);
            }
            FootCell::Wall(_) => {
                canvas.fill_rect([x, y, side, side], Colour::hex(0x55504a), 255);
                canvas.fill_rect([x + rim / 2.0, y, side - rim, side - rim], Colour::hex(0xb8b0a2), 255);
            }
            FootCell::Gate => {
                canvas.fill_rect([x, y, side, side], Colour::hex(0x3a2c1c), 255);
                for bar in 0..3 {
                    let left = x + side * (0.1 + 0.3 * bar as f32);
                    canvas.fill_rect(
                        [left, y + rim, side * 0.18, side - 2.0 * rim],
                        Colour::hex(0xc49a4a),
                        255,
                    );
                }
            }
        }
    }
}

fn canvas_place(placed: &PlacedStamp, dx: i32, dy: i32, side: f32) -> (f32, f32) {
    ((placed.at.x + dx) as f32 * side, (placed.at.y + dy) as f32 * side)
}
