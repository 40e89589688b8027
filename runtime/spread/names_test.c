/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Names by which the dynamic linker ties libraries together: names_test SPREAD OPENMP.
 *
 * libfurlong-spread.so interposes on all functions of the C library whose meaning differs over
 * several hosts, under all of their names. A new C library brings new names; one that is missing
 * works on one host and silently gives wrong results on two.
 *
 * It and the OpenMP runtime have all functions of omp/far.h that the other calls: these are weak, so
 * that no linker asks for them.
 */
#include <elf.h>
#include <fcntl.h>
#include <link.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

/* Begins of the names of synchronisation and threads. */
static const char *const families[] = {
    "pthread_mutex_", "pthread_cond_", "pthread_rwlock_", "pthread_barrier_", "pthread_spin_",
    "pthread_once",   "pthread_create", "pthread_join",   "pthread_tryjoin",  "pthread_timedjoin",
    "pthread_clockjoin", "pthread_detach", "sem_", "mtx_", "cnd_", "call_once", "thrd_",
    "pthread_key_", "pthread_getspecific", "pthread_setspecific", "tss_",
};

/* Functions that mean the same over hosts: they change one object, or concern the caller only. */
static const char *const same[] = {
    "pthread_mutex_init",   "pthread_mutex_destroy", "pthread_cond_init",  "pthread_rwlock_init",
    "pthread_rwlock_destroy", "pthread_spin_init",   "pthread_spin_destroy", "mtx_init",
    "mtx_destroy",          "cnd_init",              "thrd_current",       "thrd_equal",
    "thrd_exit",            "sem_close",             "sem_unlink",
    /* Robust and priority mutexes are plain ones. */
    "pthread_mutex_consistent", "pthread_mutex_consistent_np", "pthread_mutex_getprioceiling",
    "pthread_mutex_setprioceiling",
};

struct names {
    const char *text;
    const ElfW(Sym) * symbols;
    size_t n;
};

static const void *contents(const char *path) {
    struct stat status;
    int fd = open(path, O_RDONLY);
    void *memory = fd >= 0 && fstat(fd, &status) == 0
                       ? mmap(NULL, (size_t)status.st_size, PROT_READ, MAP_PRIVATE, fd, 0)
                       : MAP_FAILED;
    if (memory == MAP_FAILED) {
        printf("not ok - %s cannot be read\n", path);
        exit(1);
    }
    close(fd);
    return memory;
}

static struct names names_in(const char *path) {
    const unsigned char *bytes = contents(path);
    const ElfW(Ehdr) *header = (const void *)bytes;
    const ElfW(Shdr) *sections = (const void *)(bytes + header->e_shoff);
    for (unsigned i = 0; i < header->e_shnum; i++) {
        if (sections[i].sh_type == SHT_DYNSYM) {
            return (struct names){(const char *)bytes + sections[sections[i].sh_link].sh_offset,
                                  (const void *)(bytes + sections[i].sh_offset),
                                  sections[i].sh_size / sizeof(ElfW(Sym))};
        }
    }
    return (struct names){0};
}

static bool is_defined(const struct names *names, const char *name) {
    for (size_t i = 0; i < names->n; i++) {
        if (names->symbols[i].st_shndx != SHN_UNDEF &&
            strcmp(names->text + names->symbols[i].st_name, name) == 0) {
            return true;
        }
    }
    return false;
}

static bool is_of_family(const char *name) {
    bool is = false;
    for (size_t i = 0; i < sizeof families / sizeof families[0]; i++) {
        is = is || strncmp(name, families[i], strlen(families[i])) == 0;
    }
    for (size_t i = 0; i < sizeof same / sizeof same[0]; i++) {
        is = is && strcmp(name, same[i]) != 0;
    }
    return is;
}

/* __read_chk is another name of read. */
static bool is_checked_form(const struct names *ours, const char *name) {
    char plain[64];
    size_t n = strlen(name);
    if (strncmp(name, "__", 2) != 0 || n < 7 || n >= sizeof plain ||
        strcmp(name + n - 4, "_chk") != 0) {
        return false;
    }
    memcpy(plain, name + 2, n - 6);
    plain[n - 6] = '\0';
    return is_defined(ours, plain);
}

static int find_c_library(struct dl_phdr_info *info, size_t size, void *path_p) {
    (void)size;
    if (strstr(info->dlpi_name, "/libc.so")) {
        *(const char **)path_p = info->dlpi_name;
    }
    return 0;
}

static bool test_interposed(const struct names *ours) {
    const char *path = NULL;
    dl_iterate_phdr(find_c_library, &path);
    if (!path) {
        puts("ok 1 # SKIP no C library in a file");
        return true;
    }
    struct names theirs = names_in(path);
    unsigned checked = 0, missing = 0;
    for (size_t i = 0; i < theirs.n; i++) {
        const char *name = theirs.text + theirs.symbols[i].st_name;
        if (theirs.symbols[i].st_shndx == SHN_UNDEF ||
            !(is_of_family(name) || is_checked_form(ours, name))) {
            continue;
        }
        checked++;
        if (!is_defined(ours, name)) {
            printf("# nothing stands before %s\n", name);
            missing++;
        }
    }
    bool good = !missing && checked >= 50;
    printf("%s 1 - %u names of %s\n", good ? "ok" : "not ok", checked, path);
    return good;
}

/* Functions of omp/far.h that `from` calls and `to` has. */
static bool test_seam(int number, const struct names *from, const struct names *to, unsigned least) {
    unsigned checked = 0, missing = 0;
    for (size_t i = 0; i < from->n; i++) {
        const char *name = from->text + from->symbols[i].st_name;
        if (from->symbols[i].st_shndx != SHN_UNDEF || strncmp(name, "fl_omp_", 7) != 0) {
            continue;
        }
        checked++;
        if (!is_defined(to, name)) {
            printf("# the other library has no %s\n", name);
            missing++;
        }
    }
    bool good = !missing && checked >= least;
    printf("%s %d - %u functions of the other library\n", good ? "ok" : "not ok", number, checked);
    return good;
}

int main(int argc, char **argv) {
    if (argc != 3) {
        puts("usage: names_test SPREAD OPENMP");
        return 1;
    }
    struct names spread = names_in(argv[1]), openmp = names_in(argv[2]);
    bool interposed = test_interposed(&spread);
    bool openmp_calls = test_seam(2, &openmp, &spread, 20);
    bool spread_calls = test_seam(3, &spread, &openmp, 4);
    puts("1..3");
    return !interposed || !openmp_calls || !spread_calls;
}
