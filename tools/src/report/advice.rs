// SPDX-License-Identifier: BSD-3-Clause
//! What could be done about what took long, and the numbers that speak for it. A rule says nothing
//! where little is to be gained.

use super::pages;
use super::summary::{Advice, Barrier, Line, Summary, Thread};

/// Of all threads' time: below it, nothing is worth a change.
const WORTH: f64 = 0.02;
/// Operations of a line, from which on they are many.
const MANY: u64 = 1000;
/// Bytes of an operation that is small.
const SMALL: u32 = 64;

pub fn of(summary: &Summary) -> Vec<Advice> {
    let all = Judge { summary, ran: summary.threads.iter().map(|t| t.ran_ns).sum::<u64>().max(1) };
    let mut advice: Vec<Advice> = Vec::new();
    advice.extend(summary.lines.iter().filter_map(|line| all.small_accesses(line)));
    advice.extend(summary.lines.iter().filter_map(|line| all.own_transfers(line)));
    advice.extend(summary.lines.iter().filter_map(|line| all.lock(line)));
    advice.extend(summary.barriers.iter().filter_map(|barrier| all.late(barrier)));
    advice.extend(all.asked_by_all());
    advice.extend(all.shared_pages());
    advice.sort_by_key(|advice| std::cmp::Reverse(advice.ns));
    advice
}

struct Judge<'a> {
    summary: &'a Summary,
    /// Time of all threads.
    ran: u64,
}

