// Unlike in peer_loads, a device loads from its left neighbour
// alone: one part of the array in each step. A step is a launch
// on every device, and the next one begins when all have ended.
struct Arrays { T* of[8]; };  // the array of each device

__global__ void ring(Arrays in, Arrays out, unsigned n,
                     unsigned device, unsigned devices,
                     unsigned step)
{
    // The first devices - 1 steps combine: after them, each
    // device has one part of the result. In as many more steps
    // the finished parts are passed on.
    bool combines = step < devices - 1;
    unsigned left = (device + devices - 1) % devices;
    unsigned part = (device + 2 * devices - 1 - step) % devices;

    const T* taken = step == 0 ? in.of[left] : out.of[left];
    const T* mine  = in.of[device];
    T* result      = out.of[device];
    unsigned size  = (n + devices - 1) / devices;
    unsigned end   = min((part + 1) * size, n);
    unsigned i     = part * size;
    i += blockIdx.x * blockDim.x + threadIdx.x;

    for (; i < end; i += gridDim.x * blockDim.x) {
        T value = taken[i];
        if (combines) value = combine(value, mine[i]);
        result[i] = value;
    }
}
