# apodkit's only build. `make help` lists the targets.
#
# TILE, ROWS   geometry of the tiled steps (steps/tile.h)       make TILE=16 ROWS=8
# BAND, BLOCKS, ROWWISE, WARPS  what step 8 is built with (steps/step8_parameters.h)   make BAND=4 BLOCKS=3
# PEERS        PyTorch's and others' transposes beside the kit's  make PEERS=1 bench-gpu
# PYTHON       the Python that has them                       make PYTHON=~/torch/bin/python3 PEERS=1 bench-gpu
# SAMPLES      NVIDIA's cuda-samples, to have their transposes there too   make SAMPLES=~/cuda-samples PEERS=1 bench-gpu
# TUNED        with what ./run tune found for this GPU          make TUNED=1
# CUDA_HOME    the CUDA toolkit, when nvcc is not on PATH       make CUDA_HOME=/opt/cuda-13.0
# ARCH         compute capabilities to build for, as digits     make ARCH="80 90"
# CC           the C compiler, gcc or clang                     make CC=clang
# V            V=1 shows the commands                           make V=1
# SIZES        the sizes that make validate predicts            make SIZES=1024 validate
# RUN          the recorded run that make plots draws           make RUN=mine plots
# SWEEP        and the sweep, a file of ./run sweep --csv       make SWEEP=sweep.csv plots
# TOOLKITS     what make check-toolkits compiles against   make TOOLKITS=/opt/cuda-12.6 check-toolkits
# HOSTILE_SECONDS  how long make check-hostile tries        make HOSTILE_SECONDS=600 check-hostile
# SOURCE       the kernel of your own that make own builds      make own SOURCE=my/kernel.cu
# HINT         which hint make hintN prints, from 1             make HINT=2 hint4
# SETUP        SETUP=no installs nothing                        make SETUP=no check

CC := $(if $(filter default,$(origin CC)),gcc,$(CC))
.DEFAULT_GOAL := all
B := build/gpu
S := build/sim
# The steps for GPUs, and the program: elsewhere than in $(B) for another geometry beside ./run's, as
# ./run sweep builds it (K=build/gpu-16x8 TILE=16, or S=build/sim-16x8; the rest is shared).
K := $(B)
comma := ,
# Before and after a program is linked: the linker takes an empty object file for one that has nothing to add, and of
# what is no object file says no remedy.
whole = for object in $(1); do test -s $$object || { \
  echo "$$object is empty: type \`make clean && make\`" >&2; exit 1; }; done
linked = || { echo "$@ could not be linked. If an object file above is not recognized, damaged or for another" \
  "machine, type \`make clean && make\`" >&2; exit 1; }
# V=1 shows the commands whole.
say = $(if $(V),,@printf '  %-5s %s\n' '$(1)' '$(2)';)

# What is built gets its name when it is whole, and until then one of the recipe's own: a make that is killed, or that
# runs beside a program or another make, does no harm.
new = $@.$$$$.new
# $(call compile,NAME,COMMAND): the compiler and its options, for what it reads and writes is here.
compile = $(call say,$(1),$<)mkdir -p $(@D) && \
          $(2) -MMD -MP -MT $@ -MF $(new).d -c -o $(new) $< $(LINK_DEVICE) && mv $(new).d $(@:.o=.d) && mv $(new) $@
# $(call link,OPTIONS,LIBRARIES): of all objects and archives among the prerequisites.
link = $(call say,LINK,$@)$(call whole,$(filter %.o,$^)); \
       $(CC) $(CFLAGS) $(1) $(LDFLAGS) -o $(new) $(filter %.o,$^) $(filter %.a,$^) $(2) $(linked) && \
       $(LIST_SOURCES) mv $(new) $@

# $(call settings,FILE,TEXT): a file for the options that decide what its dependants become. It is written, and so
# counts as new, only when they change. (Make 4.3 leaves, now and then, the newline at a file's end: hence strip.)
settings = $(eval $(call settings_rule,$(1),$(subst $$,$$$$,$(subst ','\'',$(strip $(2)))),$(call differ,$(strip $(2)),$(strip $(file <$(1))))))
differ = $(if $(subst $(1),,$(2))$(subst $(2),,$(1)),FORCE)
define settings_rule
$(1): $(3)
	@mkdir -p $$(@D) && printf '%s\n' '$(2)' >$$@
endef

# Sorted in any locale: the order in a list decides, too, what is built again.
files = $(sort $(wildcard $(1)))

# Without -j, as many at a time as there are cores, but for what takes much memory or measures.
ifeq ($(MAKELEVEL),0)
ifneq ($(filter-out validate plots bench bench-gpu micro,$(or $(MAKECMDGOALS),all)),)
CORES := $(if $(filter -j%,$(MAKEFLAGS)),,-j$(shell nproc))
MAKEFLAGS += $(CORES)
endif
endif
ifneq ($(filter check check-all,$(MAKECMDGOALS)),)
$(info $(shell tests/run_suites.sh --estimate build/check/suites))
endif

# ---- Set-up: make summary, check and plots install what is missing first, unless SETUP=no ----------

SETUP_FOR := $(if $(filter no,$(SETUP)),,$(filter summary check check-all plots,$(MAKECMDGOALS)))
ifneq ($(SETUP_FOR),)
ifneq ($(shell ./setup.sh $(filter plots,$(SETUP_FOR)) >&2 && echo done),done)
$(error Not everything that is needed could be installed (see above): SETUP=no builds with what is there)
endif
endif

# ---- The steps: all of them, or with LAST=N (make stepN) those up to N -----------------------------

number = $(firstword $(subst _, ,$(patsubst steps/step%,%,$(1))))
ALL_STEPS := $(shell ls steps/step[0-9]*_*.cu | sort -V)
ALL_NUMBERS := $(foreach step,$(ALL_STEPS),$(call number,$(step)))
STEP_TARGETS := $(ALL_NUMBERS:%=step%)
# Of several steps on the command line, the last in the lesson counts.
LAST := $(or $(LAST),$(lastword $(foreach n,$(ALL_NUMBERS),$(and $(filter step$(n) my$(n),$(MAKECMDGOALS)),$(n)))))
$(if $(filter-out $(ALL_NUMBERS),$(LAST)),$(error LAST=$(LAST) is not a step: $(ALL_NUMBERS)))
STEPS := $(if $(LAST),$(foreach step,$(ALL_STEPS),$(shell \
           test $(call number,$(step)) -le $(LAST) && echo $(step))),$(ALL_STEPS))

# ---- The exercises: make tryN copies one to my/, make myN builds ./run with that as step N ---------

MY := my
EXERCISES := $(patsubst steps/exercises/step%.cu,%,$(shell ls steps/exercises/step[0-9]*.cu 2>/dev/null | sort -V))
MY_TARGETS := $(EXERCISES:%=my%)
TRY_TARGETS := $(EXERCISES:%=try%)
HINT_TARGETS := $(EXERCISES:%=hint%)
RESET_TARGETS := $(EXERCISES:%=reset%)
# The steps that are the attendee's: those named, or MINE="2 4" (./run sweep says so).
MINE := $(or $(MINE),$(foreach n,$(EXERCISES),$(and $(filter my$(n),$(MAKECMDGOALS)),$(n))))
$(if $(filter-out $(EXERCISES),$(MINE)),$(error MINE=$(MINE): the exercises are $(EXERCISES)))
MY_FILES := $(EXERCISES:%=$(MY)/step%.cu)
MY_OBJECTS := $(MINE:%=$(MY)/step%.own.o)
TRIED := $(wildcard $(MY_FILES) $(MY)/mystery*.cu) # before this make
HINT := 1
export HINT # the script reads it there, so that no shell executes it

# ---- Kernels that are no steps: a mystery (make mysteryN), what you make of it (make mymysteryN, after make
# trymysteryN), or your own (make own SOURCE=my/kernel.cu). They are then the only ones in ./run. ------

