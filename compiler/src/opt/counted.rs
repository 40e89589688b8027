// SPDX-License-Identifier: BSD-3-Clause
//! Loops that count: `for (i = lo; i < hi; i++)`, `i += 2`, `i += THREADS`, `i += n` or
//! `for (i = hi; i >= lo; i--)`, with `lo`, `hi` and `n` fixed; and the same with a pointer into a shared
//! array, `for (p = lo; p < hi; p++)`.
//!
//! What the body does to `i` and to `hi` is all that matters here; the caller knows what it
//! wants the counting for.

use super::alias;
use super::constant;
use super::effects::Effects;
use super::head::{Head, Moved};
use super::induction::Induction;
use super::integers::{is_integer, is_kept, is_unsigned};
use crate::sema::types::{QualType, Type};
use crate::sema::{Duration, ObjectId, Sema};
use crate::syntax::ast::{Ast, BinaryOp, Builtin, ExprId, ExprKind, For, UnaryOp};

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Step {
    One,
    /// Upwards by a constant larger than one.
    Constant(i64),
    /// By what stands still while the loop runs, and may be any number.
    Invariant(ExprId),
    Threads,
    /// Downwards by one.
    Back,
}

/// Loops by larger steps come to few elements of a block.
const MAX_STEP: i64 = 16;

impl Step {
    /// By how much the index changes, as C text, if the number is known to be positive.
    pub fn text(self) -> Option<String> {
        match self {
            Step::One | Step::Back => Some("1".into()),
            Step::Constant(n) => Some(n.to_string()),
            Step::Threads => Some("(long)upcr_threads()".into()),
            Step::Invariant(_) => None,
        }
    }

    /// Does the index take every value?
    pub fn is_by_one(self) -> bool {
        matches!(self, Step::One | Step::Back)
    }
}

/// A loop whose index takes the values `lo`, `lo + step`, … below (or up to) `hi`, or these from the last
/// to the first.
#[derive(Clone, Debug)]
pub struct Counted {
    pub index: ObjectId,
    pub lo: ExprId,
    pub hi: ExprId,
    pub step: Step,
    /// `i <= hi`, or starts there
    pub is_inclusive: bool,
    /// `i > lo`
    pub is_lo_excluded: bool,
    /// Where the loop's condition names the index.
    pub named: ExprId,
    /// The loop's own variable, unseen after it.
    pub is_declared: bool,
    /// It has its first value before the loop.
    pub is_begun: bool,
    pub moved: Moved,
    /// What the index points to, if it is a pointer-to-shared: it counts elements from `lo` on.
    pub target: Option<QualType>,
    /// Pointers that keep step with the index.
    pub inductions: Vec<Induction>,
    pub effects: Effects,
}

/// `head` as a counted loop, if it is one whatever the body does.
pub fn recognise(ast: &Ast, sema: &Sema, head: &For) -> Option<Counted> {
    let counted = recognise_if(ast, sema, head, false).filter(Counted::is_by_number_alone);
    counted.filter(Counted::is_index_pure)
}

/// The same where its bounds may be in shared memory, if the body leaves them alone: the caller reads
/// them once.
pub fn recognise_with_bounds(ast: &Ast, sema: &Sema, head: &For) -> Option<Counted> {
    let counted = recognise_walk(ast, sema, head).filter(Counted::is_by_number_alone);
    counted.filter(Counted::is_index_pure)
}

/// The same by a number or a pointer, with pointers that go along.
pub fn recognise_walk(ast: &Ast, sema: &Sema, head: &For) -> Option<Counted> {
    let mut counted = recognise_if(ast, sema, head, true)?;
    counted.effects.shared_stands = false;
    let mut read = vec![counted.lo, counted.hi];
    if let Step::Invariant(by) = counted.step {
        read.push(by);
    }
    alias::leaves_alone(ast, sema, head.body, &read).then_some(counted)
}

/// The same where what is in shared memory, at a place that the loop leaves alone, counts as invariant
/// (`Effects::shared_stands`).
pub fn recognise_if_shared_stands(ast: &Ast, sema: &Sema, head: &For) -> Option<Counted> {
    recognise_if(ast, sema, head, true).filter(Counted::is_by_number_alone)
}

