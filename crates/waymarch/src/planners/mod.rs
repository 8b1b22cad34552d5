//! Ways of finding ways that put several layers together.

mod context;
mod hpa;

pub use context::{ContextWork, Contexts};
pub use hpa::{FarScratch, FarSearch, LegSearch, hpa, hpa_with};
