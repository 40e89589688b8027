// SPDX-License-Identifier: BSD-3-Clause
//! Atomic operations, in a compiler's assembly, whose results are not used. Compilers call the same
//! function with and without a use; over hosts, an operation without one needs no answer. So such a
//! call has a bit in the argument that says the order.
//!
//! The result is in `rax`. It is not used if, on all ways from the call on, it is overwritten before an
//! instruction may read it. Where that is not certain, it counts as used: a wrong guess costs time.
//!
//! ThreadSanitizer's own runtime, for which compilers tell of functions' beginnings, knows no such bit.

use super::flow::{called, Place, Text, RAX};
use super::loops::uncommented;
use std::collections::HashSet;

/// Sets the bit: FL_ATOMIC_NO_RESULT of runtime/omp/atomic.c.
pub const MARK: &str = "\torl\t$256, %edx\n";

/// Most lines from the call on.
const LINES_MOST: usize = 200;

/// Lines, counted from 0, of calls of atomic operations whose results are not used. AT&T's syntax.
pub fn unused(lines: &[&str]) -> HashSet<usize> {
    let is_candidate = |line: &&str| operation(line).is_some();
    let is_sanitized = |line: &&str| line.contains("__tsan_func_entry");
    if !lines.iter().any(is_candidate) || lines.iter().any(is_sanitized) {
        return HashSet::new();
    }
    let text = Text::of(lines);
    let result = Place::Register(RAX);
    let mut found = HashSet::new();
    for (number, line) in lines.iter().enumerate() {
        let Some(is_jump) = operation(line) else { continue };
        let returns_nothing = is_outlined(text.function_of(number));
        if match is_jump {
            true => returns_nothing,
            false => text.is_unused(number + 1, &result, returns_nothing, LINES_MOST),
        } {
            found.insert(number);
        }
    }
    found
}

/// The functions that compilers make of a region's or a task's body return nothing. Of others, the
/// assembly does not say.
pub fn is_outlined(function: &str) -> bool {
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
