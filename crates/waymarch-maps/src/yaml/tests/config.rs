use waymarch::base::Fixed;
use waymarch::config::{AvoidanceModel, Config};

use crate::yaml::settings_table::settings;
use crate::yaml::{read_config, write_default_config};

/// A settings block with every default except the avoidance model.
const EXAMPLE_BLOCK: &str = r#"ic_pathfinder:
  name: "IC Default"
  description: "Multi-layer hybrid pathfinding — best of all worlds"
  
  # Layer 2: Hierarchical sectors
  sector_size: 32                    # cells per sector edge (power of 2)
  
  # Layer 3: Algorithm selection
  flowfield_group_threshold: 8       # units sharing destination before flow field activates
  jps_precomputed: true              # use JPS+ precomputed jump tables (faster, more memory)
  short_path_threshold: 64           # cells — skip hierarchical for paths shorter than this
  async_temp_paths: true             # return approximate path while computing exact
  
  # Layer 4: Local avoidance
  avoidance_model: orca-lite         # orca-lite | simple-boids | none
  avoidance_horizon: 24              # ticks ahead to check for collisions
  avoidance_strength: 512            # fixed-point force multiplier (1024 = 1.0)
  comfort_margin: 128                # extra clearance between units (fixed-point)
  commitment_ticks: 8                # minimum ticks to commit to avoidance direction
  push_mechanics: gentle             # none | gentle | aggressive
  
  # Layer 5: Group coordination
  formation_movement: true
  formation_type: adaptive           # adaptive | relative | box | line | wedge
  synchronized_arrival: true
  chokepoint_compression: true       # compress formation at narrow passages
  
  # Path post-processing
  path_smoothing: funnel             # none | funnel
  
  # Repathing
  repath_frequency: adaptive         # low (every 8 ticks) | medium (4) | high (2) | adaptive
  repath_on_block: true              # immediate repath when path is blocked
  stuck_threshold: 12                # ticks of no progress before repath trigger
  repath_cooldown: 30                # minimum ticks between repath attempts
  repath_escalation: true            # escalate through ignore-movers → nearest-reachable on repeated failure
  
  # Threat avoidance (Layer 1 dynamic overlay)
  influence_avoidance: ai-only       # none | ai-only | all
  threat_update_frequency: 4         # ticks between threat map refreshes
  threat_max_cost: 128               # maximum additive threat cost per cell (clamped to 254 total)
  
  # Flow field cache
  flowfield_cache_max_tiles: 64      # maximum cached flow field tiles
  flowfield_tile_ttl: 120            # ticks before unused tile is evicted
  
  # Performance budgets
  max_paths_per_tick: 32             # amortize expensive path requests across ticks
  max_flowfield_gens_per_tick: 4     # limit flow field tile generation per tick
"#;

fn read(body: &str) -> Config {
    read_config("c.yaml", format!("ic_pathfinder:\n{body}").as_bytes()).unwrap()
}

fn refused(body: &str) -> String {
    let text = format!("ic_pathfinder:\n{body}");
    read_config("c.yaml", text.as_bytes()).expect_err("must be refused").to_string()
}

#[test]
fn the_example_block_is_the_default_configuration() {
    let config = read_config("example.yaml", EXAMPLE_BLOCK.as_bytes()).unwrap();
    assert_eq!(config.name, "IC Default");
    let defaults = Config::default();
    // The block has another avoidance model than the defaults, which have the one with the best measurements.
    assert_eq!(
        (config.avoidance_model, defaults.avoidance_model),
        (AvoidanceModel::OrcaLite, AvoidanceModel::Orca)
    );
    let same = Config {
        name: defaults.name.clone(),
        description: defaults.description.clone(),
        avoidance_model: defaults.avoidance_model,
        ..config
    };
    assert_eq!(same, defaults);
}

#[test]
fn the_written_default_settings_read_back_and_explain_every_key() {
    let text = write_default_config();
    assert_eq!(read_config("default.yaml", text.as_bytes()).unwrap(), Config::default());
    for setting in settings() {
        assert!(text.contains(&format!("  {}: ", setting.key)), "{} is missing", setting.key);
        assert!(text.contains(setting.meaning) && text.contains(&setting.legal));
    }
}

