// A module: the PTX of one translation unit, decoded and ready to execute.
#ifndef SIM_MODULE_H
#define SIM_MODULE_H

#include <stddef.h>
#include <stdint.h>

#include "sim/ptx/instruction.h"
#include "sim/ptx/pool.h"

// A vector of constants that the loader puts into the frame before a function starts.
enum constant_kind {
    CONSTANT_BITS,
    CONSTANT_SPECIAL,       // value: an enum special
    CONSTANT_PARAM,         // value: offset in the kernel's parameters
    CONSTANT_PARAM_ADDRESS, // value: the same, wanted as an address
    CONSTANT_LOCAL,         // value: offset in the function's local memory, wanted as an address
};

enum special {
    TID_X,
    TID_Y,
    TID_Z,
    NTID_X,
    NTID_Y,
    NTID_Z,
    CTAID_X,
    CTAID_Y,
    CTAID_Z,
    NCTAID_X,
    NCTAID_Y,
    NCTAID_Z,
    LANEID,
    WARPID,
    NWARPID,
    SMID,
    NSMID,
    GRIDID,
    LANEMASK_EQ,
    LANEMASK_LE,
    LANEMASK_LT,
    LANEMASK_GE,
    LANEMASK_GT,
    DYNAMIC_SMEM_BASE,
    DYNAMIC_SMEM_SIZE,
    TOTAL_SMEM_SIZE,
    CLOCK,
    CLOCK64,
    GLOBALTIMER,
    GLOBALTIMER_LO,
    SPECIALS
};

struct constant {
    enum constant_kind kind;
    uint64_t value;
    slot at;
    unsigned width;
};

// A piece of parameter, local or shared memory with a name.
struct variable {
    const char *name;
    uint64_t offset, size, alignment;
};

struct argument {
    slot from;       // a register, or NO_SLOT
    uint64_t offset; // else: where it lies in the caller's local memory,
    uint64_t size;   // and how large it is
    unsigned width;  // of the register
};

enum { MAX_ARGUMENTS = 64 };

// vprintf() and __assertfail(), which printf() and assert() call.
enum builtin { NO_BUILTIN, PRINT, ASSERT };

struct call {
    const char *name;
    struct function *function; // resolved when the module is complete
    enum builtin builtin;      // or what it calls that is no function of any module
    int argument_count, result_count;
    struct argument arguments[MAX_ARGUMENTS], results[1];
};

struct jump_table {
    size_t count;
    const struct instruction **targets;
};

struct function {
    const char *name;
    int is_kernel, is_defined;
    const char *why;         // it cannot be executed: the reason; or NULL
    int is_open, is_reached; // while recursion is looked for
    struct variable *params; // of a kernel: in its parameter block; else in local memory
    int param_count;
    struct variable result; // of a device function; size 0 when there is none
    uint64_t param_size;
    struct instruction *code; // the last one is the end that every return goes to
    size_t length;
    struct constant *constants;
    size_t constant_count;
    uint32_t frame_size;               // bytes of one warp's constants and registers
    uint32_t local_size;               // bytes a thread
    uint64_t frame_total, local_total; // the same with all that it calls
    uint32_t shared_size;              // bytes of static shared memory
    unsigned max_threads;              // .maxntid, or 0
    unsigned max_registers;            // a thread, by .maxnreg or .minnctapersm; or 0
    int has_fences, has_atomics;       // of the whole device, on global memory
    int orders_blocks;         // it, or what it calls, has both: blocks may hand data to each other
    int order_matters;         // has atomics whose result depends on which block comes first
    int has_shuffles;          // it, or what it calls
    int registers;             // an estimate of registers a thread, from the PTX
    struct function *alias_of; // what stands for it, or NULL
    struct function *next;
};

// A __device__ or __constant__ variable.
struct global {
    const char *name;
    uint64_t size, alignment;
    unsigned char *initial; // size bytes, or NULL for zeros
    void *address;          // in device memory
    int is_constant;
    struct global *next;
};

struct source_file {
    uint32_t number;
    const char *name;
    struct source_file *next;
};

struct module {
    struct pool pool;
    struct function *functions;
    struct global *globals;
    struct source_file *files;
    uint32_t instruction_count;
    unsigned
        target; // 10 * major + minor of the compute capability that it is for; 0: it does not say
};

// Allocates a module's variables: returns `size` zeroed bytes of device memory or NULL.
typedef void *place_global_fn(size_t size, size_t alignment);

// read_module.c: reads `size` bytes of PTX. A function that needs what is not supported, or what calls it, has
// the reason in its `why`. Returns NULL, with the reason in `why`, when the text is not PTX, when no kernel of it
// can be executed, or, with 1 in *no_memory, when there is no memory for it: the message names the opcode, the
// function and the source line. The caller frees the module; its variables stay in device memory.
struct module *module_load(const char *ptx, size_t size, place_global_fn *place, char *why,
                           size_t why_size, int *no_memory);
void module_free(struct module *module);

struct function *module_function(const struct module *module, const char *name);
struct global *module_global(const struct module *module, const char *name);

// The name of source file `number`, or "?" when the PTX has no line information.
const char *module_file(const struct module *module, uint32_t number);

#endif
