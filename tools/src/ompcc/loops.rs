// SPDX-License-Identifier: BSD-3-Clause
//! Loops, in a compiler's assembly, that read memory until another thread changes it. On one host the
//! change comes by itself. Over several, somebody must ask: such a loop has a call where it begins, and
//! where it ends, as what the other thread has written before shall be seen, too.
//!
//! A loop is taken for one if it only reads memory and sleeps, and leaves nothing in a register for its
//! next time around: then it goes on as long as memory stays the same.

use std::collections::{HashMap, HashSet};
use std::ops::RangeInclusive;

/// Most lines of one.
const LINES_MOST: usize = 60;

/// Functions that such loops call: most of them sleep.
const CALLED: &[&str] = &[
    "usleep",
    "nanosleep",
    "sleep",
    "sched_yield",
    "thrd_yield",
    "thrd_sleep",
    "clock_nanosleep",
    "omp_get_thread_num",
    "omp_get_num_threads",
    "omp_get_wtime",
];

/// What a line of such a loop is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Part {
    /// The label at which it begins.
    Begin,
    /// A jump that may leave it.
    Exit,
    /// The jump to its begin; what comes after it is outside.
    End,
}

/// Lines, counted from 0, of loops that wait. AT&T's syntax.
pub fn waiting(lines: &[&str]) -> HashMap<usize, Part> {
    let mut labels: HashMap<&str, usize> = HashMap::new();
    let mut found = HashMap::new();
    for (number, line) in lines.iter().enumerate() {
        let line = uncommented(line);
        if let Some(label) = line.strip_suffix(':') {
            labels.insert(label, number);
        } else if let Some(&start) = jump_target(line).and_then(|target| labels.get(target)) {
            if number - start > LINES_MOST {
                continue;
            }
            let body = executed(lines, start..=number);
            if body.contains(&number) && only_waits(body.iter().map(|&n| lines[n])) {
                let exits = body.iter().filter(|&&n| leaves(lines, &body, n));
                found.extend(exits.map(|&exit| (exit, Part::Exit)));
                found.insert(start, Part::Begin);
                found.insert(number, Part::End);
            }
        }
    }
    found
}

pub(super) fn uncommented(line: &str) -> &str {
    line.split('#').next().unwrap_or_default().trim()
}

pub(super) fn jump_target(line: &str) -> Option<&str> {
    let (mnemonic, target) = line.split_once(char::is_whitespace)?;
    (mnemonic.starts_with('j') && !target.trim().starts_with('*')).then(|| target.trim())
}

/// The lines that are executed from the first on without leaving these, whose last one jumps back.
fn executed(lines: &[&str], range: RangeInclusive<usize>) -> Vec<usize> {
    let mut targets = HashSet::new();
    let mut live = true;
    let mut all = Vec::new();
    for number in range {
        let line = uncommented(lines[number]);
        live |= line.strip_suffix(':').is_some_and(|label| targets.contains(label));
        if !live {
            continue;
        }
        all.push(number);
        targets.extend(jump_target(line));
        live = !line.starts_with("jmp");
    }
    all
}

fn leaves(lines: &[&str], body: &[usize], number: usize) -> bool {
    let is_inside =
        |target| body.iter().any(|&n| uncommented(lines[n]).strip_suffix(':') == Some(target));
    jump_target(uncommented(lines[number])).is_some_and(|target| !is_inside(target))
}

/// What an instruction does with registers.
#[derive(Default)]
struct Effect {
    reads: Vec<u16>,
    writes: Vec<u16>,
    loads: bool,
}

impl Effect {
    /// Of a function that is called.
    fn call() -> Effect {
        const CHANGED: [&str; 9] =
            ["%rax", "%rcx", "%rdx", "%rsi", "%rdi", "%r8", "%r9", "%r10", "%r11"];
        let writes = CHANGED.iter().filter_map(|name| register(name)).collect();
        Effect { writes, ..Effect::default() }
    }

    fn take(&mut self, operand: &str, loads: bool) {
        // Compilers' constants do not change.
        self.loads |= loads && !operand.starts_with(['%', '$']) && !operand.starts_with(".LC");
        self.reads.extend(operand.split(['(', ')', ',', ':', '*']).filter_map(register));
    }
}

