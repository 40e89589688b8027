#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Copies a build to where it will be used: install.sh BUILD DESTDIR PREFIX.
set -eu
build=$1
root=$2$3
prefix=$3
version=$(sed -n 's/^version = "\(.*\)"/\1/p' Cargo.toml | head -n 1)

# `find` keeps the tree's shape: bin, lib, include, share.
(cd "$build" && find bin lib include share -type f) | while read -r file; do
    mode=644
    case $file in bin/*) mode=755 ;; esac
    install -D -m $mode "$build/$file" "$root/$file"
done
(cd "$build" && find lib share/man -type l) | while read -r link; do
    mkdir -p "$(dirname "$root/$link")"
    ln -sfn "$(readlink "$build/$link")" "$root/$link"
done

install -m 644 "$build/runtime-install/libfurlong.a" "$root/lib/libfurlong.a"

mkdir -p "$root/lib/pkgconfig"
cat >"$root/lib/pkgconfig/furlong.pc" <<END
prefix=$prefix
libdir=\${prefix}/lib
includedir=\${prefix}/include

Name: furlong
Description: UPC runtime: one global address space for the threads of a job
Version: $version
Cflags: -I\${includedir}
Libs: -L\${libdir} -lfurlong -lpthread
END
echo "installed in $root"
