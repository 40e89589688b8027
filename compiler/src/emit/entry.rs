// SPDX-License-Identifier: BSD-3-Clause
//! Functions that need a UPC thread: they use MYTHREAD or a thread-local object, themselves or in
//! functions of this unit that they call.
//!
//! A thread that the program has made itself, with pthread_create or std::thread, would find
//! zeros there. So those of the functions that another unit or a pointer can call begin with
//! ```c
//! int upcr_checked __attribute__((unused)) = __extension__ ({
//!     if (__builtin_expect(upcr_mythread < 0, 0)) upcr_foreign_thread("f", "a.upc", 3); 0; });
//! ```
//! It is a declaration, so that others may follow in old dialects of C, and no call of an inline
//! function, in which debuggers would stop. Callers are checked too, so that the C compiler sees
//! that a function which it inlines into a loop need not ask again. Under `-nopthreads` there is
//! nothing to check. C without UPC may be linked into a program that has no runtime: it brings weak
//! substitutes for what it names.

use super::Emitter;
use crate::marker::c_string;
use crate::sema::{Linkage, ObjectId, ObjectKind};
use crate::span::Span;
use crate::syntax::ast::{
    Affinity, Ast, ExprId, ExprKind, Function, InitId, Item, StmtId, StmtKind,
};
use crate::syntax::visit;
use rustc_hash::{FxHashMap, FxHashSet};

/// What a translation unit wants of the threads that run it.
#[derive(Debug, Default)]
pub(super) struct Entries {
    /// Functions that begin with a check.
    checked: FxHashSet<ObjectId>,
    /// Some function or initialiser, or a definition, needs to know which UPC thread it is.
    pub(super) needs_thread: bool,
}

/// One function definition.
#[derive(Default)]
struct Node {
    needs_thread: bool,
    is_entry: bool,
    calls: FxHashSet<ObjectId>,
}

/// What headers of the library call of the ABI: it uses MYTHREAD.
const LOCAL: &str = "upcr_local";

