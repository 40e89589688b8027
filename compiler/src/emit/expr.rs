// SPDX-License-Identifier: BSD-3-Clause
//! Expressions: as values and as lvalues.
//!
//! `x_value` functions give `None` where the source text is right as it stands. New text is
//! always primary or enclosed, so that it can stand wherever the old text stood.

use super::access::address_text;
use super::convert::plain_address;
use super::place::Place;
use super::text::primary;
use super::Emitter;
use crate::sema::types::{PtsRep, QualType};
use crate::sema::Duration;
use crate::span::Span;
use crate::syntax::ast::{
    Designator, ExprId, ExprKind, GenericAssoc, InitId, InitKind, TypeNameId, UnaryOp,
};
use crate::syntax::intern::{Interner, Symbol};
use rustc_hash::FxHashMap;

/// A part of an expression with its new text, if it has one.
pub(super) type Part = (Span, Option<String>);

/// Library calls of UPC 1.3 §7.2.3 that are address arithmetic.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Query {
    Thread,
    Phase,
    ResetPhase,
    Field,
}

impl Query {
    pub(super) fn names(names: &Interner) -> FxHashMap<Symbol, Query> {
        [
            ("upc_threadof", Query::Thread),
            ("upc_phaseof", Query::Phase),
            ("upc_resetphase", Query::ResetPhase),
            ("upc_addrfield", Query::Field),
        ]
        .into_iter()
        .filter_map(|(name, query)| Some((names.get(name)?, query)))
        .collect()
    }
}

