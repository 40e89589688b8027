// SPDX-License-Identifier: BSD-3-Clause
//! What stands before each line of a process's output: when it came (-timestamp-output), and whose
//! it is (-tag).

use super::plan::Plan;
use std::borrow::Cow;
use std::ffi::CStr;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

pub struct Labels {
    stamp: bool,
    /// Of each process; empty without -tag.
    tags: Vec<String>,
    /// Whether the next byte of a stream stands within a line: stdout and stderr of each process.
    within_line: Vec<bool>,
}

impl Labels {
    pub fn new(plan: &Plan) -> Labels {
        let tag = |process: usize| match plan.tag {
            true => format!("[{}:{process}] ", plan.hosts[plan.processes[process].host].name),
            false => String::new(),
        };
        let processes = plan.processes.len();
        Labels {
            stamp: plan.stamp,
            tags: (0..processes).map(tag).collect(),
            within_line: vec![false; 2 * processes],
        }
    }

    /// The bytes of a stream, which come `now`, with labels where lines begin.
    pub fn add<'a>(&mut self, stream: usize, bytes: &'a [u8], now: SystemTime) -> Cow<'a, [u8]> {
        let tag = &self.tags[stream / 2];
        if tag.is_empty() && !self.stamp {
            return Cow::Borrowed(bytes);
        }
        let label = match self.stamp {
            true => format!("{} {tag}", time_of_day(now)),
            false => tag.clone(),
        };
        let within_line = &mut self.within_line[stream];
        let mut out = Vec::with_capacity(2 * bytes.len());
        for line in bytes.split_inclusive(|b| *b == b'\n') {
            if !*within_line {
                out.extend_from_slice(label.as_bytes());
            }
            out.extend_from_slice(line);
            *within_line = line.last() != Some(&b'\n');
        }
        Cow::Owned(out)
    }
}

/// `2026-11-24 13:05:09.042`, by this machine's clock and zone.
fn time_of_day(now: SystemTime) -> String {
    let since = now.duration_since(UNIX_EPOCH).unwrap_or(Duration::ZERO);
    let seconds = since.as_secs() as libc::time_t;
    let mut text = [0; 32];
    // SAFETY: all pointers are to objects that live through the calls; strftime writes at most as
    // many bytes as it is told, with a 0 at the end, or nothing into what is all zeros.
    let text = unsafe {
        let mut parts: libc::tm = std::mem::zeroed();
        libc::localtime_r(&seconds, &mut parts);
        let format = c"%Y-%m-%d %H:%M:%S".as_ptr();
        libc::strftime(text.as_mut_ptr(), text.len(), format, &parts);
        CStr::from_ptr(text.as_ptr())
    };
    format!("{}.{:03}", text.to_string_lossy(), since.subsec_millis())
}

#[cfg(test)]
mod tests {
    use super::super::plan::{Host, Process};
    use super::*;

    fn labels(tag: bool, stamp: bool) -> Labels {
        let process = |first| Process { host: 0, first, count: 1 };
        Labels::new(&Plan {
            tag,
            stamp,
            hosts: vec![Host { name: "a".into(), first: 0, count: 2 }],
            processes: vec![process(0), process(1)],
            ..Plan::default()
        })
    }

    #[test]
    fn lines_have_tags_where_they_begin() {
        let mut labels = labels(true, false);
        assert_eq!(&*labels.add(2, b"one\ntw", UNIX_EPOCH), b"[a:1] one\n[a:1] tw");
        assert_eq!(&*labels.add(3, b"err\n", UNIX_EPOCH), b"[a:1] err\n");
        assert_eq!(&*labels.add(2, b"o\n", UNIX_EPOCH), b"o\n");
    }

    #[test]
    fn a_stamp_is_the_time_at_which_the_line_begins() {
        let mut labels = labels(true, true);
        let at = UNIX_EPOCH + Duration::from_millis(1_000_042);
        let line = labels.add(0, b"one\n", at).into_owned();
        let line = String::from_utf8(line).unwrap();
        assert_eq!(line.len(), "1970-01-01 00:16:40.042 [a:0] one\n".len());
        assert!(line.ends_with(":40.042 [a:0] one\n"), "{line}");
    }
}
