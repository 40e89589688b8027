// SPDX-License-Identifier: BSD-3-Clause
//! Why a process was killed for lack of memory: the kernel says so only in counters, which are read
//! before the job and after a death.

use crate::cgroup::{self, Memory};
use crate::text::bytes;

pub struct Before {
    groups: Vec<Memory>,
    of_machine: u64,
}

impl Before {
    pub fn now() -> Before {
        Before { groups: cgroup::memory(), of_machine: cgroup::kills_of_machine() }
    }

    /// What the kernel has killed for since then, if for anything.
    pub fn reason(&self) -> Option<String> {
        let groups = cgroup::memory();
        let kills = |groups: &[Memory]| groups.iter().map(|group| group.kills).sum::<u64>();
        if kills(&groups) > kills(&self.groups) {
            let limit = cgroup::narrowest(&groups).map(|(group, most)| {
                format!(": the control group {} allows {}", group.folder.display(), bytes(most))
            });
            return Some(format!(
                "because memory ran out{}; ask for more, or use less",
                limit.unwrap_or_default()
            ));
        }
        (cgroup::kills_of_machine() > self.of_machine).then(|| {
            "while the kernel was killing processes because the machine had no memory left (`dmesg` \
             names them)"
                .to_string()
        })
    }
}
