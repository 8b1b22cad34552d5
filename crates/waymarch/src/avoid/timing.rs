//! Spans of time and angles per tick, which depend on the tick rate.

/// Derived: spans of time in ticks and rates per tick, computed from the tick rate so that behaviour is about the same
/// at any rate.
#[derive(Clone, Copy, Debug)]
pub(super) struct Timing {
    /// Time horizon towards units in the open: 1.5 seconds.
    pub(super) open_horizon: i64,
    /// Shortest time horizon near the goal, and of idle units among each other: 0.3 seconds.
    pub(super) near_horizon: i64,
    /// Time horizon behind a unit of the same stream: 0.5 seconds.
    pub(super) stream_horizon: i64,
    /// Time horizon behind a unit of the same stream before a gate: 0.85 seconds. With less, waiting units jostle.
    pub(super) gate_horizon: i64,
    /// Time horizon of idle units towards units that they make way for: 0.75 seconds.
    pub(super) idle_horizon: i64,
    /// A unit closes the gap to a wall in no less than 0.25 seconds.
    pub(super) wall_horizon: i64,
    /// Units that overlap separate within 0.05 seconds.
    pub(super) separation: i64,
    /// The speed near the goal is the distance over 0.2 seconds.
    pub(super) arrival: i64,
    /// An idle unit that no unit disturbs for 0.5 seconds walks back to its home position.
    pub(super) calm: u8,
    /// A unit without progress in a narrow place for 0.5 seconds is jammed.
    pub(super) jam: u8,
    /// The longest time without progress that a unit remembers: 2 seconds, and at most 240 ticks.
    pub(super) max_jam: u8,
    /// A unit that is blocked by units at its goal stops where it is after 1.5 seconds without progress, and after 200 ticks at
    /// most.
    pub(super) patience: u8,
    /// Growth of the deflection of a blocked unit per tick: 6,500/65,536 of a turn (36 degrees) per second.
    pub(super) deflection_growth: u16,
    /// Decline of the deflection per tick otherwise: 18 degrees per second.
    pub(super) deflection_decline: u16,
    /// The gap that a contact push leaves between two units, in 65,536ths of a cell: 160 divided by the tick rate.
    pub(super) contact_gap: i64,
    /// An idle unit makes way for a unit if its preferred velocity violates that unit's half-plane by more than this:
    /// 1,280/65,536 (0.02) cells per second, here per tick.
    pub(super) yield_threshold: i64,
}

impl Timing {
    pub(super) fn new(ticks_per_second: u16) -> Self {
        let hz = i64::from(ticks_per_second);
        Self {
            open_horizon: (3 * hz / 2).max(1),
            near_horizon: (3 * hz / 10).max(1),
            stream_horizon: (hz / 2).max(1),
            gate_horizon: (17 * hz / 20).max(1),
            idle_horizon: (3 * hz / 4).max(1),
            wall_horizon: (hz / 4).max(1),
            separation: (hz / 20).max(1),
            arrival: (hz / 5).max(1),
            calm: (hz / 2).clamp(1, 250) as u8,
            jam: (hz / 2).clamp(1, 120) as u8,
            max_jam: (2 * hz).clamp(1, 240) as u8,
            patience: (3 * hz / 2).clamp(1, 200) as u8,
            deflection_growth: (6500 / hz) as u16,
            deflection_decline: (3250 / hz) as u16,
            contact_gap: (160 / hz).max(1),
            yield_threshold: 1280 / hz,
        }
    }
}
