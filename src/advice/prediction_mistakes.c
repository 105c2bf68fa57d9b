// What somebody may have overlooked who predicted this number: a table of what one would type then.
#include "advice/advice.h"
#include "advice/prediction.h"

#include <math.h>
#include <stdio.h>

enum { SAME_NUMBER = 5 }; // percent: so near is what was typed to what a mistake gives

// What the rules look at. `before` may be NULL.
struct scene {
    const struct run *run;
    const struct step_result *now, *before;
    struct findings findings, findings_before;
    double came;
};

// What one types who overlooks it; 0 where it cannot be overlooked here.
typedef double typed_then(const struct scene *);

static double over(double one, double other)
{
    return one > 0 && other > 0 ? one / other : 0;
}

static double gain_of_sms(const struct scene *s)
{
    double sms = s->run->device.sms;
    return s->before && s->findings_before.blocks < sms
               ? over(fmin(s->findings.blocks, sms), s->findings_before.blocks)
               : 0;
}

static double gain_of_threads(const struct scene *s)
{
    return s->before ? over(s->findings.threads, s->findings_before.threads) : 0;
}

static double gain_of_resident_threads(const struct scene *s)
{
    double held = s->findings.capacity;
    return s->before && s->findings_before.threads < held
               ? over(fmin(s->findings.threads, held), s->findings_before.threads)
               : 0;
}

static double gain_in(const struct scene *s, enum metric metric)
{
    const struct value *now = &s->now->values[metric];
    return s->before && value_known(now) && value_known(&s->before->values[metric])
               ? over(s->before->values[metric].number, now->number)
               : 0;
}

static double gain_of_store_sectors(const struct scene *s)
{
    return gain_in(s, GLOBAL_STORE_SECTORS);
}

static double gain_of_wavefronts(const struct scene *s)
{
    return gain_in(s, SHARED_WAVEFRONTS);
}

static double gain_to_the_roof(const struct scene *s)
{
    const struct value *roof = &s->run->copy_gbs;
    return s->before && value_known(roof)
               ? over(roof->number, s->before->values[BANDWIDTH_GBS].number)
               : 0;
}

static double gain_inverse(const struct scene *s)
{
    return over(1, s->came);
}

static double time_at_the_roof(const struct scene *s)
{
    return value_known(&s->findings.roof_ms) ? s->findings.roof_ms.number : 0;
}

static double one_a_lane(const struct scene *s)
{
    return s->came < 32 ? 32 : 0;
}

static double least_sectors(const struct scene *s, int stores)
{
    const struct traffic *t = &s->findings.traffic;
    return t->known ? over(t->least_sectors[stores], t->requests[stores]) : 0;
}

static double least_load_sectors(const struct scene *s)
{
    return least_sectors(s, 0);
}

static double least_store_sectors(const struct scene *s)
{
    return least_sectors(s, 1);
}

static double least_wavefronts(const struct scene *s)
{
    const struct traffic *t = &s->findings.traffic;
    return t->known ? over(t->least_wavefronts, s->now->values[SHARED_REQUESTS].number) : 0;
}

// Of an access along a row and one down a column of a tile that is as wide as the banks.
static double worst_wavefronts(const struct scene *s)
{
    return s->came > 1 && s->came < 32 ? 32 : 0;
}

// DRAM's share if no sector were found in the L2.
static double every_sector_in_dram(const struct scene *s)
{
    const struct traffic *t = &s->findings.traffic;
    const struct value *time = &s->now->values[TIME_MS];
    double peak = s->run->device.dram_peak_gbs;
    return t->known && value_known(time)
               ? 100 * over((t->sectors[0] + t->sectors[1]) * 32 / (time->number * 1e6), peak)
               : 0;
}

static double all_of_it(const struct scene *s)
{
    (void)s;
    return 100;
}

