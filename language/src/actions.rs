// SPDX-License-Identifier: BSD-3-Clause
//! Changes that an editor can offer: a loop over a shared array for all threads, a loop that copies
//! as one transfer.

use crate::unit::Unit;
use furlong_compiler::opt::counted::{self, Counted, Step};
use furlong_compiler::opt::effects;
use furlong_compiler::sema::types::QualType;
use furlong_compiler::span::Span;
use furlong_compiler::syntax::ast::{ExprId, ExprKind, For, Stmt, StmtId, StmtKind};
use furlong_compiler::syntax::visit;

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Action {
    pub title: String,
    /// Spans of the source, none of which overlap, and what replaces them.
    pub edits: Vec<(Span, String)>,
}

/// Those for what stands at `span` of the source.
pub fn actions(unit: &Unit, span: Span) -> Vec<Action> {
    let loops = unit.ast.stmts.iter().enumerate().filter_map(|(n, stmt)| match &stmt.kind {
        StmtKind::For(head) => Some((StmtId(n as u32), stmt, &**head)),
        _ => None,
    });
    let mut found = Vec::new();
    for (id, stmt, head) in loops {
        // The head is what one points at: a body has loops of its own.
        let whole = Span::new(stmt.span.lo, head.head.hi + 1);
        let Some(place) = exact(unit, whole) else { continue };
        if place.hi < span.lo || span.hi < place.lo {
            continue;
        }
        let Some(counted) = counted::recognise(&unit.ast, &unit.sema, head) else { continue };
        found.extend(to_forall(unit, id, stmt, head, &counted));
        found.extend(to_memget(unit, stmt, head, &counted));
    }
    found
}

/// `span` of the preprocessed text in the source, if no macro is in it.
fn exact(unit: &Unit, span: Span) -> Option<Span> {
    let source = unit.text.source_span(span)?;
    (span.text(&unit.text.text) == source.text(&unit.source)).then_some(source)
}

fn text(unit: &Unit, id: ExprId) -> Option<String> {
    let span = unit.text.source_span(unit.ast.expr(id).span)?;
    Some(span.text(&unit.source).to_string())
}

/// `for (i = 0; i < n; i++) a[i] = ...` becomes `upc_forall (i = 0; i < n; i++; &a[i])`, and so does
/// one that goes from MYTHREAD in steps of THREADS.
fn to_forall(
    unit: &Unit,
    id: StmtId,
    stmt: &Stmt,
    head: &For,
    counted: &Counted,
) -> Option<Action> {
    let ast = &unit.ast;
    let is_inside = ast.stmts.iter().any(|other| {
        matches!(other.kind, StmtKind::UpcForall(_))
            && other.span.lo <= stmt.span.lo
            && stmt.span.hi <= other.span.hi
    });
    if is_inside || leaves(unit, id, head) {
        return None;
    }
    let index = ast.names.name(unit.sema.object(counted.index).name).to_string();
    let own = Span::new(stmt.span.lo, stmt.span.lo + "for".len() as u32);
    let end = Span::new(head.head.hi, head.head.hi);
    let (own, end) = (exact(unit, own)?, Span { hi: exact(unit, head.head)?.hi, ..end });
    let end = Span::new(end.hi, end.hi);
    let mut edits = vec![(own, "upc_forall".to_string())];
    let affinity = match (counted.step, &ast.expr(ast.strip_parens(counted.lo)).kind) {
        (Step::One | Step::Constant(_) | Step::Invariant(_) | Step::Back, _) => {
            affinity(unit, head, counted).unwrap_or(index)
        }
        (Step::Threads, ExprKind::MyThread) => {
            edits.push((exact(unit, ast.expr(counted.lo).span)?, "0".to_string()));
            edits.push((exact(unit, ast.expr(head.step?).span)?, format!("{index}++")));
            index
        }
        (Step::Threads, _) => return None,
    };
    edits.push((end, format!("; {affinity}")));
    Some(Action {
        title: format!("Make this a `upc_forall` with the affinity `{affinity}`"),
        edits,
    })
}

/// Does the loop end other than by its condition?
fn leaves(unit: &Unit, id: StmtId, head: &For) -> bool {
    let mut leaves = effects::breaks_out(&unit.ast, head.body);
    visit::all_stmts(&unit.ast, id, &mut |stmt| {
        leaves |= matches!(
            unit.ast.stmt(stmt).kind,
            StmtKind::Return(_)
                | StmtKind::Goto(_)
                | StmtKind::GotoComputed(_)
                | StmtKind::UpcBarrier(_)
                | StmtKind::UpcNotify(_)
                | StmtKind::UpcWait(_)
        );
    });
    leaves
}

