// SPDX-License-Identifier: BSD-3-Clause
//! Structures, unions and enumerations, with the layout of the System V ABI.

use super::analyser::Analyser;
use super::declarator::Role;
use super::scope::Tag;
use super::types::{
    ArrayLen, BitField, EnumId, EnumInfo, Field, QualType, Record, RecordId, Type, Types,
};
use super::{Duration, Linkage, Object, ObjectKind};
use crate::span::Span;
use crate::syntax::ast::*;
use crate::syntax::intern::Symbol;
use rustc_hash::FxHashMap;

/// What attributes say about a record or member.
#[derive(Clone, Copy, Default)]
struct Packing {
    is_packed: bool,
    align: Option<u64>,
    /// From `#pragma pack`.
    limit: Option<u64>,
}

impl Packing {
    fn member_align(self, natural: u64) -> u64 {
        let natural = if self.is_packed { 1 } else { natural };
        natural.min(self.limit.unwrap_or(natural)).max(self.align.unwrap_or(1))
    }
}

impl Analyser<'_> {
    pub(super) fn record_spec(
        &mut self,
        spec: &RecordSpec,
        around: &[Attribute],
        is_alone: bool,
    ) -> QualType {
        let declares = spec.body.is_some() || is_alone;
        let id = self.record_id(spec, declares);
        self.sema.record_of_spec.insert(spec.tag_place, id);
        if let Some(body) = &spec.body {
            if !self.types().record(id).is_complete {
                self.check_alignments(&spec.attributes);
                let mut packing = self.packing(&spec.attributes);
                packing.limit = self.packs.at(body.span.lo);
                if is_alone {
                    // `struct s { ... } __attribute__((packed));` may come with the specifiers.
                    let more = self.packing(around);
                    packing.is_packed |= more.is_packed;
                    packing.align = packing.align.max(more.align);
                }
                self.record_body(id, body, packing);
            }
        }
        self.sema.types.intern(Type::Record(id)).into()
    }

    fn record_id(&mut self, spec: &RecordSpec, declares: bool) -> RecordId {
        if let Some(tag) = spec.tag {
            let found = match declares {
                true => self.scopes.tag_here(tag.name),
                false => self.scopes.tag(tag.name),
            };
            if let Some(Tag::Record(id)) = found {
                let record = self.types().record(id);
                let is_redefined = spec.body.is_some() && (record.is_complete || record.is_open);
                if !is_redefined {
                    return id;
                }
            }
        }
        let id = RecordId(self.types().records.len() as u32);
        self.sema.types.records.push(Record {
            tag: spec.tag.map(|tag| tag.name),
            is_union: spec.is_union,
            span: spec.tag.map_or(Span::new(spec.tag_place, spec.tag_place), |tag| tag.span),
            fields: Vec::new(),
            by_name: FxHashMap::default(),
            is_open: false,
            is_complete: false,
            size: None,
            align: 1,
        });
        if let Some(tag) = spec.tag {
            self.scopes.bind_tag(tag.name, Tag::Record(id));
        }
        id
    }

    fn record_body(&mut self, id: RecordId, body: &RecordBody, packing: Packing) {
        let record = &mut self.sema.types.records[id.0 as usize];
        record.is_open = true;
        let mut layout = RecordLayout::new(record.is_union, packing);
        for member in &body.members {
            match member {
                Member::Declaration(decl) => self.members(*decl, packing, &mut layout),
                Member::StaticAssert { condition, .. } => {
                    self.required_constant(*condition, "a static assertion");
                }
            }
        }
        let record = &mut self.sema.types.records[id.0 as usize];
        record.is_open = false;
        record.is_complete = true;
        record.align = layout.align;
        record.size = layout.size();
        record.fields = layout.fields;
        self.index_fields(id);
    }

    /// Fills `by_name`. Of two members of one name the first counts, and a member of the record
    /// itself before one of an anonymous member.
    fn index_fields(&mut self, id: RecordId) {
        let record = self.types().record(id);
        let mut by_name = FxHashMap::default();
        for (field, n) in record.fields.iter().zip(0..) {
            field.name.map(|name| by_name.entry(name).or_insert(n));
        }
        for (field, n) in record.fields.iter().zip(0..).filter(|(field, _)| field.name.is_none()) {
            if let Type::Record(inner) = *self.types().kind(field.ty) {
                for &name in self.types().record(inner).by_name.keys() {
                    by_name.entry(name).or_insert(n);
                }
            }
        }
        self.sema.types.records[id.0 as usize].by_name = by_name;
    }

    /// struct-declaration
    fn members(&mut self, id: DeclId, outer: Packing, layout: &mut RecordLayout) {
        let ast = self.ast;
        let declaration = ast.decl(id);
        let specs = &declaration.specs;
        let base = self.specs(specs, declaration.declarators.is_empty());
        let mut packing = self.packing(&specs.attributes);
        packing.is_packed |= outer.is_packed;
        packing.limit = outer.limit;
        for &(_, operand) in &specs.alignas {
            let align = match operand {
                ExprOrType::Expr(e) => self.constant(e).and_then(|n| u64::try_from(n).ok()),
                ExprOrType::Type(name) => self.types().align_of(self.sema.type_of_name(name)),
            };
            packing.align = packing.align.max(align);
        }
        if declaration.declarators.is_empty() {
            let is_anonymous = match &specs.ty {
                TypeSpec::Record(spec) => spec.tag.is_none() && spec.body.is_some(),
                _ => false,
            };
            if is_anonymous {
                if let (Some(span), true) = (base.shared, self.types().is_shared(base.ty)) {
                    self.shared_member(span, None);
                }
                layout.add(self.types(), None, declaration.span, base.ty, packing);
            }
            return;
        }
        for item in &declaration.declarators {
            let ty = self.declarator(&base, &item.declarator, Role::Member).ty;
            let mut ty = self.type_attributes(ty, &item.attributes);
            let own = self.packing(&item.attributes);
            let packing = Packing {
                is_packed: packing.is_packed || own.is_packed,
                limit: packing.limit,
                align: packing.align.max(own.align),
            };
            let name = item.declarator.name;
            if self.types().is_shared(ty) {
                self.shared_member(base.shared.unwrap_or(item.span), name);
                ty = self.without_shared(ty);
            }
            let span = name.map_or(item.span, |name| name.span);
            ty = self.check_member(span, ty);
            match item.width {
                None => {
                    layout.add(self.types(), name.map(|n| n.name), span, ty, packing);
                }
                Some(width) => {
                    let width = self.required_constant(width, "the width of a bit-field");
                    let width = width.and_then(|n| u64::try_from(n).ok());
                    let name = name.map(|n| n.name);
                    layout.add_bits(self.types(), name, span, ty, width.unwrap_or(1), packing);
                }
            }
        }
    }

    /// `ty` as if `shared` had not been written, to go on after a mistake.
    pub(super) fn without_shared(&mut self, ty: QualType) -> QualType {
        let mut bare = self.types().resolve(ty);
        if let Type::Array { elem, len } = *self.types().get(bare.ty) {
            let elem = self.without_shared(elem);
            return self.sema.types.array_of(elem, len);
        }
        bare.quals.shared = None;
        bare.quals.consistency = None;
        bare
    }

    fn packing(&mut self, attributes: &[Attribute]) -> Packing {
        let mut packing = Packing::default();
        for attribute in attributes {
            let name = Some(attribute.name);
            if name == self.known.packed {
                packing.is_packed = true;
            } else if name == self.known.aligned {
                let align = match attribute.args[..] {
                    [arg] => self.constant(arg).and_then(|n| u64::try_from(n).ok()),
                    _ => Some(16),
                };
                packing.align = packing.align.max(align.filter(|n| n.is_power_of_two()));
            }
        }
        packing
    }

    pub(super) fn enum_spec(&mut self, spec: &EnumSpec) -> QualType {
        let found = spec.tag.and_then(|tag| match spec.enumerators {
            Some(_) => self.scopes.tag_here(tag.name),
            None => self.scopes.tag(tag.name),
        });
        let id = match found {
            Some(Tag::Enum(id)) => id,
            _ => {
                let id = EnumId(self.types().enums.len() as u32);
                self.sema.types.enums.push(EnumInfo {
                    tag: spec.tag.map(|tag| tag.name),
                    span: spec.tag.map_or(Span::default(), |tag| tag.span),
                    underlying: Builtin::UInt,
                    is_complete: false,
                });
                if let Some(tag) = spec.tag {
                    self.scopes.bind_tag(tag.name, Tag::Enum(id));
                }
                id
            }
        };
        if let Some(enumerators) = &spec.enumerators {
            let is_packed = self.packing(&spec.attributes).is_packed;
            let (min, max) = self.enumerators(enumerators);
            let info = &mut self.sema.types.enums[id.0 as usize];
            info.underlying = underlying(min, max, is_packed);
            info.is_complete = true;
        }
        self.sema.types.intern(Type::Enum(id)).into()
    }

    /// Declares the enumerators; the least and greatest value.
    fn enumerators(&mut self, enumerators: &[Enumerator]) -> (i128, i128) {
        let (mut min, mut max, mut next) = (0, 0, 0i128);
        let at_file_scope = self.scopes.depth() == 0;
        for enumerator in enumerators {
            if let Some(e) = enumerator.value {
                next = self.required_constant(e, "an enumerator").unwrap_or(next);
            }
            (min, max) = (next.min(min), next.max(max));
            let ty = match i32::try_from(next) {
                Ok(_) => Types::INT,
                Err(_) if i64::try_from(next).is_ok() => Types::LONG,
                Err(_) => Types::ULONG,
            };
            let object = self.add_object(Object {
                name: enumerator.name.name,
                ty,
                kind: ObjectKind::Enumerator(next),
                linkage: Linkage::None,
                duration: Duration::Automatic,
                at_file_scope,
                is_librarys: false,
                is_weak: false,
                label: None,
                span: enumerator.name.span,
                is_defined: true,
                has_init: false,
                is_assigned: false,
                address_taken: false,
            });
            self.scopes.bind(enumerator.name.name, object);
            next = next.wrapping_add(1);
        }
        (min, max)
    }
}

