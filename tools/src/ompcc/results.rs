// SPDX-License-Identifier: BSD-3-Clause
//! Atomic operations, in a compiler's assembly, whose results are not used. Compilers call the same
//! function with and without a use; over hosts, an operation without one needs no answer. So such a
//! call has a bit in the argument that says the order.
//!
//! The result is in `rax`. It is not used if, on all ways from the call on, it is overwritten before an
//! instruction may read it. Where that is not certain, it counts as used: a wrong guess costs time.
//!
//! ThreadSanitizer's own runtime, for which compilers tell of functions' beginnings, knows no such bit.

use super::loops::{jump_target, operands, register, uncommented};
use std::collections::{HashMap, HashSet};

/// Sets the bit: FL_ATOMIC_NO_RESULT of runtime/omp/atomic.c.
pub const MARK: &str = "\torl\t$256, %edx\n";

/// Most lines from the call on.
const LINES_MOST: usize = 200;

const RAX: u16 = 0;

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
/// Instructions whose last operand is only written.
const WRITES: &[&str] = &["mov", "lea", "pop", "cvt", "vmov", "vcvt"];

/// What an instruction does with the result.
#[derive(PartialEq)]
enum Fate {
    Stays,
    Ends,
    MayBeUsed,
}

/// Lines, counted from 0, of calls of atomic operations whose results are not used. AT&T's syntax.
pub fn unused(lines: &[&str]) -> HashSet<usize> {
    let is_candidate = |line: &&str| operation(line).is_some();
    let is_sanitized = |line: &&str| line.contains("__tsan_func_entry");
    if !lines.iter().any(is_candidate) || lines.iter().any(is_sanitized) {
        return HashSet::new();
    }
    let text = Text::of(lines);
    let mut found = HashSet::new();
    let mut function = "";
    for (number, line) in lines.iter().enumerate() {
        let label = uncommented(line).strip_suffix(':');
        if let Some(name) = label.filter(|name| text.functions.contains(name)) {
            function = name;
        }
        let Some(is_jump) = operation(line) else { continue };
        let returns_nothing = is_outlined(function);
        if if is_jump { returns_nothing } else { text.is_unused_after(number, returns_nothing) } {
            found.insert(number);
        }
    }
    found
}

/// The functions that compilers make of a region's or a task's body return nothing. Of others, the
/// assembly does not say.
fn is_outlined(function: &str) -> bool {
    function.contains("._omp_fn.") || function.contains(".omp_outlined")
}

/// Whether a line calls, or jumps to, an atomic operation that reads memory and writes it.
fn operation(line: &str) -> Option<bool> {
    let line = uncommented(line);
    let (mnemonic, rest) = line.split_once(char::is_whitespace)?;
    let is_jump = mnemonic == "jmp";
    if !is_jump && !mnemonic.starts_with("call") {
        return None;
    }
    let name = called(rest);
    let is_operation = |rest: &str| {
        let mut words: Vec<&str> = rest.split('_').collect();
        words.retain(|word| *word != "fetch");
        matches!(words[..], ["add" | "sub" | "and" | "or" | "xor" | "nand"])
    };
    let gcc = name.strip_prefix("__atomic_").and_then(|rest| rest.rsplit_once('_'));
    let llvm = name.strip_prefix("__tsan_atomic").and_then(|rest| rest.split_once('_'));
    let fits = gcc
        .is_some_and(|(name, bytes)| matches!(bytes, "1" | "2" | "4" | "8") && is_operation(name))
        || llvm.is_some_and(|(bits, name)| {
            matches!(bits, "8" | "16" | "32" | "64") && is_operation(name)
        });
    fits.then_some(is_jump)
}

fn called(operand: &str) -> &str {
    operand.trim().trim_start_matches('*').split(['@', '(']).next().unwrap_or_default()
}

struct Text<'a> {
    lines: &'a [&'a str],
    labels: HashMap<&'a str, usize>,
    functions: HashSet<&'a str>,
}

