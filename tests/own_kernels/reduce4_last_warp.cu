// Step 4: the last warp is unrolled. volatile alone is not enough any more:
// since Volta each step needs its __syncwarp() between reading and writing.
__device__ void warpReduce(volatile int *s, int lane)
{
    int v = s[lane];
    v += s[lane + 32]; __syncwarp(); s[lane] = v; __syncwarp();
    v += s[lane + 16]; __syncwarp(); s[lane] = v; __syncwarp();
    v += s[lane +  8]; __syncwarp(); s[lane] = v; __syncwarp();
    v += s[lane +  4]; __syncwarp(); s[lane] = v; __syncwarp();
    v += s[lane +  2]; __syncwarp(); s[lane] = v; __syncwarp();
    v += s[lane +  1]; __syncwarp(); s[lane] = v;
}

__global__ void reduceLastWarp(const int *in, int *out, int n)
{
    extern __shared__ int smem[];
    int tid = threadIdx.x;
    int i = blockIdx.x * blockDim.x * 2 + tid;

    smem[tid] = (i < n ? in[i] : 0) + (i + (int)blockDim.x < n ? in[i + blockDim.x] : 0);
    __syncthreads();

    for (int s = blockDim.x / 2; s > 32; s >>= 1) {
        if (tid < s)
            smem[tid] += smem[tid + s];
        __syncthreads();
    }
    if (tid < 32) warpReduce(smem, tid);
    if (tid == 0) out[blockIdx.x] = smem[0];
}
