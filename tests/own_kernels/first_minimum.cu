// The least value and where it is first: pairs that a lambda takes by value.
struct Pair { int value, place; };
__global__ void firstMin(const int *x, int *out)
{
    __shared__ Pair s[64];
    const int t = threadIdx.x;
    auto better = [](Pair a, Pair b) { return b.value < a.value || (b.value == a.value && b.place < a.place) ? b : a; };
    s[t].value = x[t];
    s[t].place = t;
    __syncthreads();
    for (int k = 32; k > 0; k >>= 1) {
        if (t < k) s[t] = better(s[t], s[t + k]);
        __syncthreads();
    }
    if (t == 0) { out[0] = s[0].value; out[1] = s[0].place; }
}
