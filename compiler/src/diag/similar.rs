// SPDX-License-Identifier: BSD-3-Clause
//! Names that may have been meant: those a slip of the finger or two away.

/// How many letters are to be changed, added, left out or exchanged with their neighbour to make
/// `b` of `a`; `None` if more than `most`.
pub fn distance(a: &str, b: &str, most: usize) -> Option<usize> {
    let (a, b) = (a.as_bytes(), b.as_bytes());
    if a.len().abs_diff(b.len()) > most {
        return None;
    }
    // Damerau and Levenshtein, with the last two rows.
    let mut before: Vec<usize> = Vec::new();
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for i in 1..=a.len() {
        let mut next = vec![i];
        for j in 1..=b.len() {
            let same = usize::from(a[i - 1] != b[j - 1]);
            let mut least = (row[j] + 1).min(next[j - 1] + 1).min(row[j - 1] + same);
            if i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] {
                least = least.min(before[j - 2] + 1);
            }
            next.push(least);
        }
        before = std::mem::replace(&mut row, next);
    }
    row.last().copied().filter(|&d| d <= most)
}

/// The one of `names` that is most like `name`, and how far it is from it. Short names have to be
/// nearer.
pub fn most_similar<'n>(
    name: &str,
    names: impl Iterator<Item = &'n str>,
) -> Option<(&'n str, usize)> {
    let most = match name.len() {
        0..=2 => return None,
        3..=5 => 1,
        _ => 2,
    };
    let found = names.filter(|other| *other != name).filter_map(|other| {
        let is_case = other.eq_ignore_ascii_case(name);
        Some((other, if is_case { 1 } else { distance(name, other, most)? }))
    });
    found.min_by_key(|&(_, d)| d)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slips_are_found() {
        for (name, other, d) in [
            ("totl", "total", 1),
            ("matix", "matrix", 1),
            ("MYTHREDA", "MYTHREAD", 1),
            ("mythread", "MYTHREAD", 1),
            ("vlaue", "value", 1),
        ] {
            let names = ["x", "something", other, "tool_long"];
            assert_eq!(most_similar(name, names.into_iter()), Some((other, d)));
        }
        for name in ["i", "ab", "abc", "completely", "value"] {
            assert_eq!(most_similar(name, ["x", "j", "value", "xyz"].into_iter()), None, "{name}");
        }
    }
}
