// SPDX-License-Identifier: BSD-3-Clause
//! Declarations in English, for people: what is declared, which parts of it are private and which
//! shared, how large it is, and which thread has which element.
//!
//! Reads declarations as they stand alone, at file scope and without headers: names that are not
//! declared are taken as types where types can stand. What UPC does not allow is diagnosed as in
//! a program.

mod draw;
mod facts;
#[cfg(test)]
mod tests;
mod words;

use crate::diag::{codes, Diagnostic, Diagnostics};
use crate::sema::types::QualType;
use crate::sema::{self, ObjectKind, Sema};
use crate::span::{LineMap, Span};
use crate::syntax::ast::{Ast, ExprKind, Item, TypeSpec};
use crate::syntax::parser::{parse, ParseOptions};

/// Types that every reader knows.
const KNOWN_TYPES: &str = "# 1 \"<types>\" 3\n\
    typedef unsigned long size_t, uintptr_t, uint64_t, uintmax_t; \
    typedef long ptrdiff_t, ssize_t, intptr_t, int64_t, intmax_t, off_t; \
    typedef int int32_t; typedef unsigned uint32_t; typedef short int16_t; \
    typedef unsigned short uint16_t; typedef signed char int8_t; \
    typedef unsigned char uint8_t; typedef _Bool bool; \
    typedef shared struct upc_lock upc_lock_t;\n";

/// The name of the declarations' text in diagnostics.
pub const FILE: &str = "<declaration>";

/// Threads in the drawings where the number is not fixed.
const SOME_THREADS: u32 = 4;

#[derive(Debug)]
pub struct Explanation {
    /// `None` if there are errors among the diagnostics.
    pub english: Option<String>,
    pub diagnostics: Diagnostics,
    /// What the diagnostics' spans are in: `text` is all that was read, the user's under [`FILE`].
    pub text: String,
    pub lines: LineMap,
}

/// Explains the declarations in `text`; the last semicolon may be missing. `threads` is THREADS,
/// if it is fixed. As [`crate::translate`], to be called on a large stack.
pub fn explain(text: &str, threads: Option<u32>) -> Explanation {
    let text = format!("{KNOWN_TYPES}# 1 \"{FILE}\"\n{}", terminated(text));
    let start = (text.find(FILE).unwrap_or(0) + FILE.len()) as u32;
    let options = ParseOptions { unknown_types: true, ..Default::default() };
    let (ast, mut diagnostics) = parse(&text, &options);
    let (sema, found) =
        sema::analyse(&ast, &text, &sema::Options { threads, ..Default::default() });
    if !diagnostics.has_errors() {
        diagnostics.0.extend(undeclared(&ast, &sema));
    }
    if !diagnostics.has_errors() {
        diagnostics.0.extend(found.0);
        diagnostics.0.extend(untyped(&ast));
    }
    let english = (!diagnostics.has_errors()).then(|| {
        let reader = Reader { ast: &ast, sema: &sema, threads };
        let items = ast.items.iter().filter(|item| item_span(&ast, item).lo > start);
        let parts: Vec<String> = items.flat_map(|item| reader.item(item)).collect();
        match parts.is_empty() {
            true => "Nothing is declared here.\n".into(),
            false => parts.join("\n"),
        }
    });
    Explanation { english, diagnostics, lines: ast.lines, text }
}

/// Explains one object of a unit as [`explain`] does what is declared.
pub fn object(ast: &Ast, sema: &Sema, id: sema::ObjectId, threads: Option<u32>) -> String {
    Reader { ast, sema, threads }.object(id)
}

fn terminated(text: &str) -> String {
    let text = text.trim_end();
    let end = if text.ends_with(';') { "" } else { ";" };
    format!("{text}{end}\n")
}

fn item_span(ast: &Ast, item: &Item) -> Span {
    match item {
        Item::Declaration(id) => ast.decl(*id).span,
        Item::Function(function) => function.span,
        Item::StaticAssert { span, .. } | Item::Verbatim(span) => *span,
    }
}

/// Names in expressions that nothing declares: in a program the C compiler would say so.
fn undeclared(ast: &Ast, sema: &Sema) -> Vec<Diagnostic> {
    let exprs = ast.exprs.iter().enumerate();
    let unknown = exprs.filter_map(|(n, expr)| match expr.kind {
        ExprKind::Ident(name) => {
            let id = crate::syntax::ast::ExprId(n as u32);
            sema.object_of(id).is_none().then_some((name, expr.span))
        }
        _ => None,
    });
    let message = |(name, span)| {
        let name = ast.names.name(name);
        Diagnostic::error(codes::E0102, span, format!("`{name}` is not declared"))
            .label("a constant is expected here")
            .help(format!("write the number, or declare it before: `enum {{ {name} = 8 }};`"))
    };
    unknown.map(message).collect()
}

