// SPDX-License-Identifier: BSD-3-Clause
//! Calls of the C compiler's atomic built-in functions on shared memory, and read-modify-writes of
//! `_Atomic` objects.
//!
//! On one host they are what the user wrote. In code for several hosts a call asks where its
//! target is:
//! ```c
//! v = __sync_fetch_and_add(p, x);
//! v = ({ int *a = p; int n = x; upcr_settle();
//!        if (upcr_is_here(a)) n = __sync_fetch_and_add(a, n);
//!        else upcr_atomic(UPCR_ADD, a, &n, sizeof *a, ...);
//!        n; })
//! ```
//! Every order but `__ATOMIC_RELAXED` comes after the thread's writes to other hosts, wherever the
//! target is: private memory may be another thread's view of its part of shared memory.

use super::access::{address_text, Change, How, Use};
use super::ctype::unqualified;
use super::remote::Found;
use super::Emitter;
use crate::sema::atomic::{Arithmetic, AtomicCall, Gives, Operand, What};
use crate::sema::types::QualType;
use crate::syntax::ast::{ExprId, ExprKind};

/// The pieces of a call that asks where its target is.
struct Pieces<'a> {
    call: &'a AtomicCall,
    declarations: String,
    /// The variable with the target's address.
    address: String,
    /// The arguments after the first: names of variables, and constants as written.
    args: Vec<String>,
    /// The variable that gets the result, if there is one and it is wanted.
    result: Option<String>,
    /// Arguments of the runtime's functions: where in the source this is.
    place: String,
}

