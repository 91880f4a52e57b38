// Products and sums of complex numbers, by operators that take them by value.
struct Complex { float re, im; };
__device__ Complex operator*(Complex a, Complex b) { return {a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re}; }
__device__ Complex operator+(Complex a, Complex b) { return {a.re + b.re, a.im + b.im}; }
__global__ void multiplyAdd(const Complex *a, const Complex *b, Complex *c)
{
    __shared__ Complex s[32];
    int t = threadIdx.x;
    s[t] = a[t] * b[t];
    __syncthreads();
    c[t] = s[t] + s[31 - t];
}
