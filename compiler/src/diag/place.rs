// SPDX-License-Identifier: BSD-3-Clause
//! From a span of preprocessed text to a line and columns of the user's file.
//!
//! Line markers give the line. The preprocessor expands macros and squeezes blanks, so the
//! column is found by aligning the tokens of the two lines (longest common subsequence). What
//! came out of a macro has no token of its own and is shown at the macro's name.

use crate::span::{FileId, LineMap, SourceFile, Span};
use rustc_hash::FxHashMap;
use std::rc::Rc;

/// Lines with more pairs of tokens than this are not aligned, but shown as preprocessed.
const MAX_PAIRS: usize = 4_000_000;

/// Bytes `start..end` of line `line` of a file.
#[derive(Clone, Debug)]
pub struct Place {
    pub file: FileId,
    pub line: u32,
    pub start: usize,
    pub end: usize,
    /// The line, in which `start` and `end` count.
    pub text: Rc<str>,
}

pub struct Places<'a> {
    lines: &'a LineMap,
    text: &'a str,
    source_of: &'a dyn Fn(&str) -> Option<String>,
    sources: FxHashMap<FileId, Option<Vec<Rc<str>>>>,
}

impl<'a> Places<'a> {
    pub fn new(
        lines: &'a LineMap,
        text: &'a str,
        source_of: &'a dyn Fn(&str) -> Option<String>,
    ) -> Places<'a> {
        Places { lines, text, source_of, sources: FxHashMap::default() }
    }

    pub fn file_name(&self, file: FileId) -> &'a str {
        &self.lines.file(file).name
    }

    /// Line `line` of `file` as the user wrote it; empty if there is none.
    pub fn source_line(&mut self, file: FileId, line: u32) -> Rc<str> {
        self.opt_source_line(file, line).unwrap_or_else(|| Rc::from(""))
    }

    fn opt_source_line(&mut self, file: FileId, line: u32) -> Option<Rc<str>> {
        self.source_lines(file)?.get((line as usize).checked_sub(1)?).cloned()
    }

    /// The lines of `file`, if it can be read.
    pub fn source_lines(&mut self, file: FileId) -> Option<&[Rc<str>]> {
        let name = self.file_name(file);
        let source_of = self.source_of;
        let source = self
            .sources
            .entry(file)
            .or_insert_with(|| source_of(name).map(|text| text.lines().map(Rc::from).collect()));
        source.as_deref()
    }

    /// The file that is translated.
    pub fn main_file(&self) -> Option<FileId> {
        let is_main = |file: &SourceFile| !file.is_system && !file.name.starts_with('<');
        self.lines.files.iter().position(is_main).map(|idx| FileId(idx as u32))
    }

    /// Where the user has written exactly what stands at `span`, in a file that may be changed: not
    /// what came out of a macro. An empty span is a place between two tokens.
    pub fn exact(&mut self, span: Span) -> Option<Place> {
        let (lo, hi) = (span.lo as usize, span.hi as usize);
        self.text.get(lo..hi)?;
        let at = self.lines.locate(lo.saturating_sub(usize::from(lo == hi)) as u32);
        if self.lines.file(at.file).is_system {
            return None;
        }
        let text = self.opt_source_line(at.file, at.line)?;
        let (given, written) = line_tokens(self.text, &self.chunks(lo, at.file, at.line), &text)?;
        let spelled = |&(a, b): &(usize, usize)| &self.text[a..b];
        let shown = |&(a, b): &(usize, usize)| &text[a..b];
        let partner =
            common(given.len(), written.len(), |i, j| spelled(&given[i]) == shown(&written[j]));
        // A token that stands there more often than it is written is a macro's, or an argument's
        // that is used twice.
        let own = |i: usize| {
            let word = spelled(&given[i]);
            let n_given = given.iter().filter(|t| spelled(t) == word).count();
            let n_written = written.iter().filter(|t| shown(t) == word).count();
            partner[i].filter(|_| n_given == n_written)
        };
        let place = |start, end| {
            Some(Place { file: at.file, line: at.line, start, end, text: text.clone() })
        };
        if lo == hi {
            let after = given.iter().rposition(|t| t.1 == lo).and_then(&own);
            let before = given.iter().position(|t| t.0 == lo).and_then(&own);
            let at = after.map(|j| written[j].1).or(before.map(|j| written[j].0))?;
            return place(at, at);
        }
        let first = given.iter().position(|t| t.0 == lo)?;
        let last = given.iter().position(|t| t.1 == hi)?;
        let (from, to) = (own(first)?, own(last)?);
        let is_whole = (first..=last).all(|i| own(i) == Some(from + i - first));
        is_whole.then_some(())?;
        place(written[from].0, written[to].1)
    }

    /// `None` only if the text has no lines at all. A span over several lines is cut at the end
    /// of its first.
    pub fn find(&mut self, span: Span) -> Option<Place> {
        let is_cut = |&at: &usize| self.text.is_char_boundary(at);
        let hi = (span.hi as usize).min(self.text.len());
        let hi = (hi..).find(is_cut).unwrap_or(hi);
        let lo = (0..=(span.lo as usize).min(hi)).rev().find(is_cut).unwrap_or(0);
        if self.lines.regions.is_empty() {
            return None;
        }
        // An empty span stands after something; on the line of that it is shown.
        let at = self.lines.locate(lo.saturating_sub(usize::from(lo == hi)) as u32);
        let chunks = self.chunks(lo, at.file, at.line);
        let shown = self.opt_source_line(at.file, at.line);
        let aligned = shown.and_then(|text| {
            let (start, end) = align(self.text, &chunks, lo, hi, &text)?;
            Some(Place { file: at.file, line: at.line, start, end, text })
        });
        Some(aligned.unwrap_or_else(|| {
            let (from, to) = self.physical_line(lo.saturating_sub(usize::from(lo == hi)));
            let text = Rc::from(&self.text[from..to]);
            let (start, end) = (lo.clamp(from, to) - from, hi.clamp(from, to) - from);
            Place { file: at.file, line: at.line, start, end, text }
        }))
    }

    /// The physical line of preprocessed text around `offset`, without its newline.
    fn physical_line(&self, offset: usize) -> (usize, usize) {
        let starts = &self.lines.line_starts;
        let idx = starts.partition_point(|&s| s as usize <= offset).saturating_sub(1);
        let from = starts.get(idx).map_or(0, |&s| s as usize);
        let to = starts.get(idx + 1).map_or(self.text.len(), |&s| s as usize - 1);
        (from, to.max(from))
    }

    /// The physical lines that the preprocessor made of one line of the user's: it breaks a line
    /// with markers where a system header's macro is expanded.
    fn chunks(&self, lo: usize, file: FileId, line: u32) -> Vec<(usize, usize)> {
        let mut chunks = vec![self.physical_line(lo)];
        while let Some((from, to)) = chunks[0].0.checked_sub(1).map(|p| self.physical_line(p)) {
            if !self.is_same(from, file, line) {
                break;
            }
            chunks.insert(0, (from, to));
        }
        while let Some((from, to)) = chunks.last().map(|c| self.physical_line(c.1 + 1)) {
            if from <= chunks[chunks.len() - 1].0 || !self.is_same(from, file, line) {
                break;
            }
            chunks.push((from, to));
        }
        chunks.retain(|&(from, to)| !self.text[from..to].starts_with("# "));
        chunks
    }

    /// Whether the physical line at `from` is of that line of the user's, or a marker.
    fn is_same(&self, from: usize, file: FileId, line: u32) -> bool {
        let at = self.lines.locate(from as u32);
        at.file == file && at.line == line || self.text[from..].starts_with("# ")
    }
}

