// SPDX-License-Identifier: BSD-3-Clause
//! The recordings of one job, with their clocks made one.

use super::kind::Kind;
use super::recording::{Event, Model, Recording};
use std::path::Path;

/// Hosts whose clocks differ less are one machine.
const SAME_CLOCK_NS: i128 = 1_000_000;

#[derive(Default)]
pub struct Job {
    /// In order of their numbers; some may be missing.
    pub threads: Vec<Recording>,
    /// What a reader should know about the data.
    pub notes: Vec<String>,
}

/// Where the n-th barrier of the job stands among the events of each thread.
pub struct Barriers {
    /// For each thread: the number of its first barrier that is known, and all that are: when it
    /// came, and the event by which it left.
    pub of_thread: Vec<(u64, Vec<(u64, Event)>)>,
}

impl Job {
    pub fn load(dir: &Path) -> Result<Job, String> {
        let mut job = Job::default();
        let shown = dir.display();
        let entries =
            std::fs::read_dir(dir).map_err(|e| format!("cannot read the folder `{shown}`: {e}"))?;
        for entry in entries.flatten() {
            if is_recording(&entry.path()) {
                match Recording::read(&entry.path()) {
                    Ok(recording) => job.threads.push(recording),
                    Err(why) => job.notes.push(why),
                }
            }
        }
        job.threads.sort_by_key(|recording| recording.thread);
        if job.threads.is_empty() {
            let why = job.notes.first().map_or(String::new(), |why| format!(": {why}"));
            return Err(format!(
                "`{shown}` holds no recording of a thread (thread-N.rec){why}; `upcrun -report \
                 {shown} ./prog` makes some"
            ));
        }
        job.leave_out_others();
        job.end_teams();
        job.note_missing();
        job.align();
        Ok(job)
    }

    #[cfg(test)]
    pub fn new(threads: Vec<Recording>) -> Job {
        Job { threads, notes: Vec::new() }
    }

    pub fn model(&self) -> Model {
        self.threads[0].model
    }

    /// Threads that the job had.
    pub fn count(&self) -> u32 {
        self.threads.iter().map(|r| r.threads).max().unwrap_or(0)
    }

    pub fn begin(&self) -> u64 {
        self.threads.iter().map(|r| r.begin).min().unwrap_or(0)
    }

    pub fn end(&self) -> u64 {
        self.threads.iter().map(Recording::last).max().unwrap_or(0)
    }

    /// Files that an earlier job of more threads has left.
    fn leave_out_others(&mut self) {
        let newest = self.threads.iter().max_by_key(|r| r.begin_real);
        let Some(count) = newest.map(|r| r.threads) else { return };
        let before = self.threads.len();
        self.threads.retain(|r| r.threads == count || r.model == Model::OpenMp);
        if self.threads.len() < before {
            let n = before - self.threads.len();
            self.notes.push(format!("{n} recordings are of another job, and left out"));
        }
    }

    /// OpenMP's threads wait for a region that does not come when their program ends.
    fn end_teams(&mut self) {
        if self.model() == Model::OpenMp && self.threads.iter().any(|r| r.end.is_some()) {
            self.threads.iter_mut().for_each(|r| r.end = Some(r.last()));
        }
    }

    fn note_missing(&mut self) {
        let missing = (self.count() as usize).saturating_sub(self.threads.len());
        if missing > 0 && self.model() == Model::Upc {
            self.notes.push(format!(
                "{missing} of {} threads have left no recording: is the folder one that all hosts \
                 share?",
                self.count()
            ));
        }
        let died = self.threads.iter().filter(|r| r.end.is_none()).count();
        if died > 0 {
            self.notes.push(format!(
                "{died} threads did not come to their end: what they did last is here, the wait \
                 that they were in is not"
            ));
        }
        let lost: u64 = self.threads.iter().map(|r| r.lost).sum();
        if lost > 0 {
            self.notes.push(format!(
                "the timeline lacks the oldest {lost} events: the buffers were full; \
                 FURLONG_REPORT_EVENTS=N makes them larger (sums are of all)"
            ));
        }
    }

