// SPDX-License-Identifier: BSD-3-Clause
//! Loops that read here and there are run twice: an inspector collects the addresses of some
//! thousand iterations, one gather fetches what is there, and an executor does the work (Saltz et
//! al., "Run-time parallelization and scheduling of loops", 1991).
//!
//! ```c
//! for (i = lo; i < hi; i++) { int j = idx[i]; if (j >= 0) s += a[j]; }
//! ```
//! becomes, where the loop is not short:
//! ```c
//! for (from = lo, to = hi; from < to; from += n) {
//!     n = min(to - from, N);
//!     unsigned long at[N]; double b[N];
//!     for (k = 0; k < n; k++) { i = from + k; int j = idx[i];
//!         at[k] = (j >= 0) ? &a[j] : upcr_nowhere(); }
//!     upcr_gather(b, at, n, sizeof *b, ...);
//!     for (k = 0; k < n; k++) { i = from + k; int j = idx[i]; if (j >= 0) s += b[k]; }
//! }
//! ```
//! Addresses must follow from what the loop leaves alone, and nothing that it writes may be what was
//! fetched before. What goes by the index alone is not collected: bulk transfers and the read cache
//! serve that.

use super::{Emitter, Inst};
use crate::opt::alias;
use crate::opt::counted::{self, Counted};
use crate::opt::effects;
use crate::opt::head;
use crate::opt::wrapped;
use crate::sema::pure;
use crate::sema::types::QualType;
use crate::sema::ObjectId;
use crate::syntax::ast::{
    BinaryOp, DeclId, ExprId, ExprKind, ExprOrType, InitKind, StmtId, StmtKind, UnaryOp,
};
use crate::syntax::visit;
use rustc_hash::FxHashSet;

/// On the stack.
const MAX_BYTES: u64 = 64 << 10;
/// UPCR_GATHERED, UPCR_ELEMENT.
const MAX_ELEMENTS: u64 = 4096;
const MAX_ELEMENT: u64 = 256;
/// Of a subscript, with what names stand for in it; a longer one is taken for a lookup.
const MAX_PARTS: u32 = 64;
/// Shorter loops are left to the read cache.
const MIN_TRIPS: u32 = 64;

/// A read whose address the inspector finds.
struct Gathered {
    id: ExprId,
    ty: QualType,
    /// How many of the loop's declarations stand before it.
    n_declared: usize,
    /// It is read where these hold, or do not.
    conditions: Vec<(ExprId, bool)>,
}

/// What a loop's body does.
struct Body<'e, 'a> {
    emitter: &'e Emitter<'a>,
    counted: &'e Counted,
    /// Variables that expressions of the body change.
    changed: FxHashSet<ObjectId>,
    /// Types of what it writes through private pointers, and of private arrays that it writes.
    written: Vec<QualType>,
    /// Shared lvalues that it writes.
    shared_writes: Vec<ExprId>,
    declared: Vec<StmtId>,
    /// Variables of these.
    known: FxHashSet<ObjectId>,
    gathered: Vec<Gathered>,
    /// Those around the statement at hand, unless one of them cannot be known.
    conditions: Option<Vec<(ExprId, bool)>>,
    is_outermost: bool,
}

