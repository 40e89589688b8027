// SPDX-License-Identifier: BSD-3-Clause
//! Names, types and the rules of UPC 1.3 chapter 6.
//!
//! Only UPC's own constraints are diagnosed. A mistake in plain C gets [`Types::ERROR`] in
//! silence, because the C compiler sees that text too and reports it at the user's line.

mod analyser;
pub mod atomic;
mod call;
mod check;
mod constant;
mod convert;
mod decl;
mod declarator;
mod expr;
mod init;
mod operators;
mod pack;
pub mod pure;
mod record;
mod scope;
mod sizes;
mod specs;
mod stmt;
#[cfg(test)]
mod tests;
pub mod types;

use crate::diag::Diagnostics;
use crate::span::Span;
use crate::syntax::ast::{Ast, DeclId, ExprId, InitId, TypeNameId};
use crate::syntax::intern::Symbol;
use rustc_hash::{FxHashMap, FxHashSet};
use types::{QualType, RecordId, Types};

#[derive(Clone, Copy, Debug, Default)]
pub struct Options {
    /// THREADS of the static environment (`upcc -T=4`); `None` is the dynamic environment.
    pub threads: Option<u32>,
    /// Shared memory may be another host's; not under `-network=smp`.
    pub network: bool,
    /// The pragmas of OpenMP count.
    pub openmp: bool,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
pub struct ObjectId(pub u32);

/// What the later phases may ask about a translation unit.
#[derive(Debug)]
pub struct Sema {
    pub types: Types,
    /// Every declared variable, parameter, function, enumerator and typedef.
    pub objects: Vec<Object>,
    /// By [`ExprId`]: the type before decay and lvalue conversion.
    pub expr_types: Vec<QualType>,
    /// By [`ExprId`].
    pub expr_flags: Vec<ExprFlags>,
    /// The object that an identifier expression names.
    pub expr_object: FxHashMap<ExprId, ObjectId>,
    /// Implicit conversions of the expression's value in which the source or the target is a
    /// pointer-to-shared and their types differ; null pointer constants included.
    pub coerce: FxHashMap<ExprId, QualType>,
    /// Shared lvalues that are accessed strictly: the outermost lvalue of each access.
    pub strict: FxHashSet<ExprId>,
    /// Calls of the C compiler's atomic built-in functions.
    pub atomics: FxHashMap<ExprId, atomic::AtomicCall>,
    /// The association that a `_Generic` selects, if it could be told.
    pub generic_choice: FxHashMap<ExprId, ExprId>,
    /// By [`TypeNameId`].
    pub type_name_types: Vec<QualType>,
    /// The object or typedef that the n-th declarator of a declaration declares.
    pub declared: FxHashMap<(DeclId, usize), ObjectId>,
    /// Function definitions, by `Function::span.lo`.
    pub functions: FxHashMap<u32, FunctionInfo>,
    /// Functions that change nothing.
    pub pure: FxHashSet<ObjectId>,
    /// Words in clauses of OpenMP's that emitted C has other names for.
    pub pragma_names: Vec<(Span, PragmaName)>,
    /// Values of expressions that had to be constant, and of the UPC size operators.
    pub const_values: FxHashMap<ExprId, i128>,
    /// How far the initialisers of shared arrays reach.
    pub reaches: FxHashMap<InitId, Reach>,
    /// Structures and unions, by `RecordSpec::tag_place`.
    pub record_of_spec: FxHashMap<u32, RecordId>,
}

#[derive(Clone, Debug)]
pub struct FunctionInfo {
    pub object: ObjectId,
    pub params: Vec<ObjectId>,
}

/// One more than the greatest index that an array's initialiser has values for.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Reach {
    /// In the outermost dimension.
    pub outermost: u64,
    /// In the dimension of `n * THREADS` elements.
    pub threads: u64,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct ExprFlags {
    pub is_lvalue: bool,
    pub is_bitfield: bool,
    /// A null pointer constant: 0, or 0 cast to `void *`.
    pub is_null_constant: bool,
    /// An integer constant expression.
    pub is_constant: bool,
}

#[derive(Clone, Debug)]
pub struct Object {
    pub name: Symbol,
    pub ty: QualType,
    pub kind: ObjectKind,
    pub linkage: Linkage,
    pub duration: Duration,
    pub at_file_scope: bool,
    /// Has external linkage, and a header of the system declares it: C's, one for each process.
    pub is_librarys: bool,
    /// Declared `__attribute__((weak))`: it may be missing.
    pub is_weak: bool,
    /// The asm label, by which the linker knows the object.
    pub label: Option<Span>,
    /// Of its name at the first declaration.
    pub span: Span,
    pub is_defined: bool,
    pub has_init: bool,
    /// Assigned, incremented or decremented by name somewhere.
    pub is_assigned: bool,
    pub address_taken: bool,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ObjectKind {
    Variable,
    Parameter,
    Function,
    Enumerator(i128),
    Typedef,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Linkage {
    None,
    Internal,
    External,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Duration {
    Automatic,
    Static,
    /// `_Thread_local` or `__thread`, written by the user.
    ThreadLocal,
}

impl Sema {
    pub fn expr_type(&self, id: ExprId) -> QualType {
        self.expr_types[id.0 as usize]
    }

    pub fn flags(&self, id: ExprId) -> ExprFlags {
        self.expr_flags[id.0 as usize]
    }

    pub fn type_of_name(&self, id: TypeNameId) -> QualType {
        self.type_name_types[id.0 as usize]
    }

    pub fn object(&self, id: ObjectId) -> &Object {
        &self.objects[id.0 as usize]
    }

    /// The object that `id` names, if it is an identifier.
    pub fn object_of(&self, id: ExprId) -> Option<(ObjectId, &Object)> {
        let object = *self.expr_object.get(&id)?;
        Some((object, self.object(object)))
    }
}

/// A word in a clause of OpenMP's that has another name in emitted C.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum PragmaName {
    MyThread,
    Threads,
    Shared(ObjectId),
}

/// Names, types and checks of a whole translation unit. `text` is what `ast` was parsed from.
pub fn analyse(ast: &Ast, text: &str, options: &Options) -> (Sema, Diagnostics) {
    analyser::Analyser::new(ast, text, options).run()
}
