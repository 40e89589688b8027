// SPDX-License-Identifier: BSD-3-Clause
//! Functions that consist of one expression: they find an element, read it or write it.
//!
//! ```c
//! static inline int at(int i, int j) { return i * N + j; }
//! static inline double get(int i, int j) { return u[at(i, j)]; }
//! static inline void set(int i, int j, double v) { u[at(i, j)] = v; }
//! ```

use super::constant;
use super::early;
use crate::sema::pure::changes_nothing;
use crate::sema::types::{QualType, Type};
use crate::sema::{Duration, FunctionInfo, Linkage, ObjectId, ObjectKind, Sema};
use crate::span::Span;
use crate::syntax::ast::{
    Ast, BinaryOp, ChunkKind, ExprId, ExprKind, Function, Params, StmtKind, TypeSpec, UnaryOp,
};
use rustc_hash::{FxHashMap, FxHashSet};

/// Attributes that do not ask that a function be called.
const PLAIN_ATTRIBUTES: &str =
    "always_inline artificial const gnu_inline hot leaf nothrow pure unused";

/// How an argument may be evaluated in place of a parameter.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Use {
    /// As often as one likes, or not at all.
    Anywhere,
    /// Once, before anything is written: it reads memory, or has no value in some cases.
    Once,
    Never,
}

/// The parameters that arguments stand for, with the arguments' uses.
pub type Bound<T> = FxHashMap<ObjectId, (T, Use)>;

pub struct Accessor<'a> {
    pub function: &'a Function,
    pub params: &'a [ObjectId],
    /// What arguments must bear.
    pub uses: FxHashMap<ObjectId, Use>,
    pub value: ExprId,
    pub returns: QualType,
    /// It is an assignment, and gives no value.
    pub is_store: bool,
    /// What its value bears as a part of an argument.
    class: Use,
    /// Names of file scope in it.
    pub names: FxHashSet<&'a str>,
}

pub struct Accessors<'a> {
    ast: &'a Ast,
    sema: &'a Sema,
    text: &'a str,
    by_object: FxHashMap<ObjectId, Accessor<'a>>,
}

impl<'a> Accessors<'a> {
    pub fn of(ast: &'a Ast, sema: &'a Sema, text: &'a str) -> Accessors<'a> {
        let mut all = Accessors { ast, sema, text, by_object: FxHashMap::default() };
        if ast.stmts.iter().any(|stmt| matches!(stmt.kind, StmtKind::PragmaUpc(_))) {
            return all;
        }
        // Behind the last pragma an access is as strict in the caller as in the function.
        let last = ast.file_pragmas.iter().map(|(span, _)| span.hi).max().unwrap_or(0);
        for function in ast.functions().filter(|function| function.span.lo >= last) {
            let Some(info) = sema.functions.get(&function.span.lo) else { continue };
            if let Some(accessor) = all.accessor(function, info) {
                all.by_object.insert(info.object, accessor);
            }
        }
        all
    }

    pub fn is_empty(&self) -> bool {
        self.by_object.is_empty()
    }

    pub fn get(&self, object: ObjectId) -> &Accessor<'a> {
        &self.by_object[&object]
    }

    pub fn called(&self, callee: ExprId) -> Option<(ObjectId, &Accessor<'a>)> {
        let (object, _) = self.sema.object_of(self.ast.strip_parens(callee))?;
        self.by_object.get(&object).map(|accessor| (object, accessor))
    }