impl Emitter<'_> {
    /// The loop `id` as inspector and executor, as `if (...) { ... } else `; empty if there is
    /// nothing to collect.
    pub(super) fn inspected(&mut self, id: StmtId) -> String {
        let Some(head) = head::clauses(self.ast, self.sema, id) else { return String::new() };
        let Some(counted) = counted::recognise_with_bounds(self.ast, self.sema, &head) else {
            return String::new();
        };
        if self.options.inst != Inst::Off
            || counted.is_back()
            || counted.effects.is_unique
            || counted.effects.has_statement_expression
            || counted.effects.declares_types
            || !effects::is_innermost_body(self.ast, head.body)
        {
            return String::new();
        }
        match Body::read(self, &counted, head.body) {
            Some((gathered, declared)) if !gathered.is_empty() => {
                let text = self.inspected_loop(&counted, &gathered, &declared, head.body);
                if text.is_some() {
                    self.remark(id, remark(gathered.len()));
                }
                text.unwrap_or_default()
            }
            _ => String::new(),
        }
    }

    /// `None` if a piece would be too short.
    fn inspected_loop(
        &mut self,
        counted: &Counted,
        gathered: &[Gathered],
        declared: &[StmtId],
        body: StmtId,
    ) -> Option<String> {
        let sizes = gathered.iter().map(|g| self.sema.types.size_of(g.ty).map(|size| size + 8));
        let most = (MAX_BYTES / sizes.sum::<Option<u64>>()?).min(MAX_ELEMENTS);
        if most < u64::from(MIN_TRIPS) {
            return None;
        }
        let [from, to, n, k, room] = ["from", "to", "n", "k", "room"].map(|name| self.fresh(name));
        let place = self.place_arguments(self.ast.stmt(body).span.lo);
        let (mut arrays, mut inspector, mut gathers) =
            (String::new(), String::new(), String::new());
        let mut n_declared = 0;
        for access in gathered {
            for &declaration in &declared[n_declared..access.n_declared] {
                inspector += &self.quiet_copy(declaration);
            }
            n_declared = access.n_declared;
            let [at, b] = ["at", "b"].map(|name| self.fresh(name));
            let buffer = self.unqualified_array(access.ty, &b, &room);
            arrays += &format!("unsigned long {at}[{room}]; {buffer}; ");
            let address = self.address_where(access);
            inspector += &format!("{at}[{k}] = {address}; ");
            gathers += &format!("upcr_gather({b}, {at}, (unsigned){n}, sizeof *{b}, {place}); ");
            let text = self.gathered_text(counted, access, &at, &b, &k);
            self.fetched.insert(access.id, text);
        }
        let span = self.ast.stmt(body).span;
        let text = self.quietly(|e| e.captured(span, |e| e.stmt(body)));
        gathered.iter().for_each(|access| _ = self.fetched.remove(&access.id));
        let step = counted.step.text()?;
        let set = self.index_set(counted, &format!("{from} + {k} * {step}"));
        let (lo, hi) = (self.value_text(counted.lo), self.value_text(counted.hi));
        let (lowest, beyond) = self.index_bounds(counted, &lo, &hi);
        let end = match counted.is_declared {
            true => String::new(),
            false => self.index_set(counted, &from),
        };
        let marker = self.quiet_marker(span.lo);
        Some(format!(
            "\n{marker}long {from} = {lowest}, {to} = {beyond}; if ({from} >= 0 && ({to} - {from}) \
             / {step} >= {MIN_TRIPS}) {{ long {n}, {room} = ({to} - {from} + {step} - 1) / {step}; if ({room} > \
             {most}) {room} = {most}; {arrays}for (; {from} < {to}; {from} += {n} * {step}) {{ long {k}; {n} = \
             ({to} - {from} + {step} - 1) / {step}; if ({n} > {room}) {n} = {room}; for ({k} = 0; {k} < {n}; \
             {k}++) {{ {set} {inspector}}} {gathers}for ({k} = 0; {k} < {n}; {k}++) {{ {set}\n{marker}{text} }} }} {end} }} else "
        ))
    }

    /// A further copy of a declaration.
    fn quiet_copy(&mut self, declaration: StmtId) -> String {
        let span = self.ast.stmt(declaration).span;
        let text = self.quietly(|e| e.captured(span, |e| e.stmt(declaration)));
        format!("{} ", text.replace('\n', " "))
    }

    /// The address of an access, where the loop comes to it.
    fn address_where(&mut self, access: &Gathered) -> String {
        let lvalue = self.lvalue_text(access.id);
        let address = format!("(unsigned long){}", super::access::address_text(&lvalue));
        let conditions = access.conditions.iter().map(|&(id, holds)| {
            let value = super::text::primary(self.value_text(id));
            if holds {
                value
            } else {
                format!("!{value}")
            }
        });
        let conditions: Vec<_> = conditions.collect();
        match conditions.is_empty() {
            true => address,
            false => format!("{} ? {address} : upcr_nowhere()", conditions.join(" && ")),
        }
    }

    /// What is on this host may also be written by private pointers in the meantime.
    fn gathered_text(
        &mut self,
        counted: &Counted,
        access: &Gathered,
        at: &str,
        b: &str,
        k: &str,
    ) -> String {
        if !counted.effects.has_unknown_write() {
            return format!("{b}[{k}]");
        }
        let pointer = self.c_pointer(access.ty);
        format!("(*(upcr_is_here((void *){at}[{k}]) ? ({pointer}){at}[{k}] : &{b}[{k}]))")
    }
}

