// SPDX-License-Identifier: BSD-3-Clause
//! Stand-ins for long texts of expressions.
//!
//! The text of an expression contains that of its operands, so a chain of a thousand accesses that
//! nest would be copied a thousand times. A name stands for a long text until the whole expression
//! is done: each level copies a name, and [`Folds::unfold`] every text once. To everything that
//! looks at texts the name is a primary expression, and so is what it stands for.

use super::text::primary;

/// Shorter texts are copied faster than named.
const MIN_BYTES: usize = 4 << 10;
const PREFIX: &str = "upcr_folded_";

#[derive(Debug, Default)]
pub(super) struct Folds {
    texts: Vec<String>,
}

impl Folds {
    /// `text`, or a name for it.
    pub(super) fn fold(&mut self, text: String) -> String {
        if text.len() < MIN_BYTES {
            return text;
        }
        self.texts.push(primary(text));
        format!("{PREFIX}{}_", self.texts.len() - 1)
    }

    /// `text` with what its names stand for.
    pub(super) fn unfold(&self, text: String) -> String {
        if self.texts.is_empty() || !text.contains(PREFIX) {
            return text;
        }
        let mut out = String::with_capacity(2 * text.len());
        // Names nest as deep as expressions do: what is left of each text, the innermost last.
        let mut rests = vec![text.as_str()];
        while let Some(rest) = rests.pop() {
            let Some((before, named)) = rest.split_once(PREFIX) else {
                out += rest;
                continue;
            };
            out += before;
            let (number, after) = named.split_once('_').unwrap_or((named, ""));
            rests.push(after);
            match number.parse().ok().and_then(|n: usize| self.texts.get(n)) {
                Some(text) => rests.push(text),
                // Of the user's making.
                None => out.extend([PREFIX, number, "_"]),
            }
        }
        out
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_texts_are_named_and_come_back() {
        let mut folds = Folds::default();
        let long = format!("f({})", "x".repeat(MIN_BYTES));
        let inner = folds.fold(long.clone());
        assert!(inner.len() < 30);
        let outer = folds.fold(format!("g({inner}, {})", "y".repeat(MIN_BYTES)));
        let text = folds.unfold(format!("({outer} + {inner})"));
        let expected = format!("((g(({long}), {})) + ({long}))", "y".repeat(MIN_BYTES));
        assert_eq!(text, expected);
        assert_eq!(folds.unfold("upcr_folded_x_ + 1".into()), "upcr_folded_x_ + 1");
        assert_eq!(folds.fold("short".into()), "short");
    }
}