fn only_waits<'a>(body: impl Iterator<Item = &'a str>) -> bool {
    let (mut written, mut read_first) = (HashSet::new(), HashSet::new());
    let mut loads = false;
    for line in body {
        let line = uncommented(line);
        let aside = line.is_empty() || line.starts_with('.') || line.ends_with(':');
        if aside || jump_target(line).is_some() {
            continue;
        }
        let Some(effect) = effect(line) else { return false };
        loads |= effect.loads;
        read_first.extend(effect.reads.into_iter().filter(|r| !written.contains(r)));
        written.extend(effect.writes);
    }
    loads && written.is_disjoint(&read_first)
}

/// None: it does more than read memory and calculate.
fn effect(line: &str) -> Option<Effect> {
    let (mnemonic, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
    let is = |begins: &[&str]| begins.iter().any(|begin| mnemonic.starts_with(begin));
    if is(&["nop", "pause", "rep", "endbr"]) {
        let waits = !is(&["rep"]) || rest.trim_start_matches([';', ' ', '\t']) == "nop";
        return waits.then(Effect::default);
    }
    if ["cltq", "cwtl", "cbtw"].contains(&mnemonic) {
        let a = register("%rax");
        return Some(Effect {
            reads: a.into_iter().collect(),
            writes: a.into_iter().collect(),
            loads: false,
        });
    }
    if is(&["call"]) {
        let name = rest.trim_start_matches('*').split('@').next().unwrap_or_default();
        return CALLED.contains(&name).then(Effect::call);
    }
    let operands = operands(rest);
    let (last, sources) = operands.split_last()?;
    // `cmpxchg` and the vectors' comparisons begin so, too.
    let compares = ["cmp", "cmpb", "cmpw", "cmpl", "cmpq"].contains(&mnemonic)
        || is(&["test", "ucomis", "comis", "vucomis", "vcomis"]);
    let copies = is(&["mov", "vmov", "lea", "set"]) && !is(&["movnt"]);
    let calculates = is(&[
        "add", "sub", "and", "or", "xor", "sal", "sar", "shl", "shr", "not", "neg", "inc", "dec",
        "imul", "cmov",
    ]);
    if !compares && !copies && !calculates {
        return None;
    }
    let mut effect = Effect::default();
    for operand in sources {
        effect.take(operand, !is(&["lea"]));
    }
    if compares {
        effect.take(last, true);
    } else {
        // What would change memory is no register.
        effect.writes.push(register(last)?);
        let clears = is(&["xor", "sub"]) && sources == [*last];
        if clears {
            effect.reads.clear();
        } else if calculates {
            effect.reads.extend(&effect.writes);
        }
    }
    Some(effect)
}

/// Split at commas that are not in parentheses.
pub(super) fn operands(text: &str) -> Vec<&str> {
    let mut depth = 0;
    let split = text.split(|c: char| {
        depth += i32::from(c == '(') - i32::from(c == ')');
        c == ',' && depth == 0
    });
    split.map(str::trim).filter(|text| !text.is_empty()).collect()
}

/// The register that a name is the whole of, or a part.
pub(super) fn register(name: &str) -> Option<u16> {
    const OLD: [&str; 8] = ["ax", "bx", "cx", "dx", "si", "di", "bp", "sp"];
    const VECTORS: u16 = 100;
    let name = name.trim().strip_prefix('%')?;
    for kind in ["xmm", "ymm", "zmm"] {
        if let Some(number) = name.strip_prefix(kind) {
            return number.parse::<u16>().ok().map(|n| VECTORS + n);
        }
    }
    let wide = name.trim_start_matches(['r', 'e']);
    if let Some(i) = OLD.iter().position(|old| wide == *old || name.strip_suffix('l') == Some(old))
    {
        return Some(i as u16);
    }
    match name {
        "al" | "ah" => return Some(0),
        "bl" | "bh" => return Some(1),
        "cl" | "ch" => return Some(2),
        "dl" | "dh" => return Some(3),
        _ => {}
    }
    name.strip_prefix('r')?.trim_end_matches(['b', 'w', 'd']).parse::<u16>().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn is_waiting(body: &str) -> bool {
        let text = format!("f:\n.L2:\n{body}\tret\n");
        let lines: Vec<&str> = text.lines().collect();
        waiting(&lines).get(&1) == Some(&Part::Begin)
    }

    #[test]
    fn loops_that_wait_for_memory() {
        for body in [
            "\tmovl\trelease(%rip), %eax\n\ttestl\t%eax, %eax\n\tje\t.L2\n",
            "\tcmpl\t$0, release\n\tjne\t.L3\n# %bb.2:  #   in Loop\n\tjmp\t.L2\n",
            "\tmovq\t-8(%rbp), %rax\n\tmovl\t(%rax), %eax\n\tcmpl\t-12(%rbp), %eax\n\tjl\t.L2\n",
            "\tmovl\t-4(%rbp), %eax\n\tcltq\n\tleaq\t0(,%rax,4), %rdx\n\tleaq\tflags(%rip), %rax\n\
             \tmovl\t(%rdx,%rax), %eax\n\ttestl\t%eax, %eax\n\tjne\t.L2\n",
            "\tpause\n\tmovzbl\t(%rdi), %eax\n\txorl\t$1, %eax\n\ttestb\t%al, %al\n\tjne\t.L2\n",
            "\tmovl\t$10, %edi\n\tcall\tusleep@PLT\n\tmovl\t(%rbx), %eax\n\ttestl\t%eax, %eax\n\tje\t.L2\n",
            "#APP\n\trep; nop\n#NO_APP\n\tmovsd\t(%rdi), %xmm0\n\tucomisd\t%xmm1, %xmm0\n\tjp\t.L2\n",
        ] {
            assert!(is_waiting(body), "{body}");
        }
    }

    #[test]
    fn where_loops_end() {
        let lines = [".L2:", "\tcmpl\t$0, x", "\tjne\t.L4", ".L3:", "\tjmp\t.L2", ".L4:"];
        let mut parts: Vec<_> = waiting(&lines).into_iter().collect();
        parts.sort_by_key(|(line, _)| *line);
        assert_eq!(parts, [(0, Part::Begin), (2, Part::Exit), (4, Part::End)]);
    }

    #[test]
    fn loops_that_do_something() {
        for body in [
            "\tmovq\t(%rax), %rax\n\ttestq\t%rax, %rax\n\tjne\t.L2\n",
            "\taddl\t(%rdi), %eax\n\taddq\t$4, %rdi\n\tcmpq\t%rsi, %rdi\n\tjne\t.L2\n",
            "\tcmpb\t$0, (%rdi,%rax)\n\tleaq\t1(%rax), %rax\n\tjne\t.L2\n",
            "\tmovl\tx(%rip), %eax\n\tcall\tg\n\ttestl\t%eax, %eax\n\tje\t.L2\n",
            "\tmovl\tx(%rip), %eax\n\tmovl\t%eax, y(%rip)\n\tjmp\t.L2\n",
            "\taddl\t$1, -4(%rbp)\n\tcmpl\t$9, -4(%rbp)\n\tjle\t.L2\n",
            "\tsubl\t$1, %ecx\n\tjne\t.L2\n",
            "\tmovss\t.LC2(%rip), %xmm0\n\ttestb\t$1, %cl\n\tje\t.L2\n",
            "\tleaq\te(%rip), %rdi\n\tjmp\tg\n.L3:\n\tcmpl\t$2, (%rcx)\n\tjne\t.L2\n",
            "\tcmpxchgl\t%ecx, x(%rip)\n\tjne\t.L2\n",
            "\trep movsb\n\tcmpl\t$0, x(%rip)\n\tje\t.L2\n",
            "\tlock\taddl\t$1, x(%rip)\n\tje\t.L2\n",
        ] {
            assert!(!is_waiting(body), "{body}");
        }
    }

    #[test]
    fn parts_of_registers() {
        for part in ["%rax", "%eax", "%ax", "%al", "%ah"] {
            assert_eq!(register(part), Some(0));
        }
        for part in ["%r10", "%r10d", "%r10w", "%r10b"] {
            assert_eq!(register(part), Some(10));
        }
        assert_eq!(register("%sil"), register("%rsi"));
        assert_eq!(register("%bpl"), register("%rbp"));
        assert_eq!(register("%ymm3"), register("%xmm3"));
        assert_eq!([register("%rip"), register("$1"), register("x")], [None; 3]);
    }
}
