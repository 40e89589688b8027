// SPDX-License-Identifier: BSD-3-Clause
//! The hosts that the head or an agent has started, and through them all others: a tree, so that
//! starting many hosts takes as long as its depth, and no host starts more than its width. Orders
//! go down and reports come up, both without a change; only beats stay between neighbours.

use super::fate::End;
use super::poller::{Poller, Source};
use super::remote::Remote;
use super::wire::{Order, Report, Task};
use crate::exit;
use nix::unistd::Pid;
use std::time::Instant;

/// The number of the link of an agent with what started it; those of its branches follow.
pub const UP: usize = 0;

#[derive(Default)]
pub struct Branches {
    /// Each with the hosts that are reached through it.
    all: Vec<(Vec<usize>, Remote)>,
}

/// Deals hosts to at most `width` branches, evenly and in order. The first of each starts its
/// others.
pub fn split(hosts: &[usize], width: usize) -> Vec<Vec<usize>> {
    let (count, branches) = (hosts.len(), width.clamp(1, hosts.len().max(1)));
    let cut = |i: usize| count * i / branches;
    let parts = (0..branches).map(|i| hosts[cut(i)..cut(i + 1)].to_vec());
    parts.filter(|part| !part.is_empty()).collect()
}

impl Branches {
    /// Starts the first host of each list, to run the task and to start the rest of the list; one
    /// that is `near` is this machine. An agent says on which host it is. All lists, or the reason,
    /// for the head.
    pub fn start(
        task: &Task,
        lists: Vec<Vec<usize>>,
        near: &[usize],
        by: Option<&str>,
        files: (u64, u64),
        poller: &Poller,
    ) -> Result<Branches, Report> {
        let mut branches = Branches::default();
        for (i, hosts) in lists.into_iter().enumerate() {
            let is_near = near.contains(&hosts[0]);
            let task = Task { host: hosts[0], below: hosts[1..].to_vec(), ..task.clone() };
            match Remote::start(task, is_near, files, (UP + 1 + i, by), poller) {
                Ok(remote) => branches.all.push((hosts, remote)),
                Err(text) => return Err(Report::Refused { hosts, code: exit::SYSTEM, text }),
            }
        }
        Ok(branches)
    }

    /// What a branch whose link has an event reports.
    pub fn heard(&mut self, source: Source, poller: &Poller, now: Instant) -> Vec<Report> {
        match source {
            Source::From(number) => self.remote(number).receive(poller, now),
            Source::To(number) => {
                self.remote(number).flush(poller);
                Vec::new()
            }
            _ => Vec::new(),
        }
    }

    fn remote(&mut self, number: usize) -> &mut Remote {
        &mut self.all[number - UP - 1].1
    }

    /// To all hosts; what comes of it at once.
    pub fn order(&mut self, order: &Order, poller: &Poller) -> Vec<Report> {
        self.all.iter_mut().filter_map(|(_, remote)| remote.order(order, poller)).collect()
    }

    /// To one host.
    pub fn order_one(&mut self, host: usize, order: &Order, poller: &Poller) -> Option<Report> {
        let (_, remote) = self.all.iter_mut().find(|(hosts, _)| hosts.contains(&host))?;
        remote.order(order, poller)
    }

    /// Whether anyone has room for what the hosts report: else none of it is read.
    pub fn set_room(&mut self, room: bool, poller: &Poller) {
        self.all.iter_mut().for_each(|(_, remote)| remote.set_room(room, poller));
    }

    pub fn deadline(&self) -> Option<Instant> {
        self.all.iter().filter_map(|(_, remote)| remote.deadline()).min()
    }

    pub fn tick(&mut self, now: Instant, poller: &Poller) -> Vec<Report> {
        self.all.iter_mut().filter_map(|(_, remote)| remote.tick(now, poller)).collect()
    }

    /// A child has ended, which may be what connects a branch.
    pub fn ended(&mut self, pid: Pid, end: End, poller: &Poller, now: Instant) -> Vec<Report> {
        let branch = self.all.iter_mut().find(|(_, remote)| remote.pid() == Some(pid));
        branch.map_or(Vec::new(), |(_, remote)| remote.ended(end, poller, now))
    }

    /// Says no more to any: each ends what it has, and itself.
    pub fn close(&mut self) {
        self.all.iter_mut().for_each(|(_, remote)| remote.close());
    }

    pub fn have_ended(&self) -> bool {
        self.all.iter().all(|(_, remote)| remote.pid().is_none())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_host_is_in_one_branch() {
        assert_eq!(split(&[1, 2, 3], 16), [[1], [2], [3]]);
        assert_eq!(split(&[1, 2, 3], 1), [[1, 2, 3]]);
        assert_eq!(split(&[4, 5, 6, 7, 8], 2), [vec![4, 5], vec![6, 7, 8]]);
        assert_eq!(split(&[], 2), Vec::<Vec<usize>>::new());
    }
}
