// SPDX-License-Identifier: BSD-3-Clause
//! Calls of accessors in loops, replaced by what the function says: the loop then sees the access, and
//! walks along the array.
//!
//! ```c
//! static inline void set(int i, int j, double v) { u[i][j] = v; }
//! for (j = 0; j < N; j++) set(i, j, 0);                // u[(i)][(j)] = ((double)(0));
//! ```
//! The result is text, to be understood as if the user had written macros. A call stays where an argument
//! would be evaluated more often, less often or in another order than by the call, and where a name means
//! something else than in the function.

use super::accessor::{Accessors, Bound};
use super::rewrite::{on_one_line, Rewritten};
use crate::sema::pure::written_place;
use crate::sema::types::{QualType, Quals, Type, Types};
use crate::sema::{ObjectId, Sema};
use crate::span::Span;
use crate::syntax::ast::{Ast, ExprId, ExprKind, ForInit, Function, StmtId, StmtKind, Storage};
use crate::syntax::visit;
use rustc_hash::{FxHashMap, FxHashSet};

/// Of what stands for a call: calls in arguments of calls multiply.
const MAX_BYTES: usize = 2000;

/// `text` with such calls replaced, if it has any.
pub fn expand(ast: &Ast, sema: &Sema, text: &str) -> Option<Rewritten> {
    let accessors = Accessors::of(ast, sema, text);
    if accessors.is_empty() {
        return None;
    }
    let (mut edits, mut expanded) = (Vec::new(), FxHashSet::default());
    for function in ast.functions() {
        let mut caller = Caller::new(ast, sema, text, &accessors, function);
        caller.function(function, &mut edits);
        expanded.extend(caller.expanded);
    }
    if edits.is_empty() {
        return None;
    }
    for object in expanded {
        let specs = &accessors.get(object).function.specs;
        if let (false, Some((Storage::Static, span))) = (specs.is_inline, specs.storage) {
            // C shall not say that nobody calls it.
            edits.push((Span::new(span.lo, span.lo), "__attribute__((unused)) ".into()));
        }
    }
    Some(Rewritten::new(text, edits))
}

/// What becomes of an expression's value.
#[derive(Clone, Copy, PartialEq, Debug)]
enum Value {
    Used,
    Unused,
    /// The expression is a statement.
    Statement,
}

/// A function whose calls are replaced.
struct Caller<'a> {
    ast: &'a Ast,
    sema: &'a Sema,
    text: &'a str,
    accessors: &'a Accessors<'a>,
    /// Names that it declares.
    locals: FxHashSet<&'a str>,
    /// Those of variables that the expression at hand writes.
    written: FxHashSet<&'a str>,
    expanded: FxHashSet<ObjectId>,
}

