/* SPDX-License-Identifier: BSD-3-Clause */
/* See objects.h. ELF and glibc. */
#include "spread/objects.h"

#include "core/mutex.h"

#include <dlfcn.h>
#include <elf.h>
#include <limits.h>
#include <link.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { PAGE = 4096 };

struct object {
    uintptr_t begin, end, shift;
    enum fl_object_kind kind;
    const ElfW(Phdr) * headers;
    unsigned n_headers;
    const char *name;
};

static struct {
    struct object all[FL_OBJECTS_MOST];
    _Atomic unsigned n;  /* filled in */
    unsigned n_at_start;
    bool going_on;
    struct fl_mutex mutex; /* held to add an object */
} objects;

/* ---- kinds ---- */

/* Names of files up to ".so", whole, or up to a `*`: the program's own libnlopt is not the
 * network's libnl-3. The network's libraries come while the process attaches to its job. */
static const struct {
    const char *stem;
    enum fl_object_kind kind;
} known[] = {
    {"libc", FL_OBJECT_OWN},           {"libc-2.*", FL_OBJECT_OWN},     {"ld-linux-*", FL_OBJECT_OWN},
    {"libpthread", FL_OBJECT_OWN},     {"libpthread-2.*", FL_OBJECT_OWN},
    {"libdl", FL_OBJECT_OWN},          {"libdl-2.*", FL_OBJECT_OWN},    {"librt", FL_OBJECT_OWN},
    {"librt-2.*", FL_OBJECT_OWN},      {"libgcc_s", FL_OBJECT_OWN},     {"libresolv", FL_OBJECT_OWN},
    {"libresolv-2.*", FL_OBJECT_OWN},  {"libnss_*", FL_OBJECT_OWN},     {"linux-vdso", FL_OBJECT_OWN},
    {"libfurlong*", FL_OBJECT_OWN},    {"libucp", FL_OBJECT_OWN},       {"libucs", FL_OBJECT_OWN},
    {"libuct", FL_OBJECT_OWN},         {"libucm", FL_OBJECT_OWN},       {"libucs_*", FL_OBJECT_OWN},
    {"libuct_*", FL_OBJECT_OWN},       {"libucm_*", FL_OBJECT_OWN},     {"libnuma", FL_OBJECT_OWN},
    {"libibverbs", FL_OBJECT_OWN},     {"libibumad", FL_OBJECT_OWN},    {"libmlx4", FL_OBJECT_OWN},
    {"libmlx5", FL_OBJECT_OWN},        {"libefa", FL_OBJECT_OWN},       {"librdmacm", FL_OBJECT_OWN},
    {"libnl-3", FL_OBJECT_OWN},        {"libnl-route-3", FL_OBJECT_OWN},
    {"libgomp", FL_OBJECT_OPENMP},     {"libomp", FL_OBJECT_OPENMP},    {"libomp5", FL_OBJECT_OPENMP},
    {"libstdc++", FL_OBJECT_LIBRARY},  {"libgfortran", FL_OBJECT_LIBRARY},
    {"libquadmath", FL_OBJECT_LIBRARY}, {"libatomic", FL_OBJECT_LIBRARY},
    {"libm", FL_OBJECT_LIBRARY},       {"libm-2.*", FL_OBJECT_LIBRARY}, {"libmvec", FL_OBJECT_LIBRARY},
};

static bool is_named(const char *stem, const char *name) {
    size_t n = strcspn(stem, "*");
    return strncmp(name, stem, n) == 0 && (stem[n] == '*' || strncmp(name + n, ".so", 3) == 0);
}

/* omprun names its objects by open files if their folder's name cannot stand in LD_PRELOAD. */
static const char *name_behind_fd(const char *path, char *real, size_t room) {
    if (strncmp(path, "/proc/self/fd/", 14) != 0) {
        return path;
    }
    ssize_t length = readlink(path, real, room - 1);
    if (length < 0) {
        return path;
    }
    real[length] = '\0';
    return real;
}

static enum fl_object_kind kind_of(const char *path) {
    char real[PATH_MAX];
    path = name_behind_fd(path, real, sizeof real);
    const char *slash = strrchr(path, '/');
    const char *name = slash ? slash + 1 : path;
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++) {
        if (is_named(known[i].stem, name)) {
            return known[i].kind;
        }
    }
    bool of_system = strncmp(path, "/lib", 4) == 0 || strncmp(path, "/usr/lib", 8) == 0;
    return of_system ? FL_OBJECT_LIBRARY : FL_OBJECT_PROGRAM;
}

static bool is_known(uintptr_t begin) {
    /* [J2] pairs [J1]. */
    unsigned n = atomic_load_explicit(&objects.n, memory_order_acquire);
    for (unsigned i = 0; i < n; i++) {
        if (objects.all[i].begin == begin) {
            return true;
        }
    }
    return false;
}

