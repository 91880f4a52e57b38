#define ACCUM_N 64

// Many pairs of short vectors; ACCUM_N accumulators by fewer threads.
__global__ void scalarProducts(float *d_C, const float *d_A, const float *d_B, int vectorN, int elementN)
{
    __shared__ float accum[ACCUM_N];

    for (int vec = blockIdx.x; vec < vectorN; vec += gridDim.x) {
        const int base = elementN * vec, end = base + elementN;

        for (int a = threadIdx.x; a < ACCUM_N; a += blockDim.x) {
            float sum = 0;
            for (int pos = base + a; pos < end; pos += ACCUM_N)
                sum += d_A[pos] * d_B[pos];
            accum[a] = sum;
        }
        for (int stride = ACCUM_N / 2; stride > 0; stride >>= 1) {
            __syncthreads();
            for (int a = threadIdx.x; a < stride; a += blockDim.x)
                accum[a] += accum[stride + a];
        }
        if (threadIdx.x == 0) d_C[vec] = accum[0];
        __syncthreads();
    }
}
