#include "facts/tuning_verdicts.h"

#include <math.h>

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

double tunings_behind(const struct tunings *tunings, int place)
{
    double logs = 0;
    for (int i = 0; i < tunings->count; i++) {
        const struct candidate *candidate = &tunings->at[i].candidates[place];
        if (candidate->timing.launches == 0)
            return 0;
        logs += log(candidate->behind.median_ms);
    }
    return exp(logs / tunings->count);
}

static bool first_is_level(const struct tunings *tunings)
{
    bool level = true;
    for (int i = 0; i < tunings->count; i++)
        level = level && tunings->at[i].candidates[0].state >= CANDIDATE_LEVEL;
    return level;
}

int tunings_choice(const struct tunings *tunings)
{
    int best = -1;
    if (first_is_level(tunings))
        return 0;
    if (tunings->count == 1)
        return tuning_fastest(tunings->at);
    for (int i = 0; i < tunings->at->count; i++) {
        double behind = tunings_behind(tunings, i);
        if (behind > 0 && (best < 0 || behind < tunings_behind(tunings, best)))
            best = i;
    }
    return best;
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

// In how many rounds more it was slower than the other than it was faster.
static int rounds_behind(const struct rounds *rounds, int place, int other)
{
    int behind = 0;
    for (int i = 0; i < rounds->of[place]; i++) {
        const float *ms = &rounds->ms[i * rounds->stride];
        behind += (ms[place] > ms[other]) - (ms[place] < ms[other]);
    }
    return behind;
}

// Of two that are equal, who is behind goes up and down by one a round, by chance. That it comes `lead` rounds from 0
// at any time has a probability of 2 exp(-lead^2 / 2 rounds) at most (Azuma and Hoeffding's inequality, which holds for
// the maximum too); and any two of all may be the two.
static double decisive_lead(int candidates)
{
    double pairs = candidates * (candidates - 1) / 2.0, chance = 1 - MEDIAN_CONFIDENCE / 100.0;
    return sqrt(2 * MOST_ROUNDS * log(2 * pairs / chance));
}

static void judge_candidate(struct candidate *candidate, bool is_fastest, bool is_beaten)
{
    if (is_fastest)
        candidate->state = CANDIDATE_FASTEST;
    else if (is_in_the_race(candidate))
        candidate->state = is_beaten ? CANDIDATE_BEATEN : CANDIDATE_LEVEL;
}

void tuning_judge(struct tuning *tuning, const struct rounds *rounds)
{
    int launched = 0;
    for (int i = 0; i < tuning->count; i++)
        if (rounds->of[i] > 0) {
            take_time(&tuning->candidates[i], rounds, i);
            launched++;
        }
    int fastest = tuning_fastest(tuning);
    for (int i = 0; i < tuning->count; i++)
        if (rounds->of[i] > 0) {
            tuning->candidates[i].behind = quotients(rounds, i, fastest, rounds->of[i]);
            judge_candidate(&tuning->candidates[i], i == fastest,
                            rounds_behind(rounds, i, fastest) >= decisive_lead(launched));
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
        judge_candidate(candidate, i == fastest, behind > 1);
    }
}