static int add(struct dl_phdr_info *info, size_t size, void *unused) {
    (void)size;
    (void)unused;
    struct object object = {.shift = info->dlpi_addr,
                            .begin = UINTPTR_MAX,
                            .headers = info->dlpi_phdr,
                            .n_headers = info->dlpi_phnum,
                            .name = info->dlpi_name};
    for (unsigned i = 0; i < info->dlpi_phnum; i++) {
        const ElfW(Phdr) *header = &info->dlpi_phdr[i];
        uintptr_t begin = info->dlpi_addr + header->p_vaddr;
        if (header->p_type == PT_LOAD) {
            object.begin = begin < object.begin ? begin : object.begin;
            object.end = begin + header->p_memsz > object.end ? begin + header->p_memsz : object.end;
        }
    }
    /* Relaxed: a thread that adds holds the mutex. */
    unsigned n = atomic_load_explicit(&objects.n, memory_order_relaxed);
    if (n < FL_OBJECTS_MOST && object.end && !is_known(object.begin)) {
        object.kind = n == 0 ? FL_OBJECT_PROGRAM : kind_of(info->dlpi_name);
        objects.all[n] = object;
        /* [J1] pairs [J2], [J3]: else a reader sees an object without its place. */
        atomic_store_explicit(&objects.n, n + 1, memory_order_release);
    }
    return 0;
}

void fl_objects_start(void) {
    dl_iterate_phdr(add, NULL);
    objects.n_at_start = atomic_load_explicit(&objects.n, memory_order_relaxed);
}

void fl_objects_go_on(void) {
    objects.going_on = true;
}

static const struct object *find(uintptr_t pc) {
    /* [J3] pairs [J1]. */
    unsigned n = atomic_load_explicit(&objects.n, memory_order_acquire);
    for (unsigned i = 0; i < n; i++) {
        if (pc - objects.all[i].begin < objects.all[i].end - objects.all[i].begin) {
            return &objects.all[i];
        }
    }
    return NULL;
}

/* The kind of a library that was loaded since; code that is in no file is the program's. */
static FL_COLD enum fl_object_kind new_object_of(uintptr_t pc) {
    if (!objects.going_on) {
        return FL_OBJECT_OWN;
    }
    struct dl_find_object found;
    if (_dl_find_object((void *)pc, &found) != 0) {
        return FL_OBJECT_PROGRAM;
    }
    if (!fl_mutex_try(&objects.mutex)) {
        return kind_of(found.dlfo_link_map->l_name);
    }
    dl_iterate_phdr(add, NULL);
    fl_mutex_unlock(&objects.mutex);
    const struct object *object = find(pc);
    return object ? object->kind : kind_of(found.dlfo_link_map->l_name);
}

enum fl_object_kind fl_object_of(const void *pc) {
    const struct object *object = find((uintptr_t)pc);
    return FL_LIKELY(object != NULL) ? object->kind : new_object_of((uintptr_t)pc);
}

bool fl_object_is_c_library(const void *pc) {
    const struct object *object = find((uintptr_t)pc);
    return object && strstr(object->name, "/libc.so");
}

/* ---- static data ---- */

static uintptr_t page_down(uintptr_t address) {
    return address & ~(uintptr_t)(PAGE - 1);
}

/* The dynamic linker makes whole pages of it read-only. */
static uintptr_t end_of_relro(const struct object *object) {
    for (unsigned i = 0; i < object->n_headers; i++) {
        const ElfW(Phdr) *header = &object->headers[i];
        if (header->p_type == PT_GNU_RELRO) {
            return page_down(object->shift + header->p_vaddr + header->p_memsz);
        }
    }
    return 0;
}

static int ascending(const void *a, const void *b) {
    uintptr_t x = ((const struct fl_object_data *)a)->address;
    uintptr_t y = ((const struct fl_object_data *)b)->address;
    return (x > y) - (x < y);
}

unsigned fl_object_data(struct fl_object_data data[FL_OBJECT_DATA_MOST]) {
    unsigned n = 0;
    for (unsigned o = 0; o < objects.n_at_start; o++) {
        const struct object *object = &objects.all[o];
        uintptr_t relro = end_of_relro(object);
        for (unsigned i = 0; object->kind == FL_OBJECT_PROGRAM && i < object->n_headers; i++) {
            const ElfW(Phdr) *header = &object->headers[i];
            uintptr_t begin = page_down(object->shift + header->p_vaddr);
            uintptr_t end =
                page_down(object->shift + header->p_vaddr + header->p_memsz + PAGE - 1);
            begin = relro > begin && relro <= end ? relro : begin;
            if (header->p_type == PT_LOAD && header->p_flags & PF_W && begin < end &&
                n < FL_OBJECT_DATA_MOST) {
                data[n++] = (struct fl_object_data){begin, end - begin};
            }
        }
    }
    qsort(data, n, sizeof *data, ascending);
    return n;
}

