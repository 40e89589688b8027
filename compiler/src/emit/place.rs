// SPDX-License-Identifier: BSD-3-Clause
//! Where a shared lvalue of a cyclic or blocked layout lives.
//!
//! A chain of subscripts, dereferences and pointer additions becomes one root and one offset in
//! ultimate elements (UPC 1.3 §6.4.2p2), so that `a[i][j]` costs one division, not two. Shared
//! data of indefinite block size lives on one thread: it never comes here, plain C serves it.

use super::split::Mode;
use super::text::primary;
use super::Emitter;
use crate::sema::types::{Count, PtsRep, QualType};
use crate::syntax::ast::{BinaryOp, ExprId, ExprKind, UnaryOp};

#[derive(Clone, Debug)]
pub(super) enum Root {
    /// Element 0 of a static object, which is on thread 0 with phase 0: offsets from it are not
    /// negative.
    Object(String),
    /// The value of a pointer-to-shared.
    Pointer { text: String, rep: PtsRep, source: Source },
}

impl Root {
    pub fn text(&self) -> &str {
        match self {
            Root::Object(text) | Root::Pointer { text, .. } => text,
        }
    }
}

#[derive(Clone, Copy, Debug)]
pub(super) enum Source {
    Value(ExprId),
    /// An emitted variable that stands still in the loop.
    Kept,
    /// The address of an lvalue.
    Address,
}

#[derive(Clone, Debug)]
pub(super) struct Term {
    pub id: ExprId,
    pub text: String,
    pub is_negative: bool,
    /// A subscript of an array, not of a pointer.
    pub is_in_bounds: bool,
    /// Ultimate elements per step, and further factors that are known only at run time.
    pub times: Count,
    pub factors: String,
}

#[derive(Clone, Debug)]
pub(super) struct Place {
    pub root: Root,
    pub terms: Vec<Term>,
    /// Ultimate element.
    pub elem: QualType,
    pub block: u64,
}

