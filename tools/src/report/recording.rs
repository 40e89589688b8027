// SPDX-License-Identifier: BSD-3-Clause
//! Reads what a thread has recorded (runtime/core/record.h, docs/report.md). The thread may have died
//! at any moment, and the file may be anything: each number is checked before it is believed.

use std::fs::File;
use std::os::unix::fs::FileExt;
use std::path::Path;

const MAGIC: u64 = 0x3143_4552_474e_4c46;
const VERSION: u32 = 3;
const HEADER_BYTES: usize = 768;
const HOST_NAME_AT: usize = 192;
const PROGRAM_AT: usize = 256;
const SITE_BYTES: usize = 96;
const PEER_BYTES: usize = 32;
const ROW_BYTES: usize = 16;
const EVENT_BYTES: usize = 32;
/// What an index or a text may claim to need.
const MOST_BYTES: u64 = 1 << 36;
pub const NOBODY: u32 = u32::MAX;

/// Flags of rows.
const ROW_WITH_OWN: u32 = 1;
const ROW_SAMPLED: u32 = 2;

#[derive(Clone, Copy, Default, PartialEq, Eq, Debug)]
pub enum Model {
    #[default]
    Upc,
    OpenMp,
}

/// A place of the program, what is done there, and its sums.
#[derive(Clone, Default, PartialEq, Eq, Debug)]
pub struct Site {
    pub what: String,
    pub file: String,
    /// The function of the library; empty: a statement or an access.
    pub call: String,
    pub line: u32,
    pub operations: u64,
    pub bytes: u64,
    pub ns: u64,
    pub longest_ns: u64,
    pub own: u64,
    pub near: u64,
    pub far: u64,
    pub sizes: (u32, u32),
    /// Of the most operations, if these are more than half; and what speaks for it.
    pub peer: u32,
    pub votes: u64,
    /// Of some accesses, those of a few iterations of their loop were counted, for all of it.
    pub sampled: bool,
}

impl Site {
    /// Adds `n` accesses of some bytes each: to another thread of this host, or own memory.
    fn add(&mut self, n: u64, bytes: u32, peer: Option<u32>) {
        self.operations = self.operations.saturating_add(n);
        self.bytes = self.bytes.saturating_add(n.saturating_mul(u64::from(bytes)));
        self.sizes = (self.sizes.0.min(bytes), self.sizes.1.max(bytes));
        let Some(peer) = peer else {
            self.own = self.own.saturating_add(n);
            return;
        };
        self.near = self.near.saturating_add(n);
        // The majority vote of record.c.
        if self.peer == peer {
            self.votes = self.votes.saturating_add(n);
        } else if self.votes <= n {
            (self.peer, self.votes) = (peer, n - self.votes);
        } else {
            self.votes -= n;
        }
    }
}

/// What was exchanged with another thread or host.
#[derive(Clone, Copy, Default, PartialEq, Eq, Debug)]
pub struct Peer {
    pub reads: u64,
    pub read_bytes: u64,
    pub writes: u64,
    pub written_bytes: u64,
}

#[derive(Clone, Copy, Default, PartialEq, Eq, Debug)]
pub struct Event {
    pub begin: u64,
    pub ns: u64,
    pub site: u32,
    pub peer: u32,
    pub value: u64,
}

#[derive(Clone, Default, PartialEq, Eq, Debug)]
pub struct Recording {
    pub model: Model,
    pub thread: u32,
    pub threads: u32,
    pub process: u32,
    pub host: u32,
    pub hosts: u32,
    pub host_name: String,
    pub program: String,
    pub begin: u64,
    pub begin_real: u64,
    /// None: the thread did not come to its end.
    pub end: Option<u64>,
    pub sites: Vec<Site>,
    pub peers: Vec<Peer>,
    /// In the order of their ends.
    pub events: Vec<Event>,
    /// Events that newer ones have overwritten.
    pub lost: u64,
    pub shared: u64,
    pub shared_peak: u64,
    pub resident: u64,
}