fn remark(n: usize) -> String {
    format!(
        "addresses are collected first, of {n} in each iteration, and one request for each host fetches \
         what is there"
    )
}

impl<'e, 'a> Body<'e, 'a> {
    /// What to collect, and the declarations that lead there; `None` if the loop must stay.
    fn read(
        emitter: &'e Emitter<'a>,
        counted: &'e Counted,
        body: StmtId,
    ) -> Option<(Vec<Gathered>, Vec<StmtId>)> {
        let mut this = Body {
            emitter,
            counted,
            changed: FxHashSet::default(),
            written: Vec::new(),
            shared_writes: Vec::new(),
            declared: Vec::new(),
            known: FxHashSet::default(),
            gathered: Vec::new(),
            conditions: Some(Vec::new()),
            is_outermost: true,
        };
        this.note_writes(body);
        let is_fit = match &emitter.ast.stmt(body).kind {
            StmtKind::Compound(stmts) => stmts.iter().all(|&stmt| this.stmt(stmt)),
            _ => this.stmt(body),
        };
        is_fit.then_some((this.gathered, this.declared))
    }

    fn note_writes(&mut self, body: StmtId) {
        let Emitter { ast, sema, .. } = *self.emitter;
        visit::all_in_stmt(ast, body, &mut |id| {
            let Some(place) = effects::written_place(ast, id) else { return };
            let place = ast.strip_parens(place);
            if sema.types.is_shared(sema.expr_type(place)) {
                self.shared_writes.push(place);
                return;
            }
            match sema.object_of(place) {
                Some((object, _)) => _ = self.changed.insert(object),
                None => {
                    self.changed.extend(effects::written_variable(ast, sema, place));
                    self.written.push(sema.expr_type(place));
                }
            }
        });
    }

    fn stmt(&mut self, id: StmtId) -> bool {
        let ast = self.emitter.ast;
        match &ast.stmt(id).kind {
            StmtKind::Declaration(decl) if self.is_outermost && self.is_known_decl(*decl) => {
                self.declared.push(id);
                true
            }
            StmtKind::Compound(stmts) => self.within(|b| stmts.iter().all(|&s| b.stmt(s))),
            &StmtKind::If { cond, then, els } => {
                self.expr(cond)
                    && self.under(cond, true, then)
                    && els.is_none_or(|els| self.under(cond, false, els))
            }
            StmtKind::Expr(_) | StmtKind::Declaration(_) => {
                let mut is_fit = true;
                visit::roots(ast, id, &mut |root| is_fit = is_fit && self.expr(root));
                is_fit
            }
            StmtKind::Empty => true,
            _ => false,
        }
    }

    fn within<R>(&mut self, f: impl FnOnce(&mut Self) -> R) -> R {
        let outer = std::mem::replace(&mut self.is_outermost, false);
        let result = f(self);
        self.is_outermost = outer;
        result
    }

    fn under(&mut self, cond: ExprId, holds: bool, stmt: StmtId) -> bool {
        let outer = self.conditions.clone();
        match self.is_known(cond) && !self.reads_shared(cond) {
            true => self.conditions.iter_mut().for_each(|all| all.push((cond, holds))),
            false => self.conditions = None,
        }
        let is_fit = self.within(|b| b.stmt(stmt));
        self.conditions = outer;
        is_fit
    }

    /// Notes the reads in `id`; false if it does what the loop may not.
    fn expr(&mut self, id: ExprId) -> bool {
        let Emitter { ast, sema, .. } = *self.emitter;
        if sema.strict.contains(&id) {
            return false;
        }
        if self.is_worth_it(id) {
            self.gathered.push(Gathered {
                id,
                ty: sema.expr_type(id),
                n_declared: self.declared.len(),
                conditions: self.conditions.clone().unwrap_or_default(),
            });
            return true;
        }
        match ast.expr(id).kind {
            ExprKind::Assign { lhs, rhs, .. } => {
                self.place(ast.strip_parens(lhs)) && self.expr(rhs)
            }
            ExprKind::Unary {
                op: UnaryOp::PreInc | UnaryOp::PreDec | UnaryOp::PostInc | UnaryOp::PostDec,
                operand,
            } => self.place(ast.strip_parens(operand)),
            ExprKind::Unary { op: UnaryOp::AddrOf, .. } => true,
            ExprKind::Binary { op: BinaryOp::LogAnd | BinaryOp::LogOr, lhs, rhs } => {
                self.expr(lhs) && self.sometimes(&[rhs])
            }
            ExprKind::Cond { cond, then, els } => {
                let then = then.into_iter().chain([els]).collect::<Vec<_>>();
                self.expr(cond) && self.sometimes(&then)
            }
            ExprKind::Call { callee, .. } if !pure::changes_nothing(ast, sema, callee) => false,
            ExprKind::SizeOf { operand: ExprOrType::Expr(_), .. } => true,
            ExprKind::Generic { .. } | ExprKind::ChooseExpr { .. } | ExprKind::StmtExpr(_) => false,
            _ => {
                let mut is_fit = true;
                visit::children(ast, id, &mut |child| is_fit = is_fit && self.expr(child));
                is_fit
            }
        }
    }

