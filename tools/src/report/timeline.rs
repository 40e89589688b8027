// SPDX-License-Identifier: BSD-3-Clause
//! The timeline as the page draws it: how each thread has spent each of many short times, exactly the
//! longest events, and what joins threads: the last ones at barriers, and locks that change hands.
//! However many events there are, the page gets about as much.

use super::job::{Barriers, Job};
use super::kind::{Kind, WAITS};
use super::recording::{Event, Recording};
use super::summary::{self, Line, Summary};
use serde::Serialize;
use std::collections::HashMap;

const MOST_CELLS: usize = 1 << 20;
const MOST_BINS: usize = 1 << 14;
const LEAST_BINS: usize = 1 << 8;
const MOST_EVENTS: usize = 400_000;
const MOST_JOINS: usize = 4000;
/// A lock is handed over if it was wanted for longer.
const HANDOVER_NS: u64 = 1000;

#[derive(Default, Serialize)]
pub struct Timeline {
    pub wall_ns: u64,
    pub bins: usize,
    pub kinds: usize,
    /// For each thread, bin and kind, the share of time in 1/255: zeros and others in turn, each run
    /// with its length (see [`squeeze`]); base64.
    pub shares: String,
    /// For each thread the number of events, then for each its begin since the last one's, its time,
    /// line, peer + 1 (0: nobody) and value, as LEB128; base64.
    pub events: String,
    /// Shorter events are in the shares alone.
    pub shortest_ns: u64,
    pub all_events: u64,
    /// When the last thread came to a barrier, its row, the line, what all others waited.
    pub barriers: Vec<(u64, usize, usize, u64)>,
    /// A lock was released by a row, and got by another.
    pub handovers: Vec<(u64, usize, u64, usize)>,
}

pub fn of(job: &Job, summary: &Summary) -> Timeline {
    let lines = LineNumbers::new(&summary.lines);
    let wall = (job.end() - job.begin()).max(1);
    let bins = (MOST_CELLS / job.threads.len()).clamp(LEAST_BINS, MOST_BINS);
    let shares: Vec<u8> =
        job.threads.iter().flat_map(|r| shares(r, job.begin(), wall, bins)).collect();
    let shortest_ns = threshold(job);
    Timeline {
        wall_ns: wall,
        bins,
        kinds: WAITS.len(),
        shares: base64(&squeeze(&shares)),
        events: base64(&events(job, &lines, shortest_ns)),
        shortest_ns,
        all_events: job.threads.iter().map(|r| r.events.len() as u64).sum(),
        barriers: barriers(job, &lines),
        handovers: handovers(job),
    }
}

/// Where the sites of threads stand among the lines of the job.
struct LineNumbers<'a>(HashMap<(&'a str, u32, &'a str, &'a str), usize>);

impl<'a> LineNumbers<'a> {
    fn new(lines: &'a [Line]) -> Self {
        let place = |line: &'a Line| (&*line.file, line.line, &*line.what, &*line.call);
        LineNumbers(lines.iter().enumerate().map(|(i, line)| (place(line), i)).collect())
    }

    fn of(&self, recording: &Recording) -> Vec<usize> {
        let number = |site: &super::recording::Site| {
            let what = if site.what.is_empty() { "others" } else { &site.what };
            self.0.get(&(&*site.file, site.line, what, &*site.call)).copied().unwrap_or(0)
        };
        recording.sites.iter().map(number).collect()
    }
}