bool fl_objects_execute_stacks(void) {
    for (unsigned o = 0; o < objects.n_at_start; o++) {
        const struct object *object = &objects.all[o];
        for (unsigned i = 0; i < object->n_headers; i++) {
            const ElfW(Phdr) *header = &object->headers[i];
            if (header->p_type == PT_GNU_STACK && header->p_flags & PF_X) {
                return true;
            }
        }
    }
    return false;
}

bool fl_objects_have_tls(void) {
    for (unsigned o = 0; o < objects.n_at_start; o++) {
        const struct object *object = &objects.all[o];
        for (unsigned i = 0; object->kind == FL_OBJECT_PROGRAM && i < object->n_headers; i++) {
            if (object->headers[i].p_type == PT_TLS) {
                return true;
            }
        }
    }
    return false;
}

/* ---- comparing hosts ---- */

static uint64_t mix(uint64_t hash, const void *bytes, size_t n) {
    for (size_t i = 0; i < n; i++) {
        hash = (hash ^ ((const unsigned char *)bytes)[i]) * 0x100000001b3;
    }
    return hash;
}

static uint64_t mark_of(const struct object *object) {
    uint64_t hash = mix(0xcbf29ce484222325, &object->begin, sizeof object->begin);
    hash = mix(hash, &object->end, sizeof object->end);
    for (unsigned i = 0; i < object->n_headers; i++) {
        const ElfW(Phdr) *header = &object->headers[i];
        if (header->p_type == PT_NOTE) { /* the build-id among them */
            hash = mix(hash, (const void *)(object->shift + header->p_vaddr), header->p_memsz);
        }
    }
    return hash;
}

unsigned fl_object_marks(uint64_t marks[FL_OBJECTS_MOST]) {
    unsigned n = 0;
    for (unsigned i = 0; i < objects.n_at_start; i++) {
        bool of_kernel = strncmp(objects.all[i].name, "linux-vdso", 10) == 0;
        marks[n++] = of_kernel ? 0 : mark_of(&objects.all[i]);
    }
    return n;
}

const char *fl_object_name(unsigned i) {
    return i == 0 ? "the program" : i < objects.n_at_start ? objects.all[i].name : "?";
}

/* ---- dynamic sections ---- */

/* The value of an entry; 0: there is none. */
static uint64_t dynamic_entry(const struct object *object, int64_t tag) {
    for (unsigned i = 0; i < object->n_headers; i++) {
        if (object->headers[i].p_type != PT_DYNAMIC) {
            continue;
        }
        const ElfW(Dyn) *entry = (const void *)(object->shift + object->headers[i].p_vaddr);
        for (; entry->d_tag != DT_NULL; entry++) {
            if (entry->d_tag == tag) {
                return entry->d_un.d_val;
            }
        }
    }
    return 0;
}

/* Whether one of the relocations is for an undefined symbol that is so. */
static bool asks_for(const struct object *object, int64_t table, int64_t bytes,
                     fl_objects_import *is, const void *context) {
    const ElfW(Sym) *symbols = (const void *)dynamic_entry(object, DT_SYMTAB);
    const char *names = (const void *)dynamic_entry(object, DT_STRTAB);
    const ElfW(Rela) *relocations = (const void *)dynamic_entry(object, table);
    size_t n = relocations ? dynamic_entry(object, bytes) / sizeof *relocations : 0;
    for (size_t i = 0; i < n; i++) {
        const ElfW(Sym) *symbol = &symbols[ELF64_R_SYM(relocations[i].r_info)];
        if (symbol->st_shndx == SHN_UNDEF && is(names + symbol->st_name, context)) {
            return true;
        }
    }
    return false;
}

bool fl_objects_import_any(fl_objects_import *is, const void *context) {
    for (unsigned i = 0; i < objects.n_at_start; i++) {
        const struct object *object = &objects.all[i];
        if (object->kind == FL_OBJECT_PROGRAM &&
            (asks_for(object, DT_JMPREL, DT_PLTRELSZ, is, context) ||
             asks_for(object, DT_RELA, DT_RELASZ, is, context))) {
            return true;
        }
    }
    return false;
}

static bool begins_with(const char *name, const void *begin) {
    return strncmp(name, begin, strlen(begin)) == 0;
}

bool fl_objects_call(const char *begin) {
    return fl_objects_import_any(begins_with, begin);
}

/* ---- the end ---- */

static void finish(const struct object *object) {
    uint64_t array = dynamic_entry(object, DT_FINI_ARRAY);
    uintptr_t *functions = (uintptr_t *)(object->shift + array);
    size_t bytes = array ? dynamic_entry(object, DT_FINI_ARRAYSZ) : 0;
    for (size_t i = bytes / sizeof *functions; i > 0; i--) {
        ((void (*)(void))functions[i - 1])();
    }
}

void fl_objects_finish(void) {
    for (unsigned i = 0; i < objects.n_at_start; i++) {
        if (objects.all[i].kind >= FL_OBJECT_LIBRARY) {
            finish(&objects.all[i]);
        }
    }
}
