//! Saves a navigator as bytes and loads it: for saved games, for peers that join late, for rollback.

use crate::base::{ByteReader, ByteWriter, FrameKind, LoadError, Observer, Persist, Tick};
use crate::config::ValidConfig;
use crate::cost::{CostLayer, CostState};
use crate::nav::Navigator;
use crate::nav::memory::{ADDRESSABLE, check_memory};
use crate::planners::TableWaits;
use crate::search::JumpWaits;

/// Mark `WMnv` and version 3 of the bytes of a navigator.
const NAVIGATOR: FrameKind = FrameKind::engine(*b"WMnv", Some((3, 10)));

/// World: the state of a saved navigator. It is checked, so [`Navigator::apply`] cannot fail.
#[derive(Clone, Debug)]
pub(crate) struct NavigatorState<'a> {
    pub(super) config: ValidConfig,
    pub(super) now: Tick,
    pub(super) cost: CostState<'a>,
    waits: JumpWaits,
    tables: TableWaits,
}

impl<'a> NavigatorState<'a> {
    /// Reads and checks what [`Navigator::save_parts`] wrote.
    pub(crate) fn load(reader: &mut ByteReader<'a>) -> Result<Self, LoadError> {
        let config = ValidConfig::load(reader)?;
        let now = Tick::load(reader)?;
        let cost = CostState::load(reader)?;
        if check_memory(&config, cost.grid(), cost.locomotors(), ADDRESSABLE).is_err() {
            return Err(reader.error("map and searches need more memory than this machine can address"));
        }
        let waits = JumpWaits::load(reader)?;
        check_waits(&waits, now).map_err(|what| reader.error(what))?;
        let tables = reader.added(11, TableWaits::default)?;
        tables.check(now, cost.locomotors()).map_err(|what| reader.error(what))?;
        Ok(Self { config, now, cost, waits, tables })
    }

    /// Puts an observer on a side. For Worlds that were saved before maps had sides.
    pub(crate) fn set_side(&mut self, observer: Observer, side: u8) {
        self.cost.set_side(observer, side);
    }
}

/// Checks that no jump plane should have been ready before.
fn check_waits(waits: &JumpWaits, now: Tick) -> Result<(), &'static str> {
    if waits.are_after(now) { Ok(()) } else { Err("a jump plane is due at or before the saved tick") }
}

impl Navigator {
    /// Checks what loading checks of a saved navigator, apart from the map.
    ///
    /// # Errors
    /// The fault.
    pub(crate) fn check(&self) -> Result<(), &'static str> {
        check_waits(&self.hybrid.waits(), self.now)
    }

    /// Writes everything that decides future answers: settings, map, stamps, threat sources, the tick, and which agents wait for jump
    /// planes and other tables.
    ///
    /// Equal states give equal bytes. Derived data are not written. [`Navigator::load`] builds them, and [`Navigator::restore`] updates
    /// them. Takes one byte per cell of the map, three with heights.
    ///
    /// ```
    /// use waymarch::base::{cell, ByteReader, ByteWriter, GridSize};
    /// use waymarch::config::Config;
    /// use waymarch::cost::{Map, Rules, Stamp};
    /// use waymarch::world::Navigator;
    ///
    /// let mut nav = Navigator::new(Map::flat("field", GridSize::new(64, 64)?, Rules::standard()), Config::default())?;
    /// nav.place(&Stamp::solid(3, 3), cell(10, 10))?;
    /// let mut saved = ByteWriter::new();
    /// nav.save(&mut saved);
    /// let before = nav.state_hash();
    ///
    /// let peer = Navigator::load(&mut ByteReader::new(saved.bytes()))?; // joins late
    /// assert_eq!(peer.state_hash(), before);
    ///
    /// nav.place(&Stamp::solid(3, 3), cell(30, 30))?;
    /// nav.tick();
    /// nav.restore(&mut ByteReader::new(saved.bytes()))?; // rollback
    /// assert_eq!(nav.state_hash(), before);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn save(&self, writer: &mut ByteWriter) {
        NAVIGATOR.write(writer, |writer| self.save_parts(writer));
    }

    /// Writes the same as [`Navigator::save`], but without a frame: for larger saves that have a frame of their own.
    pub(crate) fn save_parts(&self, writer: &mut ByteWriter) {
        self.config.save(writer);
        self.now.save(writer);
        self.layer.save(writer);
        self.hybrid.waits().save(writer);
        self.hybrid.table_waits().save(writer);
    }

    /// A navigator as it was saved, with the same hash and the same answers. Costs as much as [`Navigator::new`].
    ///
    /// # Errors
    /// [`LoadError`] if the bytes are cut short, changed, of another version, or do not belong to a navigator.
    pub fn load(reader: &mut ByteReader<'_>) -> Result<Self, LoadError> {
        let mut inside = NAVIGATOR.open(reader)?;
        let state = NavigatorState::load(&mut inside)?;
        inside.finish()?;
        Ok(Self::from_state(state))
    }

    /// Takes this navigator back to the saved state. New ids continue from that state. Only what differs is updated, as after edits. Going
    /// back over a few edits costs as much as these edits, plus one comparison per cell.
    ///
    /// The bytes may be of another map or of other settings. That costs as much as [`Navigator::load`].
    ///
    /// # Errors
    /// As [`Navigator::load`]. The navigator is then unchanged.
    pub fn restore(&mut self, reader: &mut ByteReader<'_>) -> Result<(), LoadError> {
        let mut inside = NAVIGATOR.open(reader)?;
        let state = NavigatorState::load(&mut inside)?;
        inside.finish()?;
        self.apply(state);
        Ok(())
    }

    /// A navigator in this state.
    pub(crate) fn from_state(state: NavigatorState<'_>) -> Self {
        let NavigatorState { cost, config, now, waits, tables } = state;
        let layer = CostLayer::from_state(cost, config.cost_settings());
        let mut nav = Self::on_saved_layer(layer, config, now, &waits);
        *nav.hybrid.table_waits_mut() = tables;
        nav
    }

    fn on_saved_layer(layer: CostLayer, config: ValidConfig, now: Tick, waits: &JumpWaits) -> Self {
        let mut nav = Self::on_layer(layer, config);
        nav.now = now;
        nav.hybrid.restore(&nav.layer, waits);
        nav
    }

    /// Brings this navigator into this state.
    pub(crate) fn apply(&mut self, state: NavigatorState<'_>) {
        if state.config != self.config || !state.cost.is_like(&self.layer) {
            let NavigatorState { cost, config, now, waits, tables } = state;
            let layer = CostLayer::from_state(cost, config.cost_settings()).replacing(&self.layer);
            *self = Self::on_saved_layer(layer, config, now, &waits);
            *self.hybrid.table_waits_mut() = tables;
            return;
        }
        self.layer.restore(state.cost);
        self.now = state.now;
        self.sectors.follow(&self.layer);
        self.hybrid.restore(&self.layer, &state.waits);
        *self.hybrid.table_waits_mut() = state.tables;
    }
}