fn underlying(min: i128, max: i128, is_packed: bool) -> Builtin {
    let fits = |lo: i128, hi: i128| lo <= min && max <= hi;
    match (is_packed, min < 0) {
        (true, false) if fits(0, u8::MAX.into()) => Builtin::UChar,
        (true, false) if fits(0, u16::MAX.into()) => Builtin::UShort,
        (true, true) if fits(i8::MIN.into(), i8::MAX.into()) => Builtin::SChar,
        (true, true) if fits(i16::MIN.into(), i16::MAX.into()) => Builtin::Short,
        (_, false) if fits(0, u32::MAX.into()) => Builtin::UInt,
        (_, false) => Builtin::ULong,
        (_, true) if fits(i32::MIN.into(), i32::MAX.into()) => Builtin::Int,
        (_, true) => Builtin::Long,
    }
}

/// Places members one after the other; bit-fields share units as the ABI says.
struct RecordLayout {
    is_union: bool,
    fields: Vec<Field>,
    /// First free bit.
    bits: u64,
    /// Of a union.
    max_bits: u64,
    align: u64,
    is_known: bool,
}

impl RecordLayout {
    fn new(is_union: bool, packing: Packing) -> RecordLayout {
        RecordLayout {
            is_union,
            fields: Vec::new(),
            bits: 0,
            max_bits: 0,
            align: packing.align.unwrap_or(1),
            is_known: true,
        }
    }

