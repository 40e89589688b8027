// SPDX-License-Identifier: BSD-3-Clause
//! Texts as tokens: roughly those of C, with the blanks that follow them. A line that begins with
//! `#` is one token.

pub type Token = &'static str;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Class {
    Word,
    Number,
    Text,
    Directive,
    Operator,
}

const OPERATORS: &[&str] = &[
    "<<=", ">>=", "...", "->", "++", "--", "<<", ">>", "<=", ">=", "==", "!=", "&&", "||", "+=",
    "-=", "*=", "/=", "%=", "&=", "|=", "^=",
];

pub fn class(token: &str) -> Class {
    match token.bytes().next() {
        Some(b'0'..=b'9') => Class::Number,
        Some(b'"' | b'\'') => Class::Text,
        Some(b'#' | b'\n') => Class::Directive,
        Some(b) if is_word(b) => Class::Word,
        _ => Class::Operator,
    }
}

fn is_word(b: u8) -> bool {
    b.is_ascii_alphanumeric() || b == b'_' || b >= 0x80
}

/// The tokens of `text`; together they are `text`, but for the blanks before the first.
pub fn split(text: &str) -> Vec<&str> {
    let mut tokens = Vec::new();
    let mut at = text.len() - text.trim_start().len();
    while at < text.len() {
        let end = at + token_len(&text[at..]);
        let rest = &text[end..];
        let blanks = rest.len() - rest.trim_start().len();
        tokens.push(&text[at..end + blanks]);
        at = end + blanks;
    }
    tokens
}

/// Bytes of the token that `text` begins with.
fn token_len(text: &str) -> usize {
    let bytes = text.as_bytes();
    let first = bytes[0];
    let len = match first {
        b'#' => text.find('\n').unwrap_or(text.len()),
        b'"' | b'\'' => literal_len(bytes, first),
        b if is_word(b) => bytes.iter().take_while(|&&b| is_word(b) || b == b'.').count(),
        _ => OPERATORS.iter().find(|op| text.starts_with(**op)).map_or(1, |op| op.len()),
    };
    (len.max(1)..text.len()).find(|&end| text.is_char_boundary(end)).unwrap_or(text.len())
}

fn literal_len(bytes: &[u8], quote: u8) -> usize {
    let mut at = 1;
    while let Some(&b) = bytes.get(at) {
        match b {
            b'\\' => at += 1,
            b'\n' => return at,
            b if b == quote => return at + 1,
            _ => {}
        }
        at += 1;
    }
    bytes.len()
}

/// The tokens that belong together at `at`: what a bracket encloses, or a single token.
pub fn subtree(tokens: &[Token], at: usize) -> std::ops::Range<usize> {
    let mut depth = 0usize;
    for (idx, token) in tokens.iter().enumerate().skip(at) {
        match token.bytes().next() {
            Some(b'(' | b'[' | b'{') => depth += 1,
            Some(b')' | b']' | b'}') => depth = depth.saturating_sub(1),
            _ => {}
        }
        if depth == 0 {
            return at..idx + 1;
        }
    }
    at..tokens.len().min(at + 1)
}

/// The statement or declaration around `at`.
pub fn statement(tokens: &[Token], at: usize) -> std::ops::Range<usize> {
    let is_end = |token: &Token| matches!(token.bytes().next(), Some(b';' | b'{' | b'}'));
    let start = tokens[..at].iter().rposition(is_end).map_or(0, |idx| idx + 1);
    let mut idx = start;
    while idx < tokens.len() {
        let part = subtree(tokens, idx);
        let ends = is_end(&tokens[part.end - 1]);
        idx = part.end;
        if ends {
            break;
        }
    }
    start..idx
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tokens_are_the_text() {
        let text = "# 1 \"a\"\nint é=\"\\\"x\" <<= 1.5e3f;\n'\\'' \"open\n";
        let tokens = split(text);
        assert_eq!(tokens.concat(), text);
        assert_eq!(tokens[..5], ["# 1 \"a\"\n", "int ", "é", "=", "\"\\\"x\" "]);
    }

    #[test]
    fn statements_end_at_their_semicolon() {
        let tokens = split("a; for (i; j; k) { x; } b;");
        assert_eq!(tokens[statement(&tokens, 1)].concat(), "a; ");
        assert_eq!(tokens[subtree(&tokens, 3)].concat(), "(i; j; k) ");
    }
}
