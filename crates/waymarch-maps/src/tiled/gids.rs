//! Decodes the tile numbers of a layer: CSV or base64, compressed or not, never more than the layer has cells.

use std::io::Read;

use base64::Engine as _;
use base64::alphabet::STANDARD;
use base64::engine::general_purpose::{GeneralPurpose, PAD};

/// The flip flags: the upper 3 bits of a tile number.
pub(super) const FLIPS: u32 = 0xe000_0000;

/// The `cells` tile numbers in a layer's text. Unpacking stops one byte after the layer's size.
///
/// # Errors
/// A text about an unsupported encoding or a wrong number of tiles.
pub(super) fn decode(
    text: &str,
    encoding: Option<&str>,
    compression: Option<&str>,
    cells: usize,
) -> Result<Vec<u32>, String> {
    let gids: Vec<u32> = match (encoding, compression.filter(|name| !name.is_empty())) {
        (Some("csv"), None) => {
            let numbers = text.split(',').take(cells + 1).map(|number| number.trim().parse());
            numbers
                .collect::<Result<_, _>>()
                .map_err(|error| format!("a tile number is not a whole number: {error}"))?
        }
        (Some("base64"), packed) => {
            let bytes = GeneralPurpose::new(&STANDARD, PAD)
                .decode(text.trim().as_bytes())
                .map_err(|error| format!("the tiles are not base64: {error}"))?;
            let limit = 4 * cells as u64 + 1;
            let unpacked = match packed {
                None => Ok(bytes),
                Some("zlib") => read(flate2::bufread::ZlibDecoder::new(&bytes[..]).take(limit)),
                Some("gzip") => read(flate2::bufread::GzDecoder::new(&bytes[..]).take(limit)),
                Some(other) => {
                    return Err(format!("the compression '{other}' is not supported: use zlib, gzip or CSV"));
                }
            };
            let bytes = unpacked.map_err(|error| format!("the tiles cannot be unpacked: {error}"))?;
            if bytes.len() != 4 * cells {
                return Err(format!(
                    "the layer has {} or more bytes of tiles, but needs {}",
                    bytes.len(),
                    4 * cells
                ));
            }
            bytes
                .chunks_exact(4)
                .map(|four| u32::from_le_bytes([four[0], four[1], four[2], four[3]]))
                .collect()
        }
        (other, _) => {
            let other = other.unwrap_or("XML elements");
            return Err(format!("the encoding '{other}' is not supported: use CSV or base64"));
        }
    };
    if gids.len() == cells {
        Ok(gids)
    } else {
        Err(format!("the layer has {} or more tiles, but needs {cells}", gids.len()))
    }
}

fn read(mut source: impl Read) -> std::io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    source.read_to_end(&mut bytes)?;
    Ok(bytes)
}
