// SPDX-License-Identifier: BSD-3-Clause
//! Accesses to shared memory that may be another host's.
//!
//! In code for several hosts an access asks first whether its address is here:
//! ```c
//! x = a[i];    x = ({ int *a_ = &a[i]; int v; if (!upcr_is_here(a_)) a_ = upcr_read(&v, a_, ...); *a_; })
//! a[i] = x;    ({ int *a_ = &a[i]; int v = x; if (upcr_is_here(a_)) *a_ = v; else upcr_put(a_, &v, ...); })
//! a[i] += x;   ({ int *a_ = &a[i], *b = a_, v; if (!upcr_is_here(a_)) b = upcr_read(&v, a_, ...);
//!                 *b += x; if (b != a_) upcr_put(a_, b, ...); })
//! ```
//! A bit-field has no address: the structure around it is fetched, and what changed of it is put
//! back. Where a lvalue is known to be here (`home`), it is accessed as in code for one host.

use super::access::{address_text, Change, How, Use, FENCE, ORDER};
use super::counts::Uses;
use super::ctype::unqualified;
use super::Emitter;
use crate::marker::c_string;
use crate::sema::types::{PtsRep, QualType};
use crate::syntax::ast::{ExprId, ExprKind, UnaryOp};
use crate::syntax::intern::Symbol;

/// What is accessed: a scalar or a record at an address, or a bit-field of the record there.
pub(super) struct Site {
    ty: QualType,
    address: String,
    /// The variable that finding the address gives the number of its thread to.
    home: Option<String>,
    field: Option<String>,
    /// The bytes of the record that the checker is told of for a field: the first one, and how many.
    told: Option<(u64, u64)>,
    /// A name for its type where it is not aligned as that type is.
    unaligned: Option<String>,
    /// Arguments of the runtime's functions: where in the source this is.
    place: String,
}

/// A shared lvalue that an access has found.
pub(super) enum Found {
    /// Here, with its text.
    Here(String),
    Anywhere(Site),
}

