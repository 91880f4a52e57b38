// Every thread adds one to a word that all share: once as a[0] += 1, once as an atomic.
__global__ void lost_updates(T* out)
{
    out[0] += 1;
    atomicAdd(&out[1], T(1));
}
