//! Draws every built-in map to a folder: `cargo run --example gallery -- /tmp [name…]`.
use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::path::Path;

use waymarch::base::{CellPos, Dir8};
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

/// The cheapest route for wheels by terrain alone: enough for a picture.
fn shortest(map: &Map, from: CellPos, to: CellPos) -> Vec<CellPos> {
    let Ok(rules) = map.rules.validate() else { return Vec::new() };
    let Some(wheel) = rules.locomotor("wheel") else { return Vec::new() };
    let (Some(start), Some(goal)) = (map.size.id(from), map.size.id(to)) else { return Vec::new() };
    let mut best = vec![(u64::MAX, start); map.size.cells()];
    let mut open = BinaryHeap::from([Reverse((0, start))]);
    best[start.index()].0 = 0;
    while let Some(Reverse((cost, id))) = open.pop() {
        if id == goal {
            break;
        }
        for dir in Dir8::ALL {
            let Some(next) = map.size.id(map.size.pos(id).step(dir)) else { continue };
            let price = rules.cost(map.terrain[next.index()], wheel);
            let total = cost + u64::from(price) * u64::from(step_length(dir));
            if price != IMPASSABLE && total < best[next.index()].0 {
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
