//! Formations on open ground: where each member would stand without obstacles.

use alloc::vec::Vec;

use super::formation::Shape;
use super::geometry::{centroid, fine, offset, turned};
use super::layout::FormationLayout;
use super::member::{Member, room_between};
use crate::avoid::{FINE_CELL, Fine};
use crate::base::{Angle, Fixed, Purpose, Rng, Tick};

/// A slot on open ground, as an offset from the formation's centre.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Ideal {
    /// The offset. `None` for any free place near the centre.
    pub(super) at: Option<(i64, i64)>,
    pub(super) rank: u16,
    pub(super) file: u16,
}

impl Ideal {
    pub(super) const NEAR_CENTRE: Self = Self { at: None, rank: 0, file: 0 };
}

/// Lines get a second rank, columns a second file and circles a second ring from 4 × 16 members on, a third from 9 × 16.
const PER_RANK: usize = 16;

/// The random stream of [`Shape::Scatter`]: 0x5CA7.
const SCATTER: Purpose = Purpose(0x5CA7);

/// How large a formation is to be.
#[derive(Clone, Copy, Debug)]
pub(super) struct Extent {
    /// The width of rows, for [`Shape::Box`], [`Shape::Line`] and [`Shape::Column`]; 0 for the usual width.
    wide: i64,
    /// See [`FormationLayout::wedge_stretch`].
    wedge: (i64, i64),
    /// The radius of the outermost ring of [`Shape::Circle`]; 0 for the usual radius.
    radius: i64,
}

impl Extent {
    pub(super) fn of(layout: &FormationLayout, wide: i64) -> Self {
        Self { wide, wedge: layout.wedge_stretch(), radius: layout.radius.to_fine_i64() }
    }
}

/// The members of a formation, in the order in which they take slots.
#[derive(Clone, Copy, Debug)]
pub(super) struct Ranks<'a> {
    pub(super) members: &'a [Member],
    /// Indices into `members`: front roles first, large members first.
    pub(super) order: &'a [u32],
    pub(super) facing: Angle,
    pub(super) gap: Fixed,
}

