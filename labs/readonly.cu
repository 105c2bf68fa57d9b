// Lab readonly: what is left of the read-only path since its cache is the L1?
#include "lab.h"

enum { EACH = 8 };
enum path { PLAIN, RESTRICT, LDG, TEXTURE };

// A warp's elements, one after the other: the compiler may load ahead where it knows that no store changes what it
// loads. __ldg() and texture objects promise that of a load, const __restrict__ of a pointer.
#define COPY(load)                                                                                 \
    size_t stride = (size_t)gridDim.x * blockDim.x * EACH;                                         \
    for (size_t at = first_element(this_thread(), EACH); at < count; at += stride) {               \
        if (at + (EACH - 1) * LANES >= count) {                                                    \
            for (size_t i = at; i < count; i += LANES)                                             \
                out[i] = load(in, i);                                                              \
            break;                                                                                 \
        }                                                                                          \
        _Pragma("unroll") for (int k = 0; k < EACH; k++) out[at + k * LANES] =                     \
            load(in, at + k * LANES);                                                              \
    }

__device__ inline float plainly(const float *from, size_t at)
{
    return from[at];
}

__device__ inline float by_the_cache(const float *from, size_t at)
{
    return __ldg(from + at);
}

__global__ void plain(float *out, const float *in, size_t count){COPY(plainly)}

__global__ void restricted(float *__restrict__ out, const float *__restrict__ in,
                           size_t count){COPY(plainly)}

__global__ void by_ldg(float *out, const float *in, size_t count){COPY(by_the_cache)}

#ifndef SIMULATED
__device__ inline float fetched(cudaTextureObject_t from, size_t at)
{
    return tex1Dfetch<float>(from, (int)at);
}

__global__ void by_texture(float *out, cudaTextureObject_t in, size_t count)
{
    COPY(fetched)
}

// No texture has more elements than 2^27, or 2^28 since 8.0: as many as it takes, one behind the other.
enum { MOST_TEXTURES = 256 };
static const size_t texels = 1 << 27;

static cudaTextureObject_t texture_of(const float *from, size_t count)
{
    cudaTextureObject_t texture = 0;
    struct cudaResourceDesc what = {};
    struct cudaTextureDesc how = {};
    what.resType = cudaResourceTypeLinear;
    what.res.linear.devPtr = (void *)from;
    what.res.linear.desc = cudaCreateChannelDesc<float>();
    what.res.linear.sizeInBytes = count * sizeof *from;
    how.readMode = cudaReadModeElementType;
    (void)cudaCreateTextureObject(&texture, &what, &how, NULL);
    return texture;
}

static void launch_by_texture(float *out, const float *in, size_t count, spread all)
{
    static cudaTextureObject_t textures[MOST_TEXTURES];
    static const float *held;
    static size_t held_count;
    bool is_new = in != held || count != held_count;
    held = in;
    held_count = count;
    for (size_t i = 0, first = 0; first < count && i < MOST_TEXTURES; i++, first += texels) {
        size_t part = count - first < texels ? count - first : texels;
        if (is_new && textures[i])
            (void)cudaDestroyTextureObject(textures[i]);
        if (is_new)
            textures[i] = texture_of(in + first, part);
        by_texture<<<all.grid, all.block>>>(out + first, textures[i], part);
    }
}
#else
static void launch_by_texture(float *, const float *, size_t, spread)
{
}
#endif

static void launch(float *out, const float *in, size_t n, const int *settings)
{
    auto kernel = settings[0] == PLAIN ? plain : settings[0] == RESTRICT ? restricted : by_ldg;
    spread all = spread_warps(settings[1]);
    if (settings[0] == TEXTURE)
        launch_by_texture(out, in, n * n, all);
    else
        kernel<<<all.grid, all.block>>>(out, in, n * n);
}

static const char *lacks(const int *settings)
{
#ifdef SIMULATED
    if (settings[0] == TEXTURE)
        return "the simulated device has no textures";
#endif
    return lacks_warps(settings[1]);
}

LAB("what is left of the read-only path since its cache is the L1?",
    "registers,global_load_requests", copy_on_cpu, bytes_of_copy, lacks,
    {"path", "how an element is loaded", "plain restrict ldg texture"},
    {"warps", "warps on each SM", "4 8 16 32 64"})
