// SPDX-License-Identifier: BSD-3-Clause
//! Writes recordings as the runtime does (runtime/core/record.h).

use std::collections::HashMap;
use std::path::Path;

const HEADER: usize = 768;
const SITE: usize = 96;

pub struct Thread {
    number: u32,
    threads: u32,
    end: u64,
    texts: Vec<u8>,
    known: HashMap<String, u32>,
    sites: Vec<[u8; SITE]>,
    peers: Vec<u8>,
    events: Vec<u8>,
}

impl Thread {
    pub fn new(number: u32, threads: u32) -> Thread {
        Thread {
            number,
            threads,
            end: 0,
            texts: vec![0],
            known: HashMap::new(),
            sites: vec![[0; SITE]],
            peers: vec![0; 32 * threads as usize],
            events: Vec::new(),
        }
    }

    fn text(&mut self, text: &str) -> u32 {
        let at = self.texts.len() as u32;
        if text.is_empty() {
            return 0;
        }
        if let Some(at) = self.known.get(text) {
            return *at;
        }
        self.texts.extend(text.bytes().chain([0]));
        self.known.insert(text.to_string(), at);
        at
    }

    pub fn site(&mut self, what: &str, file: &str, call: &str, line: u32) -> u32 {
        let words = [self.text(what), self.text(file), self.text(call), line];
        let mut site = [0; SITE];
        words.iter().enumerate().for_each(|(i, w)| put(&mut site, 4 * i, &w.to_le_bytes()));
        put(&mut site, 72, &u32::MAX.to_le_bytes());
        put(&mut site, 80, &u32::MAX.to_le_bytes());
        self.sites.push(site);
        self.sites.len() as u32 - 1
    }

    /// Also counts as an operation of the site, but for accesses.
    pub fn event(&mut self, site: u32, begin: u64, ns: u64, peer: u32, value: u64) {
        let words = [begin + 1, ns, u64::from(site) | u64::from(peer) << 32, value];
        words.iter().for_each(|word| self.events.extend(word.to_le_bytes()));
        self.add(site, 16, if peer == u32::MAX { 1 } else { 0 });
        self.add(site, 32, ns);
    }

    /// Reads of one other thread's memory.
    pub fn access(&mut self, site: u32, reads: u64, bytes: u64, peer: u32) {
        for (at, more) in [(16, reads), (24, bytes), (56, reads), (88, reads)] {
            self.add(site, at, more);
        }
        let size = (bytes / reads) as u32;
        let words = [size, size, peer];
        let site = &mut self.sites[site as usize];
        words.iter().enumerate().for_each(|(i, w)| put(site, 72 + 4 * i, &w.to_le_bytes()));
        let of_peer = &mut self.peers[32 * peer as usize..];
        put(of_peer, 0, &reads.to_le_bytes());
        put(of_peer, 8, &bytes.to_le_bytes());
    }

    fn add(&mut self, site: u32, at: usize, more: u64) {
        let bytes = &mut self.sites[site as usize][at..at + 8];
        let sum = u64::from_le_bytes(bytes.try_into().unwrap()) + more;
        bytes.copy_from_slice(&sum.to_le_bytes());
    }

    pub fn end(&mut self, at: u64) {
        self.end = at + 1;
    }

    pub fn write(&self, folder: &Path) {
        let events = (self.events.len() / 32) as u64;
        let sites_at = HEADER as u64;
        let peers_at = sites_at + (self.sites.len() * SITE) as u64;
        let texts_at = peers_at + self.peers.len() as u64;
        let events_at = texts_at + self.texts.len() as u64;
        let mut bytes = vec![0; HEADER];
        put(&mut bytes, 0, b"FLNGREC1");
        let words = [
            3,
            HEADER as u32,
            0,
            self.number,
            self.threads,
            self.number,
            0,
            1,
            self.sites.len() as u32,
            self.threads,
            self.texts.len() as u32,
            events as u32,
        ];
        words.iter().enumerate().for_each(|(i, w)| put(&mut bytes, 8 + 4 * i, &w.to_le_bytes()));
        let numbers = [
            sites_at,
            peers_at,
            texts_at,
            events_at,
            1,
            1000,
            self.end,
            self.sites.len() as u64,
            self.texts.len() as u64,
            events,
            4096,
            1 << 20,
            1 << 24,
        ];
        numbers.iter().enumerate().for_each(|(i, n)| put(&mut bytes, 56 + 8 * i, &n.to_le_bytes()));
        put(&mut bytes, 192, b"here");
        self.sites.iter().for_each(|site| bytes.extend(site));
        bytes.extend(self.peers.iter().chain(&self.texts).chain(&self.events));
        std::fs::write(folder.join(format!("thread-{}.rec", self.number)), bytes).unwrap();
    }
}

fn put(bytes: &mut [u8], at: usize, what: &[u8]) {
    bytes[at..at + what.len()].copy_from_slice(what);
}
