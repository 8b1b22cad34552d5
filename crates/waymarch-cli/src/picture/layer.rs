//! What can be drawn on a canvas.

use super::canvas::Canvas;

/// Something that can be drawn on a canvas.
pub trait Layer {
    /// Draws the layer over what is on the canvas.
    fn draw(&self, canvas: &mut Canvas);
}
