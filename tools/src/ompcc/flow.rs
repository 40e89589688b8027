// SPDX-License-Identifier: BSD-3-Clause
//! Where a value goes in a compiler's assembly: whether what is in a register, or in a variable of the
//! stack, may be read before it is overwritten. Where that is not certain, it counts as read. AT&T's
//! syntax.

use super::loops::{jump_target, operands, register, uncommented};
use std::collections::{HashMap, HashSet};

pub const RAX: u16 = 0;
/// Registers that functions leave as they were: rbx, rbp, r12 to r15.
const PRESERVED: &[u16] = &[1, 6, 12, 13, 14, 15];

/// Begins of the names of instructions that read or write no register but their operands.
const EXPLICIT: &[&str] = &[
    "mov", "lea", "add", "sub", "cmp", "test", "and", "or", "xor", "inc", "dec", "neg", "not",
    "sal", "shl", "sar", "shr", "rol", "ror", "push", "pop", "set", "cmov", "cvt", "nop", "endbr",
    "ucomis", "comis", "sqrt", "padd", "psub", "pxor", "por", "pand", "punpck", "pshuf", "unpck",
    "shuf", "vadd", "vsub", "vmul", "vdiv", "vcvt", "vmov", "vxor", "vpxor", "vfm", "vfnm",
    "vucomis", "vcomis", "vsqrt", "vunpck", "vshuf", "vzero",
];
/// Names with the same begins, of instructions that use other registers too.
const IMPLICIT: &[&str] = &["cmpxchg"];
/// Instructions that use preserved registers too, and prefixes of jumps.
const IMPLICIT_PRESERVED: &[&str] =
    &["cmpxchg8b", "cmpxchg16b", "cpuid", "leave", "enter", "xlat", "notrack", "bnd"];
/// Instructions whose last operand is only written.
const WRITES: &[&str] = &["mov", "lea", "pop", "cvt", "vmov", "vcvt"];
/// Directives between instructions.
const ASIDE: &[&str] = &[".p2align", ".loc", ".cfi_", ".align"];

/// Most lines from where a variable's address is computed to where it is set.
const SET_LINES_MOST: usize = 20;

/// Where a value is.
#[derive(Clone, Debug, Eq, Hash, PartialEq)]
pub enum Place {
    Register(u16),
    /// A variable of the stack, as an operand.
    Slot(String),
}

impl Place {
    /// Where an operand's value is, if it is none of the program's memory.
    pub fn of(operand: &str) -> Option<Place> {
        let is_slot = ["(%rsp)", "(%rbp)"].iter().any(|base| operand.ends_with(base));
        match register(operand) {
            Some(number) => Some(Place::Register(number)),
            None => is_slot.then(|| Place::Slot(operand.to_string())),
        }
    }

    /// Whether it is the same after a call.
    pub fn is_preserved(&self) -> bool {
        match self {
            Place::Register(number) => PRESERVED.contains(number),
            Place::Slot(_) => true,
        }
    }

    /// Whether an operand is the place, or an address that is computed from it.
    pub fn is_named_by(&self, operand: &str) -> bool {
        match self {
            Place::Register(place) => operand
                .split(['(', ')', ',', ':', '*', ' ', '\t'])
                .any(|name| register(name) == Some(*place)),
            Place::Slot(slot) => operand == slot,
        }
    }

    /// Whether a write to the operand leaves nothing of the value.
    pub fn is_all_of(&self, operand: &str) -> bool {
        let is_whole = match operand.as_bytes() {
            [b'%', b'r', b'0'..=b'9', ..] => !operand.ends_with(['b', 'w']),
            [b'%', b'r', ..] | [b'%', b'e', _, _] => true,
            _ => false,
        };
        match self {
            Place::Register(_) => is_whole && self.is_named_by(operand),
            Place::Slot(slot) => operand == slot,
        }
    }
}

/// What an instruction does with a value.
#[derive(PartialEq)]
enum Fate {
    Stays,
    Ends,
    MayBeUsed,
}

/// Whether an instruction computes the address of a variable of the stack.
fn is_address_of(line: &str, place: &Place) -> bool {
    let source = operands(line.trim_start_matches("leaq")).first().copied();
    matches!(place, Place::Slot(slot) if source == Some(slot))
}

fn begins(mnemonic: &str, all: &[&str]) -> bool {
    all.iter().any(|begin| mnemonic.starts_with(begin))
}

/// Whether the instruction uses no register but its operands.
pub fn is_explicit(mnemonic: &str, operands: usize) -> bool {
    let is_arithmetic = begins(mnemonic, &["mul", "div", "max", "min"]) && mnemonic.len() == 5;
    let is_product = mnemonic.starts_with("imul") && operands > 1;
    let is_listed = begins(mnemonic, EXPLICIT) || is_arithmetic || is_product;
    is_listed && !begins(mnemonic, IMPLICIT)
}

pub fn is_aside(line: &str) -> bool {
    begins(line, ASIDE) && !line.starts_with(".cfi_endproc")
}