impl Recording {
    pub fn read(path: &Path) -> Result<Recording, String> {
        let shown = path.display();
        let file = File::open(path).map_err(|e| format!("cannot read `{shown}`: {e}"))?;
        read(&file).map_err(|why| format!("`{shown}` is no recording of a thread: {why}"))
    }

    /// Adds the accesses that the program has counted itself.
    fn add_row(&mut self, row: &Bytes, first_peer: u32) {
        let (reads, writes, bytes, flags) = (row.u32(0), row.u32(4), row.u32(8), row.u32(12));
        for (i, peer) in (first_peer..self.peers.len() as u32).enumerate() {
            let n = row.u64(ROW_BYTES + 8 * i);
            let is_own = peer == self.thread;
            if n == 0 || (is_own && flags & ROW_WITH_OWN == 0) {
                continue;
            }
            let all = n.saturating_mul(u64::from(bytes));
            let to = &mut self.peers[peer as usize];
            if reads > 0 {
                to.reads = to.reads.saturating_add(n);
                to.read_bytes = to.read_bytes.saturating_add(all);
            }
            if writes > 0 {
                to.writes = to.writes.saturating_add(n);
                to.written_bytes = to.written_bytes.saturating_add(all);
            }
            for site in [reads, writes].into_iter().filter(|&site| site > 0) {
                if let Some(site) = self.sites.get_mut(site as usize) {
                    site.add(n, bytes, Some(peer).filter(|_| !is_own));
                    site.sampled |= flags & ROW_SAMPLED != 0;
                }
            }
        }
    }

    /// The last moment that is known of the thread.
    pub fn last(&self) -> u64 {
        let last_event = self.events.last().map_or(self.begin, |event| event.begin + event.ns);
        self.end.unwrap_or(last_event).max(self.begin)
    }
}

struct Bytes<'a>(&'a [u8]);

impl Bytes<'_> {
    fn u32(&self, at: usize) -> u32 {
        self.0.get(at..at + 4).map_or(0, |b| u32::from_le_bytes(b.try_into().unwrap_or_default()))
    }

    fn u64(&self, at: usize) -> u64 {
        self.0.get(at..at + 8).map_or(0, |b| u64::from_le_bytes(b.try_into().unwrap_or_default()))
    }

    /// The text that begins there and ends with a zero byte.
    fn text(&self, at: usize) -> String {
        let rest = self.0.get(at..).unwrap_or_default();
        let end = rest.iter().position(|b| *b == 0).unwrap_or(rest.len());
        String::from_utf8_lossy(&rest[..end]).into_owned()
    }
}

fn section(file: &File, at: u64, bytes: u64) -> Result<Vec<u8>, String> {
    let size = file.metadata().map_err(|e| e.to_string())?.len();
    if bytes > MOST_BYTES || at.checked_add(bytes).is_none_or(|end| end > size) {
        return Err("it is shorter than it says".to_string());
    }
    let mut buffer = vec![0; bytes as usize];
    file.read_exact_at(&mut buffer, at).map_err(|e| e.to_string())?;
    Ok(buffer)
}

