use waymarch::base::*;
use waymarch::config::Config;
use waymarch::cost::*;
use waymarch::groups::Formation;
use waymarch::world::*;
#[test]
fn zz() {
    let mut map = Map::flat("d", GridSize::new(70, 90).unwrap(), Rules::spec_000());
    let wall = map.rules.terrains.iter().position(|t| t.name == "Wall").unwrap() as u8;
    for y in 0..90 { if !(43..46).contains(&y) { map.set_terrain(cell(33, y), TerrainId(wall)); } }
    let mut w = World::new(Navigator::new(map, Config::default()).unwrap());
    let foot = w.nav().locomotor("foot").unwrap();
    let k = w.add_type(UnitType { radius: Fixed::from_raw(410), speed: Fixed::from_raw(102), ..UnitType::new("u", foot) }).unwrap();
    let mut v = Vec::new();
    for i in 0..100 { v.push(w.spawn(k, PlayerId(0), cell(12 + i % 10, 40 + i / 10)).unwrap()); }
    w.order(&v, Order::move_to(cell(50, 44)).formation(Formation::Box)).unwrap();
    for t in 0..500 {
        w.tick();
        if t < 4 || t % 50 == 0 {
            for g in w.groups() { for (gate, tr) in w.gates_of(g) { println!("t{t} gate {:?} w {} {:?}", gate.taut.cell(), gate.width() as f64 / 65536.0, tr); } }
            let moving = w.units().filter(|u| u.stance == Stance::Moving).count();
            let fast: i32 = w.units().map(|u| u.velocity.length().raw()).sum();
            let beyond = w.units().filter(|u| u.position.x > Fixed::from_cells(34)).count();
            println!("t{t} moving {moving} meanspeed {} beyond {beyond}", fast / 100);
            if t % 100 == 50 { for u in w.units().take(100).step_by(9) { println!("  {:?} v {:?} slot {:?} route {:?}", (u.position.x.raw() as f32/1024., u.position.y.raw() as f32/1024.), (u.velocity.x.raw(), u.velocity.y.raw()), w.slot_of(u.id).map(|s| (s.x as f32/65536., s.y as f32/65536.)), w.route_status(u.id)); } }
        }
    }
}
