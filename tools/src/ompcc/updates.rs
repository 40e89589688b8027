// SPDX-License-Identifier: BSD-3-Clause
//! Loops, in gcc's assembly, that load a number, calculate, and compare and exchange until no other
//! thread has been faster: how gcc updates what x86 has no instruction for. Over hosts, each time around
//! takes the memory to the thread's host. Where the new number is that one operation's of the old one
//! and another, and the program uses neither result, such a loop becomes a call that says the
//! operation, which the memory's home can perform (runtime/dsm/update.c):
//!
//! ```text
//!     call   __atomic_load_8            (gone: what is loaded is not needed)
//! .L4: movq  %r12, %xmm1                (as it was)
//!     addsd  8(%rsp), %xmm1             movsd 8(%rsp), %xmm1
//!     movq   %r12, 24(%rsp)             (as it was)
//!     movq   %xmm1, %rdx
//!     call   __atomic_compare_exchange_8    call fl_omp_update_addsd
//!     movq   24(%rsp), %rax             (equal: the call does not change it)
//!     cmpq   %rax, %r12
//!     jne    .L7
//! ```
//!
//! AT&T's syntax. What is not certain stays a loop.

use super::flow::{self, called, Place, Text};
use super::loops::{jump_target, operands, register};
use super::results::is_outlined;
use std::collections::HashMap;

/// Most lines of a loop; from where its arguments are set on; and until nothing of what it has
/// calculated is left.
const LOOP_LINES_MOST: usize = 40;
const ADDRESS_LINES: usize = 20;
const LINES_MOST: usize = 2000;

const RCX: u16 = 2;
const RDX: u16 = 3;
const RSI: u16 = 4;
const RDI: u16 = 5;
const R8: u16 = 8;

/// What a place has of the number that was loaded.
#[derive(Clone, Copy, PartialEq)]
enum Value {
    Old,
    New,
}

/// Lines, counted from 0, and what they become.
pub fn replaced(lines: &[&str]) -> HashMap<usize, String> {
    let is_load = |line: &&str| line.contains("__atomic_load_");
    if !lines.iter().any(is_load) {
        return HashMap::new();
    }
    let text = Text::of(lines);
    let loads = (0..lines.len()).filter(|&number| is_load(&lines[number]));
    loads.filter_map(|load| Update::of(&text, load)).flatten().collect()
}

/// A loop, as far as it has been read.
struct Update<'a> {
    text: &'a Text<'a>,
    bytes: usize,
    values: HashMap<Place, Value>,
    /// Registers that are 0.
    zeros: Vec<u16>,
    /// What the address in rdi is a copy of.
    address: Option<String>,
    /// The operation's name.
    operation: Option<String>,
    replaced: HashMap<usize, String>,
}

impl<'a> Update<'a> {
    fn of(text: &'a Text<'a>, load: usize) -> Option<HashMap<usize, String>> {
        let bytes = bytes_of(text.line(load)?, "__atomic_load_")?;
        let mut update = Update {
            text,
            bytes,
            values: HashMap::from([(Place::Register(flow::RAX), Value::Old)]),
            zeros: Vec::new(),
            address: None,
            operation: None,
            replaced: HashMap::from([(load, String::new())]),
        };
        let loaded = address_before(text, load)?;
        let end = (load + 1..load + LOOP_LINES_MOST).find_map(|n| update.read(n, &loaded))?;
        let success = update.success(end.ok()?)?;
        let returns_nothing = is_outlined(text.function_of(load));
        let is_unused = |place: &Place| text.is_unused(success, place, returns_nothing, LINES_MOST);
        update.values.keys().all(is_unused).then_some(update.replaced)
    }

    /// Reads a line up to the exchange. Some: that is the line, or what it is cannot be told.
    fn read(&mut self, number: usize, loaded: &str) -> Option<Result<usize, ()>> {
        let Some(line) = self.text.line(number) else { return Some(Err(())) };
        if line.contains("__atomic_compare_exchange_") {
            return Some(self.exchange(number, line, loaded).ok_or(()));
        }
        let understood = self.step(number, line).is_some() && !self.changes(line, loaded);
        (!understood).then_some(Err(()))
    }

