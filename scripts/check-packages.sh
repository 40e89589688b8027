#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Tries the packages of this tree as a stranger would: check-packages.sh BUILD. lintian reads the .deb;
# a fresh Debian 12 without anything of ours installs it, an ordinary user there compiles programs and
# runs them over two hosts, and once it is removed nothing is left. An RPM of the same holds the same
# files. Needs root, debootstrap, lintian and Debian's mirror; what cannot be done is said and skipped.
set -eu
build=$(realpath "$1")
deb=$(ls "$build"/deb/furlong_*.deb)
root=$build/packages/root
failed=0

have() { # have TOOL WHAT: whether it is installed
    command -v "$1" >/dev/null && return 0
    echo "$2: skipped, there is no $1"
    return 1
}

pass() { # pass WHAT COMMAND...: a line for each check
    what=$1
    shift
    if "$@" >"$build/packages/log" 2>&1; then
        echo "ok   $what"
    else
        echo "FAIL $what"
        tail -n 30 "$build/packages/log"
        failed=$((failed + 1))
    fi
}

inside() { chroot "$root" /usr/bin/env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin DEBIAN_FRONTEND=noninteractive "$@"; }
user() { inside su stranger -c "cd && $1"; }
install_deb() { cp "$deb" "$root/tmp/furlong.deb" && inside apt-get install -y -q --no-install-recommends "$@" /tmp/furlong.deb; }
list() { (cd "$root" && find . -xdev \( -path ./proc -o -path ./sys -o -path ./tmp -o -path ./var -o -path ./dev -o -path ./root -o -path ./home \) -prune -o -print | sort); }
nothing_left() { list >"$build/packages/after" && diff "$build/packages/before" "$build/packages/after"; }

# The files of both packages, without what each kind of package adds.
same_files() {
    dpkg-deb -c "$deb" | sed -n 's/^[-l].* \.\(\/[^ ]*\).*/\1/p' | normal >"$build/packages/deb" &&
        rpm -qpl "$build"/rpm/RPMS/*/*.rpm | normal >"$build/packages/rpm" &&
        diff "$build/packages/deb" "$build/packages/rpm"
}
normal() { sed 's/\.gz$//' | grep -v -e /lintian -e /doc-base -e /copyright$ -e /changelog -e /CHANGELOG -e /licenses/ -e /\\.build-id | grep -e '\.' -e /bin/ | sort; }

mkdir -p "$build/packages"
have lintian lintian && pass "lintian finds nothing" lintian --fail-on error,warning --suppress-tags bad-distribution-in-changes-file "$deb"
if have debootstrap "a fresh Debian"; then
    # The mounts are of this script's own namespace (`unshare -m` runs it) and end with it.
    rm -rf "$root" && mkdir -p "$root"
    debootstrap --variant=minbase bookworm "$root" >"$build/packages/debootstrap.log" ||
        { tail "$build/packages/debootstrap.log"; echo "a fresh Debian: debootstrap failed"; exit 1; }
    mount -t proc proc "$root/proc"
    mount --bind /sys "$root/sys" # UCX looks for networks there
    mount --bind /dev "$root/dev"
    mount -t tmpfs tmpfs "$root/dev/shm"
    inside useradd -m stranger
    cp packaging/tests/sum.upc packaging/tests/team.c "$root/home/stranger/"
    pass "what it needs and recommends installs" inside apt-get install -y -q --no-install-recommends gcc libc6-dev \
        libhwloc15 libpmix2 libsodium23 libucx0
    inside apt-get clean
    list >"$build/packages/before"
    pass "the package installs" install_deb
    pass "a UPC program compiles" user "upcc -O2 sum.upc -o sum"
    pass "and runs on one host" user "upcrun -q -n 3 ./sum | grep '3 of 3'"
    pass "and on two" user "upcrun -q -n 4 -virtual-hosts 2 ./sum | grep '6 of 4'"
    pass "an OpenMP program runs over two hosts" user "ompcc team.c -o team && omprun -q -t 2 -virtual-hosts 2 ./team | grep '6 of 4'"
    pass "errors are explained" user "upcc --explain E0314 | grep -i shared && upcc --explain R0102 | grep -i address"
    pass "it is removed" inside apt-get purge -y -q furlong
    pass "nothing is left" nothing_left
    umount "$root/dev/shm" "$root/dev" "$root/sys" "$root/proc"
    rm -rf --one-file-system "$root"
fi
have rpmbuild "an RPM" && pass "an RPM is built" sh scripts/rpm.sh "$build" && pass "and holds the same files" same_files
[ "$failed" = 0 ]
