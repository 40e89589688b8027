#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# The Rust compiler as cargo calls it: rustc.sh RUSTC ARGUMENT... What it writes names neither the
# folder of these sources nor that of the crates, which are another's on each machine. By RUSTFLAGS
# cargo would build anew whenever somebody calls it without them.
root=$(cd "$(dirname "$0")/.." && pwd)
exec "$@" --remap-path-prefix "${CARGO_HOME:-$HOME/.cargo}/registry/src=crates" \
    --remap-path-prefix "$root=furlong"