/// Tokens of C, roughly: what is compared are spellings.
fn tokens(text: &str, from: usize, to: usize, out: &mut Vec<(usize, usize)>) {
    let bytes = &text.as_bytes()[..to];
    let is_word = |b: u8| b.is_ascii_alphanumeric() || b == b'_' || b == b'$' || b >= 0x80;
    let mut pos = from;
    while pos < to {
        let start = pos;
        let b = bytes[pos];
        pos += 1;
        match b {
            b if b.is_ascii_whitespace() => continue,
            b if is_word(b) => {
                while pos < to && is_word(bytes[pos]) {
                    pos += 1;
                }
            }
            b'/' if bytes.get(pos) == Some(&b'/') => return,
            b'/' if bytes.get(pos) == Some(&b'*') => {
                pos = text[pos..to].find("*/").map_or(to, |n| pos + n + 2);
                continue;
            }
            b'"' | b'\'' => {
                while pos < to && bytes[pos] != b {
                    pos += if bytes[pos] == b'\\' { 2 } else { 1 };
                }
                pos = (pos + 1).min(to);
                while !text.is_char_boundary(pos) {
                    pos += 1;
                }
            }
            _ => {}
        }
        out.push((start, pos));
    }
}

type Tokens = Vec<(usize, usize)>;

