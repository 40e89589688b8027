// SPDX-License-Identifier: BSD-3-Clause
//! Walks over the tree: children of expressions and statements, in source order.

use crate::syntax::ast::{
    Affinity, Ast, DeclId, Designator, ExprId, ExprKind, ExprOrType, For, ForInit, InitId,
    InitKind, StmtId, StmtKind,
};

/// Calls `f` with each evaluated child expression of `id`. Statement expressions count with
/// every expression in them; types do not count.
pub fn children(ast: &Ast, id: ExprId, f: &mut dyn FnMut(ExprId)) {
    match &ast.expr(id).kind {
        ExprKind::Paren(e) => f(*e),
        ExprKind::Index { base, index } => {
            f(*base);
            f(*index);
        }
        ExprKind::Call { callee, args } => {
            f(*callee);
            args.iter().for_each(|&arg| f(arg));
        }
        ExprKind::Member { base, .. } => f(*base),
        ExprKind::Unary { operand, .. } | ExprKind::Cast { operand, .. } => f(*operand),
        ExprKind::SizeOf { operand: ExprOrType::Expr(e), .. } => f(*e),
        ExprKind::CompoundLit { init, .. } => in_init(ast, *init, f),
        ExprKind::Binary { lhs, rhs, .. }
        | ExprKind::Assign { lhs, rhs, .. }
        | ExprKind::Comma { lhs, rhs } => {
            f(*lhs);
            f(*rhs);
        }
        ExprKind::Cond { cond, then, els } => {
            f(*cond);
            then.iter().for_each(|&e| f(e));
            f(*els);
        }
        ExprKind::Generic { control, assocs } => {
            f(*control);
            assocs.iter().for_each(|a| f(a.value));
        }
        ExprKind::StmtExpr(body) => roots(ast, *body, f),
        ExprKind::VaArg { list, .. } => f(*list),
        ExprKind::ChooseExpr { cond, then, els } => [*cond, *then, *els].into_iter().for_each(f),
        _ => {}
    }
}

/// Calls `f` with `id` and every expression below it; chains may have any length.
pub fn all_in_expr(ast: &Ast, id: ExprId, f: &mut dyn FnMut(ExprId)) {
    let mut left = vec![id];
    while let Some(id) = left.pop() {
        f(id);
        let first = left.len();
        children(ast, id, &mut |child| left.push(child));
        left[first..].reverse();
    }
}

/// Calls `f` with every expression in `id`.
pub fn all_in_stmt(ast: &Ast, id: StmtId, f: &mut dyn FnMut(ExprId)) {
    roots(ast, id, &mut |root| all_in_expr(ast, root, f));
}

/// Calls `f` with `id` and every statement in it, those of statement expressions not.
pub fn all_stmts(ast: &Ast, id: StmtId, f: &mut dyn FnMut(StmtId)) {
    f(id);
    match &ast.stmt(id).kind {
        StmtKind::Compound(stmts) => stmts.iter().for_each(|&s| all_stmts(ast, s, f)),
        StmtKind::Label { body, .. }
        | StmtKind::Case { body, .. }
        | StmtKind::Default { body }
        | StmtKind::Switch { body, .. }
        | StmtKind::While { body, .. }
        | StmtKind::DoWhile { body, .. } => all_stmts(ast, *body, f),
        StmtKind::If { then, els, .. } => {
            all_stmts(ast, *then, f);
            els.iter().for_each(|&s| all_stmts(ast, s, f));
        }
        StmtKind::For(head) => all_stmts(ast, head.body, f),
        StmtKind::UpcForall(forall) => all_stmts(ast, forall.loop_.body, f),
        _ => {}
    }
}

/// Calls `f` with the outermost expressions of `id`.
pub fn roots(ast: &Ast, id: StmtId, f: &mut dyn FnMut(ExprId)) {
    match &ast.stmt(id).kind {
        StmtKind::Compound(stmts) => stmts.iter().for_each(|&s| roots(ast, s, f)),
        StmtKind::Declaration(decl) => in_declaration(ast, *decl, f),
        StmtKind::Expr(e) | StmtKind::GotoComputed(e) | StmtKind::Return(Some(e)) => f(*e),
        StmtKind::Label { body, .. } | StmtKind::Default { body } => roots(ast, *body, f),
        StmtKind::Case { body, .. } => roots(ast, *body, f),
        StmtKind::If { cond, then, els } => {
            f(*cond);
            roots(ast, *then, f);
            els.iter().for_each(|&s| roots(ast, s, f));
        }
        StmtKind::Switch { cond, body } | StmtKind::While { cond, body } => {
            f(*cond);
            roots(ast, *body, f);
        }
        StmtKind::DoWhile { body, cond } => {
            roots(ast, *body, f);
            f(*cond);
        }
        StmtKind::For(head) => in_for(ast, head, f),
        StmtKind::UpcForall(forall) => {
            if let Affinity::Expr(e) = forall.affinity {
                f(e);
            }
            in_for(ast, &forall.loop_, f);
        }
        StmtKind::Asm { operands } => operands.iter().for_each(|&e| f(e)),
        StmtKind::UpcNotify(Some(e))
        | StmtKind::UpcWait(Some(e))
        | StmtKind::UpcBarrier(Some(e)) => f(*e),
        _ => {}
    }
}

fn in_for(ast: &Ast, head: &For, f: &mut dyn FnMut(ExprId)) {
    for_head(ast, head, f);
    roots(ast, head.body, f);
}

/// Calls `f` with the outermost expressions between the parentheses of a `for`.
pub fn for_head(ast: &Ast, head: &For, f: &mut dyn FnMut(ExprId)) {
    match head.init {
        ForInit::None => {}
        ForInit::Expr(e) => f(e),
        ForInit::Declaration(decl) => in_declaration(ast, decl, f),
    }
    head.cond.iter().for_each(|&e| f(e));
    head.step.iter().for_each(|&e| f(e));
}

fn in_declaration(ast: &Ast, id: DeclId, f: &mut dyn FnMut(ExprId)) {
    for declarator in &ast.decl(id).declarators {
        declarator.init.iter().for_each(|&init| in_init(ast, init, f));
    }
}

/// Calls `f` with the outermost expressions of an initialiser.
pub fn in_init(ast: &Ast, id: InitId, f: &mut dyn FnMut(ExprId)) {
    match &ast.init(id).kind {
        InitKind::Expr(e) => f(*e),
        InitKind::List(items) => {
            for item in items {
                for designator in &item.designators {
                    match *designator {
                        Designator::Field(_) => {}
                        Designator::Index(e) => f(e),
                        Designator::Range(lo, hi) => {
                            f(lo);
                            f(hi);
                        }
                    }
                }
                in_init(ast, item.init, f);
            }
        }
    }
}