impl Emitter<'_> {
    /// Is `id` a shared lvalue whose access has to ask where it is?
    pub(super) fn may_be_remote(&self, id: ExprId) -> bool {
        let types = &self.sema.types;
        let ty = self.sema.expr_type(id);
        self.is_checked()
            && !self.swept.contains(&id)
            && self.sema.flags(id).is_lvalue
            && types.is_shared(ty)
            && !types.is_array(ty)
            && !types.is_void(ty)
    }

    /// Is `id` one of the expressions that are lvalues by themselves, whose value is an access?
    pub(super) fn is_remote_read(&self, id: ExprId) -> bool {
        use UnaryOp::{Deref, Imag, Real};
        matches!(
            self.ast.expr(id).kind,
            ExprKind::Ident(_)
                | ExprKind::Index { .. }
                | ExprKind::Member { .. }
                | ExprKind::Generic { .. }
                | ExprKind::ChooseExpr { .. }
                | ExprKind::Unary { op: Deref | Real | Imag, .. }
        ) && self.may_be_remote(id)
    }

    /// Finds the shared lvalue `id` for an access.
    pub(super) fn find(&mut self, id: ExprId) -> Found {
        if let Some(text) = self.fetched.get(&id) {
            return Found::Here(text.clone());
        }
        if !self.may_be_remote(id) {
            return Found::Here(self.lvalue_text(id));
        }
        self.with_subscripts(id, |e| e.find_by_address(id))
    }

    fn find_by_address(&mut self, id: ExprId) -> Found {
        if self.sema.flags(id).is_bitfield {
            if let Some((base, field, arrow)) = self.member_of(id) {
                return self.find_field(id, base, field, arrow);
            }
        }
        let home = self.is_counted_by_home().then(|| self.fresh("h"));
        let outer = std::mem::replace(&mut self.home, home.clone());
        let (lvalue, is_here) = self.with_home(id, |e| e.lvalue_text(id));
        self.home = outer;
        if is_here {
            return Found::Here(lvalue);
        }
        let (ty, address) = (self.sema.expr_type(id), address_text(&lvalue));
        let found = self.anywhere(id, ty, address);
        match found {
            Found::Anywhere(site) => Found::Anywhere(site.with_home(home)),
            here => here,
        }
    }

    fn anywhere(&mut self, id: ExprId, ty: QualType, address: String) -> Found {
        self.n_checked += 1;
        let place = self.place_arguments(self.ast.expr(id).span.lo);
        let unaligned = self.is_underaligned(id).then(|| self.fresh("t"));
        let site = Site { ty, address, home: None, field: None, told: None, unaligned, place };
        Found::Anywhere(site)
    }

    pub(super) fn place_arguments(&self, offset: u32) -> String {
        let (file, line) = self.file_and_line(offset);
        format!("{}, {line}", c_string(&file))
    }

    fn find_field(&mut self, id: ExprId, base: ExprId, field: Symbol, arrow: bool) -> Found {
        let (address, is_here) = self.with_home(id, |e| match arrow {
            true => e.pointer_text(base),
            false => address_text(&e.lvalue_text(base)),
        });
        let record = self.record_of(base, arrow);
        let name = self.name(field).to_string();
        if is_here {
            return Found::Here(match arrow {
                true => format!("({address}->{name})"),
                false => format!("(({address})->{name})"),
            });
        }
        match self.anywhere(id, record, address) {
            Found::Anywhere(site) => {
                // The checker would take other members for accessed.
                let told = self.options.check.then(|| self.sema.types.bit_run(record, field));
                Found::Anywhere(Site { field: Some(name), told: told.flatten(), ..site })
            }
            here => here,
        }
    }

    /// The type of the record of which `base`, or what it points to, is one.
    pub(super) fn record_of(&self, base: ExprId, arrow: bool) -> QualType {
        let ty = self.sema.expr_type(base);
        match arrow {
            true => self.sema.types.decayed_pointee(ty).unwrap_or(ty),
            false => ty,
        }
    }

    /// The pointer-to-shared `id` as a C pointer to its target, primary.
    pub(super) fn pointer_text(&mut self, id: ExprId) -> String {
        let Some(target) = self.shared_target(id) else { return self.value_text(id) };
        let text = match self.sema.types.target_rep(target) {
            Some(PtsRep::Packed | PtsRep::Wide) => {
                let place = self.pointed_place(id, target);
                self.access(&place, target)
            }
            _ => self.value_text(id),
        };
        super::text::primary(text)
    }

    /// The member access that the bit-field `id` is.
    fn member_of(&self, id: ExprId) -> Option<(ExprId, Symbol, bool)> {
        match self.ast.expr(id).kind {
            ExprKind::Member { base, field, arrow } => Some((base, field.name, arrow)),
            ExprKind::Paren(inner) | ExprKind::Unary { op: UnaryOp::Extension, operand: inner } => {
                self.member_of(inner)
            }
            ExprKind::Generic { .. } => self.member_of(*self.sema.generic_choice.get(&id)?),
            _ => None,
        }
    }

    /// The value of the shared lvalue `id`.
    pub(super) fn read(&mut self, id: ExprId) -> String {
        let site = match self.find(id) {
            Found::Here(lvalue) => return lvalue,
            Found::Anywhere(site) => site,
        };
        let (a, v) = (self.fresh("a"), self.fresh("v"));
        let (start, get, value) =
            (self.start(&site, &a, &v), site.get("upcr_read", &v, &a), site.value_at(&a));
        let here = self.is_here_counted(&site, &a, Uses::Reads);
        format!("__extension__ ({{ {start} if (!{here}) {a} = {get}; {value}; }})")
    }

    /// The runtime's relaxed write; the checker's looks first whether the runtime is to be called.
    fn put_function(&self) -> &'static str {
        if self.options.check {
            "upcr_write"
        } else {
            "upcr_put"
        }
    }

    /// `lvalue = value` for the relaxed lvalue at `site`.
    pub(super) fn write(&mut self, site: &Site, value: &str, needs_value: bool) -> String {
        let (a, v) = (self.fresh("a"), self.fresh("v"));
        let start = self.start_with(site, &a, &v, value);
        let put = site.put(self.put_function(), &a, &v);
        let result = if needs_value { format!(" {v};") } else { String::new() };
        let here = self.is_here_counted(site, &a, Uses::Writes);
        format!("__extension__ ({{ {start} if ({here}) *{a} = {v}; else {put};{result} }})")
    }

    /// The value of the strict lvalue at `site`, of type `ty`.
    pub(super) fn strict_read(&mut self, site: &Site, is_atomic: bool, fence: &str) -> String {
        let (a, v) = (self.fresh("a"), self.fresh("v"));
        let (start, get) = (self.start(site, &a, &v), site.get("upcr_get_strict", &v, &a));
        if is_atomic {
            return format!(
                "__extension__ ({{ {start} if (upcr_is_here({a})) {{ {fence} __atomic_load({a}, &{v}, 5); \
                 }} else {get}; {v}; }})"
            );
        }
        let r = self.fresh("r");
        let (hold, result) = self.hold(site, &r, &site.at(&a));
        format!(
            "__extension__ ({{ {start} if (!upcr_is_here({a})) {a} = {get}; else {fence} {hold} \
             {ORDER} {result}; }})"
        )
    }

    /// `lvalue = value` for the strict lvalue at `site`. `settle` waits for relaxed writes.
    pub(super) fn strict_write(
        &mut self,
        site: &Site,
        value: &str,
        is_atomic: bool,
        settle: &str,
    ) -> String {
        let (a, v) = (self.fresh("a"), self.fresh("v"));
        let start = self.start_with(site, &a, &v, value);
        let put = site.put("upcr_put_strict", &a, &v);
        let here = match is_atomic {
            true => format!("{settle}__atomic_store({a}, &{v}, 5);{}", self.after_atomic_write()),
            false => format!("{settle}{ORDER} *{a} = {v}; {FENCE}"),
        };
        format!(
            "__extension__ ({{ {start} if (upcr_is_here({a})) {{ {here} }} else {put}; {v}; }})"
        )
    }

    /// A strict read-modify-write of the scalar at `site`.
    pub(super) fn strict_step(
        &mut self,
        site: &Site,
        change: Change,
        is_post: bool,
        fence: &str,
    ) -> String {
        let (a, o, n) = (self.fresh("a"), self.fresh("o"), self.fresh("n"));
        let (first, change) = self.evaluated(change);
        let new = self.changed(&o, &change);
        let (start, get) = (self.start(site, &a, &o), site.get("upcr_get_strict", &o, &a));
        let (declared, put) = (self.copy(site, &n), site.put("upcr_put_strict", &a, &n));
        let result = if is_post { &o } else { &n };
        let store = match self.after_atomic_write() {
            "" => format!("__atomic_store({a}, &{n}, 5);"),
            after => format!("{{ __atomic_store({a}, &{n}, 5);{after} }}"),
        };
        format!(
            "__extension__ ({{ {first}{start} if (upcr_is_here({a})) {{ {fence} __atomic_load({a}, &{o}, 5); \
             }} else {get}; {declared} = {new}; if (upcr_is_here({a})) {store} \
             else {put}; {result}; }})"
        )
    }

    /// A read-modify-write of what is at `site`, of type `ty`, between `before` and `after`; so is
    /// a mere write of a bit-field.
    pub(super) fn step(
        &mut self,
        site: &Site,
        ty: QualType,
        change: Change,
        use_: Use,
        (before, after): (&str, &str),
    ) -> String {
        let (a, b, v) = (self.fresh("a"), self.fresh("b"), self.fresh("v"));
        let (first, change) = self.evaluated(change);
        let is_mere_write = matches!(change.how, How::Set);
        let text = self.change_text(&site.at(&b), true, ty, &change, use_);
        let (place, pointer) = (&site.place, self.pointer_to_site(site, &b));
        let is_strict = !(before.is_empty() && after.is_empty());
        let (reader, writer) = self.step_functions(site, is_strict, is_mere_write);
        let (start, get, put) = match site.field {
            None => (
                self.start(site, &a, &v),
                site.get(reader, &v, &a),
                format!("{writer}({a}, {}, sizeof {v}, {place})", without_volatile(site.ty, &b)),
            ),
            Some(_) => {
                let first = format!("{v}[0]");
                (
                    self.start(site, &a, &format!("{v}[2]")),
                    site.get(reader, &first, &a),
                    site.put(writer, &a, &first),
                )
            }
        };
        let here = match is_strict {
            false => self.is_here_counted(site, &a, Uses::Both),
            true => format!("upcr_is_here({a})"),
        };
        let (hold, result) = match use_.needs_value {
            true => {
                let r = self.fresh("r");
                let (hold, result) = self.hold(site, &r, &text);
                (hold, format!(" {result};"))
            }
            false => (format!("{text};"), String::new()),
        };
        format!(
            "__extension__ ({{ {first}{start} {pointer} = {a}; {before}if (!{here}) \
             {b} = {get}; {hold} if ({b} != {a}) {put};{after}{result} }})"
        )
    }

    /// What reads and writes for [`Self::step`]. The checker hears which of it is strict.
    fn step_functions(
        &self,
        site: &Site,
        is_strict: bool,
        is_mere_write: bool,
    ) -> (&'static str, &'static str) {
        let is_strict_read = is_strict && !is_mere_write;
        match (self.options.check && is_strict, site.is_field()) {
            (true, _) if is_strict_read => ("upcr_get_strict", "upcr_put_strict"),
            (true, true) => ("upcr_get_twin", "upcr_put_strict"),
            (true, false) => ("upcr_read", "upcr_put_strict"),
            (false, true) => ("upcr_get_twin", "upcr_put_changed"),
            (false, false) => ("upcr_read", self.put_function()),
        }
    }

    /// `change` with its operand in a variable, and the declaration of that, unless the operand may
    /// as well be evaluated between the read and the write.
    pub(super) fn evaluated(&mut self, change: Change) -> (String, Change) {
        if !change.has_effect {
            return (String::new(), change);
        }
        let n = self.fresh("n");
        let first = format!("__auto_type {n} = {}; ", change.operand);
        (first, Change { operand: n, has_effect: false, ..change })
    }

    /// Declares `name` as an array of `n` private copies of what has type `ty`.
    pub(super) fn unqualified_array(&mut self, ty: QualType, name: &str, n: &str) -> String {
        let ty = unqualified(&self.sema.types, ty);
        self.declare(ty, format!("{name}[{n}]"))
    }

    /// Declares `v`, a private copy of what is at `site`.
    fn copy(&mut self, site: &Site, v: &str) -> String {
        let ty = unqualified(&self.sema.types, site.ty);
        self.declare(ty, v.into())
    }

    /// Declares `p` as a pointer to what is at `site`.
    fn pointer_to_site(&mut self, site: &Site, p: &str) -> String {
        match &site.unaligned {
            Some(alias) => format!("{alias} *{p}"),
            None => self.c_pointer_named(site.ty, &format!("*{p}")),
        }
    }

    /// Declares `p`, the address of what is at `site`. C would take a member of a packed structure
    /// for aligned, and warn that its address is taken.
    pub(super) fn address_of_site(&mut self, site: &Site, p: &str) -> String {
        let (pointer, address) = (self.pointer_to_site(site, p), &site.address);
        let home = site.home.iter().map(|h| format!("unsigned long {h}; ")).collect::<String>();
        match &site.unaligned {
            Some(alias) => {
                let declared = self.declare(site.ty, alias.clone());
                format!(
                    "{home}typedef {declared} __attribute__((aligned(1))); {pointer} = ({alias} *){address};"
                )
            }
            None => format!("{home}{pointer} = {address};"),
        }
    }

    /// Declares `a`, the address of what is at `site`, and `v`.
    pub(super) fn start(&mut self, site: &Site, a: &str, v: &str) -> String {
        format!("{} {};", self.address_of_site(site, a), self.copy(site, v))
    }

    /// Declares `h`, where the bytes at `a` are found that `v` is to hold; and the expression that
    /// copies them.
    pub(super) fn at_hand(&mut self, site: &Site, a: &str, v: &str, h: &str) -> (String, String) {
        let pointer = self.pointer_to_site(site, h);
        let copy = format!("{v} = *{h}");
        let size = self.c_sizeof(site.ty);
        let Some(arguments) = self.count_arguments(&size, &site.place, Uses::Reads) else {
            return (format!("{pointer} = upcr_cached({a}, sizeof {v});"), copy);
        };
        let n = self.fresh("n");
        let found = format!(
            "unsigned long *{n} = upcr_count_for({a}, {arguments}); \
             {pointer} = {n} || upcr_is_here({a}) ? (void *){a} : (void *)0;"
        );
        (found, format!("(void)({n} && ++*{n}), {copy}"))
    }

    fn start_with(&mut self, site: &Site, a: &str, v: &str, value: &str) -> String {
        format!("{} {} = {value};", self.address_of_site(site, a), self.copy(site, v))
    }

    /// Declares `r` to hold the value of `text`, with the type that an access to `site` has; and
    /// the expression for it.
    fn hold(&mut self, site: &Site, r: &str, text: &str) -> (String, String) {
        self.held(site.ty, site.field.as_deref(), r, text)
    }

    fn held(&mut self, ty: QualType, field: Option<&str>, r: &str, text: &str) -> (String, String) {
        let ty = unqualified(&self.sema.types, ty);
        let declared = self.declare(ty, r.into());
        match field {
            // Its width is part of the type of a bit-field.
            Some(field) => (format!("{declared}; {r}.{field} = {text};"), format!("+{r}.{field}")),
            None => (format!("{declared} = {text};"), r.to_string()),
        }
    }

    /// As [`Self::hold`], for an access to the lvalue `id`.
    pub(super) fn hold_value(&mut self, id: ExprId, r: &str, text: &str) -> (String, String) {
        match self.member_of(id).filter(|_| self.sema.flags(id).is_bitfield) {
            Some((base, field, arrow)) => {
                let (record, field) = (self.record_of(base, arrow), self.name(field).to_string());
                self.held(record, Some(&field), r, text)
            }
            None => self.held(self.sema.expr_type(id), None, r, text),
        }
    }
}