fn read(file: &File) -> Result<Recording, String> {
    let header = section(file, 0, HEADER_BYTES as u64)?;
    let h = Bytes(&header);
    if h.u64(0) != MAGIC {
        return Err("its begin is missing".to_string());
    }
    if h.u32(8) != VERSION {
        return Err(format!("its format has version {}, not {VERSION}", h.u32(8)));
    }
    if h.u32(12) as usize != HEADER_BYTES {
        return Err(format!("its header has {} bytes, not {HEADER_BYTES}", h.u32(12)));
    }
    let (max_sites, max_peers, text_bytes, max_events) =
        (h.u32(40), h.u32(44), h.u32(48), h.u32(52));
    let (max_rows, n_counts, first_peer) = (h.u32(176), h.u32(180), h.u32(184));
    let used = |count: u64, most: u32| count.min(u64::from(most));
    let n_sites = used(h.u64(112), max_sites);
    let texts = section(file, h.u64(72), used(h.u64(120), text_bytes))?;
    let sites = section(file, h.u64(56), n_sites * SITE_BYTES as u64)?;
    let peers = section(file, h.u64(64), u64::from(max_peers) * PEER_BYTES as u64)?;
    let row_bytes = ROW_BYTES + 8 * n_counts as usize;
    let rows =
        section(file, h.u64(160), used(h.u64(168), max_rows).saturating_mul(row_bytes as u64))?;
    let written = h.u64(128);
    let n_events = used(written, max_events);
    let events = section(file, h.u64(80), n_events * EVENT_BYTES as u64)?;
    let oldest = if written > n_events { (written % n_events.max(1)) as usize } else { 0 };
    let mut events: Vec<Event> = events.chunks_exact(EVENT_BYTES).map(event).collect();
    events.rotate_left(oldest);
    events.retain(|event| u64::from(event.site) < n_sites && event.begin >= h.u64(88));
    let mut recording = Recording {
        model: if h.u32(16) == 1 { Model::OpenMp } else { Model::Upc },
        thread: h.u32(20),
        threads: h.u32(24),
        process: h.u32(28),
        host: h.u32(32),
        hosts: h.u32(36),
        begin: h.u64(88),
        begin_real: h.u64(96),
        end: Some(h.u64(104)).filter(|end| *end > 0),
        lost: written - n_events,
        shared: h.u64(136),
        shared_peak: h.u64(144),
        resident: h.u64(152),
        host_name: h.text(HOST_NAME_AT),
        program: h.text(PROGRAM_AT),
        sites: sites.chunks_exact(SITE_BYTES).map(|bytes| site(bytes, &texts)).collect(),
        peers: peers.chunks_exact(PEER_BYTES).map(peer).collect(),
        events,
    };
    rows.chunks_exact(row_bytes).for_each(|row| recording.add_row(&Bytes(row), first_peer));
    Ok(recording)
}

fn site(bytes: &[u8], texts: &[u8]) -> Site {
    let (b, texts) = (Bytes(bytes), Bytes(texts));
    let text = |at| texts.text(b.u32(at) as usize);
    Site {
        what: text(0),
        file: text(4),
        call: text(8),
        line: b.u32(12),
        operations: b.u64(16),
        bytes: b.u64(24),
        ns: b.u64(32),
        longest_ns: b.u64(40),
        own: b.u64(48),
        near: b.u64(56),
        far: b.u64(64),
        sizes: (b.u32(72), b.u32(76)),
        peer: b.u32(80),
        votes: b.u64(88),
        sampled: false,
    }
}

fn peer(bytes: &[u8]) -> Peer {
    let b = Bytes(bytes);
    Peer { reads: b.u64(0), read_bytes: b.u64(8), writes: b.u64(16), written_bytes: b.u64(24) }
}

fn event(bytes: &[u8]) -> Event {
    let b = Bytes(bytes);
    Event { begin: b.u64(0), ns: b.u64(8), site: b.u32(16), peer: b.u32(20), value: b.u64(24) }
}

#[cfg(test)]
pub mod tests {
    use super::*;
    use std::io::Write;

    /// A file as the runtime writes it, with one site and the events' begins.
    fn bytes(begins: &[u64], written: u64) -> Vec<u8> {
        let texts = b"\0read\0a.upc\0";
        let n = begins.len() as u32;
        let mut b = vec![0; HEADER_BYTES];
        let mut put = |at: usize, bytes: &[u8]| b[at..at + bytes.len()].copy_from_slice(bytes);
        put(0, &MAGIC.to_le_bytes());
        let words = [VERSION, HEADER_BYTES as u32, 0, 1, 3, 1, 0, 1, 2, 0, texts.len() as u32, n];
        words.iter().enumerate().for_each(|(i, word)| put(8 + 4 * i, &word.to_le_bytes()));
        let (sites_at, texts_at) = (HEADER_BYTES as u64, (HEADER_BYTES + 2 * SITE_BYTES) as u64);
        let events_at = texts_at + texts.len() as u64;
        let numbers =
            [sites_at, texts_at, texts_at, events_at, 1, 5, 0, 2, texts.len() as u64, written];
        numbers.iter().enumerate().for_each(|(i, n)| put(56 + 8 * i, &n.to_le_bytes()));
        put(HOST_NAME_AT, b"here");
        b.resize(HEADER_BYTES + SITE_BYTES, 0);
        let site: Vec<u8> = [1u32, 6, 0, 7, 10, 0].iter().flat_map(|w| w.to_le_bytes()).collect();
        b.extend(&site);
        b.resize(texts_at as usize, 0);
        b.extend(texts);
        for begin in begins {
            let words = [*begin, 2, 1 | u64::from(NOBODY) << 32, 8];
            words.iter().for_each(|word| b.extend(word.to_le_bytes()));
        }
        b
    }

