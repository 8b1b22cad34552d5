//! Draws trees and pebbles.

use super::canvas::Canvas;
use super::colour::Ink;
use super::look::Look;
use super::raster::Raster;
use super::texture::grain;

/// Draws trees on forest tiles and pebbles on rough ground and rubble, from north to south, so that southern trees cover northern ones.
pub(super) fn plant(canvas: &mut Canvas, raster: &Raster) {
    let side = canvas.scale().pixels_per_tile() as f32;
    for y in 0..raster.height {
        // All shadows of a row lie under its crowns.
        for part in [Part::Shadow, Part::Crown] {
            for x in 0..raster.width {
                match raster.look(x, y) {
                    Look::Forest => grow(canvas, x, y, side, part),
                    Look::Rough | Look::Rubble => strew(canvas, x, y, side, part),
                    _ => {}
                }
            }
        }
    }
}

#[derive(Clone, Copy)]
enum Part {
    Shadow,
    Crown,
}

fn grow(canvas: &mut Canvas, x: i32, y: i32, side: f32, part: Part) {
    let count = if side >= 7.0 { 2 } else { 1 };
    for i in 0..count {
        let salt = 80 + i * 8;
        let (jx, jy) = (grain(x, y, salt), grain(x, y, salt + 1));
        // A single tree may stand anywhere on its tile; two trees stand in opposite corners.
        let (from, span) = if count == 2 { (0.1 + 0.32 * i as f32, 0.55) } else { (0.0, 1.0) };
        let at = ((x as f32 + from + jx * span) * side, (y as f32 + from + jy * span) * side);
        let radius = side * (0.36 + 0.26 * grain(x, y, salt + 2)) * if count == 1 { 1.35 } else { 1.0 };
        match part {
            Part::Shadow => {
                canvas.disc((at.0 + radius * 0.45, at.1 + radius * 0.55), radius, Ink::hex(0x14200c), 0.42);
            }
            Part::Crown => crown(canvas, at, radius, grain(x, y, salt + 3)),
        }
    }
}

/// Draws a crown: dark rim, body, and light from the north-west.
fn crown(canvas: &mut Canvas, (x, y): (f32, f32), radius: f32, tone: f32) {
    let rim = Ink::hex(0x1c3a17).mix(Ink::hex(0x25421a), tone);
    let body = Ink::hex(0x2c5a22).mix(Ink::hex(0x45702a), tone);
    let light = Ink::hex(0x4c8032).mix(Ink::hex(0x6c963c), tone);
    if radius < 1.2 {
        canvas.disc((x, y), radius, body, 0.9);
        return;
    }
    canvas.disc((x, y), radius, rim, 1.0);
    canvas.disc((x - radius * 0.10, y - radius * 0.12), radius * 0.82, body, 1.0);
    canvas.disc((x - radius * 0.26, y - radius * 0.30), radius * 0.50, light, 0.9);
    if radius >= 3.5 {
        canvas.disc((x - radius * 0.36, y - radius * 0.42), radius * 0.20, light.lit(1.25), 0.9);
    }
}

/// Draws a few pebbles on a tile.
fn strew(canvas: &mut Canvas, x: i32, y: i32, side: f32, part: Part) {
    if side < 4.0 {
        return;
    }
    for i in 0..3 {
        let salt = 120 + i * 4;
        if grain(x, y, salt) < 0.55 {
            continue;
        }
        let at = ((x as f32 + grain(x, y, salt + 1)) * side, (y as f32 + grain(x, y, salt + 2)) * side);
        let radius = side * (0.06 + 0.10 * grain(x, y, salt + 3));
        match part {
            Part::Shadow => {
                canvas.disc((at.0 + radius * 0.5, at.1 + radius * 0.6), radius, Ink::hex(0x3a351f), 0.5)
            }
            Part::Crown => {
                canvas.disc(at, radius, Ink::hex(0x8f8871), 1.0);
                canvas.disc(
                    (at.0 - radius * 0.3, at.1 - radius * 0.3),
                    radius * 0.5,
                    Ink::hex(0xbab295),
                    0.9,
                );
            }
        }
    }
}
