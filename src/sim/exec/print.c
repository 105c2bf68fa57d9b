// printf() in a kernel: the compiler calls vprintf(format, values), where the values lie one after
// another in local memory, each aligned to its size. Lanes print one after another.
#include <stdio.h>

#include "sim/check/fault.h"
#include "sim/exec/execute.h"
#include "sim/ptx/align_up.h"
#include "sim/state/launch.h"

enum { MAX_TEXT = 1024, MAX_SPEC = 32 };

struct values {
    const char *next, *end;
    const char *start;
};

// The next value; 0 when the memory ends before it.
static uint64_t take(struct values *values, size_t size)
{
    uint64_t bits = 0;
    size_t at = align_up((size_t)(values->next - values->start), size);
    if (at + size > (size_t)(values->end - values->start))
        return 0;
    memcpy(&bits, values->start + at, size);
    values->next = values->start + at + size;
    return bits;
}

// Copies a string of the device's memory; "" where there is none.
static void read_text(uint64_t address, char *text)
{
    size_t length = 0;
    while (length < MAX_TEXT - 1 && device_reaches(address + length) &&
           (text[length] = *(const char *)(uintptr_t)(address + length)))
        length++;
    text[length] = 0;
}

// Prints one conversion whose flags, width and precision are in `spec` and whose letter follows.
static void print_value(const char *spec, int is_long, char letter, struct values *values)
{
    char format[MAX_SPEC + 8], text[MAX_TEXT];
    switch (letter) {
    case 'd':
    case 'i':
        snprintf(format, sizeof format, "%sll%c", spec, letter);
        printf(format, is_long ? (long long)take(values, 8) : (long long)(int32_t)take(values, 4));
        return;
    case 'u':
    case 'x':
    case 'X':
    case 'o':
        snprintf(format, sizeof format, "%sll%c", spec, letter);
        printf(format, (unsigned long long)take(values, is_long ? 8 : 4));
        return;
    case 'c':
        snprintf(format, sizeof format, "%sc", spec);
        printf(format, (int)take(values, 4));
        return;
    case 's':
        read_text(take(values, 8), text);
        snprintf(format, sizeof format, "%ss", spec);
        printf(format, text);
        return;
    case 'p':
        printf("0x%llx", (unsigned long long)take(values, 8));
        return;
    default: // e f g a, in either case
        snprintf(format, sizeof format, "%s%c", spec, letter);
        printf(format, f64_from(take(values, 8)));
    }
}

static void print_format(const char *at, struct values *values)
{
    while (*at) {
        if (*at != '%' || at[1] == '%') {
            putchar(*at);
            at += *at == '%' ? 2 : 1;
            continue;
        }
        char spec[MAX_SPEC] = "%";
        size_t used = strspn(at + 1, "-+ #0123456789."), lengths;
        if (used > MAX_SPEC - 2)
            return;
        memcpy(spec + 1, at + 1, used);
        at += 1 + used;
        lengths = strspn(at, "hljztL");
        int is_long = memchr(at, 'l', lengths) || memchr(at, 'z', lengths) ||
                      memchr(at, 'j', lengths) || memchr(at, 't', lengths);
        at += lengths;
        if (!*at || !strchr("diuxXocspeEfFgGaA", *at))
            return;
        print_value(spec, is_long, *at++, values);
    }
}

static uint64_t argument(const struct argument *from, const char *local)
{
    uint64_t bits = 0;
    memcpy(&bits, local + from->offset, from->size);
    return bits;
}

void execute_assert(struct warp *warp, const struct instruction *in, uint32_t mask)
{
    enum { CONDITION, FILE_NAME, LINE, FUNCTION, TEXTS };
    const struct call *call = in->call;
    int lane = __builtin_ctz(mask);
    const char *frame = warp->local + (uint64_t)lane * warp->block->launch->local_bytes +
                        warp->frames[warp->frame_count - 1].local_base;
    char texts[TEXTS][MAX_TEXT];
    for (int i = 0; i < TEXTS; i++)
        if (i != LINE)
            read_text(argument(&call->arguments[i], frame), texts[i]);
    fault_raise(warp, in, lane, FAULT_ASSERT, "%.160s, in %.160s (%.100s:%u)", texts[CONDITION],
                texts[FUNCTION], texts[FILE_NAME],
                (unsigned)argument(&call->arguments[LINE], frame));
}

void execute_print(struct warp *warp, const struct instruction *in, uint32_t mask)
{
    const struct call *call = in->call;
    const uint64_t bytes = warp->block->launch->local_bytes;
    FOR_LANES(l, mask) {
        char *local = warp->local + (uint64_t)l * bytes;
        const char *frame = local + warp->frames[warp->frame_count - 1].local_base;
        char format[MAX_TEXT];
        uint64_t place = argument(&call->arguments[1], frame);
        struct values values = {local, local, local};
        if (place >> WINDOW_SHIFT == LOCAL_WINDOW && place - LOCAL_BASE < bytes)
            values = (struct values){local + (place - LOCAL_BASE), local + bytes,
                                     local + (place - LOCAL_BASE)};
        read_text(argument(&call->arguments[0], frame), format);
        print_format(format, &values);
    }
}
