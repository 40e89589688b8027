// SPDX-License-Identifier: BSD-3-Clause
//! UPC to C, as a pure library: preprocessed text in; C text and diagnostics out.
//!
//! The phases are `syntax` (text to tree), `sema` (names, types, the rules of UPC 1.3),
//! `opt` (loops over shared data) and `emit` (tree to C). No phase reads files, the
//! environment or the clock; that is the business of `tools/`. A phase returns what it
//! understood together with what it must say: bad input is data, never a failure.

pub mod diag;
pub mod emit;
pub mod explain;
pub mod marker;
pub mod missing;
pub mod opt;
pub mod predefined;
pub mod sema;
pub mod span;
pub mod syntax;

use diag::Diagnostics;
use missing::Missing;
use opt::rewrite::Rewritten;
use opt::{inline, jam};
use sema::Sema;
use span::{LineMap, Span};
use std::borrow::Cow;
use syntax::ast::Ast;

/// What a translation depends on besides its text.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// THREADS of the static environment (`upcc -T=4`).
    pub threads: Option<u32>,
    /// The text is C: the words of UPC are ordinary names, and nothing is rewritten.
    pub plain_c: bool,
    /// The source file's name, for messages at run time.
    pub file: String,
    /// Transform loops over shared data; not under `-O0`.
    pub optimise: bool,
    /// The program is to be debugged (`upcc -g`).
    pub debug: bool,
    /// Shared memory may be another host's; not under `-network=smp`.
    pub network: bool,
    /// What performance tools hear of (`upcc -inst`); then `network` holds.
    pub inst: emit::Inst,
    /// The checker hears of all accesses (`upcc -check`); then `inst` is `All`.
    pub check: bool,
    /// A process has one UPC thread (`-nopthreads`): private objects are plain C objects, which all
    /// threads of the process see.
    pub nopthreads: bool,
    /// Tentative definitions in several units are one object; not under `-fno-common`.
    pub common: bool,
    /// The code may become part of a shared library (`-fPIC`), which cannot name the runtime.
    pub pic: bool,
    /// The assembler may see the code of several units as one (`-flto`).
    pub lto: bool,
    /// The C compiler will heed the pragmas of OpenMP (`-fopenmp`).
    pub openmp: bool,
}

#[derive(Debug)]
pub struct Translation {
    /// `None` if there are errors among the diagnostics.
    pub c: Option<String>,
    pub diagnostics: Diagnostics,
    /// What was done about loops over shared memory, each at its offset in the text.
    pub remarks: Vec<(u32, String)>,
    /// Headers of C whose names are used although they are not included.
    pub missing: Vec<Missing>,
    /// Where the diagnostics' spans are in the user's files.
    pub lines: LineMap,
}

/// `text` with blanks in place of `spans`: what follows keeps its place.
fn without<'t>(text: &'t str, spans: &[Span]) -> Cow<'t, str> {
    let mut text = Cow::Borrowed(text);
    for span in spans {
        let blanks = " ".repeat((span.hi - span.lo) as usize);
        text.to_mut().replace_range(span.lo as usize..span.hi as usize, &blanks);
    }
    text
}

/// Preprocessed text to C. Recursion follows the nesting of the text, which the parser bounds:
/// call it on a stack of some hundred megabytes.
pub fn translate(text: &str, options: &Options) -> Translation {
    let text = &*syntax::lexer::without_digraphs(text);
    let parse_options =
        syntax::parser::ParseOptions { plain_c: options.plain_c, ..Default::default() };
    let (ast, mut diagnostics) = syntax::parser::parse(text, &parse_options);
    let (missing, remarks) = (missing::headers(&ast), Vec::new());
    if options.plain_c && !diagnostics.has_errors() {
        return Translation {
            c: Some(text.into()),
            diagnostics,
            remarks,
            missing,
            lines: ast.lines,
        };
    }
    let (sema, found) = analyse(&ast, text, options);
    diagnostics.0.extend(found.0);
    if diagnostics.has_errors() {
        return Translation { c: None, diagnostics, remarks, missing, lines: ast.lines };
    }
    // What looks at each access of the user's keeps the user's lines.
    let keeps_text = !options.optimise || options.inst != emit::Inst::Off;
    let passes: &[Pass] = if keeps_text { &[] } else { &[inline::expand, jam::jam] };
    let (c, remarks) = rewritten_and_emitted(&ast, text, &sema, options, passes);
    Translation { c: Some(c), diagnostics, remarks, missing, lines: ast.lines }
}

fn analyse(ast: &Ast, text: &str, options: &Options) -> (Sema, Diagnostics) {
    let options = sema::Options {
        threads: options.threads,
        network: options.network,
        openmp: options.openmp,
    };
    sema::analyse(ast, text, &options)
}

/// Makes another text of a program that means the same, where it has use for that.
type Pass = fn(&Ast, &Sema, &str) -> Option<Rewritten>;

/// The C of the program after `passes`, and remarks at their places in `text`.
fn rewritten_and_emitted(
    ast: &Ast,
    text: &str,
    sema: &Sema,
    options: &Options,
    passes: &[Pass],
) -> (String, Vec<(u32, String)>) {
    let Some((pass, rest)) = passes.split_first() else { return emit(ast, text, sema, options) };
    let Some((rewritten, new_ast, new_sema)) = rewritten(ast, text, sema, options, *pass) else {
        return rewritten_and_emitted(ast, text, sema, options, rest);
    };
    let (c, mut remarks) =
        rewritten_and_emitted(&new_ast, &rewritten.text, &new_sema, options, rest);
    remarks.iter_mut().for_each(|(at, _)| *at = rewritten.original(*at));
    remarks.extend(rewritten.remarks);
    (c, remarks)
}

/// The program after `pass`, if that changes it.
fn rewritten(
    ast: &Ast,
    text: &str,
    sema: &Sema,
    options: &Options,
    pass: Pass,
) -> Option<(Rewritten, Ast, Sema)> {
    let rewritten = pass(ast, sema, text)?;
    let (ast, syntax_errors) = syntax::parser::parse(&rewritten.text, &Default::default());
    let (sema, errors) = analyse(&ast, &rewritten.text, options);
    (!syntax_errors.has_errors() && !errors.has_errors()).then_some((rewritten, ast, sema))
}

fn emit(ast: &Ast, text: &str, sema: &Sema, options: &Options) -> (String, Vec<(u32, String)>) {
    let emit_options = emit::EmitOptions {
        threads: options.threads,
        file: options.file.clone(),
        optimise: options.optimise,
        debug: options.debug,
        network: options.network,
        inst: options.inst,
        check: options.check,
        nopthreads: options.nopthreads,
        common: options.common,
        pic: options.pic,
        lto: options.lto,
    };
    emit::emit(ast, &without(text, &ast.obeyed_pragmas), sema, &emit_options)
}
