// Each block adds its number to one total.
__global__ void block_total(float* total, const float* values)
{
    if (threadIdx.x == 0) atomicAdd(total, values[blockIdx.x]);
}
