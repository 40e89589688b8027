// SPDX-License-Identifier: BSD-3-Clause
//! Fixes as values: what in the user's files would change.
//!
//! An [`Edit`] speaks of the preprocessed text, as diagnostics do. [`Fix::resolve`] finds the same
//! places in the files, and refuses what the user has not written there: system headers, and what
//! comes out of macros.

use super::place::Places;
use crate::span::{FileId, Span};

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Applicability {
    /// Right whenever the diagnostic is.
    Certain,
    /// Perhaps what was meant.
    Possible,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Fix {
    /// An order, such as ``write `upc_barrier;` ``.
    pub title: String,
    /// All of them are made, or none.
    pub edits: Vec<Edit>,
    pub applicability: Applicability,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Edit {
    /// The text stands in place of what stands at the span, which may be empty.
    Replace(Span, String),
    /// The file that is translated includes the header of this name, such as `upc.h`.
    Include(&'static str),
}

impl Edit {
    pub fn replace(span: Span, text: impl Into<String>) -> Edit {
        Edit::Replace(span, text.into())
    }

    pub fn remove(span: Span) -> Edit {
        Edit::replace(span, "")
    }

    pub fn before(span: Span, text: impl Into<String>) -> Edit {
        Edit::replace(Span::new(span.lo, span.lo), text)
    }

    pub fn after(span: Span, text: impl Into<String>) -> Edit {
        Edit::replace(Span::new(span.hi, span.hi), text)
    }
}

/// A change of a line of a file: `text` in place of the bytes `start..end`, counted from 0.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SourceEdit {
    pub file: FileId,
    /// Counted from 1.
    pub line: u32,
    pub start: usize,
    pub end: usize,
    pub text: String,
}

impl Fix {
    /// The changes of the user's files; `None` if one of them cannot be made there.
    pub fn resolve(&self, places: &mut Places) -> Option<Vec<SourceEdit>> {
        self.edits.iter().map(|edit| edit.resolve(places)).collect()
    }
}

impl Edit {
    fn resolve(&self, places: &mut Places) -> Option<SourceEdit> {
        match self {
            Edit::Replace(span, text) => {
                let place = places.exact(*span)?;
                Some(SourceEdit {
                    file: place.file,
                    line: place.line,
                    start: place.start,
                    end: place.end,
                    text: text.clone(),
                })
            }
            Edit::Include(header) => {
                let file = places.main_file()?;
                let before = include_line(places.source_lines(file)?);
                let text = format!("#include <{header}>\n");
                Some(SourceEdit { file, line: before, start: 0, end: 0, text })
            }
        }
    }
}

/// The line before which a further `#include` belongs: that of the first one that is not under a
/// condition, or else the first that is neither blank nor a comment.
fn include_line<S: AsRef<str>>(lines: &[S]) -> u32 {
    let (mut depth, mut in_comment, mut first) = (0usize, false, None);
    for (n, line) in (1u32..).zip(lines) {
        let line = line.as_ref().trim_start();
        let was_comment = in_comment;
        in_comment = match in_comment {
            true => !line.contains("*/"),
            false => line.rfind("/*").is_some_and(|at| !line[at..].contains("*/")),
        };
        if was_comment {
            continue;
        }
        let directive = line.strip_prefix('#').map(str::trim_start).unwrap_or_default();
        if directive.starts_with("if") {
            depth += 1;
        } else if directive.starts_with("endif") {
            depth = depth.saturating_sub(1);
        } else if directive.starts_with("include") && depth == 0 {
            return n;
        }
        let is_text = !line.is_empty() && !line.starts_with("//") && !line.starts_with("/*");
        if is_text && first.is_none() {
            first = Some(n);
        }
    }
    first.unwrap_or(1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn headers_are_included_before_others() {
        for (source, line) in [
            ("int a;\n", 1),
            ("", 1),
            ("// a\n\n/* b\n #include <no.h>\n*/\nint a;\n", 6),
            ("/* a */\n#include <stdio.h>\n", 2),
            ("#ifdef A\n#include <a.h>\n#endif\n# include \"b.h\"\n", 4),
            ("#ifdef A\n#include <a.h>\n#endif\n", 1),
        ] {
            let lines: Vec<&str> = source.lines().collect();
            assert_eq!(include_line(&lines), line, "{source}");
        }
    }
}
