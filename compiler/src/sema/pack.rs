// SPDX-License-Identifier: BSD-3-Clause
//! `#pragma pack`: the greatest alignment of members, from there on (GNU C, after Microsoft).

/// The pragmas of a text, in order: where each stands, and what holds after it.
#[derive(Debug, Default)]
pub(super) struct Packs(Vec<(u32, Option<u64>)>);

impl Packs {
    pub(super) fn find(text: &str) -> Packs {
        let mut packs = Packs::default();
        let mut stack = Vec::new();
        let mut current = None;
        for (at, word) in text.match_indices("#pragma pack") {
            let rest = &text[at + word.len()..];
            let line = rest.lines().next().unwrap_or("");
            let Some((args, _)) =
                line.trim_start().strip_prefix('(').and_then(|s| s.split_once(')'))
            else {
                continue;
            };
            let args: Vec<&str> =
                args.split(',').map(str::trim).filter(|s| !s.is_empty()).collect();
            if args.first() == Some(&"push") {
                stack.push(current);
            }
            current = match args[..] {
                ["pop"] => stack.pop().flatten(),
                [] => None,
                ["push"] => current,
                [.., last] => match last.parse::<u64>() {
                    Ok(n) if n.is_power_of_two() => Some(n),
                    Ok(0) => None,
                    _ => current,
                },
            };
            packs.0.push((at as u32, current));
        }
        packs
    }

    /// The limit that holds at byte `at`.
    pub(super) fn at(&self, at: u32) -> Option<u64> {
        let n = self.0.partition_point(|&(start, _)| start < at);
        self.0.get(n.checked_sub(1)?)?.1
    }
}
