//! Size and relief of a picture.

/// Size and relief of a picture.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Style {
    /// The approximate length of the longer side in pixels, 64 to 4096. Cells have at least one pixel, unless the picture would be
    /// longer than 4096 pixels.
    pub target: u32,
    /// The strength of the hillshade in percent; 0 for none.
    pub relief: u16,
}

impl Default for Style {
    fn default() -> Self {
        Self { target: 1400, relief: 100 }
    }
}
