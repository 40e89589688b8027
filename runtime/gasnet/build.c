/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Ties a program to a conduit and a mode: its gasnetex.h refers to an object that only their
 * library defines, so a library of another mode does not link. Launchers read the strings in the
 * executable.
 */
#include "gasnet/inside.h"

#define NAMED_(prefix, conduit, mode) prefix##conduit##_##mode
#define NAMED(prefix, conduit, mode) NAMED_(prefix, conduit, mode)

#define IDENT(name, key, value)                                                                    \
    static const char ident_##name[] __attribute__((used)) = "$" key ": " value " $";

IDENT(conduit, "GASNetConduitName", GASNET_CONDUIT_NAME_STR)
IDENT(release, "GASNetReleaseVersion", "2025.8.0")
IDENT(ex, "GASNetEXAPIVersion", "0.19")
IDENT(api, "GASNetAPIVersion", "1.8")
IDENT(model, "GASNetThreadModel", "GASNET_" FL_MODE)
IDENT(segment, "GASNetSegment", "GASNET_SEGMENT_FAST")
IDENT(pshm, "GASNetPSHM", "1")
IDENT(core, "GASNetCoreLibraryName", GASNET_CORE_NAME_STR)
IDENT(core_version, "GASNetCoreLibraryVersion", FL_VERSION)
IDENT(extended, "GASNetExtendedLibraryName", GASNET_EXTENDED_NAME_STR)
IDENT(extended_version, "GASNetExtendedLibraryVersion", FL_VERSION)
IDENT(config, "GASNetConfig",
      "(Furlong) RELEASE=2025.8.0,SPEC=0.19,CONDUIT=" GASNET_CONDUIT_NAME_STR)
IDENT(furlong, "FurlongVersion", FL_VERSION)

const struct fl_gasnet_build NAMED(fl_gasnet_build_, FL_CONDUIT, FL_MODE_NAME) = {
    GASNET_CONDUIT_NAME_STR, FL_MODE_ENUM, GASNET_HIDDEN_AM_CONCURRENCY_LEVEL};