    fn accessor(&self, function: &'a Function, info: &'a FunctionInfo) -> Option<Accessor<'a>> {
        let (ast, sema, params) = (self.ast, self.sema, info.params.as_slice());
        let object = sema.object(info.object);
        let Type::Function(ty) = sema.types.kind(object.ty) else { return None };
        let is_own = object.linkage == Linkage::Internal || function.specs.is_inline;
        let is_librarys =
            !ast.lines.regions.is_empty() && ast.lines.file_at(function.span.lo).is_system;
        let is_kept = |&param: &ObjectId| {
            let object = sema.object(param);
            !object.is_assigned && !object.address_taken && !self.is_volatile(object.ty)
        };
        if !is_own
            || is_librarys
            || ty.is_variadic
            || !has_prototype(function)
            || !self.has_plain_attributes(function)
            || !params.iter().all(is_kept)
        {
            return None;
        }
        let (value, is_store) = self.only_expression(function, sema.types.is_void(ty.ret))?;
        let uses = params.iter().map(|&param| (param, None)).collect();
        let names = FxHashSet::default();
        let mut body = Body { all: self, uses, names, has_access: false, has_effects: false };
        let is_fit = match ast.expr(ast.strip_parens(value)).kind {
            ExprKind::Assign { lhs, rhs, .. } if is_store => {
                body.is_plain(lhs, true) && body.is_plain(rhs, true)
            }
            _ => !is_store && body.is_plain(value, true),
        };
        let mut types = params.iter().map(|&param| sema.object(param).ty).chain([ty.ret]);
        let is_of_use =
            body.has_access || types.all(|ty| sema.types.is_integer(ty) || sema.types.is_pts(ty));
        if !is_fit || !is_of_use {
            return None;
        }
        let Body { uses, names, has_effects, .. } = body;
        let uses = uses.into_iter().map(|(param, found)| {
            let is_free = has_effects || found == Some(Use::Anywhere);
            (param, if is_free { Use::Anywhere } else { Use::Once })
        });
        let bound: Bound<()> = params.iter().map(|&param| (param, ((), Use::Anywhere))).collect();
        let class = if is_store { Use::Never } else { self.class(value, &bound) };
        let (uses, returns) = (uses.collect(), ty.ret);
        Some(Accessor { function, params, uses, value, returns, is_store, class, names })
    }

    /// What a function returns, or the statement that it is, and whether it is that.
    fn only_expression(&self, function: &Function, is_void: bool) -> Option<(ExprId, bool)> {
        let ast = self.ast;
        let StmtKind::Compound(stmts) = &ast.stmt(function.body).kind else { return None };
        let &[stmt] = stmts.as_slice() else { return None };
        let found = match ast.stmt(stmt).kind {
            StmtKind::Return(Some(value)) if !is_void => (value, false),
            StmtKind::Expr(value) if is_void => (value, true),
            _ => return None,
        };
        let is_one_text = !ast.expr(found.0).span.text(self.text).contains("\n#");
        (is_one_text && !ast.pragmas.contains_key(&stmt)).then_some(found)
    }

    fn has_plain_attributes(&self, function: &Function) -> bool {
        let header = Span::new(function.span.lo, self.ast.stmt(function.body).span.lo);
        let attributes = &function.specs.attributes;
        let is_plain = |name: &str| PLAIN_ATTRIBUTES.split(' ').any(|plain| plain == name);
        attributes.iter().all(|attribute| is_plain(self.ast.names.name(attribute.name)))
            && header.text(self.text).matches("__attribute").count() <= attributes.len()
    }

    fn is_volatile(&self, ty: QualType) -> bool {
        let quals = self.sema.types.resolve(ty).quals;
        quals.is_volatile || quals.is_atomic
    }

    /// Does `id` access memory in a way that others wait for?
    fn is_ordered(&self, id: ExprId) -> bool {
        self.sema.strict.contains(&id) || self.is_volatile(self.sema.expr_type(id))
    }

    /// What `id` bears as an argument, where `bound` parameters stand for others.
    pub fn class<T>(&self, id: ExprId, bound: &Bound<T>) -> Use {
        let (ast, sema) = (self.ast, self.sema);
        if self.is_ordered(id) {
            return Use::Never;
        }
        let most = |ids: &[ExprId], least: Use| {
            ids.iter().map(|&id| self.class(id, bound)).fold(least, Use::max)
        };
        match &ast.expr(id).kind {
            ExprKind::Ident(_) => self.class_of_name(id, bound),
            kind if stands_for_itself(kind) => Use::Anywhere,
            ExprKind::Paren(inner) => self.class(*inner, bound),
            ExprKind::Cast { ty, operand } if sema.types.is_arithmetic(sema.type_of_name(*ty)) => {
                self.class(*operand, bound)
            }
            ExprKind::Unary { op, operand } => match op {
                UnaryOp::Plus | UnaryOp::Minus | UnaryOp::BitNot | UnaryOp::Not => {
                    self.class(*operand, bound)
                }
                UnaryOp::Deref | UnaryOp::AddrOf => most(&[*operand], Use::Once),
                _ => Use::Never,
            },
            ExprKind::Binary { op, lhs, rhs } => {
                let is_total = match op {
                    BinaryOp::Div | BinaryOp::Rem => early::is_positive(ast, sema, *rhs),
                    BinaryOp::Shl | BinaryOp::Shr => constant::value(ast, sema, *rhs).is_some(),
                    _ => true,
                };
                most(&[*lhs, *rhs], if is_total { Use::Anywhere } else { Use::Once })
            }
            ExprKind::Cond { cond, then: Some(then), els } => {
                most(&[*cond, *then, *els], Use::Anywhere)
            }
            ExprKind::Index { base, index } => most(&[*base, *index], Use::Once),
            ExprKind::Member { base, .. } => most(&[*base], Use::Once),
            ExprKind::Call { callee, args } => {
                let own = match self.called(*callee) {
                    Some((_, accessor)) => accessor.class,
                    None if changes_nothing(ast, sema, *callee) => Use::Once,
                    None => Use::Never,
                };
                most(args, own)
            }
            _ => Use::Never,
        }
    }

    fn class_of_name<T>(&self, id: ExprId, bound: &Bound<T>) -> Use {
        let Some((id, object)) = self.sema.object_of(id) else { return Use::Never };
        let types = &self.sema.types;
        if let Some((_, class)) = bound.get(&id) {
            return *class;
        }
        match object.kind {
            ObjectKind::Enumerator(_) => Use::Anywhere,
            ObjectKind::Variable | ObjectKind::Parameter => {
                let is_own = object.duration == Duration::Automatic && !object.address_taken;
                let is_scalar = types.is_arithmetic(object.ty) || types.is_pointer(object.ty);
                match types.is_array(object.ty) || (is_own && is_scalar) {
                    true => Use::Anywhere,
                    false => Use::Once,
                }
            }
            ObjectKind::Function | ObjectKind::Typedef => Use::Never,
        }
    }
}