/// The tokens of `chunks`, and those of the line `shown`; `None` if they are too many to compare.
fn line_tokens(text: &str, chunks: &[(usize, usize)], shown: &str) -> Option<(Tokens, Tokens)> {
    let (mut given, mut written) = (Vec::new(), Vec::new());
    for &(from, to) in chunks {
        tokens(text, from, to, &mut given);
    }
    tokens(shown, 0, shown.len(), &mut written);
    (given.len() * written.len() <= MAX_PAIRS).then_some((given, written))
}

/// The columns in `shown` of the bytes `lo..hi` of `text`, whose line consists of `chunks`.
fn align(
    text: &str,
    chunks: &[(usize, usize)],
    lo: usize,
    hi: usize,
    shown: &str,
) -> Option<(usize, usize)> {
    let (given, written) = line_tokens(text, chunks, shown)?;
    let spelled = |(a, b): (usize, usize)| &text[a..b];
    let partner = common(given.len(), written.len(), |i, j| {
        spelled(given[i]) == &shown[written[j].0..written[j].1]
    });
    let show = |i: usize| written_at(&partner, &written, i);
    if lo == hi {
        let before = given.iter().rposition(|t| t.1 <= lo)?;
        let end = show(before)?.1;
        return Some((end, end));
    }
    let first = given.iter().position(|t| t.1 > lo)?;
    let last = given.iter().rposition(|t| t.0 < hi).filter(|&i| i >= first).unwrap_or(first);
    let (start, first_end) = show(first)?;
    let end = show(last)?.1;
    Some((start, if end > start { end } else { first_end }))
}

/// Where token `i` is written. What came out of a macro is at the first token of the user's that
/// has no partner, between the neighbours that have one.
fn written_at(
    partner: &[Option<usize>],
    written: &[(usize, usize)],
    i: usize,
) -> Option<(usize, usize)> {
    if let Some(j) = partner[i] {
        return Some(written[j]);
    }
    let after_previous = partner[..i].iter().rev().flatten().next().map_or(0, |&j| j + 1);
    let next = partner[i..].iter().flatten().next().map_or(written.len(), |&j| j);
    if after_previous < next {
        return Some(written[after_previous]);
    }
    written.get(after_previous.saturating_sub(1)).copied()
}

/// For each of `n` tokens the one of `m` that a longest common subsequence pairs it with.
fn common(n: usize, m: usize, same: impl Fn(usize, usize) -> bool) -> Vec<Option<usize>> {
    let width = m + 1;
    let mut longest = vec![0u32; (n + 1) * width];
    for i in (0..n).rev() {
        for j in (0..m).rev() {
            longest[i * width + j] = if same(i, j) {
                longest[(i + 1) * width + j + 1] + 1
            } else {
                longest[(i + 1) * width + j].max(longest[i * width + j + 1])
            };
        }
    }
    let mut partner = vec![None; n];
    let (mut i, mut j) = (0, 0);
    while i < n && j < m {
        if same(i, j) {
            partner[i] = Some(j);
            i += 1;
            j += 1;
        } else if longest[(i + 1) * width + j] >= longest[i * width + j + 1] {
            i += 1;
        } else {
            j += 1;
        }
    }
    partner
}