impl Ranks<'_> {
    pub(super) fn get(&self, place: usize) -> &Member {
        &self.members[self.order[place] as usize]
    }

    /// The distance that two members keep, plus a little, so that rounding after a rotation brings no two slots too near.
    pub(super) fn pitch(&self, a: Fixed, b: Fixed) -> i64 {
        let room = room_between(a, b, self.gap);
        room + (room >> 14) + 4
    }

    pub(super) fn own_pitch(&self, place: usize) -> i64 {
        let radius = self.get(place).radius;
        self.pitch(radius, radius)
    }

    pub(super) fn len(&self) -> usize {
        self.order.len()
    }

    /// The distance that two members of the largest radius keep.
    pub(super) fn widest(&self) -> i64 {
        (0..self.len()).map(|place| self.own_pitch(place)).max().unwrap_or(0)
    }

    /// The length of one row of all members.
    fn length(&self) -> i64 {
        (0..self.len()).map(|place| self.own_pitch(place)).sum()
    }

    /// The side of a square that holds all members.
    pub(super) fn side(&self) -> i64 {
        let area: u64 = (0..self.len()).map(|place| (self.own_pitch(place) as u64).pow(2)).sum();
        area.isqrt() as i64
    }

    /// The number of ranks of a line, of files of a column, or of rings of a circle.
    fn thickness(&self) -> i64 {
        (self.len() / PER_RANK).isqrt().max(1) as i64
    }

    /// Writes the slots of a shape, one for each member of `order`.
    pub(super) fn write(&self, shape: Shape, extent: &Extent, custom: &[Fine], out: &mut Vec<Ideal>) {
        out.clear();
        let rounding = self.widest().max(1) - 1;
        let wide = extent.wide.max(self.widest());
        match shape {
            Shape::Box | Shape::Line | Shape::Column if extent.wide > 0 => {
                self.rows(Rows::Within(wide), 0, out)
            }
            Shape::Box => self.rows(Rows::Within(self.side() + rounding), 0, out),
            Shape::Scatter => self.scatter(out),
            Shape::Line => self.rows(Rows::Within(self.length() / self.thickness() + rounding), 0, out),
            Shape::Column => self.rows(Rows::Within(self.thickness() * self.widest()), 0, out),
            Shape::Wedge => self.rows(Rows::Growing(extent.wedge), 0, out),
            Shape::Circle => self.rings(extent.radius, out),
            Shape::Hex => self.hex(out),
            Shape::Relative => self.current_positions(out),
            Shape::Custom => {
                let turn = |at: &Fine| turned(i64::from(at.x), i64::from(at.y), self.facing);
                out.extend(custom.iter().take(self.len()).zip(0..).map(|(at, file)| Ideal {
                    at: Some(turn(at)),
                    rank: 0,
                    file,
                }));
            }
        }
        out.resize(self.len(), Ideal::NEAR_CENTRE);
    }

    /// Rows behind each other. A new role begins a new row. The large members of a row stand in its middle. `apart` is added to all
    /// distances.
    fn rows(&self, rule: Rows, apart: i64, out: &mut Vec<Ideal>) {
        let (mut from, mut rank, mut back, mut wide_before) = (0, 0_u16, 0_i64, None);
        while from < self.len() {
            let count = self.row_length(rule, from, rank, apart);
            let radius = |place: usize| self.get(place).radius;
            let wide = (from..from + count).map(radius).max().unwrap_or(Fixed::ZERO);
            if let Some(before) = wide_before {
                back += self.pitch(before, wide) + apart;
            }
            wide_before = Some(wide);
            // The first member stands in the middle, the others to its right and left in turn.
            let middle = (count - 1) / 2;
            let member_at = |column: usize| {
                from + if column > middle { 2 * (column - middle) - 1 } else { 2 * (middle - column) }
            };
            let start = out.len();
            out.resize(start + count, Ideal::NEAR_CENTRE);
            let mut right = 0;
            for column in 0..count {
                if column > 0 {
                    right += self.pitch(radius(member_at(column - 1)), radius(member_at(column))) + apart;
                }
                out[member_at(column)] = Ideal { at: Some((right, back)), rank, file: column as u16 };
            }
            for place in &mut out[start..] {
                place.at = place.at.map(|(across, behind)| (across - right / 2, behind));
            }
            from += count;
            rank = rank.saturating_add(1);
        }
        let (across, along) = if let Rows::Growing(stretch) = rule { stretch } else { (1024, 1024) };
        for place in out.iter_mut() {
            place.at = place.at.map(|(right, behind)| {
                turned((right * across) >> 10, ((behind - back / 2) * along) >> 10, self.facing)
            });
        }
    }

    /// The number of members in the row that begins with member `from`: at least one.
    fn row_length(&self, rule: Rows, from: usize, rank: u16, apart: i64) -> usize {
        let role = self.get(from).role;
        let mut length = 0;
        let mut count = 0;
        while from + count < self.len() && self.get(from + count).role == role {
            length += self.own_pitch(from + count) + apart;
            let full = match rule {
                Rows::Within(width) => length > width,
                Rows::Growing(_) => count > usize::from(rank),
            };
            if full && count > 0 {
                break;
            }
            count += 1;
        }
        count.max(1)
    }

    /// Rows with two and a half times the distances, each slot moved a little at random.
    fn scatter(&self, out: &mut Vec<Ideal>) {
        let apart = self.widest() * 3 / 2;
        let side = (self.len() as u64).isqrt() as i64 + 1;
        self.rows(Rows::Within(side * (self.widest() + apart)), apart, out);
        for (place, ideal) in out.iter_mut().enumerate() {
            let mut rng = Rng::keyed(0, Tick(0), place as u64, SCATTER);
            // At most a quarter of the extra distance on each axis, so that two neighbours stay apart.
            let mut random = || {
                let spread = (apart / 2).clamp(0, i64::from(u32::MAX >> 2));
                i64::from(rng.below(spread as u32 + 1)) - spread / 2
            };
            let (x, y) = (random(), random());
            ideal.at = ideal.at.map(|at| (at.0 + x, at.1 + y));
        }
    }

    /// Rings inside each other, the outermost first. Its radius is `asked`, or as large as the members need if that is 0.
    fn rings(&self, asked: i64, out: &mut Vec<Ideal>) {
        let pitch = self.widest();
        let rings = self.thickness();
        // All rings together are as long as one row of all members. 710/113 is about 2π.
        let mut radius = (self.length() * 113 / 710 + pitch * rings * (rings - 1) / 2) / rings;
        radius = (radius + radius / 16).max(if self.len() == 1 { 0 } else { pitch });
        if asked > 0 {
            radius = asked.max(pitch);
        }
        let (mut from, mut rank) = (0, 0);
        while from < self.len() && radius >= 0 {
            let count = self.ring(from, rank, radius, out);
            from += count;
            rank += 1;
            radius -= pitch;
        }
    }

    /// One ring of as many members as fit, evenly spaced. Returns their number.
    pub(super) fn ring(&self, from: usize, rank: u16, radius: i64, out: &mut Vec<Ideal>) -> usize {
        let radius_of = |place: usize| self.get(place).radius;
        let arc = |a: usize, b: usize| arc(self.pitch(radius_of(a), radius_of(b)), radius);
        let (mut count, mut used) = (1, 0);
        while from + count < self.len() {
            let Some(next) = arc(from + count - 1, from + count) else { break };
            let Some(home) = arc(from + count, from) else { break };
            if used + next + home > 65_536 {
                break;
            }
            used += next;
            count += 1;
        }
        let whole = used + if count > 1 { arc(from + count - 1, from).unwrap_or(0) } else { 0 };
        let mut at = 0;
        for place in from..from + count {
            if place > from {
                at += arc(place - 1, place).unwrap_or(0);
            }
            let turn = Angle((at * 65_536 / whole.max(1)) as u16);
            let spot = turned(0, -radius, self.facing + turn);
            out.push(Ideal { at: Some(spot), rank, file: (place - from) as u16 });
        }
        count
    }

    /// A hexagonal grid for the largest members. Smaller members find room around them.
    fn hex(&self, out: &mut Vec<Ideal>) {
        let Some(biggest) = (0..self.len()).map(|place| self.get(place).radius).max() else { return };
        let wanted = (0..self.len()).filter(|&place| self.get(place).radius == biggest).count();
        let pitch = self.pitch(biggest, biggest);
        // √3/2, rounded up, so that rows are never too near.
        let row_pitch = (pitch * 56_756 + 65_535) >> 16;
        // A disc with a radius of R pitches holds about 3.63 R² points. This one holds some more than wanted.
        let reach = ((wanted as u64 * 10 / 36).isqrt() + 2) as i64;
        let from = out.len();
        for row in -reach..=reach {
            let odd = row.rem_euclid(2);
            for column in -reach..=reach {
                let (x, y) = (column * pitch + odd * pitch / 2, row * row_pitch);
                if x * x + y * y <= (reach * pitch).pow(2) {
                    out.push(Ideal {
                        at: Some((x, y)),
                        rank: (row + reach) as u16,
                        file: (column + reach) as u16,
                    });
                }
            }
        }
        out[from..].sort_unstable_by_key(|place| {
            let (x, y) = place.at.unwrap_or_default();
            (x * x + y * y, y, x)
        });
        out.truncate(from + wanted);
        // Smaller members get no fixed slot, wherever they are in the order.
        let mut next = wanted;
        out.resize(self.len(), Ideal::NEAR_CENTRE);
        for place in (0..self.len()).rev() {
            let taken = if self.get(place).radius == biggest {
                next -= 1;
                out[next]
            } else {
                Ideal::NEAR_CENTRE
            };
            out[place] = taken;
        }
        for place in out.iter_mut() {
            place.at = place.at.map(|(right, back)| turned(right, back, self.facing));
        }
    }

    /// The current positions, stretched so that touching members get room, and drawn together if they are far apart.
    fn current_positions(&self, out: &mut Vec<Ideal>) {
        let (middle, reach) = spread(self.members);
        let smallest = (0..self.len()).map(|place| self.get(place).radius).min().unwrap_or(Fixed::ZERO);
        let touching = (2 * fine(smallest)).max(1);
        let stretch = (self.pitch(smallest, smallest) * 1024 / touching + 1).clamp(1024, 4096);
        let most = self.far_flung();
        let shrink = if reach > most { most * 1024 / reach } else { 1024 };
        for place in 0..self.len() {
            let (x, y) = offset(middle, self.get(place).at);
            let scaled = |part: i64| (((part * stretch) >> 10) * shrink) >> 10;
            out.push(Ideal { at: Some((scaled(x), scaled(y))), rank: 0, file: place as u16 });
        }
    }

    /// A group that reaches farther than this from its centre is far apart: it does not keep its positions.
    pub(super) fn far_flung(&self) -> i64 {
        2 * self.side() + 8 * i64::from(FINE_CELL)
    }
}

/// The centre of a group, and the distance of the farthest member from it.
pub(super) fn spread(members: &[Member]) -> (Fine, i64) {
    let middle = centroid(members.iter().map(|member| member.at));
    let reach = members.iter().map(|member| member.at.distance_squared(middle)).max().unwrap_or(0);
    (middle, reach.isqrt() as i64)
}

/// The arc between two points on a circle that are `apart` from each other, in 65,536ths of the circle, rounded up. `None` if the circle is
/// too small for them.
pub(super) fn arc(apart: i64, radius: i64) -> Option<i64> {
    let half = apart / 2 + 1;
    let beside = u64::try_from(radius * radius - half * half).ok()?.isqrt();
    let bits = 64 - u64::max(beside, half as u64).leading_zeros();
    let shift = bits.saturating_sub(30);
    Some(2 * i64::from(Angle::atan2((half >> shift) as i32, (beside >> shift) as i32).0) + 4)
}

/// When a row of members is full.
#[derive(Clone, Copy, Debug)]
enum Rows {
    /// At this width.
    Within(i64),
    /// Each row has one member more than the row before. Stretched across and along by this, in 1024ths.
    Growing((i64, i64)),
}
