//! Tests of pictures.

use waymarch::base::{Dir8, GridSize, cell};
use waymarch::cost::{FootCell, Map, PlacedStamp, Rules, Stamp, Surface, TerrainDef, TerrainId};
use waymarch::flow::lazy::{FrontierPart, LazyFlow, LazySettings, SparseGround};
use waymarch::flow::whole::Flow;
use waymarch::search::{Reach, SearchEvent, Visit};
use waymarch_maps::generate::{BUILTIN, builtin, ground, standard_rules};

use super::{
    Canvas, Colour, DistanceMarks, Distances, FlowArrows, LazyPicture, Look, Palette, Picture, RouteLine,
    Scale, Style,
};

const SMALL: Style = Style { target: 300, relief: 100 };

fn size(width: u32, height: u32) -> GridSize {
    GridSize::new(width, height).expect("a legal size")
}

fn rules_of(names: &[&str]) -> Rules {
    let terrains = names.iter().map(|name| TerrainDef::new(*name, Surface::Ground)).collect();
    Rules { terrains, ..standard_rules() }
}

#[test]
fn every_built_in_map_renders() {
    for (name, _) in BUILTIN {
        let map = builtin(name).expect("a listed map exists");
        let mut picture = Picture::new(&map, &SMALL);
        picture.draw_map().draw_starts().draw_grid(16);
        assert!(picture.encode().starts_with(b"\x89PNG\r\n"), "{name}");
    }
}

#[test]
fn the_longer_side_is_near_the_target_and_at_most_the_maximum() {
    let canvas = |width, height, target| Scale::fitting(size(width, height), target).canvas_size();
    assert_eq!(canvas(128, 128, 1400), (1280, 1280));
    assert_eq!(canvas(16, 16, 1400), (1024, 1024), "at most 64 pixels per cell");
    assert_eq!(canvas(512, 100, 1400), (1024, 200));
    assert_eq!(canvas(1600, 1500, 1400), (1600, 1500), "a pixel per cell");
    assert_eq!(canvas(4096, 1, 1400), (4096, 1));
    assert_eq!(canvas(8192, 8191, 1400), (4096, 4096), "two cells per pixel");
    for side in 1..=8192 {
        let (width, height) = canvas(side, 1, 1400);
        assert!(width <= Canvas::MAX_SIDE && height >= 1, "{side}");
        assert!(side < 22 || width >= 700, "{side} cells make only {width} pixels");
    }
}

#[test]
fn a_huge_map_is_reduced_and_its_roads_survive() {
    let mut map = Map::flat("huge", size(8192, 64), standard_rules());
    for x in 0..8192 {
        map.set_terrain(cell(x, 30), ground::ROAD);
    }
    let mut picture = Picture::new(&map, &SMALL);
    picture.draw_map();
    let road = picture.canvas().pixel(2000, 15).expect("on the canvas").0;
    let grass = picture.canvas().pixel(2000, 5).expect("on the canvas").0;
    assert!(road[0] > road[1], "a road is brown: {road:?}");
    assert!(grass[1] > grass[0], "grass is green: {grass:?}");
}

#[test]
fn a_route_shows_on_every_cell_between_its_ends() {
    let map = builtin("open").expect("exists");
    let mut picture = Picture::new(&map, &SMALL);
    picture.draw_map();
    let route: Vec<_> = (10..60).map(|x| cell(x, 30)).collect();
    picture.draw_route(&route);
    let bright = RouteLine::COLOUR.0;
    for at in &route[8..42] {
        let (x, y) = picture.canvas().middle(*at);
        let column = (-3..=3).filter_map(|dy| picture.canvas().pixel(x as u32, (y as i32 + dy) as u32));
        let close = |c: Colour| (0..3).all(|i| c.0[i].abs_diff(bright[i]) < 60);
        assert!(column.into_iter().any(close), "{at}");
    }
    // An empty route, one cell, and cells off the map do not fail.
    picture.draw_route(&[]).draw_route(&[cell(5, 5)]).draw_route(&[cell(-9, -9), cell(500, 500)]);
}

#[test]
fn cells_and_heat_maps_change_only_the_cells_they_cover() {
    let map = Map::flat("flat", size(20, 20), standard_rules());
    let colour = |draw: &dyn Fn(&mut Picture<'_>), x: i32, y: i32| {
        let mut picture = Picture::new(&map, &SMALL);
        picture.draw_map();
        draw(&mut picture);
        let (x, y) = picture.canvas().middle(cell(x, y));
        picture.canvas().pixel(x as u32, y as u32).expect("on the canvas")
    };
    let plain = |_: &mut Picture<'_>| {};
    let cells = |picture: &mut Picture<'_>| {
        picture.draw_cells(&[cell(4, 4)], Colour::hex(0xff0000), 255);
    };
    assert_eq!(colour(&cells, 4, 4), Colour::hex(0xff0000));
    assert_eq!(colour(&cells, 6, 4), colour(&plain, 6, 4));
    let mut values = vec![255; 400];
    values[3 * 20 + 10] = 7;
    values[3 * 20 + 12] = 90;
    let heat = |picture: &mut Picture<'_>| {
        picture.draw_values(&values, Palette::Viridis, "cost");
    };
    assert_ne!(colour(&heat, 10, 3), colour(&plain, 10, 3));
    assert_eq!(colour(&heat, 11, 3), colour(&plain, 11, 3), "cells of value 255 are not drawn");
}

