// SPDX-License-Identifier: BSD-3-Clause
//! What is said of the thing under the cursor: its declaration, its layout, whose an element is.

use crate::index::Target;
use crate::layout;
use crate::unit::Unit;
use furlong_compiler::explain;
use furlong_compiler::sema::{ObjectId, ObjectKind};
use furlong_compiler::span::Span;
use furlong_compiler::syntax::ast::{ExprId, ExprKind};

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Hover {
    /// In the source.
    pub span: Span,
    /// Markdown.
    pub text: String,
    /// The name of a manual page that may say more.
    pub manual: Option<String>,
}

/// What a macro becomes is not shown beyond this.
const MAX_EXPANSION: usize = 400;

/// About the byte `at` of the source.
pub fn hover(unit: &Unit, at: u32) -> Option<Hover> {
    let span = unit.word(at);
    if let Some(u) = unit.text.use_at(at) {
        let (from, to) = (u.out.0 as usize, u.out.1 as usize);
        let became = unit.text.text[from..to].split_whitespace().collect::<Vec<_>>().join(" ");
        let mut text = fence("c", &format!("#define {}", u.definition.text));
        if u.definition.params.is_some() && became.len() <= MAX_EXPANSION {
            text += &format!("\nhere:\n{}", fence("c", &became));
        }
        let span = Span::new(u.at, u.at + u.len);
        return Some(Hover { span, text, manual: Some(u.definition.name.to_string()) });
    }
    let offset = unit.offset(at)?;
    let mut parts: Vec<String> = Vec::new();
    let found = unit.index().at(offset).map(|o| o.target);
    parts.extend(found.and_then(|target| about(unit, target)));
    parts.extend(owner(unit, offset));
    let word = span.text(&unit.source);
    let manual = is_documented(word).then(|| word.to_string());
    if parts.is_empty() && manual.is_none() {
        return None;
    }
    Some(Hover { span, text: parts.join("\n"), manual })
}

/// Names that have manual pages of ours.
pub fn is_documented(word: &str) -> bool {
    const WORDS: [&str; 5] = ["shared", "strict", "relaxed", "THREADS", "MYTHREAD"];
    WORDS.contains(&word) || ["upc_", "bupc_", "upcx_"].iter().any(|p| word.starts_with(p))
}

fn fence(language: &str, text: &str) -> String {
    format!("```{language}\n{}\n```\n", text.trim_end())
}

fn about(unit: &Unit, target: Target) -> Option<String> {
    let (names, types) = (&unit.ast.names, &unit.sema.types);
    Some(match target {
        Target::Object(id) => of_object(unit, id),
        Target::Field(record, n) => {
            let record = types.record(record);
            let field = record.fields.get(n as usize)?;
            let name = field.name.map_or("", |name| names.name(name));
            let declaration = types.declaration(names, field.ty, name);
            let place = match field.bits {
                Some(bits) => format!("bit {} on, {} bits", bits.first, bits.width),
                None => format!("byte {}", field.offset),
            };
            let kind = if record.is_union { "union" } else { "struct" };
            let tag = record.tag.map_or("", |tag| names.name(tag));
            fence("upc", &format!("{declaration};")) + &format!("in `{kind} {tag}`, {place}\n")
        }
        Target::Record(id) => {
            let record = types.record(id);
            let kind = if record.is_union { "union" } else { "struct" };
            let tag = record.tag.map_or("", |tag| names.name(tag));
            let members = record.fields.iter().map(|field| {
                let name = field.name.map_or("", |name| names.name(name));
                format!("    {};\n", types.declaration(names, field.ty, name))
            });
            let members: String = members.collect();
            let size = record.size.map_or(String::new(), |n| format!("{n} bytes\n"));
            fence("upc", &format!("{kind} {tag} {{\n{members}}};")) + &size
        }
        Target::Label(name, _) => fence("upc", &format!("{}:", names.name(name))),
    })
}

/// The declaration of an object, as the user could have written it.
pub fn declaration(unit: &Unit, id: ObjectId) -> String {
    let (names, types) = (&unit.ast.names, &unit.sema.types);
    let object = unit.sema.object(id);
    let name = names.name(object.name);
    match object.kind {
        ObjectKind::Enumerator(value) => format!("{name} = {value}"),
        ObjectKind::Typedef => {
            // Its own name would be all that is printed of it.
            let text = types.declaration(names, types.resolve(object.ty), name);
            format!("typedef {text};")
        }
        _ => format!("{};", types.declaration(names, object.ty, name)),
    }
}

fn of_object(unit: &Unit, id: ObjectId) -> String {
    let object = unit.sema.object(id);
    let mut text = fence("upc", &declaration(unit, id));
    let types = &unit.sema.types;
    let is_data = matches!(object.kind, ObjectKind::Variable | ObjectKind::Parameter);
    let is_upc = types.mentions_shared(object.ty) && !types.is_function(object.ty);
    if is_upc && (is_data || object.kind == ObjectKind::Typedef) {
        let threads = unit.options.sema.threads;
        text += &fence("text", &explain::object(&unit.ast, &unit.sema, id, threads));
    } else if is_data && !types.is_function(object.ty) {
        if let Some(size) = types.size_of(object.ty) {
            text += &format!("{size} bytes, private to each thread\n");
        }
    }
    text
}

/// Whose the innermost element around the byte of the preprocessed text is.
fn owner(unit: &Unit, offset: u32) -> Option<String> {
    let around = |expr: &&(usize, Span)| expr.1.lo <= offset && offset <= expr.1.hi;
    let indexed = unit.ast.exprs.iter().enumerate().filter_map(|(n, expr)| match expr.kind {
        ExprKind::Index { .. } => Some((n, expr.span)),
        _ => None,
    });
    let indexed: Vec<(usize, Span)> = indexed.collect();
    // Of `a[i][j]`, all of it rather than `a[i]`.
    let found = indexed
        .iter()
        .filter(around)
        .filter_map(|(n, span)| Some((span, layout::element(unit, ExprId(*n as u32))?)));
    let (span, element) = found.min_by_key(|(span, e)| {
        let is_base = indexed.iter().any(|(_, other)| other.lo == span.lo && other.hi > span.hi);
        (is_base, span.hi - span.lo, e.number.len())
    })?;
    let shown = span.text(&unit.text.text).split_whitespace().collect::<Vec<_>>().join(" ");
    let threads = unit.threads();
    let thread = element.thread();
    Some(match element.owner(threads) {
        Some(_) if element.block == 0 => {
            format!("`{shown}` is at thread 0, as all of `{}` is\n", element.array)
        }
        Some(owner) => format!("`{shown}` is at thread {owner} of {threads}: `{thread}`\n"),
        None => format!("`{shown}` is at thread `{thread}`\n"),
    })
}
