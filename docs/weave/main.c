#define _POSIX_C_SOURCE 200809L
// Keeps documents in step with the code and the recorded runs.
//
//   weave [--check] FILE...
//
// Rewrites the generated parts of each document (blocks.h), then checks its figures, code and links
// (checks.h). With --check nothing is written: a part that would change is a complaint too. `make
// walkthrough` and `make walkthrough-check` type it, in the kit's folder. Exit status: 0, or 1 after
// complaints on standard error, which name the line.
#include "blocks.h"
#include "checks.h"
#include "document.h"

#include <errno.h>
#include <locale.h>
#include <stdlib.h>
#include <string.h>

// Writes the document to `out` with its generated parts made anew. False after a complaint.
static bool weave(const struct document *document, FILE *out)
{
    const char *to_root = strchr(document->path, '/') ? "../" : "";
    char why[BLOCK_WHY_SIZE];
    for (size_t i = 0; i < document->count; i++) {
        const char *line = document->lines[i];
        fprintf(out, "%s\n", line);
        if (!block_opens(line))
            continue;
        size_t end = i + 1;
        while (end < document->count && !block_ends(document->lines[end]) &&
               !block_opens(document->lines[end]))
            end++;
        if (end == document->count || !block_ends(document->lines[end])) {
            complain(document, i, "this generated part has no <!-- end -->");
            return false;
        }
        if (!block_write(line, to_root, out, why)) {
            complain(document, i, "%s", why);
            return false;
        }
        i = end - 1;
    }
    return true;
}

// Complains about the first line in which the two differ. Returns whether they do.
static bool differ(const struct document *old, const struct document *new)
{
    static const char nothing[] = "the end of the file";
    for (size_t i = 0; i < old->count || i < new->count; i++) {
        const char *was = i < old->count ? old->lines[i] : nothing;
        const char *is = i < new->count ? new->lines[i] : nothing;
        if (strcmp(was, is) != 0) {
            complain(old, i, "`make walkthrough` would write\n  %s\nwhere there is\n  %s", is, was);
            return true;
        }
    }
    return false;
}

static bool write_file(const struct document *document)
{
    FILE *file = fopen(document->path, "w");
    for (size_t i = 0; file && i < document->count; i++)
        fprintf(file, "%s\n", document->lines[i]);
    if (file && !ferror(file) && fclose(file) == 0)
        return true;
    fprintf(stderr, "weave: cannot write %s: %s\n", document->path, strerror(errno));
    return false;
}

static bool process(const char *path, bool only_check)
{
    struct document old, new = {0};
    char *text = NULL;
    size_t size;
    if (!document_read(path, &old))
        return false;
    FILE *out = open_memstream(&text, &size);
    bool woven = out && weave(&old, out);
    if (out)
        fclose(out);
    if (!woven || !document_of_text(path, text, &new)) {
        if (!woven)
            free(text);
        document_free(&old);
        return false;
    }
    bool good = !only_check || !differ(&old, &new);
    if (!only_check)
        good = write_file(&new);
    int complaints =
        check_figures(&new) + check_code(&new) + check_messages(&new) + check_links(&new);
    document_free(&old);
    document_free(&new);
    return good && complaints == 0;
}

int main(int argc, char **argv)
{
    bool only_check = argc > 1 && strcmp(argv[1], "--check") == 0, good = true;
    setlocale(LC_CTYPE, "");
    if (argc < 2 + only_check) {
        fprintf(stderr, "Usage: weave [--check] FILE...\n");
        return 2;
    }
    for (int i = 1 + only_check; i < argc; i++)
        good &= process(argv[i], only_check);
    return good ? EXIT_SUCCESS : EXIT_FAILURE;
}
