// SPDX-License-Identifier: BSD-3-Clause
//! Whether what a loop writes may be what it reads, as far as names and types tell (C17 §6.5p7).

use super::effects;
use crate::sema::pure;
use crate::sema::types::{QualType, Type};
use crate::sema::{ObjectId, Sema};
use crate::syntax::ast::{Ast, ExprId, ExprKind, StmtId, StmtKind, UnaryOp};
use crate::syntax::visit;

/// May an lvalue of type `written` be an object of the scalar type `ty`, or have one in it?
pub fn may_be(sema: &Sema, written: QualType, ty: QualType) -> bool {
    let types = &sema.types;
    match *types.kind(written) {
        Type::Record(id) if types.record(id).is_complete => {
            return types.record(id).fields.iter().any(|field| may_be(sema, field.ty, ty));
        }
        Type::Array { elem, .. } => return may_be(sema, elem, ty),
        _ => {}
    }
    types.is_record(written)
        || types.size_of(written) == Some(1)
        || (types.size_of(written) == types.size_of(ty)
            && types.is_floating(written) == types.is_floating(ty))
}

/// Does the loop over `body` leave alone what is read in shared memory to evaluate `ids`? Nor may it let
/// the thread see what others have written meanwhile.
pub fn leaves_alone(ast: &Ast, sema: &Sema, body: StmtId, ids: &[ExprId]) -> bool {
    let mut reads = Vec::new();
    ids.iter().for_each(|&id| plain_reads(ast, sema, id, &mut reads));
    reads.is_empty() || (is_quiet(ast, sema, body) && !may_write(ast, sema, body, &reads))
}

/// The plain reads of shared memory that evaluate `id`, in the order in which one leads to another.
pub fn plain_reads(ast: &Ast, sema: &Sema, id: ExprId, reads: &mut Vec<ExprId>) {
    let mut parts = |id| visit::children(ast, id, &mut |e| plain_reads(ast, sema, e, reads));
    match ast.expr(id).kind {
        // What `&a[i]` points to is not read.
        ExprKind::Unary { op: UnaryOp::AddrOf, operand } => parts(ast.strip_parens(operand)),
        _ => parts(id),
    }
    if effects::is_plain_shared(ast, sema, id) {
        reads.push(id);
    }
}

/// Does `body` make only relaxed accesses, and calls that write nothing?
pub fn is_quiet(ast: &Ast, sema: &Sema, body: StmtId) -> bool {
    let mut is_quiet = true;
    visit::all_stmts(ast, body, &mut |stmt| {
        is_quiet &= !matches!(
            ast.stmt(stmt).kind,
            StmtKind::UpcBarrier(_)
                | StmtKind::UpcNotify(_)
                | StmtKind::UpcWait(_)
                | StmtKind::UpcFence
                | StmtKind::Asm { .. }
                | StmtKind::Function(_)
                | StmtKind::Verbatim
        );
    });
    visit::all_in_stmt(ast, body, &mut |id| {
        is_quiet &= !sema.strict.contains(&id)
            && match ast.expr(id).kind {
                ExprKind::Call { callee, .. } => pure::changes_nothing(ast, sema, callee),
                ExprKind::StmtExpr(_) => false,
                _ => true,
            };
    });
    is_quiet
}

fn may_write(ast: &Ast, sema: &Sema, body: StmtId, reads: &[ExprId]) -> bool {
    let mut found = false;
    visit::all_in_stmt(ast, body, &mut |id| {
        let Some(place) = effects::written_place(ast, id) else { return };
        let is_named = effects::written_variable(ast, sema, place).is_some();
        found |= !is_named && reads.iter().any(|&read| may_be_place(ast, sema, place, read));
    });
    found
}

/// May the lvalue `place`, which is no variable of this thread's, be what `read` reads?
fn may_be_place(ast: &Ast, sema: &Sema, place: ExprId, read: ExprId) -> bool {
    let place = ast.strip_parens(place);
    match (root(ast, sema, place), root(ast, sema, read)) {
        (Some(written), Some(other)) => written == other,
        _ => may_be(sema, sema.expr_type(place), sema.expr_type(read)),
    }
}

/// The shared object that the lvalue `id` is a part of, if that is named.
pub fn root(ast: &Ast, sema: &Sema, id: ExprId) -> Option<ObjectId> {
    let id = ast.strip_parens(id);
    match ast.expr(id).kind {
        ExprKind::Ident(_) => {
            let (object, _) = sema.object_of(id)?;
            sema.types.is_shared(sema.object(object).ty).then_some(object)
        }
        ExprKind::Index { base, index } => {
            let is_array = |e| sema.types.is_array(sema.expr_type(e));
            let array = if is_array(index) { index } else { base };
            is_array(array).then(|| root(ast, sema, array))?
        }
        ExprKind::Member { base, arrow: false, .. } => root(ast, sema, base),
        _ => None,
    }
}

/// Are `a` and `b`, which stand still, one and the same? If not, they may still be.
pub fn is_same(ast: &Ast, sema: &Sema, a: ExprId, b: ExprId) -> bool {
    let is = |a, b| is_same(ast, sema, a, b);
    let (a, b) = (ast.strip_parens(a), ast.strip_parens(b));
    match (&ast.expr(a).kind, &ast.expr(b).kind) {
        (ExprKind::Ident(_), ExprKind::Ident(_)) => sema
            .object_of(a)
            .is_some_and(|(object, _)| sema.object_of(b).is_some_and(|(other, _)| other == object)),
        (&ExprKind::Int { value: x, .. }, &ExprKind::Int { value: y, .. }) => x == y,
        (
            &ExprKind::Unary { op: UnaryOp::Deref, operand: p },
            &ExprKind::Unary { op: UnaryOp::Deref, operand: q },
        ) => is(p, q),
        (ExprKind::Threads, ExprKind::Threads) | (ExprKind::MyThread, ExprKind::MyThread) => true,
        (
            &ExprKind::Binary { op: f, lhs: p, rhs: i },
            &ExprKind::Binary { op: g, lhs: q, rhs: j },
        ) => f == g && is(p, q) && is(i, j),
        (&ExprKind::Index { base: p, index: i }, &ExprKind::Index { base: q, index: j }) => {
            is(p, q) && is(i, j)
        }
        (
            &ExprKind::Member { base: p, field: x, arrow: f },
            &ExprKind::Member { base: q, field: y, arrow: g },
        ) => x.name == y.name && f == g && is(p, q),
        _ => false,
    }
}
