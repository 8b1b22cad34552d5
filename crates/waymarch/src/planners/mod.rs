//! Ways of finding ways that put several layers together.

mod hpa;

pub use hpa::{FarScratch, FarSearch, LegSearch, hpa, hpa_with};
