#define _POSIX_C_SOURCE 200809L // setenv
#include "base/style.h"
#include "facts/format.h"
#include "suites.h"
#include "support.h"

#include <stdlib.h>
#include <string.h>

static const struct style ascii = {0}, utf8 = {.utf8 = true};

SUITE(style)

TEST(durations)
{
    char text[FORMAT_SIZE];
    format_duration(text, 16.59, &ascii);
    ck_assert_str_eq(text, "16.59 ms");
    format_duration(text, 0.198273, &ascii);
    ck_assert_str_eq(text, "198.3 us");
    format_duration(text, 0.198273, &utf8);
    ck_assert_str_eq(text, "198.3 µs");
    format_duration(text, 2500, &ascii);
    ck_assert_str_eq(text, "2.5 s");
    format_duration(text, 100, &ascii);
    ck_assert_str_eq(text, "100 ms");
}

TEST(percentages)
{
    static const struct {
        double percent;
        const char *text;
    } cases[] = {{0, "0%"},       {0.001, "<0.1%"}, {0.05, "0.1%"},  {12.5, "12.5%"},
                 {99.96, "100%"}, {100, "100%"},    {87.94, "87.9%"}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char text[FORMAT_SIZE];
        format_percent(text, cases[i].percent);
        ck_assert_str_eq(text, cases[i].text);
    }
}

TEST(bytes_and_ratios)
{
    char text[FORMAT_SIZE];
    format_bytes(text, 0);
    ck_assert_str_eq(text, "0 bytes");
    format_bytes(text, 4224);
    ck_assert_str_eq(text, "4.125 KiB");
    format_bytes(text, 62914560);
    ck_assert_str_eq(text, "60 MiB");
    format_ratio(text, 7.7, &ascii);
    ck_assert_str_eq(text, "7.70x");
    format_ratio(text, 2304.4, &utf8);
    ck_assert_str_eq(text, "2304×");
    format_dimensions(text, (unsigned[]){4294967295u, 65535, 65535});
    ck_assert_str_eq(text, "[4294967295,65535,65535]");
}

// Prints with put_wrapped() into a string; the caller frees it.
static char *wrapped(const char *lead, const char *text)
{
    FILE *file = text_begin();
    put_wrapped(file, lead, text);
    return text_end(file);
}

TEST(text_is_wrapped_at_blanks)
{
    char text[600] = "";
    for (int i = 0; i < 100; i++)
        strcat(text, i % 3 ? "word " : "é ");
    char *out = wrapped("  - ", text);
    int words = 0;
    for (char *line = strtok(out, "\n"); line; line = strtok(NULL, "\n")) {
        ck_assert_int_le(text_width(line), 100);
        ck_assert(strncmp(line, words ? "    " : "  - ", 4) == 0);
        for (char *word = line + 4; *word; word++)
            words += *word == ' ';
        words++;
    }
    ck_assert_int_ge(words, 100);
}

TEST(long_words_and_newlines)
{
    char word[301];
    memset(word, 'x', 300);
    word[300] = '\0';
    char *out = wrapped("", word);
    ck_assert_uint_eq(strlen(out), 301);
    out = wrapped("> ", "one\ntwo");
    ck_assert_str_eq(out, "> one\n  two\n");
}

// An empty line before text that is broken anew stays one.
TEST(lines_too_long_for_the_page)
{
    char text[3 * WIDEST] = "\n";
    for (int i = 0; i < WIDEST / 2; i++)
        strcat(text, "word ");
    strcat(text, "end\n");
    FILE *file = text_begin();
    put_text(file, text);
    ck_assert_int_eq(strncmp(text_end(file), "\nword word ", 11), 0);
}

TEST(columns_are_counted_in_characters)
{
    ck_assert_int_eq(text_width("µs"), 2);
    ck_assert_int_eq(text_width("×–⚠"), 3);
    FILE *file = text_begin();
    put_padded(file, "µs", -4);
    put_padded(file, "µs", 4);
    put_padded(file, "longer", 2);
    char *out = text_end(file);
    ck_assert_str_eq(out, "  µsµs  longer");
}

TEST(colour_follows_the_terminal_and_the_user)
{
    FILE *file = tmpfile();
    ck_assert_ptr_nonnull(file);
    ck_assert(!style_for(file, COLOR_AUTO).color);
    ck_assert(style_for(file, COLOR_ALWAYS).color);
    ck_assert(!style_for(file, COLOR_NEVER).color);
    ck_assert(!style_for(file, COLOR_ALWAYS).marks);
    fclose(file);
    struct style plain = {0}, colored = {.color = true};
    ck_assert_str_eq(tone_start(&plain, TONE_BAD), "");
    ck_assert_str_ne(tone_start(&colored, TONE_BAD), "");
    ck_assert_str_eq(tone_end(&colored, TONE_PLAIN), "");
}
