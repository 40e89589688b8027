// SPDX-License-Identifier: BSD-3-Clause
//! What a statement may change, and which expressions keep their value in spite of it.

use super::alias;
use super::integers;
use crate::sema::pure::changes_nothing;
pub use crate::sema::pure::{written_place, written_variable};
use crate::sema::types::{ArrayLen, QualType, Type};
use crate::sema::{Duration, ObjectId, ObjectKind, Sema};
use crate::syntax::ast::{
    Ast, BinaryOp, DeclId, DeclSpecs, ExprId, ExprKind, ExprOrType, For, ForInit, InitKind, StmtId,
    StmtKind, Storage, TypeSpec, UnaryOp,
};
use crate::syntax::visit;
use rustc_hash::{FxHashMap, FxHashSet};

/// Names of names.
const MAX_NAMES: u32 = 4;

/// What a statement does that could reach a variable.
#[derive(Clone, Debug, Default)]
pub struct Effects {
    /// Variables assigned by name, or declared here.
    pub assigned: FxHashSet<ObjectId>,
    /// The values of variables that are declared here, and the variables that are written later.
    values: FxHashMap<ObjectId, ExprId>,
    rewritten: FxHashSet<ObjectId>,
    /// May change whatever has an address.
    pub has_unknown_call: bool,
    /// Types of what is stored through private pointers.
    pub written: Vec<QualType>,
    /// Types of what is stored in shared memory, which a private pointer may lead to as well.
    pub shared_written: Vec<QualType>,
    /// The statement must stand in the program exactly once: a label, a static variable, a
    /// nested function, inline assembly.
    pub is_unique: bool,
    pub has_statement_expression: bool,
    /// Those of arrays that are no constants, which no statement shows.
    pub lengths: Vec<ExprId>,
    /// Types, or enumerators, that are unknown outside of it.
    pub declares_types: bool,
    /// What a relaxed read finds in shared memory counts as invariant, if its place is: for callers
    /// that see to it that nothing else is written there, and read it once.
    pub shared_stands: bool,
}

impl Effects {
    pub fn of(ast: &Ast, sema: &Sema, id: StmtId) -> Effects {
        let mut effects = Effects::default();
        effects.note_stmts(ast, sema, id);
        visit::all_in_stmt(ast, id, &mut |expr| effects.note_expr(ast, sema, expr));
        effects
    }

    fn note_stmts(&mut self, ast: &Ast, sema: &Sema, id: StmtId) {
        visit::all_stmts(ast, id, &mut |stmt| match &ast.stmt(stmt).kind {
            StmtKind::Label { .. }
            | StmtKind::Function(_)
            | StmtKind::Asm { .. }
            | StmtKind::GotoComputed(_)
            | StmtKind::Verbatim => self.is_unique = true,
            StmtKind::Declaration(decl) => {
                let storage = ast.decl(*decl).specs.storage;
                self.is_unique |= matches!(storage, Some((Storage::Static, _)));
                self.declares_types |= declares_types(&ast.decl(*decl).specs);
                self.note_declared(ast, sema, *decl);
            }
            StmtKind::For(head) => self.note_head(ast, sema, head),
            StmtKind::UpcForall(forall) => self.note_head(ast, sema, &forall.loop_),
            _ => {}
        });
        self.is_unique |= has_case(ast, id);
    }

    fn note_head(&mut self, ast: &Ast, sema: &Sema, head: &For) {
        if let ForInit::Declaration(decl) = head.init {
            self.note_declared(ast, sema, decl);
        }
    }

    fn note_declared(&mut self, ast: &Ast, sema: &Sema, id: DeclId) {
        for (i, declarator) in ast.decl(id).declarators.iter().enumerate() {
            let Some(&object) = sema.declared.get(&(id, i)) else { continue };
            self.assigned.insert(object);
            self.note_lengths(ast, sema, sema.object(object).ty);
            let value = declarator.init.map(|init| &ast.init(init).kind);
            if let Some(&InitKind::Expr(value)) = value {
                self.values.insert(object, value);
            }
        }
    }

