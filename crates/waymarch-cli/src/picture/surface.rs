//! Paints land and water, pixel by pixel.

use super::canvas::Canvas;
use super::colour::{Ink, smooth};
use super::hillshade::light;
use super::look::Look;
use super::raster::Raster;
use super::style::Style;
use super::texture::{grain, noise};

/// Paints every pixel of the canvas.
pub(super) fn paint(canvas: &mut Canvas, raster: &Raster, style: Style) {
    let side = canvas.scale().pixels_per_tile();
    let painter = Painter { raster, side: side as f32, relief: f32::from(style.relief) / 100.0 };
    for y in 0..canvas.height() {
        let row = canvas.row_mut(y);
        for (x, pixel) in row.chunks_exact_mut(4).enumerate() {
            let ink = painter.pixel(x as u32, y);
            pixel[..3].copy_from_slice(&ink.bytes());
        }
    }
}

/// A pixel, and its position in tiles.
#[derive(Clone, Copy)]
struct Spot {
    x: f32,
    y: f32,
    px: i32,
    py: i32,
}

struct Painter<'a> {
    raster: &'a Raster,
    /// Pixels per tile.
    side: f32,
    relief: f32,
}

impl Painter<'_> {
    fn pixel(&self, px: u32, py: u32) -> Ink {
        let spot = Spot {
            x: (px as f32 + 0.5) / self.side,
            y: (py as f32 + 0.5) / self.side,
            px: px as i32,
            py: py as i32,
        };
        let (tx, ty) = (spot.x as i32, spot.y as i32);
        if let Some(look) = self.raster.uniform(tx, ty) {
            let lean = self.raster.slopes.at(spot.x, spot.y);
            return match look {
                Look::Water | Look::River => {
                    self.water(spot, 1.0, if look == Look::River { 1.0 } else { 0.0 })
                }
                Look::Cliff | Look::Rock => self.stone(spot, 1.0, look, lean),
                Look::Wall => self.wall(spot, tx, ty),
                Look::Void => self.void(spot),
                Look::Road => self.road(spot, 1.0),
                Look::Bridge => self.planks(spot, 1.0),
                _ => self.ground(look, spot, tx, ty).lit(light(lean, 1.5 * self.relief)),
            };
        }
        self.mixed(spot, tx, ty)
    }

    /// A pixel where several looks meet: soft ground first, then looks with an edge, from the lowest to the highest.
    fn mixed(&self, spot: Spot, tx: i32, ty: i32) -> Ink {
        let raster = self.raster;
        let wander = |salt| (noise(spot.x * 1.3, spot.y * 1.3, salt) - 0.5) * 0.9;
        let shares = raster.shares(spot.x + wander(11), spot.y + wander(12));
        let share = |look: Look| shares[look as usize];
        let lean = raster.slopes.at(spot.x, spot.y);

        let mut ink = Ink::BLACK;
        let mut total = 0.0;
        for (i, &look) in SOFT.iter().enumerate() {
            let weight = shares[i] * shares[i];
            if weight > 0.0 {
                ink = ink.plus(self.ground(look, spot, tx, ty), weight);
                total += weight;
            }
        }
        let wet = share(Look::Water) + share(Look::River);
        ink = if total > 0.0 { ink.lit(1.0 / total) } else { self.ground(Look::Grass, spot, tx, ty) };
        ink = ink.lit(light(lean, 1.5 * self.relief));

        let stone = share(Look::Cliff) + share(Look::Rock);
        if stone > 0.3 {
            let kind = if share(Look::Cliff) >= share(Look::Rock) { Look::Cliff } else { Look::Rock };
            ink = ink.lit(1.0 - 0.35 * smooth(0.3, 0.46, stone));
            ink = ink.mix(self.stone(spot, stone, kind, lean), smooth(0.44, 0.5, stone));
        }
        // Roads, bridges and walls have straight edges.
        let built = raster.shares(spot.x, spot.y);
        let (road, bridge) = (built[Look::Road as usize], built[Look::Bridge as usize]);
        let water = wet + bridge * 0.9;
        if water > 0.25 {
            // Wet ground, then water.
            ink = ink.mix(Ink::hex(0x8a7a52), 0.5 * smooth(0.25, 0.5, water));
            let run = if wet > 0.0 { share(Look::River) / wet } else { 0.5 };
            ink = ink.mix(self.water(spot, water, run), smooth(0.47, 0.5, water));
        }
        let paved = road + bridge;
        if paved > 0.3 && road > 0.02 {
            ink = ink.lit(1.0 - 0.28 * smooth(0.3, 0.45, paved) * smooth(0.0, 0.3, road));
            ink = ink.mix(self.road(spot, paved), smooth(0.44, 0.5, paved) * smooth(0.3, 0.5, road / paved));
        }
        if bridge > 0.05 || raster.look(tx, ty) == Look::Bridge {
            let cast = raster.shares(spot.x - 0.5, spot.y - 0.6)[Look::Bridge as usize];
            if paved <= 0.5 {
                ink = ink.lit(1.0 - 0.4 * smooth(0.35, 0.55, cast));
            }
            let on = smooth(0.46, 0.5, paved) * smooth(0.4, 0.5, bridge / paved.max(0.01));
            ink = ink.mix(self.planks(spot, paved), on);
        }
        if built[Look::Wall as usize] > 0.0 {
            if raster.look(tx, ty) == Look::Wall {
                return self.wall(spot, tx, ty);
            }
            let shadow = raster.look((spot.x - 0.32).floor() as i32, (spot.y - 0.42).floor() as i32);
            if shadow == Look::Wall {
                ink = ink.lit(0.62);
            }
        }
        let void = built[Look::Void as usize];
        if void > 0.2 {
            ink = ink.lit(1.0 - 0.5 * smooth(0.2, 0.5, void)).mix(self.void(spot), smooth(0.47, 0.5, void));
        }
        ink
    }

    /// Ground that blends with its neighbours, without hillshade.
    fn ground(&self, look: Look, spot: Spot, tx: i32, ty: i32) -> Ink {
        let Spot { x, y, px, py } = spot;
        let broad = noise(x * 0.13, y * 0.13, 1);
        let fine = noise(x * 0.9, y * 0.9, 2);
        let dust = grain(px, py, 3) - 0.5;
        // Noise for pebbles and tufts.
        let blotch = |size: f32, salt: u32| noise(x * size, y * size, salt);
        let (low, high, rough) = match look {
            Look::Rough => (0x8d8452, 0xa89a68, 0.10),
            Look::Forest => (0x3d5a2a, 0x4c6a31, 0.10),
            Look::Sand => (0xd9c48c, 0xe9d9a6, 0.05),
            Look::Dirt => (0x96794d, 0xab8d5f, 0.08),
            Look::Swamp => (0x4a5a34, 0x5f6b3c, 0.10),
            Look::Snow => (0xdfe8ee, 0xf6fafc, 0.03),
            Look::Ore => (0x8f7a3c, 0xa08a48, 0.10),
            Look::Gems => (0x6e7a5c, 0x7f8a6a, 0.10),
            Look::Rubble => (0x837a6c, 0x9a9080, 0.12),
            Look::Floor => (0x8c8f92, 0xa0a3a6, 0.04),
            Look::Plain => return self.raster.plain(tx, ty).lit(0.95 + fine * 0.1 + dust * 0.06),
            _ => (0x5f8338, 0x83a04a, 0.07),
        };
        let mut ink = Ink::hex(low).mix(Ink::hex(high), broad * 0.7 + fine * 0.4).lit(1.0 + dust * rough);
        match look {
            Look::Rough => {
                let patch = blotch(0.55, 21);
                ink = ink
                    .mix(Ink::hex(0x7f8a4a), 0.5 * smooth(0.5, 0.75, patch))
                    .lit(0.94 + 0.12 * blotch(1.9, 26));
            }
            Look::Swamp => {
                let pool = blotch(0.9, 22);
                ink = ink.mix(Ink::hex(0x3c5a5c), 0.85 * smooth(0.52, 0.62, pool));
            }
            Look::Ore | Look::Gems => {
                let lump = blotch(2.8, 23);
                let (dark, bright) =
                    if look == Look::Ore { (0xb8871c, 0xffd95a) } else { (0x2f6fb8, 0x8fe6ff) };
                ink = ink.mix(Ink::hex(dark), smooth(0.48, 0.54, lump));
                ink = ink.mix(Ink::hex(bright), smooth(0.62, 0.7, lump));
            }
            Look::Rubble => {
                let chunk = blotch(2.2, 24);
                ink = ink.mix(Ink::hex(0x5c554c), smooth(0.52, 0.58, chunk));
                ink = ink.mix(Ink::hex(0xb4a898), smooth(0.66, 0.7, chunk));
            }
            Look::Sand => ink = ink.lit(1.0 + 0.05 * ((y * 2.2 + fine * 5.0).sin())),
            Look::Floor => {
                let seam = (x.fract().min(y.fract()) * self.side) < 1.0;
                ink = ink.lit(if seam { 0.86 } else { 1.0 });
            }
            Look::Grass => {
                // Dry and lush patches, then tufts.
                let dry = noise(x * 0.07 + 9.0, y * 0.07, 27) * 0.7 + blotch(0.35, 28) * 0.3;
                ink = ink.mix(Ink::hex(0x9aa25a), 0.55 * smooth(0.5, 0.8, dry));
                ink = ink.lit(1.0 - 0.09 * smooth(0.66, 0.8, blotch(3.1, 25)));
            }
            _ => {}
        }
        ink
    }

    /// Water. `cover` is its share of the pixel (0.5 at its edge), `run` the share of shallow running water.
    fn water(&self, spot: Spot, cover: f32, run: f32) -> Ink {
        let Spot { x, y, .. } = spot;
        let depth = self.raster.depth(x, y) + (noise(x * 0.5, y * 0.5, 31) - 0.5) * 1.2;
        let shallow = Ink::hex(0x63b5b8).mix(Ink::hex(0x5fa5c4), run);
        let sea = shallow.mix(Ink::hex(0x2f7ba6), smooth(0.4, 3.2, depth));
        let sea = sea
            .mix(Ink::hex(0x1d4f83), smooth(2.5, 8.0, depth))
            .mix(Ink::hex(0x163c69), smooth(7.0, 18.0, depth));
        let river = shallow.mix(Ink::hex(0x3c86b4), smooth(0.3, 1.9, depth));
        let wave = noise(x * 0.8 + y * 0.25, y * 2.4, 32);
        let mut ink = sea.mix(river, run).lit(0.96 + 0.09 * wave);
        // Glints, then foam along the edge.
        ink = ink.mix(Ink::hex(0xcfeaf2), 0.28 * smooth(0.80, 0.92, wave));
        let ragged = noise(x * 2.0, y * 2.0, 33) * 0.06;
        let foam = smooth(0.66, 0.53, cover - ragged);
        ink.mix(Ink::hex(0xf0f7f2), foam * (0.85 - 0.45 * run))
    }

    /// A rock face or boulders; `cover` is its share of the pixel.
    fn stone(&self, spot: Spot, cover: f32, look: Look, lean: (f32, f32)) -> Ink {
        let Spot { x, y, px, py } = spot;
        let dust = grain(px, py, 41) - 0.5;
        let steep = (lean.0 * lean.0 + lean.1 * lean.1).sqrt();
        let lit = light(lean, 1.1 * self.relief);
        let crag = noise(x * 1.7, y * 1.7, 42) * 0.6 + noise(x * 4.1, y * 4.1, 43) * 0.4;
        let mut ink = if look == Look::Cliff {
            Ink::hex(0x7c6a54).mix(Ink::hex(0x9c8a70), crag)
        } else {
            Ink::hex(0x77746e).mix(Ink::hex(0x9d9a92), crag)
        };
        if look == Look::Cliff && steep > 0.05 {
            // Clefts run down the face; strata run along it.
            let (dx, dy) = (lean.0 / steep, lean.1 / steep);
            let (down, across) = (x * dx + y * dy, x * dy - y * dx);
            let cleft = noise(across * 2.6, down * 0.5, 44);
            ink = ink.lit(1.0 - 0.5 * smooth(0.56, 0.74, cleft) + 0.12 * smooth(0.4, 0.2, cleft));
        } else {
            // Facets: the slope of the noise.
            let bump = noise(x * 1.1 + 0.2, y * 1.1 + 0.2, 45) - noise(x * 1.1 - 0.2, y * 1.1 - 0.2, 45);
            let crack = (noise(x * 1.4, y * 1.4, 46) - 0.5).abs();
            ink = ink.lit((1.0 + bump * 1.3) * (0.7 + 0.3 * smooth(0.0, 0.05, crack)));
        }
        ink.lit(lit.clamp(0.45, 1.45) * (1.0 + dust * 0.1) * (0.62 + 0.38 * smooth(0.46, 0.62, cover)))
    }

    /// A road; `cover` is its share of the pixel.
    fn road(&self, spot: Spot, cover: f32) -> Ink {
        let Spot { x, y, px, py } = spot;
        let worn = noise(x * 0.8, y * 0.8, 51);
        let ink =
            Ink::hex(0xb29a72).mix(Ink::hex(0xa48c66), worn).lit(1.0 + (grain(px, py, 52) - 0.5) * 0.07);
        // A pale verge inside the edge, and ruts within.
        let verge = smooth(0.5, 0.56, cover) * smooth(0.74, 0.62, cover);
        let rut = smooth(0.82, 0.9, cover) * smooth(0.995, 0.95, cover);
        ink.mix(Ink::hex(0xd9c7a0), verge * 0.75).lit(1.0 - 0.08 * rut)
    }

    /// The deck of a bridge: planks across, rails along the sides; `cover` is its share of the pixel.
    fn planks(&self, spot: Spot, cover: f32) -> Ink {
        let Spot { x, y, .. } = spot;
        let (dx, dy) = self.raster.planks.along(x as i32, y as i32);
        let along = (x * dx + y * dy) * 2.5;
        let plank = grain(along.floor() as i32, 7, 61);
        let seam = along - along.floor();
        let gap = if self.side >= 4.0 { smooth(0.0, 0.16, seam) * smooth(1.0, 0.84, seam) } else { 1.0 };
        let deck = Ink::hex(0x8a6138).mix(Ink::hex(0xb0824e), plank).lit(0.62 + 0.38 * gap);
        let rail = smooth(0.64, 0.56, cover);
        deck.mix(Ink::hex(0x4a2f1a), rail * 0.9)
    }

    /// The top of a wall, with a lit and a dark rim where it ends.
    fn wall(&self, spot: Spot, tx: i32, ty: i32) -> Ink {
        let Spot { x, y, px, py } = spot;
        let (u, v) = (x - tx as f32, y - ty as f32);
        let rim = (2.0 / self.side).max(0.14);
        let open = |dx: i32, dy: i32| self.raster.look(tx + dx, ty + dy) != Look::Wall;
        let course = (y * 2.0).floor();
        let brick = x * 1.0 + if course as i32 % 2 == 0 { 0.0 } else { 0.5 };
        let seam = ((y * 2.0).fract() * self.side < 2.0) || (brick.fract() * self.side < 1.0);
        let tone = grain(brick.floor() as i32, course as i32, 71) * 0.12;
        let mut ink = Ink::hex(0x8b8780).lit(0.94 + tone + (grain(px, py, 72) - 0.5) * 0.05);
        if seam && self.side >= 6.0 {
            ink = ink.lit(0.86);
        }
        if (u < rim && open(-1, 0)) || (v < rim && open(0, -1)) {
            ink = ink.lit(1.28);
        }
        if (u > 1.0 - rim && open(1, 0)) || (v > 1.0 - rim && open(0, 1)) {
            ink = ink.lit(0.58);
        }
        ink
    }

    fn void(&self, spot: Spot) -> Ink {
        let hatch = ((spot.px + spot.py) / 3) % 4 == 0;
        Ink::hex(if hatch { 0x1a1d22 } else { 0x15171b })
    }
}

/// The looks that blend softly, in the order of their numbers.
const SOFT: [Look; 12] = [
    Look::Grass,
    Look::Rough,
    Look::Forest,
    Look::Sand,
    Look::Dirt,
    Look::Swamp,
    Look::Snow,
    Look::Ore,
    Look::Gems,
    Look::Rubble,
    Look::Floor,
    Look::Plain,
];
