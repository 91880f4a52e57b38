// One block of one thread combines all n elements, left to
// right, as a loop on the CPU does. Its sum is rounded n - 1
// times, one after another; a tree rounds log2(n) times.
__global__ void left_to_right(const T* in, T* out, unsigned n)
{
    T value = identity;
    for (unsigned i = 0; i < n; ++i)
        value = combine(value, in[i]);
    out[0] = value;
}
