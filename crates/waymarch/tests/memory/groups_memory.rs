//! Formation slots, assignments and exchanges do not allocate once their lists have grown.

use waymarch::avoid::{Fine, SpatialIndex};
use waymarch::base::{Angle, Fixed, cell};
use waymarch::groups::{
    Approach, Assignment, ClearLine, Footing, Formation, FormationRequest, Formations, Lanes, Member,
    OpenFooting, Station, StationRequest, Swapper, Walker,
};
use waymarch_testkit::alloc::allocations_in;

/// Ground in strips of three columns; every other strip is water.
struct Strips;

impl Footing for Strips {
    fn may_stop(&self, _: waymarch::base::Agent, _: Fixed, at: Fine) -> bool {
        at.cell().x.rem_euclid(6) < 3 || at.cell().y.rem_euclid(9) == 0
    }

    fn is_reachable(&self, agent: waymarch::base::Agent, at: waymarch::base::CellPos) -> bool {
        self.may_stop(agent, Fixed::ZERO, Fine::centre(at))
    }
}

#[test]
fn warm_groups_allocate_nothing() {
    let members: Vec<Member> = (0..700)
        .map(|id| Member {
            id,
            at: Fine::centre(cell(id as i32 % 40, id as i32 / 40)),
            radius: Fixed::from_raw(if id % 9 == 0 { 800 } else { 410 }),
            ..Member::default()
        })
        .collect();
    let (mut formations, mut assignment, mut swapper) = <(Formations, Assignment, Swapper)>::default();
    let (mut slots, mut taken, mut pairs) = (Vec::new(), Vec::new(), Vec::new());
    let (mut scratch, mut places, mut walkers) = (Vec::new(), Vec::new(), Vec::new());
    let mut index = SpatialIndex::new(Fixed::ONE);
    let (mut at, mut ids) = (Vec::new(), Vec::new());
    let all = [
        Formation::Adaptive,
        Formation::Relative,
        Formation::Box,
        Formation::Line,
        Formation::Column,
        Formation::Wedge,
        Formation::Circle,
        Formation::Scatter,
        Formation::Hex,
    ];
    let mut round = |shift: i32| {
        for formation in &all {
            let centre = Fine::new((120 << 16) + shift, 90 << 16);
            let request = FormationRequest { formation, centre, facing: Angle(777), gap: Fixed::ZERO };
            formations.arrange(&request, &members, &OpenFooting, &mut slots).expect("room");
            formations.arrange(&request, &members, &Strips, &mut slots).expect("room");
            for approach in [Approach::Open, Approach::Through(centre), Approach::Queue] {
                assignment.assign(&members, &slots, approach, &mut taken);
            }
        }
        let target = Fine::new((120 << 16) + shift, 90 << 16);
        let guns = Station::InRange { target, least: Fixed::from_cells(5), most: Fixed::from_cells(12) };
        let guns = StationRequest { station: guns, gap: Fixed::ZERO, fire: &ClearLine };
        formations.arrange_station(&guns, &members, &Strips, &mut slots).expect("room");
        assignment.assign(&members, &slots, Approach::Open, &mut taken);
        Lanes::of(&members, target, &mut scratch, &mut places);
        walkers.clear();
        walkers.extend(members.iter().zip(&taken).map(|(member, slot)| Walker {
            id: member.id,
            at: member.at,
            slot: slots[slot.expect("a slot") as usize].at,
            kin: 0,
        }));
        at.clear();
        at.extend(members.iter().map(|member| member.at));
        ids.clear();
        ids.extend(members.iter().map(|member| member.id));
        index.rebuild(&at, &ids);
        swapper.find(&walkers, &index, Fixed::from_cells(3), &mut pairs);
    };
    (0..3).for_each(&mut round);
    let (counted, ()) = allocations_in(|| (1..3).for_each(&mut round));
    assert_eq!(counted.calls, 0);
}
