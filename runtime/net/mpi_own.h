/* SPDX-License-Identifier: BSD-3-Clause */
/* MPI's own functions, in a process where calls.c has defined functions of the same names. */
#ifndef FL_NET_MPI_OWN_H
#define FL_NET_MPI_OWN_H

#include <dlfcn.h>
#include <stddef.h>

/* The function of the library that has `of_mpi`: what calls.c defines under such names comes first for
 * all of a process. In a program that has MPI inside there is but one. */
static inline void *fl_net_mpi_own(const void *of_mpi, const char *name) {
    Dl_info info;
    void *library = dladdr(of_mpi, &info) ? dlopen(info.dli_fname, RTLD_LAZY | RTLD_NOLOAD) : NULL;
    void *own = library ? dlsym(library, name) : NULL;
    if (library) {
        dlclose(library);
    }
    return own ? own : dlsym(RTLD_DEFAULT, name);
}

#endif
