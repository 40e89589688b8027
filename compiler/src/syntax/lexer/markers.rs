// SPDX-License-Identifier: BSD-3-Clause
//! What stands on lines of its own: line markers and pragmas.
//!
//! Markers are GCC's (`# 12 "file.c" 1 3`, flags: 1 enter, 2 return, 3 system header) or `#line`.

use super::{Lexer, UpcPragma};
use crate::diag::{codes, Diagnostic};
use crate::span::{FileId, LineMap, Region, SourceFile, Span};
use crate::syntax::ast::{Builtin, Consistency, Machine};
use rustc_hash::FxHashMap;

/// The line map under construction, with the stack of open includes.
pub struct Files {
    map: LineMap,
    numbers: FxHashMap<String, FileId>,
    current: FileId,
    /// The current place is between `#pragma upc c_code` and `upc_code`.
    in_c: bool,
    /// The files that include the current one, and whether that is done from C.
    stack: Vec<(FileId, bool)>,
    /// Something else than words shows that this is UPC: a name or a pragma.
    is_certain: bool,
    is_upc_unit: bool,
}

impl Files {
    pub fn new(text: &str) -> Files {
        let mut files = Files {
            map: LineMap::default(),
            numbers: FxHashMap::default(),
            current: FileId(0),
            in_c: false,
            stack: Vec::new(),
            is_certain: false,
            is_upc_unit: true,
        };
        let first_line = text.lines().next().unwrap_or("");
        let name = match parse_marker(first_line.as_bytes()) {
            Some(marker) => marker.name.unwrap_or_default(),
            None => "<stdin>".to_string(),
        };
        files.current = files.file(name, false);
        files.is_certain |= !files.map.files[0].name.ends_with(".c");
        files.map.regions.push(Region { start: 0, file: files.current, line: 1, is_quiet: false });
        files.map.line_starts.push(0);
        files
    }

    pub fn line_begins(&mut self, offset: u32) {
        self.map.line_starts.push(offset);
    }

    /// Whether the words of UPC are keywords in the current file.
    pub fn reserves_upc(&self) -> bool {
        let file = self.map.file(self.current);
        !self.in_c && (!file.is_system || is_ours(&file.name))
    }

    pub fn is_in_c(&self) -> bool {
        self.in_c
    }

    /// From here on to the end of this file, the text is C, or UPC again.
    pub fn switch_language(&mut self, to_c: bool) {
        self.in_c = to_c;
    }

    /// The file of the text at `offset`.
    pub fn file_of(&self, offset: u32) -> FileId {
        self.map.region(offset).file
    }

    pub fn is_system(&self, file: FileId) -> bool {
        self.map.file(file).is_system
    }

    /// Whether the file is a header by its name, and not what is compiled.
    pub fn is_header(&self, file: FileId) -> bool {
        file != FileId(0) && self.map.file(file).name.ends_with(".h")
    }

    pub fn is_certain(&self) -> bool {
        self.is_certain
    }

    pub fn mark_certain(&mut self) {
        self.is_certain = true;
    }

    /// Decides whether the unit is UPC, now that all of it is known.
    pub fn settle(&mut self, is_upc: bool) {
        self.is_upc_unit = is_upc;
    }

    pub fn is_upc_unit(&self) -> bool {
        self.is_upc_unit
    }

    pub fn finish(self) -> LineMap {
        self.map
    }

    fn file(&mut self, name: String, is_system: bool) -> FileId {
        if let Some(&id) = self.numbers.get(&name) {
            return id;
        }
        let id = FileId(self.map.files.len() as u32);
        self.is_certain |= is_ours(&name) || name.ends_with(".uph");
        self.numbers.insert(name.clone(), id);
        self.map.files.push(SourceFile { name, is_system });
        id
    }

