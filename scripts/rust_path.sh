#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Prints a PATH on which cargo and rustc are at least 1.85 (Cargo.toml, rust-version), or fails. Where
# those of PATH are older, the user's own and Ubuntu's rustc-1.85 and its like come before them.
is_new_enough() { # is_new_enough PATH
    PATH=$1
    command -v cargo >/dev/null || return 1
    minor=$(rustc --version 2>/dev/null | sed -n 's/^rustc 1\.\([0-9]*\).*/\1/p')
    [ "${minor:-0}" -ge 85 ]
}

for folder in "" "${HOME:-}/.cargo/bin" $(ls -d /usr/lib/rust-*/bin 2>/dev/null | sort -rV); do
    path=${folder:+$folder:}$PATH
    if (is_new_enough "$path"); then
        echo "$path"
        exit 0
    fi
done
exit 1
