//! Pictures in and out, and what is refused.

use png::{BitDepth, ColorType, Encoder};
use waymarch::base::GridSize;
use waymarch::base::LocomotorId;
use waymarch::cost::{IMPASSABLE, Map, Rules, Surface, TerrainDef, TerrainId};

use super::{
    Legend, attach_heightmap, legend_for, read_heightmap, read_map, read_terrain, write_costs, write_map,
};
use crate::error::Place;

fn png_of(width: u32, height: u32, colour: ColorType, depth: BitDepth, data: &[u8]) -> Vec<u8> {
    let mut bytes = Vec::new();
    let mut encoder = Encoder::new(&mut bytes, width, height);
    encoder.set_color(colour);
    encoder.set_depth(depth);
    if colour == ColorType::Indexed {
        encoder.set_palette(vec![0x6a, 0x9a, 0x4a, 0x30, 0x2c, 0x28]);
    }
    encoder.write_header().unwrap().write_image_data(data).unwrap();
    bytes
}

fn painted() -> Map {
    let mut rules = Rules::standard();
    // Two terrains of one colour, and one with the standard colour of another.
    for (name, colour) in
        [("Mud, 'deep' # 1", [1, 2, 255]), ("Bog", [1, 2, 255]), ("Moss", [0x6a, 0x9a, 0x4a])]
    {
        let mut def = TerrainDef::new(name, Surface::Ground);
        def.colour = Some(colour);
        rules.terrains.push(def);
    }
    let mut map = Map::flat("painted", GridSize::new(5, 4).unwrap(), rules);
    for (at, terrain) in map.terrain.iter_mut().enumerate() {
        *terrain = TerrainId((at % 10) as u8);
    }
    map
}

#[test]
fn a_written_map_reads_back_the_same_with_its_legend() {
    let map = painted();
    let legend = Legend::parse("legend", &legend_for(&map).to_text()).unwrap();
    assert_eq!(legend, legend_for(&map));
    let (size, terrain) = read_terrain("x.png", &write_map(&map), &legend).unwrap();
    assert_eq!((size, terrain), (map.size, map.terrain.clone()));
    let again = read_map("x.png", &write_map(&map), Some(&legend)).unwrap();
    let names = |map: &Map| map.rules.terrains.iter().map(|def| def.name.clone()).collect::<Vec<_>>();
    assert_eq!((names(&again), again.terrain.clone()), (names(&map), map.terrain));
    again.validate().unwrap();
}

#[test]
fn a_written_map_has_its_legend_inside() {
    let map = painted();
    let bytes = write_map(&map);
    let again = read_map("x.png", &bytes, None).unwrap();
    assert_eq!(again, read_map("x.png", &bytes, Some(&legend_for(&map))).unwrap());
    // A legend from outside wins over the one inside.
    let other = Legend::default();
    assert!(read_map("x.png", &bytes, Some(&other)).unwrap_err().to_string().contains("not in the legend"));
}

#[test]
fn a_damaged_legend_inside_is_named() {
    let bytes = write_map(&painted());
    let at = bytes.windows(15).position(|word| word == b"Waymarch legend").unwrap();
    let changed = |offset: usize, byte: u8| {
        let mut bytes = bytes.clone();
        bytes[at + offset] = byte;
        read_map("x.png", &bytes, None).map_err(|error| error.to_string())
    };
    let compressed = changed(16, 1).unwrap_err();
    assert!(compressed.starts_with("x.png: byte") && compressed.contains("maps convert"), "{compressed}");
    let letters = changed(20, b'?').unwrap_err();
    assert!(letters.starts_with("x.png (its legend):1:1"), "{letters}");
    // With another keyword it is no legend, and the colours are not the standard ones.
    let other = changed(0, b'w').unwrap_err();
    assert!(other.contains("not in the legend") && other.contains("the standard colours apply"), "{other}");
}

#[test]
fn all_256_terrains_get_colours_of_their_own() {
    let mut rules = Rules::standard();
    rules.terrains = (0..256).map(|at| TerrainDef::new(format!("T{at}"), Surface::Ground)).collect();
    rules.terrains[9].colour = Some([255; 3]);
    rules.terrains[8].colour = Some([255; 3]);
    rules.costs.clear();
    let map = Map::flat("many", GridSize::new(1, 1).unwrap(), rules);
    let mut colours: Vec<[u8; 3]> = legend_for(&map).entries.iter().map(|entry| entry.colour).collect();
    colours.sort_unstable();
    colours.dedup();
    assert_eq!(colours.len(), 256);
}

