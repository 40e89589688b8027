// SPDX-License-Identifier: BSD-3-Clause
//! The tables in bench/README.md.

use crate::config::Config;

/// Writes `text` between the two marks of `what`. A filtered run replaces its own rows, which are
/// those with the same first `keys` cells under the same title, and keeps the others.
pub fn put(config: &Config, what: &str, keys: usize, text: &str) -> Result<(), String> {
    let file = config.root.join("bench/README.md");
    let (begin, end) = (format!("<!-- {what}: begin -->"), format!("<!-- {what}: end -->"));
    let said = |problem: String| format!("bench/README.md: {problem}");
    let page = std::fs::read_to_string(&file).map_err(|e| said(e.to_string()))?;
    let parts =
        page.split_once(&begin).and_then(|(head, rest)| Some((head, rest.split_once(&end)?)));
    let (head, (old, tail)) = parts.ok_or(said(format!("`{begin}` or `{end}` is missing")))?;
    let text = match config.filters.is_empty() {
        true => text.trim().to_string(),
        false => merged(old.trim(), text.trim(), keys),
    };
    std::fs::write(&file, format!("{head}{begin}\n\n{text}\n\n{end}{tail}"))
        .map_err(|e| said(e.to_string()))
}

/// `old` with the lines of `new` in their places, those that had none behind the line that `new`
/// has before them.
fn merged(old: &str, new: &str, keys: usize) -> String {
    let mut lines = placed(old, keys);
    let mut next = 0;
    for (place, line) in placed(new, keys) {
        next = match lines.iter().position(|(p, _)| *p == place) {
            Some(at) => {
                lines[at].1 = line;
                at + 1
            }
            None => {
                lines.insert(next, (place, line));
                next + 1
            }
        };
    }
    lines.iter().map(|(_, line)| *line).collect::<Vec<_>>().join("\n")
}

/// The lines, each with what stands for its place: the title above it, and the first cells of a
/// row, or how many empty lines there are before it.
fn placed(text: &str, keys: usize) -> Vec<((&str, String), &str)> {
    let (mut title, mut empty) = ("", 0);
    let place = |line| {
        let own = if str::starts_with(line, '|') {
            line.split('|').take(keys + 1).map(str::trim).collect::<Vec<_>>().join("|")
        } else if line.is_empty() {
            empty += 1;
            empty.to_string()
        } else {
            (title, empty) = (line, 0);
            String::new()
        };
        ((title, own), line)
    };
    text.lines().map(place).collect()
}

#[cfg(test)]
mod tests {
    use super::merged;

    #[test]
    fn a_filtered_run_replaces_its_own_rows() {
        let old =
            "Data\n\n| a | b |\n|---|---|\n| x | 1 |\n| y | 2 |\n\nTime\n\n| a | b |\n| y | 3 |";
        let new =
            "Data\n\n| a | b |\n|---|---|\n| y | 7 |\n| z | 8 |\n\nTime\n\n| a | b |\n| y | 9 |";
        let both = "Data\n\n| a | b |\n|---|---|\n| x | 1 |\n| y | 7 |\n| z | 8 |\n\nTime\n\n\
                    | a | b |\n| y | 9 |";
        assert_eq!(merged(old, new, 1), both);
        assert_eq!(merged("", new, 1), new);
        assert_eq!(merged(old, old, 1), old);
    }
}
