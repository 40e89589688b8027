// SPDX-License-Identifier: BSD-3-Clause
//! Functions that change nothing, and access no shared memory: loops that call no others can be looked at
//! as a whole.

use super::{Duration, ObjectId, ObjectKind, Sema};
use crate::span::Span;
use crate::syntax::ast::{Ast, ExprId, ExprKind, Function, StmtId, StmtKind, Storage, UnaryOp};
use crate::syntax::visit;
use rustc_hash::FxHashSet;

/// Those of the C library, which may set `errno`, with their `float` and `long double` forms; and UPC's.
const LIBRARY: &str =
    "abs acos acosh asin asinh atan atan2 atanh cbrt ceil copysign cos cosh erf erfc exp exp2 expm1 fabs \
     fdim floor fma fmax fmin fmod hypot labs ldexp llabs llrint llround log log10 log1p log2 logb lrint \
     lround nearbyint pow remainder rint round scalbn sin sinh sqrt tan tanh tgamma tolower toupper trunc \
     upc_addrfield upc_phaseof upc_threadof";

/// Does `callee` change nothing, and access no shared memory?
pub fn changes_nothing(ast: &Ast, sema: &Sema, callee: ExprId) -> bool {
    sema.object_of(ast.strip_parens(callee)).is_some_and(|(id, object)| {
        object.kind == ObjectKind::Function
            && (sema.pure.contains(&id) || is_of_library(ast, sema, id))
    })
}

/// The user's own function of such a name is not.
pub fn is_of_library(ast: &Ast, sema: &Sema, id: ObjectId) -> bool {
    let object = sema.object(id);
    let name = ast.names.name(object.name);
    let is_users = |at| !ast.lines.regions.is_empty() && !ast.lines.file_at(at).is_system;
    let is_named = (!is_users(object.span.lo) || name.starts_with("upc_"))
        && LIBRARY.split(' ').any(|pure| {
            name.strip_prefix(pure).is_some_and(|suffix| matches!(suffix, "" | "f" | "l"))
        });
    is_named && !sema.functions.iter().any(|(&at, info)| info.object == id && is_users(at))
}

/// Functions that the text defines, and that change no variables but their own, as all that they call.
pub(super) fn functions(ast: &Ast, sema: &Sema, text: &str) -> FxHashSet<ObjectId> {
    let mut seen = vec![false; ast.exprs.len()];
    let mut candidates: Vec<_> = ast
        .functions()
        .filter(|function| !function.span.text(text).contains("cleanup"))
        .filter_map(|function| Candidate::read(ast, sema, function, &mut seen))
        .collect();
    drop_those_with_effects_in_types(ast, &seen, &mut candidates);
    loop {
        let pure: FxHashSet<_> = candidates.iter().map(|candidate| candidate.function).collect();
        let before = candidates.len();
        candidates.retain(|candidate| candidate.calls.iter().all(|callee| pure.contains(callee)));
        if candidates.len() == before {
            return pure;
        }
    }
}

/// A function that is pure if those of the user's that it calls are.
struct Candidate {
    span: Span,
    function: ObjectId,
    calls: Vec<ObjectId>,
}

/// Lengths of arrays, and `typeof`, may have effects as well, where no statement shows them.
fn drop_those_with_effects_in_types(ast: &Ast, seen: &[bool], candidates: &mut Vec<Candidate>) {
    let hidden: Vec<_> = ast
        .exprs
        .iter()
        .zip(seen)
        .filter(|&(expr, &seen)| {
            !seen
                && matches!(
                    expr.kind,
                    ExprKind::Call { .. }
                        | ExprKind::Assign { .. }
                        | ExprKind::Unary {
                            op: UnaryOp::PreInc
                                | UnaryOp::PreDec
                                | UnaryOp::PostInc
                                | UnaryOp::PostDec,
                            ..
                        }
                )
        })
        .map(|(expr, _)| expr.span.lo)
        .collect();
    candidates.retain(|c| !hidden.iter().any(|&at| c.span.lo <= at && at < c.span.hi));
}

