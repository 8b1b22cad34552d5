//! Maps as PNG images, one pixel per cell.
//!
//! | image | becomes |
//! |---|---|
//! | grey, no legend | costs: white 1, darker costs more (`256 − grey`), black closed; one locomotor `foot` |
//! | colours, or any image with a legend | terrains by the [`Legend`]: the caller's, the one inside the image, or the standard one |
//! | grey of 8 or 16 bits, through [`read_heightmap`] | heights |
//!
//! Transparency is ignored. [`write_map`] gives every terrain its own colour and puts [`legend_for`] into the image
//! (`legend_chunk.rs`), so that reading the image gives the same terrain.

mod decode;
mod grey_costs;
mod legend;
mod legend_chunk;

#[cfg(test)]
mod tests;

use std::path::{Path, PathBuf};

use png::{BitDepth, ColorType, Encoder};
use waymarch::base::{CellId, GridSize, LocomotorId};
use waymarch::cost::{Map, TerrainId};

pub use legend::{Legend, LegendEntry, legend_for};

use crate::error::{FileError, FileResult, Place};
use crate::file_bytes;
use crate::load_options::LoadOptions;
use crate::output_file::write_files;
use decode::{Pixels, Precision, decode};
use legend::hex;

/// Reads a map from a PNG. With `legend`, or with a legend inside the image, colours are terrains. Without, grey is cost, and colours are the
/// standard ones.
///
/// # Errors
/// [`FileError`] for an incomplete PNG, an illegal size, an unreadable legend inside the image, or a colour that the legend does not have,
/// with its cell.
pub fn read_map(name: &str, bytes: &[u8], legend: Option<&Legend>) -> FileResult<Map> {
    let pixels = decode(name, bytes, Precision::Byte)?;
    let inside;
    let legend = match legend {
        Some(legend) => Some(legend),
        None => {
            inside = legend_chunk::read(name, bytes)?;
            inside.as_ref()
        }
    };
    let with_legend = |legend: &Legend| {
        let mut map = Map::flat(name, pixels.size, legend.rules());
        map.terrain = terrain_of(name, &pixels, legend)?;
        Ok(map)
    };
    match legend {
        Some(legend) => with_legend(legend),
        None if pixels.is_grey => Ok(grey_costs::map_of(name, &pixels)),
        None => with_legend(&Legend::default()).map_err(|mut error: FileError| {
            let hint = "the picture has no legend, so the standard colours apply: `waymarch maps convert` writes pictures with their legend inside";
            let near = error.help.take().map(|near| format!("{near}; ")).unwrap_or_default();
            error.help(format!("{near}{hint}"))
        }),
    }
}

/// The terrain of a PNG, for a caller that has rules: numbers are indices into [`Legend::terrains`].
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

/// Reads heights from a grey PNG with 8 or 16 bits. Black is 0, white is `white`, in
/// [`ELEVATION_UNIT`](waymarch::cost::ELEVATION_UNIT)s, rounded to the nearest unit.
///
/// # Errors
/// As [`read_map`]; also for an image with colours.
pub fn read_heightmap(name: &str, bytes: &[u8], white: i16) -> FileResult<(GridSize, Vec<i16>)> {
    let pixels = decode(name, bytes, Precision::Full)?;
    if !pixels.is_grey {
        /// In a PNG file, the colour type of the IHDR chunk is byte 25.
        const COLOUR_TYPE_AT: u64 = 25;
        let error = FileError::new(name, "a height map must be a grey PNG, but this one has colours");
        return Err(error.at(Place::Byte(COLOUR_TYPE_AT)));
    }
    let (most, greys) = pixels.greys();
    let (most, white) = (i64::from(most), i64::from(white));
    // Adds half of the divisor to round to the nearest unit; the result lies between 0 and `white`.
    let height = |grey: u32| (2 * i64::from(grey) * white + most).div_euclid(2 * most) as i16;
    let heights = greys.map(height).collect();
    Ok((pixels.size, heights))
}

