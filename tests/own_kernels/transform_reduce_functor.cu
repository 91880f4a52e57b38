struct Square {
    template <class T>
    __host__ __device__ T operator()(const T &x) const { return x * x; }
};

template <class T>
struct Plus {
    __host__ __device__ T operator()(const T &a, const T &b) const { return a + b; }
    static constexpr T identity() { return T(0); }
};

template <class T>
struct Smaller {
    __host__ __device__ T operator()(const T &a, const T &b) const { return b < a ? b : a; }
    static constexpr T identity() { return T(2147483647); }
};

template <class T, template <class> class Op = Plus, int kThreads = 64, class Map = Square>
__global__ void __launch_bounds__(kThreads) transformReduce(const T *__restrict__ in, T *__restrict__ out, int n, Map map)
{
    __shared__ T shared[kThreads];
    const Op<T> op{};
    T value = Op<T>::identity();
    for (int i = blockIdx.x * kThreads + threadIdx.x; i < n; i += gridDim.x * kThreads) value = op(value, map(in[i]));
    shared[threadIdx.x] = value;
    __syncthreads();
    for (int half = kThreads >> 1; half; half >>= 1) {
        if (threadIdx.x < half) shared[threadIdx.x] = op(shared[threadIdx.x], shared[threadIdx.x + half]);
        __syncthreads();
    }
    if (!threadIdx.x) out[blockIdx.x] = shared[0];
}
