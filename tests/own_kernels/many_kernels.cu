// Several kernels in one file; the launch file says which one.
namespace demo {
__device__ int square(int x) { return x * x; }
}

__global__ void fillIndex(int *a) { a[blockIdx.x * blockDim.x + threadIdx.x] = threadIdx.x; }

__global__ void rotateLeft(const int *in, int *out, int by)
{
    __shared__ int s[32];
    s[threadIdx.x] = in[blockIdx.x * 32 + threadIdx.x];
    __syncthreads();
    out[blockIdx.x * 32 + threadIdx.x] = s[(threadIdx.x + by) % 32];
}

__global__ void sumOfSquares(const int *in, int *out, int n)
{
    __shared__ int s[32];
    int sum = 0;
    for (int i = threadIdx.x; i < n; i += 32) sum += demo::square(in[i]);
    s[threadIdx.x] = sum;
    __syncthreads();
    if (threadIdx.x == 0) {
        for (int i = 1; i < 32; ++i) s[0] += s[i];
        *out = s[0];
    }
}