impl<'a> Text<'a> {
    fn of(lines: &'a [&'a str]) -> Text<'a> {
        let label = |(number, line): (usize, &&'a str)| {
            Some((uncommented(line).strip_suffix(':')?, number))
        };
        let function = |line: &&'a str| {
            let (name, kind) = uncommented(line).strip_prefix(".type")?.split_once(',')?;
            (kind.trim() == "@function").then_some(name.trim())
        };
        let labels = lines.iter().enumerate().filter_map(label).collect();
        Text { lines, labels, functions: lines.iter().filter_map(function).collect() }
    }

    fn is_unused_after(&self, call: usize, returns_nothing: bool) -> bool {
        let mut ways = vec![call + 1];
        let mut seen = HashSet::new();
        while let Some(number) = ways.pop() {
            if !seen.insert(number) {
                continue;
            }
            let Some(line) = self.lines.get(number).filter(|_| seen.len() <= LINES_MOST) else {
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
                "ret" | "retq" if returns_nothing => {}
                _ if mnemonic.starts_with('j') => {
                    let Some(target) = jump_target(line) else { return false };
                    match self.labels.get(target).filter(|_| !self.functions.contains(target)) {
                        Some(&label) => ways.push(label),
                        None if mnemonic == "jmp" && self.ends_at(target) => {}
                        None => return false,
                    }
                    if mnemonic != "jmp" {
                        ways.push(number + 1);
                    }
                }
                _ => match self.fate(line, mnemonic) {
                    Fate::Stays => ways.push(number + 1),
                    Fate::Ends => {}
                    Fate::MayBeUsed => return false,
                },
            }
        }
        true
    }

    /// Whether a function is elsewhere, and so leaves nothing of its caller's in rax, nor reads it:
    /// it may have another convention with callers in its own file.
    fn ends_at(&self, operand: &str) -> bool {
        let name = called(operand);
        !operand.contains("%rax") && !self.labels.contains_key(name) && !name.starts_with("__x86_")
    }

    fn fate(&self, line: &str, mnemonic: &str) -> Fate {
        const ASIDE: &[&str] = &[".p2align", ".loc", ".cfi_", ".align"];
        let is = |begins: &[&str]| begins.iter().any(|begin| mnemonic.starts_with(begin));
        if line.is_empty() || line.ends_with(':') {
            // The next function begins.
            let is_function =
                line.strip_suffix(':').is_some_and(|name| self.functions.contains(name));
            return if is_function { Fate::MayBeUsed } else { Fate::Stays };
        }
        if mnemonic.starts_with('.') {
            let stays = is(ASIDE) && !is(&[".cfi_endproc"]);
            return if stays { Fate::Stays } else { Fate::MayBeUsed };
        }
        let rest = line[mnemonic.len()..].trim();
        if mnemonic.starts_with("call") {
            return if self.ends_at(rest) { Fate::Ends } else { Fate::MayBeUsed };
        }
        let is_arithmetic = is(&["mul", "div", "max", "min"]) && mnemonic.len() == 5;
        let operands = operands(rest);
        let is_product = is(&["imul"]) && operands.len() > 1;
        if is(IMPLICIT) || !(is(EXPLICIT) || is_arithmetic || is_product) {
            return Fate::MayBeUsed;
        }
        let names = |operand: &&str| {
            operand.split(['(', ')', ',', ':', '*']).any(|name| register(name) == Some(RAX))
        };
        let Some((last, sources)) = operands.split_last() else { return Fate::Stays };
        if !operands.iter().any(names) {
            return Fate::Stays;
        }
        let is_whole = matches!(*last, "%rax" | "%eax");
        let clears = is(&["xor", "sub"]) && sources == [*last];
        let writes = is(WRITES) && !sources.iter().any(names);
        if is_whole && (clears || writes) {
            Fate::Ends
        } else {
            Fate::MayBeUsed
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn is_unused(name: &str, body: &str) -> bool {
        let text = format!(
            "\t.type\t{name}, @function\n{name}:\n.L1:\n\tcall\t__atomic_fetch_add_4@PLT\n{body}"
        );
        unused(&text.lines().collect::<Vec<_>>()).contains(&3)
    }

    #[test]
    fn results_that_are_overwritten() {
        for body in [
            "\tmovq\t16(%rsp), %rax\n\tret\n",
            "\taddl\t$1, %ebx\n\tcmpl\t%ebx, %r14d\n\tjne\t.L1\n\txorl\t%eax, %eax\n\tret\n",
            "\tmovsd\t(%rbx), %xmm0\n\tmulsd\t%xmm1, %xmm0\n\tcall\tg@PLT\n",
            "\timull\t$3, %ecx, %edx\n\tleaq\t(%rdi,%rdx,4), %rax\n",
            "\tincl\t%ebp\n# %bb.2:                # in Loop\n\tleaq\tx(%rip), %rax # x\n",
            "\tjmp\tg@PLT\n",
        ] {
            let body = body.replace("jne\t.L1", "jne\t.L2").replace("\txorl", ".L2:\n\txorl");
            assert!(is_unused("f", &body), "{body}");
        }
        // Around the loop, to the call itself, which overwrites it.
        let round = "\taddq\t$4, %rdi\n\tjmp\t.L1\n";
        assert!(is_unused("f", round));
        assert!(is_unused("f._omp_fn.0", "\tjne\t.L1\n\tpopq\t%rbx\n\tret\n"));
        let commented = "f.omp_outlined:  # @f.omp_outlined\n.L1:  # =>Loop\n\tcallq\t__tsan_atomic32_fetch_add@PLT\n\tjne\t.L1\n\tretq\n";
        let lines: Vec<&str> = commented.lines().collect();
        assert!(unused(&[&["\t.type\tf.omp_outlined,@function  # -- Begin"], &lines[..]].concat())
            .contains(&3));
    }

    #[test]
    fn results_that_may_be_used() {
        for body in [
            "\tret\n",
            "\tmovl\t%eax, %ebx\n\tret\n",
            "\tmovq\t(%rbx,%rax,8), %rax\n",
            "\tcltq\n",
            "\tcltd\n\tidivl\t%ebx\n",
            "\tmull\t%ebx\n",
            "\tcmpxchgl\t%ecx, (%rdi)\n",
            "\tmovb\t$1, %al\n",
            "\tsete\t%al\n",
            "\taddl\t$1, %eax\n",
            "\tcmovel\t%ebx, %eax\n",
            "\tcall\t*%rax\n",
            "\tcall\tf\n\tmovl\t%eax, %ebx\n",
            "\tcall\t__x86_indirect_thunk_rax\n",
            "\trep stosq\n",
            "#APP\n\tnop\n#NO_APP\n\txorl\t%eax, %eax\n",
            "\tjmp\t*%rcx\n",
            "\ttestl\t%ebx, %ebx\n\tje\t.L2\n\txorl\t%eax, %eax\n\tret\n.L2:\n\tret\n",
            "\t.size\tf, .-f\n",
        ] {
            assert!(!is_unused("f", body), "{body}");
        }
        assert!(!is_unused("f._omp_fn.0", "\tmovl\t%eax, (%rdi)\n\tret\n"));
    }

    #[test]
    fn none_for_the_sanitizer() {
        let text = "f:\n\tcall\t__tsan_func_entry@PLT\n\tcall\t__tsan_atomic32_fetch_add@PLT\n\txorl\t%eax, %eax\n";
        assert!(unused(&text.lines().collect::<Vec<_>>()).is_empty());
        let text = text.replace("func_entry", "entry");
        assert_eq!(unused(&text.lines().collect::<Vec<_>>()), HashSet::from([2]));
    }

    #[test]
    fn operations() {
        let is = |line| operation(line).is_some();
        assert!(is("\tcall\t__atomic_fetch_add_4@PLT") && is("\tcallq\t__atomic_or_fetch_8"));
        assert!(is("\tcall\t*__atomic_fetch_xor_1@GOTPCREL(%rip)"));
        assert!(is("\tcallq\t__tsan_atomic32_fetch_add@PLT"));
        assert_eq!(operation("\tjmp\t__atomic_fetch_nand_2@PLT"), Some(true));
        for line in [
            "\tcall\t__atomic_load_4@PLT",
            "\tcall\t__atomic_fetch_add_16@PLT",
            "\tcall\t__atomic_compare_exchange_4@PLT",
            "\tcall\t__tsan_atomic128_fetch_add",
            "\tcall\t__atomic_fetch_add",
            "\tleaq\t__atomic_fetch_add_4(%rip), %rdi",
        ] {
            assert!(!is(line), "{line}");
        }
    }
}
