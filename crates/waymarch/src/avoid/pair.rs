//! Who does what when two units meet: the tables of avoidance and of pushing.

use super::crowd::Stance;
use super::half_plane::Share;
use super::seen::Seen;
use super::settings::Tempo;
use crate::config::PushMechanics;

/// What I do about another unit.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Treat {
    /// Nothing.
    Ignore,
    /// Nothing, but do not press further into it.
    IgnoreUnlessTouching,
    /// Go behind it: my speed is limited, my direction is not changed.
    Follow,
    /// Let it pass: keep clear of where it wants to go.
    GiveWay,
    /// Slow down behind it as if it were half as fast: pushed along at full speed it could not get out of my way.
    LetOut,
    /// Keep clear of it for so many ticks, doing my share.
    Avoid(i64, Share),
}

/// The table of avoidance.
#[inline]
pub(super) fn treat(tempo: &Tempo, me: &Seen, other: &Seen) -> Treat {
    let friends = me.team == other.team;
    let fixed = other.stance == Stance::Holding || (!friends && !other.travels());
    match (me.travels(), other.travels()) {
        (true, _) if fixed => Treat::Avoid(ahead(tempo, me), Share::ALL),
        // Who lines up before a gate waits: no jam makes it try anything else.
        (true, true) if me.lines_up() && me.same_stream(other) => in_stream(me, other),
        (true, true) if friends && me.jammed | other.jammed != 0 => in_jam(tempo, me, other),
        (true, true) if me.same_stream(other) => in_stream(me, other),
        (true, true) => Treat::Avoid(ahead(tempo, me), Share::HALF),
        (true, false) if me.has_my_place(other) => Treat::Avoid(tempo.short, Share::ALL),
        (true, false) if me.carries(other) => Treat::LetOut,
        (true, false) => Treat::IgnoreUnlessTouching,
        (false, true) if other.has_my_place(me) => Treat::Ignore,
        (false, true) if friends => Treat::Avoid(tempo.idle, Share::ALL),
        (false, true) => Treat::Ignore,
        (false, false) if fixed => Treat::Avoid(tempo.short, Share::ALL),
        (false, false) if other.level < me.level => Treat::Avoid(tempo.idle, Share::ALL),
        (false, false) if other.level > me.level => Treat::Avoid(tempo.short, Share::QUARTER),
        (false, false) => Treat::Avoid(tempo.short, Share::HALF),
    }
}

/// Whether the table says of two no more than who of their stream goes first.
#[inline]
pub(super) fn goes_by_stream(me: &Seen, other: &Seen) -> bool {
    me.same_stream(other) & (me.lines_up() | (me.jammed | other.jammed == 0))
}

/// Right of way, only in a jam: of two who want opposite ways, who has less left to go goes; and nobody stands in the way of
/// those who back out.
fn in_jam(tempo: &Tempo, me: &Seen, other: &Seen) -> Treat {
    if me.wish.wide().dot(other.wish.wide()) < 0 {
        return if me.follows(other) { Treat::GiveWay } else { Treat::Follow };
    }
    match (me.retreats(), other.retreats()) {
        (false, true) => Treat::Avoid(tempo.idle, Share::ALL),
        (true, false) => Treat::Avoid(tempo.short, Share::QUARTER),
        _ if me.same_stream(other) => in_stream(me, other),
        _ => Treat::Avoid(ahead(tempo, me), Share::HALF),
    }
}

/// In one stream who has less left goes first, and does not look back.
#[inline]
fn in_stream(me: &Seen, other: &Seen) -> Treat {
    if me.follows(other) { Treat::Follow } else { Treat::Ignore }
}

/// How far ahead I look: far in the open, less and less near the goal.
#[inline]
pub(super) fn ahead(tempo: &Tempo, me: &Seen) -> i64 {
    if me.passing != 0 { tempo.long } else { i64::from(me.to_goal).clamp(tempo.short, tempo.long) }
}

/// The table of pushing: how much of an overlap I give way to.
///
/// Invariant: the shares of both come to at most all, so that a push never overshoots.
#[inline]
pub(super) fn push_share(push: PushMechanics, me: &Seen, other: &Seen) -> Share {
    let share = share_by_state(push, me, other);
    if me.weight == other.weight { share } else { by_weight(share, me, other) }
}

/// A share made greater for the lighter of two. Found for the one with the smaller id; the other's is the rest.
fn by_weight(share: Share, me: &Seen, other: &Seen) -> Share {
    let part = |share: u8, mine: u8, its: u8| {
        let (own, rest) = (u32::from(share) * u32::from(its), (16 - u32::from(share)) * u32::from(mine));
        ((32 * own + own + rest) / (2 * (own + rest)).max(1)) as u8
    };
    if me.id < other.id {
        Share(part(share.0, me.weight, other.weight))
    } else {
        Share(16 - part(16 - share.0, other.weight, me.weight))
    }
}

