//! Villages along the roads: a few houses, bare earth around them, sometimes ruins.

use waymarch::base::{CellPos, cell};
use waymarch::cost::{FootCell, PlacedStamp, Stamp};

use super::land::Land;
use super::noise::Stream;
use super::standard_rules::ground;

/// Name, width and height of each kind of house.
const HOUSES: [(&str, u32, u32); 6] = [
    ("cottage", 2, 2),
    ("farmhouse", 3, 2),
    ("barn", 2, 3),
    ("hall", 4, 3),
    ("cottage", 2, 2),
    ("workshop", 3, 3),
];

/// Builds up to `count` villages beside `roads`, away from `starts`. Houses never stand on roads or bridges.
pub(super) fn build_villages(
    land: &mut Land,
    seed: u64,
    count: u32,
    roads: &[Vec<CellPos>],
    starts: &[CellPos],
) -> Vec<PlacedStamp> {
    let mut stream = Stream::new(seed, 40);
    let mut stamps: Vec<PlacedStamp> = Vec::new();
    let mut centres: Vec<CellPos> = Vec::new();
    let short = land.size.width().min(land.size.height()) as i32;
    let apart = (short / 6).clamp(12, 60);
    for _ in 0..count * 12 {
        if centres.len() >= count as usize || roads.is_empty() {
            break;
        }
        let road = &roads[stream.below(roads.len() as u32) as usize];
        if road.len() < 12 {
            continue;
        }
        let centre = road[stream.between(4, road.len() as i32 - 5) as usize];
        let far = |other: &CellPos| (other.x - centre.x).abs().max((other.y - centre.y).abs()) >= apart;
        if !centres.iter().chain(starts).all(far) {
            continue;
        }
        let before = stamps.len();
        let ruined = stream.below(5) == 0;
        for _ in 0..60 {
            let (name, width, height) = HOUSES[stream.below(6) as usize];
            let at = centre.offset(stream.between(-8, 7), stream.between(-8, 7));
            if stamps.len() - before >= 7 || !is_free(land, &stamps, at, width as i32, height as i32) {
                continue;
            }
            yard(land, at, width as i32, height as i32);
            if ruined && stream.below(3) == 0 {
                rubble(land, at, width as i32, height as i32);
                continue;
            }
            stamps.push(PlacedStamp { at, stamp: Stamp::filled(name, width, height, FootCell::Blocked) });
        }
        if stamps.len() > before {
            centres.push(centre);
        }
    }
    stamps
}

fn around(at: CellPos, width: i32, height: i32, margin: i32) -> impl Iterator<Item = CellPos> {
    (at.y - margin..at.y + height + margin)
        .flat_map(move |y| (at.x - margin..at.x + width + margin).map(move |x| cell(x, y)))
}

/// Whether a house fits: dry, level ground off the roads, a free cell all around, and a road within three cells.
fn is_free(land: &Land, stamps: &[PlacedStamp], at: CellPos, width: i32, height: i32) -> bool {
    let good = |c: CellPos| {
        let cover = land.cover_at(c);
        matches!(cover, Some(ground::CLEAR | ground::ROUGH | ground::FOREST | ground::DIRT | ground::BEACH))
            && land.slope(c) < 60
    };
    let clear_of = |placed: &PlacedStamp| {
        let (w, h) = (placed.stamp.width as i32, placed.stamp.height as i32);
        at.x > placed.at.x + w
            || placed.at.x > at.x + width
            || at.y > placed.at.y + h
            || placed.at.y > at.y + height
    };
    around(at, width, height, 0).all(good)
        && around(at, width, height, 1).all(|c| land.cover_at(c) != Some(ground::BRIDGE))
        && around(at, width, height, 3).any(|c| land.cover_at(c) == Some(ground::ROAD))
        && stamps.iter().all(clear_of)
}

fn yard(land: &mut Land, at: CellPos, width: i32, height: i32) {
    for c in around(at, width, height, 1) {
        let open = matches!(land.cover_at(c), Some(ground::CLEAR | ground::ROUGH | ground::FOREST));
        if let Some(i) = land.index(c).filter(|_| open) {
            land.cover[i] = ground::DIRT;
        }
    }
}

fn rubble(land: &mut Land, at: CellPos, width: i32, height: i32) {
    for c in around(at, width, height, 0) {
        if let Some(i) = land.index(c) {
            land.cover[i] = ground::RUBBLE;
        }
    }
}
