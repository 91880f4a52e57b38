// A sum over the GPUs of several processes: each process has one GPU, and all of them share NCCL's unique id
// through a file. docs/several_gpus.md says how it is compiled and started.
//
//   two_processes RANK COUNT FILE [ELEMENTS]
#include <cuda_runtime.h>
#include <nccl.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <thread>
#include <vector>

static void check(cudaError_t code, const char* what)
{
    if (code == cudaSuccess) return;
    std::fprintf(stderr, "%s: %s\n", what, cudaGetErrorString(code));
    std::exit(1);
}
static void check(ncclResult_t code, const char* what)
{
    if (code == ncclSuccess) return;
    std::fprintf(stderr, "%s: %s\n", what, ncclGetErrorString(code));
    std::exit(1);
}

// The first process makes the id and writes it beside the file's
// place, so that nobody reads half of it.
static void writeId(const ncclUniqueId& id, const char* path)
{
    char beside[4096];
    std::snprintf(beside, sizeof beside, "%s.part", path);
    std::FILE* file = std::fopen(beside, "wb");
    bool written = file && std::fwrite(&id, sizeof id, 1, file) == 1;
    written = file && std::fclose(file) == 0 && written;
    if (written && std::rename(beside, path) == 0) return;
    std::perror(path);
    std::exit(1);
}

// The others wait for it, at most half a minute.
static ncclUniqueId readId(const char* path)
{
    for (int look = 0; look < 300; ++look) {
        ncclUniqueId id;
        std::FILE* file = std::fopen(path, "rb");
        bool read = file && std::fread(&id, sizeof id, 1, file) == 1;
        if (file) std::fclose(file);
        if (read) return id;
        std::this_thread::sleep_for(std::chrono::milliseconds(100));
    }
    std::fprintf(stderr, "%s: no id within 30 s\n", path);
    std::exit(1);
}

int main(int argc, char** argv)
{
    if (argc < 4) {
        std::fprintf(stderr, "two_processes RANK COUNT FILE [ELEMENTS]\n");
        return 2;
    }
    int rank = std::atoi(argv[1]), count = std::atoi(argv[2]), gpus = 0;
    std::size_t n = argc > 4 ? std::strtoull(argv[4], nullptr, 10) : 1 << 20;
    check(cudaGetDeviceCount(&gpus), "cudaGetDeviceCount");
    check(cudaSetDevice(rank % gpus), "cudaSetDevice");

    ncclUniqueId id;
    if (rank == 0) {
        check(ncclGetUniqueId(&id), "ncclGetUniqueId");
        writeId(id, argv[3]);
    } else {
        id = readId(argv[3]);
    }
    ncclComm_t comm;
    check(ncclCommInitRank(&comm, count, id, rank), "ncclCommInitRank");

    // Element i of process r is i + r: the sums are known.
    std::vector<int> values(n);
    for (std::size_t i = 0; i < n; ++i) values[i] = int(i + rank);
    int *in, *out;
    cudaStream_t stream;
    check(cudaMalloc(&in, n * sizeof(int)), "cudaMalloc");
    check(cudaMalloc(&out, n * sizeof(int)), "cudaMalloc");
    check(cudaStreamCreate(&stream), "cudaStreamCreate");
    check(cudaMemcpy(in, values.data(), n * sizeof(int), cudaMemcpyHostToDevice), "cudaMemcpy");
    for (int run = 0; run < 2; ++run) {  // the first one connects the GPUs
        auto begin = std::chrono::steady_clock::now();
        check(ncclAllReduce(in, out, n, ncclInt, ncclSum, comm, stream), "ncclAllReduce");
        check(cudaStreamSynchronize(stream), "cudaStreamSynchronize");
        double us = std::chrono::duration<double, std::micro>(std::chrono::steady_clock::now() - begin).count();
        std::printf("process %d of %d, run %d: %zu ints in %.1f us\n", rank, count, run, n, us);
    }
    check(cudaMemcpy(values.data(), out, n * sizeof(int), cudaMemcpyDeviceToHost), "cudaMemcpy");
    std::size_t wrong = 0;
    for (std::size_t i = 0; i < n; ++i)
        wrong += values[i] != int(i * count + count * (count - 1) / 2);
    std::printf("process %d: %s\n", rank, wrong ? "WRONG" : "right");
    ncclCommDestroy(comm);
    return wrong ? 1 : 0;
}
