//! Draws every built-in map to a folder: `cargo run --example gallery -- /tmp [name…]`.
use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::path::Path;

use waymarch::base::{CellPos, CellRect, Dir8};
use waymarch::cost::{IMPASSABLE, Map, step_length};
use waymarch_cli::picture::{Picture, Style};
use waymarch_maps::generate::{BUILTIN, builtin};

fn main() -> std::io::Result<()> {
    let mut words = std::env::args().skip(1);
    let folder = words.next().unwrap_or_else(|| ".".to_owned());
    let wanted: Vec<String> = words.collect();
    for (name, about) in BUILTIN {
        if !wanted.is_empty() && !wanted.iter().any(|word| word == name) {
            continue;
        }
        let Some(map) = builtin(name) else { continue };
        let mut picture = Picture::new(&map, &Style::default());
        picture.draw_map().draw_starts();
        if let [a, b, ..] = map.starts[..] {
            picture.draw_route(&shortest(&map, a, b));
        }
        let path = Path::new(&folder).join(format!("{name}.png"));
        std::fs::write(&path, picture.encode())?;
        println!("{}: {about}", path.display());
    }
    Ok(())
}

/// The cheapest route for wheels. It considers only terrain and stamps, which is enough for a picture.
fn shortest(map: &Map, from: CellPos, to: CellPos) -> Vec<CellPos> {
    let Ok(rules) = map.rules.validate() else { return Vec::new() };
    let Some(wheel) = rules.locomotor("wheel") else { return Vec::new() };
    let (Some(start), Some(goal)) = (map.size.id(from), map.size.id(to)) else { return Vec::new() };
    let mut costs: Vec<u8> = map.terrain.iter().map(|&terrain| rules.cost(terrain, wheel)).collect();
    for placed in &map.stamps {
        let (at, stamp) = (placed.at, &placed.stamp);
        for under in CellRect::at(at, stamp.width, stamp.height).cells() {
            if let Some(id) = map.size.id(under) {
                costs[id.index()] = IMPASSABLE;
            }
        }
    }
    let price = |at: CellPos| map.size.id(at).map_or(IMPASSABLE, |id| costs[id.index()]);
    let mut best = vec![(u64::MAX, start); map.size.cells()];
    let mut open = BinaryHeap::from([Reverse((0, start))]);
    best[start.index()].0 = 0;
    while let Some(Reverse((cost, id))) = open.pop() {
        if id == goal {
            break;
        }
        for dir in Dir8::ALL {
            let at = map.size.pos(id);
            let Some(next) = map.size.id(at.step(dir)) else { continue };
            let total = cost + u64::from(price(at.step(dir))) * u64::from(step_length(dir));
            // A diagonal step needs both cells beside it open.
            let turns: &[i8] = if dir.is_diagonal() { &[-1, 0, 1] } else { &[0] };
            let legal = turns.iter().all(|&turn| price(at.step(dir.turn(turn))) != IMPASSABLE);
            if legal && total < best[next.index()].0 {
                best[next.index()] = (total, id);
                open.push(Reverse((total, next)));
            }
        }
    }
    let mut route = vec![to];
    let mut at = goal;
    while at != start && best[at.index()].0 != u64::MAX {
        at = best[at.index()].1;
        route.push(map.size.pos(at));
    }
    route.reverse();
    route
}
