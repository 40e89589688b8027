// SPDX-License-Identifier: BSD-3-Clause
//! Macros, and their expansion (C17 §6.10.3), by Prosser's algorithm: each token carries the names
//! that it came from, which are not expanded in it again.
//!
//! A token knows where it is written in the source, if it is: an argument keeps its place, what a
//! macro's body adds has none.

use crate::pieces::{comment_end, line_end, quoted_end, BYTE_ORDER_MARK};
use rustc_hash::FxHashMap;
use std::collections::VecDeque;
use std::rc::Rc;

/// No expansion is longer: macros that double each other must not exhaust the memory.
const MAX_TOKENS: usize = 200_000;

#[derive(Clone, Debug)]
pub struct Macro {
    pub name: Rc<str>,
    /// Of a macro with parameters; the last one takes the rest if it is variadic.
    pub params: Option<Vec<Rc<str>>>,
    pub is_variadic: bool,
    body: Vec<Token>,
    /// As written, without the word `define`.
    pub text: String,
    /// Where it is defined, as line markers have it.
    pub file: String,
    pub line: u32,
}

pub type Macros = FxHashMap<Rc<str>, Rc<Macro>>;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Kind {
    Word,
    Space,
    Other,
}

#[derive(Clone, Debug)]
struct Token {
    text: Rc<str>,
    kind: Kind,
    /// White space stands before it.
    spaced: bool,
    /// Its first byte in the source.
    at: Option<u32>,
    hidden: Option<Rc<Hidden>>,
}

/// Names that a token came from.
#[derive(Debug)]
struct Hidden {
    name: Rc<str>,
    outer: Option<Rc<Hidden>>,
}

fn is_hidden(mut hidden: &Option<Rc<Hidden>>, name: &str) -> bool {
    while let Some(link) = hidden {
        if &*link.name == name {
            return true;
        }
        hidden = &link.outer;
    }
    false
}

impl Macro {
    /// `NAME body` or `NAME(a, b) body`.
    pub fn read(definition: &str, file: &str, line: u32) -> Option<Macro> {
        let text = definition.trim_end();
        let (name, end) = scan(text, 0)?;
        if name.kind != Kind::Word {
            return None;
        }
        let (mut params, mut is_variadic, mut at) = (None, false, end);
        if text[at..].starts_with('(') {
            let close = at + text[at..].find(')')?;
            let mut names: Vec<Rc<str>> = Vec::new();
            for name in text[at + 1..close].split(',').map(str::trim).filter(|n| !n.is_empty()) {
                is_variadic = name.ends_with("...");
                let name = name.trim_end_matches("...").trim();
                names.push(if name.is_empty() { "__VA_ARGS__".into() } else { name.into() });
            }
            (params, at) = (Some(names), close + 1);
        }
        let mut body = tokens(text, at);
        body.iter_mut().for_each(|token| token.at = None);
        let (text, file) = (text.to_string(), file.to_string());
        Some(Macro { name: name.text, params, is_variadic, body, text, file, line })
    }
}

/// The tokens of `text` from `at` on, without white space.
fn tokens(text: &str, mut at: usize) -> Vec<Token> {
    let (mut out, mut spaced) = (Vec::new(), false);
    while let Some((token, end)) = scan(text, at) {
        at = end;
        match token.kind {
            Kind::Space => spaced = true,
            _ => out.push(Token { spaced: std::mem::take(&mut spaced), ..token }),
        }
    }
    out
}

/// The preprocessing token at `at`, or white space, and its end.
fn scan(text: &str, at: usize) -> Option<(Token, usize)> {
    let bytes = text.as_bytes();
    let (kind, end) = extent(bytes, at)?;
    let end = (end..=text.len()).find(|&end| text.is_char_boundary(end)).unwrap_or(text.len());
    let text = text[at..end].into();
    Some((Token { text, kind, spaced: false, at: Some(at as u32), hidden: None }, end))
}

pub(crate) fn is_word_byte(b: u8) -> bool {
    b.is_ascii_alphanumeric() || b == b'_' || b == b'$' || b >= 0x80
}

fn word_end(bytes: &[u8], mut at: usize) -> usize {
    while bytes.get(at).is_some_and(|&b| is_word_byte(b)) {
        at += 1;
    }
    at
}