#[test]
fn the_table_of_settings_has_every_field_of_the_configuration() {
    let text = serde_saphyr::to_string(&Config::default()).unwrap();
    let fields = text.lines().filter(|line| line.starts_with(|first: char| first.is_ascii_lowercase()));
    let mut fields: Vec<&str> = fields.filter_map(|line| line.split(':').next()).collect();
    let mut keys: Vec<&str> = settings().iter().map(|setting| setting.key).collect();
    fields.sort_unstable();
    keys.sort_unstable();
    assert_eq!(keys, fields);
}

#[test]
fn missing_keys_keep_their_defaults() {
    assert_eq!(read("  sector_size: 16\n"), Config { sector_size: 16, ..Config::default() });
    assert_eq!(read_config("c", b"ic_pathfinder:\n").unwrap(), Config::default());
    let config = read("  avoidance_strength: 1024\n  avoidance_model: orca-lite\n  size_classes: [1, 4]\n");
    assert_eq!(config.avoidance_strength, Fixed::ONE);
    assert_eq!(config.avoidance_model, AvoidanceModel::OrcaLite);
    assert_eq!(config.size_classes, [1, 4]);
}

#[test]
fn a_removed_key_is_refused_unless_it_asks_for_what_happens_anyway() {
    assert_eq!(read("  chokepoint_compression: true\n"), Config::default());
    let error = refused("  name: x\n  chokepoint_compression: false\n");
    assert!(error.starts_with("c.yaml:3:3: `chokepoint_compression` was removed in 0.2.0"), "{error}");
    assert!(error.contains("groups always narrow at gates") && error.contains("delete this line"), "{error}");
    assert!(!write_default_config().contains("chokepoint_compression"));
}

#[test]
fn an_unknown_key_suggests_the_nearest_one() {
    assert_eq!(
        refused("  name: x\n  sektor_size: 32\n"),
        "c.yaml:3:3: unknown key `sektor_size` in `ic_pathfinder` (did you mean `sector_size`?)"
    );
    let error = read_config("c.yaml", b"ic_pathfindr:\n  name: x\n").unwrap_err().to_string();
    assert!(
        error.starts_with("c.yaml:1:1: unknown key `ic_pathfindr`")
            && error.contains("did you mean `ic_pathfinder`")
    );
}

#[test]
fn a_wrong_value_says_where_and_what_is_legal() {
    let cases = [
        ("  sector_size: big\n", "c.yaml:2:16: `sector_size` is `big`: it must be a whole number, 8..=128"),
        ("  sector_size: 3.5\n", "`sector_size` is `3.5`"),
        ("  sector_size: [32]\n", "`sector_size` is a list"),
        ("  sector_size:\n", "`sector_size` is nothing"),
        ("  sector_size: 99999999999999999999\n", "c.yaml:2:16: `sector_size` is `99999999999999999999`"),
        ("  sector_size: 20\n", "c.yaml:2:16: `sector_size` is 20: it must be a power of two, 8..=128"),
        (
            "  threat_max_cost: 255\n",
            "c.yaml:2:20: `threat_max_cost` is `255`: it must be a whole number, 0..=254",
        ),
        (
            "  size_classes: [2, 3]\n",
            "c.yaml:2:17: `size_classes` is [2, 3]: it must be an ascending list from 1",
        ),
        ("  jps_precomputed: yes\n", "c.yaml:2:20: `jps_precomputed` is `yes`: it must be true or false"),
        ("  push_mechanics: gentel\n", "one of none | gentle | aggressive (did you mean `gentle`?)"),
        (
            "  corner_rule: {}\n",
            "c.yaml:2:16: `corner_rule` is a map: it must be one of forbid | allow-one | allow",
        ),
        ("  avoidance_strength: 65537\n", "c.yaml:2:23: `avoidance_strength`"),
    ];
    for (body, expected) in cases {
        let error = refused(body);
        assert!(error.contains(expected), "{error}\nshould say {expected}");
    }
}
