// SPDX-License-Identifier: BSD-3-Clause
//! The C compiler's atomic built-in functions: `__sync_*`, `__atomic_*` and clang's
//! `__c11_atomic_*`, which are also what `<stdatomic.h>` expands to.
//!
//! Their operands take part in conversions as if the functions had prototypes: `T` is what the
//! first argument points to.

use super::analyser::Analyser;
use super::types::{QualType, Types};
use crate::syntax::ast::{Builtin, ExprId};
use Operand::{Flag, Order, Pointer, Value};

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum What {
    Load,
    /// Of zero, if there is no operand.
    Store,
    Exchange,
    CompareAndSwap,
    Arithmetic(Arithmetic),
    /// A byte becomes 1.
    TestAndSet,
    /// A byte becomes 0.
    Clear,
    Fence,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Arithmetic {
    Add,
    Sub,
    And,
    Or,
    Xor,
    Nand,
}

/// What an argument after the first is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Operand {
    /// A `T`.
    Value,
    /// A private `T *`, through which a value is given or taken.
    Pointer,
    /// An integer that is no memory order.
    Flag,
    /// A memory order.
    Order,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Gives {
    Nothing,
    Old,
    New,
    /// Whether it was equal, or set already.
    Truth,
}

#[derive(Clone, Copy, Debug)]
pub struct Function {
    pub what: What,
    pub operands: &'static [Operand],
    pub gives: Gives,
}

/// A call of an atomic built-in function.
#[derive(Clone, Copy, Debug)]
pub struct AtomicCall {
    pub function: Function,
    /// What the first argument points to, with its qualifiers.
    pub target: QualType,
    /// Orders nothing but the accesses to its target.
    pub is_relaxed: bool,
}

const fn function(what: What, operands: &'static [Operand], gives: Gives) -> Function {
    Function { what, operands, gives }
}

/// The function of this name.
fn named(name: &str) -> Option<Function> {
    if let Some(rest) = name.strip_prefix("__sync_") {
        return sync(rest);
    }
    if let Some(rest) = name.strip_prefix("__c11_atomic_") {
        return c11(rest).or_else(|| counted(rest));
    }
    let rest = name.strip_prefix("__atomic_")?;
    gnu(rest).or_else(|| counted(rest))
}

fn sync(name: &str) -> Option<Function> {
    use Gives::{New, Nothing, Old, Truth};
    let with_size = |s: &&str| name.ends_with(*s);
    let size = ["_1", "_2", "_4", "_8", "_16"].into_iter().find(with_size).unwrap_or("");
    let name = name.strip_suffix(size).unwrap_or(name);
    Some(match name {
        "synchronize" => function(What::Fence, &[], Nothing),
        "lock_release" => function(What::Store, &[], Nothing),
        "lock_test_and_set" => function(What::Exchange, &[Value], Old),
        "bool_compare_and_swap" => function(What::CompareAndSwap, &[Value, Value], Truth),
        "val_compare_and_swap" => function(What::CompareAndSwap, &[Value, Value], Old),
        _ => match (name.strip_prefix("fetch_and_"), name.strip_suffix("_and_fetch")) {
            (Some(op), _) => function(arithmetic(op)?, &[Value], Old),
            (_, Some(op)) => function(arithmetic(op)?, &[Value], New),
            _ => return None,
        },
    })
}

fn gnu(name: &str) -> Option<Function> {
    use Gives::{Nothing, Old, Truth};
    Some(match name {
        "thread_fence" => function(What::Fence, &[Order], Nothing),
        "load_n" => function(What::Load, &[Order], Old),
        "load" => function(What::Load, &[Pointer, Order], Nothing),
        "store_n" => function(What::Store, &[Value, Order], Nothing),
        "store" => function(What::Store, &[Pointer, Order], Nothing),
        "exchange_n" => function(What::Exchange, &[Value, Order], Old),
        "exchange" => function(What::Exchange, &[Pointer, Pointer, Order], Nothing),
        "compare_exchange_n" => {
            function(What::CompareAndSwap, &[Pointer, Value, Flag, Order, Order], Truth)
        }
        "compare_exchange" => {
            function(What::CompareAndSwap, &[Pointer, Pointer, Flag, Order, Order], Truth)
        }
        "test_and_set" => function(What::TestAndSet, &[Order], Truth),
        "clear" => function(What::Clear, &[Order], Nothing),
        _ => return None,
    })
}

fn c11(name: &str) -> Option<Function> {
    use Gives::{Nothing, Old, Truth};
    Some(match name {
        "thread_fence" => function(What::Fence, &[Order], Nothing),
        "init" => function(What::Store, &[Value], Nothing),
        "load" => function(What::Load, &[Order], Old),
        "store" => function(What::Store, &[Value, Order], Nothing),
        "exchange" => function(What::Exchange, &[Value, Order], Old),
        "compare_exchange_strong" | "compare_exchange_weak" => {
            function(What::CompareAndSwap, &[Pointer, Value, Order, Order], Truth)
        }
        _ => return None,
    })
}

/// `fetch_add` and `add_fetch`.
fn counted(name: &str) -> Option<Function> {
    Some(match (name.strip_prefix("fetch_"), name.strip_suffix("_fetch")) {
        (Some(op), _) => function(arithmetic(op)?, &[Value, Order], Gives::Old),
        (_, Some(op)) => function(arithmetic(op)?, &[Value, Order], Gives::New),
        _ => return None,
    })
}

fn arithmetic(name: &str) -> Option<What> {
    use Arithmetic::{Add, And, Nand, Or, Sub, Xor};
    let names = [("add", Add), ("sub", Sub), ("and", And), ("or", Or), ("xor", Xor)];
    let all = names.into_iter().chain([("nand", Nand)]);
    all.into_iter().find(|(known, _)| *known == name).map(|(_, op)| What::Arithmetic(op))
}

impl Analyser<'_> {
    /// The type of a call of the undeclared function `name`, if that is an atomic one.
    pub(super) fn atomic_call(
        &mut self,
        id: ExprId,
        name: &str,
        args: &[ExprId],
    ) -> Option<QualType> {
        let function = named(name)?;
        let is_fence = function.what == What::Fence;
        let at = if is_fence { None } else { args.first() };
        let pointer = at.map_or(Types::ERROR, |&arg| self.value(arg));
        let target = self.types().pointee(pointer).unwrap_or(Types::ERROR);
        let mut params: Vec<QualType> = at.map(|_| pointer).into_iter().collect();
        params.extend(function.operands.iter().map(|&op| self.operand_type(&function, op, target)));
        self.arguments(id, &params, args);
        let order = function.operands.iter().position(|&op| op == Order);
        let order = order.and_then(|n| args.get(n + usize::from(!is_fence)));
        let is_relaxed = order.is_some_and(|&arg| self.fold(arg) == Some(0));
        let is_whole = is_fence || args.len() > function.operands.len();
        if is_whole {
            self.sema.atomics.insert(id, AtomicCall { function, target, is_relaxed });
        }
        if let (true, Some(&at)) = (self.types().is_shared(target), at) {
            let is_byte = matches!(function.what, What::TestAndSet | What::Clear);
            if !is_byte {
                self.check_atomic_size(at, target);
            }
        }
        Some(match function.gives {
            Gives::Nothing => Types::VOID,
            Gives::Truth => Types::BOOL,
            Gives::Old | Gives::New => self.types().unqualified(target),
        })
    }

    fn operand_type(&mut self, function: &Function, op: Operand, target: QualType) -> QualType {
        let value = self.types().unqualified(target);
        match op {
            Value if matches!(function.what, What::Arithmetic(_)) => {
                match self.types().is_pointer(value) {
                    true => Types::LONG,
                    false => value,
                }
            }
            Value => value,
            Pointer => self.sema.types.pointer_to(value),
            Flag | Order => self.sema.types.builtin(Builtin::Int),
        }
    }
}