fn recognise_if(ast: &Ast, sema: &Sema, head: &For, shared_stands: bool) -> Option<Counted> {
    let Head { index, first, is_declared, is_begun, step, moved, inductions } =
        Head::of(ast, sema, head)?;
    let is_back = step == Step::Back;
    let (named, bound, has_bound) = end(ast, sema, head.cond?, index, step)?;
    let (lo, hi) = if is_back { (bound, first) } else { (first, bound) };
    let mut effects = Effects::of(ast, sema, head.body);
    effects.shared_stands = shared_stands;
    let object = sema.object(index);
    let target = walked_target(sema, object.ty);
    let is_alone = (moved != Moved::ByHead || !effects.assigned.contains(&index))
        && inductions.iter().all(|induction| !effects.assigned.contains(&induction.object));
    // The step assigns them, too: a subscript such as `i % n` does not stand still.
    effects.assigned.extend(inductions.iter().map(|induction| induction.object).chain([index]));
    let is_fixed = |bound| match target {
        None => effects.is_invariant(ast, sema, bound),
        Some(_) => effects.is_invariant_pointer(ast, sema, bound),
    };
    // Where pointers start is evaluated in the loop as well.
    let mut starts: Vec<_> = inductions.iter().filter_map(|induction| induction.start).collect();
    starts.extend(target.filter(|_| is_back || !is_begun).map(|_| lo));
    let mut reads = Vec::new();
    let starts_fit = starts.iter().all(|&start| {
        alias::plain_reads(ast, sema, start, &mut reads);
        reads.is_empty() && effects.is_invariant_pointer(ast, sema, start)
    });
    let is_fit = object.duration == Duration::Automatic
        && !object.address_taken
        && is_alone
        && starts_fit
        && (target.is_some() || is_counter(sema, index, is_back))
        && (is_begun || is_fixed(first))
        // What is before an array has no place in it.
        && !(target.is_some() && is_back && !has_bound)
        && is_fixed(bound)
        && match step {
            Step::Invariant(by) => {
                let is_signed = target.is_none() && !is_unsigned(sema, object.ty);
                is_signed
                    && is_kept(sema, sema.expr_type(by), object.ty)
                    && effects.is_invariant(ast, sema, by)
            }
            _ => true,
        };
    is_fit.then_some(Counted {
        index,
        lo,
        hi,
        step,
        is_inclusive: is_back || has_bound,
        is_lo_excluded: is_back && !has_bound,
        named,
        is_declared,
        is_begun,
        moved,
        target,
        inductions,
        effects,
    })
}

impl Counted {
    pub fn is_by_number_alone(&self) -> bool {
        self.target.is_none() && self.inductions.is_empty()
    }

    /// Does the body find the index's value without moving it?
    fn is_index_pure(&self) -> bool {
        !matches!(self.moved, Moved::ByOperand(_))
    }

    /// Is `id` the index, before it moves?
    pub fn is_index(&self, ast: &Ast, sema: &Sema, id: ExprId) -> bool {
        names(ast, sema, id, self.index) || self.moved == Moved::ByOperand(ast.strip_parens(id))
    }

    /// What the pointer-to-shared `id`, which the body declares, is in each iteration; not where the body
    /// moves the index, which then is not what it was at the declaration.
    pub fn pointer_value(&self, ast: &Ast, sema: &Sema, id: ExprId) -> Option<ExprId> {
        let is_pointer = sema.types.decayed_pointee(sema.expr_type(id)).is_some();
        let value = || self.effects.pointer_value(ast, sema, id, self.index);
        (is_pointer && self.moved == Moved::ByHead).then(value).flatten()
    }

    /// The induction that the body's expression `id` is, before it moves.
    pub fn induction(&self, ast: &Ast, sema: &Sema, id: ExprId) -> Option<&Induction> {
        let is_it = |induction: &&Induction| match induction.post {
            None => names(ast, sema, id, induction.object),
            Some(post) => post == ast.strip_parens(id),
        };
        self.inductions.iter().find(is_it)
    }

    /// The lowest value of an index that is a pointer, unless that is its value before the loop.
    pub fn lowest_pointer(&self) -> Option<ExprId> {
        let is_kept = self.is_begun && !self.is_back();
        (self.target.is_some() && !is_kept).then_some(self.lo)
    }

    /// Is its first value another one in the index's type than in its own?
    pub fn is_first_converted(&self, sema: &Sema) -> bool {
        let first = if self.is_back() { self.hi } else { self.lo };
        self.target.is_none() && !is_kept(sema, sema.expr_type(first), sema.object(self.index).ty)
    }

    /// The lowest value of the index, and what is beyond the highest, by the C texts of `lo` and `hi`.
    pub fn bounds(&self, lo: &str, hi: &str) -> (String, String) {
        let beyond = |is_beyond| if is_beyond { " + 1" } else { "" };
        (
            format!("(long)({lo}){}", beyond(self.is_lo_excluded)),
            format!("(long)({hi}){}", beyond(self.is_inclusive)),
        )
    }

    /// The same where a step of THREADS, if that is a number, is a constant like others.
    pub fn by_number(self, sema: &Sema) -> Counted {
        let step = match (self.step, sema.types.threads) {
            (Step::Threads, Some(n)) if i64::from(n) <= MAX_STEP => Step::Constant(n.into()),
            (step, _) => step,
        };
        Counted { step, ..self }
    }

    pub fn is_back(&self) -> bool {
        self.step == Step::Back
    }
}

