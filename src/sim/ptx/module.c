#include "sim/ptx/module.h"

#include <stdlib.h>
#include <string.h>

struct function *module_function(const struct module *module, const char *name)
{
    struct function *function = module->functions;
    while (function && strcmp(function->name, name) != 0)
        function = function->next;
    return function && function->alias_of ? function->alias_of : function;
}

struct global *module_global(const struct module *module, const char *name)
{
    struct global *global = module->globals;
    while (global && strcmp(global->name, name) != 0)
        global = global->next;
    return global;
}

const char *module_file(const struct module *module, uint32_t number)
{
    const struct source_file *file = module->files;
    while (file && file->number != number)
        file = file->next;
    return file ? file->name : "?";
}

void module_free(struct module *module)
{
    if (!module)
        return;
    pool_free(&module->pool);
    free(module);
}
