// SPDX-License-Identifier: BSD-3-Clause
//! On whose host a shared lvalue is, as far as that follows from the program.
//!
//! An object of indefinite block size is one thread's, so all that is reached from one pointer
//! into it, or from its name, is on the host of what the pointer points to. A loop can ask that
//! once for pointers that it does not change: its accesses through them are *assumed* to be here,
//! and the assumptions become the condition of a version of the loop.

use super::Emitter;
use crate::opt::effects::Effects;
use crate::sema::pure;
use crate::sema::ObjectId;
use crate::syntax::ast::{BinaryOp, DeclId, ExprId, ExprKind, InitKind, StmtId, StmtKind, UnaryOp};
use crate::syntax::visit;
use rustc_hash::{FxHashMap, FxHashSet};

enum Home {
    Anywhere,
    /// That of an element that a private pointer may follow (`walk`).
    Walked(ExprId),
    /// That of a static object, by its cell.
    Cell(String),
    /// That of what a private variable points to.
    Variable(ObjectId),
}

/// The element that a walk found, and what is known of it.
#[derive(Debug)]
pub(super) struct Watch {
    id: ExprId,
    is_here: bool,
}

/// Pointers that are assumed to point to this host's memory, as C text.
#[derive(Debug, Default)]
pub(super) struct Assumed {
    pub pointers: Vec<String>,
    /// Of the loop; `None` in a distributed one, which has them.
    effects: Option<Effects>,
}

impl Assumed {
    pub fn over(effects: Option<Effects>) -> Assumed {
        Assumed { pointers: Vec::new(), effects }
    }
}

/// How many pointers may lead from one that a loop keeps to one that it goes by.
const MAX_DERIVED: u32 = 4;
/// More of them are too much to ask of all.
const MAX_POINTERS: usize = 8;

/// Loops within each other that do nothing but access relaxed data, and what they access.
struct Nest {
    effects: Effects,
    accesses: Vec<ExprId>,
    /// Variables that are declared in it with a value, and variables that are assigned another.
    values: FxHashMap<ObjectId, ExprId>,
    assigned: FxHashSet<ObjectId>,
}

impl Nest {
    fn of(emitter: &Emitter, id: StmtId) -> Option<Nest> {
        let Emitter { ast, sema, .. } = *emitter;
        let (mut accesses, mut assigned, mut is_fit) = (Vec::new(), FxHashSet::default(), true);
        visit::all_in_stmt(ast, id, &mut |e| {
            use UnaryOp::{PostDec, PostInc, PreDec, PreInc};
            let ty = sema.expr_type(e);
            match ast.expr(e).kind {
                ExprKind::Call { callee, .. } => {
                    is_fit &= pure::changes_nothing(ast, sema, callee);
                }
                ExprKind::StmtExpr(_) => is_fit = false,
                ExprKind::Assign { lhs: place, .. }
                | ExprKind::Unary { op: PreInc | PreDec | PostInc | PostDec, operand: place } => {
                    assigned.extend(sema.object_of(ast.strip_parens(place)).map(|(o, _)| o));
                }
                _ => {}
            }
            if sema.flags(e).is_lvalue && sema.types.is_shared(ty) && !sema.types.is_array(ty) {
                is_fit &= !sema.strict.contains(&e) && !emitter.is_c_atomic(ty);
                accesses.push(e);
            }
        });
        let mut values = FxHashMap::default();
        let mut note = |id: DeclId| {
            for (i, declarator) in ast.decl(id).declarators.iter().enumerate() {
                let value = declarator.init.map(|init| &ast.init(init).kind);
                if let (Some(&object), Some(&InitKind::Expr(value))) =
                    (sema.declared.get(&(id, i)), value)
                {
                    values.insert(object, value);
                }
            }
        };
        visit::all_stmts(ast, id, &mut |stmt| match &ast.stmt(stmt).kind {
            StmtKind::Declaration(decl) => note(*decl),
            StmtKind::For(_)
            | StmtKind::Compound(_)
            | StmtKind::If { .. }
            | StmtKind::Expr(_)
            | StmtKind::Empty => {}
            _ => is_fit = false,
        });
        let effects = Effects::of(ast, sema, id);
        is_fit.then_some(Nest { effects, accesses, values, assigned })
    }