/// Sets the heights of `map` from an image of the same size; see [`read_heightmap`].
///
/// # Errors
/// As [`read_heightmap`]; also for an image of another size.
pub fn attach_heightmap(map: &mut Map, name: &str, bytes: &[u8], white: i16) -> FileResult<()> {
    let (size, heights) = read_heightmap(name, bytes, white)?;
    if size != map.size {
        return Err(FileError::new(name, format!("the height map is {size}, but the map is {}", map.size)));
    }
    map.elevation = heights;
    Ok(())
}

/// The map's terrain as a colour PNG, in the colours of [`legend_for`], with that legend inside.
#[must_use]
pub fn write_map(map: &Map) -> Vec<u8> {
    let legend = legend_for(map);
    let colour =
        |terrain: &TerrainId| legend.entries.get(terrain.index()).map_or([0; 3], |entry| entry.colour);
    let mut data: Vec<u8> = map.terrain.iter().flat_map(colour).collect();
    data.resize(map.size.cells() * 3, 0);
    encode(map.size, ColorType::Rgb, &data, Some(&legend))
}

/// The costs of `locomotor` as a grey PNG. Reading it gives a map with the same costs.
///
/// # Errors
/// [`FileError`] if the rules are not valid.
pub fn write_costs(name: &str, map: &Map, locomotor: LocomotorId) -> FileResult<Vec<u8>> {
    let greys = grey_costs::greys_of(map, locomotor);
    let mut data = greys.map_err(|error| FileError::new(name, error.to_string()))?;
    data.resize(map.size.cells(), 0);
    Ok(encode(map.size, ColorType::Grayscale, &data, None))
}

/// Encodes 8-bit samples, and a legend if there is one. With the right number of samples, writing to memory cannot fail.
fn encode(size: GridSize, colour: ColorType, data: &[u8], legend: Option<&Legend>) -> Vec<u8> {
    let mut bytes = Vec::new();
    let mut encoder = Encoder::new(&mut bytes, size.width(), size.height());
    encoder.set_color(colour);
    encoder.set_depth(BitDepth::Eight);
    let text = match legend {
        Some(legend) => encoder.add_itxt_chunk(legend_chunk::KEYWORD.to_owned(), legend.to_text()),
        None => Ok(()),
    };
    let written = text.and_then(|()| encoder.write_header()).and_then(|mut writer| {
        writer.write_image_data(data)?;
        writer.finish()
    });
    debug_assert!(written.is_ok(), "{written:?}");
    bytes
}

/// Reads a PNG file with `options.legend`, or else with the legend beside it (`x.png` → `x.legend.yaml`), or else as [`read_map`]
/// without a legend: with the one inside the image, if it has one.
///
/// # Errors
/// As [`read_map`]; also for an invalid legend.
pub fn load(path: &Path, options: &LoadOptions) -> FileResult<Map> {
    let beside = legend_path(path);
    let legend = options.legend.as_deref().or_else(|| beside.exists().then_some(beside.as_path()));
    let legend = legend.map(|path| load_legend(path, options)).transpose()?;
    let bytes = file_bytes::read_file(path, options.max_file_bytes)?;
    let mut map = read_map(&path.display().to_string(), &bytes, legend.as_ref())?;
    map.name = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
    Ok(map)
}

/// Writes a PNG, and beside it the legend for reading it (`x.png` → `x.legend.yaml`).
///
/// # Errors
/// [`FileError`] if a file cannot be written.
pub fn save(path: &Path, map: &Map) -> FileResult<()> {
    let (picture, legend) = (write_map(map), legend_for(map).to_text());
    write_files(&[(path, &picture), (&legend_path(path), legend.as_bytes())])
}

fn load_legend(path: &Path, options: &LoadOptions) -> FileResult<Legend> {
    let name = path.display().to_string();
    let bytes = file_bytes::read_file(path, options.max_file_bytes)?;
    Legend::parse(&name, file_bytes::utf8(&name, &bytes)?)
}

fn legend_path(path: &Path) -> PathBuf {
    path.with_extension("legend.yaml")
}