    fn reads_shared(&self, id: ExprId) -> bool {
        let mut found = false;
        visit::all_in_expr(self.emitter.ast, id, &mut |e| found |= self.is_shared(e));
        found
    }

    /// Expressions that are not always evaluated: what they read is not collected.
    fn sometimes(&mut self, ids: &[ExprId]) -> bool {
        let outer = self.conditions.take();
        let is_fit = ids.iter().all(|&id| self.expr(id));
        self.conditions = outer;
        is_fit
    }

    /// The operands that lead to a place which is written.
    fn place(&mut self, id: ExprId) -> bool {
        let Emitter { ast, sema, .. } = *self.emitter;
        let mut is_fit = !sema.strict.contains(&id);
        visit::children(ast, id, &mut |child| {
            let is_array = sema.types.is_array(sema.expr_type(child));
            is_fit = is_fit && if is_array { self.place(child) } else { self.expr(child) };
        });
        is_fit
    }

    fn is_shared(&self, id: ExprId) -> bool {
        self.emitter.sema.types.is_shared(self.emitter.sema.expr_type(id))
    }

    /// Is `id` a read of shared memory at an address that the inspector can find, and that does not
    /// go by the index alone?
    fn is_worth_it(&self, id: ExprId) -> bool {
        let Emitter { ast, sema, .. } = *self.emitter;
        let ty = sema.expr_type(id);
        let is_read = self.emitter.is_remote_read(id)
            && !sema.flags(id).is_bitfield
            && !sema.coerce.contains_key(&id)
            && !sema.types.resolve(ty).quals.is_volatile
            && !sema.types.resolve(ty).quals.is_atomic
            && sema.types.size_of(ty).is_some_and(|size| size <= MAX_ELEMENT);
        if !is_read || self.conditions.is_none() || !self.is_untouched(id) {
            return false;
        }
        let (mut is_known, mut is_far) = (true, false);
        visit::children(ast, id, &mut |child| {
            is_known &= self.is_known_operand(child);
            is_far |= self.has_lookup(child);
        });
        is_known
            && (is_far || self.moves_in_two_dimensions(id))
            && !self.emitter.is_taken_apart(id, self.counted)
    }

    /// A record or an array is only where its part is.
    fn is_known_operand(&self, id: ExprId) -> bool {
        let Emitter { ast, sema, .. } = *self.emitter;
        let ty = sema.expr_type(id);
        let is_whole = sema.types.is_array(ty) || sema.types.is_record(ty);
        if !is_whole || !self.is_shared(id) {
            return self.is_known(id);
        }
        let mut is_known = true;
        visit::children(ast, id, &mut |child| is_known &= self.is_known_operand(child));
        is_known
    }

    /// Can the inspector evaluate `id`, and find what the loop will?
    fn is_known(&self, id: ExprId) -> bool {
        let Emitter { ast, sema, .. } = *self.emitter;
        if sema.strict.contains(&id) || !self.emitter.is_pure(id) {
            return false;
        }
        let mut is_known = true;
        visit::all_in_expr(ast, id, &mut |e| is_known &= self.is_known_part(e));
        is_known
    }

    fn is_known_part(&self, id: ExprId) -> bool {
        let Emitter { ast, sema, .. } = *self.emitter;
        let ty = sema.expr_type(id);
        if sema.types.is_array(ty) {
            // Only an address, but one of the body is not there yet.
            let is_own = |object| self.counted.effects.assigned.contains(&object);
            return sema
                .object_of(id)
                .is_none_or(|(object, _)| !self.changed.contains(&object) && !is_own(object));
        }
        if self.is_shared(id) && sema.flags(id).is_lvalue {
            return self.shared_writes.is_empty() && self.written.is_empty();
        }
        if let Some((object, _)) = sema.object_of(id) {
            return object == self.counted.index
                || self.known.contains(&object)
                || self.counted.effects.keeps(sema, object);
        }
        let is_memory = matches!(
            ast.expr(id).kind,
            ExprKind::Index { .. }
                | ExprKind::Member { .. }
                | ExprKind::Unary { op: UnaryOp::Deref, .. }
        );
        !is_memory || !self.may_be_written(ty)
    }

