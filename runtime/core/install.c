/* SPDX-License-Identifier: BSD-3-Clause */
/* See install.h. */
#include "core/install.h"

#include "core/params.h"
#include "platform/os.h"

#include <dlfcn.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static struct {
    char root[PATH_MAX]; /* absolute; empty: none found */
    bool searched;       /* by this file itself */
} install;

static bool holds_installation(const char *root) {
    char launcher[PATH_MAX + 16];
    snprintf(launcher, sizeof launcher, "%s/bin/upcrun", root);
    return access(launcher, X_OK) == 0;
}

void fl_install_offer(const char *root) {
    char real[PATH_MAX];
    if (!install.root[0] && root && realpath(root, real) && holds_installation(real)) {
        strcpy(install.root, real);
    }
}

enum { DEPTH_MAX = 4 }; /* folders from the root to a file of ours: lib/furlong/omp/libgomp.so.1 */

/* Offers the folders above the folder of `file`, the nearest first. */
static void offer_above(const char *file) {
    char root[PATH_MAX];
    if (!realpath(file, root)) {
        return;
    }
    for (int level = 1; level <= DEPTH_MAX; level++) {
        char *slash = strrchr(root, '/');
        if (!slash) {
            return;
        }
        *slash = '\0';
        if (level > 1) {
            fl_install_offer(root);
        }
    }
}

static void search(void) {
    Dl_info self;
    if (dladdr((void *)&install, &self) && self.dli_fname) {
        offer_above(self.dli_fname);
    }
    const char *folders = fl_params_foreign("PATH");
    while (folders && !install.root[0]) {
        size_t length = strcspn(folders, ":");
        char file[PATH_MAX];
        snprintf(file, sizeof file, "%.*s/upcrun", (int)length, folders);
        offer_above(file);
        folders = folders[length] ? folders + length + 1 : NULL;
    }
}

bool fl_install_path(const char *place, char *path, size_t room) {
    if (!install.root[0] && !install.searched) {
        install.searched = true;
        search();
    }
    int length = install.root[0] ? snprintf(path, room, "%s/%s", install.root, place) : -1;
    if (length < 0 || (size_t)length >= room) {
        path[0] = '\0';
        return false;
    }
    return true;
}

bool fl_install_find_object(const char *stem, const char *folder, char *file, size_t room) {
    if (folder && folder[0]) {
        snprintf(file, room, "%s/libfurlong-%s.so", folder, stem);
        if (access(file, F_OK) == 0) {
            return true;
        }
    }
    char place[128];
    snprintf(place, sizeof place, "lib/furlong/libfurlong-%s.so", stem);
    return fl_install_path(place, file, room) && access(file, F_OK) == 0;
}
