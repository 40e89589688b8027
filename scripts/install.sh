#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Copies a build to where it will be used: install.sh BUILD DESTDIR PREFIX. No file says where that
# is: each finds the others from its own place, so the tree may be moved afterwards.
set -eu
build=$1
root=$2$3

# `find` keeps the tree's shape: bin, lib, include, share.
(cd "$build" && find bin lib include share -type f) | while read -r file; do
    mode=644
    case $file in bin/*) mode=755 ;; esac
    install -D -m $mode "$build/$file" "$root/$file"
done
(cd "$build" && find bin lib share -type l) | while read -r link; do
    mkdir -p "$(dirname "$root/$link")"
    ln -sfn "$(readlink "$build/$link")" "$root/$link"
done

echo "installed in $root"
