// The operator is a class with operator(), as a template argument.
#ifdef __CUDACC__
#define HD __host__ __device__
#else
#define HD
#endif

struct GcdOp {
    static HD int identity() { return 0; }
    HD int operator()(int a, int b) const
    {
        while (b != 0) {
            int r = a % b;
            a = b;
            b = r;
        }
        return a;
    }
};

template <int N>
struct ClampedSum {
    static HD int identity() { return 0; }
    HD int operator()(int a, int b) const { return a + b > N ? N : a + b; }
};

template <typename T, class Op>
class BlockFold {
    T *const s_;
    Op op_;
public:
    __device__ explicit BlockFold(T *s) : s_(s) {}
    __device__ T operator()(T v)
    {
        const int t = threadIdx.x;
        s_[t] = v;
        __syncthreads();
        for (int k = blockDim.x / 2; k > 0; k >>= 1) {
            if (t < k) s_[t] = op_(s_[t], s_[t + k]);
            __syncthreads();
        }
        return s_[0];
    }
};

template <typename T, class Op>
__global__ void fold(const T *in, T *out, int n)
{
    __shared__ T s[64];
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    BlockFold<T, Op> block(s);
    T r = block(i < n ? in[i] : Op::identity());
    if (threadIdx.x == 0) out[blockIdx.x] = r;
}

template __global__ void fold<int, GcdOp>(const int *, int *, int);
template __global__ void fold<int, ClampedSum<100>>(const int *, int *, int);
