// SPDX-License-Identifier: BSD-3-Clause
//! A source, analysed: what the other modules ask.

use crate::cpp::Answer;
use crate::index::Index;
use crate::pieces::Piece;
use crate::text::{Lines, Text};
use furlong_compiler::diag::{Diagnostic, Diagnostics, Severity};
use furlong_compiler::missing::{self, Missing};
use furlong_compiler::sema::{self, Sema};
use furlong_compiler::span::Span;
use furlong_compiler::syntax::ast::Ast;
use furlong_compiler::syntax::parser::{parse, ParseOptions};
use std::cell::OnceCell;
use std::path::PathBuf;

#[derive(Clone, Debug, Default)]
pub struct Options {
    pub sema: sema::Options,
    /// Where the C compiler runs: names of files are relative to it.
    pub folder: PathBuf,
    /// A source that does not read as UPC may be C in which the words of UPC are names.
    pub may_be_c: bool,
}

/// Threads in examples where the number is not fixed.
pub const SOME_THREADS: u32 = 4;

#[derive(Debug)]
pub struct Unit {
    pub path: String,
    pub source: String,
    pub pieces: Vec<Piece>,
    pub lines: Lines,
    pub text: Text,
    pub ast: Ast,
    pub sema: Sema,
    pub diagnostics: Diagnostics,
    /// Headers of C that are used and not included.
    pub missing: Vec<Missing>,
    pub options: Options,
    index: OnceCell<Index>,
}

/// Where something is.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Origin {
    Source(Span),
    /// In a line, from 1, of another file.
    File {
        name: PathBuf,
        line: u32,
    },
}

impl Unit {
    /// Recursion follows the nesting of the source: call it on a stack of some hundred megabytes.
    pub fn new(
        path: &str,
        source: String,
        pieces: Vec<Piece>,
        answer: &Answer,
        options: &Options,
    ) -> Unit {
        let text = Text::new(path, &source, &pieces, answer);
        let (mut ast, sema, mut diagnostics) = analysed(&text.text, options, false);
        let mut sema = sema;
        if options.may_be_c && diagnostics.has_errors() {
            let as_c = analysed(&text.text, options, true);
            if !as_c.2.has_errors() {
                (ast, sema, diagnostics) = as_c;
            }
        }
        let missing = missing::headers(&ast);
        let lines = Lines::new(&source);
        Unit {
            path: path.to_string(),
            source,
            pieces,
            lines,
            text,
            ast,
            sema,
            diagnostics,
            missing,
            options: options.clone(),
            index: OnceCell::new(),
        }
    }

    pub fn index(&self) -> &Index {
        self.index.get_or_init(|| Index::new(self))
    }

    /// Where a span of the preprocessed text was written.
    pub fn origin(&self, span: Span) -> Option<Origin> {
        if let Some(source) = self.text.source_span(span) {
            return Some(Origin::Source(source));
        }
        if self.ast.lines.regions.is_empty() {
            return None;
        }
        let at = self.ast.lines.locate(span.lo);
        let name = self.file(&self.ast.lines.file(at.file).name);
        Some(Origin::File { name, line: at.line })
    }

    /// A name of a file as the C compiler has it, as an absolute one.
    pub fn file(&self, name: &str) -> PathBuf {
        self.options.folder.join(name)
    }

    /// The diagnostics that say something about the user's files, as the user would have them.
    pub fn errors(&self) -> impl Iterator<Item = &Diagnostic> {
        self.diagnostics.0.iter()
    }

    pub fn has_errors(&self) -> bool {
        self.diagnostics.0.iter().any(|d| d.severity == Severity::Error)
    }

    /// THREADS, or the number that examples have.
    pub fn threads(&self) -> u64 {
        u64::from(self.options.sema.threads.unwrap_or(SOME_THREADS).max(1))
    }

    /// The byte of the preprocessed text at a byte of the source.
    pub fn offset(&self, at: u32) -> Option<u32> {
        self.text.of_source(at)
    }

    /// The word of the source around `at`, or that ends there.
    pub fn word(&self, at: u32) -> Span {
        let bytes = self.source.as_bytes();
        let is_word = |n: usize| bytes.get(n).is_some_and(|&b| crate::macros::is_word_byte(b));
        let (mut lo, mut hi) = (at as usize, at as usize);
        while lo > 0 && is_word(lo - 1) {
            lo -= 1;
        }
        while is_word(hi) {
            hi += 1;
        }
        Span::new(lo as u32, hi as u32)
    }
}

fn analysed(text: &str, options: &Options, plain_c: bool) -> (Ast, Sema, Diagnostics) {
    let (ast, mut diagnostics) = parse(text, &ParseOptions { plain_c, ..Default::default() });
    let (sema, found) = sema::analyse(&ast, text, &options.sema);
    diagnostics.0.extend(found.0);
    (ast, sema, diagnostics)
}
