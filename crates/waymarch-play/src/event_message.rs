//! World events as JSON, for pages and replay pages.

use serde_json::{Value, json};
use waymarch::world::{Event, EventKind, RouteChange};

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
        other => ("event", format!("{other:?}")),
    };
    json!({"unit": event.unit.index(), "what": what, "text": text})
}
