// Between gpu_baselines.cpp and what nvcc compiles: nothing of the program but this header, so that nvcc
// reads none of its other ones.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <type_traits>

namespace stridescope::measure::baselines::compiled {

enum class Library : std::uint8_t { Cub, Thrust };
enum class Element : std::uint8_t { Int, Unsigned, Int64, Float, Double };
enum class Reduction : std::uint8_t { Sum, Min, Max };

// Min and max are compiled for these alone: every pair costs seconds of compiling.
template <class T>
inline constexpr bool kHasExtremes = std::is_same_v<T, int> || std::is_same_v<T, float>;

// A text is an error, nullptr success.
class CompiledBaseline {
 public:
  virtual ~CompiledBaseline() = default;
  virtual const char* prepare() = 0;
  virtual const char* enqueue(const void* input, void* output, void* stream) = 0;
  virtual bool givesToHost() const { return false; }
  std::uint64_t hostResult() const { return hostResult_; }

 protected:
  std::uint64_t hostResult_ = 0;
};

// Makes the GPU of that number, and its primary context, the calling thread's.
const char* useGpu(unsigned index);

std::unique_ptr<CompiledBaseline> makeCompiled(Library library, Element element, Reduction reduction,
                                               std::uint64_t elements);
std::string compiledVersion();

}  // namespace stridescope::measure::baselines::compiled
