// SPDX-License-Identifier: BSD-3-Clause
//! Initialisers: which subobject each value goes to (C17 §6.7.9).

use super::analyser::Analyser;
use super::convert::Receiver;
use super::types::{ArrayLen, Field, QualType, Type, Types};
use super::Reach;
use crate::syntax::ast::*;
use crate::syntax::intern::Symbol;

impl Analyser<'_> {
    /// As [`Self::initialiser`], and notes how far it reaches into a shared array.
    pub(super) fn object_initialiser(&mut self, id: InitId, ty: QualType) -> QualType {
        self.reach = Reach::default();
        let completed = self.initialiser(id, ty);
        if self.types().is_array(ty) && self.types().is_shared(ty) {
            self.sema.reaches.insert(id, self.reach);
        }
        completed
    }

    /// The array `ty` has values for `n` elements.
    fn note_reach(&mut self, ty: QualType, n: u64) {
        // The outermost array comes last.
        self.reach.outermost = n;
        if let Type::Array { len: ArrayLen::TimesThreads(_), .. } = *self.types().kind(ty) {
            self.reach.threads = self.reach.threads.max(n);
        }
    }

    /// Types an initialiser for an object of type `ty`. Gives back `ty`, with the length of an
    /// array that had none.
    pub(super) fn initialiser(&mut self, id: InitId, ty: QualType) -> QualType {
        let ast = self.ast;
        match &ast.init(id).kind {
            InitKind::Expr(e) => self.init_from_expr(*e, ty),
            InitKind::List(items) => {
                let is_aggregate =
                    matches!(self.types().kind(ty), Type::Array { .. } | Type::Record(_));
                if !is_aggregate {
                    return self.init_scalar(items, ty);
                }
                if let Some(e) = self.braced_string(items, ty) {
                    return self.init_from_expr(e, ty);
                }
                let mut pos = 0;
                let len = self.fill(ty, items, &mut pos, None, true);
                self.note_reach(ty, len);
                for item in items.get(pos..).unwrap_or_default() {
                    self.init_unknown(item.init);
                }
                self.complete(ty, len)
            }
        }
    }

    fn complete(&mut self, ty: QualType, n: u64) -> QualType {
        match *self.types().kind(ty) {
            Type::Array { elem, len: ArrayLen::Unknown } => {
                self.sema.types.array_of(elem, ArrayLen::Const(n))
            }
            _ => ty,
        }
    }

    fn init_from_expr(&mut self, e: ExprId, ty: QualType) -> QualType {
        if self.types().is_array(ty) {
            let source = self.expr(e);
            return match *self.types().kind(source) {
                Type::Array { len: ArrayLen::Const(n), .. } => {
                    // The terminating zero is dropped where it does not fit.
                    self.note_reach(ty, n.saturating_sub(1));
                    self.complete(ty, n)
                }
                _ => ty,
            };
        }
        self.convert(e, ty, Receiver::Initialiser);
        ty
    }

    fn init_scalar(&mut self, items: &[InitItem], ty: QualType) -> QualType {
        for (n, item) in items.iter().enumerate() {
            match n {
                0 if !self.types().is_error(ty) => {
                    self.initialiser(item.init, ty);
                }
                _ => self.init_unknown(item.init),
            }
        }
        ty
    }

    /// `char s[] = { "text" };`
    fn braced_string(&mut self, items: &[InitItem], ty: QualType) -> Option<ExprId> {
        let [InitItem { designators, init }] = items else { return None };
        let InitKind::Expr(e) = self.ast.init(*init).kind else { return None };
        (designators.is_empty() && self.is_string_for(e, ty)).then_some(e)
    }

    /// Is `e` a string literal that initialises the array `ty` as a whole?
    fn is_string_for(&self, e: ExprId, ty: QualType) -> bool {
        let Type::Array { elem, .. } = *self.types().kind(ty) else { return false };
        let is_string =
            matches!(self.ast.expr(self.ast.strip_parens(e)).kind, ExprKind::Str { .. });
        is_string && self.types().is_integer(elem)
    }

    /// Fills the subobjects of `ty` from `items`, starting at `pos`. `through` is the rest of a
    /// designation that leads into `ty`; only the list in braces (`braced`) obeys designators
    /// of its own. Returns one more than the greatest index filled.
    fn fill(
        &mut self,
        ty: QualType,
        items: &[InitItem],
        pos: &mut usize,
        through: Option<&[Designator]>,
        braced: bool,
    ) -> u64 {
        let mut through = through;
        let (mut idx, mut end) = (0u64, 0u64);
        while let Some(item) = items.get(*pos) {
            let designators = match through.take() {
                Some(rest) => rest,
                None if braced => &item.designators[..],
                None if !item.designators.is_empty() => return end,
                None => &[],
            };
            let sub = if let Some((first, rest)) = designators.split_first() {
                let (sub, at) = self.designated(ty, first);
                idx = at;
                if !rest.is_empty() {
                    self.descend(sub, items, pos, Some(rest));
                    idx = idx.saturating_add(1);
                    end = end.max(idx);
                    continue;
                }
                sub
            } else {
                match self.subobject(ty, &mut idx) {
                    Some(sub) => sub,
                    None => return end,
                }
            };
            self.fill_one(sub, items, pos);
            idx = idx.saturating_add(1);
            end = end.max(idx);
        }
        end
    }

    /// One subobject: from a braced list, from one value, or (braces elided) from several.
    fn fill_one(&mut self, sub: QualType, items: &[InitItem], pos: &mut usize) {
        let init = items[*pos].init;
        if let InitKind::Expr(e) = self.ast.init(init).kind {
            let is_aggregate =
                matches!(self.types().kind(sub), Type::Array { .. } | Type::Record(_));
            if is_aggregate && !self.is_string_for(e, sub) {
                let source = self.expr(e);
                if !(self.types().is_record(sub) && self.types().is_record(source)) {
                    return self.descend(sub, items, pos, None);
                }
            }
        }
        self.initialiser(init, sub);
        *pos += 1;
    }

    /// [`Analyser::fill`] one level down, which must use up an item: an empty structure would
    /// not.
    fn descend(
        &mut self,
        sub: QualType,
        items: &[InitItem],
        pos: &mut usize,
        through: Option<&[Designator]>,
    ) {
        let before = *pos;
        // The item's own designators have led here, so the first value is not designated again.
        let len = self.fill(sub, items, pos, Some(through.unwrap_or(&[])), false);
        self.check_elided_braces(sub, len, items[before].init);
        self.note_reach(sub, len);
        if *pos == before {
            self.init_unknown(items[before].init);
            *pos += 1;
        }
    }

    /// The `idx`-th subobject in order; unnamed bit-fields are skipped.
    fn subobject(&self, ty: QualType, idx: &mut u64) -> Option<QualType> {
        match *self.types().kind(ty) {
            Type::Array { elem, len } => match len {
                ArrayLen::Const(n) if *idx >= n => None,
                _ => Some(elem),
            },
            Type::Record(id) => {
                let record = self.types().record(id);
                if record.is_union && *idx > 0 {
                    return None;
                }
                while let Some(field) = record.fields.get(*idx as usize) {
                    if field.name.is_some() || field.bits.is_none() {
                        return Some(field.ty);
                    }
                    *idx += 1;
                }
                None
            }
            _ => None,
        }
    }

    /// The subobject that one designator names, and its index.
    fn designated(&mut self, ty: QualType, designator: &Designator) -> (QualType, u64) {
        let elem = self.types().elem(ty);
        match *designator {
            Designator::Index(e) => (elem.unwrap_or(Types::ERROR), self.designated_index(ty, e)),
            Designator::Range(lo, hi) => {
                self.designated_index(ty, lo);
                (elem.unwrap_or(Types::ERROR), self.designated_index(ty, hi))
            }
            Designator::Field(name) => {
                let Type::Record(id) = *self.types().kind(ty) else { return (Types::ERROR, 0) };
                let record = self.types().record(id);
                let Some(&n) = record.by_name.get(&name.name) else {
                    self.unknown_member(ty, name);
                    return (Types::ERROR, 0);
                };
                (self.field(ty, name.name).map_or(Types::ERROR, |field| field.ty), n.into())
            }
        }
    }

    /// The value of a designator's index into `ty`. C says what is wrong in private arrays.
    fn designated_index(&mut self, ty: QualType, e: ExprId) -> u64 {
        let is_shared = self.types().is_shared(ty);
        let n = match is_shared {
            true => self.constant(e),
            false => self.required_constant(e, "a designator"),
        };
        if n.is_none() && is_shared {
            self.index_not_constant(e);
        }
        n.and_then(|n| u64::try_from(n).ok()).unwrap_or(0)
    }

    /// A member by name, looked for in anonymous members too; its offset is from `ty`'s start.
    pub(super) fn field(&self, ty: QualType, name: Symbol) -> Option<Field> {
        let Type::Record(id) = *self.types().kind(ty) else { return None };
        let record = self.types().record(id);
        let field = &record.fields[*record.by_name.get(&name)? as usize];
        if field.name.is_some() {
            return Some(field.clone());
        }
        let mut found = self.field(field.ty, name)?;
        found.offset = found.offset.saturating_add(field.offset);
        Some(found)
    }

    /// The names of the members, those of anonymous members too.
    pub(super) fn member_names(&self, ty: QualType) -> Vec<&str> {
        let Type::Record(id) = *self.types().kind(ty) else { return Vec::new() };
        let names = self.types().record(id).by_name.keys();
        let mut names: Vec<&str> = names.map(|&name| self.name(name)).collect();
        names.sort_unstable();
        names
    }

    /// An initialiser of something not understood: its expressions still have types.
    fn init_unknown(&mut self, id: InitId) {
        let ast = self.ast;
        match &ast.init(id).kind {
            InitKind::Expr(e) => {
                self.value(*e);
            }
            InitKind::List(items) => {
                for item in items {
                    self.init_unknown(item.init);
                }
            }
        }
    }
}
