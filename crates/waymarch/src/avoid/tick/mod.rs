//! One tick of layer 4: in which phases do all units choose their velocities, move and settle?
//!
//! - Owns: [`Avoidance`] (Scratch: the memory of all phases).
//! - Reads: the ground, the settings.
//! - Changes: the [`Crowd`](super::Crowd) that it is given.
//!
//! *Invariant:* in each phase, a unit's result depends only on the phase before and is written to an entry of its own. So threads, the order
//! of work and the order of units in the lists change no bit; ids break ties.
//!
//! *Invariant:* a unit sleeps, which means that its tick is skipped, if its last tick changed nothing and no unit around it is awake. This
//! changes no result.
//!
//! | file | phase |
//! |---|---|
//! | `avoidance.rs` | all phases in order |
//! | `guiding.rs` | new guides are given to units while the spatial index is rebuilt |
//! | `planning.rs` | each unit looks around and chooses a velocity |
//! | `contacts.rs` | overlapping units push each other apart, in a few passes |
//! | `commit.rs` | units move, stay out of closed ground, and the results go to the crowd |
//! | `arrival.rs` | what a unit remembers, and whether it has arrived or left its home position |
//! | `chunks.rs` | the crowd in chunks, for threads |
//! | `context.rs` | what all phases read |

mod arrival;
mod avoidance;
mod chunks;
mod commit;
mod contacts;
mod context;
mod guiding;
mod planning;

pub use avoidance::Avoidance;
