// One dynamic array of bytes, carved in doubles and ints.
__global__ void weightedCount(const double *w, const int *group, double *sums, int *counts, int n)
{
    extern __shared__ unsigned char raw[];
    double *weight = reinterpret_cast<double *>(raw);
    int *member = (int *)(raw + blockDim.x * sizeof(double));

    const int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
    weight[t] = i < n ? w[i] : 0.0;
    member[t] = i < n ? group[i] : -1;
    __syncthreads();

    // thread g gathers group g
    if (t < 4) {
        double sum = 0.0;
        int count = 0;
        for (int k = 0; k < blockDim.x; k++)
            if (member[k] == t) { sum += weight[k]; ++count; }
        sums[blockIdx.x * 4 + t] = sum;
        counts[blockIdx.x * 4 + t] = count;
    }
}
