// SPDX-License-Identifier: BSD-3-Clause
//! Damaged programs: whatever the text, the parser ends, does not panic, and its spans hold.
//!
//! Deterministic: the seeds are fixed, so a failure can be repeated.

use super::{on_big_stack, parse_upc};
use std::time::{Duration, Instant};

/// More than this for one small text is a hang.
const BUDGET: Duration = Duration::from_secs(2);

const PROGRAMS: &[&str] = &[
    "# 1 \"a.upc\"\n# 1 \"/usr/include/stdio.h\" 1 3 4\nextern int printf(const char *__restrict f, ...) __attribute__((__format__(printf, 1, 2)));\n# 2 \"a.upc\" 2\n#pragma upc strict\nshared [4] int a[4*THREADS], *p; typedef struct node { shared struct node *next; int v : 3; } node_t;\nint main(int argc, char **argv) {\n#pragma upc relaxed\n    upc_forall (int i = 0; i < 4*THREADS; i++; &a[i]) { a[i] = i * 2 + MYTHREAD; }\n    upc_barrier 1; upc_notify; upc_wait; upc_fence;\n    for (int j = 0; j < 3; j++) { if (j) continue; else if (!j) break; else printf(\"%d\\n\", (int)a[j]); }\n    switch (argc) { case 1 ... 3: case 4: argc++; default: ; }\n    return upc_localsizeof(a) + sizeof (node_t);\n}\n",
    "typedef int T; static inline T f(T (*g)(int, ...), int a[static 3]) { T T = ({ int b = a[0]; b; }); do { T--; } while (T > 0 ? g(T, 1.5e3f, 'x', L\"w\" \"v\") : T); lab: goto *&&lab; __asm__ volatile (\"nop\" : \"=r\"(T) : [i] \"r\"(a) : \"cc\"); return _Generic(T, int: 1, default: 2); }\nint kr(x, y) int x; char *y; { return __builtin_offsetof(struct s { int q; }, q) + (struct s){ .q = 1, }.q; }\nint arr[] = { [0] = 1, [2 ... 3] = 4, 5 }; enum e { A = 1, B, C = A << 2 }; union { int a; struct { char b[4]; }; } u = { a: 3 };\n_Static_assert(sizeof(int) == 4, \"x\"); [[deprecated]] _Alignas(8) _Atomic(int) at; __extension__ typedef unsigned long long ull __attribute__((mode(DI)));\n",
    "void f(void) { barrier; forall (i = 0; i < 3; i++; i) { } wait; int shared; a = ; ) } struct { int x y; }; foo_t z; enum { 3 }; \"abc\n '",
];

/// xorshift64*
struct Random(u64);

impl Random {
    fn below(&mut self, n: usize) -> usize {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        (self.0.wrapping_mul(0x2545_f491_4f6c_dd1d) >> 33) as usize % n.max(1)
    }
}

fn survive(text: &str) {
    let start = Instant::now();
    parse_upc(text);
    assert!(start.elapsed() < BUDGET, "too slow:\n{text}");
}

fn words(text: &str) -> Vec<&str> {
    let mut words = Vec::new();
    let mut rest = text;
    while let Some(c) = rest.chars().next() {
        let len = match c.is_alphanumeric() || c == '_' {
            true => rest.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(rest.len()),
            false => c.len_utf8(),
        };
        words.push(&rest[..len]);
        rest = &rest[len..];
    }
    words
}

#[test]
fn truncated_at_every_byte() {
    on_big_stack(|| {
        for program in PROGRAMS {
            for len in 0..program.len() {
                survive(&program[..len]);
                survive(&program[len..]);
            }
        }
    });
}

#[test]
fn words_deleted_doubled_and_swapped() {
    on_big_stack(|| {
        let mut random = Random(0x5eed_0001);
        let vocabulary =
            words(&PROGRAMS.concat()).into_iter().map(String::from).collect::<Vec<_>>();
        for program in PROGRAMS {
            for _ in 0..700 {
                let mut list: Vec<String> = words(program).into_iter().map(String::from).collect();
                for _ in 0..=random.below(4) {
                    let (at, other) = (random.below(list.len()), random.below(list.len()));
                    match random.below(5) {
                        0 => drop(list.remove(at)),
                        1 => list.insert(at, list[other].clone()),
                        2 => list.swap(at, other),
                        3 => list[at] = vocabulary[random.below(vocabulary.len())].clone(),
                        _ => list
                            .insert(at, ["(", ")", "{", "}", ";", "[", "*", ","][other % 8].into()),
                    }
                }
                survive(&list.concat());
            }
        }
    });
}

#[test]
fn bytes_flipped() {
    on_big_stack(|| {
        let mut random = Random(0x5eed_0002);
        for program in PROGRAMS {
            for _ in 0..700 {
                let mut bytes = program.as_bytes().to_vec();
                for _ in 0..=random.below(8) {
                    let at = random.below(bytes.len());
                    bytes[at] = random.below(256) as u8;
                }
                survive(&String::from_utf8_lossy(&bytes));
            }
        }
    });
}

#[test]
fn binary_junk() {
    on_big_stack(|| {
        let mut random = Random(0x5eed_0003);
        for len in [10, 1000, 100_000] {
            let bytes: Vec<u8> = (0..len).map(|_| random.below(256) as u8).collect();
            survive(&String::from_utf8_lossy(&bytes));
            let ascii: String = bytes.iter().map(|b| (b % 95 + 32) as char).collect();
            survive(&ascii);
        }
        survive(&"\0".repeat(100_000));
        survive(&"#".repeat(100_000));
        survive(&"# 1 \"".repeat(10_000));
        survive(&"#pragma upc\n".repeat(1_000));
    });
}