MYSTERIES := $(patsubst steps/mysteries/mystery%.cu,%,$(shell ls steps/mysteries/mystery[0-9]*.cu | sort -V))
MYSTERY_TARGETS := $(foreach verb,mystery trymystery mymystery resetmystery,$(MYSTERIES:%=$(verb)%))
MYSTERY := $(lastword $(foreach n,$(MYSTERIES),$(and $(filter mystery$(n) mymystery$(n),$(MAKECMDGOALS)),$(n))))
MY_MYSTERY := $(and $(MYSTERY),$(filter mymystery$(MYSTERY),$(MAKECMDGOALS)))
ifneq ($(MYSTERY),)
STEPS := steps/mysteries/mystery$(MYSTERY).cu $(if $(MY_MYSTERY),steps/mysteries/solved/mystery$(MYSTERY).cu)
MY_OBJECTS := $(if $(MY_MYSTERY),$(MY)/mystery$(MYSTERY).own.o)
endif
KERNEL_LINE := ^[[:blank:]]*KERNEL[[:blank:]]*[(]
ifneq ($(filter own,$(MAKECMDGOALS)),)
STEPS := $(SOURCE)
MY_OBJECTS :=
$(if $(word 2,$(SOURCE)),$(error SOURCE=$(SOURCE) has a blank in its path, which make takes for two files: rename it))
$(if $(SOURCE),$(if $(wildcard $(SOURCE)),,$(error There is no $(SOURCE))),$(error Which kernel? make own SOURCE=my/kernel.cu))
$(if $(filter /% ../%,$(SOURCE))$(filter-out %.cu,$(SOURCE)),$(error SOURCE=$(SOURCE) must be a .cu file in this folder: copy it to $(MY)/))
$(if $(shell grep '$(KERNEL_LINE)' $(SOURCE)),,$(error $(SOURCE) has no line KERNEL(...), \
  which names what it computes and its bytes: docs/own_kernel.md has one))
endif

# ---- The labs: make lab-NAME builds ./run with the points of labs/NAME.cu alone ----------------------

LABS := $(patsubst labs/%.cu,%,$(call files,labs/*.cu))
LAB_TARGETS := $(LABS:%=lab-%)
$(if $(filter-out $(LAB_TARGETS),$(filter lab-%,$(MAKECMDGOALS))),$(error There is no \
  $(filter-out $(LAB_TARGETS),$(filter lab-%,$(MAKECMDGOALS))): the labs are $(LAB_TARGETS)))
LAB := $(lastword $(filter $(LAB_TARGETS),$(MAKECMDGOALS)))
ifneq ($(LAB),)
STEPS := $(LAB:lab-%=labs/%.cu)
MY_OBJECTS :=
endif

# ---- Tuning: ./run tune builds a step with each of its settings, all of them in one program; with TUNED=1 (or the
# name of a file in tuned/) steps are built with what it found. ----------------------------------------------

# make TUNE=steps/step8_any_size.cu CANDIDATES="BAND-1.BLOCKS-0 BAND-4.BLOCKS-0" K=build/gpu-tune build/gpu-tune/run
CANDIDATES_IN := build/candidates/$(basename $(notdir $(TUNE)))
ifneq ($(TUNE),)
STEPS :=
MY_OBJECTS := $(CANDIDATES:%=$(CANDIDATES_IN)/%.own.o)
endif
$(CANDIDATES:%=$(CANDIDATES_IN)/%.cu): $(CANDIDATES_IN)/%.cu:
	@mkdir -p $(@D) && { printf '#define %s %s\n' CANDIDATE '' $(subst -, ,$(subst ., ,$*)); \
	  echo '#include "../../../$(TUNE)"'; } >$(new) && mv $(new) $@

TUNED_FOR := $(if $(filter-out 1,$(TUNED)),$(TUNED),$(if $(TUNED),$(shell tests/device_name.sh \
  "$$(nvidia-smi --query-gpu=name --format=csv,noheader 2>/dev/null | head -n 1)")))
TUNED_FOR := $(if $(filter-out clean help list format check-format,$(or $(MAKECMDGOALS),all)),$(if $(TUNED),$(or $(TUNED_FOR),sim-h200)))
TUNED_KNOWN := $(notdir $(wildcard tuned/*))
$(if $(filter-out $(TUNED_KNOWN),$(TUNED_FOR)),$(error There is no tuned/$(TUNED_FOR): ./run tune N writes it, \
  and TUNED=NAME takes another's$(if $(TUNED_KNOWN),: $(TUNED_KNOWN))))
ifneq ($(TUNED_FOR),)
$(if $(filter 0,$(MAKELEVEL)),$(info note: the steps are built with tuned/$(TUNED_FOR)))
include tuned/$(TUNED_FOR)
endif
# The macros of a step's file, -DBAND=4 -DBLOCKS=3, but for defaults and what is given on the command line.
DEFAULTS := TILE=32 ROWS=8 BAND=1 BLOCKS=0 ROWWISE=0 WARPS=8
MACROS := $(foreach default,$(DEFAULTS),$(firstword $(subst =, ,$(default))))
GIVEN := $(foreach name,$(MACROS),$(if $($(name)),$(name)=%))
NUMBERS := $(if $(GIVEN),$(shell seq 0 9999))
$(foreach name,$(MACROS),$(if $(word 2,$($(name)))$(filter-out $(NUMBERS),$($(name))),$(error $(name)=$($(name)) \
  is no whole number)))
tuned = $(addprefix -D,$(filter-out $(GIVEN) $(DEFAULTS),$(TUNED_$(call number,$(1)))))

# ---- The CUDA toolkit and CUPTI --------------------------------------------------------------------

NVCC := $(firstword $(or $(CUDA_HOME:%=%/bin/nvcc),$(shell command -v nvcc) \
          $(wildcard /usr/local/cuda/bin/nvcc /opt/cuda/bin/nvcc /usr/lib/cuda/bin/nvcc) \
          $(shell ls -d /usr/local/cuda-*/bin/nvcc 2>/dev/null | sort -rV)))
# nvcc itself says where its toolkit is, as a script on PATH may stand for it; one that is not there says nothing.
CUDA := $(if $(NVCC),$(realpath $(or $(shell $(NVCC) --dryrun -x cu /dev/null 2>&1 | sed -n 's/^...TOP=//p'), \
          $(dir $(shell command -v $(NVCC))))))
