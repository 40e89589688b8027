#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# The sources as one archive that builds without a network: dist.sh BUILD leaves
# BUILD/furlong-VERSION.tar.xz with the crates in vendor/. They come from cargo's folder, or crates.io.
set -eu
build=$(realpath "$1" 2>/dev/null) || { mkdir -p "$1" && build=$(realpath "$1"); }
name=furlong-$(sed -n 's/^version = "\(.*\)"/\1/p' Cargo.toml | head -n 1)
tree=$build/dist/$name
rm -rf "$tree" && mkdir -p "$tree"
tar -c --exclude=./build --exclude=./target --exclude=./.git --exclude=./debian --exclude="./${build##*/}" . | tar -x -C "$tree"
cd "$tree"
{ cargo vendor --locked --offline vendor 2>/dev/null || cargo vendor --locked vendor; } >vendor.toml
cat vendor.toml >>.cargo/config.toml
rm vendor.toml
tar -C .. -cJf "$build/$name.tar.xz" "$name"
rm -rf "$build/dist"
ls "$build/$name.tar.xz"
