//! Colours, and how they are mixed.

/// An opaque colour: red, green, blue.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct Colour(pub [u8; 3]);

impl Colour {
    /// The colour 0xRRGGBB.
    #[must_use]
    pub const fn hex(rgb: u32) -> Self {
        Self([(rgb >> 16) as u8, (rgb >> 8) as u8, rgb as u8])
    }

    /// The colour of group `number`. Consecutive numbers have very different hues.
    #[must_use]
    pub fn of_group(number: u32) -> Self {
        // Steps of the golden ratio around the colour circle spread the hues evenly.
        let hue = (f64::from(number) * 0.618_033_988_749_895).fract() * 6.0;
        let channel = |shift: f64| {
            let along = (hue + shift).rem_euclid(6.0);
            let strength = ((along - 3.0).abs() - 1.0).clamp(0.0, 1.0);
            (55.0 + 200.0 * strength) as u8
        };
        Self([channel(0.0), channel(4.0), channel(2.0)])
    }

    /// The colour as floats, for mixing.
    pub(super) fn ink(self) -> Ink {
        Ink(self.0.map(f32::from))
    }
}

/// A colour for mixing: 0 to 255 per channel, and possibly beyond.
#[derive(Clone, Copy, Debug)]
pub(super) struct Ink(pub(super) [f32; 3]);

impl Ink {
    pub(super) const BLACK: Self = Self([0.0; 3]);

    pub(super) const fn hex(rgb: u32) -> Self {
        let [r, g, b] = Colour::hex(rgb).0;
        Self([r as f32, g as f32, b as f32])
    }

    /// The mix of two colours: `self` at share 0, `other` at share 1.
    pub(super) fn mix(self, other: Self, share: f32) -> Self {
        let share = share.clamp(0.0, 1.0);
        Self([0, 1, 2].map(|i| self.0[i] + (other.0[i] - self.0[i]) * share))
    }

    /// The colour times a factor: brighter or darker.
    pub(super) fn lit(self, light: f32) -> Self {
        Self(self.0.map(|v| v * light))
    }

    pub(super) fn plus(self, other: Self, weight: f32) -> Self {
        Self([0, 1, 2].map(|i| self.0[i] + other.0[i] * weight))
    }

    pub(super) fn bytes(self) -> [u8; 3] {
        self.0.map(|v| v.clamp(0.0, 255.0) as u8)
    }
}

/// 0 below `low`, 1 above `high`, and a smooth step between them.
pub(super) fn smooth(low: f32, high: f32, value: f32) -> f32 {
    let t = ((value - low) / (high - low)).clamp(0.0, 1.0);
    t * t * (3.0 - 2.0 * t)
}
