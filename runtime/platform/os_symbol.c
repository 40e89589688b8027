/* SPDX-License-Identifier: BSD-3-Clause */
/* Names of variables and functions, from the tables of the files that the program consists of: static
 * ones too, which dladdr does not know. See os.h. System V ABI, chapter 4. */
#include "platform/os.h"

#include <elf.h>
#include <fcntl.h>
#include <link.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

struct search {
    uintptr_t address;
    struct fl_os_symbol *symbol;
    unsigned number;
};

static int find_file(struct dl_phdr_info *object, size_t size, void *search_p) {
    struct search *search = search_p;
    (void)size;
    bool is_program = search->number++ == 0;
    for (unsigned i = 0; i < object->dlpi_phnum; i++) {
        const ElfW(Phdr) *header = &object->dlpi_phdr[i];
        uintptr_t begin = object->dlpi_addr + header->p_vaddr;
        if (header->p_type == PT_LOAD && search->address - begin < header->p_memsz) {
            snprintf(search->symbol->file, sizeof search->symbol->file, "%s",
                     is_program ? "/proc/self/exe" : object->dlpi_name);
            search->symbol->shift = object->dlpi_addr;
            return 1;
        }
    }
    return 0;
}

struct image {
    const unsigned char *at;
    size_t bytes;
};

static const void *part(const struct image *image, uint64_t from, uint64_t bytes) {
    return from <= image->bytes && bytes <= image->bytes - from ? image->at + from : NULL;
}

/* Among the symbols of a section. */
static bool find_in(const struct image *image, const ElfW(Shdr) *table, const ElfW(Shdr) *texts,
                    unsigned type, uintptr_t address, struct fl_os_symbol *symbol) {
    const ElfW(Sym) *symbols = part(image, table->sh_offset, table->sh_size);
    const char *names = part(image, texts->sh_offset, texts->sh_size);
    size_t n = symbols && names ? table->sh_size / sizeof *symbols : 0;
    for (size_t i = 0; i < n; i++) {
        const ElfW(Sym) *s = &symbols[i];
        if (ELF64_ST_TYPE(s->st_info) == type && s->st_shndx != SHN_UNDEF &&
            address - s->st_value < s->st_size && s->st_name < texts->sh_size) {
            snprintf(symbol->name, sizeof symbol->name, "%.*s",
                     (int)(texts->sh_size - s->st_name), names + s->st_name);
            symbol->begin = symbol->shift + s->st_value;
            return true;
        }
    }
    return false;
}

/* The whole table comes before the one for the dynamic linker, which a stripped file still has. */
static bool find(const struct image *image, unsigned type, uintptr_t address,
                 struct fl_os_symbol *symbol) {
    const ElfW(Ehdr) *header = part(image, 0, sizeof *header);
    bool good = header && memcmp(header->e_ident, ELFMAG, SELFMAG) == 0 &&
                header->e_shentsize == sizeof(ElfW(Shdr));
    size_t n = good ? header->e_shnum : 0;
    const ElfW(Shdr) *sections = n ? part(image, header->e_shoff, n * sizeof *sections) : NULL;
    static const unsigned kinds[] = {SHT_SYMTAB, SHT_DYNSYM};
    for (size_t k = 0; sections && k < sizeof kinds / sizeof *kinds; k++) {
        for (size_t i = 0; i < n; i++) {
            if (sections[i].sh_type == kinds[k] && sections[i].sh_link < n &&
                find_in(image, &sections[i], &sections[sections[i].sh_link], type, address,
                        symbol)) {
                return true;
            }
        }
    }
    return false;
}

bool fl_os_symbol_at(uintptr_t address, bool code, struct fl_os_symbol *symbol) {
    struct search search = {.address = address, .symbol = symbol};
    *symbol = (struct fl_os_symbol){0};
    if (!dl_iterate_phdr(find_file, &search)) {
        return false;
    }
    int fd = open(symbol->file, O_RDONLY | O_CLOEXEC);
    struct stat status;
    bool found = false;
    if (fd >= 0 && fstat(fd, &status) == 0 && status.st_size > 0) {
        struct image image = {.bytes = (size_t)status.st_size};
        void *mapped = mmap(NULL, image.bytes, PROT_READ, MAP_PRIVATE, fd, 0);
        if (mapped != MAP_FAILED) {
            image.at = mapped;
            found = find(&image, code ? STT_FUNC : STT_OBJECT, address - symbol->shift, symbol);
            munmap(mapped, image.bytes);
        }
    }
    if (fd >= 0) {
        close(fd);
    }
    return found;
}