impl Emitter<'_> {
    /// The place of a shared lvalue (array or not) whose block size is not 0.
    pub(super) fn place(&mut self, id: ExprId) -> Place {
        let id = self.ast.strip_parens(id);
        match self.ast.expr(id).kind {
            ExprKind::Index { base, index } => {
                let (base, index) = self.subscript(base, index);
                let target = self.sema.expr_type(id);
                let mut place = self.pointed_place(base, target);
                self.push_term(&mut place, index, false, target);
                let is_array = self.sema.types.is_array(self.sema.expr_type(base));
                place.terms.last_mut().expect("just pushed").is_in_bounds = is_array;
                place
            }
            ExprKind::Unary { op: UnaryOp::Deref, operand } => {
                let target = self.sema.expr_type(id);
                self.pointed_place(operand, target)
            }
            ExprKind::Generic { .. } if self.sema.generic_choice.contains_key(&id) => {
                self.place(self.sema.generic_choice[&id])
            }
            _ => {
                let ty = self.sema.expr_type(id);
                let root = match self.sema.object_of(id) {
                    Some((object, _)) => Root::Object(self.cell_name(object)),
                    None => {
                        let text = self.address_of_lvalue(id);
                        Root::Pointer { text, rep: PtsRep::Direct, source: Source::Address }
                    }
                };
                self.new_place(root, ty)
            }
        }
    }

    /// The place that the value of `id` points to: a pointer, or an array that decays. `target`
    /// is what it points to.
    pub(super) fn pointed_place(&mut self, id: ExprId, target: QualType) -> Place {
        let inner = self.ast.strip_parens(id);
        let coerced = self.sema.coerce.contains_key(&id) || self.sema.coerce.contains_key(&inner);
        match coerced {
            true => self.place_at(id, target),
            false => self.place_of_value(id, target),
        }
    }

    /// The same of the value before it is converted.
    pub(super) fn place_of_value(&mut self, id: ExprId, target: QualType) -> Place {
        let types = &self.sema.types;
        let inner = self.ast.strip_parens(id);
        let ty = self.sema.expr_type(inner);
        if types.is_array(ty) && types.block(ty).is_some_and(|b| b != 0) {
            return self.place(inner);
        }
        match self.ast.expr(inner).kind {
            ExprKind::Unary { op: UnaryOp::AddrOf, operand }
                if types.block(self.sema.expr_type(operand)).is_some_and(|b| b != 0) =>
            {
                return self.place(operand);
            }
            ExprKind::Binary { op: op @ (BinaryOp::Add | BinaryOp::Sub), lhs, rhs } => {
                if let Some((pointer, offset)) = self.pointer_operand(lhs, rhs) {
                    let mut place = self.pointed_place(pointer, target);
                    self.push_term(&mut place, offset, op == BinaryOp::Sub, target);
                    return place;
                }
            }
            _ => {}
        }
        self.place_at(id, target)
    }

    fn place_at(&mut self, id: ExprId, target: QualType) -> Place {
        let types = &self.sema.types;
        let rep = types.target_rep(target).unwrap_or(PtsRep::Direct);
        let text = self.value_text(id);
        self.new_place(Root::Pointer { text, rep, source: Source::Value(id) }, target)
    }

    pub(super) fn new_place(&self, root: Root, ty: QualType) -> Place {
        let types = &self.sema.types;
        let elem = types.ultimate_elem(ty);
        Place { root, terms: Vec::new(), elem, block: elem.quals.block().unwrap_or(1) }
    }

    pub(super) fn push_term(
        &mut self,
        place: &mut Place,
        id: ExprId,
        is_negative: bool,
        target: QualType,
    ) {
        let text = self.value_text(id);
        self.push_text(place, id, text, is_negative, target);
    }

    /// The same by a text for the value of `id`.
    pub(super) fn push_text(
        &mut self,
        place: &mut Place,
        id: ExprId,
        text: String,
        is_negative: bool,
        target: QualType,
    ) {
        let (times, factors) = self.elem_factors(target);
        place.terms.push(Term { id, text, is_negative, is_in_bounds: false, times, factors });
    }

    /// The pointer (or array) and the integer of `base[index]`, which C lets swap.
    pub(super) fn subscript(&self, base: ExprId, index: ExprId) -> (ExprId, ExprId) {
        self.pointer_operand(base, index).unwrap_or((base, index))
    }

    /// The pointer-to-shared (or shared array) and the other operand, if exactly one is one.
    pub(super) fn pointer_operand(&self, lhs: ExprId, rhs: ExprId) -> Option<(ExprId, ExprId)> {
        match (self.shared_target(lhs), self.shared_target(rhs)) {
            (Some(_), None) => Some((lhs, rhs)),
            (None, Some(_)) => Some((rhs, lhs)),
            _ => None,
        }
    }

    /// What the value of `id`, before any implicit conversion, points to, if it is a
    /// pointer-to-shared or a shared array.
    pub(crate) fn shared_target(&self, id: ExprId) -> Option<QualType> {
        let types = &self.sema.types;
        let target = types.decayed_pointee(self.sema.expr_type(id))?;
        types.is_shared(target).then_some(target)
    }

    /// The C pointer to the lvalue of type `ty` at `place`.
    pub(super) fn access(&mut self, place: &Place, ty: QualType) -> String {
        let home = self.home.take();
        let pointer = self.c_pointer(ty);
        let address = self.address_and_home(place, home);
        format!("({pointer}){address}")
    }

    /// The address, without phase, as some C pointer or integer.
    pub(super) fn plain_address_of(&mut self, place: &Place) -> String {
        self.address_and_home(place, None)
    }

    /// The same, which gives `home` the number of the thread that it is on, where finding the address
    /// takes that.
    fn address_and_home(&mut self, place: &Place, home: Option<String>) -> String {
        if let Some(address) = self.own_address(place).or_else(|| self.address_by_rounds(place)) {
            return address;
        }
        let offset = self.offset(&place.terms);
        let (size, block) = (self.c_sizeof(place.elem), place.block);
        if let (Some(offset), None) = (&offset, &home) {
            if let Some(address) = self.address_by_last_block(place, offset) {
                return address;
            }
        }
        let of = if home.is_some() { "_of" } else { "" };
        let home = home.map(|home| format!(", &{home}")).unwrap_or_default();
        match (&place.root, offset) {
            (Root::Object(cell), None) => cell.clone(),
            (Root::Object(cell), Some(offset)) => match block {
                1 => format!("upcr_elem_cyclic{of}({cell}, {offset}, {size}{home})"),
                _ => match self.by_rows(place) {
                    Some((rows, within, row)) => format!(
                        "upcr_elem_rows{of}({cell}, {rows}, {within}, {size}, {}, {row}{home})",
                        block / row
                    ),
                    None => {
                        format!("upcr_elem_blocked{of}({cell}, {offset}, {size}, {block}{home})")
                    }
                },
            },
            (Root::Pointer { text, rep: PtsRep::Direct, .. }, None) => primary(text.clone()),
            (Root::Pointer { text, rep: PtsRep::Direct, .. }, Some(offset)) => {
                format!("upcr_add_cyclic{of}((unsigned long)({text}), {offset}, {size}{home})")
            }
            (Root::Pointer { text, rep: PtsRep::Packed, .. }, None) => {
                format!("upcr_address({text})")
            }
            (Root::Pointer { text, rep: PtsRep::Packed, .. }, Some(offset)) => {
                format!("upcr_packed_address({text}, {offset}, {size}, {block})")
            }
            (Root::Pointer { text, rep: PtsRep::Wide, .. }, None) => {
                format!("(unsigned long)({text})")
            }
            (Root::Pointer { text, rep: PtsRep::Wide, .. }, Some(offset)) => {
                format!("upcr_wide_address({text}, {offset}, {size}, {block})")
            }
        }
    }

    /// The address of the element `offset`, where a loop looks for it in the block of the last.
    fn address_by_last_block(&mut self, place: &Place, offset: &str) -> Option<String> {
        let (size, block, root) = (self.c_sizeof(place.elem), place.block, place.root.text());
        let (function, by_rows) = match place.root {
            Root::Object(_) => match self.by_rows(place) {
                None => ("upcr_elem_blocked_near", None),
                rows => ("upcr_elem_rows_near", rows),
            },
            Root::Pointer { rep: PtsRep::Packed, .. } => ("upcr_packed_address_near", None),
            Root::Pointer { .. } => return None,
        };
        let (elements, at, sizes) = match by_rows {
            None => (block, offset.to_string(), format!("{size}, {block}")),
            Some((rows, within, row)) => {
                let elements = block / row;
                (elements, format!("{rows}, {within}"), format!("{size}, {elements}, {row}"))
            }
        };
        let how = format!("{function} {root} {sizes} {:?}", place.elem.ty);
        let last = self.last_block(how, &place.terms, elements)?;
        Some(format!("{function}(&{last}, {root}, {at}, {sizes})"))
    }

    /// The address of `place`, if all terms go by whole rounds of all threads: then they stay on the
    /// root's.
    fn address_by_rounds(&mut self, place: &Place) -> Option<String> {
        let of_thread = |term: &Term| {
            let is_round = term.times.times_threads && term.times.n % place.block == 0;
            let times = Count { n: term.times.n, times_threads: false };
            (is_round && term.factors.is_empty()).then(|| Term { times, ..term.clone() })
        };
        let terms = place.terms.iter().map(of_thread).collect::<Option<Vec<_>>>()?;
        let (offset, size) = (self.offset(&terms)?, self.c_sizeof(place.elem));
        let root = match &place.root {
            Root::Object(cell) => format!("(unsigned long){cell}"),
            Root::Pointer { text, rep: PtsRep::Direct, .. } => format!("(unsigned long)({text})"),
            Root::Pointer { text, rep: PtsRep::Packed, .. } => format!("upcr_address({text})"),
            Root::Pointer { text, rep: PtsRep::Wide, .. } => format!("(unsigned long)({text})"),
        };
        Some(format!("({root} + (unsigned long)({offset}) * {size})"))
    }

    /// The offset of `place` as a number of rows and an offset within one, with the elements of a
    /// row, where rows do not cross blocks: then the block follows from the outer subscripts
    /// alone, and loops over the inner one need not compute it.
    fn by_rows(&self, place: &Place) -> Option<(String, String, u64)> {
        let is_in_row = |terms: &[Term]| terms.iter().all(|t| t.is_in_bounds && !t.is_negative);
        for n_outer in 1..place.terms.len() {
            let (outer, inner) = place.terms.split_at(n_outer);
            let row = outer.last()?.times;
            let is_known = place.terms.iter().all(|t| t.factors.is_empty());
            let is_fit = is_known && !row.times_threads && row.n > 1 && place.block % row.n == 0;
            if is_fit && is_in_row(inner) && outer.iter().all(|t| t.times.n % row.n == 0) {
                let mut outer = outer.to_vec();
                outer.iter_mut().for_each(|t| t.times.n /= row.n);
                return Some((self.offset(&outer)?, self.offset(inner)?, row.n));
            }
        }
        None
    }

    /// The pointer-to-shared to `place`, as a pointer to `target` is held.
    pub(super) fn pointer(&mut self, place: &Place, target: QualType) -> String {
        // A phase takes as long to find as an address.
        let has_phase = self.sema.types.target_rep(target).is_some_and(|rep| rep != PtsRep::Direct);
        match if has_phase { None } else { self.walked_address(place) } {
            Some(address) => format!("(({}){address})", self.c_pointer(target)),
            None => self.pointer_by_offset(place, target),
        }
    }

    /// The address in the pointer-to-shared `id`, as some C pointer or integer, if it is found without
    /// the pointer's phase.
    pub(super) fn address_in(&mut self, id: ExprId) -> Option<String> {
        let target = self.shared_target(id).filter(|&t| self.sema.types.block(t) != Some(0))?;
        let place = self.place_of_value(id, target);
        if place.terms.is_empty() {
            return None;
        }
        Some(self.walked_address(&place).unwrap_or_else(|| self.plain_address_of(&place)))
    }

    /// The address of one of this thread's elements that a private pointer walks along.
    fn walked_address(&mut self, place: &Place) -> Option<String> {
        self.split.as_ref().filter(|split| split.mode == Mode::Own)?;
        self.walked(place).map(|(element, _)| format!("(&{element})"))
    }

    fn pointer_by_offset(&mut self, place: &Place, target: QualType) -> String {
        let rep = self.sema.types.target_rep(target).unwrap_or(PtsRep::Direct);
        let offset = self.offset(&place.terms);
        let (size, block) = (self.c_sizeof(place.elem), place.block);
        match (rep, &place.root, offset) {
            (PtsRep::Direct, _, _) => format!("({})", self.access(place, target)),
            (PtsRep::Packed, Root::Object(cell), None) => format!("((upcr_pts){cell})"),
            (PtsRep::Packed, Root::Object(cell), Some(offset)) => {
                format!("upcr_elem_packed({cell}, {offset}, {size}, {block})")
            }
            (PtsRep::Wide, Root::Object(cell), None) => {
                format!("((upcr_wide)(unsigned long){cell})")
            }
            (PtsRep::Wide, Root::Object(cell), Some(offset)) => {
                format!("upcr_elem_wide({cell}, {offset}, {size}, {block})")
            }
            (_, Root::Pointer { text, .. }, None) => text.clone(),
            (PtsRep::Packed, Root::Pointer { text, .. }, Some(offset)) => {
                format!("upcr_add_packed({text}, {offset}, {size}, {block})")
            }
            (PtsRep::Wide, Root::Pointer { text, .. }, Some(offset)) => {
                format!("upcr_add_wide({text}, {offset}, {size}, {block})")
            }
        }
    }

    /// The sum of `terms`, in ultimate elements, computed in 64 bits.
    pub(super) fn offset(&self, terms: &[Term]) -> Option<String> {
        if let [Term {
            text,
            is_negative: false,
            times: Count { n: 1, times_threads: false },
            factors,
            ..
        }] = terms
        {
            if factors.is_empty() {
                return Some(argument(text));
            }
        }
        let mut out = String::new();
        for term in terms {
            out += match (out.is_empty(), term.is_negative) {
                (true, true) => "-",
                (true, false) => "",
                (false, true) => " - ",
                (false, false) => " + ",
            };
            out += "(long)";
            out += &primary(term.text.clone());
            if term.times.n != 1 {
                out += &format!(" * {}", term.times.n);
            }
            if term.times.times_threads {
                out += " * (long)upcr_threads()";
            }
            out += &term.factors;
        }
        (!terms.is_empty()).then_some(out)
    }

    pub(super) fn c_sizeof(&mut self, ty: QualType) -> String {
        format!("sizeof({})", self.c_temporary(ty))
    }
}

/// `text` as a function argument: a comma in it must not end the argument.
fn argument(text: &str) -> String {
    if text.contains(',') {
        primary(text.to_string())
    } else {
        text.to_string()
    }
}
