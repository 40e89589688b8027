// SPDX-License-Identifier: BSD-3-Clause
//! Options that upcc cannot follow, and what their users write instead: those of other UPC compilers
//! that neither upcc nor the C compiler behind it knows, and one of the C compiler's. Options with a
//! counterpart here are in upcc's own table.

/// How an option begins, and what to do about it.
const HINTS: &[(&str, &str)] = &[
    (
        "-q",
        "an option of IBM's compilers; leave it out, or write gcc's for it \
         (`-qupc=threads=4` is -T=4, `-qarch=...` is -march=..., `-qsmp=omp` is -fopenmp)",
    ),
    (
        "-inst-functions",
        "an option of Berkeley's; gcc's -finstrument-functions calls functions of yours at the \
         beginning and end of all functions",
    ),
    ("-inst-only", "an option of Berkeley's; compile only those files with -inst"),
    (
        "-fpack-struct",
        "an option that would change structures of the runtime and of the C library as well; write \
         `#pragma pack(1)` before your own, and `#pragma pack()` after them",
    ),
    ("-h", "an option of Cray's compiler; leave it out, or write gcc's for it"),
];

/// Why the option cannot be followed, if it is one of those.
pub fn refusal(option: &str) -> Option<String> {
    let (_, hint) = HINTS.iter().find(|(start, _)| option.starts_with(start))?;
    Some(format!("`{option}` is {hint}"))
}

/// Cray's `-h WORD[,WORD]...`; the number of arguments that it takes. UPC needs no switching on.
pub fn cray(words: &str) -> Result<usize, String> {
    match words.split(',').all(|word| word == "upc") {
        true => Ok(2),
        false => Err(refusal(&format!("-h {words}")).unwrap_or_default()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hints_name_the_option() {
        assert!(refusal("-qarch=pwr7").unwrap().starts_with("`-qarch=pwr7` is an option of IBM"));
        assert!(cray("noomp").unwrap_err().contains("`-h noomp` is an option of Cray's"));
        assert_eq!(cray("upc"), Ok(2));
        assert_eq!(refusal("-O3"), None);
    }
}
