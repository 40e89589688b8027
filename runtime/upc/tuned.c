/* SPDX-License-Identifier: BSD-3-Clause */
/* See tuned.h. The hosts may have different files, or none: all use the first host's, or their
 * threads would choose differently and wait for each other for ever. */
#include "upc/tuned.h"

#include "comm/comm.h"
#include "core/fatal.h"
#include "core/install.h"
#include "upc/process.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = 64 << 10 };

static char *room(void) {
    char *text = FL_ALLOCATED(calloc(1, MOST + 1), "the table of collective operations");
    return text;
}

static char *read_file(const char *path, FILE *file) {
    char *text = room();
    if (!file || fread(text, 1, MOST + 1, file) > MOST || ferror(file)) {
        fl_fatal(FL_CODE_SETTING,
                 "%s: no table of collective operations of at most %d KB can be read there", path,
                 MOST >> 10);
    }
    fclose(file);
    return text;
}

/* Null if there is no such file. */
static char *read_if_there(const char *folder, const char *place) {
    char path[4096];
    int length = snprintf(path, sizeof path, "%s%s", folder ? folder : "", place);
    FILE *file = folder && *folder && length < (int)sizeof path ? fopen(path, "r") : NULL;
    return file ? read_file(path, file) : NULL;
}

char *upc_tuned_read(void) {
    const struct fl_params *params = &upc_process.params;
    if (params->coll_table) {
        return read_file(params->coll_table, fopen(params->coll_table, "r"));
    }
    char *text = params->config_home && *params->config_home
                     ? read_if_there(params->config_home, "/furlong/collectives.table")
                     : read_if_there(params->home, "/.config/furlong/collectives.table");
    char installed[PATH_MAX];
    return !text && fl_install_path("share/furlong/collectives.table", installed, sizeof installed)
               ? read_if_there(installed, "")
               : text;
}

void upc_tuned_answer(const struct fl_comm_call *call, const char *text) {
    uint64_t length = text ? strlen(text) : 0, at = call->words[0];
    uint64_t bytes = length - at < fl_comm_payload_most() ? length - at : fl_comm_payload_most();
    fl_comm_answer(call->asker, &length, 1, text ? text + at : NULL, bytes);
}

char *upc_tuned_ask(void) {
    char *text = room();
    uint64_t at = 0, length;
    do {
        struct fl_comm_answer answer = {.payload = text + at, .room = MOST - at};
        fl_comm_ask(0, FL_COMM_START, &at, 1, NULL, 0, &answer);
        length = answer.words[0];
        at += answer.bytes;
    } while (at < length);
    return text;
}
