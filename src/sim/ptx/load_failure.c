// What a module is refused with: the reason, and where that is in the source and in the PTX.
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/function_name.h"
#include "sim/ptx/loader.h"
#include "sim/ptx/short_path.h"

// .file 1 "name", time, size: compilers put these at the end. What a failure in the midst of the
// text wants to name is looked for in the rest of it.
static const char *find_file(const struct loader *loader)
{
    struct lexer ahead = loader->lexer;
    const char *known = module_file(loader->module, loader->file);
    struct token token = lexer_next(&ahead);
    while (strcmp(known, "?") == 0 && token.kind != TOKEN_END) {
        int is_file = token_is(&token, TOKEN_DOT, "file");
        token = lexer_next(&ahead);
        if (!is_file || token.kind != TOKEN_NUMBER || token.number != loader->file)
            continue;
        token = lexer_next(&ahead);
        char *name =
            token.kind == TOKEN_STRING ? pool_take(&loader->module->pool, token.length + 1) : NULL;
        if (name)
            known = memcpy(name, token.text, token.length);
    }
    return known;
}

void load_fail(struct loader *loader, const char *format, ...)
{
    int used = 0, room = (int)(loader->why_size > INT_MAX ? INT_MAX : loader->why_size);
    if (loader->function) {
        char function[FUNCTION_NAME_SIZE];
        function_name(loader->function->name, function);
        used = snprintf(loader->why, loader->why_size, "%s, %s:%u: ", function,
                        short_path(find_file(loader)), loader->line);
    }
    if (used >= 0 && used < room) {
        va_list arguments;
        va_start(arguments, format);
        int more = vsnprintf(loader->why + used, (size_t)(room - used), format, arguments);
        va_end(arguments);
        used += more > 0 ? more : 0;
    }
    if (used >= 0 && used < room)
        snprintf(loader->why + used, (size_t)(room - used), " (line %d of the PTX)",
                 loader->token.line);
    longjmp(loader->is_in_body && !loader->no_memory ? loader->refused : loader->failed, 1);
}

void load_out_of_memory(struct loader *loader, size_t bytes, const char *what)
{
    loader->no_memory = 1;
    load_fail(loader, "no memory is left for %zu bytes of %s: end other programs", bytes, what);
}