#[test]
fn grey_is_cost_white_normal_and_black_closed() {
    let bytes = png_of(5, 1, ColorType::Grayscale, BitDepth::Eight, &[255, 254, 0, 1, 2]);
    let map = read_map("grey.png", &bytes, None).unwrap();
    let valid = map.clone().validate().unwrap();
    let costs: Vec<u8> =
        map.terrain.iter().map(|&terrain| valid.rules().cost(terrain, LocomotorId(0))).collect();
    assert_eq!(costs, [1, 2, IMPASSABLE, 254, 254]);
    assert_eq!(map.rules.terrains.len(), 4);
    let written = write_costs("x", &map, LocomotorId(0)).unwrap();
    assert_eq!(read_map("grey.png", &written, None).unwrap(), map);
}

#[test]
fn every_bit_depth_and_colour_type_is_read() {
    let closed = |bytes: &[u8]| {
        let map = read_map("x", bytes, None).unwrap();
        let wall = map.rules.terrains.iter().position(|def| def.name == "Wall").unwrap();
        map.terrain.iter().map(|terrain| terrain.index() == wall).collect::<Vec<_>>()
    };
    let pair = [false, true];
    assert_eq!(closed(&png_of(2, 1, ColorType::Grayscale, BitDepth::One, &[0x80])), pair);
    assert_eq!(closed(&png_of(2, 1, ColorType::Grayscale, BitDepth::Four, &[0xf0])), pair);
    assert_eq!(closed(&png_of(2, 1, ColorType::Grayscale, BitDepth::Sixteen, &[255, 255, 0, 0])), pair);
    assert_eq!(closed(&png_of(2, 1, ColorType::GrayscaleAlpha, BitDepth::Eight, &[255, 9, 0, 9])), pair);
    assert_eq!(closed(&png_of(2, 1, ColorType::Indexed, BitDepth::One, &[0x40])), pair);
    let (clear, wall) = ([0x6a, 0x9a, 0x4a], [0x30, 0x2c, 0x28]);
    let rgba: Vec<u8> = [clear, wall].iter().flat_map(|rgb| [rgb[0], rgb[1], rgb[2], 0]).collect();
    assert_eq!(closed(&png_of(2, 1, ColorType::Rgba, BitDepth::Eight, &rgba)), pair);
    let wide: Vec<u8> = [clear, wall].iter().flatten().flat_map(|&byte| [byte, byte]).collect();
    assert_eq!(closed(&png_of(2, 1, ColorType::Rgb, BitDepth::Sixteen, &wide)), pair);
}

#[test]
fn an_interlaced_image_is_read() {
    // 3×3 grey, Adam7, made by hand: passes 1, 5 (col 2), 3.. of a picture whose pixels are 10·y + x + 100.
    let value = |x: u8, y: u8| 10 * y + x + 100;
    let passes: [&[(u8, u8)]; 6] = [&[(0, 0)], &[], &[], &[(2, 0)], &[(0, 2), (2, 2)], &[(1, 0)]];
    let mut raw = Vec::new();
    for pass in passes.iter().filter(|pass| !pass.is_empty()) {
        raw.push(0);
        raw.extend(pass.iter().map(|&(x, y)| value(x, y)));
    }
    raw.extend([0, value(1, 2), 0]);
    raw.extend([value(0, 1), value(1, 1), value(2, 1)]);
    let bytes = container(3, 3, [8, 0, 0, 0, 1], &stored(&raw));
    let (_, heights) = read_heightmap("adam7", &bytes, 255).unwrap();
    assert_eq!(heights, [100, 101, 102, 110, 111, 112, 120, 121, 122]);
}

#[test]
fn an_unknown_colour_names_its_cell_and_the_nearest() {
    let mut data: Vec<u8> = [0x6a, 0x9a, 0x4a].repeat(6);
    data[3 * 4] = 0x69;
    let error = read_map("m.png", &png_of(3, 2, ColorType::Rgb, BitDepth::Eight, &data), None).unwrap_err();
    let said = "m.png: cell (1, 1): the colour #699a4a is not in the legend (nearest: #6a9a4a Clear; the picture has no legend";
    assert!(error.to_string().starts_with(said), "{error}");
}

#[test]
fn a_height_map_of_8_or_16_bits_scales_to_white() {
    let byte = png_of(3, 1, ColorType::Grayscale, BitDepth::Eight, &[0, 51, 255]);
    assert_eq!(read_heightmap("h", &byte, 1280).unwrap().1, [0, 256, 1280]);
    assert_eq!(read_heightmap("h", &byte, i16::MIN).unwrap().1, [0, -6554, i16::MIN]);
    let wide = png_of(2, 1, ColorType::Grayscale, BitDepth::Sixteen, &[0, 128, 255, 255]);
    assert_eq!(read_heightmap("h", &wide, i16::MAX).unwrap().1, [64, i16::MAX]);
    let mut map = painted();
    assert!(attach_heightmap(&mut map, "h", &byte, 9).unwrap_err().problem.contains("3×1"));
    let mut flat = Map::flat("f", GridSize::new(3, 1).unwrap(), Rules::standard());
    attach_heightmap(&mut flat, "h", &byte, 255).unwrap();
    assert_eq!(flat.validate().unwrap().map().elevation, [0, 51, 255]);
    let colours = png_of(1, 1, ColorType::Rgb, BitDepth::Eight, &[1, 2, 3]);
    assert!(read_heightmap("h", &colours, 9).unwrap_err().problem.contains("grey"));
}