/// Numbers, THREADS and MYTHREAD.
fn stands_for_itself(kind: &ExprKind) -> bool {
    matches!(
        kind,
        ExprKind::Int { .. }
            | ExprKind::Float { .. }
            | ExprKind::Char { .. }
            | ExprKind::Threads
            | ExprKind::MyThread
    )
}

fn has_prototype(function: &Function) -> bool {
    let chunk = function.declarator.chunks.first().map(|chunk| &chunk.kind);
    matches!(chunk, Some(ChunkKind::Function(Params::Prototype { .. } | Params::Empty)))
}

/// What a function's expression does.
struct Body<'b, 'a> {
    all: &'b Accessors<'a>,
    /// Of each parameter: whether it is evaluated exactly once, or otherwise.
    uses: FxHashMap<ObjectId, Option<Use>>,
    names: FxHashSet<&'a str>,
    /// To shared memory.
    has_access: bool,
    has_effects: bool,
}

impl Body<'_, '_> {
    /// Does `id` write nothing by itself, and mean the same wherever its names do? `is_sure`: it is
    /// evaluated whenever the function is called.
    fn is_plain(&mut self, id: ExprId, is_sure: bool) -> bool {
        let Accessors { ast, sema, text, .. } = *self.all;
        if self.all.is_ordered(id) {
            return false;
        }
        self.has_access |= sema.types.is_shared(sema.expr_type(id));
        match &ast.expr(id).kind {
            ExprKind::Ident(_) => self.is_plain_name(id, is_sure),
            kind if stands_for_itself(kind) => true,
            ExprKind::Unary {
                op: UnaryOp::PreInc | UnaryOp::PreDec | UnaryOp::PostInc | UnaryOp::PostDec,
                ..
            } => false,
            ExprKind::Paren(inner)
            | ExprKind::Unary { operand: inner, .. }
            | ExprKind::Member { base: inner, .. } => self.is_plain(*inner, is_sure),
            ExprKind::Index { base, index } => {
                self.is_plain(*base, is_sure) && self.is_plain(*index, is_sure)
            }
            ExprKind::Cast { ty, operand } => {
                let name = ast.type_name(*ty);
                if let TypeSpec::Typedef(typedef) = name.specs.ty {
                    self.names.insert(typedef.span.text(text));
                }
                matches!(name.specs.ty, TypeSpec::Typedef(_) | TypeSpec::Builtin(_))
                    && name.declarator.chunks.is_empty()
                    && self.is_plain(*operand, is_sure)
            }
            ExprKind::Binary { op, lhs, rhs } => {
                let is_rhs_sure = is_sure && !matches!(op, BinaryOp::LogAnd | BinaryOp::LogOr);
                self.is_plain(*lhs, is_sure) && self.is_plain(*rhs, is_rhs_sure)
            }
            ExprKind::Cond { cond, then: Some(then), els } => {
                self.is_plain(*cond, is_sure)
                    && self.is_plain(*then, false)
                    && self.is_plain(*els, false)
            }
            ExprKind::Call { callee, args } => {
                let called = self.all.called(*callee).map(|(_, accessor)| accessor);
                self.has_effects |= called.is_none() && !changes_nothing(ast, sema, *callee);
                self.has_access |= called.is_some_and(|accessor| accessor.class == Use::Once);
                called.is_none_or(|accessor| !accessor.is_store)
                    && self.is_plain(*callee, is_sure)
                    && args.iter().all(|&arg| self.is_plain(arg, is_sure))
            }
            _ => false,
        }
    }

    fn is_plain_name(&mut self, id: ExprId, is_sure: bool) -> bool {
        let Accessors { ast, sema, .. } = *self.all;
        let Some((id, object)) = sema.object_of(id) else { return false };
        if let Some(found) = self.uses.get_mut(&id) {
            let is_once = found.is_none() && is_sure;
            *found = Some(if is_once { Use::Once } else { Use::Anywhere });
            return true;
        }
        self.names.insert(ast.names.name(object.name));
        object.at_file_scope || object.kind == ObjectKind::Function
    }
}