    fn marker(&mut self, marker: Marker, start: u32) {
        if let Some(name) = marker.name {
            // A later flag 3 only says that the next tokens come from a system header's macro.
            let file = self.file(name, marker.system);
            match marker.flow {
                Flow::Enter => {
                    self.stack.push((self.current, self.in_c));
                }
                Flow::Return => {
                    while let Some((outer, in_c)) = self.stack.pop() {
                        self.in_c = in_c;
                        if outer == file {
                            break;
                        }
                    }
                }
                Flow::Stay => {}
            }
            self.current = file;
        }
        let Marker { line, system: is_quiet, .. } = marker;
        self.map.regions.push(Region { start, file: self.current, line, is_quiet });
    }
}

/// Is it a header of UPC, by its name?
fn is_ours(name: &str) -> bool {
    let base = name.rsplit('/').next().unwrap_or("");
    base.starts_with("upc") || base.starts_with("bupc")
}

enum Flow {
    Stay,
    Enter,
    Return,
}

struct Marker {
    line: u32,
    name: Option<String>,
    flow: Flow,
    system: bool,
}

/// `# 12 "name" flags` or `#line 12 "name"`, without the newline.
fn parse_marker(line: &[u8]) -> Option<Marker> {
    let rest = line.strip_prefix(b"#")?.trim_ascii_start();
    let rest = rest.strip_prefix(b"line").unwrap_or(rest).trim_ascii_start();
    let n_digits = rest.iter().take_while(|b| b.is_ascii_digit()).count();
    let number: u32 = std::str::from_utf8(&rest[..n_digits]).ok()?.parse().ok()?;
    let rest = rest[n_digits..].trim_ascii();
    let mut marker = Marker { line: number, name: None, flow: Flow::Stay, system: false };
    if let Some(quoted) = rest.strip_prefix(b"\"") {
        let (name, flags) = unescape(quoted)?;
        marker.name = Some(name);
        for flag in flags.split(|b| *b == b' ') {
            match flag {
                b"1" => marker.flow = Flow::Enter,
                b"2" => marker.flow = Flow::Return,
                b"3" => marker.system = true,
                _ => {}
            }
        }
    }
    Some(marker)
}

/// The file name up to its closing quote, and what follows that.
fn unescape(quoted: &[u8]) -> Option<(String, &[u8])> {
    let mut name = Vec::new();
    let mut i = 0;
    loop {
        match *quoted.get(i)? {
            b'"' => break,
            b'\\' if quoted.get(i + 1).is_some_and(|b| matches!(b, b'0'..=b'7')) => {
                let digits =
                    quoted[i + 1..].iter().take(3).take_while(|b| matches!(b, b'0'..=b'7'));
                let (n, value) =
                    digits.fold((0, 0u32), |(n, v), b| (n + 1, v * 8 + u32::from(b - b'0')));
                name.push(value as u8);
                i += n;
            }
            b'\\' => {
                i += 1;
                name.push(*quoted.get(i)?);
            }
            b => name.push(b),
        }
        i += 1;
    }
    Some((String::from_utf8_lossy(&name).into_owned(), &quoted[i + 1..]))
}

