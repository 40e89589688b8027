// SPDX-License-Identifier: BSD-3-Clause
//! The machines that Furlong is for, and which one a file is for.

use std::fs::File;
use std::os::unix::fs::FileExt;
use std::path::Path;

/// Those that are supported.
pub const SUPPORTED: &str = "x86-64; arm64 (tested by emulation)";

/// The one that these tools run on.
pub const OWN: &str = match cfg!(target_arch = "aarch64") {
    true => "arm64",
    false => "x86-64",
};

/// The one whose OpenMP programs run over several hosts: what ompcc makes of fences, atomic
/// operations and loops that wait is known for its instructions only.
pub const OVER_HOSTS: &str = "x86-64";

/// The machine that an ELF file, or the first one in an archive, is for. Nothing for other files.
pub fn of(path: &Path) -> Option<&'static str> {
    let file = File::open(path).ok()?;
    let mut at = 0;
    if read::<8>(&file, 0)? == *b"!<arch>\n" {
        at = 8;
        // A member: a header of 60 bytes, whose size is 10 decimal digits at byte 48.
        while read::<4>(&file, at + 60)? != *b"\x7fELF" {
            let digits = read::<10>(&file, at + 48)?;
            let size: u64 = std::str::from_utf8(&digits).ok()?.trim().parse().ok()?;
            at = at.checked_add(60)?.checked_add(size)?.checked_next_multiple_of(2)?;
        }
        at += 60;
    }
    let head = read::<20>(&file, at).filter(|head| head.starts_with(b"\x7fELF"))?;
    let (is_64_bits, is_little) = (head[4] == 2, head[5] == 1);
    let number = match is_little {
        true => u16::from_le_bytes([head[18], head[19]]),
        false => u16::from_be_bytes([head[18], head[19]]),
    };
    Some(match (number, is_64_bits && is_little) {
        (62, true) => "x86-64",
        (183, true) => "arm64",
        (243, true) => "riscv64",
        (3 | 62, _) => "32-bit x86",
        _ => "another machine",
    })
}

fn read<const N: usize>(file: &File, at: u64) -> Option<[u8; N]> {
    let mut bytes = [0; N];
    file.read_exact_at(&mut bytes, at).ok().map(|()| bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_are_of_a_machine() {
        assert_eq!(of(&std::env::current_exe().unwrap()), Some(OWN));
        assert_eq!(of(Path::new("/")), None);
        let archive = std::env::temp_dir().join(format!("machine-{}.a", std::process::id()));
        let member = |name: &str, size| format!("{name:<16}{:<32}{size:<10}`\n", "0");
        let mut bytes = [b"!<arch>\n", member("/", 3).as_bytes(), b"abc\n"].concat();
        bytes.extend(member("a.o/", 20).as_bytes());
        bytes.extend(b"\x7fELF\x02\x01\x01\0\0\0\0\0\0\0\0\0\x01\0\xb7\0");
        std::fs::write(&archive, bytes).unwrap();
        let found = of(&archive);
        std::fs::remove_file(&archive).unwrap();
        assert_eq!(found, Some("arm64"));
    }
}
