// SPDX-License-Identifier: BSD-3-Clause
//! `upc_forall` (UPC 1.3 §6.6.2).
//!
//! The outermost loop with an affinity, in the order of execution, distributes its iterations;
//! inner ones run them all (§6.6.2p11). A counter per thread tells which is which, because the
//! inner one may be in another function. One inside another in the text needs no counter, which in a
//! thread of OpenMP's that runs it would know nothing of the outer one.

use super::Emitter;
use crate::sema::types::Type;
use crate::span::Span;
use crate::syntax::ast::{Affinity, Builtin, ExprId, ForInit, Forall, StmtKind};

impl Emitter<'_> {
    pub(super) fn forall(&mut self, span: Span, forall: &Forall) {
        let Affinity::Expr(affinity) = forall.affinity else {
            self.edit(forall.keyword, "for");
            self.for_head(span, &forall.loop_);
            self.cut_affinity(forall, String::new());
            self.body_of(&forall.loop_, |e| e.stmt(forall.loop_.body));
            return;
        };
        let outermost = self.fresh("f");
        let enter = match self.in_forall {
            true => format!("{{ const int {outermost} = 0;"),
            false => format!(
                "{{ int {outermost} __attribute__((cleanup(upcr_forall_leave))) = \
                 upcr_forall_enter();"
            ),
        };
        let form = match self.distributed_form(forall) {
            Some(form) => {
                self.stop_assuming();
                format!(
                    "\n{}{} if ({outermost} && {} else\n{}for",
                    self.quiet_marker(forall.keyword.hi),
                    form.start,
                    form.rest,
                    self.marker(forall.keyword.hi)
                )
            }
            None => "for".into(),
        };
        self.edit(forall.keyword, format!("{enter} {form}"));
        self.for_head(span, &forall.loop_);
        let mine = self.is_mine(affinity);
        // The affinity is evaluated in every iteration; a pure one need not be seen to be.
        let test = match self.is_pure(affinity) {
            true => format!(" if (!{outermost} || {mine})"),
            false => format!(" if ({mine} || !{outermost})"),
        };
        self.cut_affinity(forall, test);
        let body = self.ast.stmt(forall.loop_.body);
        if matches!(body.kind, StmtKind::Empty) {
            // C compilers warn of `if (...) ;`.
            self.edit(body.span, "{}");
        }
        let outer = std::mem::replace(&mut self.in_forall, true);
        self.body_of(&forall.loop_, |e| e.stmt(forall.loop_.body));
        self.in_forall = outer;
        self.edit(Span::new(span.hi, span.hi), " }");
    }

    /// A condition: does this thread execute the iteration?
    fn is_mine(&mut self, affinity: ExprId) -> String {
        let Some(target) = self.shared_target(affinity) else {
            use Builtin::{UInt128, ULLong, ULong};
            let is_large = matches!(
                self.sema.types.kind(self.sema.expr_type(affinity)),
                Type::Builtin(ULong | ULLong | UInt128)
            );
            let value = self.value_text(affinity);
            return match is_large {
                true => format!("upcr_mine_unsigned({value})"),
                false => format!("upcr_mine_index((long)({value}))"),
            };
        };
        let address = match self.sema.types.block(target) {
            Some(0) => format!("({})", self.value_text(affinity)),
            _ => {
                let place = self.pointed_place(affinity, target);
                self.plain_address_of(&place)
            }
        };
        format!("upcr_mine_address((unsigned long){address})")
    }

    /// Takes `; affinity` out of the head and puts `test` after it.
    fn cut_affinity(&mut self, forall: &Forall, test: String) {
        let head = &forall.loop_;
        let body = self.ast.stmt(head.body).span.lo;
        let last = head
            .step
            .or(head.cond)
            .map(|e| self.ast.expr(e).span.hi)
            .or(match head.init {
                ForInit::Expr(e) => Some(self.ast.expr(e).span.hi),
                ForInit::Declaration(d) => Some(self.ast.decl(d).span.hi),
                ForInit::None => None,
            })
            .unwrap_or(head.head.lo);
        // The third semicolon is the last one before the affinity, whatever is missing.
        let end = match forall.affinity {
            Affinity::Expr(e) => self.ast.expr(e).span.lo,
            Affinity::Every => head.head.hi,
        };
        let semicolon = self.span_text(Span::new(last, end)).rfind(';');
        let from = semicolon.map_or(end, |at| last + at as u32);
        self.edit(Span::new(from, body), format!("){test} "));
    }
}
