# SPDX-License-Identifier: BSD-3-Clause
# The runtime for arm64 by Debian's cross compiler, its tests run by the emulator: what
# scripts/arm64.sh has fetched into FURLONG_ARM64 (cmake -DCMAKE_TOOLCHAIN_FILE=scripts/arm64.cmake).
set(CMAKE_SYSTEM_NAME Linux)
set(CMAKE_SYSTEM_PROCESSOR aarch64)
list(APPEND CMAKE_TRY_COMPILE_PLATFORM_VARIABLES FURLONG_ARM64)
set(CMAKE_C_COMPILER aarch64-linux-gnu-gcc)
set(CMAKE_SYSROOT ${FURLONG_ARM64}/root)
set(CMAKE_CROSSCOMPILING_EMULATOR ${FURLONG_ARM64}/emulator/usr/bin/qemu-aarch64;-cpu;neoverse-n1;-L;${CMAKE_SYSROOT})
set(CMAKE_FIND_ROOT_PATH_MODE_LIBRARY ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_INCLUDE ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_PACKAGE ONLY)
set(ENV{PKG_CONFIG_SYSROOT_DIR} ${CMAKE_SYSROOT})
set(ENV{PKG_CONFIG_LIBDIR} ${CMAKE_SYSROOT}/usr/lib/aarch64-linux-gnu/pkgconfig:${CMAKE_SYSROOT}/usr/share/pkgconfig)
