// Forces on a line, from a tile of all particles in shared memory, laid out as a struct of arrays.
struct Tile {
    int position[32];
    int mass[32];
};

struct Settings {
    int limits[2];
    int softening;
};

__global__ void forces(const int *position, const int *mass, long long *force, Settings settings, int count = 96)
{
    __shared__ Tile tile;
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    const int mine = i < count ? position[i] : 0;
    long long sum = 0;
    for (int base = 0; base < count; base += 32) {
        tile.position[threadIdx.x] = position[base + threadIdx.x];
        tile.mass[threadIdx.x] = mass[base + threadIdx.x];
        __syncthreads();
        for (int j = 0; j < 32; j++) {
            int distance = tile.position[j] - mine;
            if (distance < settings.limits[0] || distance > settings.limits[1]) continue;
            sum += (long long)tile.mass[j] * distance / (abs(distance) + settings.softening);
        }
        __syncthreads();
    }
    if (i < count) force[i] = sum;
}