    /// The same with a row of `counts`, from thread 0 on, of reads of 8 bytes at the site.
    fn bytes_with_row(counts: &[u64], flags: u32) -> Vec<u8> {
        let mut b = bytes(&[50], 1);
        let rows_at = b.len() as u64;
        let mut put = |at: usize, n: u64| b[at..at + 8].copy_from_slice(&n.to_le_bytes());
        [rows_at, 1, 1 | (counts.len() as u64) << 32, 0]
            .iter()
            .enumerate()
            .for_each(|(i, n)| put(160 + 8 * i, *n));
        // The peers are where nothing else is.
        put(64, rows_at + 16 + 8 * counts.len() as u64);
        put(44, 3 | u64::from(b"\0read\0a.upc\0".len() as u32) << 32);
        let row = [1, u64::from(flags) << 32 | 8];
        row.iter().chain(counts).for_each(|n| b.extend(n.to_le_bytes()));
        b.resize(b.len() + 3 * PEER_BYTES, 0);
        b
    }

    #[test]
    fn rows_are_added() {
        let r = recording(&bytes_with_row(&[5, 7, 1], 0)).unwrap();
        let site = &r.sites[1];
        assert_eq!((site.operations, site.bytes, site.own, site.near), (16, 48, 0, 6));
        assert_eq!((site.peer, site.votes), (0, 4));
        assert_eq!((r.peers[0].reads, r.peers[1].reads, r.peers[2].read_bytes), (5, 0, 8));
        let r = recording(&bytes_with_row(&[5, 7, 1], 1)).unwrap();
        assert_eq!((r.sites[1].operations, r.sites[1].own, r.peers[1].reads), (23, 7, 7));
        assert!(!r.sites[1].sampled);
        let r = recording(&bytes_with_row(&[5, 7, 1], 2)).unwrap();
        assert_eq!((r.sites[1].operations, r.sites[1].sampled), (16, true));
        // Fewer counts than threads: the last one has no memory here.
        assert_eq!(recording(&bytes_with_row(&[5, 7], 1)).unwrap().sites[1].operations, 22);
    }

    fn recording(bytes: &[u8]) -> Result<Recording, String> {
        let dir = crate::temp::TempDir::default();
        let path = dir.file("thread-1.rec").unwrap();
        File::create(&path).unwrap().write_all(bytes).unwrap();
        Recording::read(&path)
    }

    #[test]
    fn a_ring_is_put_in_order() {
        let r = recording(&bytes(&[50, 60, 30, 40], 6)).unwrap();
        assert_eq!((r.thread, r.threads, r.lost, r.end), (1, 3, 2, None));
        assert_eq!(r.events.iter().map(|e| e.begin).collect::<Vec<_>>(), [30, 40, 50, 60]);
        assert_eq!((&*r.sites[1].what, &*r.sites[1].file, r.sites[1].line), ("read", "a.upc", 7));
        assert_eq!((r.last(), &*r.host_name), (62, "here"));
    }

    #[test]
    fn damaged_files_are_refused_or_read() {
        let good = bytes(&[50, 60, 30, 40], 6);
        for cut in 0..good.len() {
            assert!(recording(&good[..cut]).is_err(), "{cut}");
        }
        for at in 0..HOST_NAME_AT {
            for value in [0x7f, 0xff] {
                let mut bad = good.clone();
                bad[at] = value;
                let _ = recording(&bad);
            }
        }
    }
}
