// SPDX-License-Identifier: BSD-3-Clause
//! Strict accesses, and read-modify-write where plain C has no operator for it.
//!
//! A strict scalar is one sequentially consistent atomic access. UPC orders a strict read after
//! the thread's earlier relaxed writes too (UPC 1.3 §5.1.2.3): a fence stands before it, unless
//! `opt` knows of one since the last such write. A sequentially consistent store already waits
//! for them. What is no scalar stands between fences.

use super::ctype::unqualified;
use super::remote::Found;
use super::text::primary;
use super::Emitter;
use crate::sema::types::{PtsRep, QualType, Type};
use crate::syntax::ast::{BinaryOp, Builtin, ExprId, ExprKind, Machine, UnaryOp};

/// How the new value of a write follows from the old one.
#[derive(Clone, Debug)]
pub(super) struct Change {
    pub how: How,
    /// A primary expression.
    pub operand: String,
    /// Its type; `None` for the constant 1.
    pub ty: Option<QualType>,
    /// Evaluating the operand does something else, too.
    pub has_effect: bool,
}

#[derive(Clone, Copy, Debug)]
pub(super) enum How {
    /// `operand`
    Set,
    /// `old op operand`
    Op(BinaryOp),
    /// A pointer-to-shared moves by as many of its targets.
    Move { target: QualType, is_negative: bool },
}

/// What of an assignment or a step is used.
#[derive(Clone, Copy, Debug)]
pub(super) struct Use {
    /// The value is the old one.
    pub is_post: bool,
    /// False where only the effect counts.
    pub needs_value: bool,
}

/// Everything before it comes before everything after it.
pub(super) const FENCE: &str = "upcr_fence();";
/// The same but for a read after a write.
pub(super) const ORDER: &str = "upcr_order();";
/// Relaxed writes to other hosts come before what is after it.
const SETTLE: &str = "upcr_settle(); ";
/// The same where there are none: relaxed reads after it ask the other hosts anew.
const FORGET: &str = "upcr_forget_reads(); ";
const FORGET_AND_ORDER: &str = "upcr_forget_reads(); upcr_order();";
/// After a strict write that is no atomic one.
const AFTER: &str = " upcr_fence();";

const VALUE: Use = Use { is_post: false, needs_value: true };

