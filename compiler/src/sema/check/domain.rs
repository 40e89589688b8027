// SPDX-License-Identifier: BSD-3-Clause
//! Atomic operations that do not fit the domain: its type and operations are given where it is made
//! (UPC 1.3 §7.6.4), and the operations take `void *`, so that C converts any pointer.

use crate::diag::{codes, Diagnostic};
use crate::sema::analyser::Analyser;
use crate::sema::types::{QualType, Type};
use crate::sema::{Object, ObjectId, ObjectKind};
use crate::syntax::ast::{Builtin, ExprId, ExprKind, Item};
use rustc_hash::FxHashMap;

/// Values of `upc_type_t` (runtime/include/upc_types.h) that domains have.
const TYPES: [(i128, &str, Class); 11] = [
    (5, "UPC_INT", Class::Integer(32)),
    (6, "UPC_UINT", Class::Integer(32)),
    (7, "UPC_LONG", Class::Integer(64)),
    (8, "UPC_ULONG", Class::Integer(64)),
    (15, "UPC_INT32", Class::Integer(32)),
    (16, "UPC_UINT32", Class::Integer(32)),
    (17, "UPC_INT64", Class::Integer(64)),
    (18, "UPC_UINT64", Class::Integer(64)),
    (19, "UPC_FLOAT", Class::Float),
    (20, "UPC_DOUBLE", Class::Double),
    (22, "UPC_PTS", Class::Pointer),
];

/// The functions of an operation. `<upc_atomic.h>` makes the second of the first, which is a macro.
const OPERATIONS: [&str; 3] = ["upc_atomic_relaxed", "upcr_atomic_relaxed", "upc_atomic_strict"];

/// What operations of a domain tell apart: with and without a sign, most are the same.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Class {
    Integer(u32),
    Float,
    Double,
    Pointer,
}

/// The variable `domain` in a call.
pub(in crate::sema) struct DomainCall {
    domain: ObjectId,
    call: ExprId,
}

/// Where a domain is made, and its arguments.
#[derive(Clone, Copy)]
struct Made {
    call: ExprId,
    ty: i128,
    ops: i128,
}

impl Analyser<'_> {
    pub(super) fn note_domain_call(&mut self, call: ExprId, args: &[ExprId]) {
        let name = self.called_name(call);
        if !name.is_some_and(|name| OPERATIONS.contains(&name)) {
            return;
        }
        let domain = args.first().and_then(|&arg| self.sema.object_of(self.ast.strip_parens(arg)));
        let is_variable = |(_, o): &(_, &Object)| o.kind == ObjectKind::Variable;
        if let Some((domain, _)) = domain.filter(is_variable) {
            self.domain_calls.push(DomainCall { domain, call });
        }
    }

    /// At the end of the unit, when all that is assigned to variables is known.
    pub(in crate::sema) fn check_domains(&mut self) {
        let mut domains = FxHashMap::default();
        for DomainCall { domain, call } in std::mem::take(&mut self.domain_calls) {
            let made = *domains.entry(domain).or_insert_with(|| self.only_domain(domain));
            let Some(made) = made else { continue };
            let ExprKind::Call { args, .. } = &self.ast.expr(self.ast.strip_parens(call)).kind
            else {
                continue;
            };
            let &[_, fetch, op, target, first, second] = args.as_slice() else { continue };
            self.check_domain_op(made, op);
            self.check_domain_type(made, [target, fetch, first, second]);
        }
    }

    /// The domain that the unit makes for a variable; nothing if it may have others.
    fn only_domain(&mut self, variable: ObjectId) -> Option<Made> {
        if self.sema.object(variable).address_taken {
            return None;
        }
        let mut values = Vec::new();
        for item in &self.ast.items {
            if let Item::Function(function) = item {
                self.assignments(function.body, &mut |assigned, value, _| {
                    values.extend((assigned == variable).then_some(value));
                });
            }
        }
        // A null pointer marks a domain that is not made yet, or is freed.
        values.retain(|&value| !self.is_null(value));
        let mut made = None;
        for value in values {
            let this = self.domain_made(value)?;
            if made.is_some_and(|other: Made| (other.ty, other.ops) != (this.ty, this.ops)) {
                return None;
            }
            made = made.or(Some(this));
        }
        made
    }

    fn domain_made(&mut self, value: ExprId) -> Option<Made> {
        let call = self.ast.strip_parens(value);
        if self.called_name(call) != Some("upc_all_atomicdomain_alloc") {
            return None;
        }
        let ExprKind::Call { args, .. } = &self.ast.expr(call).kind else { return None };
        let &[ty, ops, ..] = args.as_slice() else { return None };
        Some(Made { call, ty: self.fold(ty)?, ops: self.fold(ops)? })
    }

    fn check_domain_op(&mut self, made: Made, op: ExprId) {
        let Some(value) = self.fold(op) else { return };
        if value & made.ops == value {
            return;
        }
        let title = "an operation that is not among those of the domain";
        self.error(
            Diagnostic::warning(codes::W0434, self.span(op), title)
                .label("ends the program")
                .at(self.span(made.call), "the domain is made here")
                .note("UPC 1.3 §7.6.4.3p2: op is one of those that are named where the domain is made")
                .help("add it there, by `|`"),
        );
    }

    /// The first of `args` whose elements are of another size or kind.
    fn check_domain_type(&mut self, made: Made, args: [ExprId; 4]) {
        let Some(&(_, name, class)) = TYPES.iter().find(|(value, ..)| *value == made.ty) else {
            return;
        };
        let types = self.types();
        let wrong = args.into_iter().find_map(|arg| {
            let ty = types.decayed_pointee(self.sema.expr_type(arg))?;
            let ty = types.ultimate_elem(ty);
            (self.class(ty)? != class).then_some((arg, ty))
        });
        let Some((arg, ty)) = wrong else { return };
        let shown = self.show(self.types().unqualified(ty));
        let title = format!("an atomic operation on `{shown}` by a domain of {name}");
        self.error(
            Diagnostic::warning(codes::W0434, self.span(arg), title)
                .label(format!("a pointer to `{shown}`"))
                .at(self.span(made.call), format!("the domain is made for {name}"))
                .note(
                    "UPC 1.3 §7.6.4.3p3: the pointers are taken for pointers to the domain's type",
                )
                .help("make a domain for each type, or declare all operands by the domain's"),
        );
    }

    /// Nothing for bytes, records and `void`: a pointer to them may lead to memory of any type.
    fn class(&self, ty: QualType) -> Option<Class> {
        let types = self.types();
        match *types.kind(ty) {
            Type::Builtin(Builtin::Float) => Some(Class::Float),
            Type::Builtin(Builtin::Double) => Some(Class::Double),
            Type::Pointer(target) => types.is_shared(target).then_some(Class::Pointer),
            _ => match types.integer(ty)? {
                (bits @ (16 | 32 | 64), _) => Some(Class::Integer(bits)),
                _ => None,
            },
        }
    }
}