impl Site {
    pub(super) fn ty(&self) -> QualType {
        self.ty
    }

    pub(super) fn address(&self) -> &str {
        &self.address
    }

    pub(super) fn place(&self) -> &str {
        &self.place
    }

    fn with_home(self, home: Option<String>) -> Site {
        let is_given = |home: &String| self.address.contains(&format!("&{home})"));
        Site { home: home.filter(is_given), ..self }
    }

    /// The number of the thread that has it; `None`: finding its address does not tell. The variable
    /// is that of the address as a whole, and not of a pointer that this one begins with.
    pub(super) fn home(&self) -> Option<&str> {
        let ends =
            |home: &&String| self.address.trim_end_matches(')').ends_with(&format!("&{home}"));
        self.home.as_ref().filter(ends).map(String::as_str)
    }

    pub(super) fn is_field(&self) -> bool {
        self.field.is_some()
    }

    /// The lvalue that `pointer` leads to.
    pub(super) fn at(&self, pointer: &str) -> String {
        match &self.field {
            Some(field) => format!("{pointer}->{field}"),
            None => format!("(*{pointer})"),
        }
    }

    /// Its value. A bit-field is promoted here: clang takes a statement expression's last value for one
    /// of the declared type, `unsigned` where C has `int`.
    fn value_at(&self, pointer: &str) -> String {
        let sign = if self.is_field() { "+" } else { "" };
        format!("{sign}{}", self.at(pointer))
    }