    /// What the loops keep of the pointers that lead to `home`.
    fn outermost(&self, emitter: &Emitter, home: Home, most: u32) -> Option<Home> {
        let Home::Variable(object) = home else { return Some(home) };
        if self.effects.keeps(emitter.sema, object) {
            return Some(home);
        }
        let is_derived = emitter.is_own_scalar(object)
            && !emitter.sema.object(object).address_taken
            && !self.assigned.contains(&object)
            && most > 0;
        let &value = self.values.get(&object).filter(|_| is_derived)?;
        self.outermost(emitter, emitter.pointed_home(value), most - 1)
    }
}

impl Emitter<'_> {
    /// The result of `f`, which writes the lvalue `id` or its address, and whether that is here.
    pub(super) fn with_home<R>(&mut self, id: ExprId, f: impl FnOnce(&mut Self) -> R) -> (R, bool) {
        let home = match self.home(id) {
            Home::Variable(object) if self.keeps(object) => Home::Variable(object),
            Home::Variable(_) | Home::Anywhere => self.home_of_member(id),
            home => home,
        };
        let is_assumed = match &home {
            Home::Cell(cell) => self.assume(cell),
            &Home::Variable(object) => {
                let pointer = self.variable_text(object);
                self.assume(&pointer)
            }
            Home::Anywhere | Home::Walked(_) => false,
        };
        let watch = match home {
            Home::Walked(id) => Some(Watch { id, is_here: false }),
            _ => None,
        };
        let outer = std::mem::replace(&mut self.watch, watch);
        let result = f(self);
        let watch = std::mem::replace(&mut self.watch, outer);
        (result, is_assumed || watch.is_some_and(|w| w.is_here))
    }

    /// The home of a member of a record to which a pointer leads, where the loop changes the pointer.
    fn home_of_member(&self, id: ExprId) -> Home {
        match self.ast.expr(self.ast.strip_parens(id)).kind {
            ExprKind::Member { base, arrow: false, .. } => self.home_of_member(base),
            ExprKind::Member { base, .. } => Home::Walked(self.ast.strip_parens(base)),
            _ => Home::Anywhere,
        }
    }

    /// The element `id`, or what the pointer `id` leads to, is where `pointer` points: this thread's if there is none.
    pub(super) fn note_home(&mut self, id: ExprId, pointer: Option<String>) {
        if self.watch.as_ref().is_none_or(|watch| watch.id != id) {
            return;
        }
        if let (Some(split), Some(pointer)) = (&mut self.split, &pointer) {
            split.of_block.insert(id, pointer.clone());
        }
        let is_here = pointer.is_none_or(|pointer| self.assume(&pointer));
        if let Some(watch) = &mut self.watch {
            watch.is_here = is_here;
        }
    }

    /// Is all that a loop with these `effects` accesses by the lvalue `id` memory of one thread?
    pub(super) fn is_one_threads(&self, id: ExprId, effects: &Effects) -> bool {
        match self.home(id) {
            Home::Cell(_) => true,
            Home::Variable(object) => effects.keeps(self.sema, object),
            Home::Walked(id) => self.block_pointer(id).is_some(),
            Home::Anywhere => false,
        }
    }

    /// A pointer to that thread's memory.
    pub(super) fn home_pointer(&mut self, id: ExprId) -> Option<String> {
        match self.home(id) {
            Home::Cell(cell) => Some(cell),
            Home::Variable(object) => Some(self.variable_text(object)),
            Home::Walked(id) => self.block_pointer(id).cloned(),
            Home::Anywhere => None,
        }
    }

    /// A pointer to the block that has the element `id`, where all of a block's loop is one thread's.
    fn block_pointer(&self, id: ExprId) -> Option<&String> {
        self.split.as_ref().filter(|split| split.is_of_one_thread())?.of_block.get(&id)
    }

    /// Pointers, which the loop `id` keeps, to all memory that it accesses, if these are such: all that is
    /// reached from them, by way of further pointers that the loop declares too, is where they point.
    pub(super) fn homes_of_loop(&mut self, id: StmtId) -> Option<Vec<String>> {
        let nest = Nest::of(self, id)?;
        let mut pointers = Vec::new();
        for &access in &nest.accesses {
            let pointer = match nest.outermost(self, self.home(access), MAX_DERIVED)? {
                Home::Cell(cell) => cell,
                Home::Variable(object) => self.variable_text(object),
                Home::Anywhere | Home::Walked(_) => return None,
            };
            if !pointers.contains(&pointer) {
                pointers.push(pointer);
            }
        }
        (1..=MAX_POINTERS).contains(&pointers.len()).then_some(pointers)
    }

    fn variable_text(&mut self, object: ObjectId) -> String {
        let name = self.name(self.sema.object(object).name);
        self.found_variable(object).unwrap_or_else(|| name.into())
    }

    /// From here on nothing more is assumed, and what was counts no longer.
    pub(super) fn stop_assuming(&mut self) {
        self.assumed = None;
    }

    /// Assumes that `pointer` points to this host's memory, where that is done.
    fn assume(&mut self, pointer: &str) -> bool {
        let Some(assumed) = &mut self.assumed else { return false };
        if !assumed.pointers.iter().any(|p| p == pointer) {
            assumed.pointers.push(pointer.to_string());
        }
        true
    }

    /// Does the loop whose pointers are assumed leave the variable alone?
    fn keeps(&self, object: ObjectId) -> bool {
        let Some(assumed) = &self.assumed else { return false };
        match (&assumed.effects, &self.split) {
            (Some(effects), _) => effects.keeps(self.sema, object),
            (None, Some(split)) => split.counted.effects.keeps(self.sema, object),
            (None, None) => false,
        }
    }

    fn home(&self, id: ExprId) -> Home {
        let id = self.ast.strip_parens(id);
        let is_indefinite = self.sema.types.block(self.sema.expr_type(id)) == Some(0);
        match self.ast.expr(id).kind {
            ExprKind::Ident(_) => match self.sema.object_of(id) {
                Some((object, _)) if self.is_shared_object(object) => {
                    Home::Cell(self.cell_name(object))
                }
                _ => Home::Anywhere,
            },
            ExprKind::Index { base, index } if is_indefinite => {
                self.pointed_home(self.subscript(base, index).0)
            }
            ExprKind::Unary { op: UnaryOp::Deref, operand } if is_indefinite => {
                self.pointed_home(operand)
            }
            ExprKind::Index { .. } | ExprKind::Unary { op: UnaryOp::Deref, .. } => Home::Walked(id),
            ExprKind::Member { base, arrow: false, .. } => self.home(base),
            ExprKind::Member { base, arrow: true, .. } => self.pointed_home(base),
            ExprKind::Unary { op: UnaryOp::Real | UnaryOp::Imag, operand } => self.home(operand),
            _ => Home::Anywhere,
        }
    }

    /// The home of what the pointer-to-shared `id` points to, or the array `id` begins with.
    fn pointed_home(&self, id: ExprId) -> Home {
        let id = self.ast.strip_parens(id);
        let ty = self.sema.expr_type(id);
        let types = &self.sema.types;
        let Some(target) = self.shared_target(id) else { return Home::Anywhere };
        if types.is_array(ty) {
            return self.home(id);
        }
        match self.ast.expr(id).kind {
            ExprKind::Ident(_) => match self.sema.object_of(id) {
                Some((object, _)) if types.block(ty).is_none() && self.is_plain(target) => {
                    Home::Variable(object)
                }
                _ => Home::Anywhere,
            },
            ExprKind::Unary { op: UnaryOp::AddrOf, operand } => self.home(operand),
            ExprKind::Binary { op: BinaryOp::Add | BinaryOp::Sub, lhs, rhs }
                if types.block(target) == Some(0) =>
            {
                match self.pointer_operand(lhs, rhs) {
                    Some((pointer, _)) => self.pointed_home(pointer),
                    None => Home::Anywhere,
                }
            }
            _ => Home::Anywhere,
        }
    }

    /// Are pointers to shared `target` held as addresses?
    fn is_plain(&self, target: crate::sema::types::QualType) -> bool {
        self.sema.types.target_rep(target) == Some(crate::sema::types::PtsRep::Direct)
    }
}
