// SPDX-License-Identifier: BSD-3-Clause
//! Bytes to tokens. Driven by bytes, without an allocation per token.
//!
//! Line markers go to the [`LineMap`], pragmas to lists beside the tokens; those that are not UPC's
//! are white space, so they are copied with the text around them. Literals are only delimited
//! here; `literal` reads their values. Source: C17 §6.4.

mod markers;
mod words;

use super::ast::Consistency;
use super::intern::{Interner, Symbol};
use super::token::{c23_keyword, intern_vocabulary, keyword, Tok, Token};
use crate::diag::fix::Edit;
use crate::diag::{codes, Diagnostic, Diagnostics};
use crate::span::{LineMap, Span};
use crate::syntax::ast::Target;
use markers::Files;
use std::borrow::Cow;

pub use markers::{reserved_macro, RESERVED};

/// More complaints than this about characters only hide the first ones.
const MAX_ERRORS: usize = 50;

/// A `#pragma upc strict` or `relaxed`, standing before the token with number `before`.
#[derive(Clone, Copy, Debug)]
pub struct UpcPragma {
    pub before: usize,
    pub span: Span,
    pub consistency: Consistency,
}

pub struct Lexed {
    /// Ends with [`Tok::Eof`].
    pub tokens: Vec<Token>,
    pub pragmas: Vec<UpcPragma>,
    /// Other pragmas, each with the number of the token before which it stands.
    pub other_pragmas: Vec<(usize, Span)>,
    /// Further pragmas that are nothing to C.
    pub obeyed: Vec<Span>,
    pub target: Target,
    pub lines: LineMap,
}

/// `upc` is false for plain C: then the words of UPC are ordinary names everywhere.
pub fn lex(text: &str, upc: bool, names: &mut Interner, diags: &mut Diagnostics) -> Lexed {
    let mut lexer = Lexer {
        text,
        bytes: text.as_bytes(),
        pos: 0,
        upc,
        names,
        diags,
        n_errors: 0,
        tokens: Vec::with_capacity(text.len() / 4 + 16),
        pragmas: Vec::new(),
        other_pragmas: Vec::new(),
        obeyed: Vec::new(),
        target: Target::default(),
        c_tokens: Vec::new(),
        reserved: Vec::new(),
        files: Files::new(text),
    };
    lexer.run();
    lexer.settle_words();
    lexer.report_reserved();
    Lexed {
        tokens: lexer.tokens,
        pragmas: lexer.pragmas,
        other_pragmas: lexer.other_pragmas,
        obeyed: lexer.obeyed,
        target: lexer.target,
        lines: lexer.files.finish(),
    }
}

/// The same text with brackets and braces for their digraphs, each at its place, with a blank behind it:
/// what is emitted is put beside brackets and braces of one character.
pub fn without_digraphs(text: &str) -> Cow<'_, str> {
    let is_short = text.len() < u32::MAX as usize;
    if !is_short || !text.contains("<%") && !text.contains("<:") {
        return Cow::Borrowed(text);
    }
    let mut names = Interner::default();
    intern_vocabulary(&mut names);
    let lexed = lex(text, true, &mut names, &mut Diagnostics::default());
    let mut bytes = text.as_bytes().to_vec();
    for token in lexed.tokens.iter().filter(|token| token.hi - token.lo == 2) {
        let plain = match token.kind {
            Tok::LBracket => b'[',
            Tok::RBracket => b']',
            Tok::LBrace => b'{',
            Tok::RBrace => b'}',
            _ => continue,
        };
        bytes[token.lo as usize..token.hi as usize].copy_from_slice(&[plain, b' ']);
    }
    String::from_utf8(bytes).map_or(Cow::Borrowed(text), Cow::Owned)
}

struct Lexer<'a> {
    text: &'a str,
    bytes: &'a [u8],
    pos: usize,
    upc: bool,
    names: &'a mut Interner,
    diags: &'a mut Diagnostics,
    n_errors: usize,
    tokens: Vec<Token>,
    pragmas: Vec<UpcPragma>,
    other_pragmas: Vec<(usize, Span)>,
    obeyed: Vec<Span>,
    target: Target,
    /// Numbers of the tokens that are words of UPC, but stand in C.
    c_tokens: Vec<usize>,
    /// Directives that make macros of the language's names.
    reserved: Vec<(markers::Reserved, Span)>,
    files: Files,
}

