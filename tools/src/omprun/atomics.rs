// SPDX-License-Identifier: BSD-3-Clause
//! Atomic instructions in a file: those with a lock prefix, and exchanges with memory. They are
//! atomic to the threads of one host only.

use iced_x86::{Code, Decoder, DecoderOptions, OpKind};
use object::{Object, ObjectSection, ObjectSymbol, SectionKind};
use std::path::Path;

/// The section of those that ompcc has moved out of their functions.
const MOVED: &str = "furlong_atomics";

/// Names of the functions that have any, each once; an address where there is no name.
pub fn find(path: &Path) -> Result<Vec<String>, String> {
    let bytes = std::fs::read(path).map_err(|e| e.to_string())?;
    let file = object::File::parse(&*bytes).map_err(|e| e.to_string())?;
    let mut names = Vec::new();
    for section in file.sections().filter(|section| section.kind() == SectionKind::Text) {
        // What lazy binding jumps through, and what ompcc has put between calls of the runtime.
        if section.name().is_ok_and(|name| name.starts_with(".plt") || name == MOVED) {
            continue;
        }
        let code = section.data().map_err(|e| e.to_string())?;
        for address in addresses(code, section.address()) {
            let name = function(&file, address);
            if !names.contains(&name) {
                names.push(name);
            }
        }
    }
    Ok(names)
}

/// Of the atomic instructions.
fn addresses(code: &[u8], start: u64) -> Vec<u64> {
    let is_exchange = |code| {
        let exchanges =
            [Code::Xchg_rm8_r8, Code::Xchg_rm16_r16, Code::Xchg_rm32_r32, Code::Xchg_rm64_r64];
        exchanges.contains(&code)
    };
    let decoder = Decoder::with_ip(64, code, start, DecoderOptions::NONE);
    decoder
        .into_iter()
        .filter(|i| i.has_lock_prefix() || is_exchange(i.code()) && i.op0_kind() == OpKind::Memory)
        .map(|instruction| instruction.ip())
        .collect()
}

fn function(file: &object::File, address: u64) -> String {
    let has = |symbol: &object::Symbol| {
        let start = symbol.address();
        symbol.kind() == object::SymbolKind::Text
            && (start..start + symbol.size()).contains(&address)
    };
    let symbol = file.symbols().chain(file.dynamic_symbols()).find(has);
    match symbol.as_ref().and_then(|symbol| symbol.name().ok()) {
        Some(name) => format!("`{name}`"),
        None => format!("the function at {address:#x}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lock_prefixes_and_exchanges_with_memory_are_found() {
        let code = [
            0xf0, 0x83, 0x07, 0x01, // lock addl $1, (%rdi)
            0x87, 0xc3, // xchg %eax, %ebx
            0x90, // nop
            0x87, 0x07, // xchg %eax, (%rdi)
            0xb8, 0xf0, 0x83, 0x07, 0x01, // mov $0x10783f0, %eax
            0xf0, 0x48, 0x83, 0x0c, 0x24, 0x00, // lock orq $0, (%rsp)
        ];
        assert_eq!(addresses(&code, 0x1000), [0x1000, 0x1007, 0x100e]);
    }
}
