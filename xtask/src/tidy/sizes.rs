// SPDX-License-Identifier: BSD-3-Clause
//! Size budgets: a file of at most 800 lines, a function of at most 80. What is longer on purpose
//! stands in `xtask/tidy.toml` with its reason. The width of lines is the formatters' business.

use super::{exceptions, Source};

const FILE_LINES: usize = 800;
const FUNCTION_LINES: usize = 80;

pub fn within_budget(sources: &[Source]) -> Vec<String> {
    let (long_files, long_functions) = (exceptions("files"), exceptions("functions"));
    let mut problems = Vec::new();
    for source in sources.iter().filter(|s| matches!(s.extension(), "rs" | "c" | "h")) {
        if source.path.starts_with("tests/") || source.path.starts_with("bench/") {
            continue;
        }
        let lines = source.text.lines().count();
        if lines > FILE_LINES && !long_files.iter().any(|(path, _)| *path == source.path) {
            problems.push(format!("{}: {lines} lines, more than {FILE_LINES}", source.path));
        }
        for (name, line, lines) in functions(source) {
            let excepted = format!("{}:{name}", source.path);
            if lines > FUNCTION_LINES && !long_functions.iter().any(|(f, _)| *f == excepted) {
                problems.push(format!("{}:{line}: `{name}` has {lines} lines", source.path));
            }
        }
    }
    problems
}

/// Name, first line and length of each function. Formatted sources close a function at the
/// indentation at which it began, so no parser is needed.
fn functions(source: &Source) -> Vec<(String, usize, usize)> {
    let lines: Vec<&str> = source.text.lines().collect();
    let mut found = Vec::new();
    for (index, line) in lines.iter().enumerate() {
        let name = match source.extension() {
            "rs" => rust_function(line),
            _ => c_function(line, lines.get(index + 1).copied().unwrap_or("")),
        };
        let Some(name) = name else { continue };
        let indent = &line[..line.len() - line.trim_start().len()];
        let closes = |l: &&str| l.strip_prefix(indent).is_some_and(|rest| rest.starts_with('}'));
        let Some(length) = lines[index..].iter().position(closes) else { continue };
        found.push((name, index + 1, length + 1));
    }
    found
}

fn rust_function(line: &str) -> Option<String> {
    let code = line.trim_start();
    let words = ["pub ", "pub(crate) ", "pub(super) ", "const ", "unsafe ", "extern \"C\" "];
    let code = words.iter().fold(code, |code, word| code.strip_prefix(word).unwrap_or(code));
    let rest = code.strip_prefix("fn ")?;
    let one_line = line.trim_end().ends_with(['}', ';']);
    let name: String = rest.chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect();
    (!one_line).then_some(name)
}

/// `type name(parameters) {` at the left margin, the brace perhaps on the next line.
fn c_function(line: &str, next: &str) -> Option<String> {
    let opens = line.ends_with(") {") || (line.ends_with(')') && next == "{");
    if !opens || !line.starts_with(|c: char| c.is_alphabetic() || c == '_') {
        return None;
    }
    let before = line.split('(').next()?;
    let name: String =
        before.chars().rev().take_while(|c| c.is_alphanumeric() || *c == '_').collect();
    (!name.is_empty() && !before.starts_with("typedef")).then(|| name.chars().rev().collect())
}
