//! The measured errors of the integer tables are those in the documentation.
#![allow(
    clippy::disallowed_types,
    clippy::float_arithmetic,
    reason = "floating point is the oracle here; nothing of it gets into the engine"
)]

use std::f64::consts::TAU;

use waymarch::base::{Angle, Fixed, Vec2};

fn radians(angle: u16) -> f64 {
    f64::from(angle) * TAU / 65_536.0
}

/// Checks that the largest error is at most `limit`, and at least `limit` − 0.02: otherwise the documentation is out
/// of date.
fn check(what: &str, errors: impl Iterator<Item = f64>, limit: f64) {
    let worst = errors.fold(0.0, f64::max);
    println!("{what}: {worst:.5}");
    assert!(worst <= limit, "{what}: the worst error is {worst}, the documentation says {limit}");
    assert!(worst > limit - 0.02, "{what}: the worst error is only {worst}, the documentation says {limit}");
}

#[test]
fn sine_and_cosine_of_every_angle() {
    let all = || 0..=u16::MAX;
    let fixed = |value: Fixed, truth: f64| (f64::from(value.raw()) - truth * 1024.0).abs();
    check("sin", all().map(|a| fixed(Angle(a).sin(), radians(a).sin())), 0.51);
    check("cos", all().map(|a| fixed(Angle(a).cos(), radians(a).cos())), 0.51);
    let fine = |value: i32, truth: f64| (f64::from(value) - truth * 65_536.0).abs();
    check("sin_16", all().map(|a| fine(Angle(a).sin_16(), radians(a).sin())), 0.82);
    check("cos_16", all().map(|a| fine(Angle(a).cos_16(), radians(a).cos())), 0.82);
}

/// The error in angle units, 65,536 to a full turn.
fn atan2_error(x: i32, y: i32) -> f64 {
    let truth = f64::from(y).atan2(f64::from(x)) / TAU * 65_536.0;
    let difference = f64::from(Angle::atan2(y, x).0) - truth;
    (difference - (difference / 65_536.0).round() * 65_536.0).abs()
}

#[test]
fn arc_tangent_of_every_short_vector() {
    let side = || -512..=512;
    let vectors = side().flat_map(|y| side().map(move |x| (x, y))).filter(|&vector| vector != (0, 0));
    check("atan2, short", vectors.map(|(x, y)| atan2_error(x, y)), 0.52);
}

#[test]
fn arc_tangent_of_every_direction_at_several_radii() {
    for radius in [1_000.0, 65_537.0, 3_000_000.0, 2_147_483_647.0] {
        let errors = (0..=u16::MAX).map(|a| {
            // Not a whole angle unit, so that the result is rounded.
            let angle = radians(a) + TAU / 65_536.0 * 0.49;
            atan2_error((angle.cos() * radius) as i32, (angle.sin() * radius) as i32)
        });
        check("atan2, radius", errors, 0.52);
    }
}

#[test]
fn arc_tangent_at_the_extremes() {
    let extremes = [i32::MIN, i32::MIN + 1, -65_536, -2, -1, 0, 1, 2, 65_535, i32::MAX - 1, i32::MAX];
    for y in extremes {
        for x in extremes.into_iter().filter(|&x| (x, y) != (0, 0)) {
            assert!(atan2_error(x, y) <= 0.52, "({x}, {y})");
        }
    }
}

#[test]
fn the_arc_tangent_of_a_sine_and_cosine_is_the_angle() {
    for a in 0..=u16::MAX {
        assert_eq!(Angle::atan2(Angle(a).sin_16(), Angle(a).cos_16()), Angle(a));
    }
}

fn vec2(x: i32, y: i32) -> Vec2 {
    Vec2::new(Fixed::from_raw(x), Fixed::from_raw(y))
}

fn norm(v: Vec2) -> f64 {
    f64::from(v.x.raw()).hypot(f64::from(v.y.raw()))
}

#[test]
fn normalised_vectors_are_of_length_one() {
    let side = || -400..=400;
    let short = side().flat_map(|y| side().map(move |x| (x, y)));
    let long = (0..=u16::MAX).flat_map(|a| {
        [3_000.0, 1_000_003.0, 2_147_483_647.0]
            .map(|radius| ((radians(a).cos() * radius) as i32, (radians(a).sin() * radius) as i32))
    });
    let errors =
        short.chain(long).filter_map(|(x, y)| vec2(x, y).normalise()).map(|v| (norm(v) - 1024.0).abs());
    check("normalise", errors, 0.70);
}

#[test]
fn normalising_keeps_the_direction() {
    let errors = (0..=u16::MAX).flat_map(|a| {
        [5.0, 900.0, 40_000.0, 2_000_000_000.0].map(|radius| {
            let (x, y) = ((radians(a).cos() * radius) as i32, (radians(a).sin() * radius) as i32);
            let unit = vec2(x, y).normalise().expect("not zero");
            let (length, x, y) = (norm(vec2(x, y)), f64::from(x), f64::from(y));
            let (dx, dy) = (
                f64::from(unit.x.raw()) - x * 1024.0 / length,
                f64::from(unit.y.raw()) - y * 1024.0 / length,
            );
            dx.abs().max(dy.abs())
        })
    });
    check("normalise, per component", errors, 0.51);
}

#[test]
fn rotation_keeps_lengths_and_turns_by_the_angle() {
    let errors = (0..=u16::MAX).flat_map(|a| {
        [(1024, 0), (700, -700), (-3, 5), (20_000, 1)].map(|(x, y)| {
            let turned = vec2(x, y).rotate(Angle(a));
            let (x, y, sin, cos) = (f64::from(x), f64::from(y), radians(a).sin(), radians(a).cos());
            let (dx, dy) = (
                f64::from(turned.x.raw()) - (x * cos - y * sin),
                f64::from(turned.y.raw()) - (x * sin + y * cos),
            );
            dx.abs().max(dy.abs())
        })
    });
    check("rotate", errors, 0.75);
}
