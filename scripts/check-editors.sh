#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Tests of notebooks, editors and traces that need packages of PyPI and npm (fetched.sh), which this gets
# first: check-editors.sh. Without python3's venv, npm or tree-sitter theirs are skipped, by name.
set -eu
here=$(dirname "$0")
for name in jupyter perfetto vscode tree-sitter-c; do
    sh "$here/fetched.sh" "$name" >/dev/null || sh "$here/fetched.sh" get "$name" ||
        echo "check-editors: cannot get $name; its tests are skipped" >&2
done
for suite in notebook report vscode tree-sitter; do
    cargo xtask cli "$suite"
done