impl Lexer<'_> {
    /// Takes the lines from here on that are directives.
    pub(super) fn line_start(&mut self) {
        loop {
            let lo = self.pos;
            let blanks = self.bytes[lo..].iter().take_while(|b| matches!(b, b' ' | b'\t')).count();
            if self.bytes.get(lo + blanks) != Some(&b'#') {
                return;
            }
            let bytes = self.bytes;
            let len = bytes[lo..].iter().position(|&b| b == b'\n').unwrap_or(bytes.len() - lo);
            let line = &bytes[lo + blanks..lo + len];
            let after = (lo + len + 1).min(bytes.len()) as u32;
            if let Some(marker) = parse_marker(line) {
                self.files.marker(marker, after);
            } else if let Some(pragma) = pragma_text(line) {
                let span = Span::new((lo + blanks) as u32, (lo + len) as u32);
                self.pragma(pragma, span);
            } else if let Some(name) = reserved_macro(line) {
                let span = Span::new((lo + blanks) as u32, (lo + len) as u32);
                self.reserved.push((Reserved::Macro(name), span));
                self.obeyed.push(span);
            } else if let Some(name) = reserved_test(line) {
                let hi = lo + len;
                self.reserved
                    .push((Reserved::Test(name), Span::new((hi - name.len()) as u32, hi as u32)));
                self.obeyed.push(Span::new((lo + blanks) as u32, hi as u32));
            } else if !is_ident_directive(line) {
                return;
            }
            self.pos = lo + len;
            if self.pos == bytes.len() {
                return;
            }
            self.newline();
        }
    }

    /// What directives make of the language's names, in a unit of UPC.
    pub(super) fn report_reserved(&mut self) {
        let is_upc = self.upc && self.files.is_upc_unit();
        for (use_, span) in std::mem::take(&mut self.reserved).into_iter().filter(|_| is_upc) {
            self.diags.push(match use_ {
                Reserved::Macro(name) => macro_of_reserved(name, span),
                Reserved::Test(name) => test_of_reserved(name, span),
            });
        }
    }

    /// `_Pragma("...")`, which a preprocessor usually has made a line of its own.
    pub(super) fn pragma_operator(&mut self, lo: usize) {
        let len = self.bytes[self.pos..].iter().take_while(|&&b| b != b'\n' && b != b')').count();
        let hi = self.pos + len + usize::from(self.bytes.get(self.pos + len) == Some(&b')'));
        let text: Vec<u8> = self.bytes[self.pos..self.pos + len]
            .iter()
            .copied()
            .filter(|b| !matches!(b, b'"' | b'('))
            .collect();
        self.pos = hi;
        self.pragma(&text, Span::new(lo as u32, hi as u32));
    }

    /// UPC 1.3 §6.7.1, and pragmas of Berkeley UPC. `text` follows the word `pragma`.
    fn pragma(&mut self, text: &[u8], span: Span) {
        let words: Vec<&[u8]> =
            text.split(u8::is_ascii_whitespace).filter(|w| !w.is_empty()).take(3).collect();
        let consistency = match words[..] {
            _ if !self.upc => return self.other_pragmas.push((self.tokens.len(), span)),
            [b"upc", b"strict"] => Consistency::Strict,
            [b"upc", b"relaxed"] => Consistency::Relaxed,
            [b"upc", language @ (b"c_code" | b"upc_code")] => {
                return self.switch_language(language == b"c_code", span)
            }
            // Says where that compiler's driver may put text of its own; ours does not.
            [b"detect_upc", b"suspend_insertion" | b"resume_insertion"] => {
                return self.obeyed.push(span)
            }
            [b"furlong", what @ (b"language" | b"machine" | b"char" | b"wchar_t"), value] => {
                return self.target(what, value, span)
            }
            [b"upc", ..] => return self.unknown_pragma(span),
            _ => return self.other_pragmas.push((self.tokens.len(), span)),
        };
        self.files.mark_certain();
        self.pragmas.push(UpcPragma { before: self.tokens.len(), span, consistency });
    }

    /// `#pragma upc c_code`: the words of UPC are names up to `#pragma upc upc_code` or the end of
    /// the file.
    fn switch_language(&mut self, to_c: bool, span: Span) {
        if !to_c {
            self.files.mark_certain();
        }
        self.files.switch_language(to_c);
        self.obeyed.push(span);
    }

    /// The C compiler's answers to runtime/include/furlong/target.h.
    fn target(&mut self, what: &[u8], value: &[u8], span: Span) {
        self.obeyed.push(span);
        match (what, value) {
            (b"machine", b"x86-64") => self.target.machine = Machine::X86_64,
            (b"machine", b"arm64") => self.target.machine = Machine::Arm64,
            (b"char", b"signed") => self.target.is_char_signed = true,
            (b"char", b"unsigned") => self.target.is_char_signed = false,
            (b"language", b"c23") => self.target.is_c23 = true,
            (b"wchar_t", b"signed") => self.target.wide_char = Builtin::Int,
            (b"wchar_t", b"unsigned") => self.target.wide_char = Builtin::UInt,
            (b"wchar_t", b"short") => self.target.wide_char = Builtin::UShort,
            _ => self.diags.push(
                Diagnostic::error(
                    codes::E0505,
                    span,
                    "the C compiler makes code for a machine that Furlong does not support",
                )
                .help(
                    "x86-64 and arm64 are supported, in their 64-bit little-endian forms \
                     (not -m32, -mx32, -mabi=ilp32): choose another compiler by -cc",
                ),
            ),
        }
    }

    fn unknown_pragma(&mut self, span: Span) {
        self.files.mark_certain();
        self.diags.push(
            Diagnostic::warning(codes::W0105, span, "this `#pragma upc` is not understood")
                .label("ignored")
                .note(
                    "UPC 1.3 §6.7.1p1: the forms are `#pragma upc strict` and `#pragma upc relaxed`",
                )
                .help(
                    "write one of them, or `c_code` or `upc_code`, and nothing else on the line",
                ),
        );
        self.obeyed.push(span);
    }
}

