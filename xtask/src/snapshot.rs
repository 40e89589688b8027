// SPDX-License-Identifier: BSD-3-Clause
//! Compares text with text, and shows where they part.

use crate::config::Config;
pub use furlong_measure::launch::shorten;
use similar::{ChangeTag, TextDiff};
use std::path::Path;

/// Compares with a committed file; rewrites the file under `--bless`.
pub fn compare_file(config: &Config, file: &Path, actual: &str) -> Result<(), String> {
    let expected = std::fs::read_to_string(file).unwrap_or_default();
    if expected == actual {
        return Ok(());
    }
    if config.bless {
        let written = match actual.is_empty() {
            true => std::fs::remove_file(file),
            false => std::fs::write(file, actual),
        };
        return written.map_err(|e| format!("{}: {e}", config.shown(file)));
    }
    let name = config.shown(file);
    Err(format!(
        "{name} is not what came out (cargo xtask bless rewrites it):\n{}",
        diff(&expected, actual)
    ))
}

/// The lines that differ, `-` expected and `+` actual, with two lines around them.
pub fn diff(expected: &str, actual: &str) -> String {
    let diff = TextDiff::from_lines(expected, actual);
    let mut text = String::from("(- expected, + actual)\n");
    for (index, group) in diff.grouped_ops(2).iter().enumerate() {
        if index > 0 {
            text.push_str("  ...\n");
        }
        for change in group.iter().flat_map(|op| diff.iter_changes(op)) {
            let sign = match change.tag() {
                ChangeTag::Delete => '-',
                ChangeTag::Insert => '+',
                ChangeTag::Equal => ' ',
            };
            text.push_str(&format!("  {sign}{}\n", change.value().trim_end_matches('\n')));
        }
    }
    shorten(&text, 60)
}
