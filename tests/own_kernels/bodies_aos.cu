// Bodies in an array of structs: each block sums their masses and moments, member by member.
struct Place {
    float x, y;
};
struct Body {
    float mass;
    Place at;
    int id;
};

__global__ void centres(const Body *bodies, Body *out, float4 *seen, int n)
{
    __shared__ Body sums[64];
    __shared__ Place centre;
    const int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
    sums[t].mass = i < n ? bodies[i].mass : 0;
    sums[t].at.x = i < n ? bodies[i].mass * bodies[i].at.x : 0;
    sums[t].at.y = i < n ? bodies[i].mass * (bodies[i].at).y : 0;
    sums[t].id = i < n ? 1 : 0;
    __syncthreads();
    for (int step = blockDim.x / 2; step > 0; step /= 2) {
        if (t < step) {
            sums[t].mass += sums[t + step].mass;
            sums[t].at.x += sums[t + step].at.x;
            sums[t].at.y += sums[t + step].at.y;
            sums[t].id += sums[t + step].id;
        }
        __syncthreads();
    }
    if (t == 0) {
        centre.x = sums[0].at.x;
        centre.y = sums[0].at.y;
    }
    __syncthreads();
    if (t == 1) {
        out[blockIdx.x].mass = sums[0].mass;
        (*(out + blockIdx.x)).at.x = centre.x;
        out[blockIdx.x].at.y = centre.y;
        out[blockIdx.x].id++;
        out[blockIdx.x].id += sums[0].id;
    }
    if (i < n) seen[i].z = seen[i].w + 1;
}