CLANG := clang
# Where a toolkit, or a distribution's package of it, keeps what: the first that has it counts.
in_toolkit = $(patsubst %/,%,$(dir $(firstword $(wildcard $(addsuffix /$(1),$(2))))))
INCLUDES := $(CUDA)/include $(CUDA)/targets/*/include $(CUDA)/extras/CUPTI/include /usr/include
LIBS := $(CUDA)/lib64 $(CUDA)/lib $(CUDA)/targets/*/lib $(CUDA)/extras/CUPTI/lib64 \
        /usr/lib/*-linux-gnu
CUDA_INCLUDE := $(call in_toolkit,cuda_runtime_api.h,$(INCLUDES))
CUDART_LIB := $(call in_toolkit,libcudart_static.a,$(LIBS))
# Without a toolkit, the simulated device's own headers stand in.
CUDA_INCLUDE := $(if $(NVCC),$(CUDA_INCLUDE),src/sim/cuda/include)
CUPTI_INCLUDE := $(call in_toolkit,cupti_range_profiler.h,$(INCLUDES))
CUPTI_LIB := $(call in_toolkit,libcupti.so,$(LIBS))
CUPTI := $(and $(NVCC),$(CUPTI_INCLUDE),$(CUPTI_LIB),yes)
CJSON := $(shell pkg-config --exists libcjson 2>/dev/null && echo yes)

# What is missing is an error, or said, by all that builds.
define no_compiler
There is no nvcc on PATH, in CUDA_HOME or in the usual places, and no $(CLANG). Install the CUDA toolkit (or type \
make CUDA_HOME=/where/it/is), or clang for the simulated device alone
endef
define no_cupti
note: $(CUDA) has no CUPTI with the range profiler (CUDA 12.6 update 2 and later): building without counters
endef
define no_cjson
pkg-config finds no libcjson. Debian, Ubuntu: apt install libcjson-dev; Fedora: dnf install cjson-devel; Arch: pacman -S cjson
Without root: git clone https://github.com/DaveGamble/cJSON && cd cJSON && cmake -DBUILD_SHARED_LIBS=Off \
-DENABLE_CJSON_TEST=Off -DCMAKE_INSTALL_PREFIX=$(HOME)/.local . && make install
and export PKG_CONFIG_PATH=$(HOME)/.local/lib/pkgconfig (or lib64, where that is there); then make again
endef
ifneq ($(filter-out clean help list format check-format try% hint% reset%,$(or $(MAKECMDGOALS),all)),)
$(if $(NVCC),$(if $(CUDA),,$(error There is no $(NVCC)$(if $(CUDA_HOME),: CUDA_HOME=$(CUDA_HOME) is no CUDA toolkit))))
$(if $(NVCC)$(shell command -v $(CLANG)),,$(error $(no_compiler)))
$(if $(NVCC),$(if $(CUDART_LIB),,$(error The toolkit in $(CUDA) has no libcudart_static.a: install its development package)))
$(if $(CJSON),,$(error $(no_cjson)))
ifeq ($(MAKELEVEL),0)
$(if $(NVCC),$(if $(CUPTI),,$(info $(no_cupti))),$(shell echo "note: there is no nvcc: building for the simulated device alone" >&2))
endif
endif

# The GPUs of this machine; where there are none, 7.5, 8.x and 9.0. Of each its machine code, which is what
# runs, and the PTX that it was made from, which newer GPUs' drivers compile.
ARCH := $(shell nvidia-smi --query-gpu=compute_cap --format=csv,noheader 2>/dev/null | \
          tr -d . | grep -x '[0-9]*' | sort -u)
ARCHS := $(shell printf '%s\n' $(or $(ARCH),75 80 90) | sort -nu)

# ---- Flags -----------------------------------------------------------------------------------------

CJSON_CFLAGS := $(shell pkg-config --cflags libcjson 2>/dev/null)
CJSON_LIBS := $(shell pkg-config --libs libcjson 2>/dev/null)

# The launches go through cudaLaunchKernel (src/facts/launches.c counts on it), and no C++ runtime is
# needed: hence the last three. GNU's extensions of glibc 2.42 have functions that CUDA 13.0 declares otherwise.
CCBIN := -ccbin $(if $(findstring clang,$(CC)),g++,$(CC))
# What steps are built with where it is given and no default: TILE=16 and so on.
PARAMETERS := $(filter-out $(DEFAULTS:%=-D%),$(foreach name,$(MACROS),$(if $($(name)),-D$(name)=$($(name)))))
NVCCFLAGS := -O3 -lineinfo -U_GNU_SOURCE --threads 2 -Werror all-warnings $(CCBIN) \
             $(PARAMETERS) \
             -Xcompiler -Wall,-Wextra,-D__NV_LEGACY_LAUNCH,-fno-exceptions,-fno-threadsafe-statics
CFLAGS := -O2 -g
CHECKED := -std=c11 -ffp-contract=off -Wall -Wextra -Werror -I. -Isrc -Icupti/include \
           $(if $(NVCC),$(addprefix -isystem ,$(sort $(CUDA_INCLUDE) $(CUPTI_INCLUDE))),-I$(CUDA_INCLUDE)) $(CJSON_CFLAGS)
# An upgraded compiler compiles anew, and what calls it for kernels, when it has changed.
version = $(shell $(1) --version 2>/dev/null | sed -n '1p; $$p')
CC_VERSION := $(call version,$(CC))
KERNELS_VERSION := $(call version,$(or $(NVCC),$(CLANG))) $(shell cksum src/compile_step.sh)
LDLIBS := -Wl,--wrap=cudaLaunchKernel -L$(CUDART_LIB) -lcudart_static \
          $(if $(CUPTI),-L$(CUPTI_LIB) -lcupti -Wl$(comma)-rpath$(comma)$(CUPTI_LIB)) \
          $(CJSON_LIBS) -ldl -lrt -lpthread -lm

# ---- What is built from what -----------------------------------------------------------------------

MISSING := cupti/instruments_missing.c
CUPTI_SOURCES := $(if $(CUPTI),$(filter-out $(MISSING),$(call files,cupti/*.c)),$(MISSING))
DRIVER_SOURCES := $(filter-out src/sim/%,$(call files,src/*.c src/*/*.c))
HOST_SOURCES := $(DRIVER_SOURCES) $(CUPTI_SOURCES)
# The kernels that measure a GPU's roofs: the simulated device has none.
ROOF_KERNELS := $(B)/src/measure/roof_kernels.o
HOST_OBJECTS := $(HOST_SOURCES:%.c=$(B)/%.o) $(ROOF_KERNELS)
STEP_OBJECTS := $(STEPS:%.cu=$(K)/%.o) $(MY_OBJECTS:%=$(K)/%)

# The simulated device: src/sim/ in the place of NVIDIA's runtime and of cupti/.
SIM_KERNELS := $(if $(NVCC),nvcc,clang)
# Transposes that the timing model was not made with, to judge it by, in a folder of tests/ each: variants of the steps;
# the blind set, which was written before the model was changed for it; and the others, each by somebody who knew nothing of
# how well it does.
SETS := variants blind unseen heldout fresh guest stranger visitor

include src/sim/sim.mk
KIT_STEPS := $(SIM_STEPS)
SIM_STEPS += $(MY_OBJECTS:%=$(SIM_BUILD)/%)
SIM_DRIVER_OBJECTS := $(DRIVER_SOURCES:%.c=$(B)/%.o) $(SIM_INSTRUMENTS)
SIM_LINK := -Wl,--wrap=cudaLaunchKernel $(CJSON_LIBS) $(SIM_LDLIBS)

.PHONY: all $(STEP_TARGETS) summary check check-all format check-format clean help FORCE
.DELETE_ON_ERROR:
.SECONDARY:

all: run

PROGRAM := $(if $(NVCC),$(K),$(S))/run
run: $(if $(filter $(PROGRAM),$(shell readlink run)),,FORCE) | $(if $(NVCC),$(K)/run) $(S)/run build/run.given
	@ln -sfn $(PROGRAM) $@

# The variables that this was typed with, for ./run watch; what the targets say it asks for by them.
$(call settings,build/run.given,$(filter-out SOURCE=% LAST=% MINE=% HINT=%,$(MAKEOVERRIDES)))

# Programs of the driver and kernels: for GPUs, and on the simulated device.
GPU_PROGRAMS := $(K)/run $(B)/wrong_steps $(B)/mysteries $(SETS:%=$(B)/%) $(B)/hostile \
  $(LAB_TARGETS:%=$(B)/%)
SIM_PROGRAMS := $(S)/run $(S)/wrong_steps $(S)/mysteries $(S)/wrong_mysteries $(SETS:%=$(S)/%) $(S)/hostile \
  $(LAB_TARGETS:%=$(S)/%) $(S)/lab-wrong
$(K)/run: $(STEP_OBJECTS) $(K)/nvcc.flags
$(S)/run: $(SIM_STEPS)
$(GPU_PROGRAMS): $(K)/link.flags $(HOST_OBJECTS)
	$(call link,,$(LDLIBS))
$(SIM_PROGRAMS): $(S)/link.flags $(SIM_DRIVER_OBJECTS) $(SIM_LIBRARY)
	$(call link,,$(SIM_LINK))

# Beside ./run lies a list of its sources, by which it sees that one is newer (src/command_line/stale_program.c).
$(K)/run $(S)/run: LIST_SOURCES = { printf '%s\n' $(filter %.flags,$^); cat $(patsubst %.o,%.d,$(patsubst %.own.o,%.o,$(filter %.o,$^)) $(if \
  $(filter %.a,$^),$(SIM_OBJECTS))); } | tr -s ' \\' '\n' | grep -v -e ':$$' -e '^/' | sort -u >$(new).sources && \
  mv $(new).sources $@.sources &&

$(STEP_TARGETS): run

UNKNOWN := $(filter-out $(STEP_TARGETS),$(filter step%,$(MAKECMDGOALS)))
$(if $(UNKNOWN),$(error There is no $(UNKNOWN): the steps are $(STEP_TARGETS)))
unknown = $(filter-out $(EXERCISES:%=$(1)%) $(MYSTERY_TARGETS) $(MY)/%,$(filter $(1)%,$(filter-out micro%,$(MAKECMDGOALS))))
$(foreach verb,try my hint reset,$(if $(call unknown,$(verb)),$(error \
  There is no $(call unknown,$(verb)): the exercises are $(EXERCISES:%=$(verb)%)$(if \
  $(filter-out hint,$(verb)),$(comma) the mysteries $(filter $(verb)%,$(MYSTERY_TARGETS))))))

