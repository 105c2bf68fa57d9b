#define _POSIX_C_SOURCE 200809L // open_memstream
#include "cupti/instrumented_ptx.h"

#include <ctype.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// What is left of the text.
struct text {
    const char *at, *end;
};

// A word (a name, a directive, a number), a string with its quotes, or one other character.
struct token {
    const char *start;
    size_t length;
};

static bool starts_with(const struct text *text, const char *word)
{
    size_t length = strlen(word);
    return (size_t)(text->end - text->at) >= length && memcmp(text->at, word, length) == 0;
}

static bool is_of_word(char c)
{
    return isalnum((unsigned char)c) || strchr("_$%.", c);
}

static void skip_past(struct text *text, const char *word)
{
    while (text->at < text->end && !starts_with(text, word))
        text->at++;
    text->at += text->at < text->end ? strlen(word) : 0;
}

static void skip_blanks_and_comments(struct text *text)
{
    while (text->at < text->end) {
        if (starts_with(text, "//"))
            skip_past(text, "\n");
        else if (starts_with(text, "/*"))
            skip_past(text, "*/");
        else if (isspace((unsigned char)*text->at))
            text->at++;
        else
            break;
    }
}

// False at the end.
static bool next(struct text *text, struct token *token)
{
    skip_blanks_and_comments(text);
    if (text->at == text->end)
        return false;
    token->start = text->at;
    char first = *text->at++;
    if (first == '"')
        skip_past(text, "\"");
    else if (is_of_word(first))
        while (text->at < text->end && is_of_word(*text->at))
            text->at++;
    token->length = (size_t)(text->at - token->start);
    return true;
}

static bool is(const struct token *token, const char *word)
{
    return token->length == strlen(word) && memcmp(token->start, word, token->length) == 0;
}

// After an .entry's name: whether it has a body, which then is what follows. A declaration has none.
static bool find_body(struct text *text)
{
    struct token token;
    int parentheses = 0;
    while (next(text, &token)) {
        parentheses += is(&token, "(") - is(&token, ")");
        if (is(&token, ".pragma"))
            skip_past(text, ";");
        if (parentheses == 0 && (is(&token, "{") || is(&token, ";")))
            return is(&token, "{");
    }
    return false;
}

// The two places where something is added; NULL: there is none.
struct places {
    const char *declarations, *body; // of the module, after its header; and of the kernel
};

static struct places find_places(const char *ptx, size_t size, const char *kernel)
{
    struct text text = {ptx, ptx + size};
    struct token token;
    struct places places = {NULL, NULL};
    int depth = 0; // of braces: other functions' bodies, initial values, sections
    while (!places.body && next(&text, &token)) {
        depth += is(&token, "{") - is(&token, "}");
        if (depth != 0)
            continue;
        if (is(&token, ".address_size") && next(&text, &token) && is(&token, "64"))
            places.declarations = text.at;
        else if (is(&token, ".entry") && next(&text, &token) && is(&token, kernel) &&
                 find_body(&text))
            places.body = text.at;
    }
    return places;
}

// In a scope of its own, so that its registers' names are. An address by name is one in the global space.
static const char counting[] = "\n"
                               "\t{\n"
                               "\t.reg .pred %%apodkit_counts;\n"
                               "\t.reg .b32 %%apodkit_thread, %%apodkit_other, %%apodkit_sm;\n"
                               "\t.reg .b64 %%apodkit_place;\n"
                               "\tmov.u32 %%apodkit_thread, %%tid.x;\n"
                               "\tmov.u32 %%apodkit_other, %%tid.y;\n"
                               "\tor.b32 %%apodkit_thread, %%apodkit_thread, %%apodkit_other;\n"
                               "\tmov.u32 %%apodkit_other, %%tid.z;\n"
                               "\tor.b32 %%apodkit_thread, %%apodkit_thread, %%apodkit_other;\n"
                               "\tmov.u32 %%apodkit_sm, %%smid;\n"
                               "\tsetp.lt.u32 %%apodkit_counts, %%apodkit_sm, %d;\n"
                               "\tsetp.eq.and.u32 %%apodkit_counts, %%apodkit_thread, 0, "
                               "%%apodkit_counts;\n"
                               "\tmov.u64 %%apodkit_place, " BLOCKS_OF_SM ";\n"
                               "\tmad.wide.u32 %%apodkit_place, %%apodkit_sm, 8, %%apodkit_place;\n"
                               "\t@%%apodkit_counts red.global.add.u64 [%%apodkit_place], 1;\n"
                               "\t}\n";

// Writes it to `file`. False when the host has no memory for it.
static bool write_instrumented(FILE *file, const char *ptx, size_t size, struct places places,
                               int sms)
{
    fwrite(ptx, 1, (size_t)(places.declarations - ptx), file);
    fprintf(file, "\n.visible .global .align 8 .u64 " BLOCKS_OF_SM "[%d];\n", sms);
    fwrite(places.declarations, 1, (size_t)(places.body - places.declarations), file);
    fprintf(file, counting, sms);
    fwrite(places.body, 1, (size_t)(ptx + size - places.body), file);
    return !ferror(file);
}

char *instrumented_ptx(const char *ptx, size_t size, const char *kernel, int sms, char *why,
                       size_t why_size)
{
    struct places places = find_places(ptx, size, kernel);
    if (!places.body || !places.declarations) {
        snprintf(why, why_size, "its PTX has no %s%s: type `make clean && make`",
                 places.body ? ".address_size 64" : "kernel ", places.body ? "" : kernel);
        return NULL;
    }
    char *instrumented = NULL;
    size_t room = 0;
    FILE *file = open_memstream(&instrumented, &room);
    bool good = file && write_instrumented(file, ptx, size, places, sms);
    if (file && fclose(file) == 0 && good)
        return instrumented;
    free(instrumented);
    snprintf(why, why_size, "the host has no memory for a copy of its PTX: end other programs");
    return NULL;
}