    /// May the loop write a private object of type `ty` that has no name?
    fn may_be_written(&self, ty: QualType) -> bool {
        let sema = self.emitter.sema;
        self.written.iter().any(|&other| alias::may_be(sema, other, ty))
            || effects::may_be_one_of(sema, &self.changed, ty)
    }

    /// Is `id` in another object than all that the loop writes?
    fn is_untouched(&self, id: ExprId) -> bool {
        let root = |id| alias::root(self.emitter.ast, self.emitter.sema, id);
        self.shared_writes.is_empty()
            || root(id).is_some_and(|object| {
                self.shared_writes
                    .iter()
                    .all(|&write| root(write).is_some_and(|other| other != object))
            })
    }

    /// Does each iteration lead to another row and to another column?
    fn moves_in_two_dimensions(&self, id: ExprId) -> bool {
        let ast = self.emitter.ast;
        let mut n = 0;
        visit::all_in_expr(ast, id, &mut |e| match ast.expr(e).kind {
            ExprKind::Index { index, .. } if !self.stands_still(index) => n += 1,
            _ => {}
        });
        n > 1
    }

    /// Also of a name of the body for what stands still.
    fn stands_still(&self, id: ExprId) -> bool {
        let Emitter { ast, sema, .. } = *self.emitter;
        let effects = &self.counted.effects;
        effects.is_invariant(ast, sema, effects.resolve(ast, sema, id))
    }

    /// Does a value come from memory, or from a calculation that leads to and fro?
    fn has_lookup(&self, id: ExprId) -> bool {
        let Emitter { ast, sema, .. } = *self.emitter;
        let mut left = vec![id];
        for _ in 0..MAX_PARTS {
            let Some(id) = left.pop() else { return false };
            let id = self.counted.effects.resolve(ast, sema, id);
            if self.stands_still(id) || wrapped::recognise(ast, sema, id, self.counted).is_some() {
                continue;
            }
            let ty = sema.expr_type(id);
            let is_part =
                sema.types.is_shared(ty) && (sema.types.is_array(ty) || sema.types.is_record(ty));
            let is_lookup = match ast.expr(id).kind {
                ExprKind::Index { .. } | ExprKind::Unary { op: UnaryOp::Deref, .. } => !is_part,
                ExprKind::Binary { op: BinaryOp::Mul, lhs, rhs } => {
                    !self.stands_still(lhs) && !self.stands_still(rhs)
                }
                ExprKind::Binary { op, .. } => {
                    matches!(op, BinaryOp::Rem | BinaryOp::Xor | BinaryOp::And)
                }
                ExprKind::Ident(_) => {
                    sema.object_of(id).is_some_and(|(object, _)| self.known.contains(&object))
                }
                _ => false,
            };
            if is_lookup {
                return true;
            }
            visit::children(ast, id, &mut |child| left.push(child));
        }
        true
    }

    /// Does `id` declare scalars that the inspector can know, and that stay as they are?
    fn is_known_decl(&mut self, id: DeclId) -> bool {
        let Emitter { ast, sema, .. } = *self.emitter;
        let decl = ast.decl(id);
        if decl.specs.storage.is_some() {
            return false;
        }
        let mut declared = Vec::new();
        for (i, declarator) in decl.declarators.iter().enumerate() {
            let object = sema.declared.get(&(id, i));
            let init = declarator.init.map(|init| &ast.init(init).kind);
            let is_fit = match (object, init) {
                (Some(&object), Some(&InitKind::Expr(value))) => {
                    declared.push(object);
                    self.emitter.is_own_scalar(object)
                        && !self.changed.contains(&object)
                        && self.is_known(value)
                        && self.known.insert(object)
                }
                _ => false,
            };
            if !is_fit {
                // All of them stand in one declaration.
                declared.iter().for_each(|object| _ = self.known.remove(object));
                return false;
            }
        }
        true
    }
}
