// SPDX-License-Identifier: BSD-3-Clause
//! One to four changes to a program. Most keep it likely to be accepted, so that the phases after
//! the parser have work too.

use crate::corpus::{by_class, Seed};
use crate::random::Random;
use crate::tokens::{class, statement, subtree, Class, Token};
use std::collections::HashMap;

/// Longer inputs only cost time.
const MAX_BYTES: usize = 64 << 10;

const WORDS: &[&str] = &[
    "shared ",
    "strict ",
    "relaxed ",
    "shared [] ",
    "shared [*] ",
    "shared [3] ",
    "[*] ",
    "[] ",
    "[",
    "] ",
    "(",
    ") ",
    "{ ",
    "} ",
    "* ",
    "; ",
    ", ",
    ": ",
    "THREADS ",
    "MYTHREAD ",
    "upc_forall ",
    "upc_barrier ",
    "upc_notify ",
    "upc_wait ",
    "upc_fence ",
    "sizeof ",
    "upc_blocksizeof ",
    "upc_localsizeof ",
    "upc_elemsizeof ",
    "_Alignof ",
    "typedef ",
    "struct ",
    "union ",
    "enum ",
    "static ",
    "extern ",
    "const ",
    "volatile ",
    "_Atomic ",
    "void ",
    "int ",
    "char ",
    "double ",
    "long ",
    "_Bool ",
    "_Complex ",
    "__int128 ",
    "x ",
    "& ",
    "++ ",
    "-- ",
    "= ",
    "+= ",
    "? ",
    ". ",
    "-> ",
    "if ",
    "else ",
    "for ",
    "while ",
    "do ",
    "switch ",
    "case ",
    "default ",
    "break ",
    "continue ",
    "return ",
    "goto ",
    "asm ",
    "_Generic ",
    "__typeof__ ",
    "__auto_type ",
    "_Static_assert ",
    "__attribute__ ",
    "__extension__ ",
    "_Alignas ",
    "inline ",
    "__builtin_offsetof ",
    "__builtin_va_arg ",
    "__label__ ",
    "\"text\" ",
    "'c' ",
    "... ",
    "&& ",
];

const NUMBERS: &[&str] = &[
    "0 ",
    "1 ",
    "-1 ",
    "2 ",
    "63 ",
    "64 ",
    "65 ",
    "127 ",
    "128 ",
    "255 ",
    "65536 ",
    "262143 ",
    "262144 ",
    "2147483647 ",
    "2147483648 ",
    "4294967295 ",
    "4294967296 ",
    "35184372088832 ",
    "35184372088833 ",
    "9223372036854775807 ",
    "9223372036854775808u ",
    "(-9223372036854775807-1) ",
    "18446744073709551615u ",
    "18446744073709551616 ",
    "99999999999999999999999999999999999999999 ",
    "0x7fffffffffffffffffffffffffffffff ",
    "1.5 ",
    "1e999 ",
    "'\\377' ",
    "(__int128)1 << 127 ",
];

/// Words that stand for a type, or for a part of one.
const TYPES: &[&str] = &[
    "int ",
    "char ",
    "double ",
    "long ",
    "void ",
    "struct none ",
    "upc_lock_t ",
    "shared int ",
    "shared [4] double ",
    "shared [] char ",
    "shared void ",
    "int * ",
    "shared int * ",
    "const int ",
    "shared ",
    "",
];

const LINES: &[&str] = &[
    "\n# 1 \"seed.upc\"\n",
    "\n# 900000000 \"seed.upc\"\n",
    "\n# 4294967295 \"seed.upc\"\n",
    "\n# 99999999999999999999 \"seed.upc\" 1\n",
    "\n# 0 \"\" 2\n",
    "\n# 7 \"other.h\" 1 3 4\n",
    "\n# 7 \"\\303\\251.c\" 2\n",
    "\n#line 5\n",
    "\n# 5\n",
    "\n#\n",
    "\n#pragma upc strict\n",
    "\n#pragma upc relaxed\n",
    "\n#pragma upc\n",
    "\n#pragma pack(push, 1)\n",
    "\n#pragma pack(99999999999)\n",
    "\n#pragma pack(pop)\n",
    "\n#pragma omp parallel\n",
    "\n#pragma",
    "\n#ident \"x\"\n",
];

