// SPDX-License-Identifier: BSD-3-Clause
//! Relaxed reads that do not depend on each other are under way at the same time.
//!
//! ```c
//! x = a[i] + b[j]; y = p->y;
//! ```
//! becomes, if nothing of it is known to be here:
//! ```c
//! T *a1 = &a[i]; T v1; U *a2 = &b[j]; U v2; V *a3 = &p->y; V v3;
//! T *h1 = upcr_cached(a1, sizeof v1); ...
//! int all = h1 && h2 && h3 ? (v1 = *h1, v2 = *h2, v3 = *h3, 1) : ({
//!     struct upcr_read r[] = {{&v1, a1, ...}, ...}; upcr_get_several(r, ...); 0; });
//! x = v1 + v2; y = v3;
//! ```
//! The values are copied at once: what is at hand may be gone after the next read. What is read twice
//! is read once, also where the second time depends on the first one: `a[i] && a[i] != x`.
//! (no statement, which C90 would not have before a declaration). The statements are those that
//! only set private variables, which none of the addresses needs.

use super::remote::Found;
use super::Emitter;
use crate::marker::c_string;
use crate::sema::{Duration, ObjectId};
use crate::span::Span;
use crate::syntax::ast::{BinaryOp, DeclId, ExprId, ExprKind, InitKind, StmtId, StmtKind, UnaryOp};
use crate::syntax::visit;
use rustc_hash::FxHashSet;

/// UPCR_READS.
const MAX_READS: usize = 32;

/// Statements of which all reads may come first.
#[derive(Default)]
struct Group {
    reads: Vec<ExprId>,
    /// Variables that they set.
    set: FxHashSet<ObjectId>,
    /// How many of them read.
    n_reading: usize,
}

