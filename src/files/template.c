#include "files/template.h"

#include "base/programs.h"
#include "base/untrusted_text.h"
#include "files/run_read.h"

#include <stdlib.h>
#include <string.h>

enum { NAME_SIZE = 64 };

// What names are looked up in, from the innermost object outwards.
struct context {
    const cJSON *item;
    const struct context *outer;
};

struct filling {
    FILE *file;
    bool failed;
};

static const char *fill(struct filling *filling, const char *text, const struct context *context,
                        bool is_shown);

static const cJSON *look_up(const struct context *context, const char *name)
{
    if (strcmp(name, ".") == 0)
        return context->item;
    const cJSON *found = NULL;
    for (; context && !found; context = context->outer)
        found = cJSON_GetObjectItemCaseSensitive(context->item, name);
    return found;
}

static bool is_nothing(const cJSON *item)
{
    return !item || cJSON_IsNull(item) || cJSON_IsFalse(item) ||
           (cJSON_IsString(item) && *item->valuestring == '\0') ||
           (cJSON_IsArray(item) && !item->child);
}

void put_escaped(FILE *file, const char *text)
{
    static const struct {
        char character;
        const char *entity;
    } escapes[] = {{'&', "&amp;"}, {'<', "&lt;"}, {'>', "&gt;"}, {'"', "&quot;"}, {'\'', "&#39;"}};
    enum { ESCAPES = sizeof escapes / sizeof *escapes };
    for (size_t left = strlen(text), length; left > 0; text += length, left -= length) {
        struct foreign_character c = foreign_character(text, left);
        length = c.length ? c.length : left;
        int escape = 0;
        while (escape < ESCAPES && escapes[escape].character != *text)
            escape++;
        if (escape < ESCAPES)
            fputs(escapes[escape].entity, file);
        else if (c.harmless || *text == '\n' || *text == '\t')
            fwrite(text, 1, length, file);
        else
            fputs(REPLACEMENT, file);
    }
}

// The shortest decimal number that is read back as this one.
static void put_number(FILE *file, double number)
{
    char text[32];
    for (int digits = 15; digits <= 17; digits++) {
        snprintf(text, sizeof text, "%.*g", digits, number);
        if (strtod(text, NULL) == number)
            break;
    }
    fputs(text, file);
}

static void put_item(FILE *file, const cJSON *item)
{
    if (cJSON_IsString(item))
        put_escaped(file, item->valuestring);
    else if (cJSON_IsNumber(item))
        put_number(file, item->valuedouble);
}

// The text up to the section's end, for each item. Returns what stands behind the end.
static const char *fill_section(struct filling *filling, const char *text,
                                const struct context *context, const cJSON *item, bool is_shown)
{
    if (is_nothing(item) || !is_shown)
        return fill(filling, text, context, false);
    const cJSON *first = cJSON_IsArray(item) ? item->child : item;
    const char *end = text;
    for (const cJSON *each = first; each; each = cJSON_IsArray(item) ? each->next : NULL) {
        struct context inner = {each, context};
        end = fill(filling, text, &inner, true);
    }
    return end;
}

static void fill_file(struct filling *filling, const char *name, const struct context *context)
{
    char inside[NAME_SIZE + 32], path[KIT_PATH_SIZE] = "", why[RUN_WHY_SIZE] = "";
    if (filling->failed) // it has been said: a row's template is filled in hundreds of times
        return;
    snprintf(inside, sizeof inside, "src/files/html/%s", name);
    char *text = kit_path(inside, path) ? record_text(path, RUN_MAX_BYTES, why) : NULL;
    if (!text) {
        fprintf(stderr,
                "apodkit: the report's template %s: %s. It comes with the kit: `git checkout %s` "
                "brings it back\n",
                *path ? path : inside, *why ? why : "the kit's folder cannot be told", inside);
        filling->failed = true;
        return;
    }
    fill(filling, text, context, true);
    free(text);
}

// What one pair of braces asks for. Returns what stands behind it, or behind its section.
static const char *fill_tag(struct filling *filling, const char *tag, const char *behind,
                            const struct context *context, bool is_shown)
{
    char name[NAME_SIZE];
    bool is_plain = !strchr("#^>", *tag);
    const char *start = is_plain ? tag : tag + 1;
    snprintf(name, sizeof name, "%.*s", (int)(behind - 2 - start), start);
    if (!is_plain && *behind == '\n') // it stood on a line of its own
        behind++;
    const cJSON *item = *tag == '>' ? NULL : look_up(context, name);
    if (*tag == '#')
        return fill_section(filling, behind, context, item, is_shown);
    if (*tag == '^')
        return fill(filling, behind, context, is_shown && is_nothing(item));
    if (is_shown && *tag == '>')
        fill_file(filling, name, context);
    else if (is_shown)
        put_item(filling->file, item);
    return behind;
}

// The text to its end, or to that of the section that it is in. Returns what stands behind that.
static const char *fill(struct filling *filling, const char *text, const struct context *context,
                        bool is_shown)
{
    for (;;) {
        const char *open = strstr(text, "{{"), *close = open ? strstr(open, "}}") : NULL;
        size_t length = open ? (size_t)(open - text) : strlen(text);
        if (is_shown)
            fwrite(text, 1, length, filling->file);
        if (!close)
            return text + length;
        const char *behind = close + 2;
        if (open[2] == '/')
            return *behind == '\n' ? behind + 1 : behind;
        text = fill_tag(filling, open + 2, behind, context, is_shown);
    }
}

bool template_fill(FILE *file, const char *name, const cJSON *data)
{
    struct filling filling = {.file = file};
    struct context context = {.item = data};
    fill_file(&filling, name, &context);
    return !filling.failed;
}