fn shares(recording: &Recording, begin: u64, wall: u64, bins: usize) -> Vec<u8> {
    let kinds: Vec<Option<usize>> = recording.sites.iter().map(|s| Kind::of(s).index()).collect();
    let mut ns = vec![0u64; bins * WAITS.len()];
    let edge = |bin: usize| (u128::from(wall) * bin as u128 / bins as u128) as u64;
    for event in &recording.events {
        let Some(kind) = kinds[event.site as usize] else { continue };
        let from = event.begin.saturating_sub(begin).min(wall);
        let to = from.saturating_add(event.ns).min(wall);
        let mut bin = (u128::from(from) * bins as u128 / u128::from(wall)) as usize;
        while bin < bins && edge(bin) < to.max(from + 1) {
            let inside = to.min(edge(bin + 1)).saturating_sub(from.max(edge(bin)));
            ns[bin * WAITS.len() + kind] += inside;
            bin += 1;
        }
    }
    let width = (wall / bins as u64).max(1);
    // What is there at all can be seen.
    let share = |ns: &u64| if *ns == 0 { 0 } else { (ns * 255 / width).clamp(1, 255) as u8 };
    ns.iter().map(share).collect()
}

/// The time of the shortest event that is drawn by itself.
fn threshold(job: &Job) -> u64 {
    let mut times: Vec<u64> =
        job.threads.iter().flat_map(|r| r.events.iter().map(|e| e.ns)).collect();
    match times.len().checked_sub(MOST_EVENTS) {
        None | Some(0) => 0,
        Some(at) => *times.select_nth_unstable(at).1 + 1,
    }
}

fn events(job: &Job, lines: &LineNumbers, shortest: u64) -> Vec<u8> {
    let mut out = Vec::new();
    for recording in &job.threads {
        let line_of = lines.of(recording);
        let mut shown: Vec<&Event> = recording.events.iter().filter(|e| e.ns >= shortest).collect();
        shown.sort_by_key(|event| event.begin);
        number(&mut out, shown.len() as u64);
        let mut last = job.begin();
        for event in shown {
            number(&mut out, event.begin.saturating_sub(last));
            number(&mut out, event.ns);
            number(&mut out, line_of[event.site as usize] as u64);
            number(&mut out, u64::from(event.peer.wrapping_add(1)));
            number(&mut out, event.value);
            last = event.begin.max(last);
        }
    }
    out
}

fn barriers(job: &Job, lines: &LineNumbers) -> Vec<(u64, usize, usize, u64)> {
    let all = Barriers::of(job);
    let line_of: Vec<Vec<usize>> = job.threads.iter().map(|r| lines.of(r)).collect();
    let join = |number| {
        let (last, site, waited) = summary::last_of(job, &all, number)?;
        let (at, _) = all.get(last, number)?;
        Some((at.saturating_sub(job.begin()), last, line_of[last][site as usize], waited))
    };
    let mut joins: Vec<_> = all.common().filter_map(join).collect();
    joins.sort_by_key(|join| std::cmp::Reverse(join.3));
    joins.truncate(MOST_JOINS);
    joins.sort();
    joins
}

fn handovers(job: &Job) -> Vec<(u64, usize, u64, usize)> {
    // For each lock: when it was got or released, by whom, and how long that took.
    let mut of_lock: HashMap<u64, Vec<(u64, usize, bool, u64)>> = HashMap::new();
    for (row, recording) in job.threads.iter().enumerate() {
        for event in &recording.events {
            let site = &recording.sites[event.site as usize];
            if Kind::of(site) == Kind::Lock {
                let is_release = site.call.contains("unlock") || site.call.contains("unset");
                let at = if is_release { event.begin } else { event.begin + event.ns };
                of_lock.entry(event.value).or_default().push((at, row, is_release, event.ns));
            }
        }
    }
    let mut found = Vec::new();
    for mut uses in of_lock.into_values() {
        uses.sort();
        for pair in uses.windows(2) {
            let ((released, from, was_release, _), (got, to, is_release, waited)) =
                (pair[0], pair[1]);
            if was_release && !is_release && from != to && waited > HANDOVER_NS {
                let since = |at: u64| at.saturating_sub(job.begin());
                found.push((waited, (since(released), from, since(got), to)));
            }
        }
    }
    found.sort_by_key(|(waited, _)| std::cmp::Reverse(*waited));
    found.truncate(MOST_JOINS);
    let mut handovers: Vec<_> = found.into_iter().map(|(_, handover)| handover).collect();
    handovers.sort();
    handovers
}

