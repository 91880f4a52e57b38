// saxpy on every second element: threads leave early, and no barrier follows.
__global__ void saxpyEven(int n, float a, const float *x, float *y)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    if (i % 2 != 0) {
        y[i] = -1.0f;
        return;
    }
    y[i] = a * x[i] + y[i];
}
