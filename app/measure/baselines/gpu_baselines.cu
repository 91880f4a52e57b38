// CUB's DeviceReduce and Thrust's reduce. The only file that nvcc compiles.
#include <cub/device/device_reduce.cuh>
#include <cub/version.cuh>
#include <cuda/functional>
#include <cuda/std/limits>
#include <cuda_runtime.h>
#include <thrust/execution_policy.h>
#include <thrust/functional.h>
#include <thrust/reduce.h>

#include <cstdint>
#include <cstring>
#include <exception>

#include "measure/baselines/gpu_baselines_compiled.h"

namespace stridescope::measure::baselines::compiled {
namespace {

// CUB counts elements in 32 bits where it can: that is its faster form.
using Count = std::uint32_t;

template <class T>
T extreme(bool largest) {
  using Limits = cuda::std::numeric_limits<T>;
  if (Limits::has_infinity) return largest ? Limits::infinity() : -Limits::infinity();
  return largest ? Limits::max() : Limits::lowest();
}

template <class T>
class Cub final : public CompiledBaseline {
 public:
  Cub(Reduction reduction, std::uint64_t elements) : reduction_(reduction), elements_(Count(elements)) {}
  ~Cub() override { cudaFree(scratch_); }

  const char* prepare() override {
    cudaError_t code = call(nullptr, nullptr, nullptr);
    if (code == cudaSuccess) code = cudaMalloc(&scratch_, scratchBytes_);
    return text(code);
  }
  const char* enqueue(const void* input, void* output, void* stream) override {
    return text(call(static_cast<const T*>(input), static_cast<T*>(output), static_cast<cudaStream_t>(stream)));
  }

 private:
  static const char* text(cudaError_t code) { return code == cudaSuccess ? nullptr : cudaGetErrorString(code); }

  // Without scratch memory: only asks how much it takes.
  cudaError_t call(const T* input, T* output, cudaStream_t stream) {
    if constexpr (kHasExtremes<T>) {
      if (reduction_ == Reduction::Min)
        return cub::DeviceReduce::Min(scratch_, scratchBytes_, input, output, elements_, stream);
      if (reduction_ == Reduction::Max)
        return cub::DeviceReduce::Max(scratch_, scratchBytes_, input, output, elements_, stream);
    }
    return cub::DeviceReduce::Sum(scratch_, scratchBytes_, input, output, elements_, stream);
  }

  Reduction reduction_;
  Count elements_;
  void* scratch_ = nullptr;
  std::size_t scratchBytes_ = 0;
};

// thrust::reduce as it is called everywhere: it allocates its scratch memory, waits, and returns the value.
template <class T>
class Thrust final : public CompiledBaseline {
 public:
  Thrust(Reduction reduction, std::uint64_t elements) : reduction_(reduction), elements_(elements) {}
  const char* prepare() override { return nullptr; }
  const char* enqueue(const void* input, void*, void* stream) override {
    try {
      const T value = reduce(static_cast<const T*>(input), static_cast<cudaStream_t>(stream));
      hostResult_ = 0;
      std::memcpy(&hostResult_, &value, sizeof value);
      return nullptr;
    } catch (const std::exception&) {
      return "thrust::reduce failed";
    }
  }
  bool givesToHost() const override { return true; }

 private:
  T reduce(const T* input, cudaStream_t stream) const {
    const auto policy = thrust::cuda::par.on(stream);
    if constexpr (kHasExtremes<T>) {
      if (reduction_ == Reduction::Min)
        return thrust::reduce(policy, input, input + elements_, extreme<T>(true), cuda::minimum<T>());
      if (reduction_ == Reduction::Max)
        return thrust::reduce(policy, input, input + elements_, extreme<T>(false), cuda::maximum<T>());
    }
    return thrust::reduce(policy, input, input + elements_, T(0), cuda::std::plus<T>());
  }

  Reduction reduction_;
  std::uint64_t elements_;
};

template <class T>
std::unique_ptr<CompiledBaseline> make(Library library, Reduction reduction, std::uint64_t elements) {
  if (library == Library::Cub) return std::make_unique<Cub<T>>(reduction, elements);
  return std::make_unique<Thrust<T>>(reduction, elements);
}

}  // namespace

const char* useGpu(unsigned index) {
  const cudaError_t code = cudaSetDevice(static_cast<int>(index));
  return code == cudaSuccess ? nullptr : cudaGetErrorString(code);
}

std::unique_ptr<CompiledBaseline> makeCompiled(Library library, Element element, Reduction reduction,
                                           std::uint64_t elements) {
  switch (element) {
    case Element::Int:
      return make<int>(library, reduction, elements);
    case Element::Unsigned:
      return make<unsigned>(library, reduction, elements);
    case Element::Int64:
      return make<long long>(library, reduction, elements);
    case Element::Float:
      return make<float>(library, reduction, elements);
    case Element::Double:
      break;
  }
  return make<double>(library, reduction, elements);
}

std::string compiledVersion() {
  return "CUB " + std::to_string(CUB_MAJOR_VERSION) + "." + std::to_string(CUB_MINOR_VERSION) + "." +
         std::to_string(CUB_SUBMINOR_VERSION);
}

}  // namespace stridescope::measure::baselines::compiled