impl Judge<'_> {
    fn is_worth(&self, ns: u64) -> bool {
        ns as f64 > WORTH * self.ran as f64
    }

    /// Barriers that a thread came to.
    fn phases(&self) -> u64 {
        let counts = self.summary.barriers.iter().map(|barrier| barrier.count);
        counts.sum::<u64>().max(1)
    }

    /// Many small accesses to others, one after the other.
    fn small_accesses(&self, line: &Line) -> Option<Advice> {
        let others = line.near + line.far;
        let is_access = line.kind == "transfer" && !line.what.starts_with("strict");
        let is_other = line.what == "atomic" || line.what == pages::WHAT;
        if !is_access || line.largest_size > SMALL || others < MANY || is_other {
            return None;
        }
        // Over hosts, an access that is known to have taken no time is still a message.
        if line.far == 0 && !self.is_worth(line.ns) && others < 1_000_000 {
            return None;
        }
        let whose = match line.peer {
            Some(peer) if line.peer_operations == others => format!("all go to thread {peer}"),
            Some(peer) => format!("at least {} go to thread {peer}", count(line.peer_operations)),
            None => "they go to several threads".to_string(),
        };
        let where_to = match (line.far, line.near) {
            (0, _) => "on the same host",
            (_, 0) => "on other hosts",
            _ => "on this host and others",
        };
        let runs = others / u64::from(line.threads.max(1)) / self.phases();
        let call = if line.what == "read" { "upc_memget" } else { "upc_memput" };
        let title = match (&*line.what, line.peer.is_some() && runs > 1, runs > 1) {
            ("update", ..) => "collect these updates by their threads, and send each its own".to_string(),
            (_, true, _) => format!("move the row by one {call}"),
            (_, false, true) => format!(
                "sort these accesses by their threads and move each one's by one {call}, or give the \
                 loop the affinity of what it accesses"
            ),
            _ => format!("start them early ({call}_nbi), and compute meanwhile what needs none of them"),
        };
        let size = match line.least_size == line.largest_size {
            true => format!("{} bytes", line.least_size),
            false => format!("{} to {} bytes", line.least_size, line.largest_size),
        };
        let saving = match runs > 1 {
            true => format!("; about {} between two barriers, for each thread", count(runs)),
            false => String::new(),
        };
        let evidence = format!(
            "{} {}s of {size} to memory {where_to}; {whose}; {} of waiting{saving}",
            count(others),
            line.what,
            seconds(line.ns),
        );
        Some(at(line, title, evidence))
    }

    fn own_transfers(&self, line: &Line) -> Option<Advice> {
        let all = line.own + line.near + line.far;
        let is_own =
            line.call.starts_with("upc_mem") && line.own * 10 > all * 9 && line.own >= MANY;
        is_own.then(|| {
            let evidence = format!(
                "{} of {} calls of {} at this line concern the thread's own memory",
                count(line.own),
                count(all),
                line.call
            );
            let title = "cast the pointer to a private one, and access the memory directly";
            at(line, title.to_string(), evidence)
        })
    }

    fn lock(&self, line: &Line) -> Option<Advice> {
        let is_lock = line.kind == "lock" && self.is_worth(line.ns);
        is_lock.then(|| {
            let each = line.ns / line.operations.max(1);
            let evidence = format!(
                "{} threads waited {} here together, {} each time; the longest wait was {}",
                line.threads,
                seconds(line.ns),
                seconds(each),
                seconds(line.longest_ns)
            );
            let title = "hold the lock for less, or have several locks, or an atomic operation";
            at(line, title.to_string(), evidence)
        })
    }

    fn late(&self, barrier: &Barrier) -> Option<Advice> {
        let (thread, times) = *barrier.last.first()?;
        if !self.is_worth(barrier.waited_ns) || barrier.count < 2 {
            return None;
        }
        let threads = &self.summary.threads;
        let of_thread = threads.iter().find(|t| t.thread == thread)?;
        let mean = threads.iter().map(|t| t.compute_ns).sum::<u64>() / threads.len() as u64;
        let busy = |t: &Thread| t.transfer_ns + t.lock_ns + t.collective_ns;
        let mean_busy = threads.iter().map(busy).sum::<u64>() / threads.len() as u64;
        let more = |own: u64, mean: u64| {
            own.saturating_sub(mean) * 4 > barrier.waited_ns / threads.len() as u64
        };
        let is_one = times * 2 > barrier.count;
        let title = match is_one {
            true if more(of_thread.compute_ns, mean) => {
                format!("give thread {thread} less to do: the others wait for it")
            }
            true if more(busy(of_thread), mean_busy) => format!(
                "thread {thread} comes late because it spends {} with transfers and locks, others {}",
                seconds(busy(of_thread)),
                seconds(mean_busy)
            ),
            true => format!(
                "thread {thread} comes late, but neither computes nor waits longer: does it share its \
                 CPU? (-bind-threads)"
            ),
            false => "the threads come late by turns: deal the work out in smaller pieces, have fewer \
                      barriers, or see that each thread has a CPU"
                .to_string(),
        };
        let evidence = format!(
            "thread {thread} came last to {times} of {} barriers, for which the others waited {} \
             together; it computed {}, all threads {} on average",
            count(barrier.count),
            seconds(barrier.waited_ns),
            seconds(of_thread.compute_ns),
            seconds(mean)
        );
        let (file, line) = (barrier.file.clone(), barrier.line);
        Some(Advice { title, evidence, file, line, ns: barrier.waited_ns })
    }

    /// One thread has what everybody wants.
    fn asked_by_all(&self) -> Option<Advice> {
        let threads = self.summary.threads.len();
        let mut asked = std::collections::BTreeMap::<u32, u64>::new();
        for cell in self.summary.matrix.iter().filter(|cell| cell.from != cell.to) {
            *asked.entry(cell.to).or_default() += cell.reads + cell.writes;
        }
        let all: u64 = asked.values().sum();
        let (thread, most) = asked.into_iter().max_by_key(|(_, n)| *n)?;
        let is_hot = self.summary.model == "upc" && threads >= 4 && all >= MANY && most * 2 > all;
        is_hot.then(|| Advice {
            title: format!("spread what thread {thread} has over all threads"),
            evidence: format!(
                "{} of {} accesses to other threads' memory go to thread {thread}: is an array \
                 allocated there (upc_alloc), or its block size so large that one thread has all of \
                 it?",
                count(most),
                count(all)
            ),
            ..Advice::default()
        })
    }

    /// OpenMP over hosts: pages that several hosts write.
    fn shared_pages(&self) -> Option<Advice> {
        let shared = self.summary.pages.iter().filter(|page| page.writers.len() > 1);
        let faults: u64 = shared.clone().map(|page| page.faults).sum();
        let worst = shared.clone().max_by_key(|page| page.faults)?;
        let name = match worst.variable.is_empty() {
            true => format!("the page at 0x{:x}", worst.address),
            false => format!("`{}`", worst.variable),
        };
        (faults >= MANY).then(|| Advice {
            title: format!("keep what different hosts write in {name} on different pages"),
            evidence: format!(
                "{} pages are written by several hosts, with {} faults; of {name} alone {}",
                shared.count(),
                count(faults),
                count(worst.faults)
            ),
            ..Advice::default()
        })
    }
}