    /// The lengths of arrays in `ty`.
    fn note_lengths(&mut self, ast: &Ast, sema: &Sema, ty: QualType) {
        let mut at = Some(ty);
        while let Some(ty) = at {
            at = sema.types.pointee(ty);
            if let &Type::Array { elem, len } = sema.types.kind(ty) {
                at = Some(elem);
                if let ArrayLen::Variable(Some(length)) = len {
                    self.lengths.push(length);
                    visit::all_in_expr(ast, length, &mut |e| self.note_expr(ast, sema, e));
                }
            }
        }
    }

    fn note_expr(&mut self, ast: &Ast, sema: &Sema, id: ExprId) {
        match ast.expr(id).kind {
            ExprKind::SizeOf { operand: ExprOrType::Type(ty), .. }
            | ExprKind::Cast { ty, .. }
            | ExprKind::CompoundLit { ty, .. }
            | ExprKind::VaArg { ty, .. } => {
                self.declares_types |= declares_types(&ast.type_name(ty).specs);
                self.note_lengths(ast, sema, sema.type_name_types[ty.0 as usize]);
            }
            ExprKind::Call { callee, .. } => {
                self.has_unknown_call |= !changes_nothing(ast, sema, callee);
            }
            ExprKind::StmtExpr(body) => {
                self.has_statement_expression = true;
                self.note_stmts(ast, sema, body);
            }
            ExprKind::LabelAddr(_) => self.is_unique = true,
            _ => {}
        }
        if let Some(place) = written_place(ast, id) {
            self.note_write(ast, sema, place);
        }
    }

    fn note_write(&mut self, ast: &Ast, sema: &Sema, lhs: ExprId) {
        let ty = written_type(ast, sema, lhs);
        match written_variable(ast, sema, lhs) {
            Some(object) => {
                self.assigned.insert(object);
                self.rewritten.insert(object);
            }
            None if sema.types.is_shared(ty) => self.shared_written.push(ty),
            None => self.written.push(ty),
        }
    }

    /// What the integer `id` is a name for, if it names a variable that has one value where it is known.
    pub fn resolve(&self, ast: &Ast, sema: &Sema, id: ExprId) -> ExprId {
        let mut id = ast.strip_parens(id);
        for _ in 0..MAX_NAMES {
            let value = self.only_value(ast, sema, id).filter(|&value| {
                integers::is_as_in_64_bits(sema, id)
                    && integers::is_kept(sema, sema.expr_type(value), sema.expr_type(id))
                    && self.is_plain_sum(ast, sema, value)
            });
            match value {
                Some(value) => id = ast.strip_parens(value),
                None => break,
            }
        }
        id
    }

    /// Does `id` mean the same wherever it stands? Types and enumerators may be declared where it does.
    fn is_plain_sum(&self, ast: &Ast, sema: &Sema, id: ExprId) -> bool {
        let is_known = |e| match sema.object_of(e).map(|(_, object)| &object.kind) {
            Some(ObjectKind::Enumerator(_)) => !self.declares_types,
            Some(kind) => *kind != ObjectKind::Typedef,
            None => false,
        };
        let mut is_plain = true;
        visit::all_in_expr(ast, id, &mut |e| {
            is_plain &= match ast.expr(e).kind {
                ExprKind::Ident(_) => is_known(e),
                ExprKind::Int { .. }
                | ExprKind::Paren(_)
                | ExprKind::Unary { .. }
                | ExprKind::Binary { .. }
                | ExprKind::Cond { .. }
                | ExprKind::Threads
                | ExprKind::MyThread => true,
                _ => false,
            };
        });
        is_plain
    }

    /// What the variable `id` is declared with here, if that is its value as long as it is known.
    fn only_value(&self, ast: &Ast, sema: &Sema, id: ExprId) -> Option<ExprId> {
        let (object, variable) = sema.object_of(ast.strip_parens(id))?;
        let is_constant = !self.rewritten.contains(&object)
            && !variable.address_taken
            && !sema.types.resolve(variable.ty).quals.is_volatile;
        self.values.get(&object).copied().filter(|_| is_constant)
    }

