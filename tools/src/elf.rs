// SPDX-License-Identifier: BSD-3-Clause
//! ELF files as far as the tools read them: 64 bits and little-endian, as the machines that Furlong
//! runs on. A damaged file has no sections.

use std::fs::File;
use std::io::{ErrorKind, Result};
use std::os::unix::fs::FileExt;
use std::path::Path;

pub struct Elf {
    file: File,
}

/// Where a section is in the file.
pub struct Section {
    offset: u64,
    size: u64,
}

/// Assembly without this asks for a stack that may hold code.
pub const PLAIN_STACK: &str = ".section .note.GNU-stack,\"\"\n";

/// A larger section belongs to a damaged file.
const LARGEST: u64 = 1 << 24;

/// A name that an ELF file defines for all others that the dynamic linker loads.
pub struct Export {
    pub name: String,
    pub is_thread_local: bool,
}

/// `sizeof(Elf64_Sym)`.
const SYMBOL_BYTES: usize = 24;
const STT_TLS: u64 = 6;

impl Elf {
    /// The file at `path`, if it is an ELF file.
    pub fn open(path: &Path) -> Result<Option<Elf>> {
        let elf = Elf { file: File::open(path)? };
        let is_elf = elf.read(0, 4)?.as_deref() == Some(b"\x7fELF");
        Ok(is_elf.then_some(elf))
    }

    /// The bytes of the section of that name.
    pub fn bytes(&self, name: &str) -> Result<Option<Vec<u8>>> {
        match self.section(name)? {
            Some(section) => self.read(section.offset, section.size),
            None => Ok(None),
        }
    }

    pub fn exports(&self) -> Result<Vec<Export>> {
        let symbols = self.bytes(".dynsym")?.unwrap_or_default();
        let names = self.bytes(".dynstr")?.unwrap_or_default();
        // Elf64_Sym: the name's place, its type and binding, visibility, section, value, size.
        let defined = symbols.chunks_exact(SYMBOL_BYTES).filter(|symbol| number(symbol, 6, 2) != 0);
        let exports = defined.map(|symbol| Export {
            name: String::from_utf8_lossy(name_at(&names, number(symbol, 0, 4))).into_owned(),
            is_thread_local: number(symbol, 4, 1) & 0xf == STT_TLS,
        });
        Ok(exports.collect())
    }

    pub fn section(&self, wanted: &str) -> Result<Option<Section>> {
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

    /// `size` bytes at `offset`; nothing if the file ends before.
    fn read(&self, offset: u64, size: u64) -> Result<Option<Vec<u8>>> {
        if size > LARGEST {
            return Ok(None);
        }
        let mut bytes = vec![0; size as usize];
        match self.file.read_exact_at(&mut bytes, offset) {
            Ok(()) => Ok(Some(bytes)),
            Err(e) if e.kind() == ErrorKind::UnexpectedEof => Ok(None),
            Err(e) => Err(e),
        }
    }
}

/// The little-endian number of `size` bytes at `offset`.
pub fn number(bytes: &[u8], offset: usize, size: usize) -> u64 {
    bytes[offset..offset + size].iter().rev().fold(0, |n, b| n << 8 | u64::from(*b))
}

fn name_at(strings: &[u8], offset: u64) -> &[u8] {
    let rest = strings.get(offset as usize..).unwrap_or_default();
    rest.split(|b| *b == 0).next().unwrap_or_default()
}
