//! Reads `map.bin`: the tiles and resources of all cells, column by column.

use waymarch::base::{CellPos, GridSize};

use crate::error::{FileError, FileResult, Place};

/// The tile of a cell: a template of the tileset and a tile of that template.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Tile {
    /// The template's id.
    pub template: u16,
    /// The index of the tile in its template. 255 ("any") in the file is already replaced by OpenRA's choice.
    pub index: u8,
}

/// The content of `map.bin`, row by row. Heights must be present but are not kept: in OpenRA
/// terrain types alone decide where units can go, and cliffs are terrain types.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct MapBin {
    /// The size in cells.
    pub size: GridSize,
    /// One tile per cell.
    pub tiles: Vec<Tile>,
    /// One resource type per cell; 0 is none.
    pub resources: Vec<u8>,
}

impl MapBin {
    /// Reads formats 1 and 2. Memory is allocated only after the length of the file is checked.
    ///
    /// # Errors
    /// [`FileError`] with the byte offset for an unknown format, an illegal size, or arrays that reach past the end.
    pub fn parse(name: &str, bytes: &[u8]) -> FileResult<Self> {
        let at_byte =
            |offset: usize, problem: String| FileError::new(name, problem).at(Place::Byte(offset as u64));
        let short = |offset: usize, what: &str| {
            at_byte(bytes.len(), format!("the file ends before the {what} at byte {offset}"))
        };
        let format = *bytes.first().ok_or_else(|| short(0, "format number"))?;
        let header_u16 = |offset: usize, what: &str| {
            let pair = bytes.get(offset..offset + 2).ok_or_else(|| short(offset, what))?;
            Ok(u32::from(u16::from_le_bytes([pair[0], pair[1]])))
        };
        let (width, height) = (header_u16(1, "width")?, header_u16(3, "height")?);
        let size = GridSize::new(width, height).map_err(|error| at_byte(1, error.to_string()))?;
        let cells = size.cells();
        let (tiles_at, heights_at, resources_at) = match format {
            1 => (5, 0, 5 + 3 * cells),
            2 => {
                let offset = |at: usize, what: &str| {
                    let four = bytes.get(at..at + 4).ok_or_else(|| short(at, what))?;
                    Ok(u32::from_le_bytes([four[0], four[1], four[2], four[3]]) as usize)
                };
                (offset(5, "tiles offset")?, offset(9, "heights offset")?, offset(13, "resources offset")?)
            }
            other => {
                let error = at_byte(0, format!("unknown format {other} of map.bin"));
                return Err(error.help("formats 1 and 2 are supported"));
            }
        };
        let array = |offset: usize, per_cell: usize, what: &str| {
            let end = offset.checked_add(per_cell * cells);
            end.and_then(|end| bytes.get(offset..end)).ok_or_else(|| {
                let need = per_cell * cells;
                at_byte(
                    bytes.len(),
                    format!(
                        "a {size} map needs {need} bytes of {what} from byte {offset}, but the file has {} bytes",
                        bytes.len()
                    ),
                )
            })
        };
        let tile_bytes = array(tiles_at, 3, "tiles")?;
        let resource_bytes = if resources_at == 0 { &[][..] } else { array(resources_at, 2, "resources")? };
        if heights_at != 0 {
            array(heights_at, 1, "heights")?;
        }

        let column_major = |at: CellPos| at.x as usize * height as usize + at.y as usize;
        let tiles = size.rect().cells().map(|at| {
            let tile = &tile_bytes[3 * column_major(at)..][..3];
            let index = if tile[2] == u8::MAX { (at.x % 4 + at.y % 4 * 4) as u8 } else { tile[2] };
            Tile { template: u16::from_le_bytes([tile[0], tile[1]]), index }
        });
        let resources = size.rect().cells();
        let resources =
            resources.map(|at| resource_bytes.get(2 * column_major(at)).copied().unwrap_or_default());
        Ok(Self { size, tiles: tiles.collect(), resources: resources.collect() })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// 2×3 cells: template 10·x + y, tile 255 in column 1, ore at (1, 2).
    pub(crate) fn small(format: u8) -> Vec<u8> {
        let mut bytes = vec![format, 2, 0, 3, 0];
        if format == 2 {
            for offset in [17_u32, 0, 17 + 18] {
                bytes.extend(offset.to_le_bytes());
            }
        }
        for x in 0..2 {
            for y in 0..3 {
                bytes.extend([10 * x + y, 0, if x == 1 { 255 } else { 0 }]);
            }
        }
        for cell in 0..6 {
            bytes.extend([u8::from(cell == 5), 3]);
        }
        bytes
    }

    #[test]
    fn both_formats_are_column_major() {
        for format in [1, 2] {
            let map = MapBin::parse("map.bin", &small(format)).unwrap();
            let templates: Vec<u16> = map.tiles.iter().map(|tile| tile.template).collect();
            assert_eq!(templates, [0, 10, 1, 11, 2, 12]);
            assert_eq!(map.tiles[5].index, 9, "any-tile at (1, 2) is 1 + 2 × 4");
            assert_eq!(map.resources, [0, 0, 0, 0, 0, 1]);
        }
    }

    #[test]
    fn every_truncation_is_an_error_at_a_byte() {
        for format in [1, 2] {
            let bytes = small(format);
            for len in 0..bytes.len() {
                let error = MapBin::parse("map.bin", &bytes[..len]).unwrap_err();
                assert!(matches!(error.place, Place::Byte(_)), "{len}: {error}");
            }
        }
    }

    #[test]
    fn wrong_formats_and_sizes_are_refused() {
        let mut huge = small(2);
        huge[1..5].fill(255);
        assert!(MapBin::parse("m", &huge).unwrap_err().problem.contains("65535"));
        let mut empty = small(1);
        empty[1] = 0;
        assert!(MapBin::parse("m", &empty).is_err());
        let mut wide = small(1);
        wide[1] = 200;
        assert!(MapBin::parse("m", &wide).unwrap_err().problem.contains("200×3"));
        let mut odd = small(1);
        odd[0] = 7;
        assert_eq!(MapBin::parse("m", &odd).unwrap_err().place, Place::Byte(0));
        let mut far = small(2);
        far[13..17].fill(255);
        assert!(MapBin::parse("m", &far).is_err());
    }
}