    /// Whether a line changes what the address was computed from.
    fn changes(&self, line: &str, loaded: &str) -> bool {
        operands(rest_of(line)).pop().is_some_and(|last| is_of(last, loaded))
    }

    fn exchange(&mut self, number: usize, line: &str, loaded: &str) -> Option<usize> {
        let is_zero = |r| self.zeros.contains(&r);
        let fits = bytes_of(line, "__atomic_compare_exchange_")? == self.bytes
            && self.address.as_deref() == Some(loaded)
            && self.value(&Place::Register(RDX)) == Some(Value::New)
            && is_zero(RCX) // __ATOMIC_RELAXED, both
            && is_zero(R8);
        let name = self.operation.as_ref().filter(|_| fits)?;
        let old = format!("__atomic_compare_exchange_{}", self.bytes);
        let call = self.text.lines[number].replace(&old, &format!("fl_omp_update_{name}"));
        self.replaced.insert(number, call + "\n");
        self.values.retain(|place, _| place.is_preserved());
        Some(number + 1)
    }

    /// Where the program goes on, as what the exchange has found is what was expected.
    fn success(&mut self, from: usize) -> Option<usize> {
        let mut is_equal = false;
        for number in from..from + LOOP_LINES_MOST {
            let line = self.text.line(number)?;
            let (mnemonic, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
            if let Some(target) = jump_target(line) {
                return match mnemonic {
                    "jne" if is_equal => Some(number + 1),
                    "je" if is_equal => self.text.label(target),
                    _ => None,
                };
            }
            if matches!(mnemonic, "cmpl" | "cmpq") {
                let is_old = |operand: &&str| {
                    Place::of(operand).and_then(|place| self.value(&place)) == Some(Value::Old)
                };
                is_equal = operands(rest).iter().all(is_old);
            } else if self.is_reached(line) || (is_equal && !mnemonic.starts_with("mov")) {
                return None;
            } else {
                self.step(number, line)?;
            }
        }
        None
    }

    /// Whether a jump leads to the line.
    fn is_reached(&self, line: &str) -> bool {
        line.strip_suffix(':').is_some_and(|label| self.text.jumps_to(label) > 0)
    }

    fn value(&self, place: &Place) -> Option<Value> {
        self.values.get(place).copied()
    }

    /// What an instruction does with the values; none: more than is understood here.
    fn step(&mut self, number: usize, line: &str) -> Option<()> {
        if let Some(label) = line.strip_suffix(':') {
            return (self.text.jumps_to(label) <= 1).then_some(());
        }
        // The programmer's own instructions begin with a comment.
        if line.is_empty() && self.text.lines[number].trim() != "#APP" || flow::is_aside(line) {
            return Some(());
        }
        let (mnemonic, rest) = line.split_once(char::is_whitespace)?;
        let operands = operands(rest);
        let (last, sources) = operands.split_last()?;
        if !flow::is_explicit(mnemonic.trim_start_matches('v'), operands.len()) {
            return None;
        }
        if let Some(operation) = self.arithmetic(mnemonic) {
            return self.operate(number, mnemonic, operation, &operands);
        }
        let is_move = mnemonic.starts_with("mov") || mnemonic.starts_with("vmov");
        let copied = Place::of(sources.first()?).and_then(|place| self.value(&place));
        match copied.filter(|_| is_move && sources.len() == 1) {
            Some(value) => self.copy(mnemonic, value, last),
            None => self.write(mnemonic, sources, last),
        }
    }

    fn copy(&mut self, mnemonic: &str, value: Value, to: &str) -> Option<()> {
        let is_narrow = matches!(mnemonic, "movl" | "movd" | "vmovd" | "movss" | "vmovss");
        let is_wide = matches!(
            mnemonic,
            "movq" | "vmovq" | "movsd" | "vmovsd" | "movapd" | "vmovapd" | "movaps" | "vmovaps"
        );
        let is_whole = is_wide || (is_narrow && self.bytes == 4);
        self.set(Place::of(to).filter(|_| is_whole)?, Some(value));
        Some(())
    }

    fn set(&mut self, place: Place, value: Option<Value>) {
        if let Place::Register(written) = place {
            self.zeros.retain(|zero| *zero != written);
            self.address = self.address.take().filter(|_| written != RDI);
        }
        match value {
            Some(value) => self.values.insert(place, value),
            None => self.values.remove(&place),
        };
    }

    /// An instruction whose result has nothing of the number.
    fn write(&mut self, mnemonic: &str, sources: &[&str], to: &str) -> Option<()> {
        let is_lea = mnemonic.starts_with("lea");
        let names = |operand: &&str| {
            let reads = |place: &Place| !is_lea || matches!(place, Place::Register(_));
            self.values.keys().any(|place| reads(place) && place.is_named_by(operand))
        };
        let clears = matches!(mnemonic, "xorl" | "xorq" | "pxor" | "xorps" | "vxorps" | "vpxor")
            && sources.iter().all(|source| *source == to);
        let is_copy = mnemonic.starts_with("mov") || mnemonic.starts_with("vmov");
        let is_new = clears || is_copy || is_lea;
        let Some(place) = Place::of(to) else {
            return (!sources.iter().any(names) && !names(&to)).then_some(());
        };
        let ends = is_new && place.is_all_of(to);
        if to == "%rsp" || (!clears && sources.iter().any(names)) || (!ends && names(&to)) {
            return None;
        }
        self.set(place.clone(), None);
        if let Place::Register(written) = place {
            if clears || (is_copy && ends && sources == ["$0"]) {
                self.zeros.push(written);
            }
            if written == RDI && is_new {
                self.address = Some(address(mnemonic, sources));
            }
        }
        Some(())
    }

    /// The operation of an instruction that is of the numbers' type: its name without the type.
    fn arithmetic(&self, mnemonic: &'a str) -> Option<&'a str> {
        let (float, integer) = if self.bytes == 4 { ("ss", "imull") } else { ("sd", "imulq") };
        if mnemonic == integer {
            return Some("imul");
        }
        let name = mnemonic.trim_start_matches('v').strip_suffix(float)?;
        matches!(name, "add" | "sub" | "mul" | "div" | "min" | "max").then_some(name)
    }

    /// The operation on the old number and another one, which the line leaves in the place of the
    /// new one.
    fn operate(&mut self, number: usize, mnemonic: &str, name: &str, all: &[&str]) -> Option<()> {
        let (right, left, to) = match all {
            [right, to] => (*right, *to, *to),
            [right, left, to] => (*right, *left, *to),
            _ => return None,
        };
        let value = |operand: &str| Place::of(operand).and_then(|place| self.value(&place));
        let (operand, is_reversed) = match (value(left), value(right)) {
            (None, None) => return self.write(mnemonic, &all[..all.len() - 1], to),
            (Some(Value::Old), None) => (right, false),
            (None, Some(Value::Old)) => (left, true),
            _ => return None,
        };
        let names = |place: &Place| place.is_named_by(operand);
        if self.operation.is_some() || self.values.keys().any(names) {
            return None;
        }
        let reversed =
            if is_reversed && !matches!(name, "add" | "mul" | "imul") { "r" } else { "" };
        let suffix = &mnemonic[mnemonic.len() - if name == "imul" { 1 } else { 2 }..];
        self.operation = Some(format!("{reversed}{name}{suffix}"));
        let vector = if mnemonic.starts_with('v') { "v" } else { "" };
        let moved = match name {
            "imul" => format!("\tmov{suffix}\t{operand}, {to}\n"),
            _ if operand.starts_with('%') => format!("\t{vector}movaps\t{operand}, {to}\n"),
            _ => format!("\t{vector}mov{suffix}\t{operand}, {to}\n"),
        };
        self.replaced.insert(number, moved);
        self.set(Place::of(to)?, Some(Value::New));
        Some(())
    }
}

/// Whether an address was computed from what an operand is.
fn is_of(operand: &str, address: &str) -> bool {
    let mut registers = address.split(['(', ')', ',', ' ']).filter_map(register);
    registers.any(|r| register(operand) == Some(r)) || address.ends_with(&format!(" {operand}"))
}

fn rest_of(line: &str) -> &str {
    line.split_once(char::is_whitespace).map_or("", |(_, rest)| rest)
}

/// The size of the operation that a line calls.
fn bytes_of(line: &str, operation: &str) -> Option<usize> {
    let (mnemonic, rest) = line.split_once(char::is_whitespace)?;
    let bytes = called(rest).strip_prefix(operation).filter(|_| mnemonic.starts_with("call"))?;
    bytes.parse().ok().filter(|bytes| matches!(bytes, 4 | 8))
}

fn address(mnemonic: &str, sources: &[&str]) -> String {
    format!("{} {}", if mnemonic.starts_with("lea") { "lea" } else { "mov" }, sources.join(", "))
}

/// How rdi has got its value before a relaxed load; none where that may be another value by now, or
/// the load orders other accesses.
fn address_before(text: &Text, load: usize) -> Option<String> {
    let (mut found, mut is_relaxed) = (None, false);
    let mut written: Vec<&str> = Vec::new();
    for number in (load.saturating_sub(ADDRESS_LINES)..load).rev() {
        let line = text.line(number)?;
        let is_reached = line.strip_suffix(':').is_some_and(|label| text.jumps_to(label) > 0);
        if is_reached || line.starts_with('j') || line.starts_with("call") {
            return None;
        }
        let mnemonic = line.split_whitespace().next().unwrap_or_default();
        let operands = operands(rest_of(line));
        let Some((last, sources)) = operands.split_last() else { continue };
        let is_copy = mnemonic.starts_with("mov");
        match register(last) {
            Some(RDI) if found.is_none() => {
                let source = sources.first().filter(|_| is_copy || mnemonic.starts_with("lea"))?;
                let is_memory = is_copy && source.contains('(') && Place::of(source).is_none();
                let address = address(mnemonic, sources);
                let changes = written.iter().any(|written| is_of(written, &address));
                found = Some(address).filter(|_| !is_memory && !changes);
                found.as_ref()?;
            }
            Some(RSI) if !is_relaxed => {
                let clears = mnemonic.starts_with("xor") && sources == [*last];
                is_relaxed = clears || (is_copy && sources == ["$0"]);
                is_relaxed.then_some(())?;
            }
            _ => {}
        }
        if is_relaxed && found.is_some() {
            return found;
        }
        written.push(last);
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    const LOOP: &str = "\t.type\tf._omp_fn.0, @function
f._omp_fn.0:
.L5:
\tmovq\t%rbx, %rdi
\txorl\t%esi, %esi
\tcall\t__atomic_load_8@PLT
\tmovq\t%rax, %r12
.L4:
\tmovq\t%r12, %xmm1
\taddsd\t8(%rsp), %xmm1
\txorl\t%r8d, %r8d
\txorl\t%ecx, %ecx
\tmovq\t16(%rsp), %rsi
\tmovq\t%rbx, %rdi
\tmovq\t%r12, 24(%rsp)
\tmovq\t%xmm1, %rdx
\tcall\t__atomic_compare_exchange_8@PLT
\tmovq\t24(%rsp), %rax
\tcmpq\t%rax, %r12
\tjne\t.L7
\taddq\t$1, %r15
\tcmpl\t%r15d, %ebp
\tjg\t.L5
\tpopq\t%r12
\tret
.L7:
\tmovq\t%rax, %r12
\tjmp\t.L4
";

    fn rewritten(text: &str) -> Vec<String> {
        let lines: Vec<&str> = text.lines().collect();
        let mut all: Vec<_> = replaced(&lines).into_iter().collect();
        all.sort();
        all.into_iter().map(|(_, text)| text.trim().to_string()).collect()
    }

    fn operation(text: &str) -> String {
        let call = rewritten(text).pop().unwrap_or_default();
        let (_, name) = call.split_once("fl_omp_update_").unwrap_or_default();
        name.trim_end_matches("@PLT").to_string()
    }

    #[test]
    fn loops_become_calls() {
        let operand = "movsd\t8(%rsp), %xmm1";
        assert_eq!(rewritten(LOOP), ["", operand, "call\tfl_omp_update_addsd@PLT"]);
        let is = |before: &str, after: &str| operation(&LOOP.replace(before, after));
        assert_eq!(is("addsd", "subsd"), "subsd");
        let reversed = "movsd\t8(%rsp), %xmm2\n\tdivsd\t%xmm1, %xmm2";
        let text =
            LOOP.replace("addsd\t8(%rsp), %xmm1", reversed).replace("%xmm1, %rdx", "%xmm2, %rdx");
        assert_eq!(operation(&text), "rdivsd");
        assert!(rewritten(&text).contains(&"movaps\t%xmm2, %xmm2".to_string()));
        let three = "vmaxsd\t8(%rsp), %xmm1, %xmm1";
        assert_eq!(is("addsd\t8(%rsp), %xmm1", three), "maxsd");
        assert_eq!(is("\tmovq\t%r12, %xmm1", ".LVL1:\n\t.loc 1 2 3\n\tmovq\t%r12, %xmm1"), "addsd");
    }

    /// Of the loop with some text in the place of another.
    #[test]
    fn others_stay() {
        for (before, after) in [
            ("addsd", "orpd"),
            ("addsd", "addss"),
            ("addsd\t8(%rsp)", "addsd\t%xmm1"),
            ("\tmovq\t%xmm1, %rdx", "\taddsd\t%xmm2, %xmm1\n\tmovq\t%xmm1, %rdx"),
            ("\tmovq\t%xmm1, %rdx", "\tmovq\t%xmm1, (%r14)\n\tmovq\t%xmm1, %rdx"),
            (
                "\tmovq\t%xmm1, %rdx",
                "\tmovsd\t%xmm1, 32(%rsp)\n\tmovq\t%xmm1, %rdx\n\tmovq\t32(%rsp), %r15",
            ),
            ("%xmm1, %rdx", "%xmm2, %rdx"),
            ("xorl\t%ecx, %ecx", "movl\t$5, %ecx"),
            ("xorl\t%esi, %esi", "movl\t$2, %esi"),
            ("xorl\t%esi, %esi", "xorl\t%esi, %esi\n\taddq\t$8, %rbx"),
            ("xorl\t%r8d, %r8d", "xorl\t%r8d, %r8d\n\tsubq\t$8, %rsp"),
            ("movq\t16(%rsp), %rsi\n\tmovq\t%rbx, %rdi", "movq\t%r13, %rdi"),
            ("movq\t16(%rsp), %rsi", "movq\t16(%rsp), %rbx"),
            ("compare_exchange_8", "compare_exchange_4"),
            ("cmpq\t%rax, %r12", "testb\t%al, %al"),
            // The old number, or the new one, is used.
            ("addq\t$1, %r15", "movq\t%r12, (%r14)"),
            ("addq\t$1, %r15", "addsd\t24(%rsp), %xmm4"),
            ("popq\t%r12", "movq\t%r12, %xmm0\n\tpopq\t%r12"),
            ("jmp\t.L4", "jmp\t.L4\n\tjmp\t.L4"),
            ("f._omp_fn.0", "f"),
            (".L4:\n", ".L4:\n#APP\n\tnop\n#NO_APP\n"),
        ] {
            assert!(LOOP.contains(before), "{before}");
            assert_eq!(rewritten(&LOOP.replace(before, after)), [""; 0], "{after}");
        }
    }
}
