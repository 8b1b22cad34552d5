//! Draws a group and its formation slots.

use waymarch::base::{Fine, Fixed};
use waymarch::groups::{Fit, Member, Role, Slot};

use super::canvas::Canvas;
use super::colour::Colour;
use super::layer::Layer;

/// A group, its slots, and a line from each member to its slot.
#[derive(Clone, Copy, Debug)]
pub struct GroupPicture<'a> {
    /// The members of the group.
    pub members: &'a [Member],
    /// The slots of the formation.
    pub slots: &'a [Slot],
    /// The index of the slot of each member.
    pub taken: &'a [Option<u32>],
}

impl Layer for GroupPicture<'_> {
    fn draw(&self, canvas: &mut Canvas) {
        for (member, slot) in self.members.iter().zip(self.taken) {
            let Some(slot) = slot.and_then(|slot| self.slots.get(slot as usize)) else { continue };
            let line = [place(canvas, member.at), place(canvas, slot.at)];
            canvas.stroke_line(&line, 1.2, Colour::hex(0x05_14_1a), 110);
            canvas.stroke_line(&line, 0.8, colour(member.role), 150);
        }
        for member in self.members {
            body(canvas, member.at, member.radius, colour(member.role), 120);
        }
        for slot in self.slots {
            body(canvas, slot.at, slot.radius, colour(slot.role), 235);
            // A ring marks slots that the ground moved.
            if slot.fit == Fit::Moved {
                let (at, wide) = (place(canvas, slot.at), reach(canvas, slot.radius));
                canvas.stroke_circle(at, wide * 0.55, (wide * 0.25).max(1.0), Colour::hex(0xff_f2_c0), 230);
            }
        }
    }
}

fn colour(role: Role) -> Colour {
    match role {
        Role::Front => Colour::hex(0xff_6a_3c),
        Role::Middle => Colour::hex(0x3c_a0_ff),
        Role::Back => Colour::hex(0xc0_6a_ff),
    }
}

fn place(canvas: &Canvas, at: Fine) -> (f32, f32) {
    canvas.place(at.x as f32 / 65_536.0, at.y as f32 / 65_536.0)
}

fn reach(canvas: &Canvas, radius: Fixed) -> f32 {
    (radius.raw() as f32 / 1024.0 * canvas.cell_side()).max(1.0)
}

fn body(canvas: &mut Canvas, at: Fine, radius: Fixed, colour: Colour, alpha: u8) {
    let (at, wide) = (place(canvas, at), reach(canvas, radius));
    canvas.fill_circle(at, wide, colour, alpha);
    canvas.stroke_circle(at, wide, 0.8, Colour::hex(0x08_10_18), alpha);
}
