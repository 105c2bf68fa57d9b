#include "base/line_program.h"

#include <string.h>

enum { UNIT_BYTES = 16 }; // of code, that have a line

enum standard {
    EXTENDED,
    COPY,
    ADVANCE_PC,
    ADVANCE_LINE,
    SET_FILE,
    SET_COLUMN,
    NEGATE_STATEMENT,
    SET_BASIC_BLOCK,
    CONST_ADD_PC,
    FIXED_ADVANCE_PC
};

enum extended { END_SEQUENCE = 1, SET_ADDRESS = 2 };

enum { LENGTH_SIZE = 4, FIXED_SIZE = 15, ADDRESS_SIZE = 8 };

// The header's numbers, and where its program ends.
struct unit {
    size_t end;
    unsigned step, range, base;
    int line_base;
};

struct reader {
    const unsigned char *bytes;
    size_t size, at;
    line_program_wants_fn *wants;
    const void *context;
    uint32_t *lines;
    size_t count;
    int is_wanted, has_found; // this sequence's code is; any was
    uint64_t address, row;    // where it is; where the last row was
    uint32_t line, row_line;
};

static unsigned next(struct reader *r, size_t end)
{
    return r->at < end ? r->bytes[r->at++] : 0;
}

static uint64_t next_leb(struct reader *r, size_t end, unsigned *bits)
{
    uint64_t number = 0;
    unsigned byte = 0x80;
    for (*bits = 0; byte & 0x80 && r->at < end; *bits += 7) {
        byte = next(r, end);
        if (*bits < 63)
            number |= (uint64_t)(byte & 0x7f) << *bits;
    }
    return number;
}

static uint64_t next_unsigned(struct reader *r, size_t end)
{
    unsigned bits;
    return next_leb(r, end, &bits);
}

static uint32_t next_signed(struct reader *r, size_t end)
{
    unsigned bits;
    uint64_t number = next_leb(r, end, &bits);
    if (bits > 0 && bits < 63 && number >> (bits - 1) & 1)
        number |= UINT64_MAX << bits;
    return (uint32_t)number;
}

// The code from the last row up to this address has that row's line.
static void end_row(struct reader *r)
{
    uint64_t end = r->address / UNIT_BYTES < r->count ? r->address / UNIT_BYTES : r->count;
    for (uint64_t i = r->row / UNIT_BYTES; r->is_wanted && i < end; i++) {
        r->lines[i] = r->row_line;
        r->has_found = 1;
    }
    r->row = r->address;
    r->row_line = r->line;
}

static void begin_sequence(struct reader *r)
{
    r->is_wanted = 0;
    r->address = r->row = 0;
    r->line = 1;
    r->row_line = 0;
}

static void do_extended(struct reader *r, size_t end)
{
    uint64_t length = next_unsigned(r, end);
    size_t start = r->at;
    if (length == 0 || length > end - start) {
        r->at = end;
        return;
    }
    unsigned what = next(r, end);
    if (what == SET_ADDRESS && length == 1 + ADDRESS_SIZE) {
        begin_sequence(r);
        r->is_wanted = r->wants(r->context, r->at);
        memcpy(&r->address, r->bytes + r->at, ADDRESS_SIZE);
        r->row = r->address;
    } else if (what == END_SEQUENCE) {
        end_row(r);
        begin_sequence(r);
    }
    r->at = start + length;
}

static void do_standard(struct reader *r, const struct unit *unit, unsigned opcode)
{
    switch (opcode) {
    case EXTENDED:
        do_extended(r, unit->end);
        break;
    case COPY:
        end_row(r);
        break;
    case ADVANCE_PC:
        r->address += next_unsigned(r, unit->end) * unit->step;
        break;
    case ADVANCE_LINE:
        r->line += next_signed(r, unit->end);
        break;
    case SET_FILE:
    case SET_COLUMN:
        (void)next_unsigned(r, unit->end);
        break;
    case CONST_ADD_PC:
        r->address += (255 - unit->base) / unit->range * unit->step;
        break;
    case FIXED_ADVANCE_PC:
        r->address += next(r, unit->end);
        r->address += (uint64_t)next(r, unit->end) << 8;
        break;
    default: // NEGATE_STATEMENT, SET_BASIC_BLOCK
        break;
    }
}

static uint32_t little(const unsigned char *bytes)
{
    return bytes[0] | (uint32_t)bytes[1] << 8 | (uint32_t)bytes[2] << 16 | (uint32_t)bytes[3] << 24;
}

// Reads the next unit's header. Returns 0 when there is none that can be read.
static int open_unit(struct reader *r, struct unit *unit)
{
    const unsigned char *head = r->bytes + r->at;
    size_t left = r->size - r->at, in_header = LENGTH_SIZE + 6;
    if (left < FIXED_SIZE)
        return 0;
    uint32_t length = little(head), header = little(head + LENGTH_SIZE + 2);
    if (length > left - LENGTH_SIZE || header > length - 6 || length < FIXED_SIZE - LENGTH_SIZE)
        return 0;
    *unit = (struct unit){.end = r->at + LENGTH_SIZE + length,
                          .step = head[in_header],
                          .line_base = (signed char)head[in_header + 2],
                          .range = head[in_header + 3],
                          .base = head[in_header + 4]};
    r->at += in_header + header;
    return unit->range > 0 && unit->base > FIXED_ADVANCE_PC;
}

int line_program_read(const unsigned char *program, size_t size, line_program_wants_fn *wants,
                      const void *context, uint32_t *lines, size_t count)
{
    struct reader r = {.bytes = program,
                       .size = size,
                       .wants = wants,
                       .context = context,
                       .lines = lines,
                       .count = count};
    struct unit unit;
    memset(lines, 0, count * sizeof *lines);
    while (open_unit(&r, &unit)) {
        begin_sequence(&r);
        while (r.at < unit.end) {
            unsigned opcode = next(&r, unit.end);
            if (opcode < unit.base) {
                do_standard(&r, &unit, opcode);
                continue;
            }
            r.address += (opcode - unit.base) / unit.range * unit.step;
            r.line += (uint32_t)(unit.line_base + (int)((opcode - unit.base) % unit.range));
            end_row(&r);
        }
        r.at = unit.end;
    }
    return r.has_found;
}
