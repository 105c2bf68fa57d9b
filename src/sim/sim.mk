# The simulated device: its library, the steps' kernels for it, its tests and its benchmark.
#
# Included by the top-level Makefile. SIM_KERNELS says who compiles the kernels: nvcc, or clang with the
# stand-in headers in src/sim/cuda/include (no NVIDIA software needed).

TILE ?= 32
ROWS ?= 8
SIM_BUILD ?= build/sim/$(SIM_KERNELS)-$(TILE)x$(ROWS)
# What is the same for every geometry.
SIM_COMMON ?= build/sim/$(SIM_KERNELS)

# Without fused multiply-add, which only some processors have: the same numbers on all.
SIM_CFLAGS := -std=c11 -D_GNU_SOURCE -g -pthread -ffp-contract=off -Wall -Wextra -Werror
SIM_CFLAGS += $(if $(filter nvcc,$(SIM_KERNELS)),-DNVCC_KERNELS=1,-DNVCC_KERNELS=0) -I. -Isrc \
              $(if $(NVCC),-isystem ,-I)$(CUDA_INCLUDE) $(CFLAGS) -O3
SIM_LDLIBS := -pthread -lm -ldl

# The library: everything but the instruments, which need the driver's facts; and
# what it shares with the driver, which is linked first.
SIM_INSTRUMENTS_SOURCES := $(addprefix src/sim/cuda/,counters.c instruments.c line_counter.c stall_sampler.c)
SIM_SOURCES := $(filter-out $(SIM_INSTRUMENTS_SOURCES),$(call files,src/sim/*/*.c)) \
               $(addprefix src/base/,compute_capability.c cubin.c fatbin.c untrusted_text.c function_name.c line_program.c loaded_segment.c \
                 occupancy.c sim_devices.c source_files.c source_lines.c) $(addprefix src/facts/,activities.c stall_samples.c)
SIM_OBJECTS := $(SIM_SOURCES:%.c=$(SIM_COMMON)/%.o)
SIM_LIBRARY := $(SIM_COMMON)/libsim.a
SIM_INSTRUMENTS := $(SIM_INSTRUMENTS_SOURCES:%.c=$(SIM_COMMON)/%.o)
SIM_STEPS := $(STEPS:%.cu=$(SIM_BUILD)/%.o)

SIM_TESTS := $(patsubst tests/%.c,$(SIM_BUILD)/tests/%,$(call files,tests/test_sim_*.c))
SIM_TEST_KERNELS := $(patsubst %.cu,$(SIM_BUILD)/%.o,$(call files,tests/kernels/*.cu))
SIM_BUGS := $(patsubst %.cu,$(SIM_BUILD)/%.o,$(call files,tests/bugs/*.cu))
SIM_TRANSPOSES := $(patsubst %.cu,$(SIM_BUILD)/%.o,$(call files,$(SETS:%=tests/%/*.cu)))

# Objects that only a pattern rule names would be removed after the link.
.SECONDARY: $(SIM_TEST_KERNELS) $(SIM_BUGS) $(SIM_TRANSPOSES) $(SIM_TESTS:=.o)

.PHONY: sim-library sim-steps sim-bench sim-fuzz
sim-library: $(SIM_LIBRARY) $(SIM_INSTRUMENTS)
sim-steps: $(SIM_STEPS)

$(SIM_COMMON)/%.o: %.c $(SIM_COMMON)/cc.flags
	$(call compile,CC,$(CC) $(SIM_CFLAGS))

$(SIM_BUILD)/%.o: %.c $(SIM_COMMON)/cc.flags
	$(call compile,CC,$(CC) $(SIM_CFLAGS) -DTILE=$(TILE) -DROWS=$(ROWS))

$(call settings,$(SIM_COMMON)/cc.flags,$(CC) $(CC_VERSION) $(SIM_CFLAGS))
$(call settings,$(SIM_COMMON)/ar.flags,$(SIM_OBJECTS))

$(SIM_LIBRARY): $(SIM_OBJECTS) $(SIM_COMMON)/ar.flags
	$(call say,AR,$@)$(AR) rcs $(new) $(SIM_OBJECTS) && mv $(new) $@

# The architectures of the simulated devices: machine code for them says a kernel's registers. What
# this nvcc does not know is left out; the registers are then those of the nearest, or estimated.
SIM_ARCHS := $(if $(NVCC),$(shell $(NVCC) --list-gpu-code 2>/dev/null | sed -n 's/^sm_\(75\|80\|89\|90\)$$/\1/p'),75 80 86)

# Kernels. The PTX must be in the object file uncompressed, and cudaLaunchKernel() must launch it. A device executes that
# of its own architecture, as its machine code is made of it; clang's is for the oldest that the kernel is written for.
# SIMULATED: what launch() does on the host can do without what this device has not.
SIM_KERNEL_FLAGS := -Isteps -DSIMULATED $(PARAMETERS)
SIM_NVCC_FLAGS := -O3 -lineinfo -no-compress -U_GNU_SOURCE $(CCBIN) -Xcompiler -D__NV_LEGACY_LAUNCH \
	-Xcompiler -fno-exceptions -Xcompiler -fno-threadsafe-statics $(SIM_KERNEL_FLAGS)
SIM_CLANG_FLAGS := -x cuda -nocudainc -nocudalib \
	-fno-exceptions -fno-threadsafe-statics --cuda-path=/nonexistent -Wno-unknown-cuda-version -Xclang -target-sdk-version=10.1 \
	-Isrc/sim/cuda/include -include cuda_runtime.h $(SIM_KERNEL_FLAGS)
$(call settings,$(SIM_BUILD)/kernels.flags,$(or $(NVCC),$(CLANG)) $(KERNELS_VERSION) $(SIM_ARCHS) \
  $(if $(NVCC),$(SIM_NVCC_FLAGS),$(SIM_CLANG_FLAGS)) $(foreach step,$(STEPS),$(call tuned,$(step))))

ifeq ($(SIM_KERNELS),nvcc)
$(SIM_BUILD)/%.o: %.cu $(SIM_BUILD)/kernels.flags
	$(call compile,NVCC,src/compile_step.sh nvcc $< "$(KERNEL_ARCHS)" $(NVCC) $(SIM_NVCC_FLAGS) $(call tuned,$<))
KERNEL_ARCHS := 75
$(foreach folder,steps $(MY) build/candidates labs,$(SIM_BUILD)/$(folder)/%.o): KERNEL_ARCHS := $(SIM_ARCHS)
# Tests run these on the newest, which is the default, and on a V100, which executes what is for the oldest.
FIRST_AND_LAST := $(sort $(firstword $(SIM_ARCHS)) $(lastword $(SIM_ARCHS)))
$(foreach folder,build/solved tests/wrong_steps,$(SIM_BUILD)/$(folder)/%.o): KERNEL_ARCHS := $(FIRST_AND_LAST)
# What judges the model was measured on GPUs of the newest alone.
$(foreach set,$(SETS) micro,$(SIM_BUILD)/tests/$(set)/%.o): KERNEL_ARCHS := $(lastword $(SIM_ARCHS))
# Your own kernel may lie anywhere.
$(STEPS:%.cu=$(SIM_BUILD)/%.o): KERNEL_ARCHS := $(SIM_ARCHS)
else
.PRECIOUS: $(SIM_BUILD)/%.ptx $(SIM_BUILD)/%.fatbin
$(SIM_BUILD)/%.ptx: %.cu $(SIM_BUILD)/kernels.flags
	$(call say,CLANG,$<)mkdir -p $(@D) && src/compile_step.sh clang $< "$(SIM_ARCHS)" $(CLANG) $(SIM_CLANG_FLAGS) $(call tuned,$<) \
		--cuda-device-only -O3 -g1 -MMD -MP -MT $@ -MF $(new).d -S $< -o $(new) && mv $(new).d $@.d && mv $(new) $@
# clang embeds the file as it is, and the next object's lies right behind it: it must say where it ends.
$(SIM_BUILD)/%.fatbin: $(SIM_BUILD)/%.ptx src/sim/fatbinary.sh
	$(if $(V),,@)src/sim/fatbinary.sh $*.cu $$(sed -n 's/^\.target sm_\([0-9]*\).*/\1/p' $<) $< >$(new) && mv $(new) $@
$(SIM_BUILD)/%.o: %.cu $(SIM_BUILD)/%.fatbin
	$(call compile,HOST,$(CLANG) $(SIM_CLANG_FLAGS) $(call tuned,$<) --cuda-gpu-arch=sm_75 --cuda-host-only -O2 \
		-Xclang -fcuda-include-gpubinary -Xclang $(SIM_BUILD)/$*.fatbin)
endif

# Tests. Every test program has the test kernels, and the steps where it names them.
CHECK_CFLAGS = $(shell pkg-config --cflags check)
CHECK_LDLIBS = $(shell pkg-config --libs check)

$(SIM_BUILD)/tests/test_sim_%: $(SIM_BUILD)/tests/test_sim_%.o $(SIM_TEST_KERNELS) $(SIM_LIBRARY)
	$(call link,-pthread,$(CHECK_LDLIBS) $(SIM_LDLIBS))

$(SIM_BUILD)/tests/test_sim_steps: $(SIM_STEPS)
$(SIM_BUILD)/tests/test_sim_bugs: $(SIM_BUGS)
$(SIM_BUILD)/tests/test_sim_transposes: $(SIM_TRANSPOSES)
$(SIM_BUILD)/tests/test_sim_roofs: $(SIM_BUILD)/src/measure/roof_kernels.o

# The steps' PTX for every architecture that the compiler knows: all of it must run.
ARCHITECTURES := $(SIM_BUILD)/architectures
STEP_ARCHITECTURES := $(STEPS:%.cu=$(ARCHITECTURES)/%.fatbin)
PTX_ARCHS := 75 80 86 89 90 100 120
$(SIM_BUILD)/tests/test_sim_architectures: $(SIM_STEPS) $(STEP_ARCHITECTURES)
$(SIM_BUILD)/tests/test_sim_architectures.o: SIM_CFLAGS += -DARCHITECTURES='"$(ARCHITECTURES)"'
ifeq ($(SIM_KERNELS),nvcc)
$(ARCHITECTURES)/%.fatbin: %.cu $(SIM_BUILD)/kernels.flags
	$(call say,NVCC,$< (architectures))mkdir -p $(@D) && $(NVCC) -O3 -lineinfo -no-compress $(SIM_KERNEL_FLAGS) -fatbin \
		$(foreach arch,$(filter $(PTX_ARCHS:%=compute_%),$(shell $(NVCC) --list-gpu-arch)),-gencode arch=$(arch),code=$(arch)) \
		$< -o $(new) && mv $(new) $@
else
$(ARCHITECTURES)/%.fatbin: %.cu tests/architectures.sh src/sim/fatbinary.sh $(wildcard src/sim/cuda/include/*.h) \
    $(SIM_BUILD)/kernels.flags
	$(call say,CLANG,$< (architectures))mkdir -p $(@D) && tests/architectures.sh $< $@ "$(PTX_ARCHS)" \
		$(CLANG) $(SIM_CLANG_FLAGS) -O3 -g1
endif

$(SIM_BUILD)/bench_sim: $(SIM_BUILD)/tests/bench_sim.o $(SIM_STEPS) $(SIM_LIBRARY)
	$(call link,-pthread,$(SIM_LDLIBS))

sim-bench: $(SIM_BUILD)/bench_sim
	@$< | tee build/sim/bench.txt
	@tests/oclgrind/compare.sh build/sim/bench.txt

# The suites with more threads than there are cores, and under ThreadSanitizer: only the device is
# compiled for that, not the kernels.
THREADS := build/threads
EVERY_CASE := accesses bugs cubin devices flow halves instructions lanes loader microkernels programs races reorder runtime
THREADS_ALONE := l2_log steps predictions # of these, as they take long, the tests that try several numbers of threads
THREAD_TESTS := $(patsubst %,test_sim_%,$(EVERY_CASE) $(THREADS_ALONE))
THREAD_CFLAGS := $(SIM_CFLAGS) -O1 -fsanitize=thread

$(THREADS)/%.o: %.c $(THREADS)/cc.flags
	$(call compile,CC,$(CC) $(THREAD_CFLAGS) -DTILE=$(TILE) -DROWS=$(ROWS))
$(call settings,$(THREADS)/cc.flags,$(CC) $(CC_VERSION) $(THREAD_CFLAGS) $(TILE) $(ROWS))

$(THREADS)/libsim.a: $(SIM_SOURCES:%.c=$(THREADS)/%.o)
	$(call say,AR,$@)$(AR) rcs $(new) $(filter %.o,$^) && mv $(new) $@

$(THREADS)/test_sim_%: $(THREADS)/tests/test_sim_%.o $(SIM_TEST_KERNELS) $(THREADS)/libsim.a
	$(call link,-pthread -fsanitize=thread,$(CHECK_LDLIBS) $(SIM_LDLIBS))

$(THREADS)/test_sim_steps: $(SIM_STEPS)
$(THREADS)/test_sim_bugs: $(SIM_BUGS)

.PHONY: check-threads
.SECONDARY: $(THREAD_TESTS:%=$(THREADS)/tests/%.o)
check-threads: run $(THREAD_TESTS:%=$(SIM_BUILD)/tests/%) $(THREAD_TESTS:%=$(THREADS)/%)
	@tests/threads.sh $(SIM_BUILD)/tests $(THREADS) $(S)/run "$(EVERY_CASE)" "$(THREADS_ALONE)"

# The same suites for 64-bit Arm, by cross compilers and qemu-user.
.PHONY: check-aarch64
check-aarch64: $(S)/run
	+@tests/aarch64.sh $(S)/run

# ---- Fuzzers: the readers of what comes from files (tests/fuzz), with the sanitizers ------------------
#
#     make sim-fuzz FUZZ_SECONDS=600          with libFuzzer, so long each
#     make fuzz-check                         without it: the corpus, whole and damaged, as a test

F := build/fuzz
FUZZ_SECONDS ?= 60
FUZZ_TARGETS := $(patsubst tests/fuzz/fuzz_%.c,%,$(call files,tests/fuzz/fuzz_*.c))
# What they read: the recorded runs of the tests too.
FUZZ_CORPUS = $(if $(filter record,$(1)),tests/recorded,tests/fuzz/corpus/$(1))
FUZZ_CFLAGS := -std=c11 -D_GNU_SOURCE -O1 -g -pthread -fsanitize=address,undefined -fno-sanitize-recover=all \
	-Wall -Wextra -Werror -I. -Isrc $(if $(NVCC),-isystem ,-I)$(CUDA_INCLUDE)
FUZZ_SOURCES := $(SIM_SOURCES) \
	src/files/json_build.c src/files/json_run_read.c src/facts/run.c src/facts/steps.c src/files/csv_read.c src/files/ncu_run.c src/files/ncu_table.c src/files/ncu_value.c src/files/local_number.c src/facts/shared_results.c src/facts/expression.c src/facts/median.c src/facts/metric_table.c src/facts/roof.c src/facts/value.c src/facts/limiter.c
# libFuzzer's part: make sets it below.
FUZZ_ENGINE ?=
FUZZ_PROGRAMS := $(FUZZ_TARGETS:%=$(F)/fuzz_%)

.PHONY: fuzz-check $(FUZZ_PROGRAMS:=.check)
$(call settings,$(F)/cc.flags,$(CC) $(CC_VERSION) $(FUZZ_CFLAGS) $(FUZZ_ENGINE))
$(F)/%.o: %.c $(F)/cc.flags
	$(call compile,CC,$(CC) $(FUZZ_CFLAGS) $(FUZZ_ENGINE:fuzzer=fuzzer-no-link) $(CJSON_CFLAGS))
$(FUZZ_TARGETS:%=$(F)/tests/fuzz/replay-%.o): $(F)/tests/fuzz/replay-%.o: tests/fuzz/replay.c $(F)/cc.flags
	$(call compile,CC,$(CC) $(FUZZ_CFLAGS) $(CHECK_CFLAGS) -DTARGET='"fuzz_$*"' -DCORPUS='"$(call FUZZ_CORPUS,$*)"')
$(F)/libfuzzed.a: $(FUZZ_SOURCES:%.c=$(F)/%.o)
	$(call say,AR,$@)$(AR) rcs $(new) $(filter %.o,$^) && mv $(new) $@
$(FUZZ_PROGRAMS): $(F)/fuzz_%: $(F)/tests/fuzz/fuzz_%.o $(if $(FUZZ_ENGINE),,$(F)/tests/fuzz/replay-%.o) $(F)/libfuzzed.a
	$(call say,LINK,$@)$(CC) $(FUZZ_CFLAGS) $(FUZZ_ENGINE) $^ $(if $(FUZZ_ENGINE),,$(CHECK_LDLIBS)) $(CJSON_LIBS) $(SIM_LDLIBS) -o $@

fuzz-check: $(FUZZ_PROGRAMS:=.check)
$(FUZZ_PROGRAMS:=.check): %.check: %
	@$< >$<.out 2>$<.err; status=$$?; cat $<.out; test $$status = 0 || { cat $<.err >&2; exit 1; }

sim-fuzz: $(FUZZ_TARGETS:%=sim-fuzz-%)
.PHONY: $(FUZZ_TARGETS:%=sim-fuzz-%)
$(FUZZ_TARGETS:%=sim-fuzz-%): sim-fuzz-%:
	+@$(MAKE) --no-print-directory CC=$(CLANG) F=build/libfuzzer FUZZ_ENGINE=-fsanitize=fuzzer build/libfuzzer/fuzz_$*
	@mkdir -p build/libfuzzer/corpus/$*
	build/libfuzzer/fuzz_$* -max_total_time=$(FUZZ_SECONDS) -max_len=32768 -rss_limit_mb=2048 -timeout=10 \
		-artifact_prefix=build/libfuzzer/$*- build/libfuzzer/corpus/$* $(call FUZZ_CORPUS,$*)