    fn size(&self) -> Option<u64> {
        let bits = self.bits.max(self.max_bits);
        // A sum that does not fit stays at the maximum.
        (self.is_known && bits < u64::MAX).then_some(round_up(bits.div_ceil(8), self.align))
    }

    fn add(
        &mut self,
        types: &Types,
        name: Option<Symbol>,
        span: Span,
        ty: QualType,
        packing: Packing,
    ) {
        let is_flexible = matches!(types.kind(ty), Type::Array { len: ArrayLen::Unknown, .. });
        let size = if is_flexible { Some(0) } else { types.size_of(ty) };
        self.is_known &= size.is_some();
        let natural = types.align_of(ty).unwrap_or(1);
        let align = packing.member_align(natural);
        self.align = self.align.max(align);
        let start = if self.is_union { 0 } else { round_up(self.bits.div_ceil(8), align) };
        self.fields.push(Field { name, span, ty, offset: start, bits: None });
        self.advance(start.saturating_add(size.unwrap_or(0)).saturating_mul(8));
    }

    fn add_bits(
        &mut self,
        types: &Types,
        name: Option<Symbol>,
        span: Span,
        ty: QualType,
        width: u64,
        packing: Packing,
    ) {
        let unit = types.size_of(ty).unwrap_or(4).max(1).saturating_mul(8);
        let width = width.min(unit);
        let mut first = if self.is_union { 0 } else { self.bits };
        if let Some(align) = packing.align {
            first = round_up(first, align.saturating_mul(8));
        }
        let align = packing.member_align(unit / 8);
        let may_straddle = packing.is_packed || packing.limit.is_some();
        if width == 0 || (!may_straddle && first % unit > unit - width) {
            first = round_up(first, unit);
        }
        // AArch64 lets unnamed bit-fields align the record too; x86-64 does not.
        if name.is_some() || types.target.machine == Machine::Arm64 {
            self.align = self.align.max(align);
        }
        let offset = first / unit * (unit / 8);
        self.fields.push(Field { name, span, ty, offset, bits: Some(BitField { first, width }) });
        self.advance(first.saturating_add(width));
    }

    fn advance(&mut self, end: u64) {
        if self.is_union {
            self.max_bits = self.max_bits.max(end);
        } else {
            self.bits = end;
        }
    }
}

fn round_up(n: u64, unit: u64) -> u64 {
    n.div_ceil(unit.max(1)).saturating_mul(unit.max(1))
}
