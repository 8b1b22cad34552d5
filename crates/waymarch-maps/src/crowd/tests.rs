//! Crowd scenes as files and as maps.

use waymarch::base::CellPos;
use waymarch::cost::TerrainId;

use super::read_scene;

const DOOR: &str = r#"{"name": "door", "dt": 0.05, "max_ticks": 100, "goal_tol": 0.2, "lower_bound_s": 4.0,
    "walls": [[0, 0.5, 1, 4], [0, -4, 1, -0.5]], "measure_lines": [[1, -0.5, 1, 0.5]], "note": "not read",
    "agents": [[-3, 0, 0.4, 2.0, 5, 0, 7, 8.0]], "interchangeable_groups": [7]}"#;

#[test]
fn a_scene_is_read_and_its_map_has_the_door() {
    let scene = read_scene("door.json", DOOR.as_bytes()).expect("a good scene");
    assert_eq!((scene.ticks_per_second, scene.max_ticks, scene.agents.len()), (20, 100, 1));
    let agent = scene.agents[0];
    assert_eq!((agent.at, agent.goal, agent.group, agent.shortest), ([-3.0, 0.0], [5.0, 0.0], 7, 8.0));
    let ground = scene.ground().expect("it fits a map");
    // The walls begin at half cells: the grid is shifted so that they lie on its lines.
    let door = ground.point([0.5, 0.0]).cell();
    let closed = |at: CellPos| ground.map.terrain_at(at) != Some(TerrainId(0));
    assert!(!closed(door), "one open cell");
    assert!(closed(door.offset(0, 1)) && closed(door.offset(0, -1)), "between two walls");
    assert!(!closed(door.offset(1, 1)) && !closed(door.offset(-1, -1)), "one cell thick");
    let height = ground.map.size.height() as i32;
    let openings = (0..height).filter(|&y| !closed(CellPos::new(door.x, y))).count();
    assert_eq!(openings, 1, "the wall reaches both edges of the map");
    assert!(ground.map.validate().is_ok());
}

#[test]
fn errors_name_the_place() {
    let fault = |from: &str, to: &str| {
        let error = read_scene("in.json", DOOR.replace(from, to).as_bytes()).expect_err("a fault");
        error.to_string()
    };
    assert!(fault("0.05", "0").starts_with("in.json: dt: `dt` must be"));
    assert!(fault("[-3, 0, 0.4", "[-3, 1e300, 0.4").starts_with("in.json: agents[0]: coordinates must lie"));
    assert!(fault("0.4, 2.0", "0, 2.0").starts_with("in.json: agents[0]: the radius must be"));
    assert!(
        fault("5, 0, 7", "5, 0, 7.5").starts_with("in.json: agents[0]: the group must be a whole number")
    );
    assert!(fault("[0, -4,", "[0, -1e9,").starts_with("in.json: walls[1]: coordinates must lie"));
    assert!(fault("8.0]]", "8.0]").starts_with("in.json:3:"), "{}", fault("8.0]]", "8.0]"));
    let error = read_scene("in.json", b"\xff").expect_err("no text");
    assert!(error.to_string().contains("not UTF-8"));
}