    /// Brings the clocks of other machines to the first thread's: by the time of day, and then so that
    /// all leave the same barrier at the same time.
    fn align(&mut self) {
        let offset = |r: &Recording| i128::from(r.begin_real) - i128::from(r.begin);
        let (reference, host) = (offset(&self.threads[0]), self.threads[0].host);
        let shifts: Vec<i128> = self.threads.iter().map(|r| offset(r) - reference).collect();
        let is_far = |shift: &i128| shift.abs() > SAME_CLOCK_NS;
        if !shifts.iter().any(is_far) {
            return;
        }
        for (recording, shift) in self.threads.iter_mut().zip(&shifts) {
            if is_far(shift) && recording.host != host {
                shift_by(recording, *shift);
            }
        }
        let barriers = Barriers::of(self);
        let (first, ends) = &barriers.of_thread[0];
        for (i, recording) in self.threads.iter_mut().enumerate() {
            let (other_first, others) = &barriers.of_thread[i];
            if recording.host == host || !is_far(&shifts[i]) {
                continue;
            }
            let end = |event: &Event| i128::from(event.begin) + i128::from(event.ns);
            let mut differences: Vec<i128> = Vec::new();
            for (at, (_, event)) in others.iter().enumerate() {
                let same = (other_first + at as u64).checked_sub(*first);
                if let Some((_, own)) = same.and_then(|n| ends.get(n as usize)) {
                    differences.push(end(own) - end(event));
                }
            }
            differences.sort();
            if let Some(middle) = differences.get(differences.len() / 2) {
                shift_by(recording, *middle);
            }
        }
        self.notes.push(
            "the hosts' clocks are brought together by their barriers: what happens less than a \
             round trip apart may be in the wrong order"
                .to_string(),
        );
    }
}

fn is_recording(path: &Path) -> bool {
    let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
    name.starts_with("thread-") && name.ends_with(".rec")
}

fn shift_by(recording: &mut Recording, ns: i128) {
    let shift = |time: &mut u64| *time = (i128::from(*time) + ns).clamp(0, u64::MAX.into()) as u64;
    shift(&mut recording.begin);
    recording.end.iter_mut().for_each(shift);
    recording.events.iter_mut().for_each(|event| shift(&mut event.begin));
}

impl Barriers {
    pub fn of(job: &Job) -> Barriers {
        Barriers { of_thread: job.threads.iter().map(of_thread).collect() }
    }

    /// The numbers of barriers that all threads have been to.
    pub fn common(&self) -> std::ops::Range<u64> {
        let first = self.of_thread.iter().map(|(first, _)| *first).max().unwrap_or(0);
        let end = self.of_thread.iter().map(|(first, all)| first + all.len() as u64).min();
        first..end.unwrap_or(0).max(first)
    }

    pub fn get(&self, thread: usize, number: u64) -> Option<&(u64, Event)> {
        let (first, all) = &self.of_thread[thread];
        all.get(number.checked_sub(*first)? as usize)
    }
}

/// A split-phase barrier is come to by its notify and left by its wait.
fn of_thread(recording: &Recording) -> (u64, Vec<(u64, Event)>) {
    let kinds: Vec<Kind> = recording.sites.iter().map(Kind::of).collect();
    let is_notify = |site: u32| recording.sites[site as usize].what == "notify";
    let mut known = Vec::new();
    let mut notified = None;
    for event in &recording.events {
        match kinds[event.site as usize] {
            Kind::Barrier if is_notify(event.site) => notified = Some(event.begin),
            Kind::Barrier => known.push((notified.take().unwrap_or(event.begin), *event)),
            _ => {}
        }
    }
    let sites = recording.sites.iter().zip(&kinds);
    let all: u64 = sites
        .filter(|(site, kind)| **kind == Kind::Barrier && site.what != "notify")
        .map(|(site, _)| site.operations)
        .sum();
    (all.saturating_sub(known.len() as u64), known)
}
