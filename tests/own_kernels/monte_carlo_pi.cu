// Points in a quarter disc; each thread has a linear congruential generator of its own.
class Lcg {
    unsigned int state;
public:
    __device__ Lcg(unsigned int seed) : state(seed * 2654435761u + 1u) {}
    __device__ unsigned int next()
    {
        state = state * 1664525u + 1013904223u;
        return state >> 17;                        // 15 bits
    }
};

__global__ void countInside(int *hits, int *total, int tries)
{
    extern __shared__ int inside[];
    Lcg rng(blockIdx.x * blockDim.x + threadIdx.x);
    int mine = 0;
    for (int i = 0; i < tries; ++i) {
        unsigned x = rng.next(), y = rng.next();
        mine += x * x + y * y < 32768u * 32768u;
    }
    inside[threadIdx.x] = mine;
    __syncthreads();
    for (int s = blockDim.x / 2; s > 0; s >>= 1) {
        if (threadIdx.x < s) inside[threadIdx.x] += inside[threadIdx.x + s];
        __syncthreads();
    }
    if (threadIdx.x == 0) {
        hits[blockIdx.x] = inside[0];
        atomicAdd(total, inside[0]);
    }
}