/// The function of an operand of a call or jump.
pub fn called(operand: &str) -> &str {
    operand.trim().trim_start_matches('*').split(['@', '(']).next().unwrap_or_default()
}

pub struct Text<'a> {
    pub lines: &'a [&'a str],
    labels: HashMap<&'a str, usize>,
    functions: HashSet<&'a str>,
    /// Lines where a call may go on that ends by an exception.
    landings: Vec<usize>,
    /// Lines where functions begin, ascending.
    begins: Vec<usize>,
    jumps: HashMap<&'a str, usize>,
}

impl<'a> Text<'a> {
    pub fn of(lines: &'a [&'a str]) -> Text<'a> {
        let label = |(number, line): (usize, &&'a str)| {
            Some((uncommented(line).strip_suffix(':')?, number))
        };
        let function = |line: &&'a str| {
            let (name, kind) = uncommented(line).strip_prefix(".type")?.split_once(',')?;
            (kind.trim() == "@function").then_some(name.trim())
        };
        let labels: HashMap<&str, usize> = lines.iter().enumerate().filter_map(label).collect();
        let landing = |line: &&'a str| {
            let (label, _) = uncommented(line).strip_prefix(".uleb128")?.trim().split_once('-')?;
            let is_code = label.strip_prefix(".L")?.starts_with(|c: char| c.is_ascii_digit());
            labels.get(label).filter(|_| is_code).copied()
        };
        let landings = lines.iter().filter_map(landing).collect();
        let mut jumps = HashMap::new();
        for target in lines.iter().filter_map(|line| jump_target(uncommented(line))) {
            *jumps.entry(target).or_insert(0) += 1;
        }
        let functions: HashSet<&str> = lines.iter().filter_map(function).collect();
        let mut begins: Vec<usize> =
            functions.iter().filter_map(|name| labels.get(name)).copied().collect();
        begins.sort_unstable();
        Text { lines, labels, functions, landings, begins, jumps }
    }

    /// The function that a line is of; the part of it that is seldom executed has its name, too.
    pub fn function_of(&self, number: usize) -> &'a str {
        let after = self.begins.partition_point(|&begin| begin <= number);
        let begin = after.checked_sub(1).and_then(|i| self.line(self.begins[i]));
        let name = begin.and_then(|line| line.strip_suffix(':')).unwrap_or_default();
        name.strip_suffix(".cold").unwrap_or(name)
    }

    pub fn line(&self, number: usize) -> Option<&'a str> {
        self.lines.get(number).map(|line| uncommented(line))
    }

    pub fn label(&self, name: &str) -> Option<usize> {
        self.labels.get(name).copied()
    }

    /// How many jumps there are to a label.
    pub fn jumps_to(&self, label: &str) -> usize {
        self.jumps.get(label).copied().unwrap_or(0)
    }

    /// Whether, on all ways from a line on, the place is overwritten before it may be read, in `most`
    /// lines; `returns_nothing`: the function does.
    pub fn is_unused(
        &self,
        from: usize,
        place: &Place,
        returns_nothing: bool,
        most: usize,
    ) -> bool {
        let mut ways = vec![from];
        let mut seen = HashSet::new();
        while let Some(number) = ways.pop() {
            if !seen.insert(number) {
                continue;
            }
            let Some(line) = self.lines.get(number).filter(|_| seen.len() <= most) else {
                return false;
            };
            let line = line.trim();
            // The programmer's own instructions follow.
            if line == "#APP" {
                return false;
            }
            let line = uncommented(line);
            let mnemonic = line.split_whitespace().next().unwrap_or_default();
            match mnemonic {
                "ret" | "retq" if returns_nothing || place.is_preserved() => {}
                _ if mnemonic.starts_with('j') => {
                    let Some(target) = jump_target(line) else { return false };
                    match self.labels.get(target).filter(|_| !self.functions.contains(target)) {
                        Some(&label) => ways.push(label),
                        None if mnemonic == "jmp" && self.ends_at(target, place) => {}
                        None => return false,
                    }
                    if mnemonic != "jmp" {
                        ways.push(number + 1);
                    }
                }
                "leaq" if is_address_of(line, place) => {
                    if !self.is_set_next(number + 1, place) {
                        return false;
                    }
                }
                _ => match self.fate(line, mnemonic, place) {
                    Fate::Stays => {
                        ways.push(number + 1);
                        if mnemonic.starts_with("call") {
                            let function = self.function_of(number);
                            let is_of_it =
                                |landing: &&usize| self.function_of(**landing) == function;
                            ways.extend(self.landings.iter().filter(is_of_it));
                        }
                    }
                    Fate::Ends => {}
                    Fate::MayBeUsed => return false,
                },
            }
        }
        true
    }

    /// Whether the place is overwritten before any function may get its address.
    fn is_set_next(&self, from: usize, place: &Place) -> bool {
        for number in from..from + SET_LINES_MOST {
            let Some(line) = self.line(number) else { return false };
            let mnemonic = line.split_whitespace().next().unwrap_or_default();
            let leaves = mnemonic.starts_with('j') || begins(mnemonic, &["call", "ret"]);
            match self.fate(line, mnemonic, place) {
                Fate::Ends => return true,
                Fate::Stays if !leaves => {}
                _ => return false,
            }
        }
        false
    }

    /// Whether a function is elsewhere, and so leaves nothing of its caller's in the register, nor
    /// reads it: it may have another convention with callers in its own file.
    fn ends_at(&self, operand: &str, place: &Place) -> bool {
        let name = called(operand);
        let takes_nothing = matches!(place, Place::Register(RAX)) || place.is_preserved();
        takes_nothing
            && !place.is_named_by(operand)
            && !self.labels.contains_key(name)
            && !name.starts_with("__x86_")
    }

    fn fate(&self, line: &str, mnemonic: &str, place: &Place) -> Fate {
        if line.is_empty() || line.ends_with(':') {
            // The next function begins.
            let is_function =
                line.strip_suffix(':').is_some_and(|name| self.functions.contains(name));
            return if is_function { Fate::MayBeUsed } else { Fate::Stays };
        }
        if mnemonic.starts_with('.') {
            return match is_aside(mnemonic) {
                true => Fate::Stays,
                // Behind a function that does not return.
                false if place.is_preserved() && begins(mnemonic, &[".cfi_endproc", ".size"]) => {
                    Fate::Ends
                }
                false => Fate::MayBeUsed,
            };
        }
        let rest = line[mnemonic.len()..].trim();
        if mnemonic.starts_with("call") {
            return match place.is_preserved() {
                true if !place.is_named_by(rest) => Fate::Stays,
                false if self.ends_at(rest, place) => Fate::Ends,
                _ => Fate::MayBeUsed,
            };
        }
        let operands = operands(rest);
        let names = |operand: &&str| place.is_named_by(operand);
        if matches!(mnemonic, "cltq" | "cwtl") && *place != Place::Register(RAX) {
            return Fate::Stays;
        }
        if !is_explicit(mnemonic, operands.len()) {
            let stays = place.is_preserved()
                && !begins(mnemonic, IMPLICIT_PRESERVED)
                && !operands.iter().any(names);
            return if stays { Fate::Stays } else { Fate::MayBeUsed };
        }
        let Some((last, sources)) = operands.split_last() else { return Fate::Stays };
        if !operands.iter().any(names) {
            return Fate::Stays;
        }
        let clears = begins(mnemonic, &["xor", "sub"]) && sources == [*last];
        let writes = begins(mnemonic, WRITES) && !sources.iter().any(names);
        if place.is_all_of(last) && (clears || writes) {
            Fate::Ends
        } else {
            Fate::MayBeUsed
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn is_unused(place: &str, body: &str) -> bool {
        let text = format!("\t.type\tf, @function\nf:\n{body}\t.size\tf, .-f\n");
        let lines: Vec<&str> = text.lines().collect();
        Text::of(&lines).is_unused(2, &Place::of(place).unwrap(), false, 50)
    }

    #[test]
    fn preserved_registers_live_through_calls() {
        assert!(is_unused("%r12", "\tcall\tg@PLT\n\tpopq\t%r12\n\tret\n"));
        assert!(is_unused("%rbp", "\tcall\tg@PLT\n\tmovl\t$1, %ebp\n\tjmp\tg@PLT\n"));
        assert!(!is_unused("%rbx", "\tcall\tg@PLT\n\tmovq\t%rbx, %rdi\n\tcall\th@PLT\n"));
        assert!(!is_unused("%rbx", "\tcall\t*%rbx\n\tret\n"));
        assert!(!is_unused("%r12", "\tmovb\t$1, %r12b\n\taddq\t%r12, %rax\n\tret\n"));
        assert!(!is_unused("%rdx", "\tcall\tg@PLT\n\tret\n"));
    }

    #[test]
    fn exceptions_go_on_elsewhere() {
        let body = "\tcall\tg@PLT\n\tpopq\t%r12\n\tret\n.L9:\n\tmovq\t%r12, %rdi\n\tcall\th\n\
                    \t.uleb128 .L9-.LFB1\n";
        assert!(!is_unused("%r12", body));
        assert!(is_unused(
            "%r12",
            &body.replace("%r12,", "%r13,").replace("h\n", "h\n\t.size\tf\n")
        ));
    }

    #[test]
    fn variables_of_the_stack() {
        assert!(is_unused("24(%rsp)", "\tmovq\t%rax, 24(%rsp)\n\tmovq\t24(%rsp), %rax\n\tret\n"));
        assert!(is_unused("-8(%rbp)", "\tmovq\t-16(%rbp), %rax\n\tcall\tg@PLT\n\tret\n"));
        assert!(!is_unused("-8(%rbp)", "\tcall\tg@PLT\n\tleaq\t-8(%rbp), %rax\n\tret\n"));
        assert!(is_unused("8(%rsp)", "\tleaq\t8(%rsp), %rax\n\tmovq\t%rbx, 8(%rsp)\n\tret\n"));
        assert!(!is_unused("8(%rsp)", "\tmovsd\t8(%rsp), %xmm0\n\tret\n"));
    }
}