#[inline]
fn share_by_state(push: PushMechanics, me: &Seen, other: &Seen) -> Share {
    let friends = me.team == other.team;
    // Who is not to be moved by the other.
    let fast = |one: &Seen| match push {
        PushMechanics::None => !one.travels(),
        PushMechanics::Gentle => one.stance == Stance::Holding || (!friends && !one.travels()),
        PushMechanics::Aggressive => false,
    };
    match (fast(me), fast(other)) {
        (true, true) => return Share::HALF,
        (true, false) => return Share::NONE,
        (false, true) => return Share::ALL,
        (false, false) => {}
    }
    let weighs = |one: &Seen| one.stance == Stance::Holding || (!friends && !one.travels());
    match (weighs(me), weighs(other)) {
        (true, false) => return Share::QUARTER,
        (false, true) => return Share::MOST,
        _ => {}
    }
    match (me.travels(), other.travels()) {
        (true, true) if me.same_stream(other) => {
            if me.follows(other) {
                Share::MOST
            } else {
                Share::QUARTER
            }
        }
        (true, false) if me.has_my_place(other) => Share::MOST,
        (false, true) if other.has_my_place(me) => Share::QUARTER,
        (true, false) if me.joins(other) => Share::QUARTER,
        (false, true) if other.joins(me) => Share::MOST,
        (true, false) => Share::EIGHTH,
        (false, true) => Share::NEARLY_ALL,
        (false, false) if me.level < other.level => Share::QUARTER,
        (false, false) if me.level > other.level => Share::MOST,
        _ => Share::HALF,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::avoid::{Fine, GATE_LEFT};
    use alloc::vec::Vec;

    fn everybody() -> Vec<Seen> {
        let mut all = Vec::new();
        for stance in [Stance::Idle, Stance::Moving, Stance::Returning, Stance::Holding] {
            for (team, level, passing) in [(0, 255, 0), (1, 255, 1), (0, 3, 1), (1, 0, 0), (0, 9, 0)] {
                let id = all.len() as u32;
                let passing = if stance.travels() { passing } else { 0 };
                let goal = Fine::new((level / 9).into(), 0);
                let weight = [16, 16, 3, 200][all.len() % 4];
                let left = id % 3;
                all.push(Seen { id, stance, team, level, passing, goal, left, weight, ..Seen::default() });
            }
        }
        all
    }

    #[test]
    fn shares_of_a_push_make_a_whole_whoever_meets() {
        for push in PushMechanics::ALL {
            for a in everybody() {
                for b in everybody().iter().filter(|b| b.id != a.id) {
                    let both = push_share(*push, &a, b).0 + push_share(*push, b, &a).0;
                    assert_eq!(both, 16, "{push:?} {a:?} {b:?}");
                }
            }
        }
    }

    #[test]
    fn friends_move_idle_friends_and_neither_holders_nor_enemies() {
        let gentle = |me: &Seen, other: &Seen| push_share(PushMechanics::Gentle, me, other);
        let mover = Seen { stance: Stance::Moving, goal: Fine::new(9, 9), ..Seen::default() };
        let idle = Seen { id: 1, ..Seen::default() };
        let enemy = Seen { id: 2, team: 1, ..Seen::default() };
        let holder = Seen { id: 3, stance: Stance::Holding, ..Seen::default() };
        assert_eq!(gentle(&idle, &mover), Share::NEARLY_ALL);
        assert_eq!(gentle(&enemy, &mover), Share::NONE);
        assert_eq!(gentle(&holder, &mover), Share::NONE);
        assert_eq!(push_share(PushMechanics::None, &idle, &mover), Share::NONE);
        assert_eq!(push_share(PushMechanics::Aggressive, &enemy, &mover), Share::QUARTER);
    }

    #[test]
    fn the_heavier_of_two_equals_is_moved_less() {
        let unit = |id, weight| Seen { id, weight, stance: Stance::Moving, ..Seen::default() };
        for (one, other, share) in [(16, 16, 8), (16, 48, 12), (48, 16, 4), (1, 255, 16), (255, 1, 0)] {
            let (a, b) = (unit(0, one), unit(1, other));
            assert_eq!(push_share(PushMechanics::Gentle, &a, &b), Share(share), "{one} and {other}");
            assert_eq!(push_share(PushMechanics::Gentle, &b, &a), Share(16 - share), "{one} and {other}");
        }
    }

    #[test]
    fn the_short_cut_for_those_who_go_freely_is_what_the_table_says() {
        let tempo = Tempo::new(20);
        for a in everybody().iter().filter(|a| a.is_free() && a.passing == 0) {
            for b in everybody().iter().filter(|b| b.is_free() && b.id != a.id) {
                assert_eq!(treat(&tempo, a, b), Treat::Avoid(ahead(&tempo, a), Share::HALF), "{a:?} {b:?}");
            }
        }
    }

    #[test]
    fn the_short_cut_for_those_of_one_stream_is_what_the_table_says() {
        let tempo = Tempo::new(20);
        let left = [0, 1, GATE_LEFT, GATE_LEFT + 1];
        let all = everybody().into_iter().flat_map(|one| {
            (0..8).map(move |form| Seen {
                jammed: form & 1,
                passing: 1,
                left: left[usize::from(form) / 2],
                ..one
            })
        });
        let all: Vec<Seen> = all.collect();
        let mut count = 0;
        for a in &all {
            for b in all.iter().filter(|b| b.id != a.id && goes_by_stream(a, b)) {
                let says = if a.follows(b) { Treat::Follow } else { Treat::Ignore };
                assert_eq!(treat(&tempo, a, b), says, "{a:?} {b:?}");
                count += 1;
            }
        }
        assert!(count > 100, "{count}");
    }

    #[test]
    fn of_a_stream_one_leads() {
        let tempo = Tempo::new(20);
        let unit = |id, left| Seen { id, left, stance: Stance::Moving, passing: 1, ..Seen::default() };
        for (a, b) in [(unit(0, 5), unit(1, 5)), (unit(0, 7), unit(1, 3)), (unit(9, 3), unit(1, 3))] {
            let both = [treat(&tempo, &a, &b), treat(&tempo, &b, &a)];
            assert!(both.contains(&Treat::Follow) && both.contains(&Treat::Ignore), "{both:?}");
        }
    }
}