    /// The address that the pointer-to-shared `id` is declared with here, if it is the same wherever in
    /// the statement it is evaluated, but for what `index` is then.
    pub fn pointer_value(
        &self,
        ast: &Ast,
        sema: &Sema,
        id: ExprId,
        index: ObjectId,
    ) -> Option<ExprId> {
        let value = self.only_value(ast, sema, id)?;
        let is_shared_array = |ty| sema.types.is_array(ty) && sema.types.is_shared(ty);
        let is_hidden = |object: ObjectId| {
            let name = sema.object(object).name;
            self.assigned.iter().any(|&other| other != object && sema.object(other).name == name)
        };
        let element = match ast.expr(ast.strip_parens(value)).kind {
            ExprKind::Unary { op: UnaryOp::AddrOf, operand } => Some(ast.strip_parens(operand)),
            _ => None,
        };
        let mut is_plain = true;
        visit::all_in_expr(ast, value, &mut |e| {
            is_plain &= match ast.expr(e).kind {
                ExprKind::Ident(_) => sema.object_of(e).is_some_and(|(object, variable)| {
                    let is_fixed = object == index || is_shared_array(variable.ty);
                    (is_fixed || self.keeps(sema, object)) && !is_hidden(object)
                }),
                // Others would be read.
                ExprKind::Index { .. } => element == Some(e) || is_shared_array(sema.expr_type(e)),
                ExprKind::Int { .. }
                | ExprKind::Paren(_)
                | ExprKind::Unary { op: UnaryOp::AddrOf, .. }
                | ExprKind::Binary { .. }
                | ExprKind::Threads
                | ExprKind::MyThread => true,
                _ => false,
            };
        });
        (is_plain && !self.declares_types).then_some(value)
    }

    /// Does `id` name what is assigned, or declared, here, but for the variable `index`?
    pub fn names_assigned(&self, ast: &Ast, sema: &Sema, id: ExprId, index: ObjectId) -> bool {
        let mut found = false;
        visit::all_in_expr(ast, id, &mut |e| {
            let object = sema.object_of(e).map(|(object, _)| object);
            found |= object.is_some_and(|o| o != index && self.assigned.contains(&o));
        });
        found
    }

    /// May something be written that is not named?
    pub fn has_unknown_write(&self) -> bool {
        self.has_unknown_call || !self.written.is_empty()
    }

    /// May that be of the scalar type `ty`?
    fn may_write(&self, sema: &Sema, ty: QualType) -> bool {
        self.has_unknown_call
            || self.written.iter().any(|&written| alias::may_be(sema, written, ty))
    }

    /// May a variable that is written by its name be, or have, what a pointer to `ty` leads to?
    fn may_assign(&self, sema: &Sema, ty: QualType) -> bool {
        may_be_one_of(sema, &self.assigned, ty)
    }

    /// Does the variable `id` keep its value while the statement runs?
    pub fn keeps(&self, sema: &Sema, id: ObjectId) -> bool {
        let object = sema.object(id);
        let quals = sema.types.resolve(object.ty).quals;
        let is_written = is_reachable(sema, id)
            && match sema.types.is_array(object.ty) || sema.types.is_record(object.ty) {
                true => self.has_unknown_write(),
                false => self.may_write(sema, object.ty),
            };
        match object.kind {
            ObjectKind::Enumerator(_) => !self.declares_types,
            ObjectKind::Function => true,
            ObjectKind::Typedef => false,
            ObjectKind::Variable | ObjectKind::Parameter => {
                quals.shared.is_none()
                    && !quals.is_volatile
                    && !self.assigned.contains(&id)
                    && (quals.is_const || !is_written)
            }
        }
    }

