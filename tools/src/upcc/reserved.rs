// SPDX-License-Identifier: BSD-3-Clause
//! Macros of the user that are named THREADS or MYTHREAD. Preprocessed text does not show them, and
//! asking for the definitions of all macros would cost every compilation: so the sources are looked at
//! first, and the C compiler says what is true of them.

use furlong_compiler::span::LineMap;
use furlong_compiler::syntax::lexer::reserved_macro;

/// Whether some source or header of the user has such a directive, perhaps where it is skipped.
pub fn may_be_defined(lines: &LineMap) -> bool {
    let mut own = lines.files.iter().filter(|file| !file.is_system && !file.name.starts_with('<'));
    own.any(|file| {
        let text = std::fs::read(&file.name).unwrap_or_default();
        text.split(|&b| b == b'\n').any(|line| reserved_macro(line.trim_ascii_start()).is_some())
    })
}

/// What `cc -E -dD` says, with the definitions of all other macros made blank.
pub fn without_other_macros(text: &[u8]) -> Vec<u8> {
    let mut is_own = false;
    let mut out = Vec::with_capacity(text.len());
    for line in text.split_inclusive(|&b| b == b'\n') {
        if line.starts_with(b"# ") {
            // The command line has our own; system headers, a 3 behind the name.
            is_own =
                !line.windows(2).any(|w| w == b"\"<") && !line.trim_ascii_end().ends_with(b" 3");
        }
        let is_macro = line.starts_with(b"#define ") || line.starts_with(b"#undef ");
        match is_macro && !(is_own && reserved_macro(line).is_some()) {
            true => out.push(b'\n'),
            false => out.extend_from_slice(line),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn own_definitions_are_left() {
        let text = b"# 1 \"<command-line>\"\n#define THREADS 4\n# 1 \"a.h\" 1 3\n#undef THREADS\n\
                     # 7 \"a.upc\" 2\n#define THREADS 8\n#define THREADS_MAX 9\nint THREADS;\n";
        let left = b"# 1 \"<command-line>\"\n\n# 1 \"a.h\" 1 3\n\n\
                     # 7 \"a.upc\" 2\n#define THREADS 8\n\nint THREADS;\n";
        assert_eq!(without_other_macros(text), left);
    }
}
