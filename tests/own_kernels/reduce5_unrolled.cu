// Step 5: completely unrolled; the block size is a template argument,
// the host picks the instance by a switch.
#include <cstdio>
#include <cstdlib>
#include <vector>
#include <cuda_runtime.h>

#define CHECK(call)                                                        \
    do {                                                                   \
        cudaError_t e_ = (call);                                           \
        if (e_ != cudaSuccess) {                                           \
            fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__,             \
                    cudaGetErrorString(e_));                               \
            exit(1);                                                       \
        }                                                                  \
    } while (0)

template <unsigned int blockSize>
__global__ void reduceUnrolled(const unsigned int *g_in, unsigned int *g_out)
{
    __shared__ unsigned int sdata[blockSize];
    unsigned int tid = threadIdx.x;
    unsigned int i = blockIdx.x * (blockSize * 2) + tid;

    sdata[tid] = g_in[i] + g_in[i + blockSize];
    __syncthreads();

    if (blockSize >= 512) { if (tid < 256) sdata[tid] += sdata[tid + 256]; __syncthreads(); }
    if (blockSize >= 256) { if (tid < 128) sdata[tid] += sdata[tid + 128]; __syncthreads(); }
    if (blockSize >= 128) { if (tid <  64) sdata[tid] += sdata[tid +  64]; __syncthreads(); }

    if (tid < 32) {
        unsigned int v = sdata[tid];
        if (blockSize >= 64) v += sdata[tid + 32];
        #pragma unroll
        for (int d = 16; d > 0; d >>= 1)
            v += __shfl_down_sync(0xffffffffu, v, d);
        if (tid == 0) g_out[blockIdx.x] = v;
    }
}

static void reduce(int threads, int blocks, const unsigned int *in, unsigned int *out)
{
    switch (threads) {
    case 512: reduceUnrolled<512><<<blocks, 512>>>(in, out); break;
    case 256: reduceUnrolled<256><<<blocks, 256>>>(in, out); break;
    case 128: reduceUnrolled<128><<<blocks, 128>>>(in, out); break;
    case  64: reduceUnrolled< 64><<<blocks,  64>>>(in, out); break;
    case  32: reduceUnrolled< 32><<<blocks,  32>>>(in, out); break;
    default: fprintf(stderr, "no such block size: %d\n", threads); exit(2);
    }
    CHECK(cudaGetLastError());
}

int main(int argc, char **argv)
{
    const int threads = argc > 1 ? atoi(argv[1]) : 256, blocks = 3;
    std::vector<unsigned int> host(2 * threads * blocks, 1u), sums(blocks);
    unsigned int *in, *out;
    CHECK(cudaMalloc(&in, host.size() * sizeof *in));
    CHECK(cudaMalloc(&out, blocks * sizeof *out));
    CHECK(cudaMemcpy(in, host.data(), host.size() * sizeof *in, cudaMemcpyHostToDevice));
    reduce(threads, blocks, in, out);
    CHECK(cudaMemcpy(sums.data(), out, blocks * sizeof *out, cudaMemcpyDeviceToHost));
    for (unsigned s : sums) printf("%u\n", s);
    cudaFree(in);
    cudaFree(out);
    return 0;
}