    /// Does `id` have the same value, and no effect, wherever in the statement it is evaluated?
    pub fn is_invariant(&self, ast: &Ast, sema: &Sema, id: ExprId) -> bool {
        let all = |ids: &[ExprId]| ids.iter().all(|&e| self.is_invariant(ast, sema, e));
        if self.shared_stands && is_plain_shared(ast, sema, id) {
            return self.stays(ast, sema, id);
        }
        match ast.expr(id).kind {
            ExprKind::Int { .. }
            | ExprKind::Float { .. }
            | ExprKind::Char { .. }
            | ExprKind::Threads
            | ExprKind::MyThread => true,
            ExprKind::SizeOf { operand: ExprOrType::Type(_), .. } => !self.declares_types,
            ExprKind::SizeOf { operand: ExprOrType::Expr(e), .. } => {
                sema.types.bytes(sema.expr_type(e)).is_some() && !self.names_own(ast, sema, e)
            }
            ExprKind::Ident(_) => sema.object_of(id).is_some_and(|(o, _)| self.keeps(sema, o)),
            ExprKind::Paren(e) => all(&[e]),
            ExprKind::Cast { operand: e, .. } => !self.declares_types && all(&[e]),
            ExprKind::Unary { op, operand } => {
                use UnaryOp::{BitNot, Minus, Not, Plus};
                matches!(op, Plus | Minus | BitNot | Not) && all(&[operand])
            }
            ExprKind::Binary { lhs, rhs, .. } => all(&[lhs, rhs]),
            ExprKind::Member { .. } | ExprKind::Index { .. } => {
                self.is_steady(ast, sema, id) && self.is_steady_place(ast, sema, id)
            }
            _ => false,
        }
    }

    /// May `id`, which is not evaluated, name something that the statement declares?
    fn names_own(&self, ast: &Ast, sema: &Sema, id: ExprId) -> bool {
        let mut names_own = self.declares_types;
        visit::all_in_expr(ast, id, &mut |e| {
            names_own |=
                sema.object_of(e).is_some_and(|(object, _)| self.assigned.contains(&object));
        });
        names_own
    }

    /// `is_invariant` of a pointer-to-shared, or an array that decays to one.
    pub fn is_invariant_pointer(&self, ast: &Ast, sema: &Sema, id: ExprId) -> bool {
        let ty = sema.expr_type(id);
        match ast.expr(id).kind {
            ExprKind::Paren(e) => self.is_invariant_pointer(ast, sema, e),
            _ if sema.types.is_array(ty) => self.stays(ast, sema, id),
            ExprKind::Unary { op: UnaryOp::AddrOf, operand } => self.stays(ast, sema, operand),
            ExprKind::Binary { op: BinaryOp::Add | BinaryOp::Sub, lhs, rhs } => {
                let is_pointer = |e| sema.types.decayed_pointee(sema.expr_type(e)).is_some();
                [lhs, rhs].into_iter().all(|e| match is_pointer(e) {
                    true => self.is_invariant_pointer(ast, sema, e),
                    false => self.is_invariant(ast, sema, e),
                })
            }
            _ => self.is_invariant(ast, sema, id),
        }
    }

    /// Is the shared lvalue `id` the same place wherever in the statement it is evaluated?
    pub fn stays(&self, ast: &Ast, sema: &Sema, id: ExprId) -> bool {
        match ast.expr(id).kind {
            ExprKind::Ident(_) => {
                sema.object_of(id).is_some_and(|(o, _)| sema.object(o).kind == ObjectKind::Variable)
            }
            ExprKind::Paren(e) | ExprKind::Member { base: e, arrow: false, .. } => {
                self.stays(ast, sema, e)
            }
            ExprKind::Unary { op: UnaryOp::Deref, operand: e }
            | ExprKind::Member { base: e, arrow: true, .. } => self.is_invariant(ast, sema, e),
            ExprKind::Index { base, index } => {
                let ty = sema.expr_type(base);
                self.is_invariant(ast, sema, index)
                    && match sema.types.is_array(ty) && sema.types.is_shared(ty) {
                        true => self.stays(ast, sema, base),
                        false => self.is_invariant(ast, sema, base),
                    }
            }
            _ => false,
        }
    }

    /// Is `id` a part of something private that nothing may write through a pointer? Of arrays the
    /// address counts.
    fn is_steady(&self, ast: &Ast, sema: &Sema, id: ExprId) -> bool {
        let ty = sema.expr_type(id);
        let quals = sema.types.resolve(ty).quals;
        let may_be = |&written: &QualType| alias::may_be(sema, written, ty);
        // Shared memory holds no private variable, but what pointers lead to.
        let is_written = self.may_write(sema, ty)
            || !is_in_variable(ast, sema, id)
                && (self.shared_written.iter().any(may_be) || self.may_assign(sema, ty));
        let is_steady = sema.types.is_array(ty) || !sema.types.is_record(ty) && !is_written;
        is_steady && !quals.is_volatile && !sema.types.is_shared(ty)
    }

