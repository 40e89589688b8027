// SPDX-License-Identifier: BSD-3-Clause
//! Merges what many processes print into one text of whole lines. Pure: bytes and instants in,
//! bytes out.
//!
//! At any time at most one source has an unfinished line at the end of the text, its *owner*.
//! Others wait for it, but not for ever: then their lines start on a new one.

use std::time::{Duration, Instant};

/// Silence after which an unfinished line (a prompt, say) is shown as it is.
pub const SILENCE: Duration = Duration::from_millis(100);
/// How long an unfinished line keeps the lines of other sources back.
pub const PATIENCE: Duration = Duration::from_secs(2);
/// A source that holds more than this must wait before more is read from it.
const MOST_HELD: usize = 1 << 20;

#[derive(Clone)]
struct Source {
    held: Vec<u8>,
    since: Option<Instant>,
}

pub struct Merger {
    sources: Vec<Source>,
    owner: Option<usize>,
    /// When the owner last added to its line.
    owned_since: Instant,
    /// The owner has ended without ending its line.
    owner_gone: bool,
    pub out: Vec<u8>,
}

impl Merger {
    pub fn new(sources: usize, now: Instant) -> Merger {
        Merger {
            sources: vec![Source { held: Vec::new(), since: None }; sources],
            owner: None,
            owned_since: now,
            owner_gone: false,
            out: Vec::new(),
        }
    }

    /// Takes `bytes` from a source.
    pub fn take(&mut self, source: usize, bytes: &[u8], now: Instant) {
        let held = &mut self.sources[source].held;
        match bytes.iter().rposition(|b| *b == b'\n') {
            Some(last) if self.owner.is_none_or(|owner| owner == source) => {
                self.out.append(held);
                self.out.extend_from_slice(&bytes[..=last]);
                held.extend_from_slice(&bytes[last + 1..]);
                let had_owner = self.owner.take().is_some();
                self.owner_gone = false;
                if had_owner {
                    self.release();
                }
            }
            _ => held.extend_from_slice(bytes),
        }
        let source = &mut self.sources[source];
        source.since = (!source.held.is_empty()).then_some(now);
        self.give_way(now);
    }

    /// No more will come from a source.
    pub fn end(&mut self, source: usize, now: Instant) {
        if self.owner.is_none() && !self.sources[source].held.is_empty() {
            self.show(source, now);
        }
        if self.owner == Some(source) {
            self.out.append(&mut self.sources[source].held);
            self.owner_gone = true;
        }
        self.give_way(now);
    }

    /// Ends an unfinished line at the end of the text, for a line from elsewhere.
    pub fn interrupt(&mut self) {
        if self.owner.is_some() {
            self.break_line();
        }
    }

    /// Whether more may be read from a source.
    pub fn has_room(&self, source: usize) -> bool {
        self.sources[source].held.len() < MOST_HELD
    }

    /// When [`Merger::tick`] has something to do.
    pub fn deadline(&self) -> Option<Instant> {
        match self.owner {
            Some(_) if self.others_wait() => Some(self.owned_since + PATIENCE),
            Some(owner) => self.sources[owner].since.map(|since| since + SILENCE),
            None => self.sources.iter().filter_map(|s| s.since).min().map(|since| since + SILENCE),
        }
    }

    /// Shows unfinished lines that have been silent, and ends those that others waited for.
    pub fn tick(&mut self, now: Instant) {
        if self.owner.is_some() && self.others_wait() && now >= self.owned_since + PATIENCE {
            self.break_line();
        }
        let silent = |source: &Source| source.since.is_some_and(|since| now >= since + SILENCE);
        let candidate = match self.owner {
            Some(owner) => silent(&self.sources[owner]).then_some(owner),
            None => self.sources.iter().position(silent),
        };
        if let Some(source) = candidate {
            self.show(source, now);
        }
    }

    /// Writes everything that is held, when nothing more can come.
    pub fn finish(&mut self) {
        for source in 0..self.sources.len() {
            if self.sources[source].held.is_empty() {
                continue;
            }
            if self.owner.is_some_and(|owner| owner != source) {
                self.out.push(b'\n');
            }
            self.out.append(&mut self.sources[source].held);
            self.owner = (self.out.last() != Some(&b'\n')).then_some(source);
        }
    }