impl Emitter<'_> {
    /// A call of an atomic built-in function; `None` if it is as it was written.
    pub(super) fn atomic(&mut self, id: ExprId, needs_value: bool) -> Option<String> {
        let call = *self.sema.atomics.get(&id)?;
        let ExprKind::Call { callee, args } = &self.ast.expr(id).kind else { return None };
        let is_shared = self.sema.types.is_shared(call.target);
        // C without UPC has written nothing to other hosts, and may be linked without the runtime.
        let is_ordered = self.options.network && !call.is_relaxed && self.has_upc();
        let settle = if is_ordered { "upcr_settle()" } else { "" };
        let checked = match (is_ordered && self.options.check && !is_shared, args.first()) {
            (true, Some(&place)) if call.function.what != What::Fence && self.is_pure(place) => {
                self.checked_atomic(&call, place)
            }
            _ => settle.into(),
        };
        if is_shared && self.is_checked() {
            let name = self.span_text(self.ast.expr(*callee).span).to_string();
            return Some(self.anywhere_atomic(&call, &name, args, settle, needs_value));
        }
        let text = self.rebuild(id, |e, parts| {
            for (n, &arg) in args.iter().enumerate() {
                parts.push(match n {
                    0 if is_shared => (e.ast.expr(arg).span, Some(e.pointer_text(arg))),
                    _ => e.value_part(arg),
                });
            }
        });
        if checked.is_empty() {
            return text;
        }
        let text = text.unwrap_or_else(|| self.span_text(self.ast.expr(id).span).into());
        Some(format!("({checked}, {text})"))
    }

    /// Tells the checker of an atomic operation through the private pointer `place`, which may be the
    /// thread's view of its part of shared memory.
    fn checked_atomic(&mut self, call: &AtomicCall, place: ExprId) -> String {
        let writes = u8::from(!matches!(call.function.what, What::Load));
        let pointer = self.value_text(place);
        let at = self.place_arguments(self.ast.expr(place).span.lo);
        format!("upcr_c_atomic({pointer}, sizeof *({pointer}), {writes}, {at})")
    }

    fn anywhere_atomic(
        &mut self,
        call: &AtomicCall,
        name: &str,
        args: &[ExprId],
        settle: &str,
        needs_value: bool,
    ) -> String {
        self.n_checked += 1;
        let mut pieces = self.atomic_pieces(call, args);
        pieces.result = if needs_value { self.result_of(&mut pieces) } else { None };
        let (a, place) = (pieces.address.clone(), pieces.place.clone());
        let there = match call.function.what {
            What::CompareAndSwap => {
                let (expected, desired) = (pieces.pointer(0), pieces.pointer(1));
                format!("upcr_atomic_swap({a}, {expected}, {desired}, sizeof *{a}, {place})")
            }
            _ => self.far_operation(&mut pieces),
        };
        let (as_count, as_value) = match self.counts_bytes(call) {
            true => ("(long)", format!("({})", self.c_temporary(call.target))),
            false => ("", String::new()),
        };
        let assign = |of: &str| match &pieces.result {
            Some(result) => format!("{result} = {as_count}{of}"),
            None => of.to_string(),
        };
        let here = assign(&format!("{name}({})", pieces.arguments()));
        let there = match call.function.gives {
            Gives::Truth => assign(&there),
            _ => there,
        };
        let settle = if settle.is_empty() { String::new() } else { format!("{settle}; ") };
        let result = pieces.result.as_ref().map(|result| format!(" {as_value}{result};"));
        let result = result.unwrap_or_default();
        format!(
            "__extension__ ({{ {} {settle}if (upcr_is_here({a})) {here}; else {there};{result} }})",
            pieces.declarations
        )
    }

    /// The arguments in variables, so that each is evaluated once.
    fn atomic_pieces<'c>(&mut self, call: &'c AtomicCall, args: &[ExprId]) -> Pieces<'c> {
        let address = self.fresh("a");
        let pointer = self.c_pointer_named(call.target, &format!("*{address}"));
        let mut declarations = format!("{pointer} = {};", self.pointer_text(args[0]));
        let mut names = Vec::new();
        for (&arg, &operand) in args[1..].iter().zip(call.function.operands) {
            let text = self.value_text(arg);
            let is_variable = matches!(operand, Operand::Value | Operand::Pointer);
            if !is_variable && self.sema.flags(arg).is_constant {
                names.push(text);
                continue;
            }
            let n = self.fresh("n");
            let declared = self.declare_operand(call, operand, &n);
            declarations += &format!(" {declared} = {text};");
            names.push(n);
        }
        let place = self.place_arguments(self.ast.expr(args[0]).span.lo);
        Pieces { call, declarations, address, args: names, result: None, place }
    }

    /// Built-in functions move pointers by bytes.
    fn counts_bytes(&self, call: &AtomicCall) -> bool {
        matches!(call.function.what, What::Arithmetic(_)) && self.sema.types.is_pointer(call.target)
    }

    fn declare_operand(&mut self, call: &AtomicCall, operand: Operand, name: &str) -> String {
        let value = unqualified(&self.sema.types, call.target);
        match operand {
            Operand::Value if self.counts_bytes(call) => format!("long {name}"),
            Operand::Value => self.declare(value, name.into()),
            Operand::Pointer => self.declare(value, format!("*{name}")),
            Operand::Flag | Operand::Order => format!("int {name}"),
        }
    }

    /// The variable that is to get the result.
    fn result_of(&mut self, pieces: &mut Pieces) -> Option<String> {
        let value = unqualified(&self.sema.types, pieces.call.target);
        let (name, declared) = match pieces.call.function.gives {
            Gives::Nothing => return None,
            Gives::Truth => {
                let r = self.fresh("r");
                (r.clone(), format!("_Bool {r}"))
            }
            Gives::Old | Gives::New if pieces.call.function.what != What::Load => {
                return Some(pieces.args[0].clone());
            }
            Gives::Old | Gives::New => {
                let v = self.fresh("v");
                (v.clone(), self.declare(value, v))
            }
        };
        pieces.declarations += &format!(" {declared};");
        Some(name)
    }

    /// The call of the runtime for all but compare-and-swap.
    fn far_operation(&mut self, pieces: &mut Pieces) -> String {
        let function = pieces.call.function;
        let (a, place) = (pieces.address.clone(), pieces.place.clone());
        let far = |what: &str, value: &str, bytes: &str| {
            format!("upcr_atomic({what}, {a}, {value}, {bytes}, {place})")
        };
        let bytes = format!("sizeof *{a}");
        match function.what {
            What::Load => match (&pieces.result, function.gives) {
                (Some(result), _) => far("UPCR_LOAD", &format!("&{result}"), &bytes),
                (None, Gives::Nothing) => far("UPCR_LOAD", &pieces.args[0], &bytes),
                (None, _) => "(void)0".into(),
            },
            What::Exchange if function.gives == Gives::Nothing => {
                let (from, to) = (&pieces.args[0], &pieces.args[1]);
                format!("(*{to} = *{from}, {})", far("UPCR_EXCHANGE", to, &bytes))
            }
            What::TestAndSet => {
                let z = self.variable(pieces, "unsigned char", "1");
                format!("({}, {z})", far("UPCR_EXCHANGE", &format!("&{z}"), "1"))
            }
            What::Clear => {
                let z = self.variable(pieces, "unsigned char", "0");
                far("UPCR_STORE", &format!("&{z}"), "1")
            }
            What::Store if function.operands.is_empty() => {
                let value = self.c_temporary(pieces.call.target);
                let z = self.variable(pieces, &value, "0");
                far("UPCR_STORE", &format!("&{z}"), &bytes)
            }
            what => {
                let name = operation(what, function.gives);
                let value = pieces.pointer(0);
                match pieces.call.is_relaxed && pieces.result.is_none() {
                    true => format!("upcr_atomic_update({name}, {a}, {value}, {bytes}, {place})"),
                    false => far(name, &value, &bytes),
                }
            }
        }
    }

    /// A read-modify-write of the `_Atomic` lvalue `lhs`: an operator of C where it has one, and a
    /// loop around a compare-and-swap elsewhere.
    pub(super) fn atomic_change(
        &mut self,
        lhs: ExprId,
        change: Change,
        is_post: bool,
        settle: &str,
    ) -> String {
        let ty = self.sema.expr_type(lhs);
        match self.find(lhs) {
            // For floating-point numbers C would call a library that nobody links.
            Found::Here(lvalue)
                if matches!(change.how, How::Op(_)) && !self.has_float_value(ty) =>
            {
                let use_ = Use { is_post, needs_value: true };
                let text = self.change_text(&lvalue, true, ty, &change, use_);
                match settle.is_empty() {
                    true => text,
                    false => format!("__extension__ ({{ {settle}{text}; }})"),
                }
            }
            Found::Here(lvalue) => {
                self.swap_loop(ty, &address_text(&lvalue), None, change, (is_post, settle))
            }
            Found::Anywhere(site) => {
                let place = Some(site.place());
                self.swap_loop(ty, site.address(), place, change, (is_post, settle))
            }
        }
    }

    /// `change` made to what has type `ty` at `address`; with a `place`, wherever that is.
    fn swap_loop(
        &mut self,
        ty: QualType,
        address: &str,
        place: Option<&str>,
        change: Change,
        (is_post, settle): (bool, &str),
    ) -> String {
        let (a, o, n) = (self.fresh("a"), self.fresh("o"), self.fresh("n"));
        let (first, change) = self.evaluated(change);
        let new = self.changed(&o, &change);
        let ty = unqualified(&self.sema.types, ty);
        let pointer = self.declare(ty, format!("*{a}"));
        let cast = self.declare(ty, "*".into());
        let (old, now) = (self.declare(ty, o.clone()), self.declare(ty, n.clone()));
        let mut load = format!("__atomic_load({a}, &{o}, 5)");
        let mut swap = format!("__atomic_compare_exchange({a}, &{o}, &{n}, 0, 5, 5)");
        if let Some(place) = place {
            let far = format!("upcr_atomic(UPCR_LOAD, {a}, &{o}, sizeof {o}, {place})");
            load = format!("if (upcr_is_here({a})) {load}; else {far}");
            let far = format!("upcr_atomic_swap({a}, &{o}, &{n}, sizeof {o}, {place})");
            swap = format!("(upcr_is_here({a}) ? {swap} : {far})");
        }
        let result = if is_post { &o } else { &n };
        format!(
            "__extension__ ({{ {first}{pointer} = ({cast}){address}; {old}; {settle}{load}; {now}; \
             do {n} = {new}; while (!{swap}); {result}; }})"
        )
    }

    /// Declares a new variable of the type `ty`, which is no array or pointer to one.
    fn variable(&mut self, pieces: &mut Pieces, ty: &str, value: &str) -> String {
        let z = self.fresh("z");
        pieces.declarations += &format!(" {ty} {z} = {value};");
        z
    }
}

