//! Maps as PNG pictures, one pixel per cell.
//!
//! | picture | becomes |
//! |---|---|
//! | grey, no legend | costs: white 1, darker is dearer (`256 − grey`), black closed; one locomotor `foot` |
//! | colours, or any picture with a legend | terrains by the [`Legend`] |
//! | grey of 8 or 16 bits, through [`read_heightmap`] | heights |
//!
//! Transparency does not count. [`write_map`] gives every terrain a colour of its own, so that reading the picture with
//! [`legend_for`] gives the same terrain grid.

mod costs;
mod decode;
mod legend;

#[cfg(test)]
mod tests;

use std::path::{Path, PathBuf};

use png::{BitDepth, ColorType, Encoder};
use waymarch::base::{CellId, GridSize, LocomotorId};
use waymarch::cost::{Map, TerrainId};

pub use legend::{Legend, LegendEntry, legend_for};

use crate::bounded;
use crate::error::{FileError, FileResult, Place};
use crate::load::LoadOptions;
use decode::{Pixels, Precision, decode};
use legend::hex;

/// Reads a map from a PNG: by `legend`, or without one by costs if it is grey, by the standard colours if not.
///
/// # Errors
/// What is not a whole PNG of a legal size, or a colour that the legend does not have, with its cell.
pub fn read_map(name: &str, bytes: &[u8], legend: Option<&Legend>) -> FileResult<Map> {
    let pixels = decode(name, bytes, Precision::Byte)?;
    let standard;
    let legend = match legend {
        Some(legend) => legend,
        None if pixels.is_grey => return Ok(costs::map_of(name, &pixels)),
        None => {
            standard = Legend::default();
            &standard
        }
    };
    let mut map = Map::flat(name, pixels.size, legend.rules());
    map.terrain = terrain_of(name, &pixels, legend)?;
    Ok(map)
}

/// The terrain grid of a PNG, for a caller who has rules already: numbers are places in [`Legend::terrains`].
///
/// # Errors
/// As [`read_map`].
pub fn read_terrain(name: &str, bytes: &[u8], legend: &Legend) -> FileResult<(GridSize, Vec<TerrainId>)> {
    let pixels = decode(name, bytes, Precision::Byte)?;
    Ok((pixels.size, terrain_of(name, &pixels, legend)?))
}

fn terrain_of(name: &str, pixels: &Pixels, legend: &Legend) -> FileResult<Vec<TerrainId>> {
    let lookup = legend.lookup();
    let mut last = None;
    let mut terrain = Vec::with_capacity(pixels.size.cells());
    for colour in pixels.colours() {
        let known = match last {
            Some((same, known)) if same == colour => known,
            _ => match lookup.binary_search_by_key(&colour, |&(colour, _)| colour) {
                Ok(at) => lookup[at].1,
                Err(_) => {
                    let at = pixels.size.pos(CellId(terrain.len() as u32));
                    let problem = format!("the colour {} is not in the legend", hex(colour));
                    let error = FileError::new(name, problem).at(Place::Cell(at));
                    return Err(match legend.nearest(colour) {
                        Some(near) => error.help(format!("nearest: {} {}", hex(near.colour), near.terrain)),
                        None => error,
                    });
                }
            },
        };
        last = Some((colour, known));
        terrain.push(known);
    }
    Ok(terrain)
}

/// Reads heights from a grey PNG of 8 or 16 bits: black is 0, white is `white`, in
/// [`ELEVATION_UNIT`](waymarch::cost::ELEVATION_UNIT)s, to the nearest whole unit.
///
/// # Errors
/// As [`read_map`]; also a picture in colours.
pub fn read_heightmap(name: &str, bytes: &[u8], white: i16) -> FileResult<(GridSize, Vec<i16>)> {
    let pixels = decode(name, bytes, Precision::Full)?;
    if !pixels.is_grey {
        /// Where the IHDR chunk says the colour type.
        const COLOUR_TYPE_AT: u64 = 25;
        let error = FileError::new(name, "a height map must be a grey PNG, this one is in colours");
        return Err(error.at(Place::Byte(COLOUR_TYPE_AT)));
    }
    let (most, greys) = pixels.greys();
    let (most, white) = (i64::from(most), i64::from(white));
    // Twice the value plus one divisor, floored, is the nearest whole number; it lies between 0 and `white`.
    let height = |grey: u32| (2 * i64::from(grey) * white + most).div_euclid(2 * most) as i16;
    let heights = greys.map(height).collect();
    Ok((pixels.size, heights))
}

