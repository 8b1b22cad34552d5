//! A navigator as bytes, and back: for saved games, for peers that join late, for rollback.

use super::navigator::Navigator;
use crate::base::{Agent, ByteReader, ByteWriter, FrameKind, GridSize, LoadError, Persist, Tick};
use crate::config::ValidConfig;
use crate::cost::{CostLayer, CostState, SectorGrid};
use crate::search::JumpWaits;

/// The bytes of a navigator.
const NAVIGATOR: FrameKind = FrameKind { mark: *b"WMnv", version: 3 };

/// World: a navigator as it was saved, checked: [`Navigator::apply`] cannot fail any more.
#[derive(Clone, Debug)]
pub(crate) struct NavigatorState<'a> {
    config: ValidConfig,
    now: Tick,
    cost: CostState<'a>,
    waits: JumpWaits,
}

impl<'a> NavigatorState<'a> {
    /// Reads and checks what [`Navigator::save_parts`] wrote.
    pub(crate) fn load(reader: &mut ByteReader<'a>) -> Result<Self, LoadError> {
        let config = ValidConfig::load(reader)?;
        let now = Tick::load(reader)?;
        let cost = CostState::load(reader)?;
        let waits = JumpWaits::load(reader)?;
        if !waits.are_after(now) {
            return Err(reader.error("jump planes that were due before"));
        }
        Ok(Self { config, now, cost, waits })
    }

    /// The size of the map.
    pub(crate) fn grid(&self) -> GridSize {
        self.cost.grid()
    }

    /// How long a tick is.
    pub(crate) fn ticks_per_second(&self) -> u32 {
        self.config.get().ticks_per_second
    }

    /// How the map divides into sectors.
    pub(crate) fn sectors(&self) -> SectorGrid {
        SectorGrid::new(self.grid(), self.config.get().sector_size)
    }

    /// Whether there are costs for `agent`.
    pub(crate) fn has_costs(&self, agent: Agent) -> bool {
        self.cost.has_locomotor(agent.locomotor)
            && self.config.get().size_classes.contains(&agent.size.side())
    }
}

impl Navigator {
    /// Writes down everything that decides future answers: settings, map, stamps, threat sources, the clock, and who waits for jump planes.
    ///
    /// Equal states give equal bytes. What is Derived is not written; it is made anew, or kept, when the bytes are read. Costs a byte
    /// per cell of the map, three with heights.
    ///
    /// ```
    /// use waymarch::base::{cell, ByteReader, ByteWriter, GridSize};
    /// use waymarch::config::Config;
    /// use waymarch::cost::{Map, Rules, Stamp};
    /// use waymarch::world::Navigator;
    ///
    /// let mut nav = Navigator::new(Map::flat("field", GridSize::new(64, 64)?, Rules::spec_000()), Config::default())?;
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

    /// The same without a frame, as a part of something that has one.
    pub(crate) fn save_parts(&self, writer: &mut ByteWriter) {
        self.config.save(writer);
        self.now.save(writer);
        self.layer.save(writer);
        self.hybrid.waits().save(writer);
    }

    /// A navigator as it was saved: the same hash, the same answers. Costs what [`Navigator::new`] does.
    ///
    /// # Errors
    /// [`LoadError`] if the bytes are cut short, changed, of another version, or no navigator's.
    pub fn load(reader: &mut ByteReader<'_>) -> Result<Self, LoadError> {
        let mut inside = NAVIGATOR.open(reader)?;
        let state = NavigatorState::load(&mut inside)?;
        inside.finish()?;
        Ok(Self::from_state(state))
    }

    /// Takes this navigator back to what was saved, by what differs: everything Derived follows as it follows edits, so that going back
    /// over a few edits costs those edits and a look at each cell. Ids given out are those of then.
    ///
    /// The bytes may be of another map or other settings too; that costs what [`Navigator::load`] does.
    ///
    /// # Errors
    /// [`LoadError`] as [`Navigator::load`] has it; nothing was changed then.
    pub fn restore(&mut self, reader: &mut ByteReader<'_>) -> Result<(), LoadError> {
        let mut inside = NAVIGATOR.open(reader)?;
        let state = NavigatorState::load(&mut inside)?;
        inside.finish()?;
        self.apply(state);
        Ok(())
    }

    /// A navigator in this state.
    pub(crate) fn from_state(state: NavigatorState<'_>) -> Self {
        let layer = CostLayer::from_state(state.cost, state.config.cost_settings());
        let mut nav = Self::on_layer(layer, state.config);
        nav.now = state.now;
        nav.hybrid.restore(&nav.layer, &state.waits);
        nav
    }

    /// Makes this navigator one in this state.
    pub(crate) fn apply(&mut self, state: NavigatorState<'_>) {
        if state.config != self.config || !state.cost.is_like(&self.layer) {
            *self = Self::from_state(state);
            return;
        }
        self.layer.restore(state.cost);
        self.now = state.now;
        self.sectors.follow(&self.layer);
        self.hybrid.restore(&self.layer, &state.waits);
    }
}
