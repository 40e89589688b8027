#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# The tests with an installation's tools: installcheck.sh BUILD PREFIX [FILTER]... Without a PREFIX
# BUILD is installed to a fresh one, with a blank and an umlaut in its name; and, for GASNet's tests,
# to a plain one, as fragments of makefiles cannot name every folder. Where the user may mount, the
# parts of the build tree are hidden meanwhile, so that nothing can be found in them.
set -eu
build=$(realpath "$1")
prefix=$2
shift 2
plain=
if [ -z "$prefix" ]; then
    prefix="$build/installed für all"
    plain="$build/installed"
    for folder in "$prefix" "$plain"; do
        rm -rf "$folder"
        sh scripts/install.sh "$build" "" "$folder"
    done
fi

# shellcheck disable=SC2016
check='prefix=$1
    plain=$2
    shift 2
    cargo xtask check --installed "$prefix" "$@"
    code=$?
    if [ -n "$plain" ]; then
        cargo xtask check --installed "$plain" gasnet examples/README || code=1
    fi
    exit $code'
if unshare -m true 2>/dev/null; then
    # shellcheck disable=SC2016
    exec unshare -m sh -c 'for part in bin lib include share runtime; do
            mount -t tmpfs none "$0/$part" || exit
        done
        '"$check" "$build" "$prefix" "$plain" "$@"
fi
echo "installcheck: the build tree stays in sight, as this user may not mount"
exec sh -c "$check" "$build" "$prefix" "$plain" "$@"