/// C89's implicit int, which is rather a mistake here: a text that is no declaration.
fn untyped(ast: &Ast) -> Vec<Diagnostic> {
    let of_item = |item: &Item| match item {
        Item::Declaration(id) => {
            let decl = ast.decl(*id);
            matches!(decl.specs.ty, TypeSpec::Missing).then_some(decl.span)
        }
        _ => None,
    };
    let message = |span| {
        Diagnostic::error(codes::E0102, span, "a declaration without a type")
            .label("names no type")
            .help("write a declaration, as `shared [4] int *p`, or the code of a diagnostic")
    };
    ast.items.iter().filter_map(of_item).map(message).collect()
}

struct Reader<'a> {
    ast: &'a Ast,
    sema: &'a Sema,
    threads: Option<u32>,
}

impl Reader<'_> {
    /// A paragraph for each thing that is declared.
    fn item(&self, item: &Item) -> Vec<String> {
        match item {
            Item::Declaration(id) => {
                let decl = self.ast.decl(*id);
                let mut out: Vec<String> = self.members(&decl.specs.ty).into_iter().collect();
                let objects = (0..decl.declarators.len())
                    .filter_map(|n| self.sema.declared.get(&(*id, n)))
                    .map(|&object| self.object(object));
                out.extend(objects);
                out
            }
            Item::Function(function) => {
                let info = self.sema.functions.get(&function.span.lo);
                info.into_iter().map(|info| self.object(info.object)).collect()
            }
            _ => Vec::new(),
        }
    }

    fn object(&self, id: sema::ObjectId) -> String {
        let object = self.sema.object(id);
        let name = self.ast.names.name(object.name);
        let words = self.words();
        let is_function = self.sema.types.is_function(object.ty);
        match object.kind {
            ObjectKind::Typedef => wrapped(
                &format!("{name} is a name for: {}.", words.value_or_layout(object.ty)),
                0,
                2,
            ),
            _ if is_function => {
                wrapped(&format!("{name} is {}.", words.a(&words.value(object.ty))), 0, 2)
            }
            _ => {
                let what = words.a(&words.declared(object.ty));
                wrapped(&format!("{name} is {what}."), 0, 2) + &self.facts(name, object.ty)
            }
        }
    }

    /// The members of a structure that is defined here.
    fn members(&self, ty: &TypeSpec) -> Option<String> {
        let TypeSpec::Record(spec) = ty else { return None };
        spec.body.as_ref()?;
        let record = self.sema.types.record(*self.sema.record_of_spec.get(&spec.tag_place)?);
        let kind = if record.is_union { "union" } else { "struct" };
        let name =
            spec.tag.map_or(String::new(), |tag| format!(" {}", self.ast.names.name(tag.name)));
        let size = record.size.map_or(String::new(), |n| format!(" of {}", bytes(n)));
        let mut out = wrapped(&format!("{kind}{name} is a {}{size} with", full(kind)), 0, 2);
        for field in &record.fields {
            let Some(name) = field.name else { continue };
            let what = self.words().value(field.ty);
            let what = match field.bits {
                Some(bits) => format!("bit-field of {} bits, {what}", bits.width),
                None => format!("{what}, at byte {}", field.offset),
            };
            out += &wrapped(&format!("{}: {what}", self.ast.names.name(name)), 4, 6);
        }
        Some(out)
    }

    fn words(&self) -> words::Words<'_> {
        words::Words::new(&self.ast.names, &self.sema.types)
    }

    fn elem_of_arrays(&self, ty: QualType) -> (QualType, usize) {
        let (mut ty, mut dims) = (ty, 0);
        while let Some(elem) = self.sema.types.elem(ty) {
            (ty, dims) = (elem, dims + 1);
        }
        (ty, dims)
    }
}

fn full(kind: &str) -> &str {
    match kind {
        "struct" => "structure",
        kind => kind,
    }
}

fn bytes(n: u64) -> String {
    format!("{n} byte{}", if n == 1 { "" } else { "s" })
}

/// `text` in lines of at most 80 columns, the first indented by `first`, all others by `rest`.
fn wrapped(text: &str, first: usize, rest: usize) -> String {
    const WIDTH: usize = 80;
    let mut out = " ".repeat(first);
    let mut column = first;
    for (n, word) in text.split_whitespace().enumerate() {
        let length = word.chars().count();
        if n > 0 && column + 1 + length > WIDTH {
            out += &format!("\n{}", " ".repeat(rest));
            column = rest;
        } else if n > 0 {
            out.push(' ');
            column += 1;
        }
        out += word;
        column += length;
    }
    out + "\n"
}
