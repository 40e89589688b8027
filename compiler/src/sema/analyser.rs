// SPDX-License-Identifier: BSD-3-Clause
//! What the walk over a translation unit carries along, and the walk over its items.

use super::check::DomainCall;
use super::pack::Packs;
use super::pure;
use super::scope::Scopes;
use super::types::{QualType, Type, Types};
use super::{ExprFlags, FunctionInfo, Object, ObjectId, Options, Reach, Sema};
use crate::diag::{Diagnostic, Diagnostics};
use crate::syntax::ast::*;
use crate::syntax::intern::Symbol;
use rustc_hash::{FxHashMap, FxHashSet};

pub(super) struct Analyser<'a> {
    pub(super) ast: &'a Ast,
    pub(super) text: &'a str,
    pub(super) sema: Sema,
    /// Shared memory may be another host's.
    pub(super) network: bool,
    pub(super) diags: Diagnostics,
    pub(super) scopes: Scopes,
    /// Objects with linkage, by name: block-scope `extern` declarations mean these.
    pub(super) linked: FxHashMap<Symbol, ObjectId>,
    /// By [`ExprId`]: has it been typed?
    pub(super) typed: Vec<bool>,
    /// Widths of bit-field expressions: they decide how the value is promoted.
    pub(super) bit_widths: FxHashMap<ExprId, u64>,
    /// What `#pragma upc` says here.
    pub(super) consistency: Consistency,
    /// The pragmas of OpenMP count.
    pub(super) openmp: bool,
    /// The statement behind `#pragma omp atomic` that is being walked.
    pub(super) pragma_atomic: Option<StmtId>,
    /// In the type of a parameter.
    pub(super) in_parameter: bool,
    pub(super) function: Option<CurrentFunction>,
    pub(super) known: Known,
    pub(super) packs: Packs,
    /// Of the initialiser that is being typed.
    pub(super) reach: Reach,
    /// Headers of the UPC library that were said to be missing.
    pub(super) missing_headers: Vec<&'static str>,
    /// Undeclared names about which something was said.
    pub(super) misspelt: FxHashSet<Symbol>,
    /// Atomic operations by `<upc_atomic.h>`.
    pub(super) domain_calls: Vec<DomainCall>,
    /// Variables that hold MYTHREAD, as far as the analysis has come.
    pub(super) thread_numbers: FxHashSet<ObjectId>,
    /// In the initialiser of an object with static storage.
    pub(super) in_static_initialiser: bool,
    /// The values of integers that are declared `constexpr`.
    pub(super) constants: FxHashMap<ObjectId, i128>,
    /// Stack for walking down left-deep expressions.
    pub(super) spine: Vec<ExprId>,
}

/// The function whose body is being walked.
#[derive(Clone, Copy)]
pub(super) struct CurrentFunction {
    pub(super) name: Symbol,
    pub(super) ret: QualType,
    /// Objects before this one are declared outside of it.
    pub(super) first_object: u32,
}

/// Attribute names that change types.
pub(super) struct Known {
    pub(super) packed: Option<Symbol>,
    pub(super) aligned: Option<Symbol>,
    pub(super) mode: Option<Symbol>,
    pub(super) vector_size: Option<Symbol>,
}

