// SPDX-License-Identifier: BSD-3-Clause
//! Text of a program with parts of it replaced, which is then understood as if the user had written it.

use crate::span::Span;

#[derive(Debug)]
pub struct Rewritten {
    pub text: String,
    /// The place of each replaced part in the source, and of its replacement in `text`.
    moves: Vec<(Span, Span)>,
    /// Remarks for the user, at places of the source.
    pub remarks: Vec<(u32, String)>,
}

impl Rewritten {
    /// `edits` must not overlap.
    pub fn new(source: &str, mut edits: Vec<(Span, String)>) -> Rewritten {
        edits.sort_by_key(|(span, _)| span.lo);
        let (mut text, mut moves, mut at) = (String::new(), Vec::new(), 0);
        for (span, new) in edits {
            text += Span::new(at, span.lo).text(source);
            let start = text.len() as u32;
            text += &new;
            // What follows keeps its line.
            text.extend(span.text(source).matches('\n'));
            moves.push((span, Span::new(start, text.len() as u32)));
            at = span.hi;
        }
        text += &source[at as usize..];
        Rewritten { text, moves, remarks: Vec::new() }
    }

    /// The place in the source of what is at `offset`.
    pub fn original(&self, offset: u32) -> u32 {
        let next = self.moves.partition_point(|(_, new)| new.lo <= offset);
        match next.checked_sub(1).map(|last| self.moves[last]) {
            None => offset,
            Some((old, new)) if offset < new.hi => old.lo,
            Some((old, new)) => offset - new.hi + old.hi,
        }
    }
}

/// `span` of `source` on one line, with `edits` made in it.
pub fn on_one_line(source: &str, span: Span, mut edits: Vec<(Span, String)>) -> String {
    let (mut out, mut at) = (String::new(), span.lo);
    edits.sort_by_key(|(span, _)| span.lo);
    for (span, new) in edits {
        out += Span::new(at, span.lo).text(source);
        out += &new;
        at = span.hi;
    }
    out += Span::new(at, span.hi).text(source);
    out.replace('\n', " ")
}

#[cfg(test)]
mod tests {
    use super::Rewritten;
    use crate::span::Span;

    /// Places behind a replacement are found, with their lines.
    #[test]
    fn places_are_those_of_the_source() {
        let source = "a get(1,\n 2) b c";
        let edits = vec![(Span::new(13, 14), "longer".into()), (Span::new(2, 12), "x".into())];
        let rewritten = Rewritten::new(source, edits);
        assert_eq!(rewritten.text, "a x\n longer c");
        let places: Vec<_> = [0, 2, 3, 5, 9, 12].map(|at| rewritten.original(at)).into();
        assert_eq!(places, [0, 2, 2, 13, 13, 15]);
    }
}
