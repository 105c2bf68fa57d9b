#include "facts/tuning.h"

const double model_margin = 1.5;

static bool is_in_the_race(const struct candidate *candidate)
{
    return candidate->state >= CANDIDATE_RIGHT && candidate->state != CANDIDATE_BEATEN;
}

int tuning_fastest(const struct tuning *tuning)
{
    int fastest = -1;
    for (int i = 0; i < tuning->count; i++) {
        const struct candidate *candidate = &tuning->candidates[i];
        if (is_in_the_race(candidate) && candidate->timing.launches > 0 &&
            (fastest < 0 ||
             candidate->timing.median_ms < tuning->candidates[fastest].timing.median_ms))
            fastest = i;
    }
    return fastest;
}

int tuning_choice(const struct tuning *tuning)
{
    return tuning->candidates[0].state == CANDIDATE_LEVEL ? 0 : tuning_fastest(tuning);
}

int tuning_count(const struct tuning *tuning, enum candidate_state state)
{
    int count = 0;
    for (int i = 0; i < tuning->count; i++)
        count += tuning->candidates[i].state == state;
    return count;
}

bool tuning_is_slow(const struct tuning *tuning, int place)
{
    double best = tuning->candidates[place].predicted_ms;
    for (int i = 0; i < tuning->count; i++) {
        double ms = tuning->candidates[i].predicted_ms;
        best = ms > 0 && ms < best ? ms : best;
    }
    return tuning->candidates[place].predicted_ms > best * model_margin;
}

void tuning_prune(struct tuning *tuning)
{
    for (int i = 0; i < tuning->count; i++)
        if (tuning->candidates[i].state == CANDIDATE_PENDING && tuning_is_slow(tuning, i))
            tuning->candidates[i].state = CANDIDATE_SLOW;
}

// The quotients of a candidate's times and another column's, of the rounds that both have.
static struct timing quotients(const struct rounds *rounds, int place, int other, int count)
{
    float all[MOST_ROUNDS];
    for (int i = 0; i < count; i++)
        all[i] = rounds->ms[i * rounds->stride + place] / rounds->ms[i * rounds->stride + other];
    return timing_of(all, count);
}

static void take_time(struct candidate *candidate, const struct rounds *rounds, int place)
{
    float times[MOST_ROUNDS];
    int count = rounds->of[place];
    for (int i = 0; i < count; i++)
        times[i] = rounds->ms[i * rounds->stride + place];
    candidate->timing = timing_of(times, count);
    candidate->share = 100 / quotients(rounds, place, rounds->stride - 1, count).median_ms;
}

static void judge_candidate(struct tuning *tuning, int place, int fastest)
{
    struct candidate *candidate = &tuning->candidates[place];
    if (place == fastest)
        candidate->state = CANDIDATE_FASTEST;
    else if (is_in_the_race(candidate))
        candidate->state = candidate->behind.low_ms > 1 ? CANDIDATE_BEATEN : CANDIDATE_LEVEL;
}

void tuning_judge(struct tuning *tuning, const struct rounds *rounds)
{
    for (int i = 0; i < tuning->count; i++)
        if (rounds->of[i] > 0)
            take_time(&tuning->candidates[i], rounds, i);
    int fastest = tuning_fastest(tuning);
    for (int i = 0; i < tuning->count; i++)
        if (rounds->of[i] > 0) {
            tuning->candidates[i].behind = quotients(rounds, i, fastest, rounds->of[i]);
            judge_candidate(tuning, i, fastest);
        }
}

void tuning_judge_modelled(struct tuning *tuning)
{
    int fastest = tuning_fastest(tuning);
    for (int i = 0; i < tuning->count; i++) {
        struct candidate *candidate = &tuning->candidates[i];
        if (candidate->state < CANDIDATE_RIGHT || candidate->timing.launches == 0)
            continue;
        double behind = candidate->timing.median_ms / tuning->candidates[fastest].timing.median_ms;
        candidate->behind = (struct timing){
            .median_ms = behind, .low_ms = behind, .high_ms = behind, .launches = 1};
        judge_candidate(tuning, i, fastest);
    }
}
