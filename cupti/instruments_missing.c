// Stands in for the rest of this folder where the toolkit has no CUPTI: a GPU without instruments.
#include "base/platform.h"
#include "measure/instruments.h"

#define WITHOUT "this program was built without CUPTI"
#define INSTALL "\nInstall the toolkit with CUPTI, CUDA 12.6 update 2 or newer, and build again"

const struct platform platform = {.simulated = false};

const struct instruments instruments = {
    .why_not = {
        .counters = WITHOUT "'s range profiler" INSTALL ".",
        .lines =
            WITHOUT ", which counts source lines" INSTALL "; --sim counts on the simulated device.",
        .stalls = WITHOUT ", which samples them" INSTALL ".",
        .tracer =
            WITHOUT ", which notes what a GPU does" INSTALL "; --sim traces the simulated device.",
        .chips = WITHOUT ", which knows the chips" INSTALL ".",
        .blocks_on_sm = WITHOUT,
    }};
