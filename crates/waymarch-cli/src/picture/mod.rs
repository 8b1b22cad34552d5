//! Pictures of maps: the terrain as a player sees it, with routes, cells, heat maps and grids drawn over it.
//!
//! A [`Picture`] is a [`Canvas`] and a map. Everything on it is a [`Layer`], and later layers cover earlier ones. `Picture` has a
//! method for each built-in layer. Other layers implement the trait; [`Canvas::place`] converts cells to pixels.
//!
//! - `map_picture.rs`, `map_view.rs`, `style.rs`: the picture, and what it is drawn from
//! - `canvas.rs`, `colour.rs`, `glyph.rs`, `layer.rs`: pixels, colours, letters, and the trait
//! - `raster.rs`, `surface.rs`, `look.rs`, `texture.rs`, `hillshade.rs`, `shore.rs`, `bridge.rs`, `tree.rs`, `building.rs`: terrain
//! - `route_line.rs`, `smooth_line.rs`, `search_trail.rs`, `flow_field.rs`, `lazy_field.rs`, `formation.rs`, `heat.rs`, `level_picture.rs`, `marks.rs`: layers
//!
//! ```
//! use waymarch::base::cell;
//! use waymarch_cli::picture::{Picture, Style};
//! let map = waymarch_maps::generate::builtin("open").unwrap();
//! let mut picture = Picture::new(&map, &Style { target: 200, ..Style::default() });
//! picture.draw_map().draw_starts().draw_route(&[cell(3, 4), cell(40, 50)]);
//! let png: Vec<u8> = picture.encode();
//! assert!(png.starts_with(b"\x89PNG"));
//! ```

mod bridge;
mod building;
mod canvas;
mod colour;
mod flow_field;
mod formation;
mod glyph;
mod heat;
mod hillshade;
mod layer;
mod lazy_field;
mod level_picture;
mod look;
mod map_picture;
mod map_view;
mod marks;
mod raster;
mod route_line;
mod search_trail;
mod shore;
mod smooth_line;
mod style;
mod surface;
#[cfg(test)]
mod tests;
mod texture;
mod tree;

pub use canvas::{Canvas, Scale};
pub use colour::Colour;
pub use flow_field::{DistanceMarks, Distances, FlowArrows};
pub use formation::GroupPicture;
pub use heat::{Heat, Palette};
pub use layer::Layer;
pub use lazy_field::LazyPicture;
pub use level_picture::LevelPicture;
pub use look::Look;
pub use map_picture::Picture;
pub use map_view::MapView;
pub use marks::{CellSet, GridLines, Starts};
pub use route_line::RouteLine;
pub use search_trail::SearchTrail;
pub use smooth_line::SmoothLine;
pub use style::Style;
