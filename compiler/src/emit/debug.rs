// SPDX-License-Identifier: BSD-3-Clause
//! What a debugger is told about a program compiled with `-g`, beyond what C says by itself: block
//! and element types of pointers-to-shared, as names of their C types, and the layout of shared
//! objects, as constants beside them. tools/gdb reads both; no code that runs depends on either. And
//! what the runtime is told, for its messages: writes to variables of C.

use super::private::Copies;
use super::Emitter;
use crate::marker::c_string;
use crate::opt::effects::written_variable;
use crate::sema::types::{builtin_name, ArrayLen, PtsRep, QualType, Quals, RecordId, Type};
use crate::sema::ObjectId;
use crate::syntax::ast::{ExprId, Item};

impl Emitter<'_> {
    /// The name of the type of a pointer to `target`, which is shared: `upcr_pts_4_struct_node`.
    /// Nothing if this is no debugging build, or C has no short name for the element.
    pub(super) fn debug_pointer(&mut self, target: QualType) -> Option<String> {
        let types = &self.sema.types;
        if !self.options.debug || types.is_array(target) || types.is_void(target) {
            return None;
        }
        let (rep, block) = (types.target_rep(target)?, types.block(target)?);
        let elem = types.resolve(target);
        let name = format!("upcr_pts_{block}_{}", self.debug_name(elem)?);
        let held = match rep {
            PtsRep::Packed => format!("upcr_pts {name}"),
            PtsRep::Wide => format!("upcr_wide {name}"),
            // The definition stands before the user's text: the element must have a name there.
            PtsRep::Direct if self.is_known_at_file_scope(elem) => {
                let bare = Quals { shared: None, consistency: None, ..elem.quals };
                self.declare(QualType { ty: elem.ty, quals: bare }, format!("*{name}"))
            }
            PtsRep::Direct => return None,
        };
        self.debug_types.insert(name.clone(), format!("typedef {held};\n"));
        Some(name)
    }

    fn debug_name(&self, ty: QualType) -> Option<String> {
        let types = &self.sema.types;
        let ty = types.resolve(ty);
        let quals = [(ty.quals.is_const, "const_"), (ty.quals.is_volatile, "volatile_")];
        let quals: String = quals.iter().filter(|q| q.0).map(|q| q.1).collect();
        let tagged = |keyword: &str, tag: &str| format!("{keyword}_{tag}");
        let bare = match *types.get(ty.ty) {
            Type::Builtin(builtin) => builtin_name(&self.ast.names, builtin).replace(' ', "_"),
            Type::Record(id) => {
                let record = types.record(id);
                let tag =
                    record.tag.map_or(super::ctype::invented_tag(id), |t| self.name(t).into());
                tagged(if record.is_union { "union" } else { "struct" }, &tag)
            }
            Type::Enum(id) => tagged("enum", self.name(types.enumeration(id).tag?)),
            Type::Pointer(to) if types.is_void(to) && types.is_shared(to) => "upcr_pts".into(),
            Type::Pointer(to) => match types.block(to) {
                Some(block) => format!("upcr_pts_{block}_{}", self.debug_name(to)?),
                None => format!("ptr_{}", self.debug_name(to)?),
            },
            _ => return None,
        };
        Some(quals + &bare)
    }

    fn is_known_at_file_scope(&self, elem: QualType) -> bool {
        match *self.sema.types.get(elem.ty) {
            Type::Builtin(_) => true,
            Type::Record(id) => !self.is_local_record(id),
            _ => false,
        }
    }

    fn is_local_record(&self, id: RecordId) -> bool {
        let place = self.sema.types.record(id).span.lo;
        let holds = |item: &Item| match item {
            Item::Function(f) => f.span.lo <= place && place < f.span.hi,
            _ => false,
        };
        self.ast.items.iter().any(holds)
    }

    /// Tells the runtime of the write `text` to the private lvalue `lhs`, if the object may be C's.
    pub(super) fn debug_write(
        &mut self,
        lhs: ExprId,
        whole: ExprId,
        text: Option<String>,
    ) -> Option<String> {
        let written = written_variable(self.ast, self.sema, lhs).filter(|_| self.options.debug);
        let Some(id) = written.filter(|_| self.has_upc()) else { return text };
        let name = self.name(self.sema.object(id).name);
        let symbol = self.symbol(id);
        let (is_upc, address) = match self.copies(id) {
            Copies::OfLinker => {
                (format!("upcr_where_{symbol} ? (void)0 : "), format!("upcr_find_{symbol}()"))
            }
            Copies::AsInC if self.sema.object(id).is_librarys => {
                (String::new(), format!("(const void *)&{name}"))
            }
            _ => return text,
        };
        let (file, line) = self.file_and_line(self.ast.expr(lhs).span.lo);
        let (quoted, file) = (c_string(name), c_string(&file));
        let text = text.unwrap_or_else(|| self.span_text(self.ast.expr(whole).span).into());
        Some(format!("({is_upc}upcr_c_write({address}, {quoted}, {file}, {line}), {text})"))
    }

    /// A constant beside the shared object `id`: its cell, whose type names the element, and its
    /// block size and dimensions as text, `4:10*THREADS,20`.
    pub(super) fn debug_object(&mut self, id: ObjectId) -> String {
        if !self.options.debug {
            return String::new();
        }
        let object = self.sema.object(id);
        let (ty, name, cell) = (object.ty, self.name(object.name), self.cell_name(id));
        let layout = self.layout_text(ty);
        let elem = self.sema.types.ultimate_elem(ty);
        let pointer = self.c_pointer_named(elem, "*const *cell");
        format!(
            " static const struct {{ {pointer}; char layout[{}]; }} upcr_debug_{name} \
             __attribute__((used, retain)) = {{(void *)&{cell}, {}}};",
            layout.len() + 1,
            c_string(&layout)
        )
    }

    /// Block size and dimensions of a shared object: `4:10*THREADS,20`.
    pub(super) fn layout_text(&self, ty: QualType) -> String {
        let types = &self.sema.types;
        let mut layout = format!("{}:", types.block(ty).unwrap_or(1));
        let mut level = types.resolve(ty);
        while let Type::Array { elem, len } = *types.get(level.ty) {
            let n = match len {
                ArrayLen::Const(n) => n.to_string(),
                ArrayLen::TimesThreads(n) => format!("{n}*THREADS"),
                ArrayLen::Unknown | ArrayLen::Variable(_) => "?".into(),
            };
            layout += if layout.ends_with(':') { "" } else { "," };
            layout += &n;
            level = types.resolve(elem);
        }
        layout
    }
}
