/* SPDX-License-Identifier: BSD-3-Clause */
/* The running program as a file of ELF, in memory. See os.h. System V ABI, chapter 5. */
#include "platform/os.h"

#include <dlfcn.h>
#include <link.h>

/* The dynamic section of the program in memory. */
struct dynamic {
    uintptr_t base;
    const ElfW(Dyn) *entries;
};

static int find_dynamic(struct dl_phdr_info *object, size_t size, void *dynamic_p) {
    (void)size;
    for (unsigned i = 0; i < object->dlpi_phnum; i++) {
        if (object->dlpi_phdr[i].p_type == PT_DYNAMIC) {
            *(struct dynamic *)dynamic_p = (struct dynamic){
                object->dlpi_addr,
                (const ElfW(Dyn) *)(object->dlpi_addr + object->dlpi_phdr[i].p_vaddr)};
        }
    }
    return 1; /* the program comes first */
}

static uintptr_t value_of(const struct dynamic *dynamic, ElfW(Sxword) tag) {
    for (const ElfW(Dyn) *entry = dynamic->entries; entry->d_tag != DT_NULL; entry++) {
        if (entry->d_tag == tag) {
            return entry->d_un.d_val;
        }
    }
    return 0;
}

/* The dynamic linker has added the base on most machines, but not on all. */
static const void *address_of(const struct dynamic *dynamic, ElfW(Sxword) tag) {
    uintptr_t value = value_of(dynamic, tag);
    return (const void *)(value && value < dynamic->base ? value + dynamic->base : value);
}

/* Calls `each` with the symbols of relocations. The symbol table does not say how long it is, but
 * each import has a relocation. */
static void in_relocations(const struct dynamic *dynamic, const ElfW(Rela) *first, size_t bytes,
                           void (*each)(const char *, void *), void *context) {
    const ElfW(Sym) *symbols = address_of(dynamic, DT_SYMTAB);
    const char *texts = address_of(dynamic, DT_STRTAB);
    for (size_t i = 0; first && i < bytes / sizeof *first; i++) {
        size_t number = ELF64_R_SYM(first[i].r_info);
        if (number > 0) {
            each(texts + symbols[number].st_name, context);
        }
    }
}

void fl_os_program_imports(void (*each)(const char *name, void *context), void *context) {
    struct dynamic dynamic = {0, NULL};
    dl_iterate_phdr(find_dynamic, &dynamic);
    if (dynamic.entries) {
        in_relocations(&dynamic, address_of(&dynamic, DT_RELA), value_of(&dynamic, DT_RELASZ), each,
                       context);
        in_relocations(&dynamic, address_of(&dynamic, DT_JMPREL), value_of(&dynamic, DT_PLTRELSZ),
                       each, context);
    }
}

bool fl_os_is_sanitized(void) {
    return dlsym(RTLD_DEFAULT, "__interceptor_read") != NULL;
}