#[test]
fn looks_are_chosen_by_name_then_colour_then_surface() {
    let names = ["GRASS", "Shallow Water", "OutOfBounds", "Tree", "Forest Road", "Ore", "Zzz"];
    let mut rules = rules_of(&names);
    let looks: Vec<Look> = (0..7).map(|i| Look::of(&rules, TerrainId(i)).0).collect();
    let expected = [Look::Grass, Look::River, Look::Void, Look::Forest, Look::Forest, Look::Ore, Look::Grass];
    assert_eq!(looks, expected);
    rules.terrains[6].colour = Some([1, 2, 3]);
    assert_eq!(Look::of(&rules, TerrainId(6)), (Look::Plain, Some(Colour([1, 2, 3]))));
    rules.terrains[6].colour = None;
    rules.terrains[6].surface = Surface::Water;
    assert_eq!(Look::of(&rules, TerrainId(6)).0, Look::Water);
    assert_eq!(Look::of(&rules, TerrainId(99)).0, Look::Void);
}

#[test]
fn out_of_bounds_is_dark_and_every_kind_of_stamp_is_drawn() {
    let rules = rules_of(&["Ground", "Tree", "OutOfBounds", "Swamp", "Water"]);
    let mut map = Map::flat("movingai", size(30, 30), rules);
    for at in map.size.rect().cells().filter(|at| at.x < 6) {
        map.set_terrain(at, TerrainId(2));
    }
    let feet = [
        FootCell::Open,
        FootCell::Blocked,
        FootCell::NoStop,
        FootCell::Gate,
        FootCell::Wall(0),
        FootCell::Terrain(TerrainId(4)),
    ];
    let stamp = Stamp { name: "fort".into(), width: 3, height: 2, cells: feet.into(), lifetime: None };
    map.stamps.push(PlacedStamp { at: cell(10, 10), stamp });
    map.stamps.push(PlacedStamp { at: cell(20, 20), stamp: Stamp::solid(3, 2) });
    let mut picture = Picture::new(&map, &SMALL);
    picture.draw_map();
    let (x, y) = picture.canvas().middle(cell(2, 15));
    assert!(picture.canvas().pixel(x as u32, y as u32).expect("on the canvas").0.iter().all(|&v| v < 50));
}

fn visit(at: (i32, i32), parent: Option<(i32, i32)>) -> Visit {
    let (at, parent) = (cell(at.0, at.1), parent.map(|(x, y)| cell(x, y)));
    let turn = parent.map_or(at, |from| {
        let diagonal = (at.x - from.x).abs().min((at.y - from.y).abs());
        from.offset((at.x - from.x).signum() * diagonal, (at.y - from.y).signum() * diagonal)
    });
    Visit { at, parent, turn, cost: 0, ahead: 0 }
}

/// The pixels in the middle of cells, on a black picture of 30×30 cells with a search.
fn searched(events: &[SearchEvent], cells: &[(i32, i32)]) -> Vec<Colour> {
    let map = Map::flat("searched", size(30, 30), standard_rules());
    let mut picture = Picture::new(&map, &Style { target: 600, ..SMALL });
    picture.draw_search(events, &[]);
    let canvas = picture.canvas();
    let pixel = |&(x, y): &(i32, i32)| {
        let (x, y) = canvas.middle(cell(x, y));
        canvas.pixel(x as u32, y as u32).expect("on the canvas")
    };
    cells.iter().map(pixel).collect()
}

const BLACK: Colour = Colour::hex(0x000000);

#[test]
fn expanded_cells_are_tinted_from_first_to_last_and_reached_ones_dotted() {
    let events = [
        SearchEvent::Expand(visit((3, 3), None)),
        SearchEvent::Reach(visit((4, 3), Some((3, 3))), Reach::First),
        SearchEvent::Expand(visit((4, 3), Some((3, 3)))),
        SearchEvent::Reach(visit((5, 3), Some((4, 3))), Reach::First),
    ];
    let [first, last, reached, other] = searched(&events, &[(3, 3), (4, 3), (5, 3), (9, 9)])[..] else {
        panic!()
    };
    assert!(first.0[2] > first.0[0] && last.0[0] > last.0[2], "blue first, yellow last: {first:?} {last:?}");
    assert!(reached.0.iter().all(|&channel| channel > 150), "{reached:?}");
    assert_eq!(other, BLACK);
}

