// SPDX-License-Identifier: BSD-3-Clause
//! Sizes and alignments, by the System V ABI for x86-64 and AArch64 (LP64).

use super::{ArrayLen, PtsRep, QualType, Type, Types, MAX_THREADS};
use crate::syntax::ast::{Builtin, Machine};
use crate::syntax::intern::{Interner, Symbol};
use rustc_hash::FxHashMap;

/// A size: `n` bytes, or `n * THREADS` bytes with THREADS known only at run time.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Bytes {
    pub n: u64,
    pub times_threads: bool,
}

impl Bytes {
    fn fixed(n: u64) -> Option<Bytes> {
        Some(Bytes { n, times_threads: false })
    }

    fn times(self, n: u64) -> Option<Bytes> {
        Some(Bytes { n: self.n.checked_mul(n)?, ..self })
    }
}

const OTHER: &[(&str, u64)] = &[
    ("_Float16", 2),
    ("_Float32", 4),
    ("_Float32x", 8),
    ("_Float64", 8),
    ("_Float64x", 16),
    ("_Float128", 16),
    ("__float128", 16),
    ("__float80", 16),
    ("__fp16", 2),
    ("__bf16", 2),
    ("_Decimal32", 4),
    ("_Decimal64", 8),
    ("_Decimal128", 16),
];

pub(super) fn other_sizes(names: &Interner) -> FxHashMap<Symbol, u64> {
    OTHER.iter().filter_map(|&(name, size)| Some((names.get(name)?, size))).collect()
}

impl Types {
    /// Bytes of an object of type `ty`, if that is a constant.
    pub fn size_of(&self, ty: QualType) -> Option<u64> {
        self.bytes(ty).filter(|b| !b.times_threads).map(|b| b.n)
    }

    /// `sizeof ty`, also for shared arrays of the dynamic environment. `None` for incomplete
    /// types, functions, and arrays of variable length; 1 for `void` is not C, so `None` too.
    pub fn bytes(&self, ty: QualType) -> Option<Bytes> {
        match *self.kind(ty) {
            Type::Error | Type::Function(_) => None,
            Type::Builtin(builtin) => Bytes::fixed(self.builtin_size(builtin)?),
            Type::Pointer(target) => Bytes::fixed(match self.target_rep(target) {
                Some(PtsRep::Wide) => 16,
                _ => 8,
            }),
            Type::Array { elem, len } => {
                let elem = self.bytes(elem)?;
                match len {
                    ArrayLen::Const(n) => elem.times(n),
                    ArrayLen::TimesThreads(_) if elem.times_threads => None,
                    ArrayLen::TimesThreads(n) => {
                        Some(Bytes { times_threads: true, ..elem.times(n)? })
                    }
                    ArrayLen::Unknown | ArrayLen::Variable(_) => None,
                }
            }
            Type::Record(id) => Bytes::fixed(self.record(id).size?),
            Type::Enum(id) => Bytes::fixed(self.builtin_size(self.enumeration(id).underlying)?),
            Type::Vector { bytes, .. } => Bytes::fixed(bytes),
            Type::Typedef { .. } => None,
        }
    }

    pub fn align_of(&self, ty: QualType) -> Option<u64> {
        match *self.kind(ty) {
            Type::Error | Type::Function(_) | Type::Typedef { .. } => None,
            Type::Builtin(builtin) => self.builtin_align(builtin),
            Type::Pointer(_) => self.size_of(ty),
            Type::Array { elem, .. } => self.align_of(elem),
            Type::Record(id) => Some(self.record(id).align).filter(|_| self.record(id).is_complete),
            Type::Enum(id) => self.builtin_size(self.enumeration(id).underlying),
            Type::Vector { bytes, .. } => bytes.max(1).checked_next_power_of_two(),
        }
    }

    /// The alignment of member `name` of a record of type `ty`, by which a packed one falls short of
    /// its type.
    pub fn member_align(&self, ty: QualType, name: Symbol) -> Option<u64> {
        let Type::Record(id) = *self.kind(ty) else { return None };
        let record = self.record(id);
        let field = &record.fields[*record.by_name.get(&name)? as usize];
        let of_offset = 1u64.checked_shl(field.offset.trailing_zeros()).unwrap_or(u64::MAX);
        let align = record.align.min(of_offset);
        match field.name {
            Some(_) => Some(align),
            None => Some(align.min(self.member_align(field.ty, name)?)),
        }
    }

