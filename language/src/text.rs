// SPDX-License-Identifier: BSD-3-Clause
//! The preprocessed text of a source, and which of its bytes are which of the source's.

use crate::cpp::{self, Answer, Chunk};
use crate::macros::{expand, Macro, Macros, Part, Use};
use crate::pieces::Piece;
use furlong_compiler::predefined;
use furlong_compiler::span::Span;
use std::rc::Rc;

#[derive(Debug, Default)]
pub struct Text {
    pub text: String,
    /// Ascending by `out`; what lies between them is of headers.
    parts: Vec<Part>,
    /// Those that are exact, ascending by `at`.
    exact: Vec<Part>,
    pub uses: Vec<Use>,
    /// Those defined at the end of the source.
    pub macros: Macros,
    /// All definitions, in order.
    pub definitions: Vec<Rc<Macro>>,
    /// The pieces of code that are active.
    pub active: Vec<usize>,
}

impl Text {
    /// `source`, which consists of `pieces`, by what the C compiler answered to its skeleton.
    pub fn new(path: &str, source: &str, pieces: &[Piece], answer: &Answer) -> Text {
        let mut text = Text::default();
        let name = cpp::escaped(path);
        for chunk in &answer.chunks {
            match chunk {
                Chunk::Text(header) => text.text += header,
                Chunk::Define(definition) => {
                    text.macros.insert(definition.name.clone(), definition.clone());
                    text.definitions.push(definition.clone());
                }
                Chunk::Undef(name) => drop(text.macros.remove(name.as_str())),
                Chunk::Code(n) => {
                    let Some(piece) = pieces.get(*n) else { continue };
                    text.active.push(*n);
                    let (from, to) = (piece.span.lo as usize, piece.span.hi as usize);
                    let line = source[..from].matches('\n').count() + 1;
                    text.text += &format!("# {line} \"{name}\"\n");
                    let Text { text: out, parts, uses, macros, .. } = &mut text;
                    expand(source, (from, to), macros, out, parts, uses);
                    if !out.ends_with('\n') {
                        out.push('\n');
                    }
                }
            }
        }
        text.declare_types();
        text.exact = text.parts.iter().copied().filter(|part| part.is_exact).collect();
        text.exact.sort_by_key(|part| (part.at, part.out));
        text
    }

    /// Types of the UPC library that are named before their header is included.
    fn declare_types(&mut self) {
        let declarations = predefined::declarations(&self.text);
        if declarations.is_empty() {
            return;
        }
        let at = self.text.find('\n').map_or(self.text.len(), |n| n + 1);
        self.text.insert_str(at, &declarations);
        let shift = declarations.len() as u32;
        self.parts.iter_mut().for_each(|part| part.out += shift);
        self.uses.iter_mut().for_each(|u| u.out = (u.out.0 + shift, u.out.1 + shift));
    }

    /// What `span` of the text is in the source; nothing if it is a header's. An empty span stands
    /// after something.
    pub fn source_span(&self, span: Span) -> Option<Span> {
        let is_empty = span.lo >= span.hi;
        let first = self.source_of(if is_empty { span.lo.saturating_sub(1) } else { span.lo })?;
        if is_empty {
            return Some(Span::new(first.hi, first.hi));
        }
        let last = self.source_of(span.hi - 1).unwrap_or(first);
        Some(Span::new(first.lo, last.hi.max(first.hi)))
    }

    /// The byte, or the use of a macro, that a byte of the text came from.
    fn source_of(&self, out: u32) -> Option<Span> {
        let after = self.parts.partition_point(|part| part.out <= out);
        let part = self.parts[..after].last()?;
        let n = out - part.out;
        match (n < part.len, part.is_exact) {
            (true, true) => Some(Span::new(part.at + n, part.at + n + 1)),
            (true, false) => Some(Span::new(part.at, part.at + part.source_len)),
            // Blanks around what a macro became.
            (false, _)
                if self.text[(part.out + part.len) as usize..=out as usize].trim().is_empty() =>
            {
                let end = part.at + part.source_len;
                Some(Span::new(end, end))
            }
            (false, _) => None,
        }
    }

    /// Whether the byte of the text is the source's own, not a macro's or a header's.
    pub fn is_exact(&self, out: u32) -> bool {
        let after = self.parts.partition_point(|part| part.out <= out);
        let part = self.parts[..after].last();
        part.is_some_and(|part| part.is_exact && out - part.out < part.len)
    }

    /// The byte of the text that the byte `at` of the source became.
    pub fn of_source(&self, at: u32) -> Option<u32> {
        let after = self.exact.partition_point(|part| part.at <= at);
        // Arguments used several times: the first use.
        let mut found = None;
        for part in self.exact[..after].iter().rev().take(64) {
            if at - part.at <= part.len {
                let out = part.out + (at - part.at);
                found = Some(found.map_or(out, |before: u32| before.min(out)));
            }
        }
        found
    }

    /// The use of a macro that the byte of the source is in.
    pub fn use_at(&self, at: u32) -> Option<&Use> {
        self.uses.iter().find(|u| u.at <= at && at <= u.at + u.len)
    }
}

/// Lines of a source, with columns as the Language Server Protocol counts them: in UTF-16.
#[derive(Clone, Debug)]
pub struct Lines {
    starts: Vec<u32>,
}

impl Lines {
    pub fn new(source: &str) -> Lines {
        let newlines = source.bytes().enumerate().filter(|(_, b)| *b == b'\n');
        let starts = std::iter::once(0).chain(newlines.map(|(n, _)| n as u32 + 1)).collect();
        Lines { starts }
    }

    /// Line and column, from 0.
    pub fn place(&self, source: &str, offset: u32) -> (u32, u32) {
        let line = self.starts.partition_point(|&start| start <= offset) - 1;
        let before = &source[self.starts[line] as usize..floor(source, offset)];
        (line as u32, before.encode_utf16().count() as u32)
    }

    /// The byte at a line and column; the nearest one if there is no such place.
    pub fn offset(&self, source: &str, line: u32, column: u32) -> u32 {
        let Some(&start) = self.starts.get(line as usize) else { return source.len() as u32 };
        let end = self.starts.get(line as usize + 1).map_or(source.len(), |&next| next as usize);
        let text = source[start as usize..end].trim_end_matches(['\n', '\r']);
        let mut units = 0;
        for (n, c) in text.char_indices() {
            if units >= column {
                return start + n as u32;
            }
            units += c.len_utf16() as u32;
        }
        start + text.len() as u32
    }

    /// The start of a line, from 0.
    pub fn start(&self, line: u32) -> Option<u32> {
        self.starts.get(line as usize).copied()
    }

    pub fn count(&self) -> u32 {
        self.starts.len() as u32
    }
}

/// The start of the character at `offset`.
fn floor(source: &str, offset: u32) -> usize {
    let at = (offset as usize).min(source.len());
    (0..=at).rev().find(|&at| source.is_char_boundary(at)).unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_count_utf16() {
        let source = "a\né😀x\r\nlast";
        let lines = Lines::new(source);
        let x = source.find('x').unwrap() as u32;
        assert_eq!(lines.place(source, x), (1, 3));
        assert_eq!(lines.offset(source, 1, 3), x);
        assert_eq!(lines.offset(source, 1, 2), x, "inside a pair: its end");
        assert_eq!(lines.offset(source, 1, 99), x + 1);
        assert_eq!(lines.offset(source, 9, 0), source.len() as u32);
        assert_eq!(lines.place(source, 999), (2, 4));
    }
}
