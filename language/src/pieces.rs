// SPDX-License-Identifier: BSD-3-Clause
//! A source as an alternation of directives and code (C17 §5.1.1.2, phases 1 to 3, and §6.10).
//!
//! The C compiler preprocesses the *skeleton*: the directives, with a marker in place of each piece
//! of code. Its answer stays good while the user types code, and says which pieces are active, what
//! the headers are, and which macros are defined where.

use furlong_compiler::span::Span;

/// Whole lines of the source, with their newlines.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Piece {
    pub span: Span,
    pub is_directive: bool,
}

/// Stands for a piece of code; the number of the piece follows.
const MARKER: &str = "__furlong_code_";

/// What some editors begin a file in UTF-8 with; no part of its text.
pub(crate) const BYTE_ORDER_MARK: &str = "\u{feff}";

/// Splits `source`; the pieces cover all of it. Pragmas are code: their place among it matters.
pub fn split(source: &str) -> Vec<Piece> {
    let mut pieces: Vec<Piece> = Vec::new();
    let mut at = 0;
    while at < source.len() {
        let (end, is_directive) = logical_line(source.as_bytes(), at);
        match pieces.last_mut() {
            Some(last) if !last.is_directive && !is_directive => last.span.hi = end as u32,
            _ => pieces.push(Piece { span: Span::new(at as u32, end as u32), is_directive }),
        }
        at = end;
    }
    pieces
}

/// The text for the C compiler: a line for each line of a directive, and one for each piece of
/// code that is not blank. Also the piece of each line.
pub fn skeleton(source: &str, pieces: &[Piece]) -> (String, Vec<usize>) {
    let (mut text, mut piece_of_line) = (String::new(), Vec::new());
    for (n, piece) in pieces.iter().enumerate() {
        let piece_text = piece.span.text(source);
        if piece.is_directive {
            text += piece_text;
            if !text.ends_with('\n') {
                text.push('\n');
            }
            piece_of_line.extend(piece_text.lines().map(|_| n));
        } else if !piece_text.trim().is_empty() {
            text += &format!("{MARKER}{n}__\n");
            piece_of_line.push(n);
        }
    }
    (text, piece_of_line)
}

/// The number of the piece that a line of the C compiler's answer stands for.
pub fn marked(line: &str) -> Option<usize> {
    line.trim().strip_prefix(MARKER)?.strip_suffix("__")?.parse().ok()
}

/// The end of the line that starts at `start`, continued lines and comments included, and whether
/// it is a directive. A line of code that begins a comment ends where its comments do.
fn logical_line(bytes: &[u8], start: usize) -> (usize, bool) {
    let has_mark = start == 0 && bytes.starts_with(BYTE_ORDER_MARK.as_bytes());
    let mark = if has_mark { BYTE_ORDER_MARK.len() } else { 0 };
    let (mut at, mut first, mut word) = (start + mark, None, Vec::new());
    while let Some(&b) = bytes.get(at) {
        match b {
            b'\n' => {
                at += 1;
                break;
            }
            b'\\' if bytes.get(at + 1) == Some(&b'\n') => at += 2,
            b'\\' if bytes[at + 1..].starts_with(b"\r\n") => at += 3,
            b'/' if bytes.get(at + 1) == Some(&b'*') => at = comment_end(bytes, at),
            b'/' if bytes.get(at + 1) == Some(&b'/') => at = line_end(bytes, at),
            b'"' | b'\'' => at = quoted_end(bytes, at),
            b' ' | b'\t' | b'\r' | 0x0b | 0x0c => at += 1,
            _ => {
                match first {
                    None => first = Some(b),
                    Some(_) if word.len() < 8 => word.push(b),
                    Some(_) => {}
                }
                at += 1;
            }
        }
    }
    (at, first == Some(b'#') && !word.starts_with(b"pragma"))
}

/// The byte after the comment that starts at `at`.
pub(crate) fn comment_end(bytes: &[u8], at: usize) -> usize {
    let body = at + 2;
    let found = bytes[body..].windows(2).position(|pair| pair == b"*/");
    found.map_or(bytes.len(), |n| body + n + 2)
}

/// The newline that ends the line of `at`, continued ones included.
pub(crate) fn line_end(bytes: &[u8], mut at: usize) -> usize {
    while let Some(&b) = bytes.get(at) {
        match b {
            b'\n' => break,
            b'\\' => at = (at + 2).min(bytes.len()),
            _ => at += 1,
        }
    }
    at
}

/// The byte after the string or character constant that starts at `at`; it ends with its line.
pub(crate) fn quoted_end(bytes: &[u8], at: usize) -> usize {
    let quote = bytes[at];
    let mut end = at + 1;
    while let Some(&b) = bytes.get(end) {
        match b {
            b'\n' => return end,
            b'\\' => end += 2,
            b if b == quote => return end + 1,
            _ => end += 1,
        }
    }
    end.min(bytes.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(source: &str) -> Vec<(bool, &str)> {
        split(source).iter().map(|p| (p.is_directive, p.span.text(source))).collect()
    }

    #[test]
    fn directives_are_told_from_code() {
        let source = "#include <upc.h>\nint a;\nint b;\n # define N \\\n 3\n/* \n#if\n*/ int c;\n";
        let expected = [
            (true, "#include <upc.h>\n"),
            (false, "int a;\nint b;\n"),
            (true, " # define N \\\n 3\n"),
            (false, "/* \n#if\n*/ int c;\n"),
        ];
        assert_eq!(shown(source), expected);
    }

    #[test]
    fn a_byte_order_mark_is_nothing() {
        let source = "\u{feff}#define N 1\nint a;\n";
        assert_eq!(shown(source), [(true, "\u{feff}#define N 1\n"), (false, "int a;\n")]);
    }

    #[test]
    fn strings_and_pragmas_are_code() {
        assert_eq!(shown("char *s = \"/*\";\n#if 1\n").len(), 2);
        assert_eq!(shown("#pragma upc strict\nint a;\n").len(), 1);
        assert_eq!(shown("char c = '"), [(false, "char c = '")]);
        assert_eq!(shown("x = 'a\\"), [(false, "x = 'a\\")]);
    }

    #[test]
    fn the_skeleton_depends_on_directives_alone() {
        let one = "#if A\nint x;\n\n\n#endif\nint y;";
        let two = "#if A\nint xyz; int w;\n#endif\nint why;";
        let (skeleton_one, lines) = skeleton(one, &split(one));
        assert_eq!(skeleton_one, skeleton(two, &split(two)).0);
        assert_eq!(skeleton_one, "#if A\n__furlong_code_1__\n#endif\n__furlong_code_3__\n");
        assert_eq!(lines, [0, 1, 2, 3]);
        assert_eq!(marked("__furlong_code_12__"), Some(12));
    }
}