/// Continues an identifier. Bytes above 0x7f belong to characters outside ASCII.
const IDENT: [bool; 256] = {
    let mut table = [false; 256];
    let mut b = 0;
    while b < 256 {
        let c = b as u8;
        table[b] = c.is_ascii_alphanumeric() || c == b'_' || c == b'$' || c >= 0x80;
        b += 1;
    }
    table
};

impl Lexer<'_> {
    fn peek(&self, ahead: usize) -> u8 {
        self.bytes.get(self.pos + ahead).copied().unwrap_or(0)
    }

    fn run(&mut self) {
        self.line_start();
        while let Some(&b) = self.bytes.get(self.pos) {
            match b {
                b' ' | b'\t' | b'\r' | 0x0b | 0x0c => self.pos += 1,
                b'\n' => {
                    self.newline();
                    self.line_start();
                }
                b'a'..=b'z' | b'A'..=b'Z' | b'_' | b'$' => self.word(),
                b'0'..=b'9' => self.number(),
                b'.' if self.peek(1).is_ascii_digit() => self.number(),
                b'"' | b'\'' => self.quoted(self.pos, b),
                b'/' if self.peek(1) == b'/' => self.skip_line(),
                b'/' if self.peek(1) == b'*' => self.block_comment(),
                b'\\' if matches!(self.peek(1), b'u' | b'U') => self.word(),
                b'\\' if matches!(self.peek(1), b'\n' | b'\r') => self.pos += 1,
                0x80.. if self.starts_letter() => self.word(),
                _ => self.punctuator(b),
            }
        }
        let end = self.bytes.len() as u32;
        self.tokens.push(Token { kind: Tok::Eof, sym: Symbol(0), lo: end, hi: end });
    }

    fn newline(&mut self) {
        self.pos += 1;
        self.files.line_begins(self.pos as u32);
    }

    fn push(&mut self, kind: Tok, lo: usize) {
        self.push_word(kind, Symbol(0), lo);
    }

    fn push_word(&mut self, kind: Tok, sym: Symbol, lo: usize) {
        self.tokens.push(Token { kind, sym, lo: lo as u32, hi: self.pos as u32 });
    }

    fn error(&mut self, lo: usize, hi: usize, title: String, help: &str) {
        self.n_errors += 1;
        if self.n_errors <= MAX_ERRORS {
            let span = Span::new(lo as u32, hi as u32);
            self.diags.push(Diagnostic::error(codes::E0101, span, title).help(help));
        }
    }

    fn skip_line(&mut self) {
        let rest = &self.bytes[self.pos..];
        self.pos += rest.iter().position(|&b| b == b'\n').unwrap_or(rest.len());
    }

    fn block_comment(&mut self) {
        let lo = self.pos;
        self.pos += 2;
        while self.pos < self.bytes.len() {
            if self.peek(0) == b'*' && self.peek(1) == b'/' {
                self.pos += 2;
                return;
            }
            match self.peek(0) {
                b'\n' => self.newline(),
                _ => self.pos += 1,
            }
        }
        self.error(lo, lo + 2, "this comment does not end".into(), "close it with `*/`");
    }

    fn starts_letter(&self) -> bool {
        self.text[self.pos..].chars().next().is_some_and(char::is_alphabetic)
    }

    /// An identifier, a keyword, or the prefix of a literal.
    fn word(&mut self) {
        let lo = self.pos;
        while IDENT[self.peek(0) as usize]
            || self.peek(0) == b'\\' && matches!(self.peek(1), b'u' | b'U')
        {
            self.pos += 1;
        }
        let quote = self.peek(0);
        if quote == b'"' || quote == b'\'' {
            if let b"L" | b"u" | b"U" | b"u8" = &self.bytes[lo..self.pos] {
                return self.quoted(lo, quote);
            }
        }
        let sym = self.names.intern(&self.text[lo..self.pos]);
        let c23 = || self.target.is_c23.then(|| c23_keyword(sym)).flatten();
        match keyword(sym).or_else(c23) {
            None => self.push_word(Tok::Ident, sym, lo),
            Some(Tok::Pragma) => self.pragma_operator(lo),
            Some(kind) if kind.is_upc() && !(self.upc && self.files.reserves_upc()) => {
                if self.files.is_in_c() {
                    self.c_tokens.push(self.tokens.len());
                }
                self.push_word(Tok::Ident, sym, lo)
            }
            Some(kind) => self.push_word(kind, sym, lo),
        }
    }

    /// pp-number (C17 §6.4.8): what it means is checked where it is used.
    fn number(&mut self) {
        let lo = self.pos;
        loop {
            let b = self.peek(0);
            let has_sign = matches!(b, b'e' | b'E' | b'p' | b'P');
            if has_sign && matches!(self.peek(1), b'+' | b'-') && !self.is_hex_e(lo, b) {
                self.pos += 2;
            } else if b == b'.' || IDENT[b as usize] {
                self.pos += 1;
            } else if b == b'\'' && self.target.is_c23 && IDENT[self.peek(1) as usize] {
                // A separator of digits.
                self.pos += 2;
            } else {
                break;
            }
        }
        self.push(Tok::Number, lo);
    }

    /// `0xe+1` is one pp-number in C and nobody's wish; compilers read it as a sum or refuse it.
    fn is_hex_e(&self, lo: usize, b: u8) -> bool {
        matches!(b, b'e' | b'E') && matches!(self.bytes.get(lo + 1), Some(b'x' | b'X'))
    }

    /// A string or character literal; its prefix, if any, begins at `lo`.
    fn quoted(&mut self, lo: usize, quote: u8) {
        self.pos += 1;
        loop {
            match self.bytes.get(self.pos) {
                Some(&b) if b == quote => {
                    self.pos += 1;
                    break;
                }
                Some(b'\\') if self.peek(1) == b'\n' => {
                    self.pos += 1;
                    self.newline();
                }
                Some(b'\\') if self.pos + 1 < self.bytes.len() => self.pos += 2,
                None | Some(b'\n') => {
                    let (what, mark) = match quote {
                        b'"' => ("string", "\""),
                        _ => ("character constant", "'"),
                    };
                    let title = format!("this {what} does not end on its line");
                    self.error(lo, self.pos, title, &format!("close it with `{mark}`"));
                    break;
                }
                Some(_) => self.pos += 1,
            }
        }
        self.push(if quote == b'"' { Tok::StrLit } else { Tok::CharLit }, lo);
    }

    #[rustfmt::skip]
    fn punctuator(&mut self, first: u8) {
        use Tok::*;
        let (b, c) = (self.peek(1), self.peek(2));
        let (kind, len) = match (first, b, c) {
            (b'(', ..) => (LParen, 1), (b')', ..) => (RParen, 1),
            (b'[', ..) => (LBracket, 1), (b']', ..) => (RBracket, 1),
            (b'{', ..) => (LBrace, 1), (b'}', ..) => (RBrace, 1),
            (b';', ..) => (Semi, 1), (b',', ..) => (Comma, 1), (b'?', ..) => (Question, 1),
            (b'~', ..) => (Tilde, 1), (b':', b'>', _) => (RBracket, 2), (b':', ..) => (Colon, 1),
            (b'.', b'.', b'.') => (Ellipsis, 3), (b'.', ..) => (Dot, 1),
            (b'+', b'+', _) => (PlusPlus, 2), (b'+', b'=', _) => (PlusEq, 2), (b'+', ..) => (Plus, 1),
            (b'-', b'-', _) => (MinusMinus, 2), (b'-', b'=', _) => (MinusEq, 2),
            (b'-', b'>', _) => (Arrow, 2), (b'-', ..) => (Minus, 1),
            (b'*', b'=', _) => (StarEq, 2), (b'*', ..) => (Star, 1),
            (b'/', b'=', _) => (SlashEq, 2), (b'/', ..) => (Slash, 1),
            (b'%', b'=', _) => (PercentEq, 2), (b'%', b'>', _) => (RBrace, 2), (b'%', ..) => (Percent, 1),
            (b'&', b'&', _) => (AmpAmp, 2), (b'&', b'=', _) => (AmpEq, 2), (b'&', ..) => (Amp, 1),
            (b'|', b'|', _) => (PipePipe, 2), (b'|', b'=', _) => (PipeEq, 2), (b'|', ..) => (Pipe, 1),
            (b'^', b'=', _) => (CaretEq, 2), (b'^', ..) => (Caret, 1),
            (b'=', b'=', _) => (EqEq, 2), (b'=', ..) => (Eq, 1),
            (b'!', b'=', _) => (BangEq, 2), (b'!', ..) => (Bang, 1),
            (b'<', b'<', b'=') => (ShlEq, 3), (b'<', b'<', _) => (Shl, 2), (b'<', b'=', _) => (Le, 2),
            (b'<', b':', _) => (LBracket, 2), (b'<', b'%', _) => (LBrace, 2), (b'<', ..) => (Lt, 1),
            (b'>', b'>', b'=') => (ShrEq, 3), (b'>', b'>', _) => (Shr, 2), (b'>', b'=', _) => (Ge, 2),
            (b'>', ..) => (Gt, 1), (b'#', ..) => (Hash, 1),
            _ => return self.junk(),
        };
        let lo = self.pos;
        self.pos += len;
        self.push(kind, lo);
    }

    /// A character that a text processor has put in place of `meant`, which it is taken for.
    fn typographic(&mut self, c: char, meant: char) {
        let lo = self.pos;
        self.pos += c.len_utf8();
        let edit =
            |lo: usize, hi| Edit::replace(Span::new(lo as u32, hi as u32), meant.to_string());
        let mut edits = vec![edit(lo, self.pos)];
        match meant {
            '"' | '\'' => {
                let line = self.text[self.pos..].lines().next().unwrap_or_default();
                let is_end = |c: char| c == meant || typed_as(c) == Some(meant);
                let Some(at) = line.find(is_end) else { return self.unknown(lo) };
                let end = self.pos + at;
                self.pos = end + line[at..].chars().next().map_or(0, char::len_utf8);
                edits.push(edit(end, self.pos));
                self.push(if meant == '"' { Tok::StrLit } else { Tok::CharLit }, lo);
            }
            '-' => self.push(Tok::Minus, lo),
            _ => {}
        }
        self.n_errors += 1;
        if self.n_errors <= MAX_ERRORS {
            let title = format!("C has no character `{}` (U+{:04X})", c.escape_debug(), c as u32);
            let what = if meant == ' ' { "a blank".to_string() } else { format!("`{meant}`") };
            self.diags.push(
                Diagnostic::error(codes::E0101, Span::new(lo as u32, self.pos as u32), title)
                    .label("as text processors and web pages have it")
                    .fix(format!("write {what}"), edits),
            );
        }
    }

    /// One message for a whole run of characters that C does not have.
    fn junk(&mut self) {
        let lo = self.pos;
        let first = self.text[lo..].chars().next();
        if let Some((c, meant)) = first.and_then(|c| Some((c, typed_as(c)?))) {
            return self.typographic(c, meant);
        }
        for c in self.text[lo..].chars() {
            let known = c.is_ascii_graphic() && !matches!(c, '@' | '`' | '\\') || c.is_alphabetic();
            if known || c.is_ascii_whitespace() {
                break;
            }
            self.pos += c.len_utf8();
        }
        self.unknown(lo);
    }

    fn unknown(&mut self, lo: usize) {
        let shown: String = self.text[lo..self.pos].chars().take(8).collect();
        let shown = shown.escape_debug();
        self.error(lo, self.pos, format!("C has no character `{shown}`"), "remove it");
    }
}

/// The character of C that is typed, and changed by a text processor into `c`.
fn typed_as(c: char) -> Option<char> {
    Some(match c {
        '\u{201c}'..='\u{201f}' | '\u{ab}' | '\u{bb}' => '"',
        '\u{2018}'..='\u{201b}' | '\u{b4}' => '\'',
        '\u{2010}'..='\u{2015}' | '\u{2212}' => '-',
        '\u{a0}' | '\u{2000}'..='\u{200b}' | '\u{202f}' | '\u{3000}' | '\u{feff}' => ' ',
        _ => return None,
    })
}