#[test]
fn legends_name_the_line_that_is_wrong() {
    let wrong = |text: &str| Legend::parse("l", text).unwrap_err().to_string();
    assert!(wrong("legend:\n  '#12345': Clear\n").starts_with("l:2:3: '#12345' is not a colour"));
    assert!(wrong("'#123456': A\n'#123456': B\n").starts_with("l:2:1: the colour #123456 is given twice"));
    assert!(wrong("'#123456': A, cost 255\n").contains("cost 1..=254"));
    assert!(wrong("'#123456':\n").contains("no terrain"));
    assert!(wrong("'#é\n").contains("quoted"));
    assert!(wrong("normal: 0\n").contains("1..=254"));
    assert!(wrong("").contains("no colour"));
    let legend =
        Legend::parse("l", "normal: 10 # ten\nlegend:\n\"#0000ff\": Deep Sea, impassable\n'#00ff00': Rough")
            .unwrap();
    let rules = legend.rules();
    assert_eq!(rules.terrains[0].name, "Deep Sea");
    assert_eq!((rules.costs[0][0], rules.costs[1][0]), (Some(IMPASSABLE), Some(20)));
}

#[test]
fn every_truncation_and_flip_of_an_image_is_an_error_or_a_map() {
    let bytes = write_map(&painted());
    let legend = legend_for(&painted());
    for len in 0..bytes.len() {
        let error = read_map("cut.png", &bytes[..len], Some(&legend)).expect_err(&len.to_string());
        assert!(matches!(error.place, Place::Byte(_)), "{len}: {error}");
    }
    for at in 0..bytes.len() {
        for value in [0, 255, bytes[at] ^ 1] {
            let mut bad = bytes.clone();
            bad[at] = value;
            let _ = read_map("bad.png", &bad, Some(&legend));
        }
    }
}

#[test]
fn illegal_sizes_are_refused_before_memory_is_allocated() {
    let claim = |width, height| {
        read_map("big.png", &container(width, height, [8, 2, 0, 0, 0], &stored(&[0; 4])), None).unwrap_err()
    };
    for (width, height) in [(0, 1), (1, 0), (8193, 1), (u32::MAX >> 1, u32::MAX >> 1)] {
        claim(width, height);
    }
    let lying = claim(8192, 8192);
    assert!(lying.problem.contains("is too short for 8192×8192"), "{lying}");
    assert_eq!(lying.place, Place::Byte(16));
}

/// A zlib stream that stores `raw` unpacked.
fn stored(raw: &[u8]) -> Vec<u8> {
    let len = raw.len() as u16;
    let mut out = vec![0x78, 0x01, 1];
    out.extend(len.to_le_bytes());
    out.extend((!len).to_le_bytes());
    out.extend(raw);
    let (mut a, mut b) = (1_u32, 0_u32);
    for &byte in raw {
        a = (a + u32::from(byte)) % 65_521;
        b = (b + a) % 65_521;
    }
    out.extend((b << 16 | a).to_be_bytes());
    out
}

/// A PNG with this header and image data, checksums and all.
fn container(width: u32, height: u32, rest: [u8; 5], data: &[u8]) -> Vec<u8> {
    let mut header = width.to_be_bytes().to_vec();
    header.extend(height.to_be_bytes());
    header.extend(rest);
    let mut bytes = b"\x89PNG\r\n\x1a\n".to_vec();
    for (kind, body) in [(b"IHDR", &header[..]), (b"IDAT", data), (b"IEND", &[])] {
        let mut chunk = kind.to_vec();
        chunk.extend(body);
        bytes.extend((body.len() as u32).to_be_bytes());
        let crc = crc32(&chunk);
        bytes.extend(chunk);
        bytes.extend(crc.to_be_bytes());
    }
    bytes
}

fn crc32(bytes: &[u8]) -> u32 {
    !bytes.iter().fold(u32::MAX, |crc, &byte| {
        (0..8).fold(
            crc ^ u32::from(byte),
            |crc, _| if crc & 1 == 1 { crc >> 1 ^ 0xedb8_8320 } else { crc >> 1 },
        )
    })
}