impl Pieces<'_> {
    /// A pointer to the value of the n-th argument after the first.
    fn pointer(&self, n: usize) -> String {
        match self.call.function.operands[n] {
            Operand::Pointer => self.args[n].clone(),
            _ => format!("&{}", self.args[n]),
        }
    }

    /// The arguments of the built-in function.
    fn arguments(&self) -> String {
        let all = std::iter::once(&self.address).chain(&self.args);
        all.map(String::as_str).collect::<Vec<_>>().join(", ")
    }
}

/// The runtime's name of an operation.
fn operation(what: What, gives: Gives) -> &'static str {
    let What::Arithmetic(what) = what else {
        return match what {
            What::Store => "UPCR_STORE",
            _ => "UPCR_EXCHANGE",
        };
    };
    match (what, gives == Gives::New) {
        (Arithmetic::Add, false) => "UPCR_ADD",
        (Arithmetic::Sub, false) => "UPCR_SUB",
        (Arithmetic::And, false) => "UPCR_AND",
        (Arithmetic::Or, false) => "UPCR_OR",
        (Arithmetic::Xor, false) => "UPCR_XOR",
        (Arithmetic::Nand, false) => "UPCR_NAND",
        (Arithmetic::Add, true) => "UPCR_ADD | UPCR_GIVE_NEW",
        (Arithmetic::Sub, true) => "UPCR_SUB | UPCR_GIVE_NEW",
        (Arithmetic::And, true) => "UPCR_AND | UPCR_GIVE_NEW",
        (Arithmetic::Or, true) => "UPCR_OR | UPCR_GIVE_NEW",
        (Arithmetic::Xor, true) => "UPCR_XOR | UPCR_GIVE_NEW",
        (Arithmetic::Nand, true) => "UPCR_NAND | UPCR_GIVE_NEW",
    }
}