.PHONY: $(MY_TARGETS) $(TRY_TARGETS) $(HINT_TARGETS) $(RESET_TARGETS) list
$(MY_TARGETS): run

$(TRY_TARGETS): try%: $(MY)/step%.cu
	$(if $(filter $<,$(TRIED)),@echo "$< is there already: edit it$(comma) or type make reset$* to start again")

# Made when it is missing, and never again: it depends on nothing.
$(MY_FILES): $(MY)/step%.cu:
	@mkdir -p $(@D)
	@cp steps/exercises/step$*.cu $(new) && mv $(new) $@
	@echo "$@ is yours: its first lines are the task. Edit it, then make my$* && ./run; make hint$* helps"

.PHONY: $(MYSTERY_TARGETS) $(LAB_TARGETS) own
$(LAB_TARGETS): run
$(MYSTERIES:%=mystery%) $(MYSTERIES:%=mymystery%) own: run

$(MYSTERIES:%=trymystery%): trymystery%: $(MY)/mystery%.cu
	$(if $(filter $<,$(TRIED)),@echo "$< is there already: edit it$(comma) or type make resetmystery$* to start again")

# The mystery, with the last line of a solution; as above.
mystery_begun = sed 's/^MYSTERY(/MY_SOLUTION(/' steps/mysteries/mystery$*.cu
$(MYSTERIES:%=$(MY)/mystery%.cu): $(MY)/mystery%.cu:
	@mkdir -p $(@D)
	@$(mystery_begun) >$(new) && mv $(new) $@
	@echo "$@ is yours: make it faster, then make mymystery$* && ./run"

# $(call reset,COMMAND): the command prints what it began as. What was there is kept: step4.cu.~1~, and so on.
reset = @if $(1) | cmp -s - $<; then echo "$< is as it starts"; \
	  else cp --force --backup=numbered $< $< && $(1) >$< && \
	       echo "$< starts again; yours is kept in $$(ls -t $<.~*~ | head -n 1)"; fi
$(RESET_TARGETS): reset%: $(MY)/step%.cu
	$(call reset,cat steps/exercises/step$*.cu)
$(MYSTERIES:%=resetmystery%): resetmystery%: $(MY)/mystery%.cu
	$(call reset,$(mystery_begun))

# What can be made, from the last lines of the files.
titles = @for file in $(1); do sed -n "s/^$(2)(\([0-9]*\), [A-Z]*, \"\([^\"]*\)\".*/\1 \2/p" $$file; done | \
         while read -r number title; do printf '  make %s%-3s %s%s\n' $(3) "$$number" "$$title" \
         "$$(test $(3) = step || test ! -e $(MY)/step$$number.cu || echo ' (begun: $(MY)/step'$$number'.cu)')"; done
