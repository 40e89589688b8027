/* SPDX-License-Identifier: BSD-3-Clause */
/* Finding transports, and saying what lacks. See net.h. */
#include "net/net.h"

#include "core/install.h"
#include "net/signals.h"
#include "platform/c_library.h"
#include "platform/os.h"

#include <dlfcn.h>
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static const struct {
    const char *library, *package;
} packages[] = {
#define FL_PACKAGE(library, package) {library, package},
#include "net/packages.def"
#undef FL_PACKAGE
};

static const char *package_of(const char *message) {
    for (size_t i = 0; i < sizeof packages / sizeof packages[0]; i++) {
        if (strncmp(message, packages[i].library, strlen(packages[i].library)) == 0) {
            return packages[i].package;
        }
    }
    return NULL;
}

/* What UCX's transport exports comes before the C library's for the libraries that it loads, so that
 * it can stand between them and the network (guard.c). Sanitizers cannot live with that; nor can
 * MPI, which shares data with the program and changes its environment. */
static int binding(const char *name) {
    return fl_os_is_sanitized() || strcmp(name, "ucx") != 0 ? 0 : fl_libc_deep_binding();
}

/* So bound, these libraries also see the C library's own `environ` where the program has a copy of
 * that in its stead, and the C library's stays null. */
static void share_environment(void) {
    void *library = dlopen("libc.so.6", RTLD_NOW | RTLD_NOLOAD);
    char ***own = library ? dlsym(library, "environ") : NULL;
    if (own && !*own) {
        *own = environ;
    }
}

/* LeakSanitizer asks. The networks' libraries leave memory behind, and their thread-local memory
 * makes it fail: with them a program is searched for every other error, not for leaks. */
static bool network_is_loaded;
__attribute__((visibility("default"))) int __lsan_is_turned_off(void);
int __lsan_is_turned_off(void) {
    return network_is_loaded;
}

static void *open_quietly(const char *name, const char *file) {
    struct fl_net_signals signals;
    fl_net_signals_keep(&signals);
    share_environment();
    void *object = dlopen(file, RTLD_NOW | RTLD_LOCAL | binding(name));
    network_is_loaded |= object != NULL;
    fl_net_signals_restore(&signals);
    return object;
}

__attribute__((format(printf, 2, 3))) static void *fail(const char **why_p, const char *format,
                                                        ...) {
    char *why;
    va_list arguments;
    va_start(arguments, format);
    *why_p = vasprintf(&why, format, arguments) < 0 ? format : why;
    va_end(arguments);
    return NULL;
}

void *fl_net_open_object(const char *name, const char *folder, const char **why_p) {
    char file[PATH_MAX] = "", stem[64];
    snprintf(stem, sizeof stem, "net-%s", name);
    if (fl_os_program_is_static()) {
        return fail(why_p, "a transport cannot be loaded into a program that was linked with "
                           "-static; link it without");
    }
    if (fl_libc_refuses_transports()) {
        return fail(why_p, "%s", fl_libc_refuses_transports());
    }
    if (strchr(name, '/') || !fl_install_find_object(stem, folder, file, sizeof file)) {
        const char *lacks = file[0] ? "no such file: "
                                    : "Furlong's installation is not found; put its bin folder "
                                      "into PATH";
        return fail(why_p,
                    "there is no transport `%s` (`upcrun -info` shows which there are): %s%s", name,
                    lacks, file);
    }
    void *object = open_quietly(name, file);
    if (!object) {
        const char *message = dlerror();
        const char *package = package_of(message);
        return fail(why_p, "transport `%s` cannot be loaded: %s%s%s%s", name, message,
                    package ? " (Debian package " : "", package ? package : "", package ? ")" : "");
    }
    return object;
}

static void *open_mpi(const char *folder, const char **why_p) {
    const char *of_program = fl_net_mpi_of_program();
    if (of_program) {
        return fl_net_open_object(of_program, folder, why_p);
    }
    const char *no_openmpi, *no_mpich;
    void *object = fl_net_open_object("openmpi", folder, &no_openmpi);
    if (!object) {
        object = fl_net_open_object("mpich", folder, &no_mpich);
    }
    return object ? object : fail(why_p, "%s; %s", no_openmpi, no_mpich);
}

const struct fl_net_ops *fl_net_load(const char *name, const char *folder, const char **why_p) {
    bool any_mpi = strcmp(name, "mpi") == 0;
    void *object =
        any_mpi ? open_mpi(folder, why_p) : fl_net_open_object(name, folder, why_p);
    if (!object) {
        return NULL;
    }
    const struct fl_net_ops *ops = dlsym(object, "fl_net_ops");
    if (!ops || ops->abi != FL_NET_ABI) {
        return fail(why_p, "transport `%s` belongs to another version of Furlong", name);
    }
    return ops;
}