    /// Is the private lvalue `id` the same place wherever in the statement it is evaluated, and not
    /// written by a name?
    fn is_steady_place(&self, ast: &Ast, sema: &Sema, id: ExprId) -> bool {
        match ast.expr(id).kind {
            ExprKind::Ident(_) => sema.object_of(id).is_some_and(|(id, object)| {
                let quals = sema.types.resolve(object.ty).quals;
                let is_object = matches!(object.kind, ObjectKind::Variable | ObjectKind::Parameter);
                is_object
                    && quals.shared.is_none()
                    && !quals.is_volatile
                    && !self.assigned.contains(&id)
            }),
            ExprKind::Paren(e) | ExprKind::Member { base: e, arrow: false, .. } => {
                self.is_steady_place(ast, sema, e)
            }
            ExprKind::Member { base, arrow: true, .. } => self.is_invariant(ast, sema, base),
            ExprKind::Index { base, index } if sema.types.is_array(sema.expr_type(base)) => {
                self.is_steady_place(ast, sema, base) && self.is_invariant(ast, sema, index)
            }
            ExprKind::Index { base, index } => {
                self.is_invariant(ast, sema, base) && self.is_invariant(ast, sema, index)
            }
            _ => false,
        }
    }
}

/// Is a label of a switch around `id` in it?
fn has_case(ast: &Ast, id: StmtId) -> bool {
    match &ast.stmt(id).kind {
        StmtKind::Case { .. } | StmtKind::Default { .. } => true,
        StmtKind::Compound(stmts) => stmts.iter().any(|&stmt| has_case(ast, stmt)),
        StmtKind::If { then, els, .. } => {
            has_case(ast, *then) || els.is_some_and(|els| has_case(ast, els))
        }
        StmtKind::Label { body, .. }
        | StmtKind::While { body, .. }
        | StmtKind::DoWhile { body, .. } => has_case(ast, *body),
        StmtKind::For(head) => has_case(ast, head.body),
        StmtKind::UpcForall(forall) => has_case(ast, forall.loop_.body),
        _ => false,
    }
}

fn declares_types(specs: &DeclSpecs) -> bool {
    matches!(specs.storage, Some((Storage::Typedef, _)))
        || match &specs.ty {
            TypeSpec::Record(record) => record.body.is_some(),
            TypeSpec::Enum(of) => of.enumerators.is_some(),
            _ => false,
        }
}

/// May a pointer lead to the variable `id`, or into it? Arrays, and arrays in records, give their address
/// away without `&`.
fn is_reachable(sema: &Sema, id: ObjectId) -> bool {
    let object = sema.object(id);
    object.duration != Duration::Automatic
        || object.address_taken
        || sema.types.is_array(object.ty)
        || sema.types.is_record(object.ty)
}

/// May a pointer to the scalar type `ty` lead to one of the variables, or into it?
pub fn may_be_one_of(sema: &Sema, variables: &FxHashSet<ObjectId>, ty: QualType) -> bool {
    variables
        .iter()
        .any(|&id| is_reachable(sema, id) && alias::may_be(sema, sema.object(id).ty, ty))
}

/// The type of the lvalue `lhs`, or of the union that it is a member of: its other members change as well.
fn written_type(ast: &Ast, sema: &Sema, lhs: ExprId) -> QualType {
    let lhs = ast.strip_parens(lhs);
    let around = match ast.expr(lhs).kind {
        ExprKind::Member { base, arrow: false, .. } => written_type(ast, sema, base),
        ExprKind::Member { base, arrow: true, .. } => {
            let ty = sema.expr_type(base);
            sema.types.decayed_pointee(ty).unwrap_or(ty)
        }
        ExprKind::Index { base, .. } if sema.types.is_array(sema.expr_type(base)) => {
            written_type(ast, sema, base)
        }
        _ => sema.expr_type(lhs),
    };
    match *sema.types.kind(around) {
        Type::Record(id) if sema.types.record(id).is_union => around,
        _ => sema.expr_type(lhs),
    }
}

