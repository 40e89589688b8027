#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Puts what was built where a user and the tests look for it: stage.sh BUILD CARGO_TARGET.
set -eu
build=$1
target=$2

put() { # put DIRECTORY FILE...: copies what differs
    dir=$build/$1
    shift
    mkdir -p "$dir"
    for file; do
        to=$dir/$(basename "$file")
        # A running upcrun must keep its text: replace the file, do not write into it.
        cmp -s "$file" "$to" || { cp "$file" "$to.new" && mv -f "$to.new" "$to"; }
    done
}

put bin "$target/release/upcc" "$target/release/upcrun" "$target/release/furlong" "$target/release/ompcc" "$target/release/omprun"
for name in shmemcc shmemc++; do
    cmp -s scripts/shmemcc.sh "$build/bin/$name" || install -m 755 scripts/shmemcc.sh "$build/bin/$name"
done
ln -sfn upcrun "$build/bin/shmemrun"
for name in libfurlong.a libfurlong-check.a; do
    put lib "$(find "$build/runtime" -name $name | head -n 1)"
done
for object in "$build"/runtime/libfurlong-*.so; do
    [ ! -f "$object" ] || put lib/furlong "$object"
done
put lib/furlong scripts/tmkf.ld
if [ -f "$build/runtime/libgomp.so.1" ]; then # with musl there is no OpenMP over hosts
    put lib/furlong/omp "$build/runtime/libgomp.so.1"
    mkdir -p "$build/lib/furlong/omp/bin"
    for name in libgomp.so libomp.so libomp.so.5; do # the last two: LLVM's names
        ln -sfn libgomp.so.1 "$build/lib/furlong/omp/$name"
    done
    ln -sfn ../../../../bin/ompcc "$build/lib/furlong/omp/bin/as"
fi
put include runtime/include/*.h
put include/mpp runtime/include/mpp/*.h
put include/furlong runtime/include/furlong/*.h "$build/runtime/shmem/shmem_names.h"
put include/furlong/omp runtime/include/furlong/omp/*.h
put include/furlong/bupc runtime/include/furlong/bupc/*.h

for debug in ndebug debug; do
    folder=$build/lib/furlong/gasnet
    [ $debug = ndebug ] || folder=$folder-debug
    runtime/gasnet/stage.sh "$build" "$folder" $debug
done

# The one version number is that of the workspace.
version=$(sed -n 's/^version = "\(.*\)"/\1/p' Cargo.toml | head -n 1)
put_versioned() { # put_versioned DIRECTORY FILE...: with the number in the place of VERSION
    directory=$1
    shift
    mkdir -p "$build/versioned/$directory"
    for file; do
        sed "s/\bVERSION\b/$version/" "$file" >"$build/versioned/$directory/$(basename "$file")"
    done
    put "$directory" "$build/versioned/$directory"/*
}
put_versioned lib/pkgconfig scripts/*.pc
put_versioned lib/cmake/Furlong packaging/cmake/FurlongConfigVersion.cmake
put lib/cmake/Furlong packaging/cmake/FurlongConfig.cmake packaging/cmake/CMake*UPC*
put share/furlong/gdb tools/gdb/furlong.py
put share/furlong/gdb/furlong_gdb tools/gdb/furlong_gdb/*.py
put share/furlong/errors docs/errors/*.md
# What npm and tree-sitter have left in a source tree stays there.
find editors \( -name node_modules -o -path '*/tree-sitter-upc/src' \) -prune -o -type f ! -name .gitignore -print |
    while read -r file; do put "share/furlong/$(dirname "$file")" "$file"; done
put share/furlong/editors/vscode LICENSE # vsce packages no extension without
# What `furlong papers` measures.
find bench -type f ! -name README.md | while read -r file; do put "share/furlong/$(dirname "$file")" "$file"; done
put share/man/man3 docs/man/*.3
put share/man/man7 docs/man/*.7

# The documentation keeps the shape of the tree, so that its links lead somewhere. What is
# executable in examples/ was compiled there.
doc=$build/share/doc/furlong
rm -rf "$doc"
find README.md LICENSE CHANGELOG.md ARCHITECTURE.md CONTRIBUTING.md bench/README.md tests/README.md \
    docs examples -type f ! -path 'docs/man/*' ! -name .gitignore ! -perm -u+x |
    while read -r file; do install -D -m 644 "$file" "$doc/$file"; done

# `man upc_lock` shows the page that has upc_lock in its SYNOPSIS. A name that ends in a type of
# the reductions stands for all of them.
for page in docs/man/*.3; do
    page=$(basename "$page")
    sed -n '/^\.Sh SYNOPSIS/,/^\.Sh DESCRIPTION/s/^\.F[no] "\{0,1\}\([a-z_A-Z0-9]*\).*/\1/p' "docs/man/$page" |
        while read -r name; do
            case $name in
            *_reduceT | *_reduce_allT)
                for type in C UC S US I UI L UL F D LD; do echo "${name%T}$type"; done ;;
            *) echo "$name" ;;
            esac
        done |
        while read -r name; do
            [ -f "docs/man/$name.3" ] || ln -sfn "$page" "$build/share/man/man3/$name.3"
        done
done
# `man upc_wait` shows the page whose NAME has upc_wait.
for page in docs/man/*.7; do
    page=$(basename "$page")
    sed -n '/^\.Sh NAME/,/^\.Nd/s/^\.Nm \([A-Za-z_]*\).*/\1/p' "docs/man/$page" |
        while read -r name; do
            [ -f "docs/man/$name.7" ] || ln -sfn "$page" "$build/share/man/man7/$name.7"
        done
done
mkdir -p "$build/share/man/man1"
for tool in upcc upcrun furlong ompcc omprun; do
    "$build/bin/$tool" -man >"$build/share/man/man1/$tool.1"
done

# Completion: bash and fish look for a file of the command's name.
complete() { # complete SHELL FOLDER FILE [LINK...]
    mkdir -p "$build/share/$2"
    "$build/bin/furlong" completion "$1" >"$build/share/$2/$3"
    file=$3
    folder=$build/share/$2
    shift 3
    for link; do ln -sfn "$file" "$folder/$link"; done
}
complete bash bash-completion/completions furlong upcc upcrun ompcc omprun
complete fish fish/vendor_completions.d furlong.fish upcc.fish upcrun.fish ompcc.fish omprun.fish
complete zsh zsh/site-functions _furlong