/// What makes inputs of numbers.
pub struct Mutator {
    seeds: Vec<Seed>,
    by_class: HashMap<u8, Vec<&'static str>>,
    seed: u64,
}

/// A damaged program. Its bytes need not be UTF-8.
pub struct Input {
    pub bytes: Vec<u8>,
    /// Where the program's own part begins.
    pub start: usize,
    /// How it is to be translated: [`crate::check::Mode`].
    pub mode: u32,
}

impl Mutator {
    pub fn new(seeds: Vec<Seed>, seed: u64) -> Mutator {
        let by_class = by_class(&seeds);
        Mutator { seeds, by_class, seed }
    }

    pub fn input(&self, number: u64) -> Input {
        let mut random = Random::of(self.seed, number);
        let seed = &self.seeds[random.below(self.seeds.len())];
        let mut tokens: Vec<Token> = seed.tokens.clone();
        // One change is often still a program; several seldom are.
        let changes = if random.one_in(3) { 2 + random.below(4) } else { 1 };
        for _ in 0..changes {
            self.change(&mut tokens, &mut random);
        }
        let head = head(&seed.head, &mut random);
        let mut bytes = format!("# 1 \"head.h\" 1 3\n{head}\n# 1 \"seed.upc\" 2\n").into_bytes();
        let start = bytes.len();
        for token in &tokens {
            if bytes.len() - start > MAX_BYTES {
                break;
            }
            bytes.extend(token.bytes());
        }
        if random.one_in(10) {
            damage_bytes(&mut bytes, start, &mut random);
        }
        Input { bytes, start, mode: random.below(1 << 19) as u32 }
    }

    fn change(&self, tokens: &mut Vec<Token>, random: &mut Random) {
        if tokens.is_empty() {
            return;
        }
        let (at, other) = (random.below(tokens.len()), random.below(tokens.len()));
        match random.below(27) {
            0 => drop(tokens.drain(at..(at + 1 + random.below(5)).min(tokens.len()))),
            1 => tokens.insert(other, tokens[at]),
            2 => tokens.swap(at, other),
            3 if random.one_in(4) => tokens.truncate(at),
            4 => tokens.insert(at, pick(WORDS, random)),
            5 => tokens[at] = pick(WORDS, random),
            6 => tokens.insert(at, pick(LINES, random)),
            7 => self.splice_other(tokens, at, random),
            8 => copy(tokens, subtree(tokens, at), other),
            9 => drop(tokens.drain(subtree(tokens, at))),
            10 => copy(tokens, statement(tokens, at), other),
            11 => drop(tokens.drain(statement(tokens, at))),
            12 => nest(tokens, at, random),
            13 => repeat(tokens, at, random),
            14 => replace_subtree(tokens, at, other),
            15..=17 => set_number(tokens, random),
            24..=26 => set_type(tokens, random),
            18..=20 => exchange(tokens, at, random),
            _ => self.exchange_with_others(tokens, at, random),
        }
    }

    /// A run of tokens of another program.
    fn splice_other(&self, tokens: &mut Vec<Token>, at: usize, random: &mut Random) {
        let Some(from) = random.pick(&self.seeds) else { return };
        let start = random.below(from.tokens.len());
        let run = from.tokens.iter().skip(start).take(1 + random.below(30));
        tokens.splice(at..at, run.copied().collect::<Vec<Token>>());
    }

    /// A token of the same kind from any program.
    fn exchange_with_others(&self, tokens: &mut [Token], at: usize, random: &mut Random) {
        let list = self.by_class.get(&(class(tokens[at]) as u8));
        if let Some(&token) = list.and_then(|list| random.pick(list)) {
            tokens[at] = token;
        }
    }
}

