// SPDX-License-Identifier: BSD-3-Clause
//! Programs with functions and variables of their own whose names POSIX has and C has not: `send`,
//! `index`, `poll`. A linker shows them to all shared libraries, since the C library has the same
//! names: PMIx, MPI or a network's library would call the program's `send`. So such programs are
//! linked once more with an object that has these names hidden, which every linker heeds.

use crate::elf::{Elf, Export, PLAIN_STACK};
use std::path::Path;

/// Names that programs may have, and the C library has (posix_names.def): the words in its literals.
const POSIX: &str = include_str!("../../runtime/platform/posix_names.def");

fn is_of_posix(name: &str) -> bool {
    let literals = POSIX.split('"').skip(1).step_by(2);
    literals.flat_map(str::split_whitespace).any(|of_posix| of_posix == name)
}

/// Whether what the words link is a library, or libraries are meant to call functions of the program:
/// it says which, or they are a sanitizer's, which clang links into it.
pub fn are_for_libraries<'a>(mut words: impl Iterator<Item = &'a str>) -> bool {
    const SAY_WHICH: [&str; 3] = ["--dynamic-list", "--export-dynamic-symbol", "--version-script"];
    let says_which = |word: &str| SAY_WHICH.iter().any(|option| word.contains(option));
    let is_library = |word: &str| matches!(word, "-shared" | "-r");
    words.any(|word| is_library(word) || says_which(word) || word.starts_with("-fsanitize="))
}

/// The names of POSIX that the program shows to shared libraries.
pub fn shown(program: &Path) -> std::io::Result<Vec<Export>> {
    let Some(elf) = Elf::open(program)? else { return Ok(Vec::new()) };
    let mut exports = elf.exports()?;
    exports.retain(|export| is_of_posix(&export.name));
    Ok(exports)
}

/// Assembly for the object that hides them. The assembler forgets names without a use: here
/// relocations that change nothing, in a section that is not loaded.
pub fn hiding(names: &[Export]) -> String {
    let hide = |export: &Export| {
        let name = &export.name;
        let type_ = if export.is_thread_local { "tls_object" } else { "notype" };
        format!(".hidden {name}\n.type {name}, %{type_}\n.reloc 0, BFD_RELOC_NONE, {name}\n")
    };
    let each: String = names.iter().map(hide).collect();
    format!(".section furlong_own_names,\"\"\n.byte 0\n{each}{PLAIN_STACK}")
}
