// SPDX-License-Identifier: BSD-3-Clause
//! OpenMP's pragmas beside UPC (`upcc -fopenmp`). What OpenMP divides among threads must be a loop
//! of C, and its clauses are about private variables: the C compiler sees no shared ones.

use crate::diag::{codes, Diagnostic};
use crate::sema::analyser::Analyser;
use crate::sema::{ObjectId, ObjectKind, PragmaName};
use crate::span::Span;
use crate::syntax::ast::{ExprId, ExprKind, StmtId, StmtKind, UnaryOp};

/// Directives that want a `for` loop of C behind them.
const LOOPS: &[&str] = &["for", "simd", "taskloop", "distribute", "loop", "tile", "unroll"];

/// A word of a pragma, and the clause in whose parentheses it stands.
struct Word {
    span: Span,
    clause: Option<Span>,
}

impl Analyser<'_> {
    /// The pragmas before the statement `id`.
    pub(in crate::sema) fn check_pragmas(&mut self, id: StmtId) {
        let ast = self.ast;
        let Some(pragmas) = ast.pragmas.get(&id) else { return };
        for &pragma in pragmas {
            let words = words(self.text, pragma);
            let is_openmp = words.get(1).is_some_and(|w| w.span.text(self.text) == "omp");
            if !self.openmp || !is_openmp {
                continue;
            }
            let is_named = |names: &[&str]| {
                words.iter().any(|w| w.clause.is_none() && names.contains(&w.span.text(self.text)))
            };
            let (is_loop, is_atomic) = (is_named(LOOPS), is_named(&["atomic"]));
            if is_loop {
                self.check_divided(id);
            }
            if is_atomic {
                self.pragma_atomic = Some(id);
            }
            for word in &words {
                self.check_word(word);
            }
        }
    }

    fn check_divided(&mut self, id: StmtId) {
        let StmtKind::UpcForall(forall) = &self.ast.stmt(id).kind else { return };
        self.error(
            Diagnostic::error(codes::E0503, forall.keyword, "OpenMP cannot divide a `upc_forall`")
                .label("the pragma before it wants a `for` loop")
                .note("`upc_forall` divides its iterations among the UPC threads already")
                .help(
                    "put a `for` loop over the thread's own elements behind the pragma, such as \
                     `for (i = MYTHREAD; i < n; i += THREADS)`",
                ),
        );
    }

    fn check_word(&mut self, word: &Word) {
        let name = word.span.text(self.text);
        let Some(clause) = word.clause else { return };
        let replaced = match name {
            "MYTHREAD" => Some(PragmaName::MyThread),
            "THREADS" => Some(PragmaName::Threads),
            _ => None,
        };
        if let Some(replaced) = replaced {
            self.sema.pragma_names.push((word.span, replaced));
            return;
        }
        let Some(object) = self.shared_object(name) else { return };
        if clause.text(self.text) == "shared" {
            self.sema.pragma_names.push((word.span, PragmaName::Shared(object)));
            return;
        }
        self.error(
            Diagnostic::error(
                codes::E0504,
                word.span,
                format!("`{name}` is shared by the UPC threads, and cannot be in this clause"),
            )
            .label(format!("in `{}`", clause.text(self.text)))
            .note("the clauses of OpenMP are about private variables of the UPC thread")
            .help("use a private variable, and copy its value"),
        );
    }

    fn shared_object(&self, name: &str) -> Option<ObjectId> {
        let object = self.scopes.name(self.ast.names.get(name)?)?;
        let info = self.sema.object(object);
        let is_shared = info.kind == ObjectKind::Variable && self.sema.types.is_shared(info.ty);
        is_shared.then_some(object)
    }

    /// Behind `#pragma omp atomic`, after the statement `id` has been typed: what it changes is no
    /// shared object, which for the C compiler is none, or a call that moves bytes.
    pub(in crate::sema) fn check_atomic(&mut self, id: StmtId) {
        if self.pragma_atomic.take_if(|atomic| *atomic == id).is_none() {
            return;
        }
        let mut changed = Vec::new();
        self.changed_by_stmt(id, &mut changed);
        for e in changed {
            if self.types().is_shared(self.sema.expr_type(e)) {
                self.error(
                    Diagnostic::error(
                        codes::E0504,
                        self.span(e),
                        "`#pragma omp atomic` on a shared object",
                    )
                    .label("this is shared by the UPC threads")
                    .note("OpenMP's atomic operations know only the threads of one process")
                    .help("use `upc_atomic_relaxed` of <upc_atomic.h>, or a `upc_lock_t`"),
                );
            }
        }
    }
}

impl Analyser<'_> {
    fn changed_by_stmt(&self, id: StmtId, changed: &mut Vec<ExprId>) {
        match &self.ast.stmt(id).kind {
            StmtKind::Compound(stmts) => {
                stmts.iter().for_each(|&stmt| self.changed_by_stmt(stmt, changed));
            }
            StmtKind::Expr(e) => self.changed_by(*e, changed),
            _ => {}
        }
    }

    /// The lvalues that `x += e` and `v = x++` change.
    fn changed_by(&self, e: ExprId, changed: &mut Vec<ExprId>) {
        match self.ast.expr(self.ast.strip_parens(e)).kind {
            ExprKind::Assign { lhs, rhs, .. } => {
                changed.push(lhs);
                self.changed_by(rhs, changed);
            }
            ExprKind::Unary {
                op: UnaryOp::PreInc | UnaryOp::PreDec | UnaryOp::PostInc | UnaryOp::PostDec,
                operand,
            } => changed.push(operand),
            _ => {}
        }
    }
}

/// The words of a pragma, `pragma` first.
fn words(text: &str, pragma: Span) -> Vec<Word> {
    let bytes = pragma.text(text).as_bytes();
    let is_word = |b: u8| b.is_ascii_alphanumeric() || b == b'_';
    let span = |from: usize, to: usize| Span::new(pragma.lo + from as u32, pragma.lo + to as u32);
    let (mut found, mut depth, mut clause) = (Vec::<Word>::new(), 0usize, None);
    let mut at = 0;
    while at < bytes.len() {
        let from = at;
        while at < bytes.len() && is_word(bytes[at]) {
            at += 1;
        }
        if at > from {
            found.push(Word { span: span(from, at), clause });
            continue;
        }
        match bytes[at] {
            b'(' => {
                clause = if depth == 0 { found.last().map(|w| w.span) } else { clause };
                depth += 1;
            }
            b')' => {
                depth = depth.saturating_sub(1);
                clause = clause.filter(|_| depth > 0);
            }
            _ => {}
        }
        at += 1;
    }
    found
}
