//! When the tables of an agent count as made on a huge map.

use alloc::vec::Vec;

use crate::base::{Agent, ByteReader, ByteWriter, HashState, LoadError, Persist, StateHasher, Tick};

/// No tables are due more than 2^32 ticks ahead.
const LONGEST_WAIT: u64 = 1 << 32;

/// World: the ticks at which the tables of agents count as made, in the order in which their preparation began.
///
/// On a huge map the tables take longer to make than a tick may last. So they are made a little in each tick. Far searches wait until a tick that follows from the
/// map and the settings; near ones use A\*. It does not matter when they are really made: a World that was loaded makes what is missing at its first search.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(crate) struct TableWaits {
    list: Vec<(Agent, Tick)>,
}

impl TableWaits {
    /// Begins the preparation of an agent, after those that have begun. It takes this number of ticks. Does nothing if it has begun before.
    pub(crate) fn begin(&mut self, agent: Agent, now: Tick, ticks: u32) {
        if self.list.iter().all(|(known, _)| *known != agent) {
            let start = self.list.iter().map(|&(_, made)| made).fold(now, Tick::max);
            self.list.push((agent, start + ticks));
        }
    }

    /// Whether the tables of an agent count as made. They do if no preparation has begun.
    pub(crate) fn are_made(&self, agent: Agent, now: Tick) -> bool {
        self.list.iter().all(|&(known, made)| known != agent || made <= now)
    }

    /// The agents whose tables do not count as made yet.
    pub(crate) fn unmade(&self, now: Tick) -> impl Iterator<Item = Agent> {
        self.list.iter().filter(move |&&(_, made)| made > now).map(|&(agent, _)| agent)
    }

    /// All tables count as made from now on.
    pub(crate) fn end(&mut self, now: Tick) {
        self.list.iter_mut().for_each(|(_, made)| *made = now.min(*made));
    }
}

impl TableWaits {
    /// Checks what loading must refuse.
    ///
    /// # Errors
    /// The first fault.
    pub(crate) fn check(&self, now: Tick, locomotors: usize) -> Result<(), &'static str> {
        for (number, &(agent, made)) in self.list.iter().enumerate() {
            if usize::from(agent.locomotor.0) >= locomotors {
                return Err("tables are prepared for a locomotor that does not exist");
            }
            if self.list[..number].iter().any(|&(other, _)| other == agent) {
                return Err("tables of one agent are prepared twice");
            }
            if made.0 > now.0.saturating_add(LONGEST_WAIT) {
                return Err("the tables of an agent are due too late");
            }
        }
        Ok(())
    }
}

impl Persist for TableWaits {
    fn save(&self, writer: &mut ByteWriter) {
        self.list.save(writer);
    }

    fn load(reader: &mut ByteReader<'_>) -> Result<Self, LoadError> {
        Ok(Self { list: Vec::load(reader)? })
    }
}

impl HashState for TableWaits {
    /// Nothing is hashed if no preparation has begun: then hashes are as before there were waits.
    fn hash_state(&self, hasher: &mut StateHasher) {
        if self.list.is_empty() {
            return;
        }
        hasher.write_len(self.list.len());
        for (agent, made) in &self.list {
            hasher.write_u8(agent.locomotor.0);
            hasher.write_u8(agent.size.side());
            made.hash_state(hasher);
        }
    }
}
