//! Decides which overlay is drawn next: one that is out of date, at most every 100 ms and for at most a tenth of the time.

use std::collections::BTreeMap;
use std::time::{Duration, Instant};

use axum::body::Bytes;
use waymarch::base::Agent;

use crate::client::Client;
use crate::game::Game;
use crate::outbox::Outgoing;
use crate::overlay::{self, BackgroundDrawer, OverlayQuery, whole_map_kind};

/// Overlays are drawn at most every 100 ms.
const OVERLAY_INTERVAL: Duration = Duration::from_millis(100);
/// After drawing for t the scheduler pauses for 9 t, so that drawing takes at most a tenth of the time.
const PAUSE_FACTOR: u32 = 9;

/// Derived: when the next overlay may be drawn, and the drawer for huge maps.
#[derive(Debug)]
pub(crate) struct OverlayScheduler {
    next: Instant,
    drawer: BackgroundDrawer,
}

impl OverlayScheduler {
    pub(crate) fn new(now: Instant) -> Self {
        Self { next: now, drawer: BackgroundDrawer::default() }
    }

    /// Another world is played: what the background thread still draws is thrown away.
    pub(crate) fn forget_world(&mut self) {
        self.drawer = BackgroundDrawer::default();
    }

    /// Draws the overlay that has waited longest, if one is due. Pages that have not read everything yet get none.
    pub(crate) fn draw_next(
        &mut self,
        game: &Game,
        clients: &mut BTreeMap<u64, Client>,
        epoch: u64,
        now: Instant,
    ) {
        if now < self.next {
            return;
        }
        let layer = game.world().nav().layer();
        let in_background =
            |number: usize| whole_map_kind(number).filter(|_| BackgroundDrawer::is_needed(layer));
        if !clients
            .values()
            .any(|client| client.overlays.keys().any(|&number| in_background(number).is_some()))
        {
            self.drawer.drop_copy();
        }
        let busy = self.drawer.is_busy();
        let ready = clients.values_mut().filter(|client| client.outbox.is_empty());
        let waiting = ready.flat_map(|client| {
            let Client { outbox, overlays, lost, .. } = client;
            let (outbox, lost) = (&*outbox, std::cell::Cell::from_mut(lost));
            overlays.iter_mut().map(move |(number, overlay)| (*number, overlay, outbox, lost))
        });
        let first = waiting
            .filter(|(number, overlay, ..)| {
                !(busy && in_background(*number).is_some()) && overlay.is_out_of_date(game, *number, epoch)
            })
            .min_by_key(|(_, overlay, ..)| overlay.drawn.map(|(_, when)| when));
        let Some((number, subscription, outbox, lost)) = first else { return };
        let types = game.world().types();
        let agent = types
            .get(usize::from(subscription.kind))
            .or(types.first())
            .map_or(Agent::default(), |kind| kind.agent);
        let query = OverlayQuery {
            number,
            agent,
            unit: subscription.unit.and_then(|index| game.unit(index)),
            units: game.units(&subscription.units),
            area: subscription.area,
        };
        subscription.drawn = Some((subscription.source(game, number, epoch), now));
        if let Some(kind) = in_background(number) {
            let whole_map = overlay::whole_map_overlay(game.world(), &query, kind);
            self.drawer.draw(layer, game.ground_version(), whole_map, outbox.clone());
        } else if outbox.send(Outgoing::Binary(Bytes::from(overlay::draw(game.world(), &query)))).is_err() {
            lost.set(true);
        }
        self.next = now + OVERLAY_INTERVAL.max(now.elapsed() * PAUSE_FACTOR);
    }
}
