// Registers as machine code says them: in a cubin, and in the right one of a fat binary's; whatever
// the bytes, nothing beyond them is read.
#include <elf.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "base/cubin.h"
#include "base/fatbin.h"

#include "suites.h"

enum { SECTIONS = 7, MAX_CUBIN = 1024, PAGE = 4096 };

static size_t append(unsigned char *bytes, size_t *size, const void *what, size_t length)
{
    size_t at = *size;
    memcpy(bytes + at, what, length);
    *size += length;
    return at;
}

// The PTX that a cubin was made of: places in the source are left out, and comments in the one or the other.
static const char kept_ptx[] = ".version 8.0\0\0mov.u32 %r1, %tid.x; // callseq 0, 0\0ret;";
static const char own_ptx[] = ".version 8.0\n.loc 1 5 0\nmov.u32\t%r1, %tid.x;\nret;\n\n";

// The second kernel's.
static const uint64_t code[] = {1, 2, 3, 4};

// A cubin with the kernels "first" and "second", of `registers` and 2 * `registers` registers.
static size_t make_cubin(unsigned char bytes[MAX_CUBIN], unsigned registers)
{
    static const char names[] =
        "\0.nv.info\0.symtab\0.strtab\0first\0second\0.text.second\0.nv_debug_ptx_txt";
    const Elf64_Sym symbols[] = {{0}, {.st_name = 26}, {.st_name = 32}};
    const uint32_t info[] = {
        0x00080a04, 1, 7,             // another attribute of the first
        0x00000103,                   // one whose number is in its head
        0x00082f04, 2, 2 * registers, // REGCOUNT of the second
        0x00082f04, 1, registers,
    };
    size_t size = sizeof(Elf64_Ehdr);
    memset(bytes, 0, MAX_CUBIN);
    Elf64_Shdr sections[SECTIONS] = {
        [1] = {.sh_type = SHT_STRTAB, .sh_size = sizeof names},
        [2] = {.sh_type = SHT_SYMTAB, .sh_size = sizeof symbols, .sh_link = 1},
        [3] = {.sh_type = SHT_NOBITS, .sh_name = 18, .sh_offset = UINT64_MAX, .sh_size = 8},
        [4] = {.sh_name = 39, .sh_type = SHT_PROGBITS, .sh_size = sizeof code},
        [5] = {.sh_name = 52, .sh_type = SHT_PROGBITS, .sh_size = sizeof kept_ptx},
        [6] = {.sh_name = 1, .sh_type = 0x70000000, .sh_size = sizeof info, .sh_link = 2},
    };
    sections[1].sh_offset = append(bytes, &size, names, sizeof names);
    sections[2].sh_offset = append(bytes, &size, symbols, sizeof symbols);
    sections[4].sh_offset = append(bytes, &size, code, sizeof code);
    sections[5].sh_offset = append(bytes, &size, kept_ptx, sizeof kept_ptx);
    sections[6].sh_offset = append(bytes, &size, info, sizeof info);
    Elf64_Ehdr header = {.e_ident = {0x7f, 'E', 'L', 'F', ELFCLASS64, ELFDATA2LSB, 1},
                         .e_machine = 190,
                         .e_shnum = SECTIONS,
                         .e_shentsize = sizeof *sections,
                         .e_shstrndx = 1};
    header.e_shoff = append(bytes, &size, sections, sizeof sections);
    memcpy(bytes, &header, sizeof header);
    return size;
}

PROGRAM(sim_cubin)

TEST(a_cubin_says_its_registers)
{
    unsigned char bytes[MAX_CUBIN];
    size_t size = make_cubin(bytes, 30);
    ck_assert_int_eq(cubin_registers(bytes, size, "first"), 30);
    ck_assert_int_eq(cubin_registers(bytes, size, "second"), 60);
    ck_assert_int_eq(cubin_registers(bytes, size, "firs"), 0);
    ck_assert_int_eq(cubin_registers(bytes, size, "first1"), 0);
    ck_assert_int_eq(cubin_registers(bytes, size, ""), 0);
    bytes[0] ^= 1;
    ck_assert_int_eq(cubin_registers(bytes, size, "first"), 0);
}

TEST(a_cubin_knows_the_ptx_that_it_was_made_of)
{
    static const char other[] = ".version 8.0\n\nmov.u32 %r1, %tid.y;\nret;\n";
    unsigned char bytes[MAX_CUBIN];
    size_t size = make_cubin(bytes, 30);
    ck_assert_int_eq(cubin_is_of_ptx(bytes, size, own_ptx, sizeof own_ptx - 1), 1);
    ck_assert_int_eq(cubin_is_of_ptx(bytes, size, own_ptx, sizeof own_ptx), 1);
    ck_assert_int_eq(cubin_is_of_ptx(bytes, size, own_ptx, 20), 0);
    ck_assert_int_eq(cubin_is_of_ptx(bytes, size, other, sizeof other - 1), 0);
    Elf64_Ehdr header;
    memcpy(&header, bytes, sizeof header);
    memset(bytes + header.e_shoff + 5 * sizeof(Elf64_Shdr) + offsetof(Elf64_Shdr, sh_size), 0, 8);
    ck_assert_int_eq(cubin_is_of_ptx(bytes, size, own_ptx, sizeof own_ptx - 1), 0);
}

