// SPDX-License-Identifier: BSD-3-Clause
//! Which room may know which: dependencies run one way, and only the outermost rooms touch files,
//! processes and the environment. ARCHITECTURE.md draws the arrows that are enforced here.

use super::Source;

/// Lower rooms first; a room may use those before it. Rooms of equal rank do not see each other.
const COMPILER: &[(&str, u32)] = &[
    ("span", 0),
    ("diag", 1),
    ("syntax", 2),
    ("sema", 3),
    ("explain", 4),
    ("opt", 4),
    ("emit", 5),
];
const RUNTIME: &[(&str, u32)] = &[
    ("platform", 0),
    ("core", 1),
    ("space", 2),
    ("net", 2),
    ("omp", 2),
    ("job", 3),
    ("am", 3),
    ("comm", 4),
    ("sync", 5),
    ("coll", 6),
    ("dsm", 6),
    ("io", 6),
    ("upc", 7),
    ("library", 8),
    ("libc", 8),
    ("gas", 8),
    ("gasnet", 9),
    ("shmem", 9),
    ("tmk", 8),
    ("spread", 8),
    ("check", 9),
];

/// `use crate::room` in `compiler/src/room`; tests may reach further, to make their inputs.
pub fn compiler(sources: &[Source]) -> Vec<String> {
    let of = |path: &str| {
        let rest = path.strip_prefix("compiler/src/")?;
        (!rest.contains("tests")).then_some(rest.split(['/', '.']).next()?.to_string())
    };
    check(sources, COMPILER, of, |line| {
        let at = line.find("crate::")?;
        let name = line[at + 7..].split(|c: char| !c.is_alphanumeric() && c != '_').next()?;
        Some(name.to_string())
    })
}

/// `#include "room/file.h"` or `"../room/file.h"` in `runtime/room`.
pub fn runtime(sources: &[Source]) -> Vec<String> {
    let of = |path: &str| {
        let rest = path.strip_prefix("runtime/")?;
        (!path.ends_with("_test.c")).then_some(rest.split('/').next()?.to_string())
    };
    check(sources, RUNTIME, of, |line| {
        let file = line.trim_start().strip_prefix("#include \"")?.split('"').next()?;
        let (room, _) = file.trim_start_matches("../").rsplit_once('/')?;
        Some(room.split('/').next()?.to_string())
    })
}

fn check(
    sources: &[Source],
    rooms: &[(&str, u32)],
    room_of: impl Fn(&str) -> Option<String>,
    used_in: impl Fn(&str) -> Option<String>,
) -> Vec<String> {
    let rank = |room: &str| rooms.iter().find(|(name, _)| *name == room).map(|(_, rank)| *rank);
    let mut problems = Vec::new();
    for source in sources {
        let Some(room) = room_of(&source.path) else { continue };
        let Some(own) = rank(&room) else { continue };
        for (number, line) in source.lines().filter(|(_, l)| !l.trim_start().starts_with("//")) {
            let Some(used) = used_in(line) else { continue };
            if used != room && rank(&used).is_some_and(|other| other >= own) {
                problems.push(format!("{}:{number}: {room} must not know {used}", source.path));
            }
        }
    }
    problems
}

/// The compiler is a pure library: bytes in, values out.
pub fn purity(sources: &[Source]) -> Vec<String> {
    const IMPURE: [&str; 6] =
        ["std::fs", "std::process", "std::env", "std::net", "std::time", "std::thread"];
    let pure = sources.iter().filter(|s| {
        let is_pure = ["compiler/src/", "language/src/"].iter().any(|f| s.path.starts_with(f));
        is_pure && s.path.ends_with(".rs") && !s.path.contains("test")
    });
    let mut problems = Vec::new();
    for source in pure {
        for (number, line) in source.lines().filter(|(_, l)| !l.trim_start().starts_with("//")) {
            if let Some(what) = IMPURE.iter().find(|what| line.contains(**what)) {
                problems.push(format!("{}:{number}: {what} belongs in tools/", source.path));
            }
        }
    }
    problems
}

/// Settings arrive through the one list, `runtime/core/params.def`. The public headers only declare;
/// what GASNet's interface has of the name asks core/params.
pub fn getenv(sources: &[Source]) -> Vec<String> {
    let excused = ["runtime/core/params", "runtime/include/"];
    let mut problems = Vec::new();
    for source in sources.iter().filter(|s| s.path.starts_with("runtime/")) {
        let path = &source.path;
        if excused.iter().any(|folder| path.starts_with(folder)) || path.ends_with("_test.c") {
            continue;
        }
        let asks = |line: &str| {
            let other = line.replace("gasnet_getenv(", "").replace("gasnett_getenv(", "");
            other.contains("getenv(")
        };
        for (number, line) in source.lines().filter(|(_, l)| asks(l)) {
            if !line.trim_start().starts_with(['/', '*']) {
                problems.push(format!("{}:{number}: getenv belongs in core/params", source.path));
            }
        }
    }
    problems
}