/// What the headers declare; at times without some of it, as if an `#include` had been forgotten.
fn head(items: &[Token], random: &mut Random) -> String {
    match random.below(20) {
        0 => String::new(),
        1 => items.iter().filter(|_| !random.one_in(4)).copied().collect(),
        _ => items.concat(),
    }
}

fn pick(list: &'static [&'static str], random: &mut Random) -> Token {
    random.pick(list).copied().unwrap_or_default()
}

/// A token of the same kind from the same program: mostly another name that is declared.
fn exchange(tokens: &mut [Token], at: usize, random: &mut Random) {
    let kind = class(tokens[at]);
    for _ in 0..20 {
        let other = random.below(tokens.len());
        if class(tokens[other]) == kind && tokens[other] != tokens[at] {
            tokens[at] = tokens[other];
            return;
        }
    }
}

fn set_number(tokens: &mut [Token], random: &mut Random) {
    let is_number = |t: &Token| class(t) == Class::Number;
    let numbers: Vec<usize> = (0..tokens.len()).filter(|&n| is_number(&tokens[n])).collect();
    if let Some(&at) = random.pick(&numbers) {
        tokens[at] = pick(NUMBERS, random);
    }
}

/// Another type where one is named.
fn set_type(tokens: &mut [Token], random: &mut Random) {
    let is_type = |t: &Token| {
        let word = t.trim();
        matches!(word, "int" | "char" | "double" | "long" | "float" | "void" | "shared" | "const")
            || word.ends_with("_t")
    };
    let types: Vec<usize> = (0..tokens.len()).filter(|&n| is_type(&tokens[n])).collect();
    if let Some(&at) = random.pick(&types) {
        tokens[at] = pick(TYPES, random);
    }
}

fn copy(tokens: &mut Vec<Token>, part: std::ops::Range<usize>, to: usize) {
    let part = tokens[part].to_vec();
    tokens.splice(to..to, part);
}

/// `other`'s subtree stands in place of that at `at`.
fn replace_subtree(tokens: &mut Vec<Token>, at: usize, other: usize) {
    let part = tokens[subtree(tokens, other)].to_vec();
    tokens.splice(subtree(tokens, at), part);
}

/// What stands before and after a token is repeated around it: brackets, prefixes, both.
fn nest(tokens: &mut Vec<Token>, at: usize, random: &mut Random) {
    let whole = subtree(tokens, at);
    let (before, after) = match whole.len() {
        1 => (at..at + 1, at..at),
        len => {
            let inner = at + 1 + random.below(len - 1);
            (at..inner, inner + 1..whole.end.max(inner + 1))
        }
    };
    let (before, after) = (tokens[before].to_vec(), tokens[after].to_vec());
    let times = count(before.len() + after.len(), random);
    tokens.splice(whole.end..whole.end, after.repeat(times));
    tokens.splice(at..at, before.repeat(times));
}

/// A run of tokens many times.
fn repeat(tokens: &mut Vec<Token>, at: usize, random: &mut Random) {
    let end = (at + 1 + random.below(8)).min(tokens.len());
    let run = tokens[at..end].to_vec();
    let times = count(run.len(), random);
    tokens.splice(end..end, run.repeat(times));
}

/// How often a run of `n_tokens` is repeated: mostly a few times, sometimes thousands.
fn count(n_tokens: usize, random: &mut Random) -> usize {
    let most = if random.one_in(20) { 13 } else { 6 };
    (1usize << random.below(most)).min(8192 / n_tokens.max(1)).max(2)
}

fn damage_bytes(bytes: &mut Vec<u8>, start: usize, random: &mut Random) {
    for _ in 0..1 + random.below(4) {
        let at = start + random.below(bytes.len() - start);
        if at >= bytes.len() {
            return;
        }
        match random.below(4) {
            0 => bytes[at] = random.below(256) as u8,
            1 => drop(bytes.remove(at)),
            2 => bytes.insert(at, *random.pick(b"\0\xff\xc3\xa9\\\"'\n\r\t#@$`").unwrap_or(&0)),
            _ => bytes[at] ^= 1 << random.below(8),
        }
    }
}
