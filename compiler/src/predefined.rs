// SPDX-License-Identifier: BSD-3-Clause
//! Types of the UPC library that are named before their header is included.
//!
//! A feature macro (`__UPC_ATOMIC__`) is defined from the first line on, and headers of programs
//! test it and name the types that come with it, before they or their includers include anything.
//! Other compilers know the types as they know the macros.

/// Each as its header declares it: C allows that twice.
const TYPES: &[(&str, &str)] = &[
    ("upc_atomicdomain_t", "shared struct upcr_atomicdomain"),
    ("upc_atomichint_t", "int"),
    ("upc_file_t", "shared struct upcr_file"),
    ("upc_flag_t", "int"),
    ("upc_handle_t", "struct upcr_transfer *"),
    ("upc_lock_t", "shared struct upcr_lock"),
    ("upc_off_t", "long"),
    ("upc_op_t", "int"),
    ("upc_tick_t", "unsigned long"),
    ("upc_type_t", "int"),
];

/// The preprocessed `text`, after its first line, with declarations of the types that it names
/// before it declares them.
pub fn declare_types(text: String) -> String {
    let marker = text.split_once('\n').map_or(text.len(), |(marker, _)| marker.len());
    match declarations(&text) {
        declarations if declarations.is_empty() => text,
        declarations => {
            let rest = text.get(marker + 1..).unwrap_or("");
            format!("{}\n{declarations}{rest}", &text[..marker])
        }
    }
}

/// What is to stand after the first line of `text`; may be nothing.
pub fn declarations(text: &str) -> String {
    let declarations: String = TYPES
        .iter()
        .filter(|(name, _)| is_used_first(text, name))
        .map(|(name, is)| format!("typedef {is} {name};\n"))
        .collect();
    let marker = text.lines().next().unwrap_or("");
    match declarations.is_empty() {
        true => declarations,
        false => format!("# 1 \"<furlong>\" 1 3\n{declarations}{marker} 2\n"),
    }
}

/// Whether a name stands in the text as that of a type, and not in a typedef of it first.
fn is_used_first(text: &str, name: &str) -> bool {
    let is_word = |c: char| c.is_ascii_alphanumeric() || c == '_';
    let found = text.match_indices(name).map(|(at, _)| at).find(|&at| {
        !text[..at].ends_with(is_word) && !text[at + name.len()..].starts_with(is_word)
    });
    found.is_some_and(|at| {
        let statement = text[..at].rfind([';', '}', '\n']).map_or(0, |end| end + 1);
        let before = text[statement..at].trim();
        let is_tag = ["struct", "union", "enum"].iter().any(|word| before.ends_with(word));
        let is_end = text[at + name.len()..].trim_start().starts_with(';');
        let is_typedef = is_end && before.starts_with("typedef");
        !(is_tag || is_typedef)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_declared_first_stays() {
        for text in ["# 0 \"a.c\"\nint x;\n", "# 0 \"a.c\"\ntypedef int upc_op_t;\nupc_op_t x;\n"] {
            assert_eq!(declare_types(text.into()), text);
        }
        assert_eq!(declare_types("struct upc_file_t {}".into()), "struct upc_file_t {}");
        assert_eq!(declare_types("my_upc_op_t upc_op_tt;".into()), "my_upc_op_t upc_op_tt;");
    }

    #[test]
    fn declarations_come_after_the_first_marker() {
        assert_eq!(
            declare_types("# 0 \"a.c\"\nupc_op_t x;\n".into()),
            "# 0 \"a.c\"\n# 1 \"<furlong>\" 1 3\ntypedef int upc_op_t;\n# 0 \"a.c\" 2\nupc_op_t x;\n"
        );
    }
}