impl Emitter<'_> {
    /// The value of `id` after its implicit conversion.
    pub(crate) fn value(&mut self, id: ExprId) -> Option<String> {
        let text = self.unconverted_value(id, true);
        let text = match self.sema.coerce.get(&id) {
            Some(&to) => self.coerce(id, text, to),
            None => text,
        };
        let text = self.subscript_value(id, text);
        text.map(|text| self.folds.fold(text))
    }

    pub(crate) fn value_text(&mut self, id: ExprId) -> String {
        self.value(id).unwrap_or_else(|| self.span_text(self.ast.expr(id).span).into())
    }

    /// An expression whose value nobody uses.
    pub(super) fn effect(&mut self, id: ExprId) -> Option<String> {
        if self.sema.coerce.contains_key(&id) {
            return self.value(id);
        }
        self.unconverted_value(id, false)
    }

    pub(super) fn value_part(&mut self, id: ExprId) -> Part {
        (self.ast.expr(id).span, self.value(id))
    }

    fn part(&mut self, id: ExprId, needs_value: bool) -> Part {
        match needs_value {
            true => self.value_part(id),
            false => (self.ast.expr(id).span, self.effect(id)),
        }
    }

    pub(super) fn lvalue_part(&mut self, id: ExprId) -> Part {
        (self.ast.expr(id).span, self.lvalue(id))
    }

    pub(super) fn type_name_part(&mut self, id: TypeNameId) -> Part {
        (self.ast.type_name(id).span, self.type_name(id))
    }

    /// The source text of `id` with new texts for its parts; `None` if no part is new.
    pub(super) fn rebuild(
        &mut self,
        id: ExprId,
        f: impl FnOnce(&mut Self, &mut Vec<Part>),
    ) -> Option<String> {
        let mut parts = Vec::new();
        f(self, &mut parts);
        parts.retain(|part| part.1.is_some());
        if parts.is_empty() {
            return None;
        }
        parts.sort_by_key(|part| part.0.lo);
        let span = self.ast.expr(id).span;
        let (mut out, mut at) = (String::new(), span.lo);
        for (part, text) in parts {
            out += self.span_text(Span::new(at, part.lo));
            out += text.as_deref().unwrap_or_default();
            at = part.hi;
        }
        out += self.span_text(Span::new(at, span.hi));
        Some(out)
    }

    fn unconverted_value(&mut self, id: ExprId, needs_value: bool) -> Option<String> {
        if self.sema.strict.contains(&id) {
            return Some(self.strict_load(id));
        }
        if self.is_remote_read(id) {
            return Some(self.read(id));
        }
        let types = &self.sema.types;
        let ty = self.sema.expr_type(id);
        if let Some(elem) = types.elem(ty).filter(|&t| types.block(t).is_some_and(|b| b != 0)) {
            let place = self.place(id);
            return Some(self.pointer(&place, elem));
        }
        match self.ast.expr(id).kind {
            ExprKind::Threads => Some(match self.options.threads {
                Some(n) => n.to_string(),
                None => "((int)upcr_threads())".into(),
            }),
            ExprKind::MyThread => Some(self.mythread().into()),
            ExprKind::Paren(inner) => {
                self.rebuild(id, |e, parts| parts.push(e.part(inner, needs_value)))
            }
            ExprKind::Assign { .. } => self.assign(id, needs_value),
            ExprKind::Binary { .. } => self.overlapped(id).or_else(|| self.binary(id)),
            ExprKind::Unary { op, operand } => self.unary(id, op, operand, needs_value),
            ExprKind::SizeOf { op, operand } => self.size_of(id, op, operand),
            ExprKind::Cast { .. } => self.cast(id),
            ExprKind::Call { .. } => self.call(id, needs_value),
            ExprKind::Comma { lhs, rhs } => self.comma(id, lhs, rhs, needs_value),
            ExprKind::Cond { .. } => self.conditional(id),
            ExprKind::Ident(_)
            | ExprKind::Index { .. }
            | ExprKind::Member { .. }
            | ExprKind::Generic { .. } => self.lvalue(id),
            _ => self.other_value(id),
        }
    }

    fn comma(&mut self, id: ExprId, lhs: ExprId, rhs: ExprId, needs_value: bool) -> Option<String> {
        let (mut effects, mut left) = (Vec::new(), lhs);
        while let ExprKind::Comma { lhs, rhs } = self.ast.expr(left).kind {
            effects.push(rhs);
            left = lhs;
        }
        effects.push(left);
        self.rebuild(id, |e, parts| {
            for effect in effects.into_iter().rev() {
                parts.push((e.ast.expr(effect).span, e.effect(effect)));
            }
            parts.push(e.part(rhs, needs_value));
        })
    }

    /// `a ? x : b ? y : z` in one step, for it may be long.
    fn conditional(&mut self, id: ExprId) -> Option<String> {
        self.rebuild(id, |e, parts| {
            let mut last = id;
            while let ExprKind::Cond { cond, then, els } = e.ast.expr(last).kind {
                parts.push(e.value_part(cond));
                then.into_iter().for_each(|then| parts.push(e.value_part(then)));
                last = els;
                if e.sema.coerce.contains_key(&last) {
                    break;
                }
            }
            parts.push(e.value_part(last));
        })
    }

    /// The kinds of expressions that are neither operators nor lvalues.
    fn other_value(&mut self, id: ExprId) -> Option<String> {
        match &self.ast.expr(id).kind {
            ExprKind::CompoundLit { ty, init } => self.compound_literal(id, *ty, *init),
            ExprKind::StmtExpr(body) => {
                let (span, body) = (self.ast.expr(id).span, *body);
                self.capture(span, |e| e.value_block(body))
            }
            ExprKind::VaArg { list, ty } => self.rebuild(id, |e, parts| {
                parts.push(e.value_part(*list));
                parts.push(e.type_name_part(*ty));
            }),
            ExprKind::Offsetof { ty, designators } => self.rebuild(id, |e, parts| {
                parts.push(e.type_name_part(*ty));
                for designator in designators {
                    if let Designator::Index(index) = *designator {
                        parts.push(e.value_part(index));
                    }
                }
            }),
            ExprKind::TypesCompatible { a, b } => {
                let types = &self.sema.types;
                let mentions = |t| types.mentions_shared(self.sema.type_of_name(t));
                if mentions(*a) || mentions(*b) {
                    if let Some(value) = self.sema.const_values.get(&id) {
                        return Some(value.to_string());
                    }
                }
                self.rebuild(id, |e, parts| {
                    parts.push(e.type_name_part(*a));
                    parts.push(e.type_name_part(*b));
                })
            }
            ExprKind::ChooseExpr { cond, then, els } => self.rebuild(id, |e, parts| {
                parts.extend([e.value_part(*cond), e.value_part(*then), e.value_part(*els)]);
            }),
            _ => None,
        }
    }

    pub(super) fn lvalue_text(&mut self, id: ExprId) -> String {
        let text = self.lvalue(id);
        primary(text.unwrap_or_else(|| self.span_text(self.ast.expr(id).span).into()))
    }

    /// An element of a shared vector, by a pointer: clang has no address of `vector[index]`. Accesses
    /// to elements and to the vector may alias in both compilers.
    fn vector_element(&mut self, base: ExprId, index: ExprId, ty: QualType) -> String {
        let pointer = self.c_pointer_named(ty, "*");
        let (vector, index) = (self.address_of_lvalue(base), self.value_text(index));
        format!("(*(({pointer}){vector} + {}))", primary(index))
    }

    /// `id` as a C lvalue (if it is one), without the access that a value of it would be.
    pub(super) fn lvalue(&mut self, id: ExprId) -> Option<String> {
        self.unfolded_lvalue(id).map(|text| self.folds.fold(text))
    }

    fn unfolded_lvalue(&mut self, id: ExprId) -> Option<String> {
        let types = &self.sema.types;
        let ty = self.sema.expr_type(id);
        match &self.ast.expr(id).kind {
            ExprKind::Paren(inner) | ExprKind::Unary { op: UnaryOp::Extension, operand: inner } => {
                let inner = *inner;
                self.rebuild(id, |e, parts| parts.push(e.lvalue_part(inner)))
            }
            ExprKind::Ident(_) => self.ident(id),
            ExprKind::Index { base, index } => {
                let (base, index) = (*base, *index);
                if types.block(ty).is_some_and(|b| b != 0) {
                    return Some(self.placed_lvalue(id));
                }
                if types.is_shared(ty) && types.is_vector(self.sema.expr_type(base)) {
                    return Some(self.vector_element(base, index, ty));
                }
                self.rebuild(id, |e, parts| {
                    parts.push(e.base_part(base));
                    parts.push(e.base_part(index));
                })
            }
            ExprKind::Unary { op: UnaryOp::Deref, operand } => {
                let operand = *operand;
                if types.block(ty).is_some_and(|b| b != 0) {
                    return Some(self.placed_lvalue(id));
                }
                self.rebuild(id, |e, parts| parts.push(e.value_part(operand)))
            }
            ExprKind::Unary { op: UnaryOp::Real | UnaryOp::Imag, operand } => {
                let operand = *operand;
                self.rebuild(id, |e, parts| {
                    parts.push(match e.sema.flags(operand).is_lvalue {
                        true if !e.sema.strict.contains(&operand) => e.lvalue_part(operand),
                        _ => e.value_part(operand),
                    });
                })
            }
            ExprKind::Member { base, arrow, .. } => self.member(id, *base, *arrow),
            ExprKind::Generic { control, assocs } => self.generic(id, *control, assocs),
            ExprKind::ChooseExpr { cond, then, els } => self.rebuild(id, |e, parts| {
                parts.push(e.value_part(*cond));
                for &choice in [then, els] {
                    parts.push(match e.sema.flags(choice).is_lvalue {
                        true => e.lvalue_part(choice),
                        false => e.value_part(choice),
                    });
                }
            }),
            _ => self.unconverted_value(id, true),
        }
    }

    /// A shared lvalue through its address.
    fn placed_lvalue(&mut self, id: ExprId) -> String {
        let ty = self.sema.expr_type(id);
        let place = self.place(id);
        if let Some(element) = self.reached(id, &place, ty) {
            return element;
        }
        let place = self.place_by_number(&place).unwrap_or(place);
        match self.is_own(&place) {
            true if self.options.optimise => self.note_home(id, None),
            true => {}
            false => self.n_found += u32::from(!place.terms.is_empty()),
        }
        format!("(*{})", self.access(&place, ty))
    }

    /// The shared lvalue at `place`, of type `ty`, by a pointer that the loop being emitted keeps; `id` is
    /// its expression, or that of a pointer to it.
    fn reached(&mut self, id: ExprId, place: &Place, ty: QualType) -> Option<String> {
        let by_name = self.place_by_name(place);
        by_name
            .and_then(|place| self.reached_by_value(id, &place, ty))
            .or_else(|| self.reached_by_value(id, place, ty))
    }

    fn reached_by_value(&mut self, id: ExprId, place: &Place, ty: QualType) -> Option<String> {
        let in_row = if self.is_checked() { None } else { self.in_row(place, ty) };
        if let Some((element, _)) = in_row {
            return Some(element);
        }
        if let Some((walked, home)) = self.walked(place) {
            self.note_followed(id, &walked, home.as_deref());
            self.note_home(id, home);
            return Some(walked);
        }
        let found = self.in_row(place, ty).or_else(|| self.in_run(place, ty));
        if let Some((element, pointer)) = found {
            self.note_home(id, Some(pointer));
            return Some(element);
        }
        self.in_column(place, ty)
    }

    /// Is an operand of this type read, and not a whole of which a part is accessed?
    fn is_read(&self, ty: QualType) -> bool {
        let types = &self.sema.types;
        types.is_pointer(ty) || types.is_integer(ty)
    }

    /// The array or pointer of a subscript, the record of a member: an array stays an lvalue.
    fn base_part(&mut self, id: ExprId) -> Part {
        let types = &self.sema.types;
        let ty = self.sema.expr_type(id);
        let is_part = types.is_shared(ty) && self.sema.flags(id).is_lvalue && !self.is_read(ty);
        let is_kept = types.is_array(ty) || is_part;
        if is_kept && !self.sema.strict.contains(&id) {
            self.lvalue_part(id)
        } else {
            self.value_part(id)
        }
    }

    fn ident(&mut self, id: ExprId) -> Option<String> {
        let (object_id, object) = self.sema.object_of(id)?;
        let is_shared =
            self.sema.types.is_shared(object.ty) && object.duration != Duration::Automatic;
        if is_shared && self.is_shared_object(object_id) {
            return Some(format!("(*{})", self.cell_name(object_id)));
        }
        self.found_variable(object_id)
    }

    fn member(&mut self, id: ExprId, base: ExprId, arrow: bool) -> Option<String> {
        if !arrow {
            return self.rebuild(id, |e, parts| parts.push(e.base_part(base)));
        }
        let pointer = self.pointer_to_record(base);
        self.rebuild(id, |e, parts| {
            parts.push(match pointer {
                Some(pointer) => (e.ast.expr(base).span, Some(primary(pointer))),
                None => e.value_part(base),
            });
        })
    }

    /// The C pointer to the record that the pointer-to-shared `base` leads to, where that is not its value.
    fn pointer_to_record(&mut self, base: ExprId) -> Option<String> {
        let target = self.shared_target(base)?;
        if self.sema.types.block(target) == Some(0) {
            return None;
        }
        let place = self.pointed_place(base, target);
        if let Some(record) = self.reached(self.ast.strip_parens(base), &place, target) {
            return Some(address_text(&record));
        }
        let is_plain = self.sema.types.target_rep(target) == Some(PtsRep::Direct);
        (!is_plain).then(|| self.access(&place, target))
    }

    fn unary(&mut self, id: ExprId, op: UnaryOp, operand: ExprId, needs: bool) -> Option<String> {
        match op {
            UnaryOp::AddrOf => self.address_of(id, operand),
            UnaryOp::PreInc | UnaryOp::PreDec | UnaryOp::PostInc | UnaryOp::PostDec => {
                self.increment(id, needs)
            }
            UnaryOp::Deref => self.lvalue(id),
            _ => self.rebuild(id, |e, parts| parts.push(e.value_part(operand))),
        }
    }

    fn address_of(&mut self, id: ExprId, operand: ExprId) -> Option<String> {
        let types = &self.sema.types;
        let ty = self.sema.expr_type(operand);
        if types.block(ty).is_none_or(|b| b == 0) || !self.sema.flags(operand).is_lvalue {
            return self.rebuild(id, |e, parts| parts.push(e.lvalue_part(operand)));
        }
        let place = self.place(operand);
        Some(self.pointer(&place, ty))
    }

    /// `&lvalue` for a shared lvalue that plain C can name.
    pub(super) fn address_of_lvalue(&mut self, id: ExprId) -> String {
        format!("(&{})", self.lvalue_text(id))
    }

    fn call(&mut self, id: ExprId, needs_value: bool) -> Option<String> {
        if self.sema.atomics.contains_key(&id) {
            return self.atomic(id, needs_value);
        }
        let ExprKind::Call { callee, args } = &self.ast.expr(id).kind else { return None };
        if let Some(text) = self.query_call(*callee, args) {
            return Some(text);
        }
        let buffer = self.private_buffer(*callee, args);
        let text = self.rebuild(id, |e, parts| {
            parts.push(e.value_part(*callee));
            for &arg in args {
                parts.push(match buffer == Some(arg) {
                    true => (e.ast.expr(arg).span, Some(e.sized_buffer(arg))),
                    false => e.value_part(arg),
                });
            }
        });
        match self.called_from(*callee) {
            Some(place) => {
                let text = text.unwrap_or_else(|| self.span_text(self.ast.expr(id).span).into());
                Some(format!("({place}, {text})"))
            }
            None => text,
        }
    }

    /// `__builtin_object_size` does not evaluate its argument.
    fn sized_buffer(&mut self, id: ExprId) -> String {
        let text = self.value_text(id);
        format!("upcr_buffer({text}, __builtin_object_size({text}, 0))")
    }

    fn query_call(&mut self, callee: ExprId, args: &[ExprId]) -> Option<String> {
        let (_, object) = self.sema.object_of(callee)?;
        let query = *self.names_of_interest.queries.get(&object.name)?;
        let &[arg] = args else { return None };
        let target = self.shared_target(arg)?;
        let rep = self.sema.types.target_rep(target)?;
        let text = self.unconverted_value(arg, true);
        let text = text.unwrap_or_else(|| self.span_text(self.ast.expr(arg).span).into());
        let address = format!("(unsigned long){}", plain_address(&text, rep));
        Some(match (query, rep) {
            (Query::Thread, _) => format!("upcr_threadof({address})"),
            (Query::Field, _) => format!("upcr_addrfield({address})"),
            (Query::ResetPhase, _) => format!("((upcr_pts){address})"),
            (Query::Phase, PtsRep::Direct) => format!("((void){}, 0ul)", primary(text)),
            (Query::Phase, PtsRep::Packed) => format!("upcr_known_phase({text})"),
            (Query::Phase, PtsRep::Wide) => {
                format!("((unsigned long)({} >> 64))", primary(text))
            }
        })
    }

    /// Where UPC types take part, `sema` has chosen; C could not tell them apart.
    fn generic(&mut self, id: ExprId, control: ExprId, assocs: &[GenericAssoc]) -> Option<String> {
        let types = &self.sema.types;
        let mentions = |name: &TypeNameId| types.mentions_shared(self.sema.type_of_name(*name));
        let is_upc = types.is_shared(self.sema.expr_type(id))
            || types.mentions_shared(self.sema.expr_type(control))
            || assocs.iter().filter_map(|a| a.ty.as_ref()).any(mentions);
        if is_upc {
            if let Some(&chosen) = self.sema.generic_choice.get(&id) {
                let text = if self.sema.flags(chosen).is_lvalue {
                    self.lvalue_text(chosen)
                } else {
                    self.value_text(chosen)
                };
                return Some(primary(text));
            }
        }
        self.rebuild(id, |e, parts| {
            parts.push(e.value_part(control));
            for assoc in assocs {
                if let Some(ty) = assoc.ty {
                    parts.push(e.type_name_part(ty));
                }
                parts.push(e.value_part(assoc.value));
            }
        })
    }

    fn compound_literal(&mut self, id: ExprId, ty: TypeNameId, init: InitId) -> Option<String> {
        let plain = self.rebuild(id, |e, parts| {
            parts.push(e.type_name_part(ty));
            e.init_parts(init, parts);
        });
        if !self.in_thread_init {
            return plain;
        }
        // At file scope the literal lives as long as its thread, but the function that stands in
        // for the initialiser returns.
        let t = self.c_temporary(self.sema.expr_type(id));
        let name = self.fresh("l");
        let typed = self.declare(self.sema.expr_type(id), name.clone());
        let span = self.ast.expr(id).span;
        let value = plain.unwrap_or_else(|| self.span_text(span).into());
        let _ = t;
        let local = if self.options.nopthreads { "" } else { "_Thread_local " };
        Some(format!(
            "(*__extension__ ({{ static {local}{typed}; __builtin_memcpy((void *)&{name}, &{value}, \
             sizeof {name}); &{name}; }}))"
        ))
    }

    /// The parts of an initialiser.
    pub(super) fn init_parts(&mut self, id: InitId, parts: &mut Vec<Part>) {
        match &self.ast.init(id).kind {
            InitKind::Expr(expr) => parts.push(self.value_part(*expr)),
            InitKind::List(items) => {
                for item in items {
                    for designator in &item.designators {
                        match *designator {
                            Designator::Field(_) => {}
                            Designator::Index(index) => parts.push(self.value_part(index)),
                            Designator::Range(lo, hi) => {
                                parts.push(self.value_part(lo));
                                parts.push(self.value_part(hi));
                            }
                        }
                    }
                    self.init_parts(item.init, parts);
                }
            }
        }
    }
}
