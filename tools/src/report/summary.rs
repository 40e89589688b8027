// SPDX-License-Identifier: BSD-3-Clause
//! What report.json holds (docs/report.md has its schema): the sums of a job.

use super::job::{Barriers, Job};
use super::kind::{Kind, WAITS};
use super::recording::{Model, Recording, Site, NOBODY};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

pub const SCHEMA: u32 = 1;

#[derive(Clone, Default, PartialEq, Debug, Serialize, Deserialize)]
pub struct Summary {
    pub schema: u32,
    pub program: String,
    /// `upc` or `openmp`.
    pub model: String,
    pub wall_ns: u64,
    pub hosts: Vec<Host>,
    pub threads: Vec<Thread>,
    /// Mean of the threads' computing time over the largest: 1 is balanced.
    pub balance: f64,
    pub matrix: Vec<Cell>,
    pub lines: Vec<Line>,
    pub barriers: Vec<Barrier>,
    pub pages: Vec<Page>,
    pub advice: Vec<Advice>,
    pub notes: Vec<String>,
}

#[derive(Clone, Default, PartialEq, Debug, Serialize, Deserialize)]
pub struct Host {
    pub name: String,
    pub threads: u32,
}

#[derive(Clone, Default, PartialEq, Debug, Serialize, Deserialize)]
pub struct Thread {
    pub thread: u32,
    pub process: u32,
    pub host: u32,
    pub begin_ns: u64,
    pub ran_ns: u64,
    pub ended: bool,
    pub compute_ns: u64,
    pub barrier_ns: u64,
    pub lock_ns: u64,
    pub transfer_ns: u64,
    pub collective_ns: u64,
    pub signal_ns: u64,
    pub memory_ns: u64,
    pub events: u64,
    pub lost_events: u64,
    pub shared_bytes: u64,
    pub shared_peak_bytes: u64,
    /// Of the thread's process.
    pub resident_bytes: u64,
}

/// What thread `from` (OpenMP: host) read from and wrote to the memory of `to`.
#[derive(Clone, Default, PartialEq, Debug, Serialize, Deserialize)]
pub struct Cell {
    pub from: u32,
    pub to: u32,
    pub reads: u64,
    pub read_bytes: u64,
    pub writes: u64,
    pub written_bytes: u64,
}

#[derive(Clone, Default, PartialEq, Debug, Serialize, Deserialize)]
pub struct Line {
    pub file: String,
    pub line: u32,
    pub what: String,
    pub call: String,
    pub kind: String,
    pub operations: u64,
    /// Some of them were counted in a sample of iterations, which stands for all.
    #[serde(default)]
    pub sampled: bool,
    pub bytes: u64,
    pub ns: u64,
    pub longest_ns: u64,
    /// Of the operations: on the thread's own memory, its host's, other hosts'.
    pub own: u64,
    pub near: u64,
    pub far: u64,
    pub least_size: u32,
    pub largest_size: u32,
    /// The thread that has more than half of what is not own, if one has; and at least so many.
    pub peer: Option<u32>,
    pub peer_operations: u64,
    /// Threads that came here.
    pub threads: u32,
    /// The thread that has spent most time here.
    pub slowest: u32,
    pub slowest_ns: u64,
}

#[derive(Clone, Default, PartialEq, Debug, Serialize, Deserialize)]
pub struct Barrier {
    pub file: String,
    pub line: u32,
    pub count: u64,
    /// What all threads waited for the last ones.
    pub waited_ns: u64,
    /// Threads and how often they came last, the most often first.
    pub last: Vec<(u32, u64)>,
}

/// OpenMP over hosts: a page that hosts have written and fetched.
#[derive(Clone, Default, PartialEq, Debug, Serialize, Deserialize)]
pub struct Page {
    pub address: u64,
    pub variable: String,
    pub writers: Vec<u32>,
    pub faults: u64,
    pub written: u64,
}

#[derive(Clone, Default, PartialEq, Debug, Serialize, Deserialize)]
pub struct Advice {
    /// What to do, and what speaks for it.
    pub title: String,
    pub evidence: String,
    pub file: String,
    pub line: u32,
    /// Time of all threads that is at stake.
    pub ns: u64,
}

type Place = (String, u32, String, String);

pub fn of(job: &Job) -> Summary {
    let threads: Vec<Thread> = job.threads.iter().map(|r| thread(r, job.begin())).collect();
    let most = threads.iter().map(|t| t.compute_ns).max().unwrap_or(0).max(1);
    let mean = threads.iter().map(|t| t.compute_ns as f64).sum::<f64>() / threads.len() as f64;
    Summary {
        schema: SCHEMA,
        program: job.threads[0].program.clone(),
        model: if job.model() == Model::OpenMp { "openmp" } else { "upc" }.to_string(),
        wall_ns: job.end() - job.begin(),
        hosts: hosts(job),
        balance: mean / most as f64,
        matrix: job.threads.iter().flat_map(cells).collect(),
        lines: lines(job),
        barriers: barriers(job),
        notes: job.notes.clone(),
        threads,
        ..Summary::default()
    }
}

fn hosts(job: &Job) -> Vec<Host> {
    let count = job.threads.iter().map(|r| r.host + 1).max().unwrap_or(0);
    let mut hosts: Vec<Host> =
        (0..count).map(|host| Host { name: format!("host {host}"), threads: 0 }).collect();
    for recording in &job.threads {
        let host = &mut hosts[recording.host as usize];
        host.threads += 1;
        if !recording.host_name.is_empty() {
            host.name.clone_from(&recording.host_name);
        }
    }
    hosts
}