fn number_end(bytes: &[u8], mut at: usize) -> usize {
    while let Some(&b) = bytes.get(at) {
        let is_sign =
            matches!(b, b'+' | b'-') && matches!(bytes[at - 1], b'e' | b'E' | b'p' | b'P');
        if !(is_word_byte(b) || b == b'.' || is_sign) {
            break;
        }
        at += 1;
    }
    at
}

fn extent(bytes: &[u8], at: usize) -> Option<(Kind, usize)> {
    let next = bytes.get(at + 1).copied().unwrap_or(0);
    Some(match *bytes.get(at)? {
        b'/' if next == b'*' => (Kind::Space, comment_end(bytes, at)),
        b'/' if next == b'/' => (Kind::Space, line_end(bytes, at)),
        b'\\' if matches!(next, b'\n' | b'\r') => (Kind::Space, at + 2),
        b if b.is_ascii_whitespace() || b == 0x0b => (Kind::Space, at + 1),
        _ if at == 0 && bytes.starts_with(BYTE_ORDER_MARK.as_bytes()) => {
            (Kind::Space, BYTE_ORDER_MARK.len())
        }
        b'"' | b'\'' => (Kind::Other, quoted_end(bytes, at)),
        b'0'..=b'9' => (Kind::Other, number_end(bytes, at + 1)),
        b'.' if next.is_ascii_digit() => (Kind::Other, number_end(bytes, at + 1)),
        b if is_word_byte(b) => (Kind::Word, word_end(bytes, at)),
        _ => (Kind::Other, punctuator_end(bytes, at)),
    })
}

fn punctuator_end(bytes: &[u8], at: usize) -> usize {
    const LONG: [&[u8]; 24] = [
        b"<<=", b">>=", b"...", b"->", b"++", b"--", b"<<", b">>", b"<=", b">=", b"==", b"!=",
        b"&&", b"||", b"*=", b"/=", b"%=", b"+=", b"-=", b"&=", b"^=", b"|=", b"##", b"<:",
    ];
    let found = LONG.iter().find(|long| bytes[at..].starts_with(long));
    at + found.map_or(1, |long| long.len())
}

/// A part of the expanded text, and where it is written: `at` and `source_len` bytes of the
/// source. They are the part itself if `is_exact`, else the use of the macro that it came from.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Part {
    pub out: u32,
    pub len: u32,
    pub at: u32,
    pub source_len: u32,
    pub is_exact: bool,
}

/// A use of a macro in the source.
#[derive(Clone, Debug)]
pub struct Use {
    pub at: u32,
    pub len: u32,
    pub definition: Rc<Macro>,
    /// What it became, in the expanded text.
    pub out: (u32, u32),
}

/// Expands `source[from..to]` to the end of `out`.
pub fn expand(
    source: &str,
    (from, to): (usize, usize),
    macros: &Macros,
    out: &mut String,
    parts: &mut Vec<Part>,
    uses: &mut Vec<Use>,
) {
    let text = &source[..to];
    let bytes = text.as_bytes();
    let (mut copied, mut at, mut line_begins) = (from, from, true);
    while at < to {
        if line_begins && bytes[at] == b'#' {
            at = line_end(bytes, at);
            continue;
        }
        let Some((kind, end)) = extent(bytes, at) else { break };
        line_begins = bytes[at] == b'\n' || line_begins && kind == Kind::Space;
        if kind == Kind::Space && is_unknown_after_preprocessing(&text[at..end]) {
            copy(source, copied, at, out, parts);
            out.extend(text[at..end].matches('\n'));
            (copied, at) = (end, end);
            continue;
        }
        let found = (kind == Kind::Word).then(|| macros.get(&text[at..end])).flatten();
        let Some(found) = found.filter(|m| m.params.is_none() || opens(bytes, end)) else {
            at = end;
            continue;
        };
        copy(source, copied, at, out, parts);
        let start = out.len();
        let mut stream = Stream { pending: VecDeque::new(), source: Some((text, at)), macros };
        stream.expand_first(out, parts, (at as u32, (end - at) as u32));
        let len = (end - at) as u32;
        let range = (start as u32, out.len() as u32);
        uses.push(Use { at: at as u32, len, definition: found.clone(), out: range });
        let rest = stream.source.map_or(end, |(_, rest)| rest);
        let newlines = text[at..rest].matches('\n').count();
        out.extend(std::iter::repeat_n('\n', newlines));
        (copied, at) = (rest, rest);
    }
    copy(source, copied, to, out, parts);
}

