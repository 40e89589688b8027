// SPDX-License-Identifier: BSD-3-Clause
//! OpenMP over hosts: faults of pages, and who has written to them, as each host has counted them in
//! `host-N.pages` (`runtime/spread/pages.c`), with the names of variables and lines of the program. A
//! host may have died at any moment, and the file may be anything.

use super::kind::Kind;
use super::summary::{Line, Page};
use object::{Object, ObjectSymbol, SymbolKind};
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

const MAGIC: u64 = 0x3147_4150_474e_4c46;
const HEADER_BYTES: usize = 552;
const PROGRAM_AT: usize = 40;
const ENTRY_BYTES: usize = 40;
const PAGE_BYTES: u64 = 4096;
/// Lines that addr2line is asked for at once.
const BATCH: usize = 500;
/// Of lines.
pub const WHAT: &str = "page fault";

#[derive(Default)]
struct Counts {
    faults: u64,
    ns: u64,
}

/// What all hosts have counted.
#[derive(Default)]
pub struct Faults {
    program: PathBuf,
    shift: u64,
    /// By the page's address: the page, without its name.
    pages: BTreeMap<u64, Page>,
    /// By the instruction: the hosts that had faults there, and all of these.
    places: BTreeMap<u64, (BTreeSet<u32>, Counts)>,
    lost: u64,
}

pub fn is_of_pages(name: &str) -> bool {
    name.starts_with("host-") && name.ends_with(".pages")
}

impl Faults {
    pub fn load(dir: &Path) -> Faults {
        let mut all = Faults::default();
        for entry in std::fs::read_dir(dir).into_iter().flatten().flatten() {
            if is_of_pages(&entry.file_name().to_string_lossy()) {
                all.add(&std::fs::read(entry.path()).unwrap_or_default());
            }
        }
        all
    }

    fn add(&mut self, bytes: &[u8]) {
        let u64_at = |at: usize| {
            bytes
                .get(at..at + 8)
                .map_or(0, |b| u64::from_le_bytes(b.try_into().unwrap_or_default()))
        };
        if u64_at(0) != MAGIC || bytes.len() < HEADER_BYTES {
            return;
        }
        let host = u64_at(8) as u32;
        let program = &bytes[PROGRAM_AT..HEADER_BYTES];
        let end = program.iter().position(|b| *b == 0).unwrap_or(program.len());
        self.program = PathBuf::from(String::from_utf8_lossy(&program[..end]).into_owned());
        self.shift = u64_at(32);
        self.lost += u64_at(24);
        for at in (HEADER_BYTES..bytes.len()).step_by(ENTRY_BYTES) {
            let [page, pc, reads, writes, ns] = [0, 8, 16, 24, 32].map(|field| u64_at(at + field));
            if page > 0 {
                self.count(host, page, pc, reads, writes, ns);
            }
        }
    }

    fn count(&mut self, host: u32, address: u64, pc: u64, reads: u64, writes: u64, ns: u64) {
        let page = self.pages.entry(address).or_default();
        page.address = address;
        if writes > 0 && !page.writers.contains(&host) {
            page.writers.push(host);
            page.writers.sort();
        }
        if pc == 0 {
            page.written += writes;
            return;
        }
        page.faults += reads + writes;
        let (hosts, counts) = self.places.entry(pc).or_default();
        hosts.insert(host);
        counts.faults += reads + writes;
        counts.ns += ns;
    }

    /// Those with the most faults first.
    pub fn pages(&self) -> Vec<Page> {
        let variables = self.variables();
        let named = |page: &Page| Page {
            variable: names_in(&variables, page.address.wrapping_sub(self.shift)),
            ..page.clone()
        };
        let mut pages: Vec<Page> =
            self.pages.values().filter(|page| page.faults > 0).map(named).collect();
        pages.sort_by_key(|page| std::cmp::Reverse(page.faults));
        pages
    }

    /// Where the program has had faults; `call` is the function.
    pub fn lines(&self) -> Vec<Line> {
        let addresses: Vec<u64> = self.places.keys().copied().collect();
        let places = places(&self.program, self.shift, &addresses);
        let mut lines: BTreeMap<(String, u32, String), Line> = BTreeMap::new();
        for ((hosts, counts), (function, file, number)) in self.places.values().zip(places) {
            let line = lines.entry((file.clone(), number, function.clone())).or_default();
            *line = Line {
                file,
                line: number,
                what: WHAT.to_string(),
                call: function,
                kind: Kind::Transfer.name().to_string(),
                operations: line.operations + counts.faults,
                far: line.far + counts.faults,
                bytes: line.bytes,
                ns: line.ns + counts.ns,
                threads: line.threads.max(hosts.len() as u32),
                ..Line::default()
            };
        }
        lines.into_values().collect()
    }

