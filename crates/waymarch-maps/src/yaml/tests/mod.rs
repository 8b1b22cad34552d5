mod config;
mod hostile;
mod map;
mod round_trip;
mod rules;
mod scenario_write;