TEST(a_cubin_says_its_code)
{
    unsigned char bytes[MAX_CUBIN];
    size_t size = make_cubin(bytes, 30), length = 0;
    const unsigned char *found = cubin_code(bytes, size, "second", &length);
    ck_assert_ptr_nonnull(found);
    ck_assert_uint_eq(length, sizeof code);
    ck_assert_mem_eq(found, code, sizeof code);
    ck_assert_ptr_null(cubin_code(bytes, size, "first", &length));
    ck_assert_ptr_null(cubin_code(bytes, size, "secon", &length));
    ck_assert_ptr_null(cubin_code(bytes, size, "", &length));
}

// The bytes, up against a page that cannot be read.
static unsigned char *guarded(const unsigned char *bytes, size_t size)
{
    unsigned char *pages =
        mmap(NULL, 2 * PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    ck_assert(pages != MAP_FAILED);
    ck_assert_int_eq(mprotect(pages + PAGE, PAGE, PROT_NONE), 0);
    return memcpy(pages + PAGE - size, bytes, size);
}

TEST(damaged_cubins_are_harmless)
{
    unsigned char bytes[MAX_CUBIN];
    size_t size = make_cubin(bytes, 30);
    for (size_t cut = 0; cut < size; cut++) {
        unsigned char *at = guarded(bytes, cut);
        ck_assert_int_eq(cubin_registers(at, cut, "first"), 0);
        ck_assert_int_eq(munmap(at + cut - PAGE, 2 * PAGE), 0);
    }
    static const unsigned char extremes[] = {0, 1, 0x7f, 0x80, 0xff};
    unsigned char *at = guarded(bytes, size);
    srand(1);
    for (int round = 0; round < 300000; round++) {
        memcpy(at, bytes, size);
        for (int i = rand() % 6; i >= 0; i--)
            at[(size_t)rand() % size] = rand() % 2 ? extremes[rand() % 5] : (unsigned char)rand();
        int registers = cubin_registers(at, size, "first");
        if (registers < 0 || registers > 256)
            ck_abort_msg("%d registers", registers);
        size_t length = 0;
        const unsigned char *found = cubin_code(at, size, "second", &length);
        ck_assert(!found || (found >= at && length <= (size_t)(at + size - found)));
    }
}

// Adds an entry of machine code to a fat binary.
static void add_entry(unsigned char *fatbin, unsigned arch, uint64_t flags, unsigned registers)
{
    unsigned char cubin[MAX_CUBIN];
    uint64_t body, size = (make_cubin(cubin, registers) + 7) / 8 * 8;
    memcpy(&body, fatbin + 8, sizeof body);
    unsigned char *entry = fatbin + 16 + body;
    memset(entry, 0, 64);
    memcpy(entry, &(uint16_t){2}, 2);
    memcpy(entry + 4, &(uint32_t){64}, 4);
    memcpy(entry + 8, &size, 8);
    memcpy(entry + 28, &arch, 4);
    memcpy(entry + 40, &flags, 8);
    memcpy(entry + 64, cubin, size);
    body += 64 + size;
    memcpy(fatbin + 8, &body, sizeof body);
}

TEST(the_devices_own_machine_code_counts)
{
    static unsigned char fatbin[16 + 5 * (64 + MAX_CUBIN)];
    memcpy(fatbin, &(uint32_t){0xBA55ED50}, 4);
    memcpy(fatbin + 4, &(uint16_t){1}, 2);
    memcpy(fatbin + 6, &(uint16_t){16}, 2);
    add_entry(fatbin, 90, 0x11, 9);
    add_entry(fatbin, 75, 0x11, 7);
    add_entry(fatbin, 80, 0x11, 8);
    add_entry(fatbin, 100, 0x8011, 100); // compressed
    static const struct {
        unsigned arch;
        int registers, is_its_own;
    } cases[] = {{90, 9, 1}, {80, 8, 1}, {75, 7, 1},  {86, 8, 1},  {89, 8, 1}, // 8.9 runs 8.0's
                 {70, 7, 0}, {35, 7, 0}, {100, 9, 0}, {120, 9, 0}, {72, 7, 0}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        int is_its_own;
        int registers =
            fatbin_find_registers(fatbin, sizeof fatbin, cases[i].arch, "first", &is_its_own);
        ck_assert_msg(registers == cases[i].registers && is_its_own == cases[i].is_its_own,
                      "%u: %d registers, %d", cases[i].arch, registers, is_its_own);
    }
    int is_its_own;
    ck_assert_int_eq(fatbin_find_registers(fatbin, sizeof fatbin, 90, "third", &is_its_own), 0);
    ck_assert_int_eq(is_its_own, 0);
    static const char ptx[] = ".version 6.3";
    size_t size = 16 + fatbin[8] + 256 * fatbin[9];
    ck_assert_int_eq(fatbin_find_registers(ptx, sizeof ptx, 90, "first", &is_its_own), 0);
    for (size_t cut = 0; cut < size; cut++)
        ck_assert_int_eq(fatbin_find_registers(fatbin, cut, 90, "first", &is_its_own), 0);
}
