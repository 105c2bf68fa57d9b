// Control flow in which the threads of a warp part: each function runs on the host too.
#include <cuda_runtime.h>

#include "flow.h"

#define BOTH __host__ __device__

static BOTH unsigned nested_ifs(unsigned i)
{
    unsigned r = 0;
    if (i & 1) {
        if (i & 2)
            r = i * 3;
        else if (i & 4)
            r = i * 5;
        else
            r = 7;
        r += i & 8 ? 11 : 13;
    } else if (i % 3 == 0) {
        r = 17;
        if (i % 5 == 0)
            r *= i;
    }
    return r + i;
}

static BOTH unsigned collatz(unsigned i)
{
    unsigned steps = 0;
    for (unsigned x = i + 1; x != 1; steps++)
        x = x % 2 ? 3 * x + 1 : x / 2;
    return steps;
}

static BOTH unsigned early_return(unsigned i)
{
    for (unsigned k = 2; k * k <= i; k++)
        if (i % k == 0)
            return k;
    if (i < 2)
        return 100;
    return 200 + i;
}

static BOTH unsigned break_and_continue(unsigned i)
{
    unsigned sum = 0;
    for (unsigned k = 0; k < 50; k++) {
        if ((k + i) % 7 == 0)
            continue;
        if (sum > 3 * i + 40)
            break;
        for (unsigned m = k; m < k + i % 5; m++) {
            if (m % 4 == 3)
                break;
            sum += m;
        }
    }
    return sum;
}

static BOTH unsigned many_cases(unsigned i)
{
    switch (i % 13) {
    case 0:
        return i + 3;
    case 1:
        i *= 7;
    case 2:
        i += 9;
        break;
    case 3:
        return i ^ 0x55;
    case 4:
        return i << 3;
    case 5:
        return i * i;
    case 6:
        return i / 3;
    case 7:
        i = ~i;
        break;
    case 9:
        return i % 7;
    case 10:
        return i | 0x100;
    case 11:
        i -= 5;
    default:
        i++;
    }
    return i * 11;
}

static BOTH unsigned do_while(unsigned i)
{
    unsigned a = i, b = 1071, guard = 0;
    do {
        unsigned t = a % (b ? b : 1);
        a = b;
        b = t;
        guard++;
    } while (b && guard < 40);
    return a * 64 + guard;
}

static BOTH __attribute__((noinline)) unsigned weigh(unsigned i, unsigned scale, unsigned char flag)
{
    if (flag && i % 2)
        return i * scale;
    unsigned sum = 0;
    while (i) {
        sum += i & scale;
        i >>= 1;
    }
    return sum;
}

static BOTH __attribute__((noinline)) unsigned weigh_twice(unsigned i)
{
    if (i % 4 == 1)
        return weigh(i, 3, 1) + 1;
    return weigh(i + 1, 5, i % 3 == 0) + weigh(i, 9, 0);
}

static BOTH unsigned calls(unsigned i)
{
    if (i % 3 == 0)
        return weigh_twice(i);
    if (i % 7 == 0)
        return weigh(i, 6, 1);
    return weigh_twice(i / 2) ^ 0xff;
}

// A table of its own for every thread, in local memory.
static BOTH unsigned local_table(unsigned i)
{
    unsigned table[24];
    for (unsigned k = 0; k < 24; k++)
        table[k] = k * i;
    for (unsigned k = 0; k < 24; k++)
        table[(k * 7 + i) % 24] += table[(k * 5 + i) % 24];
    return table[i % 24] + table[(i + 11) % 24];
}

static BOTH unsigned flow(int which, unsigned i)
{
    switch (which) {
    case NESTED_IFS:
        return nested_ifs(i);
    case COLLATZ:
        return collatz(i);
    case EARLY_RETURN:
        return early_return(i);
    case BREAK_AND_CONTINUE:
        return break_and_continue(i);
    case MANY_CASES:
        return many_cases(i);
    case DO_WHILE:
        return do_while(i);
    case CALLS:
        return calls(i);
    default:
        return local_table(i);
    }
}

template <int which>
__global__ void flow_kernel(unsigned *out, unsigned count)
{
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= count)
        return;
    out[i] = flow(which, i);
}

extern "C" unsigned flow_on_host(enum flow which, unsigned i)
{
    return flow(which, i);
}

extern "C" void flow_launch(enum flow which, unsigned *out, unsigned count)
{
    static void (*const kernels[FLOWS])(unsigned *, unsigned) = {
        flow_kernel<NESTED_IFS>,   flow_kernel<COLLATZ>,
        flow_kernel<EARLY_RETURN>, flow_kernel<BREAK_AND_CONTINUE>,
        flow_kernel<MANY_CASES>,   flow_kernel<DO_WHILE>,
        flow_kernel<CALLS>,        flow_kernel<LOCAL_TABLE>};
    unsigned threads = 96, blocks = (count + threads - 1) / threads;
    kernels[which]<<<blocks, threads>>>(out, count);
}
