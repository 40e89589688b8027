// SPDX-License-Identifier: BSD-3-Clause
//! What upcc left in a program: the sections that it and the runtime agree on (`upcr_units` in
//! furlong/upcr.h, `upcr_start` in the runtime's main, `upcr_defaults` from upcc's link step).

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
    let file = std::fs::File::open(path)?;
    let mut elf = Elf { file };
    if elf.read(0, 4)?.as_deref() != Some(b"\x7fELF") {
        return Ok(Kind::Other);
    }
    Ok(elf.compiled()?.map_or(Kind::Foreign, Kind::Upc))
}

/// An ELF file, 64 bits and little-endian as the machines that Furlong runs on.
struct Elf {
    file: std::fs::File,
}

/// Where a section is in the file.
struct Section {
    offset: u64,
    size: u64,
}

/// `sizeof(struct upcr_unit)`, and values of its `privates`.
const UNIT_BYTES: usize = 32;
const OF_THREADS: u64 = 1;
const OF_PROCESS: u64 = 2;
const ONLY_CODE: u64 = 3;

/// More than this is not a section of ours but a broken file.
const LARGEST: u64 = 1 << 24;

impl Elf {
    /// `size` bytes at `offset`; nothing if the file ends before.
    fn read(&mut self, offset: u64, size: u64) -> std::io::Result<Option<Vec<u8>>> {
        use std::os::unix::fs::FileExt;
        if size > LARGEST {
            return Ok(None);
        }
        let mut bytes = vec![0; size as usize];
        match self.file.read_exact_at(&mut bytes, offset) {
            Ok(()) => Ok(Some(bytes)),
            Err(e) if e.kind() == std::io::ErrorKind::UnexpectedEof => Ok(None),
            Err(e) => Err(e),
        }
    }

    fn compiled(&mut self) -> std::io::Result<Option<Compiled>> {
        let Some(units) = self.section("upcr_units")? else { return self.library_user() };
        let Some(units) = self.read(units.offset, units.size)? else { return Ok(None) };
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
        compiled.starts = self.section("upcr_start")?.is_some();
        if let Some(section) = self.section("upcr_defaults")? {
            let text = self.read(section.offset, section.size)?.unwrap_or_default();
            compiled.defaults(&String::from_utf8_lossy(&text));
        }
        Ok(Some(compiled))
    }

    /// A program in another language that calls <furlong/gas.h> starts the runtime itself.
    fn library_user(&mut self) -> std::io::Result<Option<Compiled>> {
        let marked = self.section("furlong_gas")?.is_some();
        Ok(marked.then(|| Compiled { starts: true, ..Compiled::default() }))
    }

    fn section(&mut self, wanted: &str) -> std::io::Result<Option<Section>> {
        let Some(header) = self.read(0, 64)? else { return Ok(None) };
        let is_64_bit_little_endian = header[4] == 2 && header[5] == 1;
        let (table, entry) = (number(&header, 40, 8), number(&header, 58, 2));
        let (count, names) = (number(&header, 60, 2), number(&header, 62, 2));
        if !is_64_bit_little_endian || entry != 64 || names >= count {
            return Ok(None);
        }
        let Some(sections) = self.read(table, count * entry)? else { return Ok(None) };
        let place = |section: &[u8]| Section {
            offset: number(section, 24, 8),
            size: number(section, 32, 8),
        };
        let strings = place(&sections[(names * entry) as usize..]);
        let Some(strings) = self.read(strings.offset, strings.size)? else { return Ok(None) };
        Ok(sections
            .chunks_exact(64)
            .find(|section| name_at(&strings, number(section, 0, 4)) == wanted.as_bytes())
            .map(place))
    }
}

/// The little-endian number of `size` bytes at `offset`.
fn number(bytes: &[u8], offset: usize, size: usize) -> u64 {
    bytes[offset..offset + size].iter().rev().fold(0, |n, b| n << 8 | u64::from(*b))
}

fn name_at(strings: &[u8], offset: u64) -> &[u8] {
    let rest = strings.get(offset as usize..).unwrap_or_default();
    rest.split(|b| *b == 0).next().unwrap_or_default()
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
