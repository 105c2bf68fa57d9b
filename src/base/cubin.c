// The format, as ptxas 13.0 writes it: ELF of 64 bits, little-endian like the hosts that run this. Its
// section .nv.info has attributes of 4 bytes (format, name, and a number or the size of what follows);
// REGCOUNT is followed by a symbol's index and its kernel's registers. The section's link is the table
// of symbols, whose link is the table of their names.
#include "base/cubin.h"

#include "base/line_program.h"

#include <elf.h>
#include <stdint.h>
#include <string.h>

enum { FORMAT_SIZED = 0x04, ATTRIBUTE_REGCOUNT = 0x2f };

struct bytes {
    const unsigned char *at;
    size_t size;
};

// Copies what is there at an offset, and returns 0 when it is not all there.
static int read_at(struct bytes from, uint64_t offset, void *to, size_t size)
{
    if (offset > from.size || size > from.size - offset)
        return 0;
    memcpy(to, from.at + offset, size);
    return 1;
}

static int read_section(struct bytes elf, const Elf64_Ehdr *header, uint64_t index,
                        Elf64_Shdr *section)
{
    uint64_t table = header->e_shoff;
    return index < header->e_shnum && table <= elf.size &&
           read_at(elf, table + index * sizeof *section, section, sizeof *section);
}

static struct bytes content(struct bytes elf, const Elf64_Shdr *section)
{
    uint64_t offset = section->sh_offset, size = section->sh_size;
    if (section->sh_type == SHT_NOBITS || offset > elf.size || size > elf.size - offset)
        return (struct bytes){elf.at, 0};
    return (struct bytes){elf.at + offset, size};
}

static int is_named(struct bytes names, uint64_t offset, const char *name)
{
    size_t length = strlen(name) + 1; // with its NUL
    return offset <= names.size && length <= names.size - offset &&
           memcmp(names.at + offset, name, length) == 0;
}

// The attributes in .nv.info that give registers of the kernel's symbol.
static int find_count(struct bytes info, struct bytes symbols, struct bytes names,
                      const char *kernel)
{
    uint64_t at = 0;
    unsigned char head[4];
    while (read_at(info, at, head, sizeof head)) {
        uint32_t pair[2]; // the symbol, its registers
        Elf64_Sym symbol;
        at += sizeof head;
        if (head[0] != FORMAT_SIZED)
            continue; // its number is in the head
        if (head[1] == ATTRIBUTE_REGCOUNT && read_at(info, at, pair, sizeof pair) &&
            read_at(symbols, (uint64_t)pair[0] * sizeof symbol, &symbol, sizeof symbol) &&
            is_named(names, symbol.st_name, kernel))
            return pair[1] <= 256 ? (int)pair[1] : 0;
        at += head[2] | (uint64_t)head[3] << 8;
    }
    return 0;
}

// Reads the ELF file's header and the section of its sections' names. Returns 0 when it is none.
static int open_elf(struct bytes elf, Elf64_Ehdr *header, struct bytes *names)
{
    Elf64_Shdr section;
    if (!read_at(elf, 0, header, sizeof *header) || memcmp(header->e_ident, ELFMAG, SELFMAG) != 0 ||
        header->e_ident[EI_CLASS] != ELFCLASS64 ||
        !read_section(elf, header, header->e_shstrndx, &section))
        return 0;
    *names = content(elf, &section);
    return 1;
}

int cubin_registers(const unsigned char *cubin, size_t size, const char *kernel)
{
    struct bytes elf = {cubin, size}, names;
    Elf64_Ehdr header;
    Elf64_Shdr section, symbols, strings;
    if (!open_elf(elf, &header, &names))
        return 0;
    for (uint64_t i = 0; read_section(elf, &header, i, &section); i++)
        if (is_named(names, section.sh_name, ".nv.info") &&
            read_section(elf, &header, section.sh_link, &symbols) &&
            read_section(elf, &header, symbols.sh_link, &strings))
            return find_count(content(elf, &section), content(elf, &symbols),
                              content(elf, &strings), kernel);
    return 0;
}

// The section .text.KERNEL. Returns its number, or 0.
static uint64_t find_code(struct bytes elf, const Elf64_Ehdr *header, struct bytes names,
                          const char *kernel, Elf64_Shdr *section)
{
    static const char prefix[] = ".text.";
    size_t length = sizeof prefix - 1;
    for (uint64_t i = 0; read_section(elf, header, i, section); i++) {
        char start[sizeof prefix - 1];
        if (read_at(names, section->sh_name, start, length) && memcmp(start, prefix, length) == 0 &&
            is_named(names, section->sh_name + length, kernel))
            return i;
    }
    return 0;
}

