// SPDX-License-Identifier: BSD-3-Clause
//! The assembler behind the compiler, with each fence turned into a call of the runtime: a fence
//! instruction orders accesses to memory of one host only. What atomic instructions clang has not made
//! calls itself are moved out of their functions, with a call before and after each. Loops that wait
//! until another thread writes (loops.rs) have a call, too; atomic operations whose results are not used
//! say so (results.rs); loops that compare and exchange become calls (updates.rs); and large objects begin
//! on pages (align.rs).

use super::align::Objects;
use super::loops::{self, Part};
use super::{results, updates};
use crate::exit::{self, Refusal};
use crate::text;
use std::io::{Read, Write};
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::process::{Command, Stdio};

/// Fences as gcc writes them, with blanks made equal: whatever the processor is to be, in the
/// syntax of AT&T and of Intel.
const FENCES: &[&str] = &["lock orq $0, (%rsp)", "lock or QWORD PTR [rsp], 0", "mfence"];

/// What is called: not by the procedure linkage table, as who looks up a function when it is first
/// called leaves neither registers nor flags as they were.
const FENCE: &str = "*fl_omp_fence@GOTPCREL(%rip)";
/// In a loop that waits, and after it.
const LOOK: &str = "*fl_omp_look@GOTPCREL(%rip)";
const SEEN: &str = "*fl_omp_seen@GOTPCREL(%rip)";

/// Below the stack pointer a function may have the variables of so many bytes. Stepping over them costs
/// the call alone; `-mno-red-zone` would cost every function that calls no other.
const RED_ZONE: i64 = 128;

fn over_red_zone(function: &str) -> String {
    format!("\tleaq\t-{RED_ZONE}(%rsp), %rsp\n\tcall\t{function}\n\tleaq\t{RED_ZONE}(%rsp), %rsp\n")
}

/// An atomic instruction with an operand in memory, as compilers write them.
struct Atomic {
    /// The text before the operand, and after it.
    before: String,
    after: String,
    displacement: String,
    registers: String,
}

impl Atomic {
    fn parse(line: &str) -> Option<Atomic> {
        let line = line.trim();
        let is_atomic = line.starts_with("lock\t") || line.starts_with("lock ");
        if !is_atomic && !line.starts_with("xchg") {
            return None;
        }
        let (open, close) = (line.find('(')?, line.rfind(')')?);
        let start = line[..open].rfind([' ', '\t', ','])? + 1;
        let displacement = line[start..open].to_string();
        // The thread's own, by a segment register.
        if displacement.contains(':') {
            return None;
        }
        Some(Atomic {
            before: line[..start].to_string(),
            after: line[close + 1..].to_string(),
            displacement,
            registers: line[open..=close].to_string(),
        })
    }

    /// The operand where so many bytes more are on the stack.
    fn operand(&self, more: i64) -> String {
        let at = self.displacement.as_str();
        match (self.registers.contains("%rsp"), if at.is_empty() { Ok(0) } else { at.parse() }) {
            (false, _) => format!("{at}{}", self.registers),
            (true, Ok(number)) => format!("{}{}", number + more, self.registers),
            (true, Err::<i64, _>(_)) => format!("{at}+{more}{}", self.registers),
        }
    }

    /// Where it is instead of in its function, all of whose registers it has.
    fn moved(&self, number: usize) -> String {
        let called = RED_ZONE + 8;
        let (address, operand) = (self.operand(called + 8), self.operand(called));
        let instruction = format!("{}{operand}{}", self.before, self.after);
        format!(
            ".Lfurlong_atomic{number}:\n\tpushq\t%rax\n\tleaq\t{address}, %rax\n\
             \tcall\t*fl_omp_atomic_enter@GOTPCREL(%rip)\n\tpopq\t%rax\n\t{instruction}\n\
             \tcall\t*fl_omp_atomic_leave@GOTPCREL(%rip)\n\tret\n"
        )
    }
}

pub fn run(args: &[String]) -> Result<i32, Refusal> {
    let inputs: Vec<usize> = inputs(args);
    let text = match inputs[..] {
        [] => standard_input()?,
        [input] => std::fs::read(text::os(&args[input])).unwrap_or_default(),
        // Several files, which no compiler gives.
        _ => return Err(become_assembler(args)),
    };
    match rewritten(&String::from_utf8_lossy(&text)) {
        None if !inputs.is_empty() => Err(become_assembler(args)),
        None => feed(args, &text),
        Some(text) => {
            let is_input = |i: &usize| inputs.contains(i);
            let rest = (0..args.len()).filter(|i| !is_input(i)).map(|i| args[i].clone());
            feed(&rest.collect::<Vec<_>>(), text.as_bytes())
        }
    }
}