impl Emitter<'_> {
    /// The value of the strict lvalue `id`.
    pub(super) fn strict_load(&mut self, id: ExprId) -> String {
        let ty = self.sema.expr_type(id);
        let fence = self.fence_before(id);
        let is_atomic = self.is_atomic(id);
        let lvalue = match self.find(id) {
            Found::Here(lvalue) => lvalue,
            Found::Anywhere(site) => return self.strict_read(&site, is_atomic, fence),
        };
        // What finding the place writes comes before the fence. A bit-field has no address.
        let (find, lvalue) = match self.is_pure_place(id) || self.sema.flags(id).is_bitfield {
            true => (String::new(), lvalue),
            false => {
                let a = self.fresh("a");
                (self.pointer_to(ty, &a, &lvalue), format!("(*{a})"))
            }
        };
        if !is_atomic {
            return self.fenced(id, &lvalue, &format!("{find}{fence}"), ORDER);
        }
        let address = address_text(&lvalue);
        if self.has_float_value(ty) {
            let v = self.fresh("v");
            let declared = self.temporary(ty, &v);
            return format!(
                "__extension__ ({{ {find}{declared}; {fence} __atomic_load({address}, &{v}, 5); {v}; }})"
            );
        }
        format!("__extension__ ({{ {find}{fence} __atomic_load_n({address}, 5); }})")
    }

    /// `lhs = operand` for the strict lvalue `lhs`.
    pub(super) fn strict_store(&mut self, lhs: ExprId, operand: Change) -> String {
        let ty = self.sema.expr_type(lhs);
        let settle = match (self.is_checked(), self.fences.is_before(lhs)) {
            (true, true) => SETTLE,
            (true, false) => FORGET,
            (false, _) => "",
        };
        let is_atomic = self.is_atomic(lhs);
        let lvalue = match self.find(lhs) {
            Found::Here(lvalue) => lvalue,
            Found::Anywhere(site) if site.is_field() => {
                let before = format!("{settle}{ORDER} ");
                return self.step(&site, ty, operand, VALUE, (&before, AFTER));
            }
            Found::Anywhere(site) => {
                return self.strict_write(&site, &operand.operand, is_atomic, settle);
            }
        };
        let value = operand.operand;
        let v = self.fresh("v");
        let declared = self.temporary(ty, &v);
        if !is_atomic {
            let before = format!("{declared} = {value}; {settle}{ORDER}");
            return self.fenced(lhs, &format!("({lvalue} = {v})"), &before, FENCE);
        }
        let (address, after) = (address_text(&lvalue), self.after_atomic_write());
        format!(
            "__extension__ ({{ {declared} = {value}; {settle}__atomic_store({address}, &{v}, 5);{after} {v}; }})"
        )
    }

    /// `text`, an expression that accesses the lvalue `id` plainly, between fences.
    fn fenced(&mut self, id: ExprId, text: &str, before: &str, after: &str) -> String {
        let v = self.fresh("v");
        let (hold, value) = self.hold_value(id, &v, text);
        format!("__extension__ ({{ {before} {hold} {after} {value}; }})")
    }

    /// Declares `name`, without qualifiers.
    fn temporary(&mut self, ty: QualType, name: &str) -> String {
        let ty = unqualified(&self.sema.types, ty);
        self.declare(ty, name.into())
    }

    /// Declares `name` as a pointer to `lvalue`.
    fn pointer_to(&mut self, ty: QualType, name: &str, lvalue: &str) -> String {
        let declared = self.c_pointer_named(ty, &format!("*{name}"));
        format!("{declared} = {}; ", address_text(lvalue))
    }

    /// What keeps later accesses behind an atomic write. x86-64 makes it by an instruction that does;
    /// on arm64 only what comes before such a write stays there.
    pub(super) fn after_atomic_write(&self) -> &'static str {
        match self.sema.types.target.machine {
            Machine::X86_64 => "",
            Machine::Arm64 => AFTER,
        }
    }

    fn fence_before(&self, id: ExprId) -> &'static str {
        match (self.fences.is_before(id), self.is_checked()) {
            (true, _) => FENCE,
            (false, true) => FORGET_AND_ORDER,
            (false, false) => ORDER,
        }
    }

    /// A strict read-modify-write, which is a strict read and a strict write.
    pub(super) fn strict_change(&mut self, lhs: ExprId, change: Change, is_post: bool) -> String {
        let ty = self.sema.expr_type(lhs);
        if self.is_c_atomic(ty) {
            let settle = if self.options.network { SETTLE } else { "" };
            let changed = self.atomic_change(lhs, change, is_post, settle);
            return match self.after_atomic_write() {
                "" => changed,
                after => self.fenced(lhs, &changed, "", after),
            };
        }
        let fence = self.fence_before(lhs);
        let is_atomic = self.is_atomic(lhs);
        let lvalue = match self.find(lhs) {
            Found::Here(lvalue) => lvalue,
            Found::Anywhere(site) if is_atomic => {
                return self.strict_step(&site, change, is_post, fence);
            }
            Found::Anywhere(site) => {
                let use_ = Use { is_post, needs_value: true };
                return self.step(&site, ty, change, use_, (&format!("{fence} "), AFTER));
            }
        };
        if !is_atomic {
            let use_ = Use { is_post, needs_value: true };
            let plain = self.change_text(&lvalue, self.is_pure_place(lhs), ty, &change, use_);
            return self.fenced(lhs, &plain, fence, FENCE);
        }
        let (a, o, n) = (self.fresh("a"), self.fresh("o"), self.fresh("n"));
        let start = self.pointer_to(ty, &a, &lvalue);
        let (old, now) = (self.temporary(ty, &o), self.temporary(ty, &n));
        let new = self.changed(&o, &change);
        let result = if is_post { &o } else { &n };
        let after = self.after_atomic_write();
        format!(
            "__extension__ ({{ {start}{old}; {fence} __atomic_load({a}, &{o}, 5); {now} = {new}; \
             __atomic_store({a}, &{n}, 5);{after} {result}; }})"
        )
    }

    /// A relaxed write, or read-modify-write, of `lhs`.
    pub(super) fn relaxed_change(&mut self, lhs: ExprId, change: Change, use_: Use) -> String {
        let ty = self.sema.expr_type(lhs);
        if self.is_c_atomic(ty) && matches!(change.how, How::Move { .. }) {
            return self.atomic_change(lhs, change, use_.is_post, "");
        }
        match self.find(lhs) {
            Found::Here(lvalue) => {
                let is_pure = self.is_pure(lhs);
                self.change_text(&lvalue, is_pure, ty, &change, use_)
            }
            Found::Anywhere(site) => match change.how {
                How::Set if !site.is_field() => {
                    self.write(&site, &change.operand, use_.needs_value)
                }
                How::Op(op) if !use_.needs_value => {
                    match self.update_of(&site, ty, op, change.ty) {
                        Some(update) => self.update(&site, op, &update, &change.operand),
                        None => self.step(&site, ty, change, use_, ("", "")),
                    }
                }
                _ => self.step(&site, ty, change, use_, ("", "")),
            },
        }
    }

    /// `change` made plainly to `lvalue`, of type `ty`, which `is_pure` if it may be evaluated
    /// twice.
    pub(super) fn change_text(
        &mut self,
        lvalue: &str,
        is_pure: bool,
        ty: QualType,
        change: &Change,
        use_: Use,
    ) -> String {
        let operand = &change.operand;
        match change.how {
            How::Set => return format!("({lvalue} = {operand})"),
            How::Op(op) => {
                return match (op, use_.is_post) {
                    (BinaryOp::Add, true) => format!("({lvalue}++)"),
                    (BinaryOp::Sub, true) => format!("({lvalue}--)"),
                    _ => format!("({lvalue} {}= {operand})", operator(op)),
                };
            }
            How::Move { .. } => {}
        }
        if is_pure && !(use_.is_post && use_.needs_value) {
            let new = self.changed(lvalue, change);
            return format!("({lvalue} = {new})");
        }
        let o = self.fresh("o");
        let (start, place) = if is_pure {
            (String::new(), lvalue.to_string())
        } else {
            let a = self.fresh("a");
            (self.pointer_to(ty, &a, lvalue), format!("(*{a})"))
        };
        let new = self.changed(&o, change);
        let old = self.temporary(ty, &o);
        let result = if use_.is_post { o.clone() } else { place.clone() };
        format!("__extension__ ({{ {start}{old} = {place}; {place} = {new}; {result}; }})")
    }

    /// The value that `change` makes of `old`, a primary expression.
    pub(super) fn changed(&mut self, old: &str, change: &Change) -> String {
        let operand = &change.operand;
        match change.how {
            How::Set => operand.clone(),
            How::Op(op) => format!("{old} {} {operand}", operator(op)),
            How::Move { target, is_negative } => self.moved(old, target, operand, is_negative),
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
        let (count, factors) = self.elem_factors(target);
        let n = if count.n == 1 { String::new() } else { format!(" * {}", count.n) };
        let threads = if count.times_threads { " * (long)upcr_threads()" } else { "" };
        let times = format!("{n}{threads}{factors}");
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

    /// Is it `_Atomic`? C's own accesses to it are sequentially consistent.
    pub(super) fn is_c_atomic(&self, ty: QualType) -> bool {
        self.sema.types.resolve(ty).quals.is_atomic
    }

    /// Can the lvalue `id` be accessed by one atomic instruction of ours?
    fn is_atomic(&self, id: ExprId) -> bool {
        let types = &self.sema.types;
        let ty = self.sema.expr_type(id);
        !self.sema.flags(id).is_bitfield
            && !self.is_c_atomic(ty)
            && !self.is_underaligned(id)
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

    /// Has the lvalue `id` less than the alignment of its type, as a member of a packed structure?
    pub(super) fn is_underaligned(&self, id: ExprId) -> bool {
        let types = &self.sema.types;
        let natural = types.align_of(self.sema.expr_type(id)).unwrap_or(1);
        natural > 1
            && match self.ast.expr(id).kind {
                ExprKind::Member { base, field, arrow } => {
                    let align = types.member_align(self.record_of(base, arrow), field.name);
                    align.is_some_and(|align| align < natural)
                        || (!arrow && self.is_underaligned(base))
                }
                ExprKind::Index { base, index } => {
                    let array = self.subscript(base, index).0;
                    types.is_array(self.sema.expr_type(array)) && self.is_underaligned(array)
                }
                ExprKind::Unary {
                    op: UnaryOp::Extension | UnaryOp::Real | UnaryOp::Imag,
                    operand,
                } => self.is_underaligned(operand),
                ExprKind::Paren(inner) => self.is_underaligned(inner),
                _ => false,
            }
    }

    pub(super) fn has_float_value(&self, ty: QualType) -> bool {
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
