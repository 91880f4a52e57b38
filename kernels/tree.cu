// Unlike in the ring, whole arrays are combined, in a tree of
// devices: up to device 0, and down to all of them again. There
// are fewer steps, and in each of them some devices do nothing.
struct Arrays { T* of[8]; };  // the array of each device

__global__ void tree(Arrays in, Arrays out, unsigned n,
                     unsigned device, unsigned devices,
                     unsigned step, unsigned steps)
{
    // Strides of 1, 2, 4 on the way up, and back to 1.
    bool up = step < steps / 2;
    unsigned stride = 1u << (up ? step : steps - 1 - step);
    unsigned turn   = up ? 0 : stride;
    if (device % (2 * stride) != turn) return;
    unsigned other = up ? device + stride : device - stride;
    bool combines  = up && other < devices;
    if (up && !combines && step > 0) return;

    Arrays from     = step == 0 ? in : out;
    const T* mine   = from.of[device];
    const T* theirs = from.of[other];
    const T* first  = up ? mine : theirs;
    T* result       = out.of[device];
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;

    for (; i < n; i += gridDim.x * blockDim.x) {
        T value = first[i];
        if (combines) value = combine(value, theirs[i]);
        result[i] = value;
    }
}