impl<'a> Analyser<'a> {
    pub(super) fn new(ast: &'a Ast, text: &'a str, options: &Options) -> Analyser<'a> {
        let sema = Sema {
            types: Types::new(&ast.names, options.threads, ast.target),
            objects: Vec::new(),
            expr_types: vec![Types::ERROR; ast.exprs.len()],
            expr_flags: vec![ExprFlags::default(); ast.exprs.len()],
            expr_object: FxHashMap::default(),
            coerce: FxHashMap::default(),
            strict: FxHashSet::default(),
            atomics: FxHashMap::default(),
            generic_choice: FxHashMap::default(),
            type_name_types: vec![Types::ERROR; ast.type_names.len()],
            declared: FxHashMap::default(),
            functions: FxHashMap::default(),
            pure: FxHashSet::default(),
            pragma_names: Vec::new(),
            const_values: FxHashMap::default(),
            reaches: FxHashMap::default(),
            record_of_spec: FxHashMap::default(),
        };
        Analyser {
            ast,
            text,
            sema,
            network: options.network,
            diags: Diagnostics::default(),
            scopes: Scopes::new(),
            linked: FxHashMap::default(),
            typed: vec![false; ast.exprs.len()],
            bit_widths: FxHashMap::default(),
            consistency: Consistency::Relaxed,
            in_parameter: false,
            function: None,
            known: Known {
                packed: ast.names.get("packed"),
                aligned: ast.names.get("aligned"),
                mode: ast.names.get("mode"),
                vector_size: ast.names.get("vector_size"),
            },
            packs: Packs::find(text),
            openmp: options.openmp,
            pragma_atomic: None,
            reach: Reach::default(),
            missing_headers: Vec::new(),
            misspelt: FxHashSet::default(),
            domain_calls: Vec::new(),
            thread_numbers: FxHashSet::default(),
            in_static_initialiser: false,
            constants: FxHashMap::default(),
            spine: Vec::new(),
        }
    }

    pub(super) fn run(mut self) -> (Sema, Diagnostics) {
        let ast = self.ast;
        let mut pragmas = ast.file_pragmas.iter().peekable();
        for item in &ast.items {
            let start = match item {
                Item::Declaration(id) => ast.decl(*id).span.lo,
                Item::Function(function) => function.span.lo,
                Item::StaticAssert { span, .. } | Item::Verbatim(span) => span.lo,
            };
            while let Some((_, consistency)) = pragmas.next_if(|(span, _)| span.lo < start) {
                self.consistency = *consistency;
            }
            match item {
                Item::Declaration(id) => self.declaration(*id),
                Item::Function(function) => self.function(function),
                Item::StaticAssert { condition, .. } => {
                    self.required_constant(*condition, "a static assertion");
                }
                Item::Verbatim(_) => {}
            }
        }
        self.check_complete_objects();
        self.check_domains();
        self.sema.pure = pure::functions(ast, &self.sema, self.text);
        (self.sema, self.diags)
    }

    /// A function definition, at file scope or nested (GNU).
    pub(super) fn function(&mut self, function: &Function) {
        let depth = self.scopes.depth();
        let first_object = self.sema.objects.len() as u32;
        let (object, params) = self.function_head(function);
        let object_ty = object.map_or(Types::ERROR, |id| self.sema.object(id).ty);
        let ret = match self.sema.types.kind(object_ty) {
            Type::Function(f) => f.ret,
            _ => Types::ERROR,
        };
        let name = function.declarator.name.map_or(Symbol(0), |n| n.name);
        let outer = self.function.replace(CurrentFunction { name, ret, first_object });
        let consistency = self.consistency;
        self.stmt(function.body);
        if self.name(name) == "main" {
            self.check_first_phase(function.body);
        }
        self.check_own_copies(function.body);
        self.check_values_of_one(function.body);
        self.check_missing_affinities(function.body);
        self.check_jumps_into_foralls(function.body);
        self.check_own_allocations(function.body);
        self.check_foreign_pointers(function.body);
        self.consistency = consistency;
        self.function = outer;
        while self.scopes.depth() > depth {
            self.scopes.leave();
        }
        if let Some(object) = object {
            self.sema.functions.insert(function.span.lo, FunctionInfo { object, params });
        }
    }

    pub(super) fn error(&mut self, diagnostic: Diagnostic) {
        self.diags.push(diagnostic);
    }

    pub(super) fn types(&self) -> &Types {
        &self.sema.types
    }

    pub(super) fn name(&self, symbol: Symbol) -> &'a str {
        self.ast.names.name(symbol)
    }

    /// A type in the user's syntax.
    pub(super) fn show(&self, ty: QualType) -> String {
        self.sema.types.display(&self.ast.names, ty)
    }

    pub(super) fn add_object(&mut self, object: Object) -> ObjectId {
        self.sema.objects.push(object);
        ObjectId(self.sema.objects.len() as u32 - 1)
    }

    /// Is the static THREADS unknown?
    pub(super) fn is_dynamic(&self) -> bool {
        self.sema.types.threads.is_none()
    }
}