    pub fn note(&self) -> Option<String> {
        (self.lost > 0).then(|| {
            format!("{} page faults are not counted: there were too many places", self.lost)
        })
    }

    /// Begin, end and name of each, by the program's file.
    fn variables(&self) -> Vec<(u64, u64, String)> {
        let bytes = std::fs::read(&self.program).unwrap_or_default();
        let Ok(file) = object::File::parse(&*bytes) else { return Vec::new() };
        let symbols = file.symbols().filter(|s| s.kind() == SymbolKind::Data && s.size() > 0);
        let mut all: Vec<_> = symbols
            .filter_map(|s| Some((s.address(), s.address() + s.size(), plain(s.name().ok()?))))
            .collect();
        all.sort();
        all
    }
}

/// Static variables of functions have numbers, functions of constructs too.
fn plain(name: &str) -> String {
    let end = name.find('.').filter(|at| *at > 0).unwrap_or(name.len());
    name[..end].to_string()
}

/// The variables of a page, the largest part first; of many, three.
fn names_in(variables: &[(u64, u64, String)], page: u64) -> String {
    let end = page.saturating_add(PAGE_BYTES);
    let mut found: Vec<(u64, &str)> = variables
        .iter()
        .filter(|(from, to, _)| *from < end && *to > page)
        .map(|(from, to, name)| ((*to).min(end) - (*from).max(page), name.as_str()))
        .collect();
    found.sort_by_key(|(part, _)| std::cmp::Reverse(*part));
    let names: Vec<&str> = found.iter().take(3).map(|(_, name)| *name).collect();
    let more = if found.len() > names.len() { ", …" } else { "" };
    names.join(", ") + more
}

/// Function, file and line of each address, by addr2line; without it, or without -g, the function by
/// the table of symbols.
fn places(program: &Path, shift: u64, addresses: &[u64]) -> Vec<(String, String, u32)> {
    addresses.chunks(BATCH).flat_map(|some| ask(program, shift, some)).collect()
}

fn ask(program: &Path, shift: u64, addresses: &[u64]) -> Vec<(String, String, u32)> {
    let mut command = Command::new("addr2line");
    command.args(["-f", "-e"]).arg(program).stderr(Stdio::null());
    command.args(addresses.iter().map(|a| format!("{:#x}", a.wrapping_sub(shift))));
    let text = command.output().map(|out| String::from_utf8_lossy(&out.stdout).into_owned());
    let text = text.unwrap_or_default();
    let mut lines = text.lines();
    let mut next = || {
        let (function, place) = (lines.next().unwrap_or("??"), lines.next().unwrap_or("??:0"));
        let (file, line) = place.rsplit_once(':').unwrap_or((place, "0"));
        let number = line.split(' ').next().and_then(|n| n.parse().ok()).unwrap_or(0);
        let known = |text: &str| if text == "??" { String::new() } else { text.to_string() };
        let file = if number > 0 { known(file) } else { String::new() };
        (plain(&known(function)), file, number)
    };
    addresses.iter().map(|_| next()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn file(host: u32, entries: &[[u64; 5]]) -> Vec<u8> {
        let mut bytes = vec![0; HEADER_BYTES];
        bytes[..8].copy_from_slice(&MAGIC.to_le_bytes());
        bytes[8..12].copy_from_slice(&host.to_le_bytes());
        bytes.extend(entries.iter().flatten().flat_map(|n| n.to_le_bytes()));
        bytes
    }

    #[test]
    fn hosts_are_added_up() {
        let mut faults = Faults::default();
        faults.add(&file(0, &[[0x5000, 0x100, 2, 3, 70], [0x5000, 0, 0, 4, 0], [0; 5]]));
        faults.add(&file(2, &[[0x5000, 0x100, 1, 0, 30], [0x6000, 0x108, 1, 0, 5]]));
        faults.add(b"no such file");
        let pages = faults.pages();
        assert_eq!(pages.len(), 2);
        assert_eq!((pages[0].address, pages[0].faults, pages[0].written), (0x5000, 6, 4));
        assert_eq!(pages[0].writers, [0]);
        let lines = faults.lines();
        assert_eq!(lines.len(), 1, "{lines:?}"); // no names: one place
        assert_eq!((lines[0].operations, lines[0].ns), (7, 105));
    }

    #[test]
    fn variables_of_a_page_are_named_by_their_parts() {
        let variables: Vec<_> =
            [(0x1000, 0x1010, "a"), (0x1010, 0x3000, "b"), (0x4000, 0x4001, "c")]
                .map(|(from, to, name)| (from, to, name.to_string()))
                .into();
        assert_eq!(names_in(&variables, 0x1000), "b, a");
        assert_eq!(names_in(&variables, 0x3000), "");
        assert_eq!(plain("count.0"), "count");
        assert_eq!(plain("main._omp_fn.1"), "main");
    }
}
