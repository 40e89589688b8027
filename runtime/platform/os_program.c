/* SPDX-License-Identifier: BSD-3-Clause */
/* The running program as a file of ELF, in memory. See os.h. System V ABI, chapter 5. */
#include "platform/os.h"

#include <dlfcn.h>
#include <link.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

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

/* ---- names that shared libraries do not see ---- */

static const char posix_names[] =
#include "platform/posix_names.def"
    ;

/* What shared libraries see of the program, and the table by which they find it. */
struct exports {
    ElfW(Sym) *symbols;
    const char *texts;
    const struct {
        uint32_t buckets, first, filter_words, shift;
        ElfW(Addr) filter[]; /* then the buckets, then hashes from symbol `first` on */
    } *table;
};

/* What the program defines under a name; null: nothing. */
static ElfW(Sym) *definition(const struct exports *exports, const char *name, size_t length) {
    const __typeof__(*exports->table) *table = exports->table;
    enum { BITS = 8 * sizeof *table->filter };
    uint32_t hash = 5381;
    for (size_t i = 0; i < length; i++) {
        hash = hash * 33 + (unsigned char)name[i];
    }
    ElfW(Addr) filter = table->filter[hash / BITS % table->filter_words];
    if (!(filter >> hash % BITS & filter >> (hash >> table->shift) % BITS & 1)) {
        return NULL;
    }
    const uint32_t *buckets = (const uint32_t *)&table->filter[table->filter_words];
    const uint32_t *hashes = &buckets[table->buckets];
    uint32_t at = buckets[hash % table->buckets], here = at == 0;
    for (; !(here & 1); at++) { /* the last of a bucket has the lowest bit */
        here = hashes[at - table->first];
        ElfW(Sym) *symbol = &exports->symbols[at];
        const char *text = exports->texts + symbol->st_name;
        if ((here | 1) == (hash | 1) && strncmp(text, name, length) == 0 && !text[length]) {
            return symbol->st_shndx == SHN_UNDEF ? NULL : symbol;
        }
    }
    return NULL;
}

/* Dynamic linkers pass over local symbols. */
static void make_local(ElfW(Sym) *symbol, int protection) {
    uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE), begin = (uintptr_t)symbol & -page;
    size_t bytes = (uintptr_t)(symbol + 1) - begin;
    if (mprotect((void *)begin, bytes, protection | PROT_WRITE) == 0) {
        symbol->st_info = ELF64_ST_INFO(STB_LOCAL, ELF64_ST_TYPE(symbol->st_info));
        (void)mprotect((void *)begin, bytes, protection);
    }
}

/* How the object's segment with the address is mapped. */
static int protection_at(const struct dl_phdr_info *object, uintptr_t address) {
    for (unsigned i = 0; i < object->dlpi_phnum; i++) {
        const ElfW(Phdr) *segment = &object->dlpi_phdr[i];
        if (segment->p_type == PT_LOAD &&
            address - object->dlpi_addr - segment->p_vaddr < segment->p_memsz) {
            return PROT_READ | (segment->p_flags & PF_W ? PROT_WRITE : 0) |
                   (segment->p_flags & PF_X ? PROT_EXEC : 0);
        }
    }
    return PROT_READ;
}

static int hide_names(struct dl_phdr_info *program, size_t size, void *unused) {
    struct dynamic dynamic = {0, NULL};
    (void)unused;
    find_dynamic(program, size, &dynamic);
    if (!dynamic.entries || !address_of(&dynamic, DT_GNU_HASH)) {
        return 1; /* or its linker has made an older kind of table, which none does unasked */
    }
    const struct exports exports = {
        .symbols = (ElfW(Sym) *)(uintptr_t)address_of(&dynamic, DT_SYMTAB),
        .texts = address_of(&dynamic, DT_STRTAB),
        .table = address_of(&dynamic, DT_GNU_HASH),
    };
    for (const char *name = posix_names; *name;) {
        size_t length = strcspn(name, " ");
        ElfW(Sym) *symbol = definition(&exports, name, length);
        if (symbol) {
            make_local(symbol, protection_at(program, (uintptr_t)symbol));
        }
        name += length + strspn(name + length, " ");
    }
    return 1; /* the program comes first */
}

bool fl_os_is_sanitized(void) {
    return dlsym(RTLD_DEFAULT, "__interceptor_read") != NULL;
}

void fl_os_program_hide_names(void) {
    if (!fl_os_program_is_static() && !fl_os_is_sanitized()) {
        dl_iterate_phdr(hide_names, NULL);
    }
}
