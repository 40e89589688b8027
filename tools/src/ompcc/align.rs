// SPDX-License-Identifier: BSD-3-Clause
//! Large static objects begin on pages. Hosts that divide an array by rows then write to few pages
//! together: an array that begins 32 bytes into a page has two rows of neighbours in a page at each
//! border, which both hosts change in every step.

use std::collections::HashSet;

/// Objects of at least so many bytes: what is lost before each is little beside it.
const LARGE_BYTES: u64 = 64 << 10;
const PAGE_BITS: u32 = 12;

/// The large objects of a unit, and whether the text is among what each thread has a copy of, whose
/// place is not the linker's to choose so freely.
pub struct Objects<'a> {
    large: HashSet<&'a str>,
    in_thread_local: bool,
}

impl<'a> Objects<'a> {
    pub fn of(lines: &[&'a str]) -> Objects<'a> {
        let large = lines.iter().filter_map(|line| {
            let (name, size) = line.trim().strip_prefix(".size")?.trim().split_once(',')?;
            is_large(size).then_some(name)
        });
        Objects { large: large.collect(), in_thread_local: false }
    }

    /// The line with what makes its object begin on a page; none if it has no large one.
    pub fn aligned(&mut self, line: &str) -> Option<String> {
        let text = line.trim();
        if let Some(rest) = text.strip_prefix(".section") {
            self.in_thread_local = rest.trim().trim_start_matches('"').starts_with(".t");
        } else if matches!(text.split_whitespace().next(), Some(".data" | ".bss" | ".text")) {
            self.in_thread_local = false;
        }
        if let Some(common) = text.strip_prefix(".comm") {
            let (name, rest) = common.trim().split_once(',')?;
            let size = rest.split(',').next().unwrap_or_default();
            return is_large(size).then(|| format!("\t.comm\t{name},{size},{}\n", 1 << PAGE_BITS));
        }
        let is_one = !self.in_thread_local && self.large.contains(text.strip_suffix(':')?);
        is_one.then(|| format!("\t.p2align\t{PAGE_BITS}\n{line}\n"))
    }
}

/// A size that is a number: that of a function is the difference of two labels.
fn is_large(size: &str) -> bool {
    size.trim().parse::<u64>().is_ok_and(|bytes| bytes >= LARGE_BYTES)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn aligned(text: &str) -> Vec<String> {
        let lines: Vec<&str> = text.lines().collect();
        let mut objects = Objects::of(&lines);
        lines.iter().filter_map(|line| objects.aligned(line)).collect()
    }

    #[test]
    fn large_objects_begin_on_pages() {
        let page = "\t.p2align\t12\n";
        assert_eq!(
            aligned("\t.comm\ta,160000,32\n\t.comm\tb,100,32"),
            ["\t.comm\ta,160000,4096\n"]
        );
        let gcc = "\t.bss\n\t.align 32\n\t.size\tb, 120000\nb:\n\t.zero\t120000\n\t.size\tc, 8\nc:";
        assert_eq!(aligned(gcc), [format!("{page}b:\n")]);
        let clang = "\t.data\n\t.p2align\t4, 0x0\nc:\n\t.long\t1\n\t.size\tc, 80000";
        assert_eq!(aligned(clang), [format!("{page}c:\n")]);
    }

    #[test]
    fn functions_and_copies_of_threads_stay() {
        assert!(aligned("f:\n\t.size\tf, .-f").is_empty());
        let copies = "\t.section\t.tbss,\"awT\",@nobits\n\t.size\tx, 120000\nx:\n\t.zero\t120000";
        assert!(aligned(copies).is_empty());
    }
}
