// SPDX-License-Identifier: BSD-3-Clause
//! Which options of upcrun stand for which settings of the runtime (runtime/core/params.def).

use super::table::{Id, TABLE};
use crate::launch::conduct::Way;
use crate::launch::others;
use crate::launch::places::Place;
use crate::options;

const EQUIVALENTS: [(Id, &str); 9] = [
    (Id::Threads, "UPC_THREADS"),
    (Id::Pthreads, "UPC_PTHREADS_PER_PROC"),
    (Id::Heap, "UPC_SHARED_HEAP_SIZE"),
    (Id::Place(Place::Transport), "FURLONG_TRANSPORT"),
    (Id::Place(Place::Interface), "FURLONG_INTERFACE"),
    (Id::Place(Place::VirtualHosts), "FURLONG_VIRTUAL_HOSTS"),
    (Id::Conduct(Way::Quiet), "UPC_QUIET"),
    (Id::Conduct(Way::Polite), "UPC_POLITE_SYNC"),
    (Id::Conduct(Way::Backtrace), "UPC_BACKTRACE"),
];

/// Variable, value and option of each setting that the words of a command line make.
pub fn settings(words: &[String]) -> Result<Vec<(&'static str, String, String)>, String> {
    let mut settings = Vec::new();
    options::each(TABLE, others::advice, words, |id, value, written| {
        if let Some((_, variable)) = EQUIVALENTS.iter().find(|(known, _)| *known == id) {
            let value = if value.is_empty() { "1".to_string() } else { value };
            let option = written.split('=').next().unwrap_or(written).to_string();
            settings.push((*variable, value, option));
        }
        Ok(())
    })?;
    Ok(settings)
}