// Typed is `times` what came, or what `then` says. The first row that fits counts.
static const struct mistake {
    enum subject subject;
    double times;
    typed_then *then;
    const char *text;
} mistakes[] = {
    {ASKED_GAIN, 0, gain_of_sms,
     "may count the SMs that now have work: all of them share one L2 and one DRAM"},
    {ASKED_GAIN, 0, gain_of_resident_threads,
     "may count the threads that the GPU can hold at once: they share the SMs' load/store units, "
     "the L2 and DRAM"},
    {ASKED_GAIN, 0, gain_of_threads,
     "may count threads: far fewer run at a time, and they share what they wait for"},
    {ASKED_GAIN, 0, gain_of_store_sectors,
     "may count the stores' sectors alone: the loads are as many as before, and what is new takes "
     "time too"},
    {ASKED_GAIN, 0, gain_of_wavefronts,
     "may count the wavefronts alone: what else the step before waited for is not gone with them"},
    {ASKED_GAIN, 0, gain_to_the_roof,
     "may take it for granted that the roof is reached: look for what else is busy, or waits"},
    {ASKED_GAIN, 0, gain_inverse,
     "may be the wrong way round: a gain is the time before over the time now"},
    {ASKED_GAIN, 2, NULL,
     "is twice too much: was one direction left out? Each element is read and written"},
    {ASKED_GAIN, .5, NULL, "is half of it: may something be counted twice?"},
    {ASKED_TIME, 0, time_at_the_roof,
     "may take it for granted that the roof is reached: look for what else is busy, or waits"},
    {ASKED_TIME, .5, NULL,
     "may move the bytes in one direction alone: each element is read and written"},
    {ASKED_TIME, 2, NULL, "may add up what goes on at the same time"},
    {ASKED_TIME, 8, NULL,
     "may forget that a sector holds eight floats: seven of them are found in L1"},
    {ASKED_TIME, 1 / 8.0, NULL,
     "may take each access for an eighth of a sector: here each takes a whole one"},
    {ASKED_TIME, 32, NULL, "may count threads: 32 of them, a warp, issue together"},
    {ASKED_TIME, 1 / 32.0, NULL, "may count warps where every thread's access is one of its own"},
    {ASKED_TIME, 1e3, NULL, "may be a slip of the unit: us and ms"},
    {ASKED_TIME, 1e-3, NULL, "may be a slip of the unit: us and ms"},
    {ASKED_LOAD_SECTORS, 0, one_a_lane,
     "may count one a lane: floats side by side share a sector, eight in each"},
    {ASKED_LOAD_SECTORS, 32, NULL, "may be bytes: a sector is 32 of them"},
    {ASKED_LOAD_SECTORS, .25, NULL, "may be lines of 128 bytes: a sector is 32 bytes"},
    {ASKED_LOAD_SECTORS, 0, least_load_sectors,
     "may take the lanes' elements for neighbours: here they are a row apart"},
    {ASKED_STORE_SECTORS, 0, one_a_lane,
     "may count one a lane: floats side by side share a sector, eight in each"},
    {ASKED_STORE_SECTORS, 32, NULL, "may be bytes: a sector is 32 of them"},
    {ASKED_STORE_SECTORS, .25, NULL,
     "may be lines of 128 bytes, or lanes of 4 bytes where they have 16: a sector is 32 bytes"},
    {ASKED_STORE_SECTORS, 0, least_store_sectors,
     "may take the lanes' elements for neighbours: here they are a row apart"},
    {ASKED_STORE_EFFICIENCY, 0, all_of_it,
     "may forget that rows may start within a sector, or that lanes may be a row apart"},
    {ASKED_WAVEFRONTS, 0, worst_wavefronts,
     "may be the access down a column alone: the one along a row takes one wavefront, and asked is "
     "the average"},
    {ASKED_WAVEFRONTS, 2, NULL,
     "may count an element's two accesses together: asked is the average one"},
    {ASKED_WAVEFRONTS, 0, least_wavefronts,
     "may forget the bank conflicts: in a tile of 32 columns a column lies in one bank"},
    {ASKED_WAVEFRONTS, .25, NULL,
     "may forget that 32 banks give 128 bytes a wavefront: 16 bytes a lane take four"},
    {ASKED_DRAM_SHARE, 0, every_sector_in_dram,
     "may let every sector go to DRAM: the L2 holds the half-written ones until they are full"},
    {ASKED_DRAM_SHARE, 0, all_of_it,
     "may take DRAM for busy all the time: even the device's own copy does not reach the peak"},
    {ASKED_DRAM_SHARE, .5, NULL, "may count one direction alone: each element is read and written"},
    {ASKED_DRAM_SHARE, 2, NULL, "may count a direction twice"},
    {ASKED_OCCUPANCY, 0, all_of_it,
     "may leave out a limit: of warps, blocks, registers and shared memory the smallest wins"},
};

static struct scene scene_of(const struct run *run, int place, double came)
{
    const struct step_result *now = &run->steps[place], *before = verified_before(run, place);
    struct scene scene = {
        .run = run, .now = now, .before = before, .findings = findings_of(run, now), .came = came};
    if (before)
        scene.findings_before = findings_of(run, before);
    return scene;
}

static bool fits(const struct mistake *row, const struct scene *scene, double typed)
{
    double then = row->then ? row->then(scene) : row->times * scene->came;
    return then > 0 && fabs(typed / then - 1) <= SAME_NUMBER / 100.0;
}

void prediction_mistake(char text[MISTAKE_SIZE], const struct run *run, int place,
                        const struct prediction *prediction, const struct style *style)
{
    char typed[FORMAT_SIZE];
    *text = '\0';
    if (!prediction->answered || prediction_is_right(prediction))
        return;
    if (prediction->subject == ASKED_LIMIT) {
        snprintf(text, MISTAKE_SIZE, "%s", limiters[(enum limiter)prediction->came].meaning);
        return;
    }
    struct scene scene = scene_of(run, place, prediction->came);
    format_prediction(typed, prediction->subject, prediction->predicted, style);
    for (size_t i = 0; i < sizeof mistakes / sizeof *mistakes; i++)
        if (mistakes[i].subject == prediction->subject &&
            fits(&mistakes[i], &scene, prediction->predicted)) {
            snprintf(text, MISTAKE_SIZE, "Your %s %s.", typed, mistakes[i].text);
            return;
        }
}
