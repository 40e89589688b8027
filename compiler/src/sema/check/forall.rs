// SPDX-License-Identifier: BSD-3-Clause
//! What must not happen in the body of a `upc_forall`: threads meet there in vain, since each runs
//! its own iterations, and nobody may leave, or enter by a jump (UPC 1.3 §6.6.2p6).

use crate::diag::fix::Edit;
use crate::diag::{codes, Diagnostic};
use crate::sema::analyser::Analyser;
use crate::span::Span;
use crate::syntax::ast::{Affinity, ExprId, ExprKind, Forall, StmtId, StmtKind, UnaryOp};
use crate::syntax::intern::Symbol;
use crate::syntax::visit::{all_in_stmt, all_stmts, children, for_head, roots};
use rustc_hash::FxHashSet;

/// What a statement may leave by `break`.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Inside {
    Forall,
    Another,
}

/// The statements of a body that matter.
#[derive(Default)]
struct Found {
    barriers: Vec<(Span, &'static str)>,
    exits: Vec<(Span, &'static str)>,
    jumps: Vec<(Span, Symbol)>,
}

impl Analyser<'_> {
    pub(in crate::sema) fn check_forall_body(&mut self, forall: &Forall) {
        let mut found = Found::default();
        self.find_exits(forall.loop_.body, Inside::Forall, &mut found);
        let labels = self.labels_in(forall.loop_.body);
        let leaving = found.jumps.iter().filter(|(_, label)| !labels.contains(label));
        found.exits.extend(leaving.map(|&(span, _)| (span, "goto")));
        // Every thread runs every iteration if no affinity divides them.
        if matches!(forall.affinity, Affinity::Expr(_)) {
            let mut meetings = self.calls_in_forall(forall.loop_.body);
            meetings.extend(found.barriers.iter().map(|&(at, what)| (at, format!("`{what}`"))));
            for (span, what) in meetings {
                self.meeting_in_forall(span, &what, forall.keyword);
            }
        }
        for (span, what) in found.exits {
            self.exit_from_forall(span, what, forall.keyword);
        }
        if let Affinity::Expr(e) = forall.affinity {
            self.check_affinity_value(e, forall.loop_.body);
        }
        let body = self.ast.stmt(forall.loop_.body);
        // On a line of its own, or behind a blank, it is meant.
        let is_beside = self.text[..body.span.lo as usize].ends_with(')');
        if matches!(body.kind, StmtKind::Empty) && is_beside {
            self.empty_body(body.span, forall.keyword);
        }
    }

    fn empty_body(&mut self, span: Span, keyword: Span) {
        self.error(
            Diagnostic::warning(codes::W0519, span, "the body of a `upc_forall` is empty")
                .label("ends the loop")
                .at(keyword, "this loop")
                .note("UPC 1.3 §6.6.2: the body is the statement after the `)`")
                .help("remove the `;`, or write `{}` if nothing is to be done"),
        );
    }

    fn labels_in(&self, id: StmtId) -> FxHashSet<Symbol> {
        let mut labels = FxHashSet::default();
        all_stmts(self.ast, id, &mut |id| {
            if let StmtKind::Label { name, .. } = self.ast.stmt(id).kind {
                labels.insert(name.name);
            }
        });
        labels
    }

    /// `body` is that of a function, whose labels are known in all of it.
    pub(in crate::sema) fn check_jumps_into_foralls(&mut self, body: StmtId) {
        let (mut foralls, mut jumps) = (Vec::new(), Vec::new());
        all_stmts(self.ast, body, &mut |id| match &self.ast.stmt(id).kind {
            StmtKind::UpcForall(forall) => foralls.push(forall),
            StmtKind::Goto(label) => jumps.push((self.ast.stmt(id).span, label.name)),
            _ => {}
        });
        for forall in foralls {
            let inside = self.ast.stmt(forall.loop_.body).span;
            let labels = self.labels_in(forall.loop_.body);
            let enters = |&&(at, label): &&(Span, Symbol)| {
                labels.contains(&label) && (at.hi <= inside.lo || inside.hi <= at.lo)
            };
            for &(span, _) in jumps.iter().filter(enters) {
                self.entry_into_forall(span, forall.keyword);
            }
        }
    }

    /// `body` is that of a function. Of nested `upc_forall`s the outermost one with an affinity
    /// decides (§6.6.2p10).
    pub(in crate::sema) fn check_missing_affinities(&mut self, body: StmtId) {
        let (mut foralls, mut nested) = (Vec::new(), FxHashSet::default());
        all_stmts(self.ast, body, &mut |id| {
            let StmtKind::UpcForall(forall) = &self.ast.stmt(id).kind else { return };
            foralls.push((id, forall));
            all_stmts(self.ast, forall.loop_.body, &mut |id| {
                nested.insert(id);
            });
        });
        for (id, forall) in foralls {
            let has_inner = |id: StmtId| matches!(self.ast.stmt(id).kind, StmtKind::UpcForall(_));
            let mut is_outer = false;
            all_stmts(self.ast, forall.loop_.body, &mut |id| is_outer |= has_inner(id));
            let is_alone = !nested.contains(&id) && !is_outer;
            if is_alone {
                self.check_missing_affinity(forall);
            }
        }
    }

    /// `upc_forall (...; ...; ...; ) a[i] = ...`, or with MYTHREAD, which is each thread's own, in that
    /// place; `continue` says that it is meant, as does a loop that names its thread.
    fn check_missing_affinity(&mut self, forall: &Forall) {
        let is_own = match forall.affinity {
            Affinity::Every => false,
            Affinity::Expr(e) => {
                let e = self.ast.strip_parens(e);
                if !matches!(self.ast.expr(e).kind, ExprKind::MyThread) {
                    return;
                }
                true
            }
        };
        let head = forall.loop_.head.text(self.text).trim_end();
        let mut knows_thread = false;
        for_head(self.ast, &forall.loop_, &mut |e| knows_thread |= self.names_thread(e));
        all_in_stmt(self.ast, forall.loop_.body, &mut |e| knows_thread |= self.names_thread(e));
        if knows_thread || head.ends_with("continue") {
            return;
        }
        let mut stored = None;
        all_in_stmt(self.ast, forall.loop_.body, &mut |e| {
            use UnaryOp::{PostDec, PostInc, PreDec, PreInc};
            let lhs = match self.ast.expr(e).kind {
                ExprKind::Assign { lhs, .. } => lhs,
                ExprKind::Unary { op: PostDec | PostInc | PreDec | PreInc, operand } => operand,
                _ => return,
            };
            if self.types().is_shared(self.sema.expr_type(lhs)) {
                stored = stored.or(Some(lhs));
            }
        });
        let Some(stored) = stored else { return };
        let suggested = match self.ast.expr(self.ast.strip_parens(stored)).kind {
            ExprKind::Index { .. } => format!("&{}", self.span(stored).text(self.text)),
            _ => "i".to_string(),
        };
        let title = match is_own {
            true => "a `upc_forall` with the affinity MYTHREAD, which every thread runs as a whole",
            false => "a `upc_forall` without affinity, which every thread runs as a whole",
        };
        self.error(
            Diagnostic::warning(codes::W0517, forall.keyword, title)
                .label("no thread leaves out an iteration")
                .at(self.span(stored), "all threads store here")
                .note("UPC 1.3 §6.6.2p9: without an affinity every thread performs all iterations")
                .help(format!(
                "name who runs an iteration, as `{suggested}`, or write `continue` if all are to"
            )),
        );
    }

    /// `upc_forall (...; a[i]) a[i] = ...`: the thread would be that of the element's old value.
    fn check_affinity_value(&mut self, affinity: ExprId, body: StmtId) {
        let ty = self.sema.expr_type(affinity);
        if !self.types().is_shared(ty) || !self.sema.flags(affinity).is_lvalue {
            return;
        }
        let text = self.span(affinity).text(self.text);
        let mut stored = None;
        roots(self.ast, body, &mut |e| self.find_store(e, text, &mut stored));
        let Some(stored) = stored else { return };
        let title = format!("the affinity is the value of `{text}`, which the loop stores");
        self.error(
            Diagnostic::warning(codes::W0509, self.span(affinity), title)
                .label("this value, modulo THREADS, is the number of the thread")
                .at(self.span(stored), "stored here")
                .note("UPC 1.3 §6.6.2p5: an integer is the number of the thread; a pointer stands for the thread that it points to")
                .suggest(format!("write `&{text}` for the thread that has it"), vec![Edit::before(self.span(affinity), "&")]),
        );
    }

    /// The first assignment in `e` to what is written as `text`.
    fn find_store(&self, e: ExprId, text: &str, stored: &mut Option<ExprId>) {
        if let ExprKind::Assign { lhs, .. } = self.ast.expr(e).kind {
            if stored.is_none() && self.span(lhs).text(self.text) == text {
                *stored = Some(lhs);
            }
        }
        children(self.ast, e, &mut |child| self.find_store(child, text, stored));
    }

    /// Nested `upc_forall`s are looked at by themselves.
    fn find_exits(&self, id: StmtId, inside: Inside, found: &mut Found) {
        let ast = self.ast;
        let mut id = id;
        loop {
            let span = ast.stmt(id).span;
            match &ast.stmt(id).kind {
                StmtKind::Compound(body) => {
                    return body.iter().for_each(|&id| self.find_exits(id, inside, found))
                }
                StmtKind::If { then, els, .. } => {
                    self.find_exits(*then, inside, found);
                    match els {
                        Some(els) => id = *els,
                        None => return,
                    }
                }
                StmtKind::Label { body, .. }
                | StmtKind::Case { body, .. }
                | StmtKind::Default { body } => id = *body,
                StmtKind::Switch { body, .. }
                | StmtKind::While { body, .. }
                | StmtKind::DoWhile { body, .. } => {
                    return self.find_exits(*body, Inside::Another, found)
                }
                StmtKind::For(head) => return self.find_exits(head.body, Inside::Another, found),
                StmtKind::Break if inside == Inside::Forall => {
                    return found.exits.push((span, "break"))
                }
                StmtKind::Return(_) => return found.exits.push((span, "return")),
                StmtKind::Goto(label) => return found.jumps.push((span, label.name)),
                StmtKind::UpcBarrier(_) => return found.barriers.push((span, "upc_barrier")),
                StmtKind::UpcNotify(_) => return found.barriers.push((span, "upc_notify")),
                StmtKind::UpcWait(_) => return found.barriers.push((span, "upc_wait")),
                _ => return,
            }
        }
    }

    /// The collective calls in a body, but for those of a loop in it that divides its iterations and
    /// is looked at by itself.
    fn calls_in_forall(&self, body: StmtId) -> Vec<(Span, String)> {
        let (mut calls, mut inner) = (Vec::new(), Vec::new());
        roots(self.ast, body, &mut |e| self.collective_calls(e, &mut calls));
        all_stmts(self.ast, body, &mut |id| {
            if let StmtKind::UpcForall(forall) = &self.ast.stmt(id).kind {
                if matches!(forall.affinity, Affinity::Expr(_)) {
                    inner.push(self.ast.stmt(forall.loop_.body).span);
                }
            }
        });
        let is_inner = |at: Span| inner.iter().any(|span| span.lo <= at.lo && at.hi <= span.hi);
        calls.retain(|&(at, _)| !is_inner(at));
        calls
    }

    fn meeting_in_forall(&mut self, span: Span, what: &str, keyword: Span) {
        self.error(
            Diagnostic::warning(codes::W0506, span, format!("{what} in a `upc_forall`"))
                .label("reached as often as this thread has iterations")
                .at(keyword, "threads run different iterations of this loop")
                .note("UPC 1.3 §6.6.2p6: a collective operation in the body is undefined")
                .help("end the loop before it, or write `for` if every thread is to run all of it"),
        );
    }

    fn entry_into_forall(&mut self, span: Span, keyword: Span) {
        self.error(
            Diagnostic::warning(codes::W0507, span, "`goto` enters a `upc_forall`")
                .label("the iteration belongs to no thread")
                .at(keyword, "the loop that is entered")
                .note("UPC 1.3 §6.6.2p6: to enter the body by `goto` is undefined")
                .help("let the loop begin at its head, or move the label out of it"),
        );
    }

    fn exit_from_forall(&mut self, span: Span, what: &str, keyword: Span) {
        self.error(
            Diagnostic::warning(codes::W0507, span, format!("`{what}` leaves a `upc_forall`"))
                .label("ends the loop for this thread alone")
                .at(keyword, "the loop that is left")
                .note("UPC 1.3 §6.6.2p6: to leave the loop by `break`, `goto` or `return` is undefined")
                .help("let the condition end the loop, or remember in a variable what is to be done after it"),
        );
    }
}
