//! The program `waymarch`, run from outside as a user runs it.

mod animation;
mod clear_errors;
mod compare;
mod crowd;
mod few_descriptors;
mod movement;
mod output_files;
mod program;
mod simulation;
mod soak;
