// SPDX-License-Identifier: BSD-3-Clause
//! Benchmarks say how long right results take: each program in bench/ checks its own, by
//! `bench_check` (bench/bench.h), itself or in a header that it shares with others of its kind.

use super::{exceptions, Source};

const CHECK: &str = "bench_check(";

pub fn checked(sources: &[Source]) -> Vec<String> {
    let excepted = exceptions("benchmarks-without-check");
    let is_excepted = |s: &Source| excepted.iter().any(|(path, _)| *path == s.path);
    let programs = sources.iter().filter(|s| is_program(s));
    let unchecked = programs.filter(|s| !checks(s, sources, 0) && !is_excepted(s));
    unchecked.map(|s| format!("{}: nothing calls `bench_check`", s.path)).collect()
}

fn is_program(source: &Source) -> bool {
    let compiled = matches!(source.extension(), "upc" | "c" | "cc" | "cpp" | "cu");
    compiled && source.path.starts_with("bench/") && source.text.contains(" main(")
}

/// Of headers, those of the folder and its parents, but not bench.h: that is where it is defined.
fn checks(source: &Source, sources: &[Source], depth: usize) -> bool {
    const DEEPEST: usize = 8;
    let folder = source.path.rsplit_once('/').map_or("", |(folder, _)| folder);
    let included = |name: &str| {
        let path = resolved(folder, name);
        sources.iter().find(|s| s.path == path && path != "bench/bench.h")
    };
    source.text.contains(CHECK)
        || depth < DEEPEST
            && quoted_includes(&source.text)
                .filter_map(included)
                .any(|header| checks(header, sources, depth + 1))
}

fn quoted_includes(text: &str) -> impl Iterator<Item = &str> {
    text.lines().filter_map(|line| line.strip_prefix("#include \"")?.split('"').next())
}

fn resolved(folder: &str, name: &str) -> String {
    let mut parts: Vec<&str> = folder.split('/').collect();
    for part in name.split('/') {
        match part {
            ".." => drop(parts.pop()),
            _ => parts.push(part),
        }
    }
    parts.join("/")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn problems(files: &[(&str, &str)]) -> Vec<String> {
        let source = |&(path, text): &(&str, &str)| Source { path: path.into(), text: text.into() };
        checked(&files.iter().map(source).collect::<Vec<_>>())
    }

    #[test]
    fn a_program_without_a_check_is_found() {
        let header = ("bench/bench.h", "void bench_check(int);");
        let program = ("bench/x.upc", "#include \"bench.h\"\nint main(void) { return 0; }");
        assert_eq!(problems(&[header, program]).len(), 1);
        let reference = ("bench/x_ref.c", "void x_ref(void) {}");
        assert!(problems(&[header, reference]).is_empty());
    }

    #[test]
    fn a_check_may_be_in_a_shared_header() {
        let header = ("bench/kinds/kind.h", "void all(void) { bench_check(1); }");
        let program = ("bench/kinds/a/x.c", "#include \"../kind.h\"\nint main(void) { all(); }");
        assert!(problems(&[header, program]).is_empty());
    }
}
