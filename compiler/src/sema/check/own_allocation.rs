// SPDX-License-Identifier: BSD-3-Clause
//! Locks and arrays over the threads that every thread allocates for itself, where one for all is
//! meant: functions that are not collective give each thread that calls them its own (UPC 1.3
//! §7.2.2.1p3, §7.2.4.2p3).

use crate::diag::fix::Edit;
use crate::diag::{codes, Diagnostic};
use crate::sema::analyser::Analyser;
use crate::sema::ObjectId;
use crate::span::Span;
use crate::syntax::ast::{Affinity, ExprId, ExprKind, InitKind, StmtId, StmtKind, UnaryOp};
use crate::syntax::visit::{all_in_expr, all_in_stmt, all_stmts, children};

#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Lock,
    Array,
}

/// `variable = call`, which every thread executes.
struct Allocation {
    variable: ObjectId,
    call: ExprId,
    kind: Kind,
    /// What is assigned to, if it is not the declaration that has the call.
    target: Option<ExprId>,
}

impl Analyser<'_> {
    /// `body` is that of a function. Nothing is said of pointers that go to other places, where
    /// other threads may find them.
    pub(in crate::sema) fn check_own_allocations(&mut self, body: StmtId) {
        let mut found = Vec::new();
        self.assignments(body, &mut |variable, value, target| {
            found.extend(self.allocation(variable, value, target));
        });
        if found.is_empty() {
            return;
        }
        // What some threads alone may execute.
        let chosen = self.exprs_within(body, &|kind| {
            use StmtKind::{For, If, Switch, UpcForall, While};
            matches!(kind, If { .. } | Switch { .. } | While { .. } | For(_) | UpcForall(_))
        });
        found.retain(|allocation| !chosen.contains(&allocation.call));
        for allocation in found {
            if let Some(joint) = self.joint_use(body, &allocation) {
                self.own_allocation(&allocation, joint);
            }
        }
    }

    /// Variables that a statement declares with a value or assigns: with the value, and with what is
    /// assigned to.
    pub(super) fn assignments(
        &self,
        body: StmtId,
        f: &mut dyn FnMut(ObjectId, ExprId, Option<ExprId>),
    ) {
        all_stmts(self.ast, body, &mut |id| match self.ast.stmt(id).kind {
            StmtKind::Declaration(decl) => {
                for (n, declarator) in self.ast.decl(decl).declarators.iter().enumerate() {
                    let init = declarator.init.map(|init| &self.ast.init(init).kind);
                    if let (Some(&InitKind::Expr(value)), Some(&variable)) =
                        (init, self.sema.declared.get(&(decl, n)))
                    {
                        f(variable, value, None);
                    }
                }
            }
            StmtKind::Expr(e) => {
                if let ExprKind::Assign { op: None, lhs, rhs } = self.ast.expr(e).kind {
                    if let Some((id, _)) = self.sema.object_of(self.ast.strip_parens(lhs)) {
                        f(id, rhs, Some(lhs));
                    }
                }
            }
            _ => {}
        });
    }

    fn allocation(
        &self,
        variable: ObjectId,
        value: ExprId,
        target: Option<ExprId>,
    ) -> Option<Allocation> {
        let mut call = self.ast.strip_parens(value);
        while let ExprKind::Cast { operand, .. } = self.ast.expr(call).kind {
            call = self.ast.strip_parens(operand);
        }
        let kind = match self.called_name(call)? {
            "upc_global_lock_alloc" => Kind::Lock,
            "upc_global_alloc" => Kind::Array,
            _ => return None,
        };
        let is_private = !self.types().is_shared(self.sema.object(variable).ty);
        is_private.then_some(Allocation { variable, call, kind, target })
    }

    /// What threads are to do together with the object that a variable points to; nothing if the
    /// variable has other uses, by which they may know of one object.
    fn joint_use(&self, body: StmtId, allocation: &Allocation) -> Option<ExprId> {
        let is_it = |e| {
            let object = self.sema.object_of(self.ast.strip_parens(e));
            object.is_some_and(|(id, _)| id == allocation.variable)
        };
        let (mut joint, mut uses, mut known) = (None, 0, 0);
        all_in_stmt(self.ast, body, &mut |e| match &self.ast.expr(e).kind {
            ExprKind::Ident(_) if is_it(e) => uses += 1,
            ExprKind::Call { args, .. } if args.len() == 1 && is_it(args[0]) => {
                match self.called_name(e) {
                    Some("upc_lock" | "upc_lock_attempt") => joint = joint.or(Some(args[0])),
                    Some("upc_unlock" | "upc_lock_free" | "upc_free") => {}
                    _ => return,
                }
                known += 1;
            }
            ExprKind::Index { base, index } if is_it(*base) => {
                if self.names_thread(*index) {
                    joint = joint.or(Some(e));
                }
                known += 1;
            }
            _ => {}
        });
        if allocation.kind == Kind::Array {
            let divided = self.divided(body, &is_it);
            joint = joint.or(divided);
            known -= self.taken(body, &is_it, divided);
        }
        let given = usize::from(allocation.target.is_some());
        joint.filter(|_| uses == known + given)
    }

    /// The affinity `&p[i]` of a `upc_forall`.
    fn divided(&self, body: StmtId, is_it: &dyn Fn(ExprId) -> bool) -> Option<ExprId> {
        let mut divided = None;
        all_stmts(self.ast, body, &mut |id| {
            let StmtKind::UpcForall(forall) = &self.ast.stmt(id).kind else { return };
            let Affinity::Expr(affinity) = forall.affinity else { return };
            all_in_expr(self.ast, affinity, &mut |e| {
                if is_it(e) && divided.is_none() {
                    divided = Some(affinity);
                }
            });
        });
        divided
    }

    /// How many elements have their addresses taken, but not for an affinity.
    fn taken(
        &self,
        body: StmtId,
        is_it: &dyn Fn(ExprId) -> bool,
        affinity: Option<ExprId>,
    ) -> usize {
        let mut taken = 0;
        all_in_stmt(self.ast, body, &mut |e| {
            children(self.ast, e, &mut |child| {
                let child = self.ast.strip_parens(child);
                let ExprKind::Unary { op: UnaryOp::AddrOf, operand } = self.ast.expr(child).kind
                else {
                    return;
                };
                let operand = self.ast.strip_parens(operand);
                if let ExprKind::Index { base, .. } = self.ast.expr(operand).kind {
                    taken += usize::from(is_it(base) && affinity != Some(child));
                }
            });
        });
        taken
    }

    fn own_allocation(&mut self, allocation: &Allocation, joint: ExprId) {
        let name = self.name(self.sema.object(allocation.variable).name);
        let (what, function, all, label, paragraph) = match allocation.kind {
            Kind::Lock => (
                "lock",
                "upc_global_lock_alloc",
                "upc_all_lock_alloc",
                "no other thread takes this one",
                "§7.2.4.2p3",
            ),
            Kind::Array => (
                "array",
                "upc_global_alloc",
                "upc_all_alloc",
                "no other thread stores into this one",
                "§7.2.2.1p3",
            ),
        };
        let callee = self.span(allocation.call).lo;
        let place = Span::new(callee, callee + function.len() as u32);
        let title = format!("each thread allocates its own {what} `{name}`");
        self.error(
            Diagnostic::warning(codes::W0515, self.span(joint), title)
                .label(label)
                .at(self.span(allocation.call), "every thread that comes here gets another one")
                .note(format!("UPC 1.3 {paragraph}: {function} is not a collective function"))
                .suggest(
                    format!("call `{all}`, which gives all threads the same one"),
                    vec![Edit::replace(place, all)],
                ),
        );
    }
}
