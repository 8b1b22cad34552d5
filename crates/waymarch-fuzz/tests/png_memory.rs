//! The memory for an image depends on the data in the file, not on the size in its header.

use waymarch_fuzz::parser_checks::{png_map, repair_png};
use waymarch_fuzz::seeds::seeds_of;
use waymarch_fuzz::targets::find;
use waymarch_testkit::alloc::{CountingAllocator, peak_in};

#[global_allocator]
static ALLOCATOR: CountingAllocator = CountingAllocator;

#[test]
fn a_small_image_that_claims_fifteen_million_pixels_does_not_get_memory_for_them() {
    const SIZE_AT: usize = 16;
    let seeds = seeds_of(find("png_map").unwrap()).unwrap();
    let (_, mut bytes) = seeds.into_iter().max_by_key(|(_, bytes)| bytes.len()).unwrap();
    bytes[SIZE_AT..SIZE_AT + 4].copy_from_slice(&8192_u32.to_be_bytes());
    bytes[SIZE_AT + 4..SIZE_AT + 8].copy_from_slice(&1900_u32.to_be_bytes());
    repair_png(&mut bytes);
    let (peak, answer) = peak_in(|| png_map(&bytes));
    let problem = answer.unwrap_err().problem;
    assert!(problem.contains("not a readable PNG"), "the size itself is believable: {problem}");
    assert!(peak < 1 << 20, "{peak} bytes for a file of {}", bytes.len());
}