impl Emitter<'_> {
    /// The statements of a block.
    pub(super) fn stmts(&mut self, mut stmts: &[StmtId]) {
        while let [first, ..] = stmts {
            let (n, group) = self.group(stmts);
            let is_worth_it = group.n_reading > 1;
            if is_worth_it {
                let lo = self.ast.stmt(*first).span.lo;
                let before = self.begin(&group.reads);
                if !before.is_empty() {
                    let before = format!("\n{}{before}", self.quiet_marker(lo));
                    self.edit(Span::new(lo, lo), before);
                }
            }
            let (now, rest) = stmts.split_at(n.max(1));
            now.iter().for_each(|&stmt| self.stmt(stmt));
            group.reads.iter().filter(|_| is_worth_it).for_each(|read| {
                self.fetched.remove(read);
            });
            stmts = rest;
        }
    }

    /// How many of `stmts` make a group, and what is in it.
    fn group(&self, stmts: &[StmtId]) -> (usize, Group) {
        let mut group = Group::default();
        let may_overlap = self.may_be_away() && self.options.optimise;
        let n = stmts.iter().take_while(|&&stmt| may_overlap && self.joins(stmt, &mut group));
        (n.count(), group)
    }

    /// Adds `stmt` to `group`, if it is fit for that.
    fn joins(&self, stmt: StmtId, group: &mut Group) -> bool {
        let (mut reads, mut set) = (Vec::new(), Vec::new());
        let is_fit = match self.ast.stmt(stmt).kind {
            StmtKind::Expr(expr) if self.value_stmt != Some(stmt) => {
                self.note_setting(expr, &mut reads, &mut set)
            }
            StmtKind::Declaration(decl) => self.note_declared(decl, &mut reads, &mut set),
            _ => false,
        };
        reads.retain(|read| !self.fetched.contains_key(read));
        let depends = reads.iter().any(|&read| self.mentions(read, &group.set));
        if !is_fit || depends || group.reads.len() + reads.len() > MAX_READS {
            return false;
        }
        group.n_reading += usize::from(!reads.is_empty());
        group.reads.extend(reads);
        group.set.extend(set);
        true
    }

    fn mentions(&self, id: ExprId, variables: &FxHashSet<ObjectId>) -> bool {
        let mut found = false;
        visit::all_in_expr(self.ast, id, &mut |e| {
            found |= self.sema.object_of(e).is_some_and(|(o, _)| variables.contains(&o));
        });
        found
    }

    /// Is `id` an assignment to a variable, of a number or of what one read gives?
    fn note_setting(&self, id: ExprId, reads: &mut Vec<ExprId>, set: &mut Vec<ObjectId>) -> bool {
        let ExprKind::Assign { op, lhs, rhs } = self.ast.expr(id).kind else { return false };
        let Some((variable, _)) = self.sema.object_of(self.ast.strip_parens(lhs)) else {
            return false;
        };
        set.push(variable);
        self.is_own_scalar(variable)
            && (op.is_none() || self.is_number(lhs))
            && self.note_value(rhs, reads)
    }

    /// Does `id` declare variables, with such values?
    fn note_declared(&self, id: DeclId, reads: &mut Vec<ExprId>, set: &mut Vec<ObjectId>) -> bool {
        let decl = self.ast.decl(id);
        decl.specs.storage.is_none()
            && decl.declarators.iter().enumerate().all(|(i, declarator)| {
                let Some(&object) = self.sema.declared.get(&(id, i)) else { return false };
                set.push(object);
                self.is_own_scalar(object)
                    && declarator.init.is_none_or(|init| match self.ast.init(init).kind {
                        InitKind::Expr(value) => self.note_value(value, reads),
                        InitKind::List(_) => false,
                    })
            })
            && !reads.iter().any(|&read| self.mentions(read, &set.iter().copied().collect()))
    }

    /// Does nothing but its name lead to the variable, so that no address depends on it in secret?
    pub(super) fn is_own_scalar(&self, id: ObjectId) -> bool {
        let object = self.sema.object(id);
        let types = &self.sema.types;
        object.duration == Duration::Automatic
            && !object.address_taken
            && (types.is_arithmetic(object.ty) || types.is_pointer(object.ty))
            && !types.resolve(object.ty).quals.is_volatile
    }

    fn note_value(&self, id: ExprId, reads: &mut Vec<ExprId>) -> bool {
        let is_pointer = self.sema.types.is_pointer(self.sema.expr_type(id));
        if is_pointer && self.is_remote_read(id) && !self.sema.coerce.contains_key(&id) {
            reads.push(id);
            return self.is_pure(id);
        }
        self.note_reads(id, reads)
    }

    /// `id`, an operator on numbers, with the relaxed reads among its operands under way at the
    /// same time; `None` if there are not several.
    pub(super) fn overlapped(&mut self, id: ExprId) -> Option<String> {
        let mut reads = Vec::new();
        if !self.may_be_away() || !self.options.optimise || !self.note_reads(id, &mut reads) {
            return None;
        }
        reads.retain(|read| !self.fetched.contains_key(read));
        if reads.len() < 2 || reads.len() > MAX_READS {
            return None;
        }
        let before = self.begin(&reads);
        let value = self.binary(id);
        let value = value.unwrap_or_else(|| self.span_text(self.ast.expr(id).span).into());
        reads.iter().for_each(|read| _ = self.fetched.remove(read));
        Some(match before.is_empty() {
            true => value,
            false => format!("__extension__ ({{ {before}{value}; }})"),
        })
    }

    /// Declarations after which each of `reads` is fetched, unless all were here.
    fn begin(&mut self, reads: &[ExprId]) -> String {
        let (mut starts, mut at_hand, mut list) = (String::new(), String::new(), Vec::new());
        let (r, all) = (self.fresh("r"), self.fresh("all"));
        let (mut tests, mut copies, mut file) = (Vec::new(), String::new(), String::new());
        for (i, &read) in reads.iter().enumerate() {
            if let Some(&first) = reads[..i].iter().find(|&&first| self.is_repeated(first, read)) {
                self.fetched.insert(read, self.fetched[&first].clone());
                continue;
            }
            let text = match self.find(read) {
                Found::Here(lvalue) => lvalue,
                Found::Anywhere(site) => {
                    let (a, v, h) = (self.fresh("a"), self.fresh("v"), self.fresh("h"));
                    let (name, line) = self.file_and_line(self.ast.expr(read).span.lo);
                    file = name;
                    starts += &format!("{} ", self.start(&site, &a, &v));
                    let (found, copy) = self.at_hand(&site, &a, &v, &h);
                    at_hand += &format!("{found} ");
                    list.push(format!("{{&{v}, {a}, sizeof {v}, {line}}}"));
                    copies += &format!("{copy}, ");
                    tests.push(h);
                    site.in_copy(&v)
                }
            };
            self.fetched.insert(read, text);
        }
        match tests.is_empty() {
            true => String::new(),
            false => format!(
                "{starts}{at_hand}int {all} __attribute__((unused)) = {} ? ({copies}1) : __extension__ \
                 ({{ struct upcr_read {r}[] = {{{}}}; upcr_get_several({r}, {}, {}); 0; }}); ",
                tests.join(" && "),
                list.join(", "),
                list.len(),
                c_string(&file),
            ),
        }
    }

    /// Do two reads without effects, between which there are none, read the same?
    fn is_repeated(&self, first: ExprId, second: ExprId) -> bool {
        let text = |read: ExprId| self.span_text(self.ast.expr(read).span);
        text(first) == text(second)
    }

    /// Collects the reads of shared numbers in `id`; false if it is more than operators on numbers
    /// that may as well be read before it.
    fn note_reads(&self, id: ExprId, reads: &mut Vec<ExprId>) -> bool {
        if self.sema.strict.contains(&id) || self.sema.coerce.contains_key(&id) {
            return false;
        }
        if self.is_remote_read(id) {
            // The checker is told of a part of the record around a bit-field, one at a time.
            if self.options.check && self.sema.flags(id).is_bitfield {
                return false;
            }
            reads.push(id);
            return self.is_pure(id) && self.is_number(id);
        }
        match self.ast.expr(id).kind {
            ExprKind::Paren(inner) => self.note_reads(inner, reads),
            ExprKind::Unary { op: UnaryOp::Plus | UnaryOp::Minus | UnaryOp::BitNot, operand } => {
                self.note_reads(operand, reads)
            }
            ExprKind::Binary { .. } => self.note_operands(id, reads),
            _ => self.is_number(id) && self.is_pure(id),
        }
    }

    /// The same for an operator, which may stand at the end of a long chain of them.
    fn note_operands(&self, id: ExprId, reads: &mut Vec<ExprId>) -> bool {
        use BinaryOp::{LogAnd, LogOr};
        let mut left = id;
        while let ExprKind::Binary { op, lhs, rhs } = self.ast.expr(left).kind {
            let is_fit =
                !self.sema.coerce.contains_key(&left) && self.is_number(lhs) && self.is_number(rhs);
            if !is_fit {
                return false;
            }
            if matches!(op, LogAnd | LogOr) {
                return self.note_condition(lhs, rhs, reads);
            }
            if !self.note_reads(rhs, reads) {
                return false;
            }
            left = lhs;
        }
        self.note_reads(left, reads)
    }

    /// The same for the operands of `&&` or `||`, of which the second reads nothing new.
    fn note_condition(&self, lhs: ExprId, rhs: ExprId, reads: &mut Vec<ExprId>) -> bool {
        let (mut first, mut second) = (Vec::new(), Vec::new());
        let are_noted = self.note_reads(lhs, &mut first) && self.note_reads(rhs, &mut second);
        let is_old = |&read: &ExprId| first.iter().any(|&old| self.is_repeated(old, read));
        let is_fit = are_noted && second.iter().all(is_old);
        reads.extend(first);
        reads.extend(second);
        is_fit
    }

    fn is_number(&self, id: ExprId) -> bool {
        self.sema.types.is_arithmetic(self.sema.expr_type(id))
    }
}
