// SPDX-License-Identifier: BSD-3-Clause
//! Tree to C: the user's preprocessed text with the places that UPC touches rewritten.
//!
//! Whatever UPC does not touch is copied byte for byte. The output needs no preprocessor
//! (`cc -x cpp-output`), so it uses no macros; what it calls is in `furlong/upcr.h`, whose text
//! stands at its head. Emission never fails and diagnoses nothing: a program that reaches it has
//! passed `sema`, and mistakes in plain C are left for the C compiler to report.
//!
//! Expressions are functions from a node to its new text, `None` meaning "as it stands"; what is
//! larger than an expression records [`text::Edit`]s.

mod access;
mod atomic;
mod blocks;
mod body;
mod bulk;
mod column;
mod convert;
mod counts;
mod ctype;
mod debug;
mod decl;
mod entry;
mod expr;
mod flat;
mod fold;
mod forall;
mod function;
mod home;
mod induction;
mod initialiser;
mod inspect;
mod inst;
mod last_block;
mod length;
mod named;
mod object;
mod operators;
mod overlap;
mod own;
mod parts;
mod place;
mod prelude;
mod private;
mod range;
mod remarks;
mod remote;
mod row;
mod run;
mod size;
mod split;
mod standing;
mod stmt;
mod subscript;
mod sweep;
#[cfg(test)]
mod tests;
mod text;
mod unroll;
mod update;
mod version;
mod walk;

use crate::marker::{c_string, marker_at};
use crate::opt::canonical;
use crate::opt::fences::Fences;
use crate::sema::types::RecordId;
use crate::sema::{ObjectId, Sema};
use crate::span::Span;
use crate::syntax::ast::{Ast, ExprId, Item, StmtId};
pub use inst::{checked, instrumented, Inst};
pub use prelude::{abi_version, max_threads};
use rustc_hash::{FxBuildHasher, FxHashMap, FxHashSet};
use std::cell::OnceCell;
use std::collections::{BTreeMap, BTreeSet};
use std::hash::BuildHasher;
use text::Edit;

#[derive(Clone, Debug, Default)]
pub struct EmitOptions {
    /// THREADS of the static environment.
    pub threads: Option<u32>,
    /// The source file's name, for messages at run time.
    pub file: String,
    /// Distribute loops by their affinity (`opt`), rather than testing every iteration.
    pub optimise: bool,
    /// The runtime is to look for misuse of the library that costs time to detect, and debuggers
    /// are told of shared types.
    pub debug: bool,
    /// Shared memory may be another host's.
    pub network: bool,
    /// What performance tools hear of; then `network` holds.
    pub inst: Inst,
    /// The checker hears of all accesses; then `inst` is `All`.
    pub check: bool,
    /// A process has one UPC thread: private objects are not thread-local.
    pub nopthreads: bool,
    /// Tentative definitions of an object in several units are one object (`-fcommon`).
    pub common: bool,
    /// The code may become part of a shared library (`-fPIC`), which cannot name the runtime.
    pub pic: bool,
    /// The assembler may see the code of several units as one (`-flto`).
    pub lto: bool,
}

/// The C text of a translation unit, and what is to be said of its loops, each at its offset.
pub fn emit(
    ast: &Ast,
    text: &str,
    sema: &Sema,
    options: &EmitOptions,
) -> (String, Vec<(u32, String)>) {
    let mut emitter = Emitter::new(ast, text, sema, options);
    emitter.entries = emitter.entries();
    for (span, _) in &ast.file_pragmas {
        emitter.edit(*span, "");
    }
    for item in &ast.items {
        emitter.item(item);
    }
    let remarks = std::mem::take(&mut emitter.remarks).into_list();
    (emitter.finish(), remarks)
}