/// The text with calls in the place of fences and of atomic instructions, and in loops that wait, and
/// with large objects on pages; none if it has none of these.
fn rewritten(text: &str) -> Option<String> {
    let is_fence = |line: &str| {
        let mut words = line.split_whitespace();
        let could_be = matches!(words.next(), Some("lock" | "mfence"));
        could_be && FENCES.contains(&line.split_whitespace().collect::<Vec<_>>().join(" ").as_str())
    };
    let is_intel = text.lines().any(|line| line.trim_start().starts_with(".intel_syntax"));
    let fence = over_red_zone(FENCE);
    let call = match is_intel {
        true => format!("\t.att_syntax prefix\n{fence}\t.intel_syntax noprefix\n"),
        false => fence,
    };
    let lines: Vec<&str> = text.lines().collect();
    let waiting = if is_intel { Default::default() } else { loops::waiting(&lines) };
    let unused = if is_intel { Default::default() } else { results::unused(&lines) };
    let updates = if is_intel { Default::default() } else { updates::replaced(&lines) };
    let mut objects = Objects::of(&lines);
    let mut moved: Vec<Atomic> = Vec::new();
    // The programmer's own instructions stay: omprun finds them.
    let mut in_asm = is_intel;
    let mut changed = !(waiting.is_empty() && unused.is_empty() && updates.is_empty());
    let mut out = String::with_capacity(text.len());
    for (number, line) in lines.into_iter().enumerate() {
        match line.trim() {
            "#APP" => in_asm = true,
            "#NO_APP" => in_asm = is_intel,
            _ => {}
        }
        if !in_asm && unused.contains(&number) {
            out += results::MARK;
        }
        let atomic = if in_asm { None } else { Atomic::parse(line) };
        if let Some(update) = updates.get(&number) {
            out += update;
        } else if is_fence(line) {
            changed = true;
            out += &call;
        } else if let Some(atomic) = atomic {
            out += &over_red_zone(&format!(".Lfurlong_atomic{}", moved.len()));
            moved.push(atomic);
        } else if let Some(part) = waiting.get(&number) {
            out += &waiting_line(line, *part, number);
        } else if let Some(aligned) = objects.aligned(line) {
            changed = true;
            out += &aligned;
        } else {
            out += line;
            out.push('\n');
        }
    }
    if !moved.is_empty() {
        out += "\t.section furlong_atomics,\"ax\",@progbits\n";
        let texts = moved.iter().enumerate().map(|(number, atomic)| atomic.moved(number));
        out.extend(texts);
    }
    (changed || !moved.is_empty()).then_some(out)
}

/// A line of a loop that waits, with the calls that belong there.
fn waiting_line(line: &str, part: Part, number: usize) -> String {
    let seen = over_red_zone(SEEN);
    let jump = line.split_whitespace().next().unwrap_or_default();
    match part {
        Part::Begin => format!("{line}\n{}", over_red_zone(LOOK)),
        Part::End if jump == "jmp" => format!("{line}\n"),
        Part::End => format!("{line}\n{seen}"),
        Part::Exit if jump == "jmp" => format!("{seen}{line}\n"),
        Part::Exit => {
            let target = line.trim_start().trim_start_matches(jump).trim_start();
            let stays = match jump.strip_prefix("jn") {
                Some(condition) => format!("j{condition}"),
                None => format!("jn{}", &jump[1..]),
            };
            let label = format!(".Lfurlong_stays{number}");
            format!("\t{stays}\t{label}\n{seen}\tjmp\t{target}\n{label}:\n")
        }
    }
}

/// Where in the command line the sources are.
fn inputs(args: &[String]) -> Vec<usize> {
    const WITH_VALUE: &[&str] = &["-o", "-I", "--MD", "--defsym", "--debug-prefix-map"];
    let mut inputs = Vec::new();
    let mut i = 0;
    while i < args.len() {
        match &args[i] {
            option if WITH_VALUE.contains(&option.as_str()) => i += 1,
            // Standard input is also what there is without a source.
            option if option.starts_with('-') => {}
            _ => inputs.push(i),
        }
        i += 1;
    }
    inputs
}

fn standard_input() -> Result<Vec<u8>, Refusal> {
    let mut text = Vec::new();
    std::io::stdin().read_to_end(&mut text).map_err(system)?;
    Ok(text)
}

