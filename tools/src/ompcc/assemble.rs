// SPDX-License-Identifier: BSD-3-Clause
//! The assembler behind the compiler, with each fence turned into a call of the runtime: a fence
//! instruction orders accesses to memory of one host only.

use crate::exit::{self, Refusal};
use std::io::{Read, Write};
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::process::{Command, Stdio};

/// Fences as gcc writes them, with blanks made equal: whatever the processor is to be, in the
/// syntax of AT&T and of Intel.
const FENCES: &[&str] = &["lock orq $0, (%rsp)", "lock or QWORD PTR [rsp], 0", "mfence"];

/// Below the stack pointer a function may have the variables of 128 bytes, the red zone. Stepping
/// over them costs the fence alone; `-mno-red-zone` would cost every function that calls no other.
const CALL: &str = "\tleaq\t-128(%rsp), %rsp\n\tcall\tfl_omp_fence@PLT\n\tleaq\t128(%rsp), %rsp\n";

pub fn run(args: &[String]) -> Result<i32, Refusal> {
    let inputs: Vec<usize> = inputs(args);
    let text = match inputs[..] {
        [] => standard_input()?,
        [input] => std::fs::read(&args[input]).unwrap_or_default(),
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

/// The text with calls in the place of fences; none if it has no fence.
fn rewritten(text: &str) -> Option<String> {
    let is_fence = |line: &str| {
        let mut words = line.split_whitespace();
        let could_be = matches!(words.next(), Some("lock" | "mfence"));
        could_be && FENCES.contains(&line.split_whitespace().collect::<Vec<_>>().join(" ").as_str())
    };
    if !text.lines().any(is_fence) {
        return None;
    }
    let is_intel = text.lines().any(|line| line.trim_start().starts_with(".intel_syntax"));
    let call = match is_intel {
        true => format!("\t.att_syntax prefix\n{CALL}\t.intel_syntax noprefix\n"),
        false => CALL.to_string(),
    };
    let line = |line| if is_fence(line) { call.clone() } else { format!("{line}\n") };
    Some(text.lines().map(line).collect())
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
    system(Command::new(assembler()).args(args).exec())
}

fn feed(args: &[String], text: &[u8]) -> Result<i32, Refusal> {
    let mut child =
        Command::new(assembler()).args(args).stdin(Stdio::piped()).spawn().map_err(system)?;
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
        let text = "f:\n\tlock orq\t$0, (%rsp)\n\tlock orq\t$0, 8(%rsp)\n\tret\n";
        let expected = format!("f:\n{CALL}\tlock orq\t$0, 8(%rsp)\n\tret\n");
        assert_eq!(rewritten(text), Some(expected));
        assert_eq!(rewritten("\tmovl\t$1, %eax\n"), None);
        let intel = rewritten("\t.intel_syntax noprefix\n\tmfence\n").unwrap();
        assert!(intel.contains(".att_syntax prefix\n\tleaq"));
    }

    #[test]
    fn the_source_is_what_is_no_option() {
        let args = ["--64", "-o", "x.s", "-I", "inc", "/tmp/a.s"].map(String::from);
        assert_eq!(inputs(&args), [5]);
        assert!(inputs(&["-o".into(), "x.o".into(), "-".into()]).is_empty());
    }
}
