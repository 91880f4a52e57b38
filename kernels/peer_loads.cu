// Each device has an array of its own, and gets the combination
// of all arrays. A device combines one part of them: it loads
// it from the memory of all devices, and stores the result
// in the memory of all of them. Nobody waits for anybody.
struct Arrays { T* of[8]; };  // the array of each device

__global__ void peer_loads(Arrays in, Arrays out, unsigned n,
                           unsigned device, unsigned devices)
{
    unsigned size = (n + devices - 1) / devices;
    unsigned end  = min((device + 1) * size, n);
    unsigned i    = device * size;
    i += blockIdx.x * blockDim.x + threadIdx.x;

    for (; i < end; i += gridDim.x * blockDim.x) {
        T value = in.of[0][i];
        for (unsigned k = 1; k < devices; ++k)
            value = combine(value, in.of[k][i]);
        for (unsigned k = 0; k < devices; ++k)
            out.of[k][i] = value;
    }
}