fn become_assembler(args: &[String]) -> Refusal {
    system(Command::new(assembler()).args(args.iter().map(|word| text::os(word))).exec())
}

fn feed(args: &[String], text: &[u8]) -> Result<i32, Refusal> {
    let mut child = Command::new(assembler())
        .args(args.iter().map(|word| text::os(word)))
        .stdin(Stdio::piped())
        .spawn()
        .map_err(system)?;
    if let Some(mut stdin) = child.stdin.take() {
        // One that reads no further says why by itself.
        let _ = stdin.write_all(text);
    }
    let status = child.wait().map_err(system)?;
    Ok(status.code().unwrap_or(exit::SIGNAL_BASE + status.signal().unwrap_or(0)))
}

/// The compiler's own, which it finds if it is not told of the folder of this one.
fn assembler() -> String {
    let compiler = std::env::var("COLLECT_GCC").unwrap_or("gcc".to_string());
    let answer = Command::new(compiler)
        .arg("-print-prog-name=as")
        .env_remove("COMPILER_PATH")
        .stdin(Stdio::null())
        .output();
    let name = answer.map(|a| String::from_utf8_lossy(&a.stdout).trim().to_string());
    name.ok().filter(|name| !name.is_empty()).unwrap_or("as".to_string())
}

fn system(e: std::io::Error) -> Refusal {
    (exit::SYSTEM, format!("cannot assemble: {e}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fences_become_calls_and_nothing_else_does() {
        let text = "f:\n\tlock orq\t$0, (%rsp)\n\torq\t$0, (%rsp)\n\tret\n";
        let fence = over_red_zone(FENCE);
        let expected = format!("f:\n{fence}\torq\t$0, (%rsp)\n\tret\n");
        assert_eq!(rewritten(text), Some(expected));
        assert_eq!(rewritten("\tmovl\t$1, %eax\n"), None);
        let waits = rewritten(".L2:\n\tcmpl\t$0, x(%rip)\n\tje\t.L2\n").unwrap();
        assert!(waits.starts_with(".L2:\n\tleaq\t-128(%rsp), %rsp\n\tcall\t*fl_omp_look@"));
        assert!(waits.contains("\tje\t.L2\n\tleaq\t-128(%rsp), %rsp\n\tcall\t*fl_omp_seen@"));
        let waits = rewritten(".L2:\n\tcmpl\t$0, x\n\tjne\t.L4\n\tjmp\t.L2\n.L4:\n").unwrap();
        assert!(waits.contains("\tje\t.Lfurlong_stays2\n"));
        assert!(waits.ends_with("\tjmp\t.L4\n.Lfurlong_stays2:\n\tjmp\t.L2\n.L4:\n"));
        let intel = rewritten("\t.intel_syntax noprefix\n\tmfence\n").unwrap();
        assert!(intel.contains(".att_syntax prefix\n\tleaq"));
    }

    #[test]
    fn atomic_instructions_are_moved_with_their_operands() {
        let text = "f:\n\tlock\t\tcmpxchgq\t%rcx, 8(%rdi,%rax)\n\tje\tf\n";
        let out = rewritten(text).unwrap();
        let (body, moved) = out.split_once("\t.section furlong_atomics").unwrap();
        assert!(body.contains("\tcall\t.Lfurlong_atomic0\n") && !body.contains("lock"));
        assert!(moved.contains("\tleaq\t8(%rdi,%rax), %rax\n"));
        assert!(moved.contains("\tlock\t\tcmpxchgq\t%rcx, 8(%rdi,%rax)\n"));
        assert!(rewritten("\txchgb\t%al, (%rsp)\n").unwrap().contains("leaq\t144(%rsp), %rax"));
        let out = rewritten("\tlock\tdecl\t12(%rsp)\n").unwrap();
        assert!(out.contains("leaq\t156(%rsp), %rax") && out.contains("decl\t148(%rsp)"));
        assert_eq!(rewritten("\tlock\tdecl\t%fs:x@tpoff(%rax)\n"), None);
        assert_eq!(rewritten("#APP\n\tlock\tdecl\t(%rax)\n#NO_APP\n"), None);
        assert_eq!(rewritten("\txchgl\t%eax, %ebx\n"), None);
    }

    #[test]
    fn the_source_is_what_is_no_option() {
        let args = ["--64", "-o", "x.s", "-I", "inc", "/tmp/a.s"].map(String::from);
        assert_eq!(inputs(&args), [5]);
        assert!(inputs(&["-o".into(), "x.o".into(), "-".into()]).is_empty());
    }
}
