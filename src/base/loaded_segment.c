#define _GNU_SOURCE 1 // dl_iterate_phdr; as the command line of the simulated device says it
#include "base/loaded_segment.h"

#include <link.h>
#include <stdint.h>

struct search {
    uintptr_t address;
    size_t size;
};

static int find_segment(struct dl_phdr_info *object, size_t size, void *context)
{
    struct search *search = context;
    (void)size;
    for (int i = 0; i < object->dlpi_phnum; i++) {
        const ElfW(Phdr) *segment = &object->dlpi_phdr[i];
        uintptr_t offset = search->address - (object->dlpi_addr + segment->p_vaddr);
        if (segment->p_type == PT_LOAD && segment->p_flags & PF_R && offset < segment->p_memsz) {
            search->size = segment->p_memsz - offset;
            return 1;
        }
    }
    return 0;
}

size_t loaded_size(const void *address)
{
    struct search search = {.address = (uintptr_t)address};
    (void)dl_iterate_phdr(find_segment, &search);
    return search.size;
}
