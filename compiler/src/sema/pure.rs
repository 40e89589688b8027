// SPDX-License-Identifier: BSD-3-Clause
//! Functions that only compute: what they return follows from their arguments, and nothing else can tell
//! whether and when they are called. Loops that call no others can be looked at as a whole.

use super::types::{QualType, Type};
use super::{Duration, ObjectId, ObjectKind, Sema};
use crate::syntax::ast::{
    Ast, ExprId, ExprKind, Function, Item, StmtId, StmtKind, Storage, UnaryOp,
};
use crate::syntax::visit;
use rustc_hash::FxHashSet;

/// Those of the C library, which may set `errno`, with their `float` and `long double` forms; and UPC's.
const LIBRARY: &[&str] = &[
    "abs",
    "acos",
    "acosh",
    "asin",
    "asinh",
    "atan",
    "atan2",
    "atanh",
    "cbrt",
    "ceil",
    "copysign",
    "cos",
    "cosh",
    "erf",
    "erfc",
    "exp",
    "exp2",
    "expm1",
    "fabs",
    "fdim",
    "floor",
    "fma",
    "fmax",
    "fmin",
    "fmod",
    "hypot",
    "labs",
    "ldexp",
    "llabs",
    "llrint",
    "llround",
    "log",
    "log10",
    "log1p",
    "log2",
    "logb",
    "lrint",
    "lround",
    "nearbyint",
    "pow",
    "remainder",
    "rint",
    "round",
    "scalbn",
    "sin",
    "sinh",
    "sqrt",
    "tan",
    "tanh",
    "tgamma",
    "tolower",
    "toupper",
    "trunc",
    "upc_addrfield",
    "upc_phaseof",
    "upc_threadof",
];

/// Is `callee` one of them?
pub fn is_pure_function(ast: &Ast, sema: &Sema, callee: ExprId) -> bool {
    sema.object_of(ast.strip_parens(callee)).is_some_and(|(id, object)| {
        object.kind == ObjectKind::Function
            && (sema.pure.contains(&id) || is_of_library(ast, sema, id))
    })
}

/// The user's own function of such a name is not.
fn is_of_library(ast: &Ast, sema: &Sema, id: ObjectId) -> bool {
    let object = sema.object(id);
    let name = ast.names.name(object.name);
    let is_users = !ast.lines.regions.is_empty() && !ast.lines.file_at(object.span.lo).is_system;
    (!is_users || name.starts_with("upc_"))
        && LIBRARY.iter().any(|&pure| {
            name.strip_prefix(pure).is_some_and(|suffix| matches!(suffix, "" | "f" | "l"))
        })
}

/// Those that the text defines. They change no variables but their own, and read no others but
/// constants; so do the functions that they call.
pub(super) fn functions(ast: &Ast, sema: &Sema) -> FxHashSet<ObjectId> {
    let defined = ast.items.iter().filter_map(|item| match item {
        Item::Function(function) => Some(function.as_ref()),
        _ => None,
    });
    let mut candidates: Vec<_> = defined.filter_map(|f| Candidate::read(ast, sema, f)).collect();
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
    function: ObjectId,
    calls: Vec<ObjectId>,
}

impl Candidate {
    fn read(ast: &Ast, sema: &Sema, function: &Function) -> Option<Candidate> {
        let object = sema.functions.get(&function.span.lo)?.object;
        if sema.object(object).is_weak || !are_plain(ast, function.body) {
            return None;
        }
        let (mut calls, mut is_fit) = (Vec::new(), true);
        visit::all_in_stmt(ast, function.body, &mut |id| {
            is_fit = is_fit && only_computes(ast, sema, id, &mut calls);
        });
        is_fit.then_some(Candidate { function: object, calls })
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

fn only_computes(ast: &Ast, sema: &Sema, id: ExprId, calls: &mut Vec<ObjectId>) -> bool {
    let ty = sema.expr_type(id);
    let is_array = |id| {
        let ty = sema.expr_type(id);
        sema.types.is_array(ty) && !sema.types.is_shared(ty)
    };
    if sema.types.is_shared(ty) || sema.types.resolve(ty).quals.is_volatile {
        return false;
    }
    match &ast.expr(id).kind {
        ExprKind::Ident(_) => sema.object_of(id).is_some_and(|(_, object)| match object.kind {
            ObjectKind::Variable | ObjectKind::Parameter => {
                object.duration == Duration::Automatic || is_constant(sema, object.ty)
            }
            _ => true,
        }),
        ExprKind::Call { callee, .. } => {
            let callee = ast.strip_parens(*callee);
            let Some((object, _)) = sema.object_of(callee) else { return false };
            let is_function = sema.object(object).kind == ObjectKind::Function;
            if is_function && !is_of_library(ast, sema, object) {
                calls.push(object);
            }
            is_function && !sema.atomics.contains_key(&id)
        }
        &ExprKind::Index { base, index } => is_array(base) || is_array(index),
        ExprKind::Member { arrow, .. } => !arrow,
        ExprKind::Unary { op, .. } => !matches!(op, UnaryOp::Deref | UnaryOp::AddrOf),
        ExprKind::StmtExpr(_) | ExprKind::VaArg { .. } | ExprKind::LabelAddr(_) => false,
        _ => true,
    }
}

/// Is an object of this type one that nobody writes?
fn is_constant(sema: &Sema, ty: QualType) -> bool {
    let quals = sema.types.resolve(ty).quals;
    match *sema.types.kind(ty) {
        Type::Array { elem, .. } => is_constant(sema, elem),
        _ => quals.is_const && !quals.is_volatile,
    }
}
