#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# A Debian package of this tree: deb.sh BUILD leaves BUILD/deb/furlong_VERSION-1_ARCH.deb. What has
# been compiled before is used again. The folder debian/, where Debian's tools want it, is made from
# packaging/debian and removed again.
set -eu
build=$1
command -v dh >/dev/null || { echo "deb: there is no dh; install the Debian package debhelper" >&2; exit 1; }

version=$(sed -n 's/^version = "\(.*\)"/\1/p' Cargo.toml | head -n 1)
date=$(git log -1 --format=%cD 2>/dev/null || date -R)
mkdir -p "$build/deb"
rm -rf debian "$build"/deb/*.deb
trap 'rm -rf debian' EXIT
cp -r packaging/debian debian
# Who makes a package may sign it as usual.
[ -z "${DEBEMAIL:-}" ] || sed -i "s/^Maintainer: .*/Maintainer: ${DEBFULLNAME:-$(id -un)} <$DEBEMAIL>/" debian/control
maintainer=$(sed -n 's/^Maintainer: //p' debian/control)
cat >debian/changelog <<END
furlong ($version-1) unstable; urgency=medium

  * Release $version; CHANGELOG.md has what is new.

 -- $maintainer  $date
END
DEB_DIR=$build/deb debian/rules binary >"$build/deb/log" 2>&1 ||
    { tail -n 30 "$build/deb/log" >&2; echo "deb: failed; the whole log is in $build/deb/log" >&2; exit 1; }
ls "$build"/deb/*.deb