list:
	@echo 'Steps: make stepN && ./run'
	$(call titles,$(ALL_STEPS),STEP,step)
	@echo 'Exercises: make tryN, edit $(MY)/stepN.cu, make myN && ./run; make hintN helps, make resetN starts again'
	$(call titles,$(EXERCISES:%=steps/exercises/step%.cu),EXERCISE,try)
	@echo 'Mysteries: make mysteryN && ./run; to make one faster, make trymysteryN, edit $(MY)/mysteryN.cu,'
	@echo '  make mymysteryN && ./run; make resetmysteryN starts again'
	@$(foreach n,$(MYSTERIES),echo '  make mystery$(n)$(if $(wildcard $(MY)/mystery$(n).cu), (begun: $(MY)/mystery$(n).cu))';)
	@echo 'Your own kernels (docs/own_kernel.md): make own SOURCE=FILE && ./run'
	@grep -l '$(KERNEL_LINE)' $(wildcard $(MY)/*.cu docs/own/*.cu) /dev/null | \
	  sed 's/^/  make own SOURCE=/'
	@echo 'Labs: make lab-NAME && ./run lab NAME'
	@sed -sn '1s,^// Lab \([^:]*\): ,  make lab-\1  ,p' $(LABS:%=labs/%.cu)

$(HINT_TARGETS): hint%:
	@steps/exercises/hint.sh $*

NVCC_COMPILE = $(call compile,NVCC,src/compile_step.sh nvcc $< "$(ARCHS)" $(NVCC) $(NVCCFLAGS) $(call tuned,$<) -Isteps)
$(K)/steps/%.o: steps/%.cu $(K)/nvcc.flags
	$(NVCC_COMPILE)
$(K)/build/candidates/%.o: build/candidates/%.cu $(K)/nvcc.flags
	$(NVCC_COMPILE)
$(K)/$(MY)/%.o: $(MY)/%.cu $(K)/nvcc.flags
	$(NVCC_COMPILE)
$(B)/%.o: %.cu $(B)/nvcc.flags
	$(NVCC_COMPILE)

# A kernel of the lab launches launches others: its device code is linked, too, which its object file then has.
$(B)/labs/launches.o: NVCCFLAGS += -rdc=true
$(B)/labs/launches.o: LINK_DEVICE = && mv $(new) $(new).o && $(NVCC) -dlink $(foreach arch,$(ARCHS),-gencode \
  arch=compute_$(arch)$(comma)code=sm_$(arch)) $(new).o -o $(new).linked.o -lcudadevrt && \
  ld -r $(new).o $(new).linked.o -o $(new) && rm $(new).o $(new).linked.o
$(B)/lab-launches $(if $(filter lab-launches,$(LAB)),$(K)/run): LDLIBS += -lcudadevrt -lstdc++

# The lab gpus exchanges by NCCL too, where that is installed.
NCCL_INCLUDE := $(call in_toolkit,nccl.h,$(INCLUDES))
NCCL_LIB := $(call in_toolkit,libnccl.so,$(LIBS))
ifneq ($(and $(NVCC),$(NCCL_INCLUDE),$(NCCL_LIB)),)
$(B)/labs/gpus.o: NVCCFLAGS += -DWITH_NCCL -I$(NCCL_INCLUDE)
$(B)/lab-gpus $(if $(filter lab-gpus,$(LAB)),$(K)/run): LDLIBS += -L$(NCCL_LIB) -lnccl \
  -Wl$(comma)-rpath$(comma)$(NCCL_LIB)
endif

# A mistake is shown once: the compiler for the simulated device comes second.
ifeq ($(if $(NVCC),$(K) $(S)),$(B) build/sim)
$(STEPS:%.cu=$(SIM_BUILD)/%.o) $(MY_OBJECTS:%.own.o=$(SIM_BUILD)/%.o): $(SIM_BUILD)/%.o: | $(B)/%.o
endif

# An attendee's kernels may have the names of the reference's, and candidates have each other's: they are no business of
# the linker's.
OBJCOPY := objcopy
OWN = $(if $(V),,@)$(OBJCOPY) --keep-global-symbol=none $< $(new) && mv $(new) $@
$(K)/%.own.o: $(K)/%.o
	$(OWN)
$(SIM_BUILD)/%.own.o: $(SIM_BUILD)/%.o
	$(OWN)
.SECONDARY: $(MY_OBJECTS:%.own.o=$(K)/%.o) $(MY_OBJECTS:%.own.o=$(SIM_BUILD)/%.o)

$(B)/%.o: %.c $(B)/cc.flags
	$(call compile,CC,$(CC) $(CHECKED) $(CFLAGS))

$(foreach file,$(sort $(B)/nvcc.flags $(K)/nvcc.flags),$(call settings,$(file),$(NVCC) $(KERNELS_VERSION) $(ARCHS) $(NVCCFLAGS) $(foreach step,$(STEPS),$(call tuned,$(step)))))
$(call settings,$(B)/cc.flags,$(CC) $(CC_VERSION) $(CHECKED) $(CFLAGS))
$(call settings,$(S)/link.flags,$(CC) $(CFLAGS) $(LDFLAGS) $(SIM_LINK) $(SIM_STEPS) $(SIM_DRIVER_OBJECTS))
$(foreach file,$(sort $(B)/link.flags $(K)/link.flags),$(call settings,$(file),\
  $(CC) $(CFLAGS) $(LDFLAGS) $(LDLIBS) $(STEP_OBJECTS) $(HOST_OBJECTS)))

DRAWING := build/draw

# ---- Tests: Check, with the sanitizers, over everything but the kernels themselves -----------------

C := build/check
SANITIZE := -fsanitize=address,undefined -fno-sanitize-recover=all
CHECK_CFLAGS := $(shell pkg-config --cflags check 2>/dev/null)
CHECK_LIBS := $(shell pkg-config --libs check 2>/dev/null)
# The simulated device has test programs of its own; what asks CUPTI is left out, and named, where it is not.
TEST_SOURCES := $(filter-out tests/test_sim_%.c tests/bench_sim.c tests/roof.c tests/camping.c \
                  $(if $(CUPTI),,tests/test_cupti.c tests/test_cli_gpu.c),$(call files,tests/*.c))
WITH_CUPTI := $(if $(CUPTI),-DWITH_CUPTI)
TEST_OBJECTS := $(TEST_SOURCES:%.c=$(C)/%.o)
CHECK_HOST_OBJECTS := $(patsubst %.c,$(C)/%.o,$(if $(NVCC),$(HOST_SOURCES),$(DRIVER_SOURCES)))
WRONG_STEPS := $(call files,tests/wrong_steps/*.cu)
WRONG_OBJECTS := $(WRONG_STEPS:%.cu=$(B)/%.o)
SIM_WRONG_OBJECTS := $(WRONG_STEPS:%.cu=$(SIM_BUILD)/%.o)
WRONG_SOLUTIONS := $(patsubst tests/wrong_solutions/%.sed,%,$(call files,tests/wrong_solutions/*.sed))
EXERCISE_PROGRAMS := $(S)/started $(S)/solved $(WRONG_SOLUTIONS:%=$(S)/solution_%)

# $(call for_suites,NAME...,WHAT): what none but those suites need, unless LEAVE_OUT has all of them.
for_suites = $(if $(filter-out $(LEAVE_OUT),$(1)),$(2))

# All suites run, also when a part cannot be built; programs of another geometry have a make of their own.
BUILD = $(MAKE) --keep-going --no-print-directory
check check-all:
	+@$(BUILD) check-programs $(call for_suites,validate,&& $(BUILD) validation-programs) \
	  $(call for_suites,docs,&& $(BUILD) $(DRAWING)/facts) $(MORE_BUILD) || built=no; \
	  JOBS=$(patsubst -j%,%,$(filter -j%,$(MAKEFLAGS))) BUILT=$$built \
	  tests/run_suites.sh $(C)/suites $(CHOSEN_TESTS) $(C)/tests.run $(MORE_SUITES)

# What only CI needs: the deck's tiles too.
DECK_SUITES := sim_steps sim_microkernels
DECK_TESTS := build/sim/$(SIM_KERNELS)-16x8/tests
check-all: MORE_BUILD = && $(BUILD) TILE=16 ROWS=8 $(DECK_SUITES:%=$(DECK_TESTS)/test_%)
check-all: MORE_SUITES = $(foreach suite,$(DECK_SUITES),deck_$(suite)=$(DECK_TESTS)/test_$(suite))

CHOSEN_TESTS := $(filter-out $(LEAVE_OUT:%=$(SIM_BUILD)/tests/test_%) $(LEAVE_OUT:%=$(F)/%),$(SIM_TESTS) $(FUZZ_PROGRAMS))
check-programs: run $(C)/tests.run $(C)/run $(if $(NVCC),$(B)/wrong_steps $(B)/hostile) $(S)/wrong_steps $(S)/hostile \
  $(S)/refused $(S)/camping $(if $(NVCC),$(S)/micro-combs) $(CHOSEN_TESTS) $(call for_suites,validate,$(C)/validate) \
  $(call for_suites,docs,$(S)/tables) $(call for_suites,exercises,$(EXERCISE_PROGRAMS)) \
  $(call for_suites,cli,$(S)/solution_step4_scattered $(S)/solution_step4_no_guard) \
  $(call for_suites,mysteries typed_exercises,$(S)/mysteries $(S)/wrong_mysteries) \
  $(call for_suites,labs html tune,$(LAB_TARGETS:%=$(S)/%) $(S)/lab-wrong)

# How the tests' own makes build: as this one.
$(C)/tests/main.o: CHECKED += -DMAKE_SETTINGS='"CC=$(CC) NVCC=$(NVCC) SETUP=no"'

# What users do not do: command lines and records at random, allocations and system calls that fail.
HOSTILE_SECONDS := 60
.PHONY: check-hostile
check-hostile: run $(C)/run
	@tests/hostile/all.bash $(HOSTILE_SECONDS)

# Who includes whom: tests/rooms.txt.
.PHONY: rooms
rooms:
	@tests/rooms.sh

# Elements a second on the simulated device, with and without its checks, on one and two threads.
bench: sim-bench

# How near the steps come to the roof, beside cuBLAS, on the GPU that is here.
CUBLAS_INCLUDE := $(call in_toolkit,cublas_v2.h,$(INCLUDES))
CUBLAS_LIB := $(call in_toolkit,libcublas.so,$(LIBS))

bench-gpu: $(B)/tests/roof $(if $(PEERS),$(B)/peers.so)
	@tests/record.sh roof $<
	$(if $(PEERS),@tests/record.sh peers $(PYTHON) tests/peers/compare.py $(B)/peers.so)

# The steps as a library, which PyTorch's process loads beside its own transposes.
PYTHON := python3
PEER_STEPS := $(patsubst steps/%.cu,$(B)/peers/%.o,$(STEPS))
$(PEER_STEPS): NVCCFLAGS += -Xcompiler -fPIC
$(B)/peers/%.o: steps/%.cu $(B)/nvcc.flags
	$(NVCC_COMPILE)

# And NVIDIA's transposes, from a checkout of its cuda-samples.
SAMPLE := $(firstword $(if $(SAMPLES),$(wildcard $(abspath $(SAMPLES))/Samples/*/transpose/transpose.cu)))
$(if $(SAMPLES),$(if $(SAMPLE),,$(error SAMPLES=$(SAMPLES) has no Samples/*/transpose/transpose.cu: \
  git clone https://github.com/NVIDIA/cuda-samples makes a checkout that has)))
$(B)/peers.so: $(PEER_STEPS) $(if $(SAMPLE),$(B)/peers/sample.o) tests/peers/steps.cu $(B)/peers.flags
	$(call say,LINK,$@)$(NVCC) -O3 $(CCBIN) -Isteps -shared -Xcompiler -fPIC -o $(new) $(filter %.cu %.o,$^) \
	  $(if $(SAMPLE),-lstdc++) && mv $(new) $@

$(call settings,$(B)/peers.flags,$(SAMPLE))
$(B)/peers/sample.o: tests/peers/sample.cu $(SAMPLE) $(B)/peers.flags $(B)/nvcc.flags
	$(call compile,NVCC,src/compile_step.sh nvcc $< "$(ARCHS)" $(NVCC) -O3 $(CCBIN) -Xcompiler -fPIC \
	  -DSAMPLE='"$(SAMPLE)"' -I$(abspath $(SAMPLES))/Common)

$(B)/tests/roof.o: CHECKED += $(addprefix -isystem ,$(CUBLAS_INCLUDE))
$(B)/tests/roof.o: | cublas
$(B)/tests/roof: $(B)/tests/roof.o $(STEP_OBJECTS) $(filter-out %/main.o,$(HOST_OBJECTS)) $(B)/link.flags
	$(call link,,$(LDLIBS) -L$(CUBLAS_LIB) -lcublas -Wl$(comma)-rpath$(comma)$(CUBLAS_LIB))

.PHONY: bench-gpu cublas
cublas:
	@test -n "$(CUBLAS_INCLUDE)" -a -n "$(CUBLAS_LIB)" || { echo "make bench-gpu needs nvcc and cuBLAS, which" \
	  "are in the CUDA toolkit: there are none here" >&2; exit 1; }

# The host's sources against every toolkit's headers: those in the usual places, or TOOLKITS.
TOOLKITS :=
.PHONY: check-toolkits
check-toolkits:
	@tests/toolkits.sh $(CC) $(filter-out -isystem $(CUDA_INCLUDE) $(CUPTI_INCLUDE),$(CHECKED)) -- $(TOOLKITS)

# Rewrites tests/golden/ from what is printed now: look at the difference before a commit.
golden: run $(C)/tests.run $(C)/run $(C)/validate $(S)/wrong_steps
	@for suite in report compare explain hotspots stalls trace occupancy_verb validate; do \
	  UPDATE_GOLDEN=1 CK_RUN_SUITE=$$suite $(C)/tests.run || exit 1; done

# What lies under the driver: NVIDIA's runtime and CUPTI, or without nvcc the simulated device.
CHECK_UNDER := $(if $(NVCC),$(STEP_OBJECTS) $(ROOF_KERNELS),$(SIM_STEPS) $(SIM_INSTRUMENTS) $(SIM_LIBRARY))
CHECK_LINK := $(if $(NVCC),$(LDLIBS),$(SIM_LINK))

CHECK_PROGRAMS := $(C)/run $(C)/tests.run $(C)/validate
$(C)/run: $(CHECK_HOST_OBJECTS) $(C)/tests/dlopen.o $(CHECK_UNDER)
$(C)/tests.run: $(TEST_OBJECTS) $(CHECK_UNDER)
VALIDATE_OBJECTS := $(patsubst %.c,%.o,$(call files,tests/validate/*.c))
$(C)/validate: $(addprefix $(C)/,$(VALIDATE_OBJECTS)) $(filter-out $(SIM_STEPS) $(STEP_OBJECTS),$(CHECK_UNDER))
$(CHECK_PROGRAMS): $(C)/link.flags $(filter-out %/main.o,$(CHECK_HOST_OBJECTS))
	$(call link,$(SANITIZE),$(CHECK_LIBS) $(CHECK_LINK))

# For whatever GPU is here: newer ones' drivers compile what is for the oldest.
$(WRONG_OBJECTS) $(B)/tests/hostile/steps.o: ARCHS := $(firstword $(ARCHS))
$(B)/wrong_steps: $(WRONG_OBJECTS)
$(S)/wrong_steps: $(SIM_WRONG_OBJECTS)

# All mysteries and what the kit makes of them; and wrong ones.
ALL_MYSTERIES := $(call files,steps/mysteries/*.cu steps/mysteries/solved/*.cu)
$(B)/mysteries: $(ALL_MYSTERIES:%.cu=$(B)/%.o)
$(S)/mysteries: $(ALL_MYSTERIES:%.cu=$(SIM_BUILD)/%.o)
$(S)/wrong_mysteries: $(patsubst %.cu,$(SIM_BUILD)/%.o,$(call files,tests/wrong_mysteries/*.cu))

# Each lab, as a program of its own; and make record-labs, which measures all of them.
$(LAB_TARGETS:%=$(B)/%): $(B)/lab-%: $(B)/labs/%.o
$(LAB_TARGETS:%=$(S)/%): $(S)/lab-%: $(SIM_BUILD)/labs/%.o
$(S)/lab-wrong: $(SIM_BUILD)/tests/wrong_lab.o

.PHONY: record-labs
record-labs: $(if $(NVCC),$(LAB_TARGETS:%=$(B)/%))
	@test -n "$(NVCC)" || { echo "make $@ needs nvcc, and there is none here" >&2; exit 1; }
	@tests/record_labs.sh $^

# Steps that turn against the driver itself.
$(B)/hostile: $(B)/tests/hostile/steps.o
$(S)/hostile: $(SIM_BUILD)/tests/hostile/steps.o

# A GPU whose counters are refused, where there is none.
$(S)/refused: $(SIM_STEPS) $(filter-out %/cuda/instruments.o,$(SIM_DRIVER_OBJECTS)) $(B)/tests/refused/instruments.o \
              $(SIM_LIBRARY) $(S)/link.flags
	$(call link,,$(SIM_LINK))

# The exercises: as they start, as the kit's steps solve them, and with typical mistakes, each a program
# with all steps.
STARTED_OBJECTS := $(EXERCISES:%=$(SIM_BUILD)/steps/exercises/step%.own.o)
SOLVED := build/solved
SOLVED_OBJECTS := $(EXERCISES:%=$(SIM_BUILD)/$(SOLVED)/step%.own.o)
MISTAKEN := build/mistaken
WRONG_SOLUTION_OBJECTS := $(WRONG_SOLUTIONS:%=$(SIM_BUILD)/$(MISTAKEN)/%.own.o)
.SECONDARY: $(patsubst %.own.o,%.o,$(STARTED_OBJECTS) $(SOLVED_OBJECTS) $(WRONG_SOLUTION_OBJECTS))

exercise-programs: $(EXERCISE_PROGRAMS)
$(S)/started: $(STARTED_OBJECTS)
$(S)/solved: $(SOLVED_OBJECTS)
$(WRONG_SOLUTIONS:%=$(S)/solution_%): $(S)/solution_%: $(SIM_BUILD)/$(MISTAKEN)/%.own.o
$(EXERCISE_PROGRAMS): $(KIT_STEPS) $(S)/link.flags $(SIM_DRIVER_OBJECTS) $(SIM_LIBRARY)
	$(call link,,$(SIM_LINK))

# The step's code, under the exercise's last line.
$(EXERCISES:%=$(SOLVED)/step%.cu): $(SOLVED)/step%.cu: steps/exercises/step%.cu $(ALL_STEPS)
	@mkdir -p $(@D)
	@{ sed '/^STEP(/,$$d' steps/step$*_*.cu; sed -n '/^EXERCISE(/,$$p' $<; } >$(new) && mv $(new) $@

# And that with the mistake.
$(WRONG_SOLUTIONS:%=$(MISTAKEN)/%.cu): $(MISTAKEN)/%.cu: tests/wrong_solutions/%.sed $(EXERCISES:%=$(SOLVED)/step%.cu)
	@mkdir -p $(@D)
	@right=$(SOLVED)/$(firstword $(subst _, ,$*)).cu; sed -f $< $$right >$(new); \
	if cmp -s $(new) $$right; then echo "$< changes nothing in $$right" >&2; rm $(new); exit 1; fi; mv $(new) $@

$(SETS): %: $(if $(NVCC),$(B)/%) $(S)/%

# Measures a set on the GPU that is here, at each of SIZES.
$(SETS:%=record-%): record-%: $(if $(NVCC),$(B)/%)
	@test -n "$(NVCC)" || { echo "make $@ needs nvcc, and there is none here" >&2; exit 1; }
	@SIZES='$(SIZES)' tests/record_set.sh $* $<

define set_programs
$(B)/$(1): $(patsubst %.cu,$(B)/%.o,$(call files,tests/$(1)/*.cu))
$(S)/$(1): $(patsubst %.cu,$(SIM_BUILD)/%.o,$(call files,tests/$(1)/*.cu))
endef
$(foreach set,$(SETS),$(eval $(call set_programs,$(set))))

# How far the timing model is off: predictions at each of SIZES against what was recorded (docs/runs/) of each
# GPU that was measured.
# The programs are those of the recorded runs, whatever TILE, ROWS and LAST are, and the deck's 16 x 8; a
# make of its own builds each set of them, so that no object has two makers.
VALIDATION := build/validate
MEASURED := h200 h100
SIZES := 1024 4096 8192 10007 16384
OTHER_MAKE = +@$(MAKE) $(if $(V),,-s) --no-print-directory ROWS=8 S=$(@D)

# The sizes of SIZES at which a set of a GPU was recorded. Of the steps one that was not is shown, and judged by nothing;
# the deck's panels are those of steps 2 to 5.
JUDGED := steps $(SETS)
record = docs/runs/$(1)$(if $(filter-out steps,$(2)),-$(2))-$(3).json
recorded = $(strip $(foreach n,$(SIZES),$(if $(wildcard $(call record,$(1),$(2),$(n))),$(n))))
RECORDED = $(shell ls docs/runs | sed -n 's/^\($(subst $() ,\|,$(MEASURED))\)-\([0-9]*\).json$$/\2/p' | sort -nu)
UNRECORDED := $(if $(filter validate,$(MAKECMDGOALS)),$(filter-out $(RECORDED),$(or $(SIZES),(none))))
$(if $(UNRECORDED),$(error make validate: nothing was recorded at SIZES=$(strip $(UNRECORDED)); choose from $(RECORDED)))

ifneq ($(S),$(filter $(VALIDATION)/%,$(S)))
$(VALIDATION)/32x8/run: FORCE
	$(OTHER_MAKE) TILE=32 LAST= $(@D)/run $(SETS:%=$(@D)/%) $(@D)/validate
$(SETS:%=$(VALIDATION)/32x8/%) $(VALIDATION)/32x8/validate: $(VALIDATION)/32x8/run ;
$(VALIDATION)/16x8/run: FORCE | $(VALIDATION)/32x8/run
	$(OTHER_MAKE) TILE=16 LAST=5 $@
endif

# A run that has no memory says so and leaves no file.
predict = $(call say,MODEL,$@)mkdir -p $(@D) && { APODKIT_SIM_CHECKS=0 $< --timeout 600 --json $@ --summary \
            >$@.txt $(1) || test -s $@ || rm -f $@; }
define predictions
$(VALIDATION)/$(1)/$(2)-%.json: $(VALIDATION)/32x8/$(or $(3),$(2))
	$$(call predict,--sim=$(1) -n $$*)
endef
$(foreach gpu,$(MEASURED),$(eval $(call predictions,$(gpu),steps,run)) \
  $(foreach set,$(SETS),$(eval $(call predictions,$(gpu),$(set)))))
$(VALIDATION)/gtc2012.json: $(VALIDATION)/16x8/run
	$(call predict,--sim=kepler -n 1024 2 3 4 5)

# Pairs of a recorded run and its prediction, as validate takes them, of a GPU's set; and sets that were not recorded.
pairs = $(foreach n,$(call recorded,$(1),$(2)),$(call record,$(1),$(2),$(n)) $(VALIDATION)/$(1)/$(2)-$(n).json)
PREDICTIONS := $(filter $(VALIDATION)/%,$(foreach gpu,$(MEASURED),$(foreach set,$(JUDGED),$(call pairs,$(gpu),$(set))))) \
  $(VALIDATION)/gtc2012.json
lacking = $(foreach n,$(filter-out $(call recorded,$(1),$(2)),$(SIZES)),$(1)-$(2)-$(n))
LACKING = $(strip $(foreach gpu,$(MEASURED),$(foreach set,$(JUDGED),$(call lacking,$(gpu),$(set)))))

validation-programs: $(VALIDATION)/16x8/run

# Each GPU is judged, whatever became of the one before.
judged = $(foreach set,$(JUDGED),$(if $(call recorded,$(1),$(set)),$(set) $(call pairs,$(1),$(set))))
judge = $(if $(strip $(judged)),$(VALIDATION)/32x8/validate $(judged) || status=1; echo;)
validate: $(PREDICTIONS)
	@$(if $(LACKING),echo "note: not recorded: $(LACKING)" >&2;) status=0; \
	  $(foreach gpu,$(MEASURED),$(call judge,$(gpu))) \
	  $(VALIDATION)/32x8/validate kepler docs/runs/gtc2012.json $(VALIDATION)/gtc2012.json || status=1; \
	  exit $$status

$(S)/validate: $(addprefix $(B)/,$(VALIDATE_OBJECTS))

$(C)/%.o: %.c $(C)/cc.flags | $(if $(CHECK_LIBS),,test-library)
	$(call compile,CC,$(CC) $(CHECKED) $(CHECK_CFLAGS) $(WITH_CUPTI) $(CFLAGS) $(SANITIZE))

$(call settings,$(C)/cc.flags,$(CC) $(CC_VERSION) $(NVCC) $(CHECKED) $(CHECK_CFLAGS) $(WITH_CUPTI) $(CFLAGS) $(SANITIZE))
$(call settings,$(C)/link.flags,$(CC) $(CFLAGS) $(SANITIZE) $(LDFLAGS) $(CHECK_LINK) $(CHECK_LIBS) \
                                $(CHECK_UNDER) $(CHECK_HOST_OBJECTS) $(TEST_OBJECTS))

.PHONY: test-library check-programs golden bench $(SETS) $(SETS:%=record-%) exercise-programs validate validation-programs
test-library:
	@test -n "$(CHECK_LIBS)" || { echo "The tests need Check, which pkg-config does not find" \
	  "(Debian, Ubuntu: apt install check)" >&2; exit 1; }

# ---- Microbenchmarks: what the timing model of the simulated device takes its constants from -------

MICRO := $(patsubst %.cu,$(B)/%,$(call files,tests/micro/*.cu))

.PHONY: micro micro-build
micro: micro-build
	@tests/micro/run.sh $(B)/tests/micro

# Those that time whole launches, on the simulated device too, where their kernels read no clock: how far its times are off where
# its constants come from.
LAUNCHED := both capacity columns combs crowded dram flight halves lives meets mixes own_sectors pages part_waits parts patches \
  pieces rows shared_halves sharers shifts strips tile_flight tiles warps_apart
TIMED := $(filter-out pages parts,$(LAUNCHED)) # these take as long as all others
UNTIMED := $(if $(filter validate-micro,$(MAKECMDGOALS)),$(filter-out $(LAUNCHED),$(or $(TIMED),(none))))
$(if $(UNTIMED),$(error make validate-micro: TIMED=$(strip $(UNTIMED)) is none of what is simulated; choose from $(LAUNCHED)))
$(LAUNCHED:%=$(S)/micro-%): $(S)/micro-%: $(SIM_BUILD)/tests/micro/%.o $(filter-out %/main.o,$(SIM_DRIVER_OBJECTS)) \
                                          $(SIM_LIBRARY) $(S)/link.flags
	$(call link,,$(SIM_LINK))
.SECONDARY: $(LAUNCHED:%=$(SIM_BUILD)/tests/micro/%.o)

.PHONY: validate-micro
validate-micro: $(if $(NVCC),$(TIMED:%=$(S)/micro-%))
	@test -n "$(NVCC)" || { echo "make validate-micro needs nvcc, and there is none here: CUDA_HOME=... says where it is" >&2; exit 1; }
	@status=0; for gpu in $(MEASURED); do tests/micro/validate.sh $(S) $$gpu $(TIMED) || status=1; done; exit $$status

# At which pitch the columns of a matrix lie in few of DRAM's channels. The simulated one is for the tests.
.PHONY: camping
camping: $(if $(NVCC),$(B)/tests/camping)
	@test -n "$(NVCC)" || { echo "make camping needs nvcc, and there is none here" >&2; exit 1; }
	@tests/record.sh camping $<

$(B)/tests/camping: $(B)/tests/camping.o $(B)/tests/camping_kernels.o $(filter-out %/main.o,$(HOST_OBJECTS)) \
                    $(B)/link.flags
	$(call link,,$(LDLIBS))

$(S)/camping: $(B)/tests/camping.o $(SIM_BUILD)/tests/camping_kernels.o \
              $(filter-out %/main.o,$(SIM_DRIVER_OBJECTS)) $(SIM_LIBRARY) $(S)/link.flags
	$(call link,,$(SIM_LINK))

micro-build: $(if $(NVCC),$(MICRO) $(B)/tests/camping)
	@test -n "$(NVCC)" || echo "note: there is no nvcc: the microbenchmarks are not built"

$(B)/tests/micro/%: tests/micro/%.cu $(B)/nvcc.flags
	$(call say,NVCC,$<)mkdir -p $(@D) && src/compile_step.sh nvcc $< "$(ARCHS)" \
	  $(NVCC) $(NVCCFLAGS) -MMD -MP -MT $@ -MF $(new).d -o $(new) $< && mv $(new).d $@.d && mv $(new) $@

# A damaged one must not stop what mends that.
ifneq ($(filter-out clean help,$(or $(MAKECMDGOALS),all)),)
-include $(filter-out %.new.d,$(foreach folder,$(sort $(B) $(K) $(C) $(SIM_BUILD) $(SIM_COMMON) $(F) $(THREADS)),\
  $(wildcard $(folder)/*/*.d $(folder)/*/*/*.d $(folder)/*/*/*/*.d)))
endif

# ---- Plots: recorded runs as pictures, and predictions beside them ---------------------------------

RUN := h200
SWEEP :=
# The largest of SIZES take minutes and much memory to predict: drawn only when SIZES was typed.
PLOTTED := $(if $(filter file,$(origin SIZES)),$(filter-out 10007 16384,$(SIZES)),$(SIZES))

.PHONY: plots gnuplot
plots: run gnuplot $(PLOTTED:%=$(VALIDATION)/h200/steps-%.json)
	@docs/plots/draw.sh build/plots '$(RUN)' '$(SWEEP)' $(VALIDATION)/h200 $(PLOTTED)

gnuplot:
	@command -v gnuplot >/dev/null || { echo "make plots and make pictures need gnuplot (Debian, Ubuntu: apt" \
	  "install gnuplot-nox)" >&2; exit 1; }

# ---- The documents: their tables, excerpts and figures, from the records and the steps ------------------

DOCUMENTS := walkthrough.md README.md CONTRIBUTING.md $(call files,docs/*.md labs/*.md)

.PHONY: walkthrough walkthrough-check
walkthrough walkthrough-check: run $(S)/tables
	@LC_ALL=C awk -v check=$(findstring check,$@) -v nvcc=$(if $(NVCC),1) -v tables=$(S)/tables \
	  -f docs/weave/weave.awk $(DOCUMENTS)

$(S)/tables: $(B)/docs/weave/tables.o $(SIM_STEPS)

# ---- The documents' pictures: drawn from accesses on the simulated device and from recorded runs -----

# They are of the default tiles, whatever TILE, ROWS and LAST are: a make of its own builds what they are drawn from.
.PHONY: pictures
pictures: run $(DRAWING)/facts gnuplot
	@$(DRAWING)/facts | LC_ALL=C awk -v folder=docs/pictures -f docs/draw/pictures.awk
	@APODKIT_SIM_CHECKS=0 ./run --sim=h200 -n 4096 4 --summary --json $(DRAWING)/memory.json >/dev/null
	@./run report $(DRAWING)/memory.json -o - | awk -f docs/draw/memory.awk >docs/pictures/memory_chart.svg
	@./run export h200 --csv $(DRAWING)/h200.csv
	@gnuplot -e "format='svg'; out='docs/pictures/ladder.svg'; data='$(DRAWING)/h200.csv'" docs/plots/ladder.gp

ifneq ($(S),$(DRAWING))
$(DRAWING)/facts: FORCE
	$(OTHER_MAKE) TILE=32 $@
else
$(S)/facts: $(B)/docs/draw/facts.o $(SIM_STEPS)
endif

# Programs with a main() of their own, and the driver's parts on the simulated device.
$(S)/validate $(S)/tables $(if $(filter $(DRAWING),$(S)),$(S)/facts): $(S)/link.flags \
    $(filter-out %/main.o,$(SIM_DRIVER_OBJECTS)) $(SIM_LIBRARY)
	$(call link,,$(SIM_LINK))

# ---- Using it --------------------------------------------------------------------------------------

summary: run
	./run --summary

# The sources that clang-format lays out.
FORMATTED := $(call files,steps/*.cu steps/*.h steps/exercises/*.cu steps/mysteries/*.[ch]* steps/mysteries/*/*.cu labs/*.cu labs/*.h src/*.[ch] src/*/*.[ch] src/*/*.cu src/sim/*/*.[ch] src/sim/cuda/include/*.h \
               cupti/*.[ch] tests/*.[ch] tests/*.cu tests/*/*.cu tests/*/*.[ch] docs/*/*.[ch] docs/own/*.cu)

format:
	$(call say,STYLE,$(words $(FORMATTED)) sources)clang-format -i $(FORMATTED)

# The README's two commands in bare roots of Debian 12, 13 and unstable: an hour or two, as root.
.PHONY: check-distributions
check-distributions:
	@tests/distributions.sh

check-format:
	$(call say,STYLE,$(words $(FORMATTED)) sources)clang-format --dry-run -Werror $(FORMATTED)

clean:
	rm -rf build run

help:
	@echo 'make            build ./run with all steps; after that, ./run --help'
	@echo 'make stepN      build ./run with steps 1 to N: a later step that does not compile is no'
	@echo '                hindrance ($(STEP_TARGETS))'
	@echo 'make tryN       put exercise N into $(MY)/stepN.cu, for you to solve ($(TRY_TARGETS))'
	@echo 'make myN        build ./run with steps 1 to N, yours in the place of the last and the'
	@echo '                kit'\''s to compare with; several: each in its place'
	@echo 'make hintN      a hint; make hintN HINT=2 and 3 say more'
	@echo 'make mysteryN   build ./run with mystery N alone: an unknown kernel ($(MYSTERIES:%=mystery%))'
	@echo 'make trymysteryN  put it into $(MY)/mysteryN.cu, for you to make faster'
	@echo 'make mymysteryN   build ./run with it and with yours, which is judged'
	@echo 'make own SOURCE=FILE  build ./run with a kernel of your own alone (docs/own_kernel.md)'
	@echo 'make lab-NAME   build ./run with a lab alone, for ./run lab NAME, where NAME is one of'
	@echo '                $(LABS)'
	@echo 'make record-labs  measure all labs on the GPU that is here: writes docs/runs/lab-NAME-<device>.csv'
	@echo 'make resetN     begin exercise N again, or a mystery (resetmysteryN): yours is kept beside it, as'
	@echo '                $(MY)/stepN.cu.~1~'
	@echo 'make list       the steps, the exercises, the mysteries, your own kernels and the labs'
	@echo 'make summary    build all steps, run them and print the table of how they compare'
	@echo 'make check      build and run the tests; those that need a GPU are skipped without one'
	@echo 'make check-threads  the suites of the simulated device with 16 and 64 threads, and under ThreadSanitizer'
	@echo 'make check-aarch64  the same suites for 64-bit Arm, cross-built and run by qemu-user'
	@echo 'make check-hostile  what users do not do: odd command lines, damaged records, failing allocations and'
	@echo '                system calls, at random, for HOSTILE_SECONDS'
	@echo 'make check-all  what CI runs: the tests of the deck'\''s tiles too'
	@echo 'make check-distributions   type the README'\''s two commands in bare roots of three Debians, as root'
	@echo 'make validate   hold the timing model'\''s predictions against recorded runs (minutes)'
	@echo 'make validate-micro  the same of microbenchmarks, none of which is a transpose (an hour a'
	@echo '                GPU); TIMED="tiles rows": of these; MEASURED=h200: of one GPU; not'
	@echo '                of pages and parts, unless TIMED names them'
	@echo 'make record-unseen  measure the unseen set (tests/unseen) on the GPU that is here, at each of SIZES: writes'
	@echo '                docs/runs/<device>-unseen-N.json; record-SET: of each other set'
	@echo 'make plots      draw recorded runs and predictions with gnuplot: build/plots/*.svg and *.png'
	@echo 'make walkthrough    rewrite the tables and excerpts of the documents from docs/runs/ and steps/, and'
	@echo '                check their figures and links (make walkthrough-check writes nothing)'
	@echo 'make pictures   draw the documents'\'' pictures: docs/pictures/*.svg'
	@echo 'make bench      measure the speed of the simulated device'
	@echo 'make bench-gpu  measure the steps on the GPU that is here beside its own copy and cuBLAS:'
	@echo '                writes docs/runs/roof-<device>.csv'
	@echo 'make micro      measure the GPU that is here for the timing model of the simulated device:'
	@echo '                writes docs/runs/micro-<device>.csv'
	@echo 'make camping    measure at which row lengths the columns of a matrix keep few of its DRAM'\''s channels'
	@echo '                busy: writes docs/runs/camping-<device>.csv'
	@echo 'make golden     rewrite the golden texts in tests/golden/'
	@echo 'make format     format the sources with clang-format, before a commit'
	@echo 'make check-toolkits compile the host'\''s sources against the headers of every CUDA toolkit here, or of'
	@echo '                those in TOOLKITS'
	@echo 'make check-format   say which sources are not laid out so, as CI does'
	@echo 'make clean      remove what was built'
	@echo 'make help       this list'
	@echo
	@sed -n 's/^# \([A-Z_, ]*  .*\)/\1/p' Makefile