/// Weak definitions of what checks name. `upcr_mythread` is const to the unit, so it has another name
/// here.
const FIRST_THREAD: &str = "\
extern _Thread_local int upcr_mythread_cell __asm__(\"upcr_mythread\") \
__attribute__((__visibility__(\"hidden\")));
_Thread_local int upcr_mythread_cell __attribute__((__weak__)) = -1;
static __attribute__((__constructor__)) void upcr_first_thread(void) { upcr_mythread_cell = 0; }
extern int dprintf(int, const char *, ...);
__attribute__((__weak__)) void upcr_foreign_thread(const char *user, const char *file, int line) { \
dprintf(2, \"%s:%d: %s is called in a thread that finds no values in its static variables; compile with \
upcc -pthread\\n\", file, line, user); __builtin_abort(); }
";

/// The same for code of a shared library, which finds the runtime of its program, if there is one.
const FIRST_THREAD_OF_LIBRARY: &str = "\
extern void upcr_check_thread(const char *user, const char *file, int line) __attribute__((__weak__));
static _Thread_local int upcr_is_first;
static __attribute__((__constructor__)) void upcr_first_thread(void) { upcr_is_first = 1; }
extern int dprintf(int, const char *, ...);
static void upcr_check_thread_of_library(const char *user, const char *file, int line) { \
if (upcr_check_thread) upcr_check_thread(user, file, line); else if (!upcr_is_first) { \
dprintf(2, \"%s:%d: %s is called in a thread that finds no values in its static variables; compile with \
upcc -pthread\\n\", file, line, user); __builtin_abort(); } }
";

type Nodes = FxHashMap<ObjectId, Node>;

impl Emitter<'_> {
    /// The functions of the unit, of which those in `Entries` begin with a check.
    pub(super) fn entries(&mut self) -> Entries {
        let mut nodes = Nodes::default();
        let mut pointed = FxHashSet::default();
        let mut at_file_scope = Node::default();
        for item in &self.ast.items {
            match item {
                Item::Function(function) => self.function_node(function, &mut nodes, &mut pointed),
                Item::Declaration(decl) => {
                    for (index, declarator) in self.ast.decl(*decl).declarators.iter().enumerate() {
                        let object = self.sema.declared.get(&(*decl, index)).copied();
                        if let Some(object) = object.filter(|&o| self.sema.object(o).is_defined) {
                            at_file_scope.needs_thread |= self.is_per_thread(object);
                        }
                        let init = declarator.init;
                        init.into_iter().for_each(|i| {
                            self.init_node(i, &mut at_file_scope, &mut pointed);
                        });
                    }
                }
                Item::StaticAssert { .. } | Item::Verbatim(_) => {}
            }
        }
        for object in pointed {
            if let Some(node) = nodes.get_mut(&object) {
                node.is_entry = true;
            }
        }
        spread(&mut nodes);
        let may_check = !self.options.nopthreads;
        Entries {
            needs_thread: at_file_scope.needs_thread || nodes.values().any(|n| n.needs_thread),
            checked: nodes
                .into_iter()
                .filter(|(_, node)| may_check && node.needs_thread && node.is_entry)
                .map(|(object, _)| object)
                .collect(),
        }
    }

    /// For a unit that names the runtime in checks alone: what stands before it, and at its end. A
    /// program without the runtime has one thread that finds initialised objects: the first.
    pub(super) fn substitutes(&self) -> (&'static str, &'static str) {
        if self.options.nopthreads || !self.entries.needs_thread || self.has_upc() {
            return ("", "");
        }
        match self.options.pic {
            true => (FIRST_THREAD_OF_LIBRARY, ""),
            false => ("", FIRST_THREAD),
        }
    }

    /// Does the unit need the runtime anyway?
    pub(super) fn has_upc(&self) -> bool {
        *self.has_upc.get_or_init(|| {
            let types = &self.sema.types;
            self.sema.objects.iter().any(|object| types.mentions_shared(object.ty))
                || self.ast.exprs.iter().any(|e| matches!(e.kind, ExprKind::MyThread))
        })
    }

    fn function_node(
        &mut self,
        function: &Function,
        nodes: &mut Nodes,
        pointed: &mut FxHashSet<ObjectId>,
    ) {
        let Some(info) = self.sema.functions.get(&function.span.lo) else { return };
        let mut node = Node {
            // Of an inline function each unit has its own copy, as of a static one.
            is_entry: self.sema.object(info.object).linkage == Linkage::External
                && !function.specs.is_inline,
            ..Node::default()
        };
        self.stmt_node(function.body, &mut node, nodes, pointed);
        nodes.insert(info.object, node);
    }

    fn stmt_node(
        &mut self,
        body: StmtId,
        node: &mut Node,
        nodes: &mut Nodes,
        pointed: &mut FxHashSet<ObjectId>,
    ) {
        let ast = self.ast;
        let mut inner = Vec::new();
        let mut exprs = Vec::new();
        visit::all_stmts(ast, body, &mut |stmt| match &ast.stmt(stmt).kind {
            StmtKind::Function(function) => inner.push(function),
            StmtKind::UpcForall(forall) => {
                node.needs_thread |= matches!(forall.affinity, Affinity::Expr(_));
            }
            _ => {}
        });
        visit::roots(ast, body, &mut |root| exprs.push(root));
        exprs.into_iter().for_each(|expr| self.expr_node(expr, node, nodes, pointed));
        for function in inner {
            self.function_node(function, nodes, pointed);
            if let Some(info) = self.sema.functions.get(&function.span.lo) {
                node.calls.insert(info.object);
            }
        }
    }

    fn init_node(&mut self, init: InitId, node: &mut Node, pointed: &mut FxHashSet<ObjectId>) {
        let mut exprs = Vec::new();
        visit::in_init(self.ast, init, &mut |e| exprs.push(e));
        let mut nodes = Nodes::default();
        exprs.into_iter().for_each(|e| self.expr_node(e, node, &mut nodes, pointed));
    }

    /// Goes down without recursion: chains of operators are long in generated code.
    fn expr_node(
        &mut self,
        id: ExprId,
        node: &mut Node,
        nodes: &mut Nodes,
        pointed: &mut FxHashSet<ObjectId>,
    ) {
        let ast = self.ast;
        let mut left = vec![id];
        while let Some(id) = left.pop() {
            match &ast.expr(id).kind {
                ExprKind::MyThread => node.needs_thread = true,
                ExprKind::Ident(_) => match self.sema.object_of(id) {
                    Some((object, info)) if info.kind == ObjectKind::Variable => {
                        node.needs_thread |= self.is_per_thread(object);
                    }
                    Some((object, info)) if info.kind == ObjectKind::Function => {
                        pointed.insert(object);
                    }
                    _ => {}
                },
                ExprKind::StmtExpr(body) => self.stmt_node(*body, node, nodes, pointed),
                ExprKind::Call { callee, args } if self.called(ast, *callee).is_some() => {
                    let called = self.called(ast, *callee);
                    let name = called.map_or("", |object| self.name(self.sema.object(object).name));
                    node.needs_thread |= name == LOCAL;
                    node.calls.extend(called);
                    left.extend(args);
                }
                _ => visit::children(ast, id, &mut |child| left.push(child)),
            }
        }
    }

    /// The function that a call names.
    fn called(&self, ast: &Ast, callee: ExprId) -> Option<ObjectId> {
        let (object, info) = self.sema.object_of(ast.strip_parens(callee))?;
        (info.kind == ObjectKind::Function).then_some(object)
    }

    /// Puts the check, if there is to be one, at the begin of the body of `object`.
    pub(super) fn check_entry(&mut self, object: ObjectId, function: &Function) {
        if !self.entries.checked.contains(&object) {
            return;
        }
        let body = self.ast.stmt(function.body);
        let StmtKind::Compound(stmts) = &body.kind else { return };
        // `__label__` comes before all else.
        let labels = stmts.iter().map(|&s| self.ast.stmt(s));
        let last = labels.take_while(|s| matches!(s.kind, StmtKind::Verbatim)).last();
        let place = last.map_or(body.span.lo + 1, |label| label.span.hi);
        let check = self.thread_check(self.name(self.sema.object(object).name), function.span.lo);
        let check = format!(
            " int upcr_checked __attribute__((unused)) = __extension__ ({{ {check} 0; }});"
        );
        self.edit(Span::new(place, place), check);
    }

    /// A statement that ends the job in a thread that is no UPC thread.
    pub(super) fn thread_check(&self, user: &str, offset: u32) -> String {
        let (file, line) = self.file_and_line(offset);
        let (user, file) = (c_string(user), c_string(&file));
        match self.options.pic && !self.has_upc() {
            true => format!("upcr_check_thread_of_library({user}, {file}, {line});"),
            false => format!(
                "if (__builtin_expect(upcr_mythread < 0, 0)) \
                 upcr_foreign_thread({user}, {file}, {line});"
            ),
        }
    }
}

/// Callers need what the functions that they call need.
fn spread(nodes: &mut Nodes) {
    let mut callers: FxHashMap<ObjectId, Vec<ObjectId>> = FxHashMap::default();
    for (&caller, node) in nodes.iter() {
        for &callee in &node.calls {
            callers.entry(callee).or_default().push(caller);
        }
    }
    let mut left: Vec<ObjectId> =
        nodes.iter().filter(|(_, n)| n.needs_thread).map(|(&object, _)| object).collect();
    while let Some(callee) = left.pop() {
        for caller in callers.get(&callee).into_iter().flatten() {
            if let Some(node) = nodes.get_mut(caller).filter(|node| !node.needs_thread) {
                node.needs_thread = true;
                left.push(*caller);
            }
        }
    }
}