    /// The bytes of member `name`, a bit-field of a record of type `ty`, and of those right beside it,
    /// which C takes for one memory location (C17 §3.14p3): the first one, and how many.
    pub fn bit_run(&self, ty: QualType, name: Symbol) -> Option<(u64, u64)> {
        let Type::Record(id) = *self.kind(ty) else { return None };
        let record = self.record(id);
        let at = *record.by_name.get(&name)? as usize;
        let field = &record.fields[at];
        if field.name.is_none() {
            let (first, bytes) = self.bit_run(field.ty, name)?;
            return Some((field.offset + first, bytes));
        }
        let (before, after) = record.fields.split_at(at);
        let bits = |field: &super::Field| field.bits.filter(|bits| bits.width > 0);
        let run = before.iter().rev().map_while(bits).chain(after.iter().map_while(bits));
        let (first, end) = run.fold((u64::MAX, 0), |(first, end), bits| {
            (first.min(bits.first / 8), end.max((bits.first + bits.width).div_ceil(8)))
        });
        Some((first, end.checked_sub(first)?))
    }

    /// The bytes of the largest share that any thread has of an object of type `ty`, which is
    /// thread 0's (UPC 1.3 §6.4.1.2p2).
    pub fn local_size(&self, ty: QualType) -> Option<u64> {
        let elem_bytes = self.size_of(self.ultimate_elem(ty))?;
        self.local_elems(ty)?.checked_mul(elem_bytes)
    }

    /// Ultimate elements in the largest share of `ty`; at most, where THREADS is not known.
    pub fn local_elems(&self, ty: QualType) -> Option<u64> {
        let block = self.block(ty)?;
        let count = self.elem_count(ty)?;
        if block == 0 || !self.is_array(ty) {
            return Some(count.n);
        }
        match (count.times_threads, self.threads) {
            // Of `n * THREADS` elements each thread has n / block blocks, and thread 0 up to one block
            // of the remaining elements.
            (true, _) => {
                let left = (count.n % block).saturating_mul(MAX_THREADS);
                (count.n / block * block).checked_add(left.min(block))
            }
            (false, threads) => {
                let round = block.checked_mul(u64::from(threads.unwrap_or(1).max(1)))?;
                Some(count.n / round * block + (count.n % round).min(block))
            }
        }
    }

    /// Has an array of type `ty` too many bytes for `size_t`, on one thread or on all?
    pub fn is_beyond_memory(&self, ty: QualType) -> bool {
        let mut bytes = self.size_of(self.ultimate_elem(ty));
        let mut level = self.resolve(ty);
        while let Type::Array { elem, len: ArrayLen::Const(n) | ArrayLen::TimesThreads(n) } =
            *self.kind(level)
        {
            match bytes.map(|bytes| bytes.checked_mul(n)) {
                Some(None) => return true,
                product => bytes = product.flatten(),
            }
            level = self.resolve(elem);
        }
        false
    }

    fn builtin_size(&self, builtin: Builtin) -> Option<u64> {
        use Builtin::*;
        Some(match builtin {
            Void => return None,
            Bool | Char | SChar | UChar => 1,
            Short | UShort => 2,
            Int | UInt | Float => 4,
            Long | ULong | LLong | ULLong | Double | ComplexFloat => 8,
            Int128 | UInt128 | LDouble | ComplexDouble => 16,
            ComplexLDouble => 32,
            // x86-64: one element of `struct __va_list_tag`; AArch64: `struct __va_list`.
            VaList if self.target.machine == Machine::Arm64 => 32,
            VaList => 24,
            Other(name) => *self.other_sizes.get(&name)?,
        })
    }

    fn builtin_align(&self, builtin: Builtin) -> Option<u64> {
        use Builtin::*;
        Some(match builtin {
            ComplexFloat => 4,
            ComplexDouble | VaList => 8,
            ComplexLDouble => 16,
            _ => self.builtin_size(builtin)?,
        })
    }
}