/// Gives `map` the heights of a picture of its size; see [`read_heightmap`].
///
/// # Errors
/// As [`read_heightmap`]; also a picture of another size.
pub fn attach_heightmap(map: &mut Map, name: &str, bytes: &[u8], white: i16) -> FileResult<()> {
    let (size, heights) = read_heightmap(name, bytes, white)?;
    if size != map.size {
        return Err(FileError::new(name, format!("the height map is {size}, the map {}", map.size)));
    }
    map.elevation = heights;
    Ok(())
}

/// The map's terrain as a colour PNG, in the colours of [`legend_for`].
#[must_use]
pub fn write_map(map: &Map) -> Vec<u8> {
    let legend = legend_for(map);
    let colour =
        |terrain: &TerrainId| legend.entries.get(terrain.index()).map_or([0; 3], |entry| entry.colour);
    let mut data: Vec<u8> = map.terrain.iter().flat_map(colour).collect();
    data.resize(map.size.cells() * 3, 0);
    encode(map.size, ColorType::Rgb, &data)
}

/// What the map costs `locomotor`, as a grey PNG; reading it gives a map of the same costs.
///
/// # Errors
/// Rules that are not valid.
pub fn write_costs(name: &str, map: &Map, locomotor: LocomotorId) -> FileResult<Vec<u8>> {
    let greys = costs::greys_of(map, locomotor);
    let mut data = greys.map_err(|error| FileError::new(name, error.to_string()))?;
    data.resize(map.size.cells(), 0);
    Ok(encode(map.size, ColorType::Grayscale, &data))
}

/// Encodes 8-bit samples of the right number; writing to memory cannot fail then.
fn encode(size: GridSize, colour: ColorType, data: &[u8]) -> Vec<u8> {
    let mut bytes = Vec::new();
    let mut encoder = Encoder::new(&mut bytes, size.width(), size.height());
    encoder.set_color(colour);
    encoder.set_depth(BitDepth::Eight);
    let written = encoder.write_header().and_then(|mut writer| {
        writer.write_image_data(data)?;
        writer.finish()
    });
    debug_assert!(written.is_ok(), "{written:?}");
    bytes
}

/// Reads a PNG file: by `options.legend`, else by a legend beside it (`x.png` → `x.legend.yaml`), else as [`read_map`]
/// without one.
///
/// # Errors
/// As [`read_map`]; also what is wrong with the legend.
pub fn load(path: &Path, options: &LoadOptions) -> FileResult<Map> {
    let beside = legend_path(path);
    let legend = options.legend.as_deref().or_else(|| beside.exists().then_some(beside.as_path()));
    let legend = legend.map(|path| load_legend(path, options)).transpose()?;
    let bytes = bounded::read_file(path, options.max_file_bytes)?;
    let mut map = read_map(&path.display().to_string(), &bytes, legend.as_ref())?;
    map.name = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
    Ok(map)
}

/// Writes a PNG, and beside it the legend to read it with (`x.png` → `x.legend.yaml`).
///
/// # Errors
/// Files that cannot be written.
pub fn save(path: &Path, map: &Map) -> FileResult<()> {
    let write =
        |path: &Path, bytes: &[u8]| std::fs::write(path, bytes).map_err(|error| FileError::io(path, &error));
    write(path, &write_map(map))?;
    write(&legend_path(path), legend_for(map).to_text().as_bytes())
}

fn load_legend(path: &Path, options: &LoadOptions) -> FileResult<Legend> {
    let name = path.display().to_string();
    let bytes = bounded::read_file(path, options.max_file_bytes)?;
    Legend::parse(&name, bounded::utf8(&name, &bytes)?)
}

fn legend_path(path: &Path) -> PathBuf {
    path.with_extension("legend.yaml")
}