    /// The same of `v`, a private copy of what is there.
    pub(super) fn in_copy(&self, v: &str) -> String {
        match &self.field {
            Some(field) => format!("{v}.{field}"),
            None => v.to_string(),
        }
    }

    fn get(&self, function: &str, to: &str, from: &str) -> String {
        match self.told {
            None => format!("{function}(&{to}, {from}, sizeof {to}, {})", self.place),
            Some((first, bytes)) => format!(
                "(void *)((char *){function}((char *)&{to} + {first}, \
                 (const volatile char *){from} + {first}, {bytes}, {}) - {first})",
                self.place
            ),
        }
    }

    fn put(&self, function: &str, to: &str, from: &str) -> String {
        match self.told {
            None => format!("{function}({to}, &{from}, sizeof {from}, {})", self.place),
            Some((first, bytes)) => format!(
                "{function}((volatile char *){to} + {first}, (char *)&{from} + {first}, {bytes}, {})",
                self.place
            ),
        }
    }
}

/// `pointer` to a private copy of what has type `ty`, as an argument: C warns where a qualifier is
/// lost, but not by way of an integer.
fn without_volatile(ty: QualType, pointer: &str) -> String {
    match ty.quals.is_volatile {
        true => format!("(void *)(unsigned long){pointer}"),
        false => pointer.to_string(),
    }
}
