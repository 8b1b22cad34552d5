//! The strengths of one threat source on all cells around it.

use alloc::vec::Vec;

use super::source::{MAX_THREAT_RADIUS, ThreatSource};
use crate::base::cell;

/// Scratch: the strengths of the last source, row by row from its own row southwards. If the next source has the same radius, strength and
/// falloff, it uses the same rows. This saves most of the square roots.
#[derive(Clone, Debug, Default)]
pub(super) struct Stencil {
    /// The source that the rows are for, moved to cell (0, 0).
    source: Option<ThreatSource>,
    radius: i32,
    rows: Vec<u8>,
    /// How often the rows were computed.
    #[cfg(test)]
    pub(super) computed: u32,
}

impl Stencil {
    /// Computes the rows for a source, unless the rows of the last source are the same.
    pub(super) fn prepare(&mut self, source: &ThreatSource) {
        let source = ThreatSource { at: cell(0, 0), ..*source };
        if self.source == Some(source) {
            return;
        }
        let radius = i32::from(source.radius.min(MAX_THREAT_RADIUS));
        (self.source, self.radius) = (Some(source), radius);
        #[cfg(test)]
        {
            self.computed += 1;
        }
        self.rows.clear();
        for y in 0..=radius {
            self.rows.extend((-radius..=radius).map(|x| source.strength_at(cell(x, y))));
        }
    }

    /// The strengths in the row `y` rows south of the source, from the column `first` columns east of it. Both offsets are within the radius.
    pub(super) fn row(&self, y: i32, first: i32) -> &[u8] {
        let width = 2 * self.radius as usize + 1;
        let start = y.unsigned_abs() as usize * width;
        &self.rows[start..start + width][(first + self.radius) as usize..]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cost::threat::Falloff;

    #[test]
    fn every_row_has_the_strengths_of_the_source() {
        let mut stencil = Stencil::default();
        for falloff in [Falloff::Flat, Falloff::Linear, Falloff::Quadratic] {
            for (radius, strength) in [(0, 9), (1, 200), (6, 255), (17, 40), (255, 3)] {
                let source = ThreatSource { at: cell(300, 400), radius, strength, falloff };
                stencil.prepare(&source);
                let radius = i32::from(radius);
                for y in -radius..=radius {
                    for first in [-radius, 0, radius] {
                        let expected = (first..=radius).map(|x| source.strength_at(cell(300 + x, 400 + y)));
                        assert!(stencil.row(y, first).iter().copied().eq(expected), "{source:?} {y} {first}");
                    }
                }
            }
        }
    }
}
