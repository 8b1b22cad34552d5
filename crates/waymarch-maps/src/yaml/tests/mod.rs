mod config;
mod hostile;
mod levels;
mod map;
mod round_trip;
mod rules;
mod scenario_write;
