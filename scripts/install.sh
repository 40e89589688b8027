#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Copies a build to where it will be used: install.sh BUILD DESTDIR PREFIX. No file says where that
# is, but those of GASNet-EX for pkg-config: each finds the others from its own place, so the tree may
# be moved afterwards.
set -eu
build=$1
root=$2$3

# `find` keeps the tree's shape: bin, lib, include, share.
(cd "$build" && find bin lib include share -type f) | while read -r file; do
    mode=644
    case $file in bin/* | lib/furlong/gasnet*/bin/*) mode=755 ;; esac
    install -D -m $mode "$build/$file" "$root/$file"
    case $file in
    lib/furlong/gasnet*.pc) # some clients read these without pkg-config, which knows their place
        gasnet=${file%/lib/pkgconfig/*}
        sed -i "s|^prefix=.*|prefix=$3/$gasnet|" "$root/$file" ;;
    esac
done
(cd "$build" && find bin lib share -type l) | while read -r link; do
    mkdir -p "$(dirname "$root/$link")"
    ln -sfn "$(readlink "$build/$link")" "$root/$link"
done

echo "installed in $root"