fn thread(recording: &Recording, begin: u64) -> Thread {
    let mut waits = [0; WAITS.len()];
    for site in &recording.sites {
        if let Some(index) = Kind::of(site).index() {
            waits[index] += site.ns;
        }
    }
    let [barrier_ns, lock_ns, transfer_ns, collective_ns, signal_ns, memory_ns] = waits;
    let ran_ns = recording.last() - recording.begin;
    Thread {
        thread: recording.thread,
        process: recording.process,
        host: recording.host,
        begin_ns: recording.begin - begin,
        ran_ns,
        ended: recording.end.is_some(),
        compute_ns: ran_ns.saturating_sub(waits.iter().sum()),
        barrier_ns,
        lock_ns,
        transfer_ns,
        collective_ns,
        signal_ns,
        memory_ns,
        events: recording.events.len() as u64 + recording.lost,
        lost_events: recording.lost,
        shared_bytes: recording.shared,
        shared_peak_bytes: recording.shared_peak,
        resident_bytes: recording.resident,
    }
}

fn cells(recording: &Recording) -> Vec<Cell> {
    let used = recording.peers.iter().enumerate().filter(|(_, p)| p.reads + p.writes > 0);
    used.map(|(to, peer)| Cell {
        from: recording.thread,
        to: to as u32,
        reads: peer.reads,
        read_bytes: peer.read_bytes,
        writes: peer.writes,
        written_bytes: peer.written_bytes,
    })
    .collect()
}

/// Those with the longest waits first.
fn lines(job: &Job) -> Vec<Line> {
    let mut lines: BTreeMap<Place, (Line, BTreeMap<u32, u64>)> = BTreeMap::new();
    for recording in &job.threads {
        for site in recording.sites.iter().filter(|site| site.operations > 0 || site.ns > 0) {
            let place = (site.file.clone(), site.line, site.what.clone(), site.call.clone());
            let (line, peers) = lines.entry(place).or_default();
            add(line, site, recording.thread);
            if site.peer != NOBODY && site.votes > 0 {
                *peers.entry(site.peer).or_default() += site.votes;
            }
        }
    }
    let mut lines: Vec<Line> =
        lines.into_values().map(|(line, peers)| with_peer(line, &peers)).collect();
    lines.sort_by_key(|line| std::cmp::Reverse((line.ns, line.operations)));
    lines
}

fn add(line: &mut Line, site: &Site, thread: u32) {
    if line.threads == 0 {
        *line = Line {
            file: site.file.clone(),
            line: site.line,
            what: if site.what.is_empty() { "others".into() } else { site.what.clone() },
            call: site.call.clone(),
            kind: Kind::of(site).name().to_string(),
            least_size: u32::MAX,
            ..Line::default()
        };
    }
    line.operations += site.operations;
    line.sampled |= site.sampled;
    line.bytes += site.bytes;
    line.ns += site.ns;
    line.longest_ns = line.longest_ns.max(site.longest_ns);
    line.own += site.own;
    line.near += site.near;
    line.far += site.far;
    line.least_size = line.least_size.min(site.sizes.0);
    line.largest_size = line.largest_size.max(site.sizes.1);
    line.threads += 1;
    if site.ns > line.slowest_ns {
        (line.slowest, line.slowest_ns) = (thread, site.ns);
    }
}

fn with_peer(mut line: Line, peers: &BTreeMap<u32, u64>) -> Line {
    if line.least_size > line.largest_size {
        line.least_size = 0;
    }
    let most = peers.iter().max_by_key(|(_, votes)| **votes);
    if let Some((peer, votes)) = most.filter(|(_, votes)| **votes * 2 > line.near + line.far) {
        line.peer = Some(*peer);
        line.peer_operations = *votes;
    }
    line
}

fn barriers(job: &Job) -> Vec<Barrier> {
    let all = Barriers::of(job);
    let mut found: BTreeMap<(String, u32), (Barrier, BTreeMap<u32, u64>)> = BTreeMap::new();
    for number in all.common() {
        let Some((last, at, waited)) = last_of(job, &all, number) else { continue };
        let site = &job.threads[last].sites[at as usize];
        let entry = found.entry((site.file.clone(), site.line)).or_default();
        entry.0.count += 1;
        entry.0.waited_ns += waited;
        *entry.1.entry(job.threads[last].thread).or_default() += 1;
    }
    let barrier = |((file, line), (barrier, last)): (_, (Barrier, BTreeMap<u32, u64>))| {
        let mut last: Vec<(u32, u64)> = last.into_iter().collect();
        last.sort_by_key(|(_, times)| std::cmp::Reverse(*times));
        last.truncate(8);
        Barrier { file, line, last, ..barrier }
    };
    let mut barriers: Vec<Barrier> = found.into_iter().map(barrier).collect();
    barriers.sort_by_key(|barrier| std::cmp::Reverse(barrier.waited_ns));
    barriers
}

/// Who came last, by which site, and how long all others had waited by then.
pub fn last_of(job: &Job, barriers: &Barriers, number: u64) -> Option<(usize, u32, u64)> {
    let came = |thread: usize| barriers.get(thread, number);
    let all =
        (0..job.threads.len()).map(|t| came(t).map(|(at, _)| *at)).collect::<Option<Vec<_>>>()?;
    let last = (0..all.len()).max_by_key(|t| all[*t])?;
    let waited = all.iter().map(|at| all[last] - at).sum();
    Some((last, came(last)?.1.site, waited))
}