impl Candidate {
    fn read(ast: &Ast, sema: &Sema, function: &Function, seen: &mut [bool]) -> Option<Candidate> {
        let object = sema.functions.get(&function.span.lo)?.object;
        if sema.object(object).is_weak || !are_plain(ast, function.body) {
            return None;
        }
        let span = function.span;
        let mut candidate = Candidate { span, function: object, calls: Vec::new() };
        let mut is_fit = true;
        visit::all_in_stmt(ast, function.body, &mut |id| {
            seen[id.0 as usize] = true;
            is_fit = is_fit && candidate.note(ast, sema, id).is_some();
        });
        is_fit.then_some(candidate)
    }

    /// `None` if the expression itself does more than read private memory.
    fn note(&mut self, ast: &Ast, sema: &Sema, id: ExprId) -> Option<()> {
        let ty = sema.expr_type(id);
        if sema.types.is_shared(ty) || sema.types.resolve(ty).quals.is_volatile {
            return None;
        }
        if let Some(place) = written_place(ast, id) {
            let variable = sema.object(written_variable(ast, sema, place)?);
            return (variable.duration == Duration::Automatic).then_some(());
        }
        match &ast.expr(id).kind {
            ExprKind::Call { callee, .. } => {
                let (callee, object) = sema.object_of(ast.strip_parens(*callee))?;
                if object.kind != ObjectKind::Function || sema.atomics.contains_key(&id) {
                    return None;
                }
                if !is_of_library(ast, sema, callee) {
                    self.calls.push(callee);
                }
            }
            ExprKind::StmtExpr(_) | ExprKind::VaArg { .. } | ExprKind::LabelAddr(_) => return None,
            _ => {}
        }
        Some(())
    }
}

/// Are the statements in `body` such as control what is computed?
fn are_plain(ast: &Ast, body: StmtId) -> bool {
    let mut are_plain = true;
    visit::all_stmts(ast, body, &mut |stmt| {
        are_plain &= match &ast.stmt(stmt).kind {
            StmtKind::Declaration(decl) => {
                !matches!(ast.decl(*decl).specs.storage, Some((Storage::Static, _)))
            }
            StmtKind::Function(_)
            | StmtKind::UpcForall(_)
            | StmtKind::UpcNotify(_)
            | StmtKind::UpcWait(_)
            | StmtKind::UpcBarrier(_)
            | StmtKind::UpcFence
            | StmtKind::Asm { .. }
            | StmtKind::GotoComputed(_)
            | StmtKind::Verbatim => false,
            _ => true,
        };
    });
    are_plain
}

/// The lvalue that `id` itself assigns to, increments or decrements.
pub fn written_place(ast: &Ast, id: ExprId) -> Option<ExprId> {
    use UnaryOp::{PostDec, PostInc, PreDec, PreInc};
    match ast.expr(id).kind {
        ExprKind::Assign { lhs, .. } => Some(lhs),
        ExprKind::Unary { op: PreInc | PreDec | PostInc | PostDec, operand } => Some(operand),
        _ => None,
    }
}

/// The private variable, named, that is written where `lhs` is: all of it or a part.
pub fn written_variable(ast: &Ast, sema: &Sema, lhs: ExprId) -> Option<ObjectId> {
    let lhs = ast.strip_parens(lhs);
    if sema.types.is_shared(sema.expr_type(lhs)) {
        return None;
    }
    match ast.expr(lhs).kind {
        ExprKind::Ident(_) => sema.object_of(lhs).map(|(object, _)| object),
        ExprKind::Member { base, arrow: false, .. } => written_variable(ast, sema, base),
        ExprKind::Index { base, .. } if sema.types.is_array(sema.expr_type(base)) => {
            written_variable(ast, sema, base)
        }
        _ => None,
    }
}
