//! Which overlays pages look at, and when each is drawn again: when what it shows has changed, never for more than a tenth of the time.

use std::time::{Duration, Instant};

use axum::body::Bytes;
use waymarch::base::{Agent, CellPos};

use crate::game::Game;
use crate::message::Shown;
use crate::outbox::Post;
use crate::overlay::{self, Shows, Wanted};
use crate::session::{Client, Session};
use crate::survey::Surveyor;

/// Overlays are drawn so often at most, and never for more than a tenth of the time.
const OVERLAY: Duration = Duration::from_millis(100);

/// What an overlay was drawn from: as long as it is the same, so is the overlay.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Source {
    ground: [u64; 2],
    ends: Option<(Option<CellPos>, CellPos)>,
    /// Of those that change with every tick.
    epoch: u64,
}

/// An overlay that a page has switched on.
#[derive(Clone, Debug)]
pub(crate) struct Asked {
    pub(crate) kind: u16,
    pub(crate) unit: Option<u32>,
    /// Those it is about, of those that are about many.
    pub(crate) units: Vec<u32>,
    pub(crate) area: Option<[i32; 4]>,
    /// What it was drawn from last, and when that was.
    pub(crate) drawn: Option<(Source, Instant)>,
}

impl Asked {
    pub(crate) fn new(shown: &Shown) -> Self {
        let Shown { kind, unit, units, area, .. } = shown;
        Self { kind: *kind, unit: *unit, units: units.clone(), area: *area, drawn: None }
    }

    fn source(&self, game: &Game, number: usize, epoch: u64) -> Source {
        let ends = || overlay::ends(game.world(), self.unit.and_then(|slot| game.unit(slot)));
        let (ends, epoch) = match overlay::shows(number) {
            Shows::Ground => (None, 0),
            Shows::Goal => (ends().map(|(_, to)| (None, to)), 0),
            Shows::Ends => (ends().map(|(from, to)| (Some(from), to)), 0),
            Shows::World => (None, epoch),
        };
        Source { ground: game.ground_version(), ends, epoch }
    }
}

impl Session {
    /// Draws the overlay that has waited longest, if it is time for one.
    pub(crate) fn send_overlay(&mut self, now: Instant) {
        if now < self.next_overlay {
            return;
        }
        let (game, epoch) = (&self.game, self.epoch);
        let layer = game.world().nav().layer();
        let beside = |number: usize| overlay::look(number).filter(|_| Surveyor::is_needed(layer));
        if !self.clients.values().any(|client| client.overlays.keys().any(|&number| beside(number).is_some()))
        {
            self.surveyor.forget();
        }
        let busy = self.surveyor.is_busy();
        let ready = self.clients.values_mut().filter(|client| client.outbox.is_empty());
        let waiting = ready.flat_map(|client| {
            let Client { outbox, overlays, lost, .. } = client;
            let (outbox, lost) = (&*outbox, std::cell::Cell::from_mut(lost));
            overlays.iter_mut().map(move |(number, asked)| (*number, asked, outbox, lost))
        });
        let old = |number: usize, asked: &Asked| {
            asked.drawn.is_none_or(|(from, _)| from != asked.source(game, number, epoch))
        };
        let first = waiting
            .filter(|(number, asked, ..)| !(busy && beside(*number).is_some()) && old(*number, asked))
            .min_by_key(|(_, asked, ..)| asked.drawn.map(|(_, when)| when));
        let Some((number, asked, outbox, lost)) = first else { return };
        let types = game.world().types();
        let agent =
            types.get(usize::from(asked.kind)).or(types.first()).map_or(Agent::default(), |kind| kind.agent);
        let unit = asked.unit.and_then(|slot| game.unit(slot));
        let units = game.units(&asked.units);
        let wanted = Wanted { number, agent, unit, units, area: asked.area };
        asked.drawn = Some((asked.source(game, number, epoch), now));
        if let Some(look) = beside(number) {
            let survey = overlay::survey(game.world(), &wanted, look);
            self.surveyor.draw(layer, game.ground_version(), survey, outbox.clone());
        } else if outbox.send(Post::Binary(Bytes::from(overlay::draw(game.world(), &wanted)))).is_err() {
            lost.set(true);
        }
        self.next_overlay = now + OVERLAY.max(now.elapsed() * 9);
    }
}
