//! Cells, grids, sectors, and goals as text.

use waymarch::base::{Agent, CellId, CellPos, CellRect, Dir8, Fixed, GridSize, LocomotorId, SizeClass, cell};
use waymarch::cost::{CornerRule, Padding, SectorGrid, SectorId, StepRule, with_threat};
use waymarch::query::{Goal, MergeBias, PerMille, Quality, Shape};
use waymarch::search::{goal_distance, octile};

use super::ODD;
use crate::{Digest, Lines, report};

pub(crate) fn cells(out: &mut Lines<'_>) {
    let mut h = Digest::new();
    for (w, hh) in
        [(1, 1), (8192, 8192), (3, 8192), (0, 4), (8193, 1), (u32::MAX, u32::MAX), (1 << 16, 1 << 16)]
    {
        let g = GridSize::new(w, hh);
        h.debug(g);
        let Ok(g) = g else { continue };
        h.number(g.cells() as u64);
        for at in [
            cell(0, 0),
            cell(-1, 0),
            cell(w as i32 - 1, hh as i32 - 1),
            cell(i32::MAX, i32::MIN),
            cell(w as i32, 0),
        ] {
            h.debug((g.contains(at), g.id(at)));
            let p = Padding::new(g);
            h.number(p.len() as u64);
            if g.contains(at) {
                h.debug((p.pad(at), p.pos(p.pad(at))));
            }
            h.debug(p.neighbour_offsets());
            h.number(p.stride().into());
            for side in [8, 16, 32, 64, 128] {
                let s = SectorGrid::new(g, side);
                h.debug((s.columns(), s.rows(), s.count(), s.area(SectorId(s.count() as u32 - 1))));
                if g.contains(at) {
                    h.debug(s.of(at));
                    Dir8::ALL.iter().for_each(|&d| h.debug(s.beside(s.of(at), d)));
                }
            }
        }
        h.debug(g.pos(CellId((g.cells() - 1) as u32)));
        if let Ok(transposed) = GridSize::new(hh, w) {
            h.debug(transposed);
        }
    }
    for x in ODD {
        for y in ODD {
            let at = cell(x, y);
            h.debug((at.centre(), at.centre().cell(), at.offset(y, x)));
            Dir8::ALL.iter().for_each(|&d| h.debug(at.step(d)));
            let r = CellRect::at(at, x.unsigned_abs(), y.unsigned_abs());
            h.debug((r, r.is_empty(), r.grow(3, 4), r.nearest(cell(5, 5)), r.contains(cell(0, 0))));
            h.debug(r.union(CellRect::at(cell(0, 0), 4, 4)));
            h.debug(r.intersect(CellRect::at(cell(0, 0), 400, 400)));
        }
    }
    let mut order: Vec<CellPos> = ODD.iter().map(|&x| cell(x / 3, x % 7)).collect();
    order.sort();
    h.debug(order);
    for rule in [
        StepRule::FOUR,
        StepRule::eight(CornerRule::Forbid),
        StepRule::eight(CornerRule::AllowOne),
        StepRule::eight(CornerRule::Allow),
    ] {
        h.bytes(rule.table());
    }
    for a in 0..=255 {
        for b in 0..=255 {
            h.byte(with_threat(a, b));
        }
    }
    for size in 0..=20 {
        h.debug(SizeClass::new(size).map(|s| {
            (
                s.side(),
                s.reach_north_west(),
                s.reach_south_east(),
                Agent { locomotor: LocomotorId(size), size: s },
            )
        }));
    }
    out.hash("base.cells", h);
}

pub(crate) fn goals(out: &mut Lines<'_>) {
    let mut h = Digest::new();
    let texts = [
        "3,4",
        "circle:50,40,4.5",
        "ring:35,27,6,9.25",
        "rect:60,5,4,9",
        "any:1,1;68,53;rect:30,0,2,2",
        "out-of:circle:30,27,22",
        "circle:50,40",
        "ring:1,2,3",
        "any:",
        "out-of:",
        "circle:50,40,99999999999",
        "rect:1,1,0,0",
        "foo:1,2",
        "1,2,3",
        "any:1,1;x,3",
        "out-of:any:1,1;5,5",
        "  3 , 4 ",
        "circle:-5,-5,2.5",
        "é,3",
        "circle:5,5,-1",
    ];
    let size = GridSize::new(70, 55).unwrap();
    for text in texts {
        let goal = text.parse::<Goal>();
        h.debug(&goal);
        match goal {
            Ok(goal) => {
                h.text(&goal);
                h.debug(goal.validate(size));
                for g in [goal.clone(), goal.inverse()] {
                    for at in CellRect::at(cell(-4, -4), 78, 64).cells().step_by(11) {
                        h.debug((g.contains(at), g.gap(at)));
                        h.number(goal_distance(&g, at, waymarch::cost::Neighbours::Eight));
                        h.number(goal_distance(&g, at, waymarch::cost::Neighbours::Four));
                    }
                }
            }
            Err(error) => {
                h.text(error);
                h.number(error.at() as u64);
            }
        }
    }
    for x in ODD {
        for r in ODD {
            let s = Shape::Circle { centre: cell(x, -x.max(-9)), radius: Fixed::from_raw(r) };
            h.debug((s.contains(cell(3, 3)), s.gap(cell(3, 3)), s.gap_out(cell(x, 0)), s.bounds()));
            let s = Shape::Ring {
                centre: cell(x / 2, 4),
                inner: Fixed::from_raw(r / 2),
                outer: Fixed::from_raw(r),
            };
            h.debug((s.contains(cell(3, 3)), s.gap(cell(3, 3)), s.gap_out(cell(x, 0)), s.bounds()));
            h.number(octile(cell(x, 1), cell(r, 5), waymarch::cost::Neighbours::Eight));
        }
    }
    for v in [0, 999, 1000, 1001, 1050, 10_000, 10_001, u32::MAX] {
        h.debug((
            PerMille::new(v),
            Quality::from_per_mille(v).map(|q| (q, q.most(1 << 44), q.most(u64::MAX))),
        ));
        h.debug(
            MergeBias::new(v % 25)
                .map(|b| (b.longer(), b.rest_per_mille(), b.most(1 << 44), b.most(u64::MAX))),
        );
    }
    out.hash("base.goals", h);
    report!(out, "base.done");
}
