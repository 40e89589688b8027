# SPDX-License-Identifier: BSD-3-Clause
# Sourced by tests/cli/bootstrap.toml: a PATH with few programs, `bin`, in which package managers are
# stand-ins that say what they are asked for, and install CMake when asked for it.
unset BOOTSTRAP
mkdir bin
for name in sh env dirname sed grep tr cut cat id ls sort tail head mkdir sleep kill rm cc as ld make pkg-config \
    ldconfig cargo rustc rustup; do
    ! program=$(command -v $name) || ln -s "$program" bin/$name
done

stand_in() { # stand_in NAME...
    for name; do
        cat >bin/$name <<'END'
#!/bin/sh
echo "NAME $*" >>asked
case " $* " in
*" install "*" cmake "* | *" -S "*" cmake "*) printf '#!/bin/sh\n' >bin/cmake && /bin/chmod +x bin/cmake ;;
esac
END
        sed -i "s/NAME/$name/" bin/$name
        chmod +x bin/$name
    done
}

says() { # says NAME TEXT: a program that prints a line
    printf '#!/bin/sh\necho "%s"\n' "$2" >bin/$1.new
    chmod +x bin/$1.new
    mv bin/$1.new bin/$1
}

bootstrap() {
    PATH=$PWD/bin sh "$ROOT/scripts/bootstrap.sh" "$@"
}
