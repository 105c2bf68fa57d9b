// Building JSON with cJSON, a field a row: json_add(object, "n", run->n). Memory that runs out is noticed by
// json_print() alone: until then nobody needs to look at what was added. And reading it.
#ifndef JSON_BUILD_H
#define JSON_BUILD_H

#include "facts/run.h"

#include <cjson/cJSON.h>
#include <stdbool.h>

// An object or an array to begin with. One at a time.
cJSON *json_begin(void);
cJSON *json_begin_array(void);

// The text and a newline, which the caller frees; NULL when memory ran out. The root is no more. The text is UTF-8
// whatever was added: bytes that are none become U+FFFD, and what does harm on a terminal is escaped.
char *json_print(cJSON *root);

// What the text, a JSON value and nothing behind it, holds; the caller frees it with cJSON_Delete(). NULL when
// memory ran out, or, at *end, the text is no JSON.
cJSON *json_parse(const char *text, const char **end, bool *no_memory);

// Whether there was memory for all that was built since.
bool json_is_whole(void);

// The member, its number or its text; NULL, 0 or "" where it has none.
const cJSON *json_get(const cJSON *object, const char *key);
double json_get_number(const cJSON *object, const char *key);
const char *json_get_text(const cJSON *object, const char *key);

// A member that is an object or an array; with a key of NULL the next item of an array.
cJSON *json_object(cJSON *parent, const char *key);
cJSON *json_array(cJSON *parent, const char *key);

// A member by the type of its value: bool, text (NULL: null), unsigned[3], struct value * (null where it is
// unavailable), and numbers, which are exact up to 2^53.
#define json_add(object, key, what)                                                                \
    _Generic((what),                                                                               \
        bool: json_add_bool,                                                                       \
        char *: json_add_text,                                                                     \
        const char *: json_add_text,                                                               \
        unsigned *: json_add_dimensions,                                                           \
        const unsigned *: json_add_dimensions,                                                     \
        struct value *: json_add_value,                                                            \
        const struct value *: json_add_value,                                                      \
        default: json_add_number)((object), (key), (what))
void json_add_bool(cJSON *object, const char *key, bool value);
void json_add_text(cJSON *object, const char *key, const char *text);
void json_add_dimensions(cJSON *object, const char *key, const unsigned size[3]);
void json_add_value(cJSON *object, const char *key, const struct value *value);
void json_add_number(cJSON *object, const char *key, double number);

// The number, or null where it is not known; one that stands for "not known" when it is 0; text that does when
// it is "".
void json_add_if(cJSON *object, const char *key, bool known, double number);
void json_add_known(cJSON *object, const char *key, double number);
void json_add_known_text(cJSON *object, const char *key, const char *text);

// "measured", or "unavailable: " and why.
void json_add_provenance(cJSON *object, const char *key, enum provenance provenance,
                         const char *why);

// A value, and its provenance under the same key of another object.
void json_add_both(cJSON *object, const char *key, const struct value *value, cJSON *provenances);

// "gpu" or "simulated", and the name.
void json_add_device(cJSON *object, const struct device *device);

// The array "advice", on a step of the run, as docs/json.md describes it; empty without one (NULL), as of a step
// that went wrong (json_advice.c).
void json_add_advice(cJSON *object, const struct run *run, const struct step_result *step);

#endif
