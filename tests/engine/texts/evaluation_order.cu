// One statement a line: evaluation_order_test.cpp has what each records, and in which order.
struct Two { int first, second; };
__device__ int difference(const int* p) { return p[0] - p[1]; }
__device__ int* from(int* base, int at) { return base + at; }
__device__ int given(T a, T b) { return a + b; }
__device__ int orNone(const int* p, int a, int b) { return p ? p[0] : a - b; }
__device__ void put(int* to, int at, int value) { to[at] = value; }

__global__ void evaluation_order(const int* in, int* out)
{
    __shared__ int data[8], tile[4][8];
    int x = 0, own[8], *p = data + 1;
    for (int k = 0; k < 8; ++k) own[k] = k;
    __syncthreads();
    x = in[0] - in[1] * in[2];
    x = combine(in[0], in[1]);
    x = combine(in[0] + in[1], -in[2]) - own[in[3]];
    x = in[0] < in[1] && in[2] < in[3] || in[4] == in[5];
    x = (in[0] > in[1] ? in[2] : in[3] + in[4]) - in[5];
    x = in[0] << in[1] >> in[2];
    x = (in[0], in[1]) + (x = in[2], in[3]);
    x = max(in[0], in[1]) + min(in[2], in[3]);
    data[in[1]] = in[2] + in[3];
    data[in[1]] += in[2] * in[3];
    data[in[1]] = data[in[2]] = in[3];
    own[in[1]] = own[in[2]] + in[3];
    x = (data[0] = in[0]) + (data[1] = in[1]);
    x = data[0]++ + data[1]++ - --data[2];
    x = tile[in[1]][in[2]];
    tile[in[1]][in[2]] = tile[in[3]][in[4]];
    tile[in[1]][in[2]] += in[3];
    x = from(data, in[1])[in[2]] + in[3];
    x = *p * *(p + in[1]) + *from(data, in[2]);
    x = difference(in) * difference(in + 2) + in[4];
    x = given(in[0], in[1]) + given(in[2], 7);
    x = orNone(0, in[0], in[1]);
    put(data, in[1], in[2]);
    x = atomicAdd(&data[in[0]], in[1]) - in[2];
    x = Two{in[0], in[1]}.first + in[2];
    auto f = [&](int k) { return in[k] + in[k + 1]; };
    x = f(0) * f(2);
    volatile int* eager = data;
    x = eager[0] + eager[1];
    if (in[0] + in[1] < in[2]) x = in[3];
    for (x = in[0] + in[1]; x < in[2] + in[3]; x += in[4] + in[5]) own[0] = 1;
    T y = in[0] + in[1], z = combine(in[2], y) + in[3];
    x = (y = in[0]) + (z = in[1]);
    out[in[0]] = out[in[1]] + x;
}