    /// Makes `source` the owner and shows its unfinished line.
    fn show(&mut self, source: usize, now: Instant) {
        self.out.append(&mut self.sources[source].held);
        self.sources[source].since = None;
        self.owner = Some(source);
        self.owner_gone = false;
        self.owned_since = now;
    }

    fn others_wait(&self) -> bool {
        self.sources.iter().enumerate().any(|(i, s)| Some(i) != self.owner && has_line(&s.held))
    }

    /// Ends the line of an owner that is gone or whose line has no end, if others wait.
    fn give_way(&mut self, now: Instant) {
        if self.owner_gone && self.others_wait() {
            self.break_line();
        }
        let full = |s: &Source| s.held.len() >= MOST_HELD;
        if self.owner.is_none() {
            if let Some(source) = self.sources.iter().position(full) {
                self.show(source, now);
            }
        } else if self.owner.is_some_and(|owner| full(&self.sources[owner])) {
            let owner = self.owner.unwrap_or(0);
            self.show(owner, now);
        }
    }

    fn break_line(&mut self) {
        self.out.push(b'\n');
        self.owner = None;
        self.owner_gone = false;
        self.release();
    }

    /// Writes the whole lines that waited for the owner.
    fn release(&mut self) {
        for source in &mut self.sources {
            if let Some(last) = source.held.iter().rposition(|b| *b == b'\n') {
                self.out.extend(source.held.drain(..=last));
                if source.held.is_empty() {
                    source.since = None;
                }
            }
        }
    }
}

fn has_line(held: &[u8]) -> bool {
    held.contains(&b'\n')
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(merger: &mut Merger) -> String {
        String::from_utf8(std::mem::take(&mut merger.out)).unwrap()
    }

    #[test]
    fn lines_come_out_whole() {
        let now = Instant::now();
        let mut m = Merger::new(2, now);
        m.take(0, b"one ", now);
        m.take(1, b"two\nthr", now);
        m.take(0, b"line\n", now);
        m.take(1, b"ee\n", now);
        assert_eq!(text(&mut m), "two\none line\nthree\n");
        assert_eq!(m.deadline(), None);
    }

    #[test]
    fn a_prompt_is_shown_and_holds_the_others_back_until_it_ends() {
        let now = Instant::now();
        let mut m = Merger::new(2, now);
        m.take(0, b"n? ", now);
        let later = m.deadline().unwrap();
        assert_eq!(later, now + SILENCE);
        m.tick(later);
        assert_eq!(text(&mut m), "n? ");
        m.take(1, b"waits\n", later);
        assert_eq!(text(&mut m), "");
        m.take(0, b"4\n", later);
        assert_eq!(text(&mut m), "4\nwaits\n");
    }

    #[test]
    fn patience_ends() {
        let now = Instant::now();
        let mut m = Merger::new(2, now);
        m.take(0, b"n? ", now);
        m.tick(now + SILENCE);
        m.take(1, b"waits\n", now + SILENCE);
        let end = m.deadline().unwrap();
        assert_eq!(end, now + SILENCE + PATIENCE);
        m.tick(end);
        assert_eq!(text(&mut m), "n? \nwaits\n");
    }

    #[test]
    fn a_source_that_ends_within_a_line_lets_the_next_line_start_anew() {
        let now = Instant::now();
        let mut m = Merger::new(3, now);
        m.take(0, b"a", now);
        m.end(0, now);
        assert_eq!(text(&mut m), "a");
        m.take(1, b"b\n", now);
        m.take(2, b"c", now);
        m.end(2, now);
        m.finish();
        assert_eq!(text(&mut m), "\nb\nc");
    }

    #[test]
    fn an_endless_line_is_shown_in_parts() {
        let now = Instant::now();
        let mut m = Merger::new(2, now);
        m.take(0, &vec![b'x'; MOST_HELD], now);
        assert_eq!(m.out.len(), MOST_HELD);
        m.take(1, b"y\n", now);
        m.take(0, b"x\n", now);
        assert!(m.out.ends_with(b"xx\ny\n"));
    }

    #[test]
    fn nothing_is_lost_at_the_end() {
        let now = Instant::now();
        let mut m = Merger::new(3, now);
        m.take(0, b"a", now);
        m.tick(now + SILENCE);
        m.take(1, b"b\nc", now);
        m.take(2, b"d\n", now);
        m.finish();
        assert_eq!(text(&mut m), "a\nb\nc\nd\n");
    }
}
