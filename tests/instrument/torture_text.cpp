#include "torture_text.h"

namespace stridescope::instrument {

const std::string_view kTortureText = R"text(// not an access: a[0], *p, if (x) __syncthreads();
/* nor here [ { ( until
   the end */
#define WIDTH 32
#define LAST (WIDTH - 1)
#pragma unroll
using Wide = float4;
enum Corner { kNear, kFar };
struct Pair {
    short key, index[3];
    __device__ int sum() const { return key + index[0] + this->index[1]; }
};
template <class X, int N> struct Stack { X items[N]; int depth = 0; };
template <int Step, class X> __device__ X pick(const X* from, int at) { return from[at * Step]; }
struct alignas(16) Pack { T values[16 / sizeof(T)]; };
constexpr int kCount = 3;
__device__ __forceinline__ int twice(int x) { return 2 * x; }
__device__ T* cell(T* base, unsigned at) { return base + at; }

static __global__ void __launch_bounds__(256) odd(const T* __restrict__ in, T *out, const unsigned n, const Wide* quads)
{
    extern __shared__ T data[];
    __shared__ int counts[WIDTH], other[2 * WIDTH];
    __shared__ T tile[8][33];
    __shared__ volatile unsigned flags[WIDTH];
    __shared__ Pair pairs[WIDTH];
    const char* words = "a[0] \" if (x) *p"; (void)words;
    char bracket = '['; char quote = '\''; long big = 1'000'000; float tiny = 1.5e-3f; (void)bracket; (void)quote;
    unsigned tid = threadIdx.x, local[4] = {1, 2, 3, 4}, lane = tid % WIDTH;
    constexpr int table[3] = {1, 2, 3}; int second = table[1];
    T (*rows)[33] = tile, *cursor = &data[tid], sum = identity;
    Stack<int, 4> stack; for (int k = 0; k < 4; ++k) stack.items[k] = k;
    volatile T* eager = data;
    [[maybe_unused]] int spare = 3;
    data [ tid ] = in [tid];  data
        [tid + 1]
        = in[ /* the next */ tid + 1 ];
    Wide quad = quads[tid]; sum += T(quad.x * quad.y);
    if (tid < WIDTH) pairs[tid] = Pair{short(in[tid]), {1, 2, 3}};
    __syncthreads();
    Pair mine = pairs[lane]; sum += mine.sum() * mine.index[1];
    T x = data[counts[other[lane]] % n], y[2] = {data[0], data[1]}, z = y[1];
    sum += tile[lane % 8][lane / 8] * local[tid & 3] + (*rows)[2] + rows[1][3] + x * z;
    sum += *cursor + *(data + tid) - eager[tid] * *cursor;
    sum += tid > 3 ? data[tid] : -data[tid + 1];
    bool both = data[tid] > 2 && !flags[lane] || (lane) * sum > *data;
    sum += (T)*cursor + (T)tid + sizeof(data[0]) + sizeof(T) * n + static_cast<T>(*cursor);
    sum += reinterpret_cast<const int*>(in)[0] > 0;
    __syncthreads();
    data[tid]++; ++data[tid]; data[tid] <<= 1; data[tid] >>= 1; data[tid] -= data[tid + 1]; (data[tid]) = 4;
    *cursor += 3; *cursor++ = 1; *--cursor = data[0] = 5; eager[tid] = eager[tid] + 1; (*cursor)--;
    *cell(data, 2) = pick<2>(in, 3) + pick<LAST, T>(in, 1) + cell(data, 4)[1] + (both ? data : &tile[0][0])[1];
    int i = 0; do { sum += data[(tid + i) % n]; i++; } while (i < 3 && data[tid] > 100);
    do i--; while (i > 0);
    while (i-- > 0) sum -= data[(tid + i) % n];
    while (true) { if (sum > 0) break; else if (sum < 5) { sum = -sum; continue; } else sum++; }
    for (;;) break;
    for (int k = 0, m = kCount; k < m; k++, data[k]--) for (;; ++k) if (k & 1) { sum += data[k]; break; } else sum -= data[k];
    auto add = [&](int k) -> T { if (k > 3) return data[k]; return data[k] + twice(counts[0]); };
    auto copy = [start = data[1], n](T v) mutable { start += v; return start; };
    sum += add((tid + 5) % n) + copy(kFar) + Corner::kNear;
    if constexpr (sizeof(T) == 4) sum += data[2];
    if ((x = data[tid]) > 1) { T w = data[3]; sum += w; }
    unsigned mask = __ballot_sync(0xffffffffu, sum > data[4]); T got = __shfl_xor_sync(mask, sum, 1) + __shfl_sync(~0u, data[5], 3, 8);
    __syncwarp(); __syncwarp (mask); int any = __syncthreads_or(both) + __any_sync(mask, any) + __activemask();
    Pack packs[2] = {{1}, {2}}; packs[1].values[0] = combineWarp(data[1]) + packs[tid % 2].values[in[0]]; combineAtomically(out, combine(sum, *in));
    Pack whole = reinterpret_cast<const Pack*>(in)[tid]; sum += whole.values[1];
    atomicAdd(&counts[0], 1); atomicMax(counts + 1, atomicCAS(&counts[2], other[0], 1)); __threadfence();
    sum += __reduce_add_sync(mask, tid) + max(data[6], sum) + __popc(mask) + tiny + big + got + spare + second;
    data[tid] = sum, data[tid + 1] = any;
    out[blockIdx.x] = sum; if (tid == 0) *out ^= data[0]; return;
}
)text";

}  // namespace stridescope::instrument
