//! Heat maps: one value per cell as a colour over the map, with a legend.

use waymarch::base::GridSize;

use super::canvas::Canvas;
use super::colour::{Colour, Ink};
use super::layer::Layer;

/// The colours of a heat map, from low to high.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Palette {
    /// Dark blue, green, yellow: costs and distances.
    #[default]
    Viridis,
    /// Dark violet to red and pale yellow: threat.
    Fire,
    /// Red (tight) to blue (wide): clearance.
    Room,
    /// Deep blue to violet, coral and pale yellow: from early to late in a search.
    Dawn,
}

impl Palette {
    const fn stops(self) -> [Ink; 5] {
        match self {
            Self::Viridis => [
                Ink::hex(0x440154),
                Ink::hex(0x3b528b),
                Ink::hex(0x21918c),
                Ink::hex(0x5ec962),
                Ink::hex(0xfde725),
            ],
            Self::Fire => [
                Ink::hex(0x1a0a2a),
                Ink::hex(0x781c6d),
                Ink::hex(0xd43d2a),
                Ink::hex(0xfb9b06),
                Ink::hex(0xfcffa4),
            ],
            Self::Room => [
                Ink::hex(0xb2182b),
                Ink::hex(0xf4a582),
                Ink::hex(0xf0f0e0),
                Ink::hex(0x67a9cf),
                Ink::hex(0x2166ac),
            ],
            Self::Dawn => [
                Ink::hex(0x2f45ff),
                Ink::hex(0x8a35dd),
                Ink::hex(0xe0407c),
                Ink::hex(0xff9a4d),
                Ink::hex(0xfff3a6),
            ],
        }
    }

    /// The colour at `share`, from low (0) to high (1).
    #[must_use]
    pub fn at(self, share: f32) -> Colour {
        Colour(self.ink(share).bytes())
    }

    fn ink(self, share: f32) -> Ink {
        let stops = self.stops();
        let along = share.clamp(0.0, 1.0) * 4.0;
        let i = (along as usize).min(3);
        stops[i].mix(stops[i + 1], along - i as f32)
    }
}

/// One value per cell. The colours cover the range of values that occur.
#[derive(Clone, Copy, Debug)]
pub struct Heat<'a> {
    /// The map's size.
    pub size: GridSize,
    /// One value per cell, row by row. Cells beyond its end are not drawn.
    pub values: &'a [u8],
    /// The colours.
    pub palette: Palette,
    /// What the values are, for the legend.
    pub label: &'a str,
    /// The opacity, 0 to 255.
    pub alpha: u8,
    /// Cells of this value are not drawn, for example impassable ones.
    pub blank: Option<u8>,
}

impl Layer for Heat<'_> {
    fn draw(&self, canvas: &mut Canvas) {
        let shown = self.values.iter().copied().filter(|&v| Some(v) != self.blank);
        let (low, high) = shown.fold((u8::MAX, u8::MIN), |(low, high), v| (low.min(v), high.max(v)));
        if low > high {
            return;
        }
        let span = f32::from((high - low).max(1));
        for y in 0..canvas.height() {
            for x in 0..canvas.width() {
                let at = canvas.cell_at(x, y);
                let value = self.size.id(at).and_then(|id| self.values.get(id.index()).copied());
                if let Some(value) = value.filter(|&v| Some(v) != self.blank) {
                    let ink = self.palette.ink(f32::from(value - low) / span);
                    canvas.blend(x as i32, y as i32, ink, f32::from(self.alpha) / 255.0);
                }
            }
        }
        let (low, high) = (low.to_string(), high.to_string());
        legend(canvas, &|share| self.palette.at(share), self.label, &low, &high);
    }
}

/// Draws a bar of colours in the lower left corner, with a label and the values at its ends.
pub(super) fn legend(
    canvas: &mut Canvas,
    colours: &dyn Fn(f32) -> Colour,
    label: &str,
    low: &str,
    high: &str,
) {
    let dot = canvas.legend_dot();
    let wide = |text: &str| (text.len() as f32 * 4.0 - 1.0) * dot;
    let (bar_width, bar_height) = ((96.0 * dot).max(wide(label)), 8.0 * dot);
    let (left, top) = (8.0 * dot, canvas.height() as f32 - 30.0 * dot);
    let panel = [left - 4.0 * dot, top - 10.0 * dot, bar_width + 8.0 * dot, 30.0 * dot];
    canvas.fill_rect(panel, Colour::hex(0x101418), 215);
    let white = Colour::hex(0xf4f4f0);
    canvas.text((left, top - 7.0 * dot), label, dot, white);
    let steps = (bar_width / dot).round().max(2.0);
    for step in 0..steps as u32 {
        let colour = colours(step as f32 / (steps - 1.0));
        canvas.fill_rect([left + step as f32 * dot, top, dot, bar_height], colour, 255);
    }
    canvas.text((left, top + bar_height + 3.0 * dot), low, dot, white);
    canvas.text((left + bar_width - wide(high), top + bar_height + 3.0 * dot), high, dot, white);
}
