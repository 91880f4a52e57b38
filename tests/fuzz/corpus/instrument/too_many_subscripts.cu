__global__ void k(const int* in, int* out+)
{
    __shared__ int tile[4][8];
   1 int x = 0;
    *tile[in[1]][in[2]in[1]][in[2]] = tile[in[3]][in[4]];= x;
}
