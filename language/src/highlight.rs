// SPDX-License-Identifier: BSD-3-Clause
//! The names of a source by what they mean: above all which accesses are shared, which of these may
//! go to another host, and which are strict.

use crate::index::Target;
use crate::unit::Unit;
use furlong_compiler::sema::ObjectKind;
use furlong_compiler::span::Span;
use furlong_compiler::syntax::ast::{Affinity, ExprId, ExprKind, ExprOrType, StmtKind, UnaryOp};
use rustc_hash::{FxHashMap, FxHashSet};

#[derive(Clone, Copy, PartialEq, Eq, Debug, PartialOrd, Ord)]
pub enum Kind {
    Variable,
    Parameter,
    Function,
    Type,
    Record,
    Member,
    Constant,
    Macro,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Flags {
    pub is_declaration: bool,
    /// The object, or what the pointer points to, is shared.
    pub is_shared: bool,
    /// An access that may go to another host.
    pub is_remote: bool,
    pub is_strict: bool,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Token {
    /// In the source.
    pub span: Span,
    pub kind: Kind,
    pub flags: Flags,
}

/// In the order of the source.
pub fn tokens(unit: &Unit) -> Vec<Token> {
    let accesses = accesses(unit);
    let mut tokens: Vec<Token> = Vec::new();
    for occurrence in unit.index().all() {
        let span = occurrence.span;
        if span.lo == span.hi || !unit.text.is_exact(span.lo) {
            continue;
        }
        let Some(source) = unit.text.source_span(span) else { continue };
        let Some((kind, is_shared)) = kind(unit, occurrence.target) else { continue };
        let access = accesses.get(&span).copied().unwrap_or_default();
        let flags = Flags { is_declaration: occurrence.is_declaration, is_shared, ..access };
        tokens.push(Token { span: source, kind, flags });
    }
    tokens.extend(unit.text.uses.iter().map(|u| Token {
        span: Span::new(u.at, u.at + u.len),
        kind: Kind::Macro,
        flags: Flags::default(),
    }));
    tokens.sort_by_key(|token| (token.span.lo, token.span.hi));
    tokens.dedup_by(|later, first| later.span.lo < first.span.hi);
    tokens
}

fn kind(unit: &Unit, target: Target) -> Option<(Kind, bool)> {
    let types = &unit.sema.types;
    Some(match target {
        Target::Object(id) => {
            let object = unit.sema.object(id);
            let is_function = types.is_function(object.ty);
            let is_shared = !is_function && (types.is_shared(object.ty) || types.is_pts(object.ty));
            let kind = match object.kind {
                ObjectKind::Typedef => Kind::Type,
                ObjectKind::Enumerator(_) => Kind::Constant,
                ObjectKind::Parameter => Kind::Parameter,
                _ if is_function => Kind::Function,
                _ => Kind::Variable,
            };
            (kind, is_shared)
        }
        Target::Field(record, n) => {
            let field = types.record(record).fields.get(n as usize)?;
            (Kind::Member, types.is_pts(field.ty))
        }
        Target::Record(_) => (Kind::Record, false),
        Target::Label(..) => return None,
    })
}

/// Accesses to shared memory, by the name that stands for each.
fn accesses(unit: &Unit) -> FxHashMap<Span, Flags> {
    let (ast, sema) = (&unit.ast, &unit.sema);
    let parts = parts(unit);
    let local = local(unit);
    let mut found: FxHashMap<Span, Flags> = FxHashMap::default();
    for (n, expr) in ast.exprs.iter().enumerate() {
        let id = ExprId(n as u32);
        let is_lvalue = matches!(
            expr.kind,
            ExprKind::Ident(_)
                | ExprKind::Index { .. }
                | ExprKind::Member { .. }
                | ExprKind::Unary { op: UnaryOp::Deref, .. }
        );
        let ty = sema.expr_type(id);
        if !is_lvalue || parts.contains(&id) || !sema.types.is_shared(ty) || sema.types.is_array(ty)
        {
            continue;
        }
        let Some(name) = name(unit, id) else { continue };
        let text = expr.span.text(&unit.text.text);
        let is_remote = !local
            .iter()
            .any(|(span, own)| span.lo <= expr.span.lo && expr.span.hi <= span.hi && *own == text);
        let flags = found.entry(name).or_default();
        flags.is_shared = true;
        flags.is_remote |= is_remote;
        flags.is_strict |= sema.strict.contains(&id);
    }
    found
}

/// Expressions that are parts of an access or no access: bases, operands of `&` and `sizeof`.
fn parts(unit: &Unit) -> FxHashSet<ExprId> {
    let ast = &unit.ast;
    let mut found = FxHashSet::default();
    for expr in &ast.exprs {
        let part = match expr.kind {
            ExprKind::Unary { op: UnaryOp::AddrOf, operand } => operand,
            ExprKind::SizeOf { operand: ExprOrType::Expr(operand), .. } => operand,
            ExprKind::Member { base, arrow: false, .. } => base,
            _ => continue,
        };
        let mut at = ast.strip_parens(part);
        found.insert(at);
        while let ExprKind::Member { base, arrow: false, .. } = ast.expr(at).kind {
            at = ast.strip_parens(base);
            found.insert(at);
        }
    }
    found
}

/// The name by which an access is shown: the array's, the pointer's, the member's.
fn name(unit: &Unit, id: ExprId) -> Option<Span> {
    let ast = &unit.ast;
    let mut at = id;
    loop {
        at = match &ast.expr(at).kind {
            ExprKind::Ident(_) => return Some(ast.expr(at).span),
            ExprKind::Member { field, .. } => return Some(field.span),
            ExprKind::Index { base, .. } | ExprKind::Paren(base) => *base,
            ExprKind::Unary { operand, .. } | ExprKind::Cast { operand, .. } => *operand,
            ExprKind::Binary { lhs, rhs, .. } => {
                let is_pointer = |id| unit.sema.types.decayed_pointee(unit.sema.expr_type(id));
                if is_pointer(*lhs).is_some() {
                    *lhs
                } else {
                    *rhs
                }
            }
            ExprKind::Call { callee, .. } => *callee,
            _ => return None,
        };
    }
}

/// Lvalues that a `upc_forall` is distributed by, as text, each with the loop in which they are the
/// thread's own.
fn local(unit: &Unit) -> Vec<(Span, String)> {
    let ast = &unit.ast;
    let loops = ast.stmts.iter().filter_map(|stmt| match &stmt.kind {
        StmtKind::UpcForall(forall) => Some((stmt.span, forall.affinity)),
        _ => None,
    });
    let mut found = Vec::new();
    for (span, affinity) in loops {
        let Affinity::Expr(id) = affinity else { continue };
        if let ExprKind::Unary { op: UnaryOp::AddrOf, operand } =
            ast.expr(ast.strip_parens(id)).kind
        {
            let operand = ast.expr(ast.strip_parens(operand));
            found.push((span, operand.span.text(&unit.text.text).to_string()));
        }
    }
    found
}