fn at(line: &Line, title: String, evidence: String) -> Advice {
    Advice { title, evidence, file: line.file.clone(), line: line.line, ns: line.ns }
}

/// A number that is read at a glance: 1.2 million.
pub fn count(n: u64) -> String {
    match n {
        0..=9999 => n.to_string(),
        10_000..=999_999 => format!("{},{:03}", n / 1000, n % 1000),
        _ => format!("{:.1} million", n as f64 / 1e6),
    }
}

pub fn seconds(ns: u64) -> String {
    match ns {
        0..=999 => format!("{ns} ns"),
        1000..=999_999 => format!("{:.1} us", ns as f64 / 1e3),
        1_000_000..=999_999_999 => format!("{:.1} ms", ns as f64 / 1e6),
        _ => format!("{:.2} s", ns as f64 / 1e9),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn summary(line: Line, barrier: Barrier) -> Summary {
        let thread = |thread| Thread {
            thread,
            ran_ns: 1_000_000,
            compute_ns: if thread == 2 { 900_000 } else { 9000 },
            ..Thread::default()
        };
        let threads = (0..3).map(thread).collect();
        Summary { threads, lines: vec![line], barriers: vec![barrier], ..Summary::default() }
    }

    #[test]
    fn reads_of_a_row_should_be_one() {
        let line = Line {
            file: "heat.upc".into(),
            line: 40,
            what: "read".into(),
            kind: "transfer".into(),
            operations: 1_200_000,
            far: 1_200_000,
            least_size: 8,
            largest_size: 8,
            peer: Some(3),
            peer_operations: 1_200_000,
            threads: 3,
            ns: 2_000_000,
            ..Line::default()
        };
        let barrier = Barrier { count: 1000, ..Barrier::default() };
        let advice = of(&summary(line.clone(), barrier.clone()));
        assert_eq!(advice[0].title, "move the row by one upc_memget");
        assert_eq!(
            advice[0].evidence,
            "1.2 million reads of 8 bytes to memory on other hosts; all go to thread 3; 2.0 ms of \
             waiting; about 400 between two barriers, for each thread"
        );
        assert!(of(&summary(Line { far: 10, ..line }, barrier)).is_empty());
    }

    #[test]
    fn who_comes_last_is_named() {
        let barrier = Barrier {
            file: "a.upc".into(),
            line: 9,
            count: 10,
            waited_ns: 2_500_000,
            last: vec![(2, 9), (0, 1)],
        };
        let advice = of(&summary(Line::default(), barrier.clone()));
        assert!(advice[0].title.starts_with("give thread 2 less"), "{advice:?}");
        assert!(advice[0].evidence.starts_with("thread 2 came last to 9 of 10 barriers"));
        assert!(of(&summary(Line::default(), Barrier { waited_ns: 10, ..barrier })).is_empty());
    }
}