fn number(out: &mut Vec<u8>, mut value: u64) {
    while value >= 0x80 {
        out.push(value as u8 | 0x80);
        value >>= 7;
    }
    out.push(value as u8);
}

/// The number of zeros, then the number of other bytes and these themselves, and so on.
fn squeeze(bytes: &[u8]) -> Vec<u8> {
    let mut out = Vec::new();
    let mut rest = bytes;
    while !rest.is_empty() {
        let zeros = rest.iter().take_while(|b| **b == 0).count();
        number(&mut out, zeros as u64);
        rest = &rest[zeros..];
        let others = rest.iter().take_while(|b| **b != 0).count();
        number(&mut out, others as u64);
        out.extend(&rest[..others]);
        rest = &rest[others..];
    }
    out
}

fn base64(bytes: &[u8]) -> String {
    const DIGITS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut out = String::with_capacity(bytes.len().div_ceil(3) * 4);
    for chunk in bytes.chunks(3) {
        let word =
            chunk.iter().fold(0u32, |word, b| word << 8 | u32::from(*b)) << (8 * (3 - chunk.len()));
        for i in 0..4 {
            let digit = DIGITS[(word >> (18 - 6 * i) & 63) as usize];
            out.push(if i <= chunk.len() { digit as char } else { '=' });
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::super::recording::{Site, NOBODY};
    use super::*;

    fn recording(thread: u32, events: &[(u64, u64, u32)]) -> Recording {
        let site = |what: &str, call: &str| Site {
            what: what.into(),
            call: call.into(),
            operations: 1,
            ..Site::default()
        };
        let event = |&(begin, ns, site): &(u64, u64, u32)| Event {
            begin,
            ns,
            site,
            peer: NOBODY,
            value: 5,
        };
        Recording {
            thread,
            threads: 2,
            end: Some(1000),
            sites: vec![site("barrier", ""), site("lock", "upc_lock"), site("lock", "upc_unlock")],
            events: events.iter().map(event).collect(),
            ..Recording::default()
        }
    }

    #[test]
    fn base64_is_as_in_its_rfc() {
        let cases =
            [("", ""), ("f", "Zg=="), ("fo", "Zm8="), ("foo", "Zm9v"), ("foob", "Zm9vYg==")];
        cases.iter().for_each(|(text, coded)| assert_eq!(base64(text.as_bytes()), *coded));
    }

    #[test]
    fn zeros_take_little_room() {
        assert_eq!(squeeze(&[0, 0, 0, 7, 8, 0, 9]), [3, 2, 7, 8, 1, 1, 9]);
        assert_eq!(squeeze(&vec![0; 300]), [0xac, 2, 0]);
    }

    #[test]
    fn a_bin_has_the_share_of_its_time() {
        let r = recording(0, &[(100, 150, 0), (900, 200, 1)]);
        let bins = shares(&r, 0, 1000, 10);
        let barrier: Vec<u8> = bins.chunks(WAITS.len()).map(|bin| bin[0]).collect();
        assert_eq!(barrier, [0, 255, 127, 0, 0, 0, 0, 0, 0, 0]);
        assert_eq!(bins[9 * WAITS.len() + 1], 255);
    }

    #[test]
    fn the_last_one_and_a_handover_join_threads() {
        let job = Job::new(vec![
            recording(0, &[(100, 401, 0), (600, 1, 1), (800, 1, 2)]),
            recording(1, &[(500, 2, 0), (700, 3000, 1)]),
        ]);
        let summary = summary::of(&job);
        let timeline = of(&job, &summary);
        assert_eq!(
            timeline.barriers.iter().map(|j| (j.0, j.1, j.3)).collect::<Vec<_>>(),
            [(500, 1, 400)]
        );
        assert_eq!(timeline.handovers, [(800, 0, 3700, 1)]);
    }
}
