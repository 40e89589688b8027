// SPDX-License-Identifier: BSD-3-Clause
//! Spans are exact: children lie inside their parents in order, what stands between two children
//! is what the grammar puts there, and nodes begin and end with the right characters.

use crate::span::Span;
use crate::syntax::ast::*;

pub fn check(ast: &Ast, text: &str) {
    let checker = Checker { ast, text };
    for expr in &ast.exprs {
        checker.expr(expr);
    }
    for stmt in &ast.stmts {
        checker.stmt(stmt);
    }
    for decl in &ast.decls {
        checker.declaration(decl);
    }
    let mut last = 0;
    for item in &ast.items {
        let span = match item {
            Item::Declaration(id) => ast.decl(*id).span,
            Item::Function(f) => f.span,
            Item::StaticAssert { span, .. } | Item::Verbatim(span) => *span,
        };
        assert!(last <= span.lo && span.lo <= span.hi, "items overlap at {span:?}");
        last = span.hi;
    }
}

struct Checker<'a> {
    ast: &'a Ast,
    text: &'a str,
}

impl Checker<'_> {
    fn between(&self, a: Span, b: Span) -> &str {
        self.text[a.hi as usize..b.lo as usize].trim()
    }

    fn span(&self, id: ExprId) -> Span {
        self.ast.expr(id).span
    }

    /// `parts` lie in order within `whole`.
    fn within(&self, whole: Span, parts: &[Span]) {
        let mut last = whole.lo;
        for part in parts {
            let text = whole.text(self.text);
            assert!(last <= part.lo && part.lo <= part.hi, "{part:?} in {whole:?} {text}");
            last = part.hi;
        }
        assert!(last <= whole.hi, "{parts:?} leave {whole:?}");
    }

    /// The text has no blanks at its ends.
    fn tight(&self, span: Span) -> &str {
        let text = span.text(self.text);
        let at_end = |c: Option<char>| c.is_some_and(char::is_whitespace);
        assert!(!at_end(text.chars().next()) && !at_end(text.chars().next_back()), "loose: {text}");
        text
    }

    fn expr(&self, expr: &Expr) {
        if matches!(expr.kind, ExprKind::Error) {
            return;
        }
        let text = self.tight(expr.span);
        let s = |id: &ExprId| self.span(*id);
        match &expr.kind {
            ExprKind::Paren(inner) => {
                assert!(text.starts_with('(') && text.ends_with(')'), "{text}");
                self.within(expr.span, &[s(inner)]);
            }
            ExprKind::Binary { lhs, rhs, .. } | ExprKind::Assign { lhs, rhs, .. } => {
                assert_eq!((s(lhs).lo, s(rhs).hi), (expr.span.lo, expr.span.hi), "{text}");
                assert!((1..=3).contains(&self.between(s(lhs), s(rhs)).len()), "{text}");
            }
            ExprKind::Comma { lhs, rhs } => assert_eq!(self.between(s(lhs), s(rhs)), ","),
            ExprKind::Cond { cond, then, els } => match then {
                Some(then) => {
                    assert_eq!(self.between(s(cond), s(then)), "?");
                    assert_eq!(self.between(s(then), s(els)), ":");
                }
                None => assert!(self.between(s(cond), s(els)).starts_with('?'), "{text}"),
            },
            ExprKind::Index { base, index } => {
                assert_eq!(s(base).lo, expr.span.lo);
                assert!(matches!(self.between(s(base), s(index)), "[" | "<:"), "{text}");
                assert!(text.ends_with(']') || text.ends_with(":>"), "{text}");
            }
            ExprKind::Call { callee, args } => {
                assert_eq!(s(callee).lo, expr.span.lo);
                assert!(text.ends_with(')'), "{text}");
                let parts: Vec<Span> =
                    std::iter::once(s(callee)).chain(args.iter().map(s)).collect();
                self.within(expr.span, &parts);
                parts[1..].windows(2).for_each(|p| assert_eq!(self.between(p[0], p[1]), ","));
            }
            ExprKind::Member { base, field, arrow } => {
                let mark = if *arrow { "->" } else { "." };
                assert_eq!(self.between(s(base), field.span), mark);
                assert_eq!(field.span.hi, expr.span.hi);
                assert_eq!(field.span.text(self.text), self.ast.names.name(field.name));
            }
            ExprKind::Cast { ty, operand } => {
                let ty = self.ast.type_name(*ty).span;
                assert_eq!(self.between(ty, s(operand)), ")");
                assert_eq!(s(operand).hi, expr.span.hi);
            }
            ExprKind::CompoundLit { ty, init } => {
                let (ty, init) = (self.ast.type_name(*ty).span, self.ast.init(*init).span);
                assert_eq!(self.between(ty, init), ")");
                assert_eq!(init.hi, expr.span.hi);
            }
            ExprKind::Unary { op, operand } => match op {
                UnaryOp::PostInc | UnaryOp::PostDec => assert_eq!(s(operand).lo, expr.span.lo),
                _ => assert_eq!(s(operand).hi, expr.span.hi),
            },
            ExprKind::Ident(name) => assert_eq!(text, self.ast.names.name(*name)),
            ExprKind::Threads => assert_eq!(text, "THREADS"),
            ExprKind::MyThread => assert_eq!(text, "MYTHREAD"),
            _ => {}
        }
    }

    fn stmt(&self, stmt: &Stmt) {
        let text = self.tight(stmt.span);
        let inner = |id: &StmtId| self.ast.stmt(*id).span;
        match &stmt.kind {
            StmtKind::Compound(list) => {
                let is_braced = text.starts_with('{') && text.ends_with('}');
                assert!(is_braced || text.starts_with("<%"), "{text}");
                let parts: Vec<Span> = list.iter().map(inner).collect();
                self.within(stmt.span, &parts);
            }
            StmtKind::Expr(e) => assert!(self.span(*e).lo == stmt.span.lo && text.ends_with(';')),
            StmtKind::Declaration(id) => assert_eq!(self.ast.decl(*id).span, stmt.span),
            StmtKind::If { cond, then, els } => {
                let mut parts = vec![self.span(*cond), inner(then)];
                parts.extend(els.iter().map(inner));
                self.within(stmt.span, &parts);
                assert_eq!(parts.last().map(|p| p.hi), Some(stmt.span.hi));
            }
            StmtKind::For(l) => self.head(stmt.span, l),
            StmtKind::UpcForall(f) => {
                self.head(stmt.span, &f.loop_);
                assert_eq!(f.keyword.lo, stmt.span.lo);
            }
            StmtKind::Label { body, .. }
            | StmtKind::Case { body, .. }
            | StmtKind::Default { body }
            | StmtKind::Switch { body, .. }
            | StmtKind::While { body, .. } => assert_eq!(inner(body).hi, stmt.span.hi, "{text}"),
            _ => {}
        }
    }

    fn head(&self, whole: Span, l: &For) {
        self.within(whole, &[l.head, self.ast.stmt(l.body).span]);
        let bytes = self.text.as_bytes();
        assert_eq!(bytes[l.head.lo as usize - 1], b'(');
        assert_eq!(bytes[l.head.hi as usize], b')');
    }

    fn declaration(&self, decl: &Declaration) {
        let text = self.tight(decl.span);
        self.within(decl.span, &[decl.specs.span]);
        self.tight(decl.specs.span);
        self.within(decl.specs.span, &[decl.specs.ty_span]);
        let parts: Vec<Span> = decl.declarators.iter().map(|d| d.span).collect();
        self.within(decl.span, &parts);
        for d in &decl.declarators {
            self.tight(d.span);
            self.within(d.span, &[d.declarator.span]);
            if let Some(init) = d.init {
                let init = self.ast.init(init).span;
                self.within(d.span, &[d.declarator.span, init]);
                assert!(self.between(d.declarator.span, init).contains('='), "{text}");
            }
            for chunk in &d.declarator.chunks {
                self.within(d.declarator.span, &[chunk.span]);
                self.tight(chunk.span);
            }
        }
        parts.windows(2).for_each(|p| assert_eq!(self.between(p[0], p[1]), ",", "{text}"));
    }
}
