#include "files/json_build.h"

#include "base/untrusted_text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool ran_out; // since json_begin()

static void *allocate(size_t size)
{
    void *memory = malloc(size);
    ran_out |= !memory;
    return memory;
}

static cJSON_Hooks hooks = {.malloc_fn = allocate, .free_fn = free};

static cJSON *begin(cJSON *(*create)(void))
{
    cJSON_InitHooks(&hooks);
    ran_out = false;
    return create();
}

cJSON *json_begin(void)
{
    return begin(cJSON_CreateObject);
}

cJSON *json_begin_array(void)
{
    return begin(cJSON_CreateArray);
}

cJSON *json_parse(const char *text, const char **end, bool *no_memory)
{
    cJSON_InitHooks(&hooks);
    ran_out = false;
    cJSON *root = cJSON_ParseWithOpts(text, end, true);
    *no_memory = ran_out;
    return root;
}

bool json_is_whole(void)
{
    return !ran_out;
}

const cJSON *json_get(const cJSON *object, const char *key)
{
    return cJSON_GetObjectItemCaseSensitive(object, key);
}

double json_get_number(const cJSON *object, const char *key)
{
    const cJSON *item = json_get(object, key);
    return cJSON_IsNumber(item) ? item->valuedouble : 0;
}

const char *json_get_text(const cJSON *object, const char *key)
{
    const cJSON *item = json_get(object, key);
    return cJSON_IsString(item) ? item->valuestring : "";
}

// The text with a newline behind it, as a terminal may show it too: cJSON leaves what is beyond ASCII as it is.
static char *make_harmless(const char *text)
{
    size_t left = strlen(text), used = 0, length;
    char *whole = malloc(left * sizeof "\\u0000" + 2); // a byte becomes that at most
    for (; whole && left > 0; text += length, left -= length) {
        struct foreign_character c = foreign_character(text, left);
        length = c.length ? c.length : left;
        if (c.harmless || *text == '\n' || *text == '\t') {
            memcpy(whole + used, text, length);
            used += length;
        } else {
            used += (size_t)(c.code ? sprintf(whole + used, "\\u%04x", (unsigned)c.code)
                                    : sprintf(whole + used, REPLACEMENT));
        }
    }
    if (whole)
        memcpy(whole + used, "\n", 2);
    return whole;
}

char *json_print(cJSON *root)
{
    char *text = ran_out ? NULL : cJSON_Print(root);
    cJSON_Delete(root);
    char *whole = text ? make_harmless(text) : NULL;
    free(text);
    return whole;
}

static cJSON *add_item(cJSON *parent, const char *key, cJSON *item)
{
    bool good = key ? cJSON_AddItemToObject(parent, key, item) : cJSON_AddItemToArray(parent, item);
    if (!good)
        cJSON_Delete(item);
    return good ? item : NULL;
}

cJSON *json_object(cJSON *parent, const char *key)
{
    return add_item(parent, key, cJSON_CreateObject());
}

cJSON *json_array(cJSON *parent, const char *key)
{
    return add_item(parent, key, cJSON_CreateArray());
}

void json_add_bool(cJSON *object, const char *key, bool value)
{
    add_item(object, key, cJSON_CreateBool(value));
}

void json_add_text(cJSON *object, const char *key, const char *text)
{
    add_item(object, key, text ? cJSON_CreateString(text) : cJSON_CreateNull());
}

void json_add_number(cJSON *object, const char *key, double number)
{
    add_item(object, key, cJSON_CreateNumber(number));
}

void json_add_dimensions(cJSON *object, const char *key, const unsigned size[3])
{
    cJSON *array = json_array(object, key);
    for (int i = 0; i < 3; i++)
        json_add_number(array, NULL, size[i]);
}

void json_add_if(cJSON *object, const char *key, bool known, double number)
{
    add_item(object, key, known ? cJSON_CreateNumber(number) : cJSON_CreateNull());
}

void json_add_value(cJSON *object, const char *key, const struct value *value)
{
    json_add_if(object, key, value_known(value), value->number);
}

void json_add_known(cJSON *object, const char *key, double number)
{
    json_add_if(object, key, number > 0, number);
}

void json_add_known_text(cJSON *object, const char *key, const char *text)
{
    json_add_text(object, key, *text ? text : NULL);
}

void json_add_provenance(cJSON *object, const char *key, enum provenance provenance,
                         const char *why)
{
    char text[FAILURE_SIZE + 32];
    bool known = provenance != UNAVAILABLE;
    snprintf(text, sizeof text, "%s%s%s", provenance_name(provenance), known ? "" : ": ",
             known ? "" : why);
    json_add_text(object, key, text);
}

void json_add_both(cJSON *object, const char *key, const struct value *value, cJSON *provenances)
{
    json_add_value(object, key, value);
    json_add_provenance(provenances, key, value->provenance, value->why);
}

void json_add_device(cJSON *object, const struct device *device)
{
    json_add(object, "kind", device->simulated ? "simulated" : "gpu");
    json_add(object, "name", device->name);
}