impl<'a> Caller<'a> {
    fn new(
        ast: &'a Ast,
        sema: &'a Sema,
        text: &'a str,
        accessors: &'a Accessors<'a>,
        function: &Function,
    ) -> Caller<'a> {
        let is_here = |span: Span| function.span.lo <= span.lo && span.hi <= function.span.hi;
        let locals = sema.objects.iter().filter(|o| !o.at_file_scope && is_here(o.span));
        let locals = locals.map(|object| ast.names.name(object.name)).collect();
        let (written, expanded) = (FxHashSet::default(), FxHashSet::default());
        Caller { ast, sema, text, accessors, locals, written, expanded }
    }

    fn function(&mut self, function: &Function, edits: &mut Vec<(Span, String)>) {
        let ast = self.ast;
        let (mut loops, mut roots_of) = (Vec::<StmtId>::new(), FxHashMap::default());
        visit::all_stmts(ast, function.body, &mut |id| {
            let head = match &ast.stmt(id).kind {
                StmtKind::For(head) => Some(head.as_ref()),
                StmtKind::UpcForall(forall) => Some(&forall.loop_),
                StmtKind::While { .. } | StmtKind::DoWhile { .. } => None,
                StmtKind::Expr(e) => {
                    roots_of.insert(*e, Value::Statement);
                    return;
                }
                _ => return,
            };
            if let Some(head) = head {
                roots_of.extend(head.step.map(|step| (step, Value::Unused)));
                if let ForInit::Expr(init) = head.init {
                    roots_of.insert(init, Value::Unused);
                }
            }
            let outer = loops.last().map_or(0, |&last| ast.stmt(last).span.hi);
            if ast.stmt(id).span.lo >= outer {
                loops.push(id);
            }
        });
        for id in loops {
            let mut roots = Vec::new();
            visit::roots(ast, id, &mut |root| roots.push(root));
            for root in roots {
                let value = roots_of.get(&root).copied().unwrap_or(Value::Used);
                self.written = self.names_written(root);
                self.replace(root, value, &Bound::default(), edits);
            }
        }
    }

    /// Variables that `root` writes: what it reads of them is as it was before, or after, by a call alone.
    fn names_written(&self, root: ExprId) -> FxHashSet<&'a str> {
        let (ast, mut names) = (self.ast, FxHashSet::default());
        visit::all_in_expr(ast, root, &mut |e| {
            let place = written_place(ast, e).map(|place| &ast.expr(ast.strip_parens(place)).kind);
            if let Some(&ExprKind::Ident(name)) = place {
                names.insert(ast.names.name(name));
            }
        });
        names
    }

    /// Replaces calls in `id`, and the parameters that are `bound`.
    fn replace(
        &mut self,
        id: ExprId,
        value: Value,
        bound: &Bound<String>,
        edits: &mut Vec<(Span, String)>,
    ) {
        let ast = self.ast;
        let span = ast.expr(id).span;
        let argument = self.sema.object_of(id).and_then(|(object, _)| bound.get(&object));
        if let Some((argument, _)) = argument {
            edits.push((span, argument.clone()));
            return;
        }
        match ast.expr(id).kind {
            // Types and sizes are those of values there.
            ExprKind::SizeOf { .. } | ExprKind::Generic { .. } | ExprKind::StmtExpr(_) => return,
            ExprKind::Call { .. } => {
                if let Some(text) = self.expansion(id, value, bound) {
                    edits.push((span, text));
                    return;
                }
            }
            ExprKind::Comma { lhs, rhs } => {
                self.replace(lhs, Value::Unused, bound, edits);
                let last = if value == Value::Used { value } else { Value::Unused };
                return self.replace(rhs, last, bound, edits);
            }
            ExprKind::Paren(inner) => {
                let inside = if value == Value::Used { value } else { Value::Unused };
                return self.replace(inner, inside, bound, edits);
            }
            _ => {}
        }
        visit::children(ast, id, &mut |child| self.replace(child, Value::Used, bound, edits));
    }

    /// What stands for a call.
    fn expansion(&mut self, id: ExprId, value: Value, bound: &Bound<String>) -> Option<String> {
        let (ast, accessors) = (self.ast, self.accessors);
        let ExprKind::Call { callee, args } = &ast.expr(id).kind else { return None };
        let (object, accessor) = accessors.called(*callee)?;
        let span = ast.expr(id).span;
        // C would warn of a value that nobody uses.
        let wanted = if accessor.is_store { Value::Statement } else { Value::Used };
        let is_fit = value == wanted
            && args.len() == accessor.params.len()
            && accessor.function.span.hi <= span.lo
            && accessor.names.is_disjoint(&self.locals)
            && accessor.names.is_disjoint(&self.written)
            && !span.text(self.text).contains("\n#");
        if !is_fit {
            return None;
        }
        let mut arguments = Bound::default();
        for (&arg, param) in args.iter().zip(accessor.params) {
            let class = accessors.class(arg, bound);
            if class > accessor.uses[param] {
                return None;
            }
            let text = self.rendered(arg, bound);
            let text = self.converted(&text, arg, self.sema.object(*param).ty)?;
            arguments.insert(*param, (text, class));
        }
        let value = self.rendered(accessor.value, &arguments);
        let text = match accessor.is_store {
            true => value,
            false => self.converted(&value, accessor.value, accessor.returns)?,
        };
        let is_short = text.len() <= MAX_BYTES;
        self.expanded.extend(is_short.then_some(object));
        is_short.then_some(text)
    }

    /// `id` on one line.
    fn rendered(&mut self, id: ExprId, bound: &Bound<String>) -> String {
        let mut edits = Vec::new();
        let value = Value::Used;
        self.replace(id, value, bound, &mut edits);
        let span = self.ast.expr(id).span;
        on_one_line(self.text, span, edits)
    }

    /// `text`, which is the value of `from`, as one of type `to`, if a cast can say so.
    fn converted(&self, text: &str, from: ExprId, to: QualType) -> Option<String> {
        let types = &self.sema.types;
        let source = types.resolve(self.sema.expr_type(from));
        let target: QualType = types.resolve(to).ty.into();
        if self.sema.coerce.contains_key(&from) {
            return None;
        }
        if types.is_arithmetic(source) && types.is_arithmetic(target) {
            if source.ty == target.ty && !self.sema.flags(from).is_bitfield {
                return Some(format!("({text})"));
            }
            let name = types.display(&self.ast.names, target);
            let is_builtin = matches!(types.kind(target), Type::Builtin(_));
            return is_builtin.then(|| format!("(({name})({text}))"));
        }
        let (own, other) = (types.decayed_pointee(source)?, types.pointee(target)?);
        let is_name = self.sema.object_of(self.ast.strip_parens(from)).is_some();
        // The subscripts of an array are known to be within it; those of a pointer are not.
        match (types.is_array(source), types.is_array(other)) {
            _ if !is_same_but_const(types, own, other) => None,
            (true, false) => Some(format!("(&({text})[0])")),
            (false, false) => Some(format!("({text})")),
            (is_array, true) => (!is_array && is_name).then(|| format!("({text})")),
        }
    }
}

fn is_same_but_const(types: &Types, a: QualType, b: QualType) -> bool {
    let bare = |ty| {
        let ty = types.resolve(ty);
        QualType { quals: Quals { is_const: false, ..ty.quals }, ..ty }
    };
    bare(a) == bare(b)
}