/// Is `id` a variable, or a part of one?
fn is_in_variable(ast: &Ast, sema: &Sema, id: ExprId) -> bool {
    match ast.expr(id).kind {
        ExprKind::Ident(_) => true,
        ExprKind::Paren(e) | ExprKind::Member { base: e, arrow: false, .. } => {
            is_in_variable(ast, sema, e)
        }
        ExprKind::Index { base, .. } => {
            sema.types.is_array(sema.expr_type(base)) && is_in_variable(ast, sema, base)
        }
        _ => false,
    }
}

/// Is `id` a shared lvalue of a scalar type, accessed as C would?
pub fn is_plain_shared(ast: &Ast, sema: &Sema, id: ExprId) -> bool {
    use UnaryOp::Deref;
    let ty = sema.expr_type(id);
    let quals = sema.types.resolve(ty).quals;
    matches!(
        ast.expr(id).kind,
        ExprKind::Ident(_)
            | ExprKind::Index { .. }
            | ExprKind::Member { .. }
            | ExprKind::Unary { op: Deref, .. }
    ) && sema.flags(id).is_lvalue
        && !sema.flags(id).is_bitfield
        && sema.types.is_shared(ty)
        && !sema.types.is_array(ty)
        && !sema.types.is_record(ty)
        && !sema.types.is_void(ty)
        && !quals.is_volatile
        && !quals.is_atomic
        && !sema.strict.contains(&id)
}

/// No loop in it, and no `break` out of it.
pub fn is_innermost_body(ast: &Ast, id: StmtId) -> bool {
    has_only_loops(ast, id, &|_| false)
}

/// The same, but for `for` loops that are `fit`.
pub fn has_only_loops(ast: &Ast, id: StmtId, is_fit: &dyn Fn(&For) -> bool) -> bool {
    let mut has_no_other = true;
    visit::all_stmts(ast, id, &mut |stmt| {
        has_no_other &= match &ast.stmt(stmt).kind {
            StmtKind::For(head) => is_fit(head),
            StmtKind::UpcForall(_)
            | StmtKind::While { .. }
            | StmtKind::DoWhile { .. }
            | StmtKind::Switch { .. }
            | StmtKind::Break => false,
            _ => true,
        };
    });
    has_no_other
}

/// Does `id`, the body of a loop, always come to its end, without calls of what is not known?
pub fn is_straight_body(ast: &Ast, sema: &Sema, id: StmtId) -> bool {
    let effects = Effects::of(ast, sema, id);
    let mut is_straight =
        is_innermost_body(ast, id) && !effects.is_unique && !effects.has_statement_expression;
    visit::all_stmts(ast, id, &mut |stmt| {
        is_straight &= !matches!(ast.stmt(stmt).kind, StmtKind::Return(_) | StmtKind::Goto(_));
    });
    visit::all_in_stmt(ast, id, &mut |expr| {
        if let ExprKind::Call { callee, .. } = ast.expr(expr).kind {
            is_straight &= changes_nothing(ast, sema, callee);
        }
    });
    is_straight
}

/// May a statement expression in `id`, the body of a loop, leave that loop?
pub fn expressions_leave(ast: &Ast, id: StmtId) -> bool {
    let mut leave = false;
    visit::all_in_stmt(ast, id, &mut |expr| {
        let ExprKind::StmtExpr(body) = ast.expr(expr).kind else { return };
        visit::all_stmts(ast, body, &mut |stmt| {
            leave |= matches!(
                ast.stmt(stmt).kind,
                StmtKind::Break | StmtKind::Return(_) | StmtKind::Goto(_)
            );
        });
    });
    leave
}

/// May `id`, the body of a loop, leave that loop by `break`?
pub fn breaks_out(ast: &Ast, id: StmtId) -> bool {
    match &ast.stmt(id).kind {
        StmtKind::Break => true,
        StmtKind::Compound(stmts) => stmts.iter().any(|&s| breaks_out(ast, s)),
        StmtKind::If { then, els, .. } => {
            breaks_out(ast, *then) || els.is_some_and(|els| breaks_out(ast, els))
        }
        StmtKind::Label { body, .. } | StmtKind::Case { body, .. } | StmtKind::Default { body } => {
            breaks_out(ast, *body)
        }
        _ => false,
    }
}
