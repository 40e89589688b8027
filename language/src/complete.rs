// SPDX-License-Identifier: BSD-3-Clause
//! What could be written at the cursor: members, objects, types, macros and the words of UPC.
//!
//! The text around the cursor is rarely complete. So a name that nobody has is put there, ended in
//! some ways in turn, and the text is analysed until the name is found as a member or an object.

use crate::hover::declaration;
use crate::macros::is_word_byte;
use crate::scope::visible;
use crate::unit::Unit;
use furlong_compiler::sema::types::{QualType, Type};
use furlong_compiler::sema::ObjectKind;
use furlong_compiler::syntax::ast::ExprKind;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    Variable,
    Function,
    Constant,
    Type,
    Member,
    Macro,
    Word,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Item {
    pub label: String,
    pub kind: Kind,
    /// Its declaration.
    pub detail: String,
    /// Nearer things come first.
    pub rank: u8,
}

/// The name that nobody has.
const NAME: &str = "furlong_here__";

/// How what was begun may end.
const ENDS: [&str; 6] = [";", "", ");", ")", "];", "; }"];

/// At most so many: an editor asks again when more has been typed.
pub const MAX_ITEMS: usize = 400;

/// Where the name under the cursor starts, and whether it is a member's.
pub fn place(source: &str, at: u32) -> (u32, bool) {
    let bytes = &source.as_bytes()[..(at as usize).min(source.len())];
    let mut start = bytes.len();
    while start > 0 && is_word_byte(bytes[start - 1]) {
        start -= 1;
    }
    let before = source[..start].trim_end();
    let is_number = |text: &str| text.ends_with(|c: char| c.is_ascii_digit());
    let is_member = before.ends_with("->")
        || before.ends_with('.')
            && !is_number(&before[..before.len() - 1])
            && !before.ends_with("..");
    (start as u32, is_member)
}

/// Sources to analyse in turn, each with the place of the name, until [`complete`] finds something.
pub fn attempts(source: &str, at: u32) -> impl Iterator<Item = (String, u32)> + '_ {
    let (start, is_member) = place(source, at);
    let rest = &source[(at as usize).min(source.len())..];
    let rest = rest.trim_start_matches(|c: char| c.is_ascii() && is_word_byte(c as u8));
    let ends = if is_member { &ENDS[..] } else { &ENDS[..1] };
    ends.iter().map(move |end| (format!("{}{NAME}{end}{rest}", &source[..start as usize]), start))
}

/// `unit` is one of the attempts, `prefix` what had been typed of the name.
pub fn complete(unit: &Unit, start: u32, is_member: bool, prefix: &str) -> Vec<Item> {
    let mut items = match is_member {
        true => members(unit),
        false => names(unit, start),
    };
    let wanted = prefix.to_lowercase();
    let is_wanted = |item: &Item| {
        item.label.to_lowercase().starts_with(&wanted)
            && (!item.label.starts_with('_') || prefix.starts_with('_') || is_member)
    };
    items.retain(is_wanted);
    items.sort_by(|a, b| (a.rank, &a.label).cmp(&(b.rank, &b.label)));
    items.dedup_by(|a, b| a.label == b.label);
    items.truncate(MAX_ITEMS);
    items
}

fn members(unit: &Unit) -> Vec<Item> {
    let Some(name) = unit.ast.names.get(NAME) else { return Vec::new() };
    let record = unit.ast.exprs.iter().find_map(|expr| match &expr.kind {
        ExprKind::Member { base, field, arrow } if field.name == name => {
            let ty = unit.sema.expr_type(*base);
            // `p.` is completed as `p->`, which the compiler then asks for.
            let pointee = unit.sema.types.decayed_pointee(ty);
            if *arrow {
                pointee
            } else {
                pointee.or(Some(ty))
            }
        }
        _ => None,
    });
    let mut items = Vec::new();
    if let Some(record) = record {
        fields(unit, record, &mut items);
    }
    items
}

fn fields(unit: &Unit, ty: QualType, items: &mut Vec<Item>) {
    let (names, types) = (&unit.ast.names, &unit.sema.types);
    let Type::Record(id) = *types.kind(ty) else { return };
    for field in &types.record(id).fields {
        match field.name {
            Some(name) => items.push(Item {
                label: names.name(name).to_string(),
                kind: Kind::Member,
                detail: types.declaration(names, field.ty, names.name(name)),
                rank: 0,
            }),
            None => fields(unit, field.ty, items),
        }
    }
}

fn names(unit: &Unit, start: u32) -> Vec<Item> {
    let offset = unit.offset(start).unwrap_or(unit.text.text.len() as u32);
    let mut items = Vec::new();
    for id in visible(unit, offset) {
        let object = unit.sema.object(id);
        let is_function = unit.sema.types.is_function(object.ty);
        let kind = match object.kind {
            ObjectKind::Typedef => Kind::Type,
            ObjectKind::Enumerator(_) => Kind::Constant,
            _ if is_function => Kind::Function,
            _ => Kind::Variable,
        };
        let label = unit.ast.names.name(object.name);
        let is_own = unit.text.source_span(object.span).is_some();
        let rank = match (object.at_file_scope, is_own) {
            (false, _) => 0,
            (true, true) => 1,
            (true, false) if crate::hover::is_documented(label) => 2,
            (true, false) => 4,
        };
        let detail = declaration(unit, id).trim_end_matches(';').to_string();
        items.push(Item { label: label.to_string(), kind, detail, rank });
    }
    for definition in unit.text.macros.values() {
        let is_own = definition.file == crate::cpp::SKELETON;
        let rank = if is_own { 1 } else { 4 };
        items.push(Item {
            label: definition.name.to_string(),
            kind: Kind::Macro,
            detail: format!("#define {}", definition.text),
            rank,
        });
    }
    let words = WORDS.split_whitespace().map(|word| {
        let rank =
            if word.starts_with("upc_") || word.chars().all(char::is_uppercase) { 2 } else { 3 };
        Item { label: word.to_string(), kind: Kind::Word, detail: String::new(), rank }
    });
    items.extend(words);
    items.retain(|item| item.label != NAME);
    items
}

const WORDS: &str =
    "THREADS MYTHREAD shared strict relaxed upc_forall upc_barrier upc_notify upc_wait \
    upc_fence upc_localsizeof upc_blocksizeof upc_elemsizeof auto break case char const continue \
    default do double else enum extern float for goto if inline int long register restrict return \
    short signed sizeof static struct switch typedef union unsigned void volatile while _Alignof \
    _Atomic _Bool _Generic _Static_assert _Thread_local";