/// White space that the compiler does not take for some, since preprocessing has removed it: the mark
/// of UTF-8 at the begin of a file, and comments to the end of lines that go on in the next one.
fn is_unknown_after_preprocessing(space: &str) -> bool {
    space == BYTE_ORDER_MARK || space.starts_with("//") && space.contains('\n')
}

fn copy(source: &str, from: usize, to: usize, out: &mut String, parts: &mut Vec<Part>) {
    if from < to {
        let len = (to - from) as u32;
        let (out_at, at) = (out.len() as u32, from as u32);
        parts.push(Part { out: out_at, len, at, source_len: len, is_exact: true });
        *out += &source[from..to];
    }
}

/// Does a parenthesis open after `at`?
fn opens(bytes: &[u8], mut at: usize) -> bool {
    while let Some((Kind::Space, end)) = extent(bytes, at) {
        at = end;
    }
    bytes.get(at) == Some(&b'(')
}

/// Tokens to be expanded: those that expansions have left, then those of the source, if any.
struct Stream<'a> {
    pending: VecDeque<Token>,
    source: Option<(&'a str, usize)>,
    macros: &'a Macros,
}

impl Stream<'_> {
    /// Expands the macro that stands next in the source, and what that leads to, into `out`.
    fn expand_first(&mut self, out: &mut String, parts: &mut Vec<Part>, (at, len): (u32, u32)) {
        let first = self.take_source();
        self.pending.extend(first);
        let mut n_tokens = 0;
        while let Some(token) = self.pending.pop_front() {
            n_tokens += 1;
            if n_tokens > MAX_TOKENS || self.pending.len() > MAX_TOKENS {
                break;
            }
            if self.expanded(&token) {
                continue;
            }
            // Blanks keep what stands beside each other from becoming one token.
            out.push(' ');
            let (place, source_len, is_exact) = match token.at {
                Some(own) => (own, token.text.len() as u32, true),
                None => (at, len, false),
            };
            let (start, len) = (out.len() as u32, token.text.len() as u32);
            parts.push(Part { out: start, len, at: place, source_len, is_exact });
            *out += &token.text;
        }
        out.push(' ');
    }

    fn take_source(&mut self) -> Option<Token> {
        let (text, at) = self.source.as_mut()?;
        let mut spaced = false;
        loop {
            let (token, end) = scan(text, *at)?;
            *at = end;
            if token.kind != Kind::Space {
                return Some(Token { spaced, ..token });
            }
            spaced = true;
        }
    }

    fn next(&mut self) -> Option<Token> {
        self.pending.pop_front().or_else(|| self.take_source())
    }

    /// Is the next token a parenthesis that opens?
    fn opens(&self) -> bool {
        match (self.pending.front(), self.source) {
            (Some(token), _) => &*token.text == "(",
            (None, Some((text, at))) => opens(text.as_bytes(), at),
            (None, None) => false,
        }
    }

    /// Replaces `token` by what it stands for, if it stands for something.
    fn expanded(&mut self, token: &Token) -> bool {
        if token.kind != Kind::Word || is_hidden(&token.hidden, &token.text) {
            return false;
        }
        let Some(found) = self.macros.get(&*token.text).cloned() else { return false };
        let arguments = match &found.params {
            None => Vec::new(),
            Some(_) if !self.opens() => return false,
            Some(params) => match self.arguments(params.len(), found.is_variadic) {
                Some(arguments) => arguments,
                None => return false,
            },
        };
        let hidden =
            Some(Rc::new(Hidden { name: found.name.clone(), outer: token.hidden.clone() }));
        let body = substitute(&found, &arguments, &hidden, self.macros);
        for token in body.into_iter().rev() {
            self.pending.push_front(token);
        }
        true
    }

    /// The arguments in parentheses; nothing, and no token taken, if they do not end.
    fn arguments(&mut self, n_params: usize, is_variadic: bool) -> Option<Vec<Vec<Token>>> {
        let (mut taken, source) = (Vec::new(), self.source);
        let (mut arguments, mut depth) = (vec![Vec::new()], 0usize);
        while let Some(token) = self.next() {
            taken.push(token.clone());
            match &*token.text {
                "(" => depth += 1,
                ")" => depth -= 1,
                "," if depth == 1 && !(is_variadic && arguments.len() == n_params) => {
                    arguments.push(Vec::new());
                    continue;
                }
                _ => {}
            }
            if depth == 0 {
                arguments.resize(n_params.max(arguments.len()), Vec::new());
                return Some(arguments);
            }
            if depth > 1 || &*token.text != "(" {
                arguments.last_mut()?.push(token);
            }
            if taken.len() > MAX_TOKENS {
                break;
            }
        }
        // Tokens of the source are read again from there.
        self.source = source;
        let n_pending = if source.is_some() { 0 } else { taken.len() };
        self.pending.extend(taken.into_iter().take(n_pending));
        None
    }
}

