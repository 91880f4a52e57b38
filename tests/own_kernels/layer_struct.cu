// One layer of a small network: all that it needs comes in one struct, arrays among it.
struct Size {
    int rows, cols;
};

struct Layer {
    const float *in, *weights;
    float *out;
    Size size;
    float bias[2];
};

__global__ void layer(Layer layer)
{
    __shared__ float products[64];
    const int row = blockIdx.x, cols = layer.size.cols;
    float sum = 0;
    for (int c = threadIdx.x; c < cols; c += blockDim.x)
        sum += layer.in[c] * layer.weights[row * cols + c];
    products[threadIdx.x] = sum;
    __syncthreads();
    for (int step = blockDim.x / 2; step > 0; step /= 2) {
        if (threadIdx.x < step)
            products[threadIdx.x] += products[threadIdx.x + step];
        __syncthreads();
    }
    if (threadIdx.x == 0 && row < layer.size.rows)
        layer.out[row] = products[0] + layer.bias[row % 2];
}
