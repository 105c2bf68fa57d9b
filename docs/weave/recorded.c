#include "recorded.h"

bool can_be_reported(const struct run *run, char why[RUN_WHY_SIZE])
{
    if (run->device.sm.warps == 0 || run->device.sms == 0 || !value_known(&run->copy_gbs)) {
        snprintf(why, RUN_WHY_SIZE, "the run %.60s does not say what its device has", run->label);
        return false;
    }
    for (int i = 0; i < run->count; i++) {
        const struct step_result *step = &run->steps[i];
        if (!step->launched || step->outcome != VERIFIED || !step_of(step)) {
            snprintf(why, RUN_WHY_SIZE,
                     "step %g of %.60s is not in this program, or not known to be right",
                     step->number, run->label);
            return false;
        }
    }
    return true;
}

void put_origin(FILE *out, const struct run *run, size_t n, const char *to_root)
{
    fprintf(out, "%s %s, n = %zu",
            run->device.simulated ? "Modelled:" : "Measured:", run->device.name, n);
    if (*run->source)
        fprintf(out, ", by %s", run->kit);
    fprintf(out, " ([`docs/runs/%s.json`](%sdocs/runs/%s.json)).", run->label, to_root, run->label);
}