/// The body with arguments in place of parameters; all of it gets the names `hidden`.
fn substitute(
    definition: &Macro,
    arguments: &[Vec<Token>],
    hidden: &Option<Rc<Hidden>>,
    macros: &Macros,
) -> Vec<Token> {
    let argument = |token: &Token| -> Option<&Vec<Token>> {
        let params = definition.params.as_ref()?;
        arguments.get(params.iter().position(|param| *param == token.text)?)
    };
    let body = &definition.body;
    let (mut out, mut n): (Vec<Token>, usize) = (Vec::new(), 0);
    while let Some(token) = body.get(n) {
        let is = |n: usize, text: &str| body.get(n).is_some_and(|t| &*t.text == text);
        n += 1;
        if definition.params.is_some() && &*token.text == "#" {
            if let Some(argument) = body.get(n).and_then(argument) {
                out.push(string(argument));
                n += 1;
                continue;
            }
        }
        if &*token.text == "##" && !out.is_empty() {
            let Some(right) = body.get(n) else { break };
            n += 1;
            let right_tokens = argument(right).cloned().unwrap_or_else(|| vec![right.clone()]);
            let is_rest = definition.is_variadic && argument(right).is_some();
            match (is_rest && out.last().is_some_and(|t| &*t.text == ","), right_tokens.is_empty())
            {
                // GNU: `, ## __VA_ARGS__` is nothing if there are no arguments.
                (true, true) => drop(out.pop()),
                (true, false) => out.extend(right_tokens),
                (false, _) => paste(&mut out, right_tokens),
            }
            continue;
        }
        match argument(token) {
            Some(argument) if is(n, "##") => match argument.is_empty() {
                // Nothing to paste to: what follows stands alone.
                true => n += 1,
                false => out.extend(argument.iter().cloned()),
            },
            Some(argument) => out.extend(expand_all(argument, macros)),
            None => out.push(token.clone()),
        }
    }
    for token in &mut out {
        token.hidden = join(&token.hidden, hidden);
    }
    out
}

/// `hidden`, and the names that `own` has besides.
fn join(own: &Option<Rc<Hidden>>, hidden: &Option<Rc<Hidden>>) -> Option<Rc<Hidden>> {
    let Some(link) = own else { return hidden.clone() };
    let outer = join(&link.outer, hidden);
    match is_hidden(&outer, &link.name) {
        true => outer,
        false => Some(Rc::new(Hidden { name: link.name.clone(), outer })),
    }
}

fn expand_all(tokens: &[Token], macros: &Macros) -> Vec<Token> {
    let mut stream = Stream { pending: tokens.iter().cloned().collect(), source: None, macros };
    let mut out = Vec::new();
    while let Some(token) = stream.pending.pop_front() {
        if out.len() > MAX_TOKENS || stream.pending.len() > MAX_TOKENS {
            break;
        }
        if !stream.expanded(&token) {
            out.push(token);
        }
    }
    out
}

fn string(argument: &[Token]) -> Token {
    let mut text = String::from("\"");
    for (n, token) in argument.iter().enumerate() {
        if n > 0 && token.spaced {
            text.push(' ');
        }
        match token.text.starts_with(['"', '\'']) {
            true => text += &token.text.replace('\\', "\\\\").replace('"', "\\\""),
            false => text += &token.text,
        }
    }
    let text = (text + "\"").into();
    Token { text, kind: Kind::Other, spaced: true, at: None, hidden: None }
}

fn paste(out: &mut Vec<Token>, right: Vec<Token>) {
    let mut right = right.into_iter();
    let Some(first) = right.next() else { return };
    let Some(left) = out.pop() else { return };
    let text: Rc<str> = format!("{}{}", left.text, first.text).into();
    let kind =
        match text.bytes().all(is_word_byte) && !text.starts_with(|c: char| c.is_ascii_digit()) {
            true => Kind::Word,
            false => Kind::Other,
        };
    out.push(Token { text, kind, spaced: left.spaced, at: None, hidden: None });
    out.extend(right);
}

