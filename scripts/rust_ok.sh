#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Succeeds if cargo and a rustc of at least 1.85 (Cargo.toml, rust-version) are in PATH.
command -v cargo >/dev/null || exit 1
version=$(rustc --version 2>/dev/null) || exit 1
minor=$(echo "$version" | sed -n 's/^rustc 1\.\([0-9]*\).*/\1/p')
[ "${minor:-0}" -ge 85 ]
