//! temp
#![allow(missing_docs)]
use super::{CellPos, Id, Tick};
pub struct StateHasher(xxhash_rust::xxh3::Xxh3);
pub trait HashState {
    fn hash_state(&self, h: &mut StateHasher);
}
impl StateHasher {
    pub fn new() -> Self {
        Self(xxhash_rust::xxh3::Xxh3::new())
    }
    pub fn finish(&self) -> u64 {
        self.0.digest()
    }
    pub fn write_u8(&mut self, v: u8) {
        self.0.update(&[v]);
    }
    pub fn write_u16(&mut self, v: u16) {
        self.0.update(&v.to_le_bytes());
    }
    pub fn write_u32(&mut self, v: u32) {
        self.0.update(&v.to_le_bytes());
    }
    pub fn write_u64(&mut self, v: u64) {
        self.0.update(&v.to_le_bytes());
    }
    pub fn write_i16(&mut self, v: i16) {
        self.0.update(&v.to_le_bytes());
    }
}
impl HashState for CellPos {
    fn hash_state(&self, h: &mut StateHasher) {
        h.write_u32(self.x as u32);
        h.write_u32(self.y as u32);
    }
}
impl<T> HashState for Id<T> {
    fn hash_state(&self, h: &mut StateHasher) {
        h.write_u64(self.to_bits());
    }
}
impl HashState for Tick {
    fn hash_state(&self, h: &mut StateHasher) {
        h.write_u64(self.0);
    }
}
pub struct StateHash(pub u64);
impl StateHash {
    pub fn of<const N: usize>(p: [(&'static str, u64); N]) -> Self {
        Self(p[0].1)
    }
}
