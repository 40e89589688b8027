// SPDX-License-Identifier: BSD-3-Clause
//! What upcc left in a program: the sections that it and the runtime agree on (`upcr_units` in
//! furlong/upcr.h, `upcr_start` in the runtime's main, `upcr_defaults` from upcc's link step).

use crate::elf::{number, Elf};
use serde::{Deserialize, Serialize};
use std::path::Path;

/// What upcc left in a program.
#[derive(Clone, Default, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Compiled {
    pub abi: u32,
    /// THREADS of each static translation unit; all the same in a sound program.
    pub static_threads: Option<u32>,
    pub units: usize,
    /// A translation unit has thread-local private objects, or uses MYTHREAD so.
    pub of_threads: bool,
    /// A translation unit was compiled for one UPC thread a process (`upcc -nopthreads`), and depends
    /// on it.
    pub of_process: bool,
    /// The same of one that does not.
    pub only_code: bool,
    /// The runtime's main runs first. Without it nothing starts the runtime.
    pub starts: bool,
    pub heap: Option<u64>,
    pub pthreads: Option<u32>,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Kind {
    Upc(Compiled),
    /// An ELF file that is not ours.
    Foreign,
    /// Not ELF: a script, perhaps.
    Other,
}

/// By what a host knows that it has the program that the first host has.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum Mark {
    Upc(Compiled),
    /// A sum of all its bytes.
    Sum(u64),
}

impl Mark {
    /// The mark of a program that upcc did not make.
    pub fn of_any(path: &Path) -> std::io::Result<Mark> {
        let bytes = std::fs::read(path)?;
        // FNV-1a.
        let sum = bytes.iter().fold(0xcbf2_9ce4_8422_2325, |sum: u64, byte| {
            (sum ^ u64::from(*byte)).wrapping_mul(0x100_0000_01b3)
        });
        Ok(Mark::Sum(sum))
    }

    /// In what the program at `path` is another one, if it is.
    pub fn difference(&self, path: &Path) -> std::io::Result<Option<String>> {
        Ok(match self {
            Mark::Upc(expected) => match inspect(path)? {
                Kind::Upc(found) if found != *expected => Some(format!(
                    "ABI {} and {}, {} and {} translation units",
                    found.abi, expected.abi, found.units, expected.units
                )),
                _ => None,
            },
            Mark::Sum(_) => (Mark::of_any(path)? != *self).then(|| "its bytes differ".to_string()),
        })
    }
}

/// Reads what upcc left in the file.
pub fn inspect(path: &Path) -> std::io::Result<Kind> {
    let Some(elf) = Elf::open(path)? else { return Ok(Kind::Other) };
    Ok(compiled(&elf)?.map_or(Kind::Foreign, Kind::Upc))
}

/// `sizeof(struct upcr_unit)`, and values of its `privates`.
const UNIT_BYTES: usize = 32;
const OF_THREADS: u64 = 1;
const OF_PROCESS: u64 = 2;
const ONLY_CODE: u64 = 3;

fn compiled(elf: &Elf) -> std::io::Result<Option<Compiled>> {
    let Some(units) = elf.bytes("upcr_units")? else { return library_user(elf) };
    let mut compiled = Compiled::default();
    // struct upcr_unit: abi, static_threads, debug, network, privates, a pointer to the file's
    // name.
    for unit in units.chunks_exact(UNIT_BYTES) {
        compiled.abi = number(unit, 0, 4) as u32;
        compiled.units += 1;
        let threads = number(unit, 4, 4) as u32;
        if threads != 0 {
            compiled.static_threads = Some(threads);
        }
        compiled.of_threads |= number(unit, 16, 4) == OF_THREADS;
        compiled.of_process |= number(unit, 16, 4) == OF_PROCESS;
        compiled.only_code |= number(unit, 16, 4) == ONLY_CODE;
    }
    compiled.starts = elf.section("upcr_start")?.is_some();
    if let Some(text) = elf.bytes("upcr_defaults")? {
        compiled.defaults(&String::from_utf8_lossy(&text));
    }
    Ok(Some(compiled))
}

/// A program in another language that calls <furlong/gas.h> starts the runtime itself.
fn library_user(elf: &Elf) -> std::io::Result<Option<Compiled>> {
    let marked = elf.section("furlong_gas")?.is_some();
    Ok(marked.then(|| Compiled { starts: true, ..Compiled::default() }))
}

impl Compiled {
    /// A process may have one UPC thread only.
    pub fn wants_one_thread(&self) -> bool {
        self.of_process || self.only_code && !self.of_threads
    }

    /// `heap=N,pthreads=N`, each part optional, padded with zeros.
    fn defaults(&mut self, text: &str) {
        for (key, value) in text.split([',', '\0']).filter_map(|part| part.split_once('=')) {
            match key {
                "heap" => self.heap = value.parse().ok(),
                "pthreads" => self.pthreads = value.parse().ok(),
                _ => {}
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn this_test_is_an_elf_file_that_upcc_did_not_make() {
        assert_eq!(inspect(Path::new("/proc/self/exe")).unwrap(), Kind::Foreign);
    }

    #[test]
    fn junk_is_not_a_program() {
        let path = std::env::temp_dir().join(format!("upcrun-junk-{}", std::process::id()));
        for junk in [&b""[..], b"\x7fELF", &[0x7f, b'E', b'L', b'F', 2, 1, 255, 255][..]] {
            std::fs::write(&path, [junk, &[0xff; 100][..junk.len().min(100)]].concat()).unwrap();
            assert!(!matches!(inspect(&path).unwrap(), Kind::Upc(_)));
        }
        std::fs::remove_file(path).unwrap();
    }

    #[test]
    fn defaults_are_read() {
        let mut compiled = Compiled::default();
        compiled.defaults("heap=4096,pthreads=3\0\0");
        assert_eq!((compiled.heap, compiled.pthreads), (Some(4096), Some(3)));
    }
}