/// A directive that names THREADS or MYTHREAD.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Reserved {
    /// It defines or undefines it as a macro.
    Macro(&'static str),
    /// It is an `#if` that takes the name for 0.
    Test(&'static str),
}

fn macro_of_reserved(name: &str, span: Span) -> Diagnostic {
    let (what, help) = match name {
        "MYTHREAD" => ("the number of the calling thread", "choose another name"),
        _ => (
            "the number of threads",
            "remove it: `upcrun -n` says how many threads there are, and `upcc -T=` makes that \
             number constant",
        ),
    };
    Diagnostic::warning(codes::W0108, span, format!("a macro named `{name}`"))
        .label(format!("from here on `{name}` is not {what}"))
        .note("UPC 1.3 §6.3, §6.7.2: the name is the language's, and programs do not define it")
        .help(help)
}

fn test_of_reserved(name: &str, span: Span) -> Diagnostic {
    let (note, help) = match name {
        "MYTHREAD" => (
            "UPC 1.3 §6.3.2: each thread has another value, when the program runs",
            "use `if (MYTHREAD == ...)` in a function",
        ),
        _ => (
            "UPC 1.3 §6.3.1, §6.7.2: THREADS is a macro only in a program compiled for a fixed \
             number of threads",
            "compile with `-T=<threads>`, ask `#ifdef __UPC_STATIC_THREADS__` first, or use `if` in \
             a function",
        ),
    };
    Diagnostic::warning(codes::W0109, span, format!("the preprocessor takes `{name}` for 0"))
        .label("not a macro, so 0 in `#if`")
        .note(note)
        .help(help)
}

fn pragma_text(line: &[u8]) -> Option<&[u8]> {
    line.strip_prefix(b"#")?.trim_ascii_start().strip_prefix(b"pragma")
}

/// The expressions of the language whose names could be those of macros.
pub const RESERVED: [&str; 2] = ["MYTHREAD", "THREADS"];

/// The name of the language that the directive `line` defines as a macro, or undefines. Preprocessed
/// text has such lines if the preprocessor was asked for definitions.
pub fn reserved_macro(line: &[u8]) -> Option<&'static str> {
    let words = line.strip_prefix(b"#")?.trim_ascii_start();
    let rest = words.strip_prefix(b"define").or(words.strip_prefix(b"undef"))?.trim_ascii_start();
    let is_name = |b: &u8| b.is_ascii_alphanumeric() || *b == b'_';
    let len = rest.iter().take_while(|b| is_name(b)).count();
    RESERVED.into_iter().find(|name| name.as_bytes() == &rest[..len])
}

/// The name of the language that the line `#if NAME` tests. `upcc` adds such lines for directives that
/// a preprocessed text does not show.
fn reserved_test(line: &[u8]) -> Option<&'static str> {
    let name = line.strip_prefix(b"#if ")?.trim_ascii_start();
    RESERVED.into_iter().find(|reserved| reserved.as_bytes() == name)
}

/// `#ident "..."`, which preprocessors pass on.
fn is_ident_directive(line: &[u8]) -> bool {
    let rest = line.strip_prefix(b"#").unwrap_or(line).trim_ascii();
    rest.is_empty() || rest.starts_with(b"ident") || rest.starts_with(b"sccs")
}
