//! A few thousand mutated inputs for every parser in every test run; `cargo xtask fuzz` tries millions.

use waymarch_fuzz::campaign::Campaign;
use waymarch_fuzz::targets::TARGETS;
use waymarch_testkit::alloc::CountingAllocator;

#[global_allocator]
static ALLOCATOR: CountingAllocator = CountingAllocator;

const CASES: u64 = 3000;

// One test, because the campaign sets the panic hook, which all tests of a program share.
#[test]
fn mutated_inputs_are_refused_with_a_place_and_no_check_fails() {
    for target in &TARGETS {
        let report = Campaign { target, seed: 7, cases: CASES }.run(|_, _, _| {}).expect("seeds");
        if let Some(finding) = report.findings.first() {
            let input = finding.input.escape_ascii();
            panic!("{}, case {}: {}\ninput: {input}", target.name, finding.case, finding.what);
        }
        assert_eq!(report.cases, CASES, "{}", target.name);
        assert!(report.accepted > 0 && report.answers > 2, "{}: {report:?}", target.name);
    }
}

#[test]
fn a_campaign_is_the_same_every_time() {
    let run = || {
        let mut inputs = Vec::new();
        let campaign = Campaign { target: &TARGETS[0], seed: 3, cases: 300 };
        campaign.run(|_, input, _| inputs.push(input.to_vec())).expect("seeds");
        inputs
    };
    assert_eq!(run(), run());
}
