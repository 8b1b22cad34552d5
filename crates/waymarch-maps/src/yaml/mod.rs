//! Waymarch's own YAML: maps, rules and settings.
