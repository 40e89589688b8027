/* SPDX-License-Identifier: BSD-3-Clause */
/* The compiler and the target. PLATFORM_OS_, _ARCH_ and _COMPILER_ names are 1 or undefined. */
#ifndef GASNET_PORTABLE_PLATFORM_H
#define GASNET_PORTABLE_PLATFORM_H

#define PLATFORM_OS_LINUX 1
#define PLATFORM_OS_FAMILYNAME LINUX

#if defined(__x86_64__)
#define PLATFORM_ARCH_X86_64 1
#define PLATFORM_ARCH_FAMILYNAME X86_64
#elif defined(__aarch64__)
#define PLATFORM_ARCH_AARCH64 1
#define PLATFORM_ARCH_ARM 1
#define PLATFORM_ARCH_FAMILYNAME AARCH64
#elif defined(__powerpc64__)
#define PLATFORM_ARCH_POWERPC 1
#define PLATFORM_ARCH_FAMILYNAME POWERPC
#endif
#define PLATFORM_ARCH_64 1
#define PLATFORM_ARCH_LITTLE_ENDIAN 1

#if defined(__clang__)
#define PLATFORM_COMPILER_CLANG 1
#define PLATFORM_COMPILER_FAMILYNAME CLANG
#define PLATFORM_COMPILER_FAMILYID 19
#define PLATFORM_COMPILER_VERSION                                                                  \
    FL_GASNET_VERSION(__clang_major__, __clang_minor__, __clang_patchlevel__)
#define PLATFORM_COMPILER_VERSION_STR __clang_version__
#else
#define PLATFORM_COMPILER_GNU 1
#define PLATFORM_COMPILER_FAMILYNAME GNU
#define PLATFORM_COMPILER_FAMILYID 1
#define PLATFORM_COMPILER_VERSION                                                                  \
    FL_GASNET_VERSION(__GNUC__, __GNUC_MINOR__, __GNUC_PATCHLEVEL__)
#define PLATFORM_COMPILER_VERSION_STR __VERSION__
#endif
#define FL_GASNET_VERSION(major, minor, patch) (((major) << 24) | ((minor) << 16) | (patch))
#define PLATFORM_COMPILER_VERSION_INT FL_GASNET_VERSION
#define PLATFORM_COMPILER_IDSTR PLATFORM_COMPILER_VERSION_STR
#define PLATFORM_COMPILER_VERSION_GE(major, minor, patch)                                          \
    (PLATFORM_COMPILER_VERSION >= FL_GASNET_VERSION(major, minor, patch))
#define PLATFORM_COMPILER_VERSION_GT(major, minor, patch)                                          \
    (PLATFORM_COMPILER_VERSION > FL_GASNET_VERSION(major, minor, patch))
#define PLATFORM_COMPILER_VERSION_LE(major, minor, patch)                                          \
    (PLATFORM_COMPILER_VERSION <= FL_GASNET_VERSION(major, minor, patch))
#define PLATFORM_COMPILER_VERSION_LT(major, minor, patch)                                          \
    (PLATFORM_COMPILER_VERSION < FL_GASNET_VERSION(major, minor, patch))

#if defined(__cplusplus)
#if defined(__clang__)
#define PLATFORM_COMPILER_CLANG_CXX 1
#else
#define PLATFORM_COMPILER_GNU_CXX 1
#endif
#else
#define PLATFORM_COMPILER_C_LANGLVL __STDC_VERSION__
#if defined(__clang__)
#define PLATFORM_COMPILER_CLANG_C 1
#else
#define PLATFORM_COMPILER_GNU_C 1
#endif
#endif

#endif
