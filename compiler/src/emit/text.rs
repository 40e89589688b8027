// SPDX-License-Identifier: BSD-3-Clause
//! Splices new text into old, and keeps the line numbers of what follows.
//!
//! The C compiler counts lines from the last line marker, so a replacement must leave as many
//! newlines, and the same markers, as it found; otherwise a marker that sets the line again goes
//! after it. A marker may stand between any two tokens.

use crate::marker::marker_at;
use crate::span::{LineMap, Span};

#[derive(Debug)]
pub(super) struct Edit {
    pub span: Span,
    pub text: String,
}

/// The text of `span` with `edits` made. They must not overlap; those at the same place are made
/// in the order given.
pub(super) fn splice(
    source: &str,
    span: Span,
    edits: &mut [Edit],
    lines: &LineMap,
    is_quiet: bool,
) -> String {
    edits.sort_by_key(|e| (e.span.lo, e.span.hi));
    let mut out = String::with_capacity(span.text(source).len() * 5 / 4);
    let mut at = span.lo;
    for edit in edits.iter() {
        debug_assert!(edit.span.lo >= at && edit.span.hi <= span.hi, "edits overlap: {edit:?}");
        if edit.span.lo < at {
            continue;
        }
        out += Span::new(at, edit.span.lo).text(source);
        out += &edit.text;
        if !has_same_lines(edit.span.text(source), &edit.text, &mut out) {
            out.push('\n');
            out += &marker_at(edit.span.hi, lines, is_quiet);
        }
        at = edit.span.hi;
    }
    out += Span::new(at, span.hi).text(source);
    if is_quiet && out.contains("\n# ") {
        out = with_quiet_markers(&out);
    }
    out
}

/// `text` with quiet markers in place of its own: the preprocessor's would end the quiet part of a copy.
fn with_quiet_markers(text: &str) -> String {
    let quiet = |line: &str| match marker_parts(line) {
        Some((_, flags)) if !flags.split_whitespace().any(|flag| flag == "3") => {
            format!("{} 3\n", line.trim_end())
        }
        _ => line.to_string(),
    };
    text.split_inclusive('\n').map(quiet).collect()
}

/// Does `new` have as many lines as `old`? If it has fewer, the rest goes to `out`.
fn has_same_lines(old: &str, new: &str, out: &mut String) -> bool {
    let count = |s: &str| s.bytes().filter(|&b| b == b'\n').count();
    let (old_lines, new_lines) = (count(old), count(new));
    let markers = |s: &str| s.matches("\n#").count();
    if new_lines > old_lines || markers(old) != markers(new) {
        return false;
    }
    out.extend(std::iter::repeat_n('\n', old_lines - new_lines));
    true
}

/// `text` with line markers that nest. An edit may have taken the marker that enters a file, or
/// moved the one that returns from it; the C compiler would ignore a return to elsewhere, so it
/// becomes a marker that only sets the line.
pub(super) fn with_nested_markers(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let (mut current, mut outer) = ("", Vec::new());
    for line in text.split_inclusive('\n') {
        let Some((file, flags)) = marker_parts(line) else {
            out.push_str(line);
            continue;
        };
        let mut is_return = false;
        for flag in flags.split_whitespace() {
            match flag {
                "1" => outer.push(current),
                "2" => is_return = true,
                _ => {}
            }
        }
        if is_return && outer.last() == Some(&file) {
            outer.pop();
        } else if is_return {
            let start = &line[..line.len() - flags.len()];
            out += &format!("{start}{}", flags.replacen(" 2", "", 1));
            current = file;
            continue;
        }
        current = file;
        out.push_str(line);
    }
    out
}

/// The file of a line marker, in quotes, and what follows it.
fn marker_parts(line: &str) -> Option<(&str, &str)> {
    let rest = line.strip_prefix("# ")?;
    let start = rest.find('"')?;
    let rest = &rest[start..];
    let end = rest.rfind('"').filter(|end| *end > 0)? + 1;
    Some(rest.split_at(end))
}

/// The attributes of an entry in the list that the linker makes of all entries in `section`. Without
/// `retain`, linkers take entries away under `--gc-sections`: nothing names them.
pub(super) fn listed(section: &str) -> String {
    format!("__attribute__((section(\"{section}\"), used, retain, aligned(8)))")
}

/// `text` that may follow any operator: in parentheses unless it is plainly primary.
pub(super) fn primary(text: String) -> String {
    let is_word = text.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_' || b == b'.');
    if is_word || is_enclosed(&text) {
        text
    } else {
        format!("({text})")
    }
}

/// Does one pair of parentheses enclose all of `text`? Literals with parentheses in them may
/// give a false "no", never a false "yes".
fn is_enclosed(text: &str) -> bool {
    if !text.starts_with('(') || !text.ends_with(')') || text.contains(['"', '\'']) {
        return false;
    }
    let mut depth = 0usize;
    for (i, b) in text.bytes().enumerate() {
        match b {
            b'(' => depth += 1,
            b')' if depth == 1 && i + 1 < text.len() => return false,
            b')' if depth > 0 => depth -= 1,
            b')' => return false,
            _ => {}
        }
    }
    depth == 0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn primary_encloses_only_what_needs_it() {
        assert_eq!(primary("x_1".into()), "x_1");
        assert_eq!(primary("(a) + (b)".into()), "((a) + (b))");
        assert_eq!(primary("(a + f(b))".into()), "(a + f(b))");
        assert_eq!(primary("(\")\" + 1)".into()), "((\")\" + 1))");
    }

    #[test]
    fn splice_keeps_line_count() {
        let source = "a[\n1\n] = b;\n";
        let mut edits = vec![Edit { span: Span::new(0, 6), text: "X".into() }];
        let whole = Span::new(0, source.len() as u32);
        assert_eq!(splice(source, whole, &mut edits, &LineMap::default(), false), "X\n\n = b;\n");
    }

    #[test]
    fn copies_are_quiet() {
        let source = "a;\n# 3 \"f.upc\"\nb;\n# 9 \"g.h\" 1 3\nc;\n";
        let whole = Span::new(0, source.len() as u32);
        let copy = splice(source, whole, &mut [], &LineMap::default(), true);
        assert_eq!(copy, "a;\n# 3 \"f.upc\" 3\nb;\n# 9 \"g.h\" 1 3\nc;\n");
        assert_eq!(splice(source, whole, &mut [], &LineMap::default(), false), source);
    }

    #[test]
    fn returns_to_elsewhere_only_set_the_line() {
        let enter = "# 1 \"a.upc\"\n# 1 \"b.h\" 1 3\nint x;\n";
        let good = format!("{enter}# 2 \"a.upc\" 2\nint y;\n");
        assert_eq!(with_nested_markers(&good), good);
        let cut = "# 1 \"a.upc\"\nint f(\n# 9 \"a \\\"2.upc\" 2 3\n);\n# 2 \"a.upc\" 2\n";
        let mended = "# 1 \"a.upc\"\nint f(\n# 9 \"a \\\"2.upc\" 3\n);\n# 2 \"a.upc\"\n";
        assert_eq!(with_nested_markers(cut), mended);
    }
}
