// SPDX-License-Identifier: BSD-3-Clause
//! What a thread spends its time with, other than computing.

use super::recording::Site;
use serde::Serialize;

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Kind {
    Barrier,
    Lock,
    Transfer,
    Collective,
    /// Semaphores and other waits for one thread; in OpenMP, for the next region.
    Signal,
    Memory,
    /// OpenMP: holds other events.
    Region,
}

/// Those that take a thread's time; in the order of the page's colours.
pub const WAITS: [Kind; 6] =
    [Kind::Barrier, Kind::Lock, Kind::Transfer, Kind::Collective, Kind::Signal, Kind::Memory];

impl Kind {
    pub fn of(site: &Site) -> Kind {
        match site.what.as_str() {
            "barrier" | "notify" => Kind::Barrier,
            "idle" => Kind::Signal,
            "wait" if site.call.is_empty() => Kind::Barrier,
            "wait" if site.call.starts_with("upc_sync") => Kind::Transfer,
            "wait" => Kind::Signal,
            "lock" | "critical" | "ordered" => Kind::Lock,
            "collective" => Kind::Collective,
            "allocate" | "free" => Kind::Memory,
            "region" | "task" => Kind::Region,
            _ => Kind::Transfer,
        }
    }

    pub fn name(self) -> &'static str {
        match self {
            Kind::Barrier => "barrier",
            Kind::Lock => "lock",
            Kind::Transfer => "transfer",
            Kind::Collective => "collective",
            Kind::Signal => "signal",
            Kind::Memory => "memory",
            Kind::Region => "region",
        }
    }

    /// Its place in [`WAITS`].
    pub fn index(self) -> Option<usize> {
        WAITS.iter().position(|kind| *kind == self)
    }
}
