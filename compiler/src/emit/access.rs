// SPDX-License-Identifier: BSD-3-Clause
//! Strict accesses, and read-modify-write where plain C has no operator for it.
//!
//! A strict scalar is one sequentially consistent atomic access. UPC orders a strict read after
//! the thread's earlier relaxed writes too (UPC 1.3 §5.1.2.3): a fence stands before it, unless
//! `opt` knows of one since the last such write. A sequentially consistent store already waits
//! for them. What is no scalar stands between fences.

use super::text::primary;
use super::Emitter;
use crate::sema::types::{PtsRep, QualType, Type};
use crate::syntax::ast::Builtin;
use crate::syntax::ast::{BinaryOp, ExprId, ExprKind, UnaryOp};

/// How the new value of a read-modify-write follows from the old one.
#[derive(Clone, Debug)]
pub(super) enum Change {
    /// `old op operand`
    Op(BinaryOp, String),
    /// A pointer-to-shared moves by this many of its targets.
    Move { target: QualType, by: String, is_negative: bool },
}

/// Everything before it comes before everything after it.
const FENCE: &str = "upcr_fence();";
/// The same but for a read after a write.
const ORDER: &str = "upcr_order();";

impl Emitter<'_> {
    /// The value of the strict lvalue `id`.
    pub(super) fn strict_load(&mut self, id: ExprId) -> String {
        let ty = self.sema.expr_type(id);
        let lvalue = self.lvalue_text(id);
        let fence = self.fence_before_read(id);
        // What finding the place writes comes before the fence. A bit-field has no address.
        let (find, lvalue) = match self.is_pure_place(id) || self.sema.flags(id).is_bitfield {
            true => (String::new(), lvalue),
            false => {
                let (a, pointer) = (self.fresh("a"), self.c_pointer(ty));
                (format!("{pointer}{a} = {}; ", address_text(&lvalue)), format!("(*{a})"))
            }
        };
        if !self.is_atomic(id) {
            return self.fenced(lvalue, ty, &format!("{find}{fence}"), ORDER);
        }
        let address = address_text(&lvalue);
        if self.has_float_value(ty) {
            let (v, t) = (self.fresh("v"), self.c_temporary(ty));
            return format!(
                "__extension__ ({{ {find}{t} {v}; {fence} __atomic_load({address}, &{v}, 5); {v}; }})"
            );
        }
        format!("__extension__ ({{ {find}{fence} __atomic_load_n({address}, 5); }})")
    }

    /// `lhs = value` for the strict lvalue `lhs`.
    pub(super) fn strict_store(&mut self, lhs: ExprId, value: String) -> String {
        let ty = self.sema.expr_type(lhs);
        let lvalue = self.lvalue_text(lhs);
        let (v, t) = (self.fresh("v"), self.c_temporary(ty));
        if !self.is_atomic(lhs) {
            return format!(
                "__extension__ ({{ {t} {v} = {value}; {ORDER} {v} = ({lvalue} = {v}); {FENCE} {v}; }})"
            );
        }
        let address = address_text(&lvalue);
        format!("__extension__ ({{ {t} {v} = {value}; __atomic_store({address}, &{v}, 5); {v}; }})")
    }

    /// `text`, an expression that accesses memory plainly, between fences.
    fn fenced(&mut self, text: String, ty: QualType, before: &str, after: &str) -> String {
        let (v, t) = (self.fresh("v"), self.c_temporary(ty));
        format!("__extension__ ({{ {before} {t} {v} = {text}; {after} {v}; }})")
    }

    fn fence_before_read(&self, id: ExprId) -> &'static str {
        match self.fences.is_before_read(id) {
            true => FENCE,
            false => ORDER,
        }
    }

    /// A strict read-modify-write, which is a strict read and a strict write.
    pub(super) fn strict_change(&mut self, lhs: ExprId, change: Change, is_post: bool) -> String {
        let ty = self.sema.expr_type(lhs);
        let fence = self.fence_before_read(lhs);
        if !self.is_atomic(lhs) {
            let plain = self.plain_change(lhs, change, is_post, true);
            return self.fenced(plain, ty, fence, FENCE);
        }
        let lvalue = self.lvalue_text(lhs);
        let (a, o, n) = (self.fresh("a"), self.fresh("o"), self.fresh("n"));
        let t = self.c_temporary(ty);
        let pointer = self.c_pointer(ty);
        let new = self.changed(&o, &change);
        let result = if is_post { &o } else { &n };
        format!(
            "__extension__ ({{ {pointer}{a} = {}; {t} {o}; {fence} __atomic_load({a}, &{o}, 5); \
             {t} {n} = {new}; __atomic_store({a}, &{n}, 5); {result}; }})",
            address_text(&lvalue)
        )
    }

    /// A relaxed read-modify-write. `needs_value` is false where only the effect counts.
    pub(super) fn plain_change(
        &mut self,
        lhs: ExprId,
        change: Change,
        is_post: bool,
        needs_value: bool,
    ) -> String {
        let lvalue = self.lvalue_text(lhs);
        if let Change::Op(op, operand) = &change {
            return match (op, is_post) {
                (BinaryOp::Add, true) if operand == "1" => format!("({lvalue}++)"),
                (BinaryOp::Sub, true) if operand == "1" => format!("({lvalue}--)"),
                _ => format!("({lvalue} {}= {operand})", operator(*op)),
            };
        }
        let ty = self.sema.expr_type(lhs);
        let t = self.c_temporary(ty);
        let is_pure = self.is_pure(lhs);
        if is_pure && !(is_post && needs_value) {
            let new = self.changed(&lvalue, &change);
            return format!("({lvalue} = {new})");
        }
        let o = self.fresh("o");
        let (start, place) = if is_pure {
            (String::new(), lvalue)
        } else {
            let (a, pointer) = (self.fresh("a"), self.c_pointer(ty));
            (format!("{pointer}{a} = {}; ", address_text(&lvalue)), format!("(*{a})"))
        };
        let new = self.changed(&o, &change);
        let result = if is_post { o.clone() } else { place.clone() };
        format!("__extension__ ({{ {start}{t} {o} = {place}; {place} = {new}; {result}; }})")
    }

    /// The value that `change` makes of `old`, a primary expression.
    fn changed(&mut self, old: &str, change: &Change) -> String {
        match change {
            Change::Op(op, operand) => format!("{old} {} {operand}", operator(*op)),
            Change::Move { target, by, is_negative } => self.moved(old, *target, by, *is_negative),
        }
    }

    /// `pointer + by` for a pointer to shared `target`.
    pub(super) fn moved(
        &mut self,
        pointer: &str,
        target: QualType,
        by: &str,
        is_negative: bool,
    ) -> String {
        let types = &self.sema.types;
        let (block, elem) = (types.block(target).unwrap_or(0), types.ultimate_elem(target));
        let rep = types.target_rep(target).unwrap_or(PtsRep::Direct);
        let sign = if is_negative { "-" } else { "" };
        if block == 0 {
            let op = if is_negative { "-" } else { "+" };
            return format!("({pointer} {op} {})", primary(by.to_string()));
        }
        let times = match types.elem_count(target) {
            Some(count) => {
                let n = if count.n == 1 { String::new() } else { format!(" * {}", count.n) };
                n + if count.times_threads { " * (long)upcr_threads()" } else { "" }
            }
            None => String::new(),
        };
        let by = format!("{sign}(long){}{times}", primary(by.to_string()));
        let size = self.c_sizeof(elem);
        match rep {
            PtsRep::Direct => {
                let pointer_type = self.c_pointer(target);
                format!("(({pointer_type})upcr_add_cyclic((unsigned long){pointer}, {by}, {size}))")
            }
            PtsRep::Packed => format!("upcr_add_packed({pointer}, {by}, {size}, {block})"),
            PtsRep::Wide => format!("upcr_add_wide({pointer}, {by}, {size}, {block})"),
        }
    }

    /// Can the lvalue `id` be accessed by one atomic instruction?
    fn is_atomic(&self, id: ExprId) -> bool {
        let types = &self.sema.types;
        let ty = self.sema.expr_type(id);
        !self.sema.flags(id).is_bitfield
            && match *types.kind(ty) {
                Type::Builtin(
                    Builtin::ComplexFloat | Builtin::ComplexDouble | Builtin::ComplexLDouble,
                ) => false,
                Type::Builtin(_) | Type::Pointer(_) | Type::Enum(_) => {
                    matches!(types.size_of(ty), Some(1 | 2 | 4 | 8))
                }
                _ => false,
            }
    }

    fn has_float_value(&self, ty: QualType) -> bool {
        matches!(
            *self.sema.types.kind(ty),
            Type::Builtin(Builtin::Float | Builtin::Double | Builtin::Other(_))
        )
    }

    /// May `id` be evaluated twice? Nothing in it has an effect.
    pub(super) fn is_pure(&self, id: ExprId) -> bool {
        !self.sema.strict.contains(&id) && self.is_pure_place(id)
    }

    /// The same, but for the access to `id` itself.
    fn is_pure_place(&self, id: ExprId) -> bool {
        match &self.ast.expr(id).kind {
            ExprKind::Ident(_)
            | ExprKind::Int { .. }
            | ExprKind::Float { .. }
            | ExprKind::Char { .. }
            | ExprKind::Str { .. }
            | ExprKind::Threads
            | ExprKind::MyThread
            | ExprKind::SizeOf { .. }
            | ExprKind::Offsetof { .. } => {
                !self.sema.types.resolve(self.sema.expr_type(id)).quals.is_volatile
            }
            ExprKind::Paren(inner) | ExprKind::Cast { operand: inner, .. } => self.is_pure(*inner),
            ExprKind::Member { base, .. } => self.is_pure(*base),
            ExprKind::Index { base, index } => self.is_pure(*base) && self.is_pure(*index),
            ExprKind::Unary { op, operand } => {
                use UnaryOp::{PostDec, PostInc, PreDec, PreInc};
                !matches!(op, PostDec | PostInc | PreDec | PreInc) && self.is_pure(*operand)
            }
            ExprKind::Binary { lhs, rhs, .. } => self.is_pure(*lhs) && self.is_pure(*rhs),
            _ => false,
        }
    }
}

/// `&lvalue`, without the detour over a dereference.
pub(super) fn address_text(lvalue: &str) -> String {
    match lvalue.strip_prefix("(*").and_then(|rest| rest.strip_suffix(')')) {
        Some(pointer) if balanced(pointer) => primary(pointer.to_string()),
        _ => format!("&{}", primary(lvalue.to_string())),
    }
}

fn balanced(text: &str) -> bool {
    let mut depth = 0i32;
    for b in text.bytes() {
        match b {
            b'(' => depth += 1,
            b')' => depth -= 1,
            b'"' | b'\'' => return false,
            _ => {}
        }
        if depth < 0 {
            return false;
        }
    }
    depth == 0
}

pub(super) fn operator(op: BinaryOp) -> &'static str {
    use BinaryOp::*;
    match op {
        Mul => "*",
        Div => "/",
        Rem => "%",
        Add => "+",
        Sub => "-",
        Shl => "<<",
        Shr => ">>",
        Lt => "<",
        Gt => ">",
        Le => "<=",
        Ge => ">=",
        Eq => "==",
        Ne => "!=",
        And => "&",
        Xor => "^",
        Or => "|",
        LogAnd => "&&",
        LogOr => "||",
    }
}