#[cfg(test)]
mod tests {
    use super::*;

    fn macros(definitions: &[&str]) -> Macros {
        let read = |d: &&str| Rc::new(Macro::read(d, "a.upc", 1).unwrap());
        definitions.iter().map(read).map(|m| (m.name.clone(), m)).collect()
    }

    fn expanded(source: &str, definitions: &[&str]) -> (String, Vec<Part>) {
        let (mut out, mut parts, mut uses) = (String::new(), Vec::new(), Vec::new());
        let all = (0, source.len());
        expand(source, all, &macros(definitions), &mut out, &mut parts, &mut uses);
        (out, parts)
    }

    /// The words of the expansion.
    fn words(source: &str, definitions: &[&str]) -> String {
        let text = expanded(source, definitions).0;
        text.split_whitespace().collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn the_examples_of_the_standard() {
        // C17 §6.10.3.5, examples 3 and 7.
        let definitions = [
            "x 2",
            "f(a) f(x * (a))",
            "g f",
            "z z[0]",
            "h g(~",
            "m(a) a(w)",
            "w 0,1",
            "t(a) a",
            "p() int",
            "q(x) x",
            "r(x,y) x ## y",
            "str(x) # x",
        ];
        assert_eq!(
            words("f(y+1) + f(f(z)) % t(t(g)(0) + t)(1);", &definitions),
            "f ( 2 * ( y + 1 ) ) + f ( 2 * ( f ( 2 * ( z [ 0 ] ) ) ) ) % f ( 2 * ( 0 ) ) + t (1);"
        );
        assert_eq!(
            words("p() i[q()] = { q(1), r(2,3), r(4,), r(,5), r(,) };", &definitions),
            "int i[ ] = { 1 , 23 , 4 , 5 , };"
        );
        assert_eq!(
            words("char c[2][6] = { str(hello), str() };", &definitions),
            "char c[2][6] = { \"hello\" , \"\" };"
        );
        assert_eq!(
            words("show(a, b); show();", &["show(...) puts(#__VA_ARGS__)"]),
            "puts ( \"a, b\" ) ; puts ( \"\" ) ;"
        );
        assert_eq!(
            words("log(1); log(1, 2);", &["log(f, ...) l(f, ## __VA_ARGS__)"]),
            "l ( 1 ) ; l ( 1 , 2 ) ;"
        );
    }

    #[test]
    fn strings_comments_and_numbers_are_left_alone() {
        let source = "\"N\" /* N */ 0xN 'N' // N\n#pragma N\nN";
        assert_eq!(words(source, &["N 3"]), "\"N\" /* N */ 0xN 'N' // N #pragma N 3");
    }

    #[test]
    fn what_preprocessing_removes_is_removed() {
        assert_eq!(words("\u{feff}int N;", &["N 3"]), "int 3 ;");
        let (out, parts) = expanded("a // b \\\n it goes on\nc", &[]);
        assert_eq!(out, "a \n\nc");
        assert_eq!(parts.last().map(|part| part.at), Some(20));
    }

    #[test]
    fn arguments_keep_their_places() {
        let source = "y = MAX(a[i], b);";
        let (out, parts) = expanded(source, &["MAX(p, q) ((p) > (q) ? (p) : (q))"]);
        let part = |text: &str| {
            parts.iter().find(|p| out[p.out as usize..(p.out + p.len) as usize] == *text)
        };
        let exact = part("i").unwrap();
        assert!(exact.is_exact && exact.at == 10);
        let made = part("?").unwrap();
        assert_eq!((made.is_exact, made.at, made.source_len), (false, 4, 3));
    }

    #[test]
    fn what_does_not_end_is_left_alone() {
        assert_eq!(words("f(a; b", &["f(x) x"]), "f (a; b");
        assert_eq!(words("a", &["a b b", "b a a"]), "a a a a");
        let many: Vec<String> = (0..60).map(|n| format!("m{n} m{} m{}", n + 1, n + 1)).collect();
        let many: Vec<&str> = many.iter().map(String::as_str).collect();
        assert!(expanded("m0", &many).0.len() < 10_000_000);
        assert_eq!(words("é f", &["f ü"]), "é ü");
    }

    #[test]
    fn lines_stay() {
        let (out, _) = expanded("f(a,\n b)\nc", &["f(x, y) x"]);
        assert_eq!(out.matches('\n').count(), 2);
    }
}
