// SPDX-License-Identifier: BSD-3-Clause
//! Which objects can be named at a place of the preprocessed text (C17 §6.2.1).

use crate::index::functions;
use crate::unit::Unit;
use furlong_compiler::sema::ObjectId;
use furlong_compiler::syntax::ast::{DeclId, ForInit, StmtKind};
use furlong_compiler::syntax::intern::Symbol;
use rustc_hash::FxHashSet;

/// Innermost first; what an inner one hides is left out.
pub fn visible(unit: &Unit, offset: u32) -> Vec<ObjectId> {
    let (ast, sema) = (&unit.ast, &unit.sema);
    let mut locals: Vec<(u32, ObjectId)> = Vec::new();
    let mut declare = |decl: DeclId, depth: u32| {
        for n in 0..ast.decl(decl).declarators.len() {
            if let Some(&object) = sema.declared.get(&(decl, n)) {
                if sema.object(object).span.lo < offset {
                    locals.push((depth, object));
                }
            }
        }
    };
    for stmt in &ast.stmts {
        if !(stmt.span.lo < offset && offset <= stmt.span.hi) {
            continue;
        }
        // The later a block begins, the further inside it is.
        let depth = stmt.span.lo;
        match &stmt.kind {
            StmtKind::Compound(stmts) => {
                for &inner in stmts {
                    if let StmtKind::Declaration(decl) = ast.stmt(inner).kind {
                        declare(decl, depth);
                    }
                }
            }
            StmtKind::For(head) => {
                if let ForInit::Declaration(decl) = head.init {
                    declare(decl, depth);
                }
            }
            StmtKind::UpcForall(forall) => {
                if let ForInit::Declaration(decl) = forall.loop_.init {
                    declare(decl, depth);
                }
            }
            _ => {}
        }
    }
    for function in functions(ast) {
        if function.span.lo < offset && offset <= function.span.hi {
            if let Some(info) = sema.functions.get(&function.span.lo) {
                locals.extend(info.params.iter().map(|&param| (function.span.lo, param)));
            }
        }
    }
    locals.sort_by_key(|&(depth, object)| std::cmp::Reverse((depth, object)));
    let at_file_scope = sema.objects.iter().enumerate().filter_map(|(n, object)| {
        (object.at_file_scope && object.span.lo < offset).then_some(ObjectId(n as u32))
    });
    let mut seen: FxHashSet<Symbol> = FxHashSet::default();
    let all = locals.into_iter().map(|(_, object)| object).chain(at_file_scope);
    all.filter(|&object| seen.insert(sema.object(object).name)).collect()
}
