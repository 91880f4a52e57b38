// Step 3: each thread adds two elements while it loads; half as many blocks.
template <typename T>
__global__ void reduceFirstAdd(const T *in, T *out, int n)
{
    extern __shared__ T part[];
    unsigned t = threadIdx.x;
    unsigned i = blockIdx.x * (blockDim.x * 2) + threadIdx.x;

    T sum = i < n ? in[i] : T(0);
    if (i + blockDim.x < n)
        sum += in[i + blockDim.x];
    part[t] = sum;
    __syncthreads();

    for (unsigned s = blockDim.x / 2; s; s /= 2) {
        if (t < s) part[t] = sum = sum + part[t + s];
        __syncthreads();
    }
    if (t == 0) out[blockIdx.x] = sum;
}

// so that nvcc has something to compile
template __global__ void reduceFirstAdd<int>(const int *, int *, int);
