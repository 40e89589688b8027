// SPDX-License-Identifier: BSD-3-Clause
//! What stands before and after the user's text.

use super::counts::{COUNTS, SAMPLES};
use super::text::listed;
use super::EmitOptions;
use crate::marker::c_string;

const UPCR: &str = include_str!("../../../runtime/include/furlong/upcr.h");
const UPCR_CHECK: &str = include_str!("../../../runtime/include/furlong/upcr_check.h");
const UPCR_LOOPS: &str = include_str!("../../../runtime/include/furlong/upcr_loops.h");
const UPCR_COUNTS: &str = include_str!("../../../runtime/include/furlong/upcr_counts.h");

/// The version of the ABI, which objects of one program must share.
pub fn abi_version() -> &'static str {
    let rest = UPCR.split_once("UPCR_ABI = ").map_or("", |(_, rest)| rest);
    rest.split(' ').next().unwrap_or(rest)
}

/// The largest THREADS that the runtime can start.
pub fn max_threads() -> u32 {
    let digits = UPCR.split_once("UPCR_MAX_THREADS = ").map_or("", |(_, rest)| rest);
    digits.split(|c: char| !c.is_ascii_digit()).next().unwrap_or("").parse().unwrap_or(1)
}

/// The emitter ABI as already preprocessed text. `inline` is no keyword under `-std=c90`.
pub(super) fn head(options: &EmitOptions, n_counts: u32, n_samples: u32) -> String {
    let mut out = String::from("# 1 \"furlong/upcr.h\" 3\n");
    out += &format!("enum {{ UPCR_STATIC_THREADS = {} }};\n", options.threads.unwrap_or(0));
    out += &format!("enum {{ UPCR_NETWORK = {} }};\n", u8::from(options.network));
    let debug = options.debug && !options.optimise || options.check;
    out += &format!("enum {{ UPCR_DEBUG = {} }};\n", u8::from(debug));
    out += &format!("enum {{ UPCR_INST = {} }};\n", options.inst as u8);
    out += &format!("enum {{ UPCR_CHECK = {} }};\n", u8::from(options.check));
    out += &format!("enum {{ UPCR_PTHREADS = {} }};\n", u8::from(!options.nopthreads));
    let lines = [UPCR_CHECK, UPCR, UPCR_LOOPS, UPCR_COUNTS].into_iter().flat_map(str::lines);
    for line in lines.filter(|line| !line.starts_with('#')) {
        out += &line.replace("static inline", "static __inline__");
        out.push('\n');
    }
    if n_counts > 0 {
        out += &format!("static __thread unsigned long *{COUNTS}[{n_counts}];\n");
    }
    if n_samples > 0 {
        out += &format!("static __thread struct upcr_sample {SAMPLES}[{n_samples}];\n");
    }
    out
}

/// Defines the cells whose directives are `body`.
pub(super) fn cells(body: &str) -> String {
    if body.is_empty() {
        return String::new();
    }
    format!(
        "__asm__(\".pushsection .data.upcr_cells,\\\"aw\\\"\\n\\t.balign 8\\n\"\n{body}\
         \"\\t.popsection\");\n"
    )
}

/// `needs_thread`: the unit has thread-local objects, or uses MYTHREAD.
pub(super) fn unit(options: &EmitOptions, needs_thread: bool) -> String {
    let privates = match (options.nopthreads, needs_thread) {
        (true, true) => "UPCR_OF_PROCESS",
        (true, false) => "UPCR_ONLY_CODE",
        (false, true) => "UPCR_OF_THREADS",
        (false, false) => "UPCR_NO_PRIVATES",
    };
    format!(
        "static struct upcr_unit upcr_unit_here {} =\n    {{UPCR_ABI, UPCR_STATIC_THREADS, {}, UPCR_NETWORK, {privates}, {}}};\n",
        listed("upcr_units"),
        u8::from(options.debug),
        c_string(&options.file)
    )
}

#[cfg(test)]
mod tests {
    #[test]
    fn the_runtime_has_as_many_threads_as_layouts_allow_for() {
        assert_eq!(u64::from(super::max_threads()), crate::sema::types::MAX_THREADS);
    }
}
