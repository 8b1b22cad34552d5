//! Draws every built-in map to a folder: `cargo run --example gallery -- /tmp [name…]`.
use std::path::Path;

use waymarch::base::cell;
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
            let middle = cell((a.x + b.x) / 2, (a.y + b.y) / 2);
            picture.draw_route(&[a, middle, b]);
        }
        let path = Path::new(&folder).join(format!("{name}.png"));
        std::fs::write(&path, picture.encode())?;
        println!("{}: {about}", path.display());
    }
    Ok(())
}
