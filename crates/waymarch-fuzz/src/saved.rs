//! Saved state: bytes read as a navigator, which must then work, and be the same when it is saved again.

use waymarch::base::{ByteReader, ByteWriter, CellRect, FrameKind, GridSize, LoadError, LocomotorId, cell};
use waymarch::config::Config;
use waymarch::cost::{Falloff, FootCell, Map, Rules, Stamp, TerrainId, ThreatSource};
use waymarch::world::Navigator;
use waymarch_maps::{FileError, FileResult, Place};

/// What is wrong with saved bytes, as an error of a file.
pub(crate) fn refused(error: LoadError) -> FileError {
    FileError::new("in.state", error.what).at(Place::Byte(error.at))
}

/// Makes length and hash of a frame right again.
pub(crate) fn repair_frame(bytes: &mut [u8]) {
    if bytes.len() < 20 {
        return;
    }
    let (mut mark, mut version) = ([0; 4], [0; 4]);
    mark.copy_from_slice(&bytes[..4]);
    version.copy_from_slice(&bytes[4..8]);
    let mut writer = ByteWriter::new();
    let inside = &bytes[12..bytes.len() - 8];
    FrameKind { mark, version: u32::from_le_bytes(version) }.write(&mut writer, |writer| writer.raw(inside));
    bytes.copy_from_slice(writer.bytes());
}

fn saved(nav: &Navigator) -> Vec<u8> {
    let mut writer = ByteWriter::new();
    nav.save(&mut writer);
    writer.into_bytes()
}

/// A small map of two costs with something of everything on it.
fn navigator(width: u32, height: u32) -> Navigator {
    let size = GridSize::new(width, height).expect("a legal size");
    let config = Config { sector_size: 8, size_classes: vec![1, 2], ..Config::default() };
    let mut nav = Navigator::new(Map::flat("seed", size, Rules::spec_000()), config).expect("a legal map");
    let gate = Stamp::filled("gate", 2, 1, FootCell::Gate);
    let gone = nav.place(&Stamp::solid(2, 2), cell(1, 1)).expect("fits");
    nav.place(&gate, cell(4, 3)).expect("fits");
    nav.place(&Stamp::solid(1, 3).lasting(9), cell(6, 2)).expect("fits");
    nav.remove(gone).expect("stands");
    nav.set_terrain(CellRect::at(cell(0, 4), 3, 2), TerrainId(2)).expect("on the map");
    let threat = ThreatSource { at: cell(3, 3), radius: 3, strength: 90, falloff: Falloff::Linear };
    nav.add_threat(threat).expect("on the map");
    (0..5).for_each(|_| nav.tick());
    nav.add_threat(ThreatSource { radius: 2, ..threat }).expect("on the map");
    nav
}

/// Seeds: as it is, and on a map with heights.
pub(crate) fn states() -> Vec<Vec<u8>> {
    let flat = navigator(9, 8);
    let mut hilly = navigator(12, 7);
    hilly.set_elevation(CellRect::at(cell(2, 2), 2, 2), 60).expect("on the map");
    vec![saved(&flat), saved(&hilly)]
}

/// [`Navigator::load`] and [`Navigator::restore`]: the same from either, and again after saving.
///
/// # Errors
/// What is refused.
///
/// # Panics
/// When a promise is broken.
pub fn navigator_state(bytes: &[u8]) -> FileResult<()> {
    let located = |error: LoadError| {
        assert!(error.at <= bytes.len() as u64, "{error} is not in the bytes");
        refused(error)
    };
    let mut nav = Navigator::load(&mut ByteReader::new(bytes)).map_err(located)?;
    let mut other = navigator(9, 8);
    other.restore(&mut ByteReader::new(bytes)).expect("what loads can be gone back to");
    assert_eq!(nav.state_hash(), other.state_hash());
    let again = saved(&nav);
    let twin = Navigator::load(&mut ByteReader::new(&again)).expect("what was saved loads");
    assert_eq!(twin.state_hash(), nav.state_hash());
    for twin in [&mut nav, &mut other] {
        (0..12).for_each(|_| twin.tick());
        let size = twin.layer().grid();
        let far = cell(size.width() as i32 - 1, size.height() as i32 - 1);
        // That there may be no way is as good an answer as any.
        let _ = twin.path(cell(0, 0), far, LocomotorId(0));
    }
    assert_eq!(nav.state_hash(), other.state_hash());
    Ok(())
}
