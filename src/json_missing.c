// Stands in for json.c where cJSON is missing, as on a cluster without root.
#include "json.h"

#include "metric_listing.h"
#include "occupancy_page.h"

#include <stddef.h>

const char *json_missing(void)
{
    return "this program was built without cJSON. Install it (Debian, Ubuntu: apt install "
           "libcjson-dev; Fedora: dnf install cjson-devel), or point PKG_CONFIG_PATH at its "
           "libcjson.pc, and build again.";
}

char *json_of_run(const struct run_data *run)
{
    (void)run;
    return NULL;
}

char *json_of_listing(const struct metric_listing *listing)
{
    (void)listing;
    return NULL;
}

char *json_of_occupancy(const struct occupancy_page *page)
{
    (void)page;
    return NULL;
}
