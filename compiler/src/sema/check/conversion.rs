// SPDX-License-Identifier: BSD-3-Clause
//! Implicit conversions that lose or invent affinity (UPC 1.3 §6.4.3p1 and p4, §6.5.1.1p13,
//! C17 §6.5.16.1p1).

use crate::diag::fix::Edit;
use crate::diag::{codes, Diagnostic};
use crate::sema::analyser::Analyser;
use crate::sema::convert::Receiver;
use crate::sema::types::QualType;
use crate::span::Span;
use crate::syntax::ast::{ExprId, ExprKind, UnaryOp};

/// Where the value goes, to follow "is" or "becomes".
fn whither(receiver: Receiver) -> String {
    match receiver {
        Receiver::Assignment => "in an assignment".into(),
        Receiver::Initialiser => "in an initialiser".into(),
        Receiver::Argument { n, .. } => format!("as argument {} of a call", n + 1),
        Receiver::Return => "in a `return`".into(),
    }
}

impl Analyser<'_> {
    /// A private pointer or a number, not null, becomes a pointer-to-shared; `receiver` is
    /// `None` for a cast.
    pub(in crate::sema) fn becomes_shared_pointer(
        &mut self,
        id: ExprId,
        source: QualType,
        target: QualType,
        receiver: Option<Receiver>,
    ) {
        let (from, to) = (self.show(source), self.show(target));
        let what = if self.types().is_pointer(source) { "a private pointer" } else { "a number" };
        let place = receiver.map_or("in a cast".into(), whither);
        let diagnostic = Diagnostic::error(
            codes::E0407,
            self.span(id),
            format!("{what} becomes a pointer-to-shared {place}"),
        )
        .label(format!("`{from}` here, but `{to}` is needed"))
        .note(
            "UPC 1.3 §6.4.3p1: only a pointer-to-shared or a null pointer constant becomes a \
                 pointer-to-shared",
        );
        // `upc_lock(&lock)` of a `upc_lock_t *lock`.
        let operand = match self.ast.expr(self.ast.strip_parens(id)).kind {
            ExprKind::Unary { op: UnaryOp::AddrOf, operand } => Some(operand),
            _ => None,
        };
        let is_wanted = |&operand: &ExprId| self.sema.expr_type(operand).ty == target.ty;
        if let Some(operand) = operand.filter(is_wanted) {
            let ampersand = Span::new(self.span(id).lo, self.span(operand).lo);
            let title = format!("leave out the `&`: {} is the pointer", self.quote(operand));
            return self.error(diagnostic.suggest(title, vec![Edit::remove(ampersand)]));
        }
        self.error(match receiver.and_then(|receiver| self.needs_other_function(receiver)) {
            Some(other) => other.advise(diagnostic, None),
            None => diagnostic.help(match operand {
                Some(operand) => format!("declare {} as `shared`", self.quote(operand)),
                None if self.is_function_designator(id) => {
                    format!("call it: `{}()`", self.span(id).text(self.text))
                }
                None => {
                    "take the address of a shared object, or allocate one with `upc_alloc`".into()
                }
            }),
        });
    }

    fn is_function_designator(&self, id: ExprId) -> bool {
        let pointee = self.types().pointee(self.sema.expr_type(id));
        matches!(self.ast.expr(id).kind, ExprKind::Ident(_))
            && (self.types().is_function(self.sema.expr_type(id))
                || pointee.is_some_and(|pointee| self.types().is_function(pointee)))
    }

    pub(in crate::sema) fn loses_shared(
        &mut self,
        id: ExprId,
        source: QualType,
        target: QualType,
        receiver: Receiver,
    ) {
        let (from, to) = (self.show(source), self.show(target));
        let what = if self.types().is_pointer(target) { "a private pointer" } else { "a number" };
        let place = whither(receiver);
        let diagnostic = Diagnostic::error(
            codes::E0408,
            self.span(id),
            format!("a pointer-to-shared becomes {what} without a cast {place}"),
        )
        .label(format!("`{from}` here, but `{to}` is needed"))
        .note(
            "UPC 1.3 §6.4.3p4: the types are not compatible, so a cast is required; its result is \
             defined only if the target has affinity to this thread",
        );
        let pointee = self.types().pointee(source).map(|ty| self.types().unqualified(ty));
        if pointee.is_some_and(|ty| ty.ty == target.ty) {
            let text = format!("`*{}` is what it points to", self.quote(id).trim_matches('`'));
            return self.error(diagnostic.suggest(text, vec![Edit::before(self.span(id), "*")]));
        }
        let is_pointer = self.types().is_pointer(target);
        let cast = |value: &str| match is_pointer {
            true => format!("write `({to})` before {value}, if its target is local"),
            false => "use `upc_addrfield` for the address as a number".into(),
        };
        let declare = match receiver {
            _ if !is_pointer => None,
            Receiver::Initialiser => Some("declare it as"),
            Receiver::Assignment => Some("declare what it is assigned to as"),
            Receiver::Return => Some("let the function return"),
            Receiver::Argument { .. } => None,
        };
        // Through a `shared void *` nothing can be accessed.
        let shown = match (self.types().pointee(source), self.types().pointee(target)) {
            (Some(memory), Some(element)) if self.types().is_void(memory) => {
                let is_on_one = self.called_name(id) == Some("upc_alloc");
                let layout = if is_on_one { "shared []" } else { "shared" };
                format!("{layout} {} *", self.show(element))
            }
            _ => from,
        };
        self.error(match (self.needs_other_function(receiver), declare) {
            (Some(other), _) => other.advise(diagnostic, Some(cast("it"))),
            (None, Some(declare)) => {
                diagnostic.help(format!("{declare} `{shown}`, or {}", cast("the value")))
            }
            (None, None) => diagnostic.help(cast("it")),
        });
    }

    pub(in crate::sema) fn changes_shared_type(
        &mut self,
        id: ExprId,
        source: QualType,
        target: QualType,
        receiver: Receiver,
    ) {
        let (from, to) = (self.show(source), self.show(target));
        let block = |ty| self.types().pointee(ty).and_then(|target| self.types().block(target));
        let title = match (block(source), block(target)) {
            (Some(m), Some(n)) if m != n => "the block size changes without a cast",
            _ => "the type behind a pointer changes without a cast",
        };
        let place = whither(receiver);
        self.error(
            Diagnostic::error(codes::E0409, self.span(id), format!("{title} {place}"))
                .label(format!("`{from}` here, but `{to}` is needed"))
                .note("UPC 1.3 §6.5.1.1p13: the block size is part of a type's compatibility")
                .help(format!("write `({to})` before it; the phase is then reset to 0")),
        );
    }
}