pub(crate) struct Emitter<'a> {
    pub(crate) ast: &'a Ast,
    pub(crate) source: &'a str,
    pub(crate) sema: &'a Sema,
    options: &'a EmitOptions,
    /// The end of names of this unit's own, which the assembler may see beside other units'.
    of_unit: String,
    fences: Fences,
    /// Loops that stay as they are written.
    canonical: FxHashSet<StmtId>,
    edits: Vec<Edit>,
    folds: fold::Folds,
    /// Text for the end of the translation unit, where every type is complete.
    tail: String,
    /// Assembler text that defines the cells of shared objects.
    cells: String,
    cells_done: FxHashSet<ObjectId>,
    /// Shared objects defined at file scope so far.
    to_define: Vec<ObjectId>,
    /// Alignments asked for beyond that of the type.
    alignments: FxHashMap<ObjectId, Vec<String>>,
    /// Definitions of the types that only debuggers need, by name.
    debug_types: BTreeMap<String, String>,
    fresh: u32,
    /// Untagged records that a printed type has to name.
    tagged: FxHashSet<RecordId>,
    /// The declarator that initialises a private static object.
    inits: FxHashMap<ObjectId, initialiser::StaticInit>,
    copies: FxHashMap<ObjectId, private::Copies>,
    /// Private objects of which the linker decides, used so far.
    found: BTreeSet<ObjectId>,
    entries: entry::Entries,
    has_upc: OnceCell<bool>,
    /// The names of lengths that are known only at run time.
    lengths: FxHashMap<ExprId, String>,
    /// The statement whose value is that of a statement expression.
    value_stmt: Option<StmtId>,
    /// The `upc_forall` that is being emitted in its distributed form.
    split: Option<split::Split>,
    /// Of loops inside it whose bounds are constants: the values of their indices.
    index_values: FxHashMap<ObjectId, std::ops::Range<i64>>,
    /// Inside a `upc_forall` that distributes its iterations: inner ones do not (§6.6.2p11).
    in_forall: bool,
    /// Emitting a function that runs once per thread in place of a static initialiser.
    in_thread_init: bool,
    /// Printing the types of parameters without their names.
    in_prototype: bool,
    checks: version::Checks,
    /// Accesses emitted so far that ask where they go.
    n_checked: u32,
    /// Places whose accesses a report counts.
    n_counts: u32,
    /// Those of the loop that is being emitted as counted.
    counts: Vec<counts::Counts>,
    samples: counts::Samples,
    /// The variable that the lvalue being found is to give the number of its thread to.
    home: Option<String>,
    /// Elements found so far by subscripts that the C compiler has to divide.
    n_found: u32,
    assumed: Option<home::Assumed>,
    watch: Option<home::Watch>,
    /// Of the outermost loop that is being emitted.
    last_blocks: Option<last_block::LastBlocks>,
    /// Accesses that need not go elsewhere any more: what they would find there is in these lvalues.
    fetched: FxHashMap<ExprId, String>,
    /// Accesses that the checker has heard of.
    swept: FxHashSet<ExprId>,
    /// Subscripts that it looks at, and the lengths of their dimensions.
    bounded: FxHashMap<ExprId, String>,
    remarks: remarks::Remarks,
    /// The innermost loop that is being emitted.
    loop_: Option<StmtId>,
    /// The loop around what is being emitted.
    outer_loop: Option<StmtId>,
    /// Writing a further copy of the user's text: C shall not repeat its warnings.
    is_quiet: bool,
    pub(crate) names_of_interest: Names,
}

/// Numbers of the names with a meaning of their own, if they occur at all.
pub(crate) struct Names {
    queries: FxHashMap<crate::syntax::intern::Symbol, expr::Query>,
    main: Option<crate::syntax::intern::Symbol>,
}

