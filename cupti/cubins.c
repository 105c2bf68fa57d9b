#include "cupti/cubins.h"

#include "base/cubin.h"
#include "cupti/errors.h"
#include "facts/stall_cause.h"

#include <cupti.h>
#include <cupti_pcsampling.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct cubin {
    uint32_t crc; // as the metrics' records give it: the lower half
    size_t size;
    void *code;
    struct cubin *next;
};

struct cubins {
    CUpti_SubscriberHandle subscriber;
    struct cubin *first;
};

// A cubin that cannot be kept for lack of memory is missed by cubins_locate().
static void keep(struct cubins *cubins, const CUpti_ModuleResourceData *module)
{
    CUpti_GetCubinCrcParams checksum = {.size = CUpti_GetCubinCrcParamsSize,
                                        .cubinSize = module->cubinSize,
                                        .cubin = module->pCubin};
    struct cubin *cubin = malloc(sizeof *cubin);
    void *code = malloc(module->cubinSize);
    if (!cubin || !code || cuptiGetCubinCrc(&checksum) != CUPTI_SUCCESS) {
        free(cubin);
        free(code);
        return;
    }
    memcpy(code, module->pCubin, module->cubinSize);
    *cubin = (struct cubin){.crc = (uint32_t)checksum.cubinCrc,
                            .size = module->cubinSize,
                            .code = code,
                            .next = cubins->first};
    cubins->first = cubin;
}

static void CUPTIAPI hear(void *context, CUpti_CallbackDomain domain, CUpti_CallbackId id,
                          const void *data)
{
    if (domain == CUPTI_CB_DOMAIN_RESOURCE && id == CUPTI_CBID_RESOURCE_MODULE_LOADED)
        keep(context, ((const CUpti_ResourceData *)data)->resourceDescriptor);
}

void *cubins_open(char *why, size_t size)
{
    struct cubins *cubins = calloc(1, sizeof *cubins);
    if (!cubins)
        snprintf(why, size, "the host has no memory for the kernels' code");
    else if (CUPTI_CALL(why, size, cuptiSubscribe, &cubins->subscriber, hear, cubins) &&
             CUPTI_CALL(why, size, cuptiEnableCallback, 1, cubins->subscriber,
                        CUPTI_CB_DOMAIN_RESOURCE, CUPTI_CBID_RESOURCE_MODULE_LOADED))
        return cubins;
    else
        cubins_close(cubins);
    return NULL;
}

static const struct cubin *find(const struct cubins *cubins, uint32_t crc)
{
    const struct cubin *cubin = cubins->first;
    while (cubin && cubin->crc != crc)
        cubin = cubin->next;
    return cubin;
}

bool cubins_locate(const struct cubins *cubins, uint32_t crc, const char *function, uint32_t pc,
                   char *file, size_t file_size, unsigned *line, char *why, size_t size)
{
    const struct cubin *cubin = find(cubins, crc);
    if (!cubin) {
        snprintf(why, size,
                 "the code of %s was not kept when it was loaded\n"
                 "Did the host's memory run out? End other programs.",
                 function);
        return false;
    }
    CUpti_GetSassToSourceCorrelationParams ask = {.size =
                                                      CUpti_GetSassToSourceCorrelationParamsSize,
                                                  .cubin = cubin->code,
                                                  .functionName = function,
                                                  .cubinSize = cubin->size,
                                                  .pcOffset = pc};
    bool known = cuptiGetSassToSourceCorrelation(&ask) == CUPTI_SUCCESS && ask.fileName;
    bool whole = known && (ask.fileName[0] == '/' || !ask.dirName || !*ask.dirName);
    snprintf(file, file_size, "%s%s%s", known && !whole ? ask.dirName : "",
             known && !whole ? "/" : "", known ? ask.fileName : "?");
    *line = known ? ask.lineNumber : 0;
    free(ask.fileName); // both are the caller's
    free(ask.dirName);
    return true;
}

bool cubins_cause(const struct cubins *cubins, uint32_t crc, const char *function, uint32_t pc,
                  enum stall_reason reason, uint32_t *cause)
{
    const struct cubin *cubin = find(cubins, crc);
    size_t size = 0;
    const unsigned char *code =
        cubin ? cubin_code(cubin->code, cubin->size, function, &size) : NULL;
    size_t place = code ? stall_cause(code, size, pc, reason) : 0;
    *cause = (uint32_t)place;
    return code && place < size;
}

void cubins_close(void *opened)
{
    struct cubins *cubins = opened;
    (void)cuptiUnsubscribe(cubins->subscriber); // nothing could be done about a failure
    for (struct cubin *cubin = cubins->first, *next; cubin; cubin = next) {
        next = cubin->next;
        free(cubin->code);
        free(cubin);
    }
    free(cubins);
}