/// The index as it is compared, the bound, and whether the index takes it. By steps of one, `i != n` comes to it as `i < n` does.
fn end(
    ast: &Ast,
    sema: &Sema,
    cond: ExprId,
    index: ObjectId,
    step: Step,
) -> Option<(ExprId, ExprId, bool)> {
    use BinaryOp::{Ge, Gt, Le, Lt, Ne};
    let is_back = step == Step::Back;
    let ExprKind::Binary { op, lhs, rhs } = ast.expr(ast.strip_parens(cond)).kind else {
        return None;
    };
    let is_index_first = match op {
        Lt | Le => !is_back,
        Gt | Ge => is_back,
        Ne if step.is_by_one() => names(ast, sema, lhs, index),
        _ => return None,
    };
    let (own, bound) = if is_index_first { (lhs, rhs) } else { (rhs, lhs) };
    let is_bound = match walked_target(sema, sema.object(index).ty) {
        None => is_integer(sema, bound),
        Some(target) => is_pointer_to(ast, sema, bound, target),
    };
    let is_fit = names(ast, sema, own, index) && is_bound;
    is_fit.then_some((own, bound, matches!(op, Le | Ge)))
}

/// How `id` changes `index`.
pub fn step(ast: &Ast, sema: &Sema, id: ExprId, index: ObjectId) -> Option<Step> {
    let is_index = |e| names(ast, sema, e, index);
    let is_one = |e| matches!(ast.expr(ast.strip_parens(e)).kind, ExprKind::Int { value: 1, .. });
    let amount = match ast.expr(ast.strip_parens(id)).kind {
        ExprKind::Unary { op: UnaryOp::PreInc | UnaryOp::PostInc, operand } => {
            return is_index(operand).then_some(Step::One);
        }
        ExprKind::Unary { op: UnaryOp::PreDec | UnaryOp::PostDec, operand } => {
            return is_index(operand).then_some(Step::Back);
        }
        ExprKind::Assign { op: Some(BinaryOp::Sub), lhs, rhs } if is_index(lhs) => {
            return is_one(rhs).then_some(Step::Back);
        }
        ExprKind::Assign { op: Some(BinaryOp::Add), lhs, rhs } if is_index(lhs) => rhs,
        ExprKind::Assign { op: None, lhs, rhs } if is_index(lhs) => {
            match ast.expr(ast.strip_parens(rhs)).kind {
                ExprKind::Binary { op: BinaryOp::Add, lhs, rhs } if is_index(lhs) => rhs,
                ExprKind::Binary { op: BinaryOp::Add, lhs, rhs } if is_index(rhs) => lhs,
                ExprKind::Binary { op: BinaryOp::Sub, lhs, rhs } if is_index(lhs) => {
                    return is_one(rhs).then_some(Step::Back);
                }
                _ => return None,
            }
        }
        _ => return None,
    };
    if matches!(ast.expr(ast.strip_parens(amount)).kind, ExprKind::Threads) {
        return Some(Step::Threads);
    }
    match constant::value(ast, sema, amount) {
        None => is_integer(sema, amount).then_some(Step::Invariant(amount)),
        Some(1) => Some(Step::One),
        Some(n) if Some(n) == sema.types.threads.map(i64::from) => Some(Step::Threads),
        Some(n) => (2..=MAX_STEP).contains(&n).then_some(Step::Constant(n)),
    }
}

/// Is `id` the name of `object`?
pub fn names(ast: &Ast, sema: &Sema, id: ExprId, object: ObjectId) -> bool {
    sema.object_of(ast.strip_parens(id)).is_some_and(|(o, _)| o == object)
}

/// What a pointer of type `ty` goes along, if its elements are on several threads: along others, a plain
/// pointer of C does.
pub fn walked_target(sema: &Sema, ty: QualType) -> Option<QualType> {
    let types = &sema.types;
    let target = types.pointee(ty).filter(|&target| types.is_shared(target))?;
    let is_plain = !types.resolve(ty).quals.is_volatile && types.bytes(target).is_some();
    (is_plain && types.block(target) != Some(0)).then_some(target)
}

/// Is the value of `id` a pointer of the same kind?
pub fn is_pointer_to(ast: &Ast, sema: &Sema, id: ExprId, target: QualType) -> bool {
    let inner = ast.strip_parens(id);
    let is_converted = sema.coerce.contains_key(&id) || sema.coerce.contains_key(&inner);
    let own = sema.types.decayed_pointee(sema.expr_type(inner));
    !is_converted && own.is_some_and(|own| sema.types.same_but_quals(own, target))
}

/// A narrower index could wrap around before it reaches `hi`, an unsigned one below 0.
fn is_counter(sema: &Sema, index: ObjectId, is_back: bool) -> bool {
    use Builtin::{Int, LLong, Long, UInt, ULLong, ULong};
    let ty = sema.object(index).ty;
    !sema.types.resolve(ty).quals.is_volatile
        && match sema.types.kind(ty) {
            Type::Builtin(Int | Long | LLong) => true,
            Type::Builtin(UInt | ULong | ULLong) => !is_back,
            _ => false,
        }
}
