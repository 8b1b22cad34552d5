//! World events as JSON, for pages and replay pages.

use serde_json::{Value, json};
use waymarch::world::{Death, Displaced, Event, EventKind, RouteChange};

/// One entry of the `events` message: the unit's index, the kind of event, and a text for people.
pub(crate) fn event_json(event: &Event) -> Value {
    let (what, text) = match event.what {
        EventKind::OrderStarted => ("order-started", String::from("starts its next order")),
        EventKind::RouteChanged(why) => {
            let why = match why {
                RouteChange::Ground => "the ground has changed",
                RouteChange::Stuck => "the unit was stuck",
                RouteChange::Target => "its target has moved",
                RouteChange::Opened => "a better route has opened",
                RouteChange::Crowd => "the next gate is congested",
            };
            ("route-changed", format!("has a new route: {why}"))
        }
        EventKind::Blocked(why) => ("blocked", why.to_string()),
        EventKind::Arrived => ("arrived", String::from("has arrived")),
        EventKind::ReachedStop(stop) => ("reached-stop", format!("has reached stop {stop}")),
        EventKind::GroupBroke => ("group-broke", String::from("leads a group that broke apart")),
        EventKind::GroupTogether => ("group-together", String::from("leads a group that is together again")),
        EventKind::GroupWaits(other) => {
            ("group-waits", format!("leads a group that gives right of way to group {}", other.index()))
        }
        EventKind::GroupGoesOn => ("group-goes-on", String::from("leads a group that no longer waits")),
        EventKind::InPlace => ("in-place", String::from("is in its formation slot")),
        EventKind::Sighted(other) => ("sighted", format!("sees unit {}", other.index())),
        EventKind::GaveUp(why) => ("gave-up", why.to_string()),
        EventKind::OwnerChanged(before) => ("owner-changed", format!("has left player {}", before.0)),
        EventKind::KindChanged(before) => ("kind-changed", format!("was of type {}", before.0)),
        EventKind::Boarded(transport) => ("boarded", format!("is in transport {}", transport.index())),
        EventKind::Unboarded(transport) => ("unboarded", format!("has left transport {}", transport.index())),
        EventKind::Displaced(how) => {
            let text = match how {
                Displaced::Stays => String::from("stands on closed ground"),
                Displaced::Walks(to) => format!("walks off closed ground to {to}"),
                Displaced::Put(to) => format!("was put off closed ground to {to}"),
            };
            ("displaced", text)
        }
        EventKind::Died(Death::WithTransport(transport)) => {
            ("died", format!("died in transport {}", transport.index()))
        }
        EventKind::Died(Death::OnClosedGround) => ("died", String::from("died on closed ground")),
        _ => ("other", format!("{:?}", event.what)),
    };
    json!({"unit": event.unit.index(), "what": what, "text": text})
}
