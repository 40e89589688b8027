#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Installs what building and testing need and this machine lacks: the Debian packages listed in
# packages.txt, and Rust 1.85 or newer. Does nothing, quickly, when nothing is missing.
set -eu
cd "$(dirname "$0")"

missing=
for package in $(cat packages.txt); do
    case $(dpkg-query -W -f '${db:Status-Status}' "$package" 2>/dev/null || true) in
    installed) ;;
    *) missing="$missing $package" ;;
    esac
done

# Debian 12's own `rustc` is too old; `rustc-web` is its current one.
if ! sh ./rust_ok.sh; then
    missing="$missing rustc-web cargo-web"
fi
[ -z "$missing" ] && exit 0

fail() {
    echo "bootstrap: $1" >&2
    echo "bootstrap: please install these packages yourself:$missing" >&2
    exit 1
}

command -v apt-get >/dev/null || fail "this machine has no apt-get"
sudo=
if [ "$(id -u)" != 0 ]; then
    command -v sudo >/dev/null || fail "installing needs root, and there is no sudo"
    sudo=sudo
fi
echo "bootstrap: installing$missing"
export DEBIAN_FRONTEND=noninteractive
# The lists may be old or absent: refresh them only if installing without that fails.
# shellcheck disable=SC2086
$sudo apt-get install -y -q $missing >/dev/null 2>&1 ||
    { $sudo apt-get update -q && $sudo apt-get install -y -q --no-install-recommends $missing; } ||
    fail "apt-get failed; is this machine offline?"
sh ./rust_ok.sh || fail "the Rust compiler found first in PATH is older than 1.85"
