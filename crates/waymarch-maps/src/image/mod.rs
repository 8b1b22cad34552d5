//! Maps as PNG pictures.
