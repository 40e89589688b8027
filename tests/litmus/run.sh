#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Explores a model exhaustively: run.sh MODEL. Exit code 77 (skipped) without spin.
set -eu
model=$(realpath "$1")
command -v spin >/dev/null || { echo "1..0 # SKIP spin is not installed"; exit 77; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
spin -a "$model" >/dev/null
cc -O2 -DSAFETY -DCOLLAPSE -o pan pan.c
./pan -m1000000 >log
if grep -q 'errors: 0' log && ! grep -q 'max search depth too small' log; then
    echo "ok 1 - $(basename "$model"): $(grep 'states, stored' log | sed 's/^ *//')"
else
    cat log
    echo "not ok 1 - $(basename "$model")"
    exit 1
fi