const unsigned char *cubin_code(const unsigned char *cubin, size_t size, const char *kernel,
                                size_t *code_size)
{
    struct bytes elf = {cubin, size}, names;
    Elf64_Ehdr header;
    Elf64_Shdr section;
    if (!open_elf(elf, &header, &names) || !find_code(elf, &header, names, kernel, &section))
        return NULL;
    struct bytes code = content(elf, &section);
    *code_size = code.size;
    return code.at;
}

// What a line program needs to know whose addresses it gives.
struct relocations {
    struct bytes entries, symbols;
    size_t entry_size;
    uint64_t code; // the number of the section that is looked for
};

// Whether the address at that place of the line program is the code's.
static int is_of_code(const void *context, size_t place)
{
    const struct relocations *r = context;
    Elf64_Rel entry; // as a Elf64_Rela begins
    Elf64_Sym symbol;
    for (uint64_t at = 0; read_at(r->entries, at, &entry, sizeof entry); at += r->entry_size)
        if (entry.r_offset == place)
            return read_at(r->symbols, ELF64_R_SYM(entry.r_info) * sizeof symbol, &symbol,
                           sizeof symbol) &&
                   symbol.st_shndx == r->code;
    return 0;
}

int cubin_ptx_lines(const unsigned char *cubin, size_t size, const char *kernel, uint32_t *lines,
                    size_t count)
{
    struct bytes elf = {cubin, size}, names, program = {cubin, 0};
    struct relocations relocations = {.entries = {cubin, 0}, .symbols = {cubin, 0}};
    Elf64_Ehdr header;
    Elf64_Shdr section, symbols;
    if (!open_elf(elf, &header, &names))
        return 0;
    relocations.code = find_code(elf, &header, names, kernel, &section);
    for (uint64_t i = 0; read_section(elf, &header, i, &section); i++) {
        if (is_named(names, section.sh_name, ".nv_debug_line_sass"))
            program = content(elf, &section);
        int is_long = is_named(names, section.sh_name, ".rela.nv_debug_line_sass");
        if ((!is_long && !is_named(names, section.sh_name, ".rel.nv_debug_line_sass")) ||
            !read_section(elf, &header, section.sh_link, &symbols))
            continue;
        relocations.entry_size = is_long ? sizeof(Elf64_Rela) : sizeof(Elf64_Rel);
        relocations.entries = content(elf, &section);
        relocations.symbols = content(elf, &symbols);
    }
    return relocations.code &&
           line_program_read(program.at, program.size, is_of_code, &relocations, lines, count);
}

// The text's next line; *text is what follows it.
static struct bytes next_line(struct bytes *text, int end)
{
    const unsigned char *stop = memchr(text->at, end, text->size);
    struct bytes line = {text->at, stop ? (size_t)(stop - text->at) : text->size};
    size_t taken = line.size + (stop != NULL);
    *text = (struct bytes){text->at + taken, text->size - taken};
    return line;
}

// The line's next character that is no space; -1 at its end, or where a comment begins.
static int next_visible(struct bytes *line)
{
    while (line->size && !(line->size > 1 && line->at[0] == '/' && line->at[1] == '/')) {
        int c = *line->at++;
        line->size--;
        if (c != ' ' && c != '\t')
            return c;
    }
    return -1;
}

// Fat binaries leave out some spaces, and comments behind calls.
static int is_same_line(struct bytes a, struct bytes b)
{
    int c, d;
    do {
        c = next_visible(&a);
        d = next_visible(&b);
    } while (c == d && c >= 0);
    return c == d;
}

// The lines of the section end with NUL, and those that are comments or places in the source are empty, or left out at the
// end.
int cubin_is_of_ptx(const unsigned char *cubin, size_t size, const char *ptx, size_t ptx_size)
{
    struct bytes elf = {cubin, size}, names, text = {(const unsigned char *)ptx, ptx_size}, kept;
    Elf64_Ehdr header;
    Elf64_Shdr section;
    if (!open_elf(elf, &header, &names))
        return 0;
    for (uint64_t i = 0; read_section(elf, &header, i, &section); i++) {
        if (!is_named(names, section.sh_name, ".nv_debug_ptx_txt"))
            continue;
        for (kept = content(elf, &section); kept.size;) {
            struct bytes a = next_line(&kept, '\0'), b = next_line(&text, '\n');
            if (a.size && !is_same_line(a, b))
                return 0;
        }
        return section.sh_size > 0;
    }
    return 0;
}