impl<'a> Emitter<'a> {
    fn new(ast: &'a Ast, source: &'a str, sema: &'a Sema, options: &'a EmitOptions) -> Emitter<'a> {
        let canonical = canonical::loops(ast, source);
        Emitter {
            ast,
            source,
            sema,
            options,
            of_unit: match options.lto {
                true => format!("_{:016x}", FxBuildHasher.hash_one(source)),
                false => String::new(),
            },
            fences: Fences::of(ast, sema, &canonical),
            canonical,
            edits: Vec::new(),
            folds: fold::Folds::default(),
            tail: String::new(),
            cells: String::new(),
            cells_done: FxHashSet::default(),
            to_define: Vec::new(),
            alignments: FxHashMap::default(),
            debug_types: BTreeMap::new(),
            fresh: 0,
            tagged: ctype::records_to_tag(sema),
            inits: initialiser::collect(ast, sema),
            copies: FxHashMap::default(),
            found: BTreeSet::new(),
            entries: entry::Entries::default(),
            has_upc: OnceCell::new(),
            lengths: FxHashMap::default(),
            value_stmt: None,
            split: None,
            index_values: FxHashMap::default(),
            in_forall: false,
            in_thread_init: false,
            in_prototype: false,
            checks: version::Checks::None,
            n_checked: 0,
            n_counts: 0,
            counts: Vec::new(),
            samples: counts::Samples::default(),
            home: None,
            n_found: 0,
            assumed: None,
            watch: None,
            last_blocks: None,
            fetched: FxHashMap::default(),
            swept: FxHashSet::default(),
            bounded: FxHashMap::default(),
            remarks: remarks::Remarks::default(),
            loop_: None,
            outer_loop: None,
            is_quiet: false,
            names_of_interest: Names {
                queries: expr::Query::names(&ast.names),
                main: ast.names.get("main"),
            },
        }
    }

    fn item(&mut self, item: &Item) {
        match item {
            Item::Declaration(id) => self.declaration(*id, decl::Scope::File),
            Item::Function(function) => self.function(function),
            Item::StaticAssert { condition, .. } => self.edit_value(*condition),
            Item::Verbatim(_) => {}
        }
    }

    fn finish(mut self) -> String {
        let whole = Span::new(0, self.source.len() as u32);
        self.finish_objects();
        let body = text::splice(self.source, whole, &mut self.edits, &self.ast.lines, false);
        let (before, after) = self.linked_objects();
        let (declared, substitutes) = self.substitutes();
        let constructors = self.constructors();
        let mut out = prelude::head(self.options, self.n_counts, self.samples.n);
        out += declared;
        out += &before;
        out.extend(self.debug_types.into_values());
        if !body.starts_with('#') {
            out += &format!("# 1 {}\n", c_string(&self.options.file));
        }
        out += &text::with_nested_markers(&body);
        if !out.ends_with('\n') {
            out.push('\n');
        }
        out += "# 1 \"<furlong>\" 3\n";
        out += &self.tail;
        out += &after;
        out += &constructors;
        out += substitutes;
        out += &prelude::cells(&self.cells);
        out += &prelude::unit(self.options, self.entries.needs_thread);
        self.folds.unfold(out)
    }

    /// MYTHREAD.
    pub(crate) fn mythread(&self) -> &'static str {
        match self.options.nopthreads {
            true => "upcr_job.mythread",
            false => "upcr_mythread",
        }
    }

    pub(crate) fn static_threads(&self) -> Option<u64> {
        self.options.threads.map(|n| u64::from(n).max(1))
    }

    /// A name that no user's name can equal.
    pub(crate) fn fresh(&mut self, what: &str) -> String {
        self.fresh += 1;
        format!("upcr_{what}{}", self.fresh)
    }

    pub(crate) fn span_text(&self, span: Span) -> &'a str {
        span.text(self.source)
    }

    fn name(&self, symbol: crate::syntax::intern::Symbol) -> &'a str {
        self.ast.names.name(symbol)
    }

    fn edit(&mut self, span: Span, text: impl Into<String>) {
        // Edits count the lines of their texts.
        let text = self.folds.unfold(text.into());
        self.edits.push(Edit { span, text });
    }

    /// Rewrites an expression in place, if UPC touches it.
    fn edit_value(&mut self, id: ExprId) {
        if let Some(text) = self.value(id) {
            self.edit(self.ast.expr(id).span, text);
        }
    }

    /// The text of `span` with the edits that `f` records inside it, which go no further;
    /// `None` if there are none.
    fn capture(&mut self, span: Span, f: impl FnOnce(&mut Self)) -> Option<String> {
        let outer = std::mem::take(&mut self.edits);
        f(self);
        let mut inner = std::mem::replace(&mut self.edits, outer);
        if inner.is_empty() {
            return None;
        }
        Some(text::splice(self.source, span, &mut inner, &self.ast.lines, self.is_quiet))
    }

    /// As [`Self::capture`], with the source text where there is nothing to change.
    pub(crate) fn captured(&mut self, span: Span, f: impl FnOnce(&mut Self)) -> String {
        self.capture(span, f).unwrap_or_else(|| self.span_text(span).to_string())
    }

    /// What `f` writes is a further copy of text that C warns of elsewhere.
    fn quietly<R>(&mut self, f: impl FnOnce(&mut Self) -> R) -> R {
        let outer = std::mem::replace(&mut self.is_quiet, true);
        let result = f(self);
        self.is_quiet = outer;
        result
    }

    /// A line marker for what follows, which stands at `offset` of the source.
    fn marker(&self, offset: u32) -> String {
        marker_at(offset, &self.ast.lines, self.is_quiet)
    }

    /// As [`Self::marker`], for a further copy.
    fn quiet_marker(&self, offset: u32) -> String {
        marker_at(offset, &self.ast.lines, true)
    }
}
