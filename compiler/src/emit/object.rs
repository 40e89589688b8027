// SPDX-License-Identifier: BSD-3-Clause
//! Static shared objects: a cell that holds the address of element 0, and a descriptor from
//! which the runtime makes room for the object and fills the cell.
//!
//! C sees the cell as a constant that is defined elsewhere, so it may keep it in a register
//! across any store; the assembler defines it, writable, behind C's back. Cells are weak, so
//! tentative definitions in several translation units make one object.

use super::text::listed;
use super::Emitter;
use crate::marker::c_string;
use crate::sema::types::{ArrayLen, QualType};
use crate::sema::{Duration, Linkage, Object, ObjectId, ObjectKind};
use crate::syntax::ast::{DeclSpecs, ExprOrType, InitDeclarator, InitId};

impl Emitter<'_> {
    /// Does `id` live in shared memory?
    pub(super) fn is_shared_object(&self, id: ObjectId) -> bool {
        let object = self.sema.object(id);
        object.kind == ObjectKind::Variable
            && object.duration != Duration::Automatic
            && self.sema.types.is_shared(object.ty)
    }

    /// The C name of the pointer to element 0.
    pub(super) fn cell_name(&self, id: ObjectId) -> String {
        let object = self.sema.object(id);
        let name = self.name(object.name);
        match object.linkage {
            Linkage::None => format!("upcr_in_{name}_{}{}", id.0, self.of_unit),
            Linkage::Internal => format!("upcr_at_{name}{}", self.of_unit),
            Linkage::External => format!("upcr_at_{name}"),
        }
    }

    /// An array of cyclic or blocked layout is only ever addressed by element.
    fn is_distributed(&self, ty: QualType) -> bool {
        let types = &self.sema.types;
        types.is_array(ty) && types.block(ty).is_some_and(|b| b != 0)
    }

    /// Declares the cell of `id`, in any scope.
    pub(super) fn declare_cell(&mut self, id: ObjectId) -> String {
        let ty = self.sema.object(id).ty;
        let name = self.cell_name(id);
        let declared = if self.is_distributed(ty) {
            format!("void *const {name}")
        } else {
            self.c_pointer_named(ty, &format!("*const {name}"))
        };
        format!("extern {declared} __attribute__((visibility(\"hidden\")));")
    }

    /// Defines `id`: its cell, and the descriptor as C text for the place of its declaration or
    /// the end of the unit.
    pub(super) fn define_object(&mut self, id: ObjectId) -> String {
        if !self.cells_done.insert(id) {
            return String::new();
        }
        let object: &Object = self.sema.object(id);
        let (ty, cell) = (object.ty, self.cell_name(id));
        let name = c_string(self.name(object.name));
        let binding = match object.linkage {
            Linkage::External => format!("\\t.weak {cell}\\n\\t.hidden {cell}\\n"),
            _ => String::new(),
        };
        self.cells += &format!("\"{binding}{cell}:\\n\\t.quad 0\\n\"\n");
        let mut bytes = self.local_size(ty);
        if self.options.check {
            // A gap before the next object, where the checker sees an access past the end.
            bytes += " + UPCR_CHECK_GAP";
        }
        // The name of a typedef may have an alignment of its own.
        let elem = match self.sema.types.is_array(ty) {
            true => self.sema.types.ultimate_elem(ty),
            false => ty,
        };
        let mut align = format!("__alignof__({})", self.c_temporary(elem));
        for wanted in self.alignments.remove(&id).unwrap_or_default() {
            align = format!("({align} > {wanted} ? {align} : {wanted})");
        }
        let descriptor = self.fresh("object");
        format!(
            "static struct upcr_object {descriptor} {} = \
             {{(void *)&{cell}, {bytes}, {align}, {name}}};{}{}",
            listed("upcr_objects"),
            self.debug_object(id),
            self.checked_layout(id)
        )
    }

    /// What the checker is told of the layout of `id`.
    fn checked_layout(&mut self, id: ObjectId) -> String {
        if !self.options.check {
            return String::new();
        }
        let (ty, cell) = (self.sema.object(id).ty, self.cell_name(id));
        let elem = self.sema.types.ultimate_elem(ty);
        let (layout, name) = (self.layout_text(ty), self.fresh("layout"));
        format!(
            " static struct upcr_layout {name} {} = {{(void *)&{cell}, sizeof({}), {}}};",
            listed("upcr_layouts"),
            self.c_temporary(elem),
            c_string(&layout)
        )
    }

    /// Notes what `_Alignas` and attributes ask for `id`.
    pub(super) fn note_alignment(
        &mut self,
        id: ObjectId,
        specs: &DeclSpecs,
        declarator: &InitDeclarator,
    ) {
        let mut wanted = Vec::new();
        for &(_, operand) in &specs.alignas {
            wanted.push(match operand {
                ExprOrType::Expr(e) => format!("({})", self.value_text(e)),
                ExprOrType::Type(t) => {
                    let ty = self.sema.type_of_name(t);
                    format!("__alignof__({})", self.c_temporary(ty))
                }
            });
        }
        for attribute in specs.attributes.iter().chain(&declarator.attributes) {
            if self.name(attribute.name) == "aligned" {
                wanted.push(match attribute.args.first() {
                    Some(&arg) => format!("({})", self.value_text(arg)),
                    None => "16".into(),
                });
            }
        }
        self.alignments.entry(id).or_default().extend(wanted);
    }

    /// Defines the file-scope objects, whose types are complete now.
    pub(super) fn finish_objects(&mut self) {
        for id in std::mem::take(&mut self.to_define) {
            let text = self.define_object(id);
            self.tail += &text;
            self.tail.push('\n');
        }
        for id in (0..self.sema.objects.len() as u32).map(ObjectId) {
            let is_external = self.sema.object(id).linkage == Linkage::External;
            if is_external && self.is_shared_object(id) {
                self.cells += &self.layout_symbol(id);
            }
        }
    }

    /// An absolute symbol that says how elements are laid out: the linker accepts equal definitions of
    /// such a symbol and no others, so units that disagree do not link.
    fn layout_symbol(&self, id: ObjectId) -> String {
        let object = self.sema.object(id);
        let types = &self.sema.types;
        let Some(size) = types.size_of(types.ultimate_elem(object.ty)) else {
            return String::new();
        };
        // Of one object, or of several in one place, the block size makes no difference.
        let block = match types.is_array(object.ty) {
            true => types.block(object.ty).unwrap_or(0),
            false => 1,
        };
        let layout = block.wrapping_mul(0x9e37_79b9_7f4a_7c15).wrapping_add(size);
        let symbol = format!("upcr_layout_{}", self.name(object.name));
        format!("\"\t.globl {symbol}\\n\t.hidden {symbol}\\n\t.set {symbol}, {layout:#x}\\n\"\n")
    }

    /// Has thread 0 store the initial value of `id` before main.
    pub(super) fn initialise_shared(&mut self, id: ObjectId, init: InitId) {
        let types = &self.sema.types;
        let (ty, cell) = (self.sema.object(id).ty, self.cell_name(id));
        let elem = types.ultimate_elem(ty);
        let block = types.block(ty).unwrap_or(0);
        let is_distributed = self.is_distributed(ty);
        let span = self.ast.init(init).span;
        let v = self.private_image(ty, init);
        let value = self.init_text(init);
        let copy = if is_distributed {
            let size = self.c_sizeof(elem);
            let index = self.index_of_image(ty, init);
            let at = match block {
                1 => format!("upcr_elem_cyclic({cell}, {index}, {size})"),
                _ => format!("upcr_elem_blocked({cell}, {index}, {size}, {block})"),
            };
            let from = format!("(char *)&upcr_v + upcr_i * {size}");
            let store = self.store_initial(span.lo, &at, &from, &size);
            format!(
                "unsigned long upcr_i = 0; {}for (; upcr_i < sizeof upcr_v / {size}; upcr_i++) {{ {store} }}",
                self.check_reach(id, init)
            )
        } else {
            self.store_initial(span.lo, &format!("(void *){cell}"), "&upcr_v", "sizeof upcr_v")
        };
        if self.sema.object(id).linkage == Linkage::External {
            // Two initialised definitions are one too many for the linker.
            self.tail += &format!(
                "extern const char upcr_initialised_{name} __attribute__((visibility(\"hidden\")));\n\
                 const char upcr_initialised_{name} = 1;\n",
                name = self.name(self.sema.object(id).name)
            );
        }
        // A static local's own declaration is out of sight at the end of the unit.
        let declared = self.declare_cell(id);
        let value = format!("{v} = {value};");
        self.add_init_function("upcr_shared_inits", span.lo, [&declared, &value, &copy]);
    }

    /// Stores the initial value at `from` to the shared address `to`: a copy, not an assignment, as
    /// there may be const members. The runtime waits for it.
    fn store_initial(&self, offset: u32, to: &str, from: &str, bytes: &str) -> String {
        if !self.options.network {
            return format!("__builtin_memcpy({to}, {from}, {bytes});");
        }
        let (file, line) = self.file_and_line(offset);
        format!("upcr_put({to}, {from}, {bytes}, {}, {line});", c_string(&file))
    }

    /// Declares `upcr_v` as a private copy of a shared object: of an array only the part that the
    /// initialiser reaches, for the rest is zero already, and may not be known.
    fn private_image(&mut self, ty: QualType, init: InitId) -> String {
        let types = &self.sema.types;
        if !types.is_array(ty) {
            let bare = super::ctype::unqualified(types, ty);
            return self.declare(bare, "upcr_v".into());
        }
        let reach = self.sema.reaches.get(&init).copied().unwrap_or_default();
        let mut image = String::from("upcr_v");
        for (n, length) in types.lengths(ty).enumerate() {
            image += &match length {
                // C warns of what is too much.
                ArrayLen::Const(n_elems) if n == 0 && reach.outermost < n_elems => {
                    format!("[{}]", reach.outermost.max(1))
                }
                ArrayLen::Const(n_elems) => format!("[{n_elems}]"),
                _ => format!("[{}]", reach.threads.max(1)),
            };
        }
        let elem = super::ctype::unqualified(types, types.ultimate_elem(ty));
        self.declare(elem, image)
    }

    /// The index in the object of element `upcr_i` of its image, which has shorter rows where an
    /// inner dimension names THREADS.
    fn index_of_image(&self, ty: QualType, init: InitId) -> String {
        let types = &self.sema.types;
        let lengths: Vec<ArrayLen> = types.lengths(ty).collect();
        let is_multiple = |len: &ArrayLen| matches!(len, ArrayLen::TimesThreads(_));
        let Some(level) = lengths.iter().position(is_multiple).filter(|&level| level > 0) else {
            return "(long)upcr_i".into();
        };
        let reach = self.sema.reaches.get(&init).map_or(1, |reach| reach.threads.max(1));
        let (mut row, mut times) = (1, reach);
        for length in &lengths[level..] {
            match *length {
                ArrayLen::Const(n) => (row, times) = (row * n, times * n),
                ArrayLen::TimesThreads(n) => row *= n,
                _ => {}
            }
        }
        format!("(long)(upcr_i / {times} * ({row} * upcr_threads()) + upcr_i % {times})")
    }

    /// With few threads the array `id` may lack elements that its initialiser has values for.
    fn check_reach(&self, id: ObjectId, init: InitId) -> String {
        let object = self.sema.object(id);
        let reach = self.sema.reaches.get(&init).map_or(0, |reach| reach.threads);
        let multiple = self.sema.types.lengths(object.ty).find_map(|len| match len {
            ArrayLen::TimesThreads(n) if reach > n => Some(n),
            _ => None,
        });
        let Some(n) = multiple else { return String::new() };
        let (file, line) = self.file_and_line(self.ast.init(init).span.lo);
        format!(
            "upcr_check_initialiser({}, {reach}, {n} * upcr_threads(), {}, {line}); ",
            c_string(self.name(object.name)),
            c_string(&file)
        )
    }

    /// A function that the runtime calls through `section`: statements, the initialisation of
    /// `upcr_v` at `offset`, the only part that C may warn of, and further statements.
    pub(super) fn add_init_function(
        &mut self,
        section: &str,
        offset: u32,
        [before, value, after]: [&str; 3],
    ) {
        let (marker, quiet) = (self.marker(offset), self.quiet_marker(offset));
        let function = self.fresh("init");
        let entry = self.fresh("run");
        self.tail += &format!(
            "{quiet}static void {function}(void) {{ {before}\n{marker}{value}\n{quiet}{after} }}\n\
             static upcr_init_function {entry} {} = {function};\n",
            listed(section)
        );
    }
}