#[test]
fn jumps_are_lines_that_go_diagonally_first_and_their_ends_are_dots() {
    let events = [
        SearchEvent::Expand(visit((3, 3), None)),
        SearchEvent::Reach(visit((12, 8), Some((3, 3))), Reach::First),
        SearchEvent::Expand(visit((12, 8), Some((3, 3)))),
    ];
    let seen = searched(&events, &[(5, 5), (8, 8), (10, 8), (12, 8), (12, 3), (3, 8)]);
    assert!(seen[..4].iter().all(|&colour| colour != BLACK), "{seen:?}");
    assert_eq!(seen[4..], [BLACK, BLACK], "a jump is diagonal first");
}

#[test]
fn the_legend_of_a_search_takes_the_corner_with_the_least_content() {
    let corner = |events: &[SearchEvent]| {
        let seen = searched(events, &[(28, 28), (28, 1), (1, 1)]);
        seen.iter().position(|&colour| colour != BLACK)
    };
    let at = |x, y| SearchEvent::Expand(visit((x, y), None));
    assert_eq!(corner(&[at(3, 15)]), Some(0), "lower right");
    assert_eq!(corner(&[at(26, 28)]), Some(1), "upper right");
    assert_eq!(corner(&[at(26, 28), at(26, 1)]), Some(2), "upper left");
}

#[test]
fn a_lazy_field_shows_explored_cells_and_frontier_and_nothing_beyond() {
    let map = Map::flat("lazy", size(64, 64), standard_rules());
    let mut flow = LazyFlow::new(SparseGround::open(), LazySettings::default().validate().expect("legal"));
    let goal = cell(20, 20);
    flow.get_direction(cell(24, 20), goal);
    let field = flow.field(goal).expect("asked for");
    let mut picture = Picture::new(&map, &Style { target: 640, ..SMALL });
    picture.draw(&LazyPicture { size: size(64, 64), ground: flow.ground(), field, routes: &[] });
    let canvas = picture.canvas();
    let corner = |x: i32, y: i32| {
        // Neither the middle, where an arrow may be, nor the edge, where the boundary may be.
        let (x, y) = canvas.place(x as f32 + 0.75, y as f32 + 0.35);
        canvas.pixel(x as u32, y as u32).expect("on the canvas")
    };
    assert_ne!(corner(22, 22), BLACK, "explored");
    assert_eq!(corner(60, 10), BLACK, "neither explored nor in the frontier");
    let (found, part) = field.frontier(flow.ground())[10];
    assert_eq!(part, FrontierPart::Working);
    let orange = corner(found.x, found.y).0;
    assert!(orange[0] > 200 && orange[2] < 80, "{orange:?} at {found}");
}

#[test]
fn arrows_point_where_they_say_and_far_cells_are_darker() {
    let map = Map::flat("flat", size(9, 9), standard_rules());
    let mut picture = Picture::new(&map, &SMALL);
    let left: Vec<Option<u64>> = (0..81).map(|at| (at % 9 != 8).then_some(at % 9 * 1024)).collect();
    picture.draw(&Distances { size: map.size, left: &left, unit: 1024, alpha: 255 });
    let brightness = |picture: &mut Picture<'_>, x: f32| {
        let (x, y) = picture.canvas().place(x, 0.3);
        let Colour(rgb) = picture.canvas().pixel(x as u32, y as u32).expect("on the canvas");
        rgb.iter().map(|&part| u32::from(part)).sum::<u32>()
    };
    let shades = [0.3, 4.3, 7.3, 8.3].map(|x| brightness(&mut picture, x));
    assert!(shades[0] > shades[1] && shades[1] > shades[2], "{shades:?}");
    assert_eq!(shades[3], 0, "the last column cannot reach the goal: nothing is drawn");
    let mut picture = Picture::new(&map, &SMALL);
    let directions = vec![Flow::Step(Dir8::E); 81];
    picture.draw(&FlowArrows { size: map.size, directions: &directions });
    let white = |picture: &mut Picture<'_>, x: f32, y: f32| {
        let (x, y) = picture.canvas().place(x, y);
        picture.canvas().pixel(x as u32, y as u32).is_some_and(|Colour(rgb)| rgb[0] > 200)
    };
    // The arrow head is wide and lies east of the middle.
    assert!(white(&mut picture, 4.56, 4.34) && !white(&mut picture, 4.44, 4.34));
    // Too few values do not fail.
    picture.draw(&FlowArrows { size: map.size, directions: &directions[..5] });
    let empty = Distances { size: map.size, left: &[], unit: 0, alpha: 9 };
    picture.draw(&empty).draw(&DistanceMarks(empty));
}
