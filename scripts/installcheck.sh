#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# The tests with an installation's tools: installcheck.sh BUILD PREFIX [FILTER]... Without a PREFIX
# BUILD is installed to a fresh one, with a blank and an umlaut in its name. Where the user may mount,
# the parts of the build tree are hidden meanwhile, so that nothing can be found in them.
set -eu
build=$(realpath "$1")
prefix=$2
shift 2
if [ -z "$prefix" ]; then
    prefix="$build/installed für all"
    rm -rf "$prefix"
    sh scripts/install.sh "$build" "" "$prefix"
fi

if unshare -m true 2>/dev/null; then
    # shellcheck disable=SC2016
    exec unshare -m sh -c 'for part in bin lib include share runtime; do
            mount -t tmpfs none "$0/$part" || exit
        done
        prefix=$1
        shift
        exec cargo xtask check --installed "$prefix" "$@"' "$build" "$prefix" "$@"
fi
echo "installcheck: the build tree stays in sight, as this user may not mount"
exec cargo xtask check --installed "$prefix" "$@"
