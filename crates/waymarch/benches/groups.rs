//! Slots and assignments for a thousand units: the work of one order.
//!
//! For counts of instructions: `valgrind --tool=callgrind target/release/deps/groups-… --test NAME`.

use std::hint::black_box;

use criterion::{Criterion, criterion_group, criterion_main};
use waymarch::avoid::Fine;
use waymarch::base::{Agent, Angle, CellPos, Fixed, cell};
use waymarch::groups::{
    Approach, Assignment, Footing, Formation, FormationRequest, Formations, Member, OpenFooting,
};

/// Ground that is water east of a column.
struct Shore(i32);

impl Footing for Shore {
    fn may_stop(&self, _: Agent, radius: Fixed, at: Fine) -> bool {
        i64::from(at.x) + (i64::from(radius.raw()) << 6) < i64::from(self.0) << 16
    }

    fn is_reachable(&self, _: Agent, at: CellPos) -> bool {
        at.x < self.0
    }
}

fn soldiers(count: u32) -> Vec<Member> {
    let side = count.isqrt() + 1;
    (0..count)
        .map(|id| {
            let at = Fine::centre(cell((id % side) as i32, (id / side) as i32));
            Member { id, at, radius: Fixed::from_raw(410), ..Member::default() }
        })
        .collect()
}

fn orders(c: &mut Criterion) {
    let mut formations = Formations::default();
    let mut assignment = Assignment::default();
    let (mut slots, mut taken) = (Vec::new(), Vec::new());
    let cases = [
        ("hex", Formation::Hex),
        ("box", Formation::Box),
        ("line", Formation::Line),
        ("circle", Formation::Circle),
    ];
    for count in [30, 200, 1000, 5000] {
        let members = soldiers(count);
        for (name, formation) in &cases {
            let request = FormationRequest {
                formation,
                centre: Fine::centre(cell(150, 90)),
                facing: Angle(3000),
                gap: Fixed::ZERO,
            };
            let mut prepared = Vec::new();
            c.bench_function(&format!("slots/{name}/{count}"), |b| {
                b.iter(|| formations.arrange(&request, black_box(&members), &OpenFooting, &mut slots));
            });
            c.bench_function(&format!("shore/{name}/{count}"), |b| {
                b.iter(|| formations.arrange(&request, black_box(&members), &Shore(152), &mut slots));
            });
            c.bench_function(&format!("assign/{name}/{count}"), |b| {
                if prepared.is_empty() {
                    formations
                        .arrange(&request, &members, &OpenFooting, &mut prepared)
                        .expect("room on a plain");
                }
                b.iter(|| assignment.assign(black_box(&members), &prepared, Approach::Open, &mut taken));
            });
        }
    }
}

criterion_group!(benches, orders);
criterion_main!(benches);
