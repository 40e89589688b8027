// SPDX-License-Identifier: BSD-3-Clause
//! The first inputs of one seed, in this process.

use furlong_fuzz::check::{check, on_big_stack, Mode};
use furlong_fuzz::{corpus, mutate::Mutator};
use std::path::Path;

const INPUTS: u64 = 1500;

#[test]
fn damaged_programs_are_survived() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let mutator = Mutator::new(corpus::read(&root).unwrap(), 1);
    let accepted = on_big_stack(move || {
        let survives = |&number: &u64| {
            let input = mutator.input(number);
            check(&input.bytes, input.start, Mode(input.mode)).is_some()
        };
        (0..INPUTS).filter(survives).count() as u64
    });
    // Else the phases after the parser are not tested.
    assert!(accepted > INPUTS / 10, "only {accepted} of {INPUTS} inputs were accepted");
}

/// Programs that went wrong once, in every mode.
#[test]
fn findings_do_not_come_back() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests/fuzz");
    let mut programs = 0;
    for entry in std::fs::read_dir(folder).unwrap() {
        let bytes = std::fs::read(entry.unwrap().path()).unwrap();
        programs += 1;
        on_big_stack(move || {
            // Bit 8 is set: as UPC, not as plain C.
            for mode in 1 << 8..2 << 8 {
                check(&bytes, 0, Mode(mode));
            }
        });
    }
    assert!(programs > 0);
}