/// The address of the element that the body writes, by the index alone.
fn affinity(unit: &Unit, head: &For, counted: &Counted) -> Option<String> {
    let (ast, sema) = (&unit.ast, &unit.sema);
    let mut found = None;
    visit::all_in_stmt(ast, head.body, &mut |id| {
        let ExprKind::Assign { lhs, .. } = ast.expr(id).kind else { return };
        let lhs = ast.strip_parens(lhs);
        let ExprKind::Index { index, .. } = ast.expr(lhs).kind else { return };
        let mentions = |id: ExprId| {
            let mut is_there = false;
            visit::all_in_expr(ast, id, &mut |e| {
                is_there |= counted::names(ast, sema, e, counted.index);
            });
            is_there
        };
        let is_fit = sema.types.is_shared(sema.expr_type(lhs)) && mentions(index);
        if is_fit && is_fixed(unit, lhs, counted) && found.is_none() {
            found = text(unit, lhs);
        }
    });
    Some(format!("&{}", found?))
}

/// Does the lvalue depend on nothing that the loop changes, other than its index?
fn is_fixed(unit: &Unit, id: ExprId, counted: &Counted) -> bool {
    let (ast, sema) = (&unit.ast, &unit.sema);
    let mut is_fixed = true;
    visit::all_in_expr(ast, id, &mut |e| {
        is_fixed &= match &ast.expr(e).kind {
            ExprKind::Ident(_) => sema.object_of(e).is_some_and(|(object, o)| {
                let is_shared = sema.types.is_shared(o.ty);
                let is_array = sema.types.is_array(o.ty);
                object == counted.index
                    || (is_shared && is_array)
                    || counted.effects.keeps(sema, object)
            }),
            ExprKind::Call { .. } | ExprKind::Assign { .. } => false,
            _ => true,
        };
    });
    is_fixed
}

/// `for (i = lo; i < hi; i++) to[i] = from[i];`, where all elements of one side are at one thread,
/// becomes `upc_memget(&to[lo], &from[lo], ((hi) - (lo)) * sizeof(to[0]));` or `upc_memput`.
fn to_memget(unit: &Unit, stmt: &Stmt, head: &For, counted: &Counted) -> Option<Action> {
    let (ast, types) = (&unit.ast, &unit.sema.types);
    if counted.step != Step::One {
        return None;
    }
    let ExprKind::Assign { op: None, lhs, rhs } = ast.expr(only_expression(unit, head.body)?).kind
    else {
        return None;
    };
    let (to, from) = (ast.strip_parens(lhs), ast.strip_parens(rhs));
    let (to_ty, from_ty) = (unit.sema.expr_type(to), unit.sema.expr_type(from));
    let bare = |ty: QualType| types.resolve(ty).ty;
    if bare(to_ty) != bare(from_ty)
        || unit.sema.strict.contains(&to)
        || unit.sema.strict.contains(&from)
    {
        return None;
    }
    let name = match (types.block(to_ty), types.block(from_ty)) {
        (None, Some(0)) => "upc_memget",
        (Some(0), None) => "upc_memput",
        _ => return None,
    };
    let base = |id: ExprId| match ast.expr(id).kind {
        ExprKind::Index { base, index }
            if counted::names(ast, &unit.sema, index, counted.index) =>
        {
            // An array by its name is where it is.
            let (base_id, ty) = (ast.strip_parens(base), unit.sema.expr_type(base));
            let is_array = unit.sema.object_of(base_id).is_some() && types.is_array(ty);
            (is_array || is_fixed(unit, base, counted)).then(|| text(unit, base))?
        }
        _ => None,
    };
    let (to, from) = (base(to)?, base(from)?);
    let (lo, hi) = (text(unit, counted.lo)?, text(unit, counted.hi)?);
    let more = if counted.is_inclusive { " + 1" } else { "" };
    let is_plain = |text: &str| text.chars().all(|c| c.is_alphanumeric() || c == '_');
    let factor = |text: &str| if is_plain(text) { text.to_string() } else { format!("({text})") };
    let count = match (lo.as_str(), more) {
        ("0", "") => factor(&hi),
        ("0", more) => format!("({}{more})", factor(&hi)),
        (lo, more) => format!("({} - {}{more})", factor(&hi), factor(lo)),
    };
    let call = format!("{name}(&{to}[{lo}], &{from}[{lo}], {count} * sizeof({to}[0]));");
    // A variable of the function's has its last value afterwards.
    let index = ast.names.name(unit.sema.object(counted.index).name);
    let last = match counted.is_declared {
        true => String::new(),
        false => format!(" {index} = {hi}{more};"),
    };
    let replaced = match last.is_empty() {
        true => call,
        false => format!("{{ {call}{last} }}"),
    };
    let span = exact(unit, stmt.span)?;
    Some(Action { title: format!("Copy by `{name}`"), edits: vec![(span, replaced)] })
}

/// The expression that the statement consists of.
fn only_expression(unit: &Unit, id: StmtId) -> Option<ExprId> {
    match &unit.ast.stmt(id).kind {
        StmtKind::Expr(e) => Some(unit.ast.strip_parens(*e)),
        StmtKind::Compound(stmts) if stmts.len() == 1 => only_expression(unit, stmts[0]),
        _ => None,
    }
}
