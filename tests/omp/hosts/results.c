// SPDX-License-Identifier: BSD-3-Clause
//@ mappings: 1x3 2x2 4x1
// What functions of the C library allocate for main is there on all hosts.
#define _GNU_SOURCE
#include "../inputs/check.h"

#include <argz.h>
#include <dirent.h>
#include <glob.h>
#include <netdb.h>
#include <obstack.h>
#include <search.h>
#include <unistd.h>
#include <wordexp.h>

#define obstack_chunk_alloc malloc
#define obstack_chunk_free free

enum { FILES = 12, KEYS = 200 };

static int is_file(const struct dirent *entry) {
    return entry->d_name[0] == 'f';
}

static int ascending(const void *a, const void *b) {
    return *(const int *)a - *(const int *)b;
}

static void files(void) {
    char name[FILES][8];
    for (int i = 0; i < FILES; i++) {
        sprintf(name[i], "f%02d", i);
        fclose(fopen(name[i], "w"));
    }
    glob_t found;
    struct dirent **entries;
    wordexp_t words;
    char *here = get_current_dir_name(), *there = canonicalize_file_name("f03");
    CHECK(glob("f*", 0, NULL, &found) == 0 && glob("f0*", GLOB_APPEND, NULL, &found) == 0);
    CHECK(scandir(".", &entries, is_file, alphasort) == FILES);
    CHECK(wordexp("one 'two three'", &words, 0) == 0);
#pragma omp parallel
    {
        CHECK(found.gl_pathc == FILES + 10 && strcmp(found.gl_pathv[FILES + 2], "f02") == 0);
        CHECK(!found.gl_pathv[found.gl_pathc]);
        for (int i = 0; i < FILES; i++) {
            CHECK(strcmp(entries[i]->d_name, name[i]) == 0);
        }
        CHECK(words.we_wordc == 2 && strcmp(words.we_wordv[1], "two three") == 0);
        CHECK(strncmp(here, there, strlen(here)) == 0 && strcmp(there + strlen(here), "/f03") == 0);
    }
    for (int i = 0; i < FILES; i++) {
        free(entries[i]);
        remove(name[i]);
    }
    free(entries);
    globfree(&found);
    wordfree(&words);
    free(here);
    free(there);
}

static void address(void) {
    struct addrinfo like = {.ai_flags = AI_NUMERICHOST | AI_CANONNAME}, *found;
    CHECK(getaddrinfo("10.1.2.3", "80", &like, &found) == 0);
#pragma omp parallel
    {
        int n = 0;
        for (const struct addrinfo *at = found; at; at = at->ai_next) {
            n += at->ai_family == AF_INET && at->ai_addr->sa_family == AF_INET;
        }
        CHECK(n > 1 && strcmp(found->ai_canonname, "10.1.2.3") == 0);
    }
    freeaddrinfo(found);
}

static void tables(void) {
    static int keys[KEYS];
    static char names[KEYS][8];
    void *tree = NULL;
    struct hsearch_data table = {0};
    struct obstack stack;
    char *vector = NULL;
    size_t bytes = 0;
    obstack_init(&stack);
    CHECK(hcreate_r(2 * KEYS, &table));
    for (int i = 0; i < KEYS; i++) {
        sprintf(names[i], "k%d", i);
        ENTRY entry = {names[i], &keys[i]}, *entered;
        CHECK(hsearch_r(entry, ENTER, &entered, &table));
        CHECK(argz_add(&vector, &bytes, names[i]) == 0);
        obstack_grow(&stack, "0123456789012345678901234567890123456789", 40);
    }
    const char *text = obstack_finish(&stack);
#pragma omp parallel for
    for (int i = 0; i < KEYS; i++) {
        keys[i] = i * 37 % KEYS;
#pragma omp critical
        CHECK(tsearch(&keys[i], &tree, ascending));
    }
#pragma omp parallel for
    for (int i = 0; i < KEYS; i++) {
        ENTRY entry = {names[i], NULL}, *found;
        CHECK(hsearch_r(entry, FIND, &found, &table) && found->data == &keys[i]);
        CHECK(tfind(&i, &tree, ascending) && text[40 * i + 7] == '7');
        CHECK(argz_count(vector, bytes) == KEYS);
    }
    obstack_free(&stack, NULL);
    hdestroy_r(&table);
    free(vector);
}

int main(void) {
    files();
    address();
    tables();
    return result();
}
