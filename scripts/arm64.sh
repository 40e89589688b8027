#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Fetches what building for arm64 and running its programs here needs: arm64.sh FOLDER. The compiler
# is installed, as Debian has it; an emulator and the libraries of an arm64 Debian 12 are unpacked
# below FOLDER, so that this machine's own packages stay as they are. Does nothing, quickly, when
# all is there.
set -eu
folder=$1
mirror=${DEBIAN_MIRROR:-http://deb.debian.org/debian}
compiler=gcc-aarch64-linux-gnu
# The emulator of Debian 12 itself takes hours to reserve the addresses of shared memory.
emulator=qemu-user
libraries="libc6-dev libgcc-s1 libgomp1 libucx-dev libsodium-dev libpmix-dev"
keys=/usr/share/keyrings/debian-archive-keyring.gpg

fail() {
    echo "arm64: $1" >&2
    exit 1
}

command -v apt-get >/dev/null && [ -f "$keys" ] ||
    fail "this needs apt-get and $keys (package debian-archive-keyring)"
mkdir -p "$folder"
folder=$(cd "$folder" && pwd)

if ! command -v aarch64-linux-gnu-gcc >/dev/null; then
    sudo=
    [ "$(id -u)" = 0 ] || sudo=sudo
    echo "arm64: installing $compiler"
    $sudo apt-get install -y -q --no-install-recommends $compiler >/dev/null 2>&1 ||
        { $sudo apt-get update -q && $sudo apt-get install -y -q --no-install-recommends $compiler; } ||
        fail "please install $compiler"
fi

apt() { # apt ARCHITECTURE SUITES COMMAND...: apt-get with packages and settings of its own
    state=$folder/apt/$1
    sources=
    for suite in $2; do
        sources="${sources}deb [signed-by=$keys] $mirror $suite main
"
    done
    architecture=$1
    shift 2
    mkdir -p "$state/lists/partial" "$state/archives/partial" "$state/etc"
    printf '%s' "$sources" >"$state/etc/sources.list"
    : >>"$state/status"
    apt-get -q -y -o APT::Architecture="$architecture" -o APT::Architectures="$architecture" \
        -o Dir::State="$state" -o Dir::State::status="$state/status" -o Dir::Cache="$state" \
        -o Dir::Etc="$state/etc" -o Dir::Etc::sourceparts=none -o Dir::Etc::parts=none \
        -o APT::Install-Recommends=false -o APT::Sandbox::User= -o Debug::NoLocking=1 "$@"
}

unpack() { # unpack NAME ARCHITECTURE SUITES TARGET PACKAGES COMMAND...: the packages that COMMAND fetches
    [ ! -f "$folder/$1.packages" ] || [ "$(cat "$folder/$1.packages")" != "$5" ] || return 0
    name=$1 architecture=$2 suites=$3 target=$folder/$4 packages=$5
    shift 5
    log=$folder/$name.log
    rm -rf "$target" "$folder/apt/$architecture/archives"
    mkdir -p "$target"
    echo "arm64: fetching $name ($packages)"
    apt "$architecture" "$suites" update >"$log" 2>&1 &&
        apt "$architecture" "$suites" "$@" >>"$log" 2>&1 ||
        { tail -n 5 "$log" >&2; fail "cannot fetch $name from $mirror; see $log"; }
    for package in "$folder/apt/$architecture/archives"/*.deb; do
        dpkg-deb --fsys-tarfile "$package" | tar -x -C "$target" --exclude './usr/share/doc' \
            --exclude './usr/share/man' --exclude './usr/share/locale'
    done
    rm -rf "$folder/apt/$architecture/archives"
    echo "$packages" >"$folder/$name.packages"
}

# shellcheck disable=SC2086
unpack libraries arm64 "bookworm bookworm-updates" root "$libraries" install --download-only $libraries
# Alone: it is linked statically.
host=$(dpkg --print-architecture)
mkdir -p "$folder/apt/$host/archives"
unpack emulator "$host" bookworm-backports emulator "$emulator" install --download-only $emulator
