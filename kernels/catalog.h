// The one list of reduction variants. To add a variant: one kernel file, one entry in catalog.cpp, one lesson
// in assets/lessons/, one test case in tests/kernels/. Nothing else.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "trace/experiment.h"

namespace stridescope {

struct Variant {
  std::string_view id{};     // the kernel file's stem and the kernel's name
  std::string_view title{};  // "interleaved, contiguous"
  std::string_view
      family{};  // "ladder", "one warp", "whole program", "merge", "global memory", "what goes wrong"
  std::string_view previous{};  // the id it is taught after; empty for the first
  std::string_view changed{};   // what changed from that one, as a sentence
  std::string_view source{};    // where the idea comes from
  std::vector<ElementType> types{};
  std::vector<Operator> operators{};
  std::vector<unsigned> threads{};  // legal block sizes, ascending
  unsigned elementsPerThread = 1;
  unsigned sharedElementsPerThread = 1;  // of dynamic shared memory
};

// All variants, in teaching order.
std::span<const Variant> catalog();

// The variant with that id; nullptr if there is none.
const Variant* findVariant(std::string_view id);

// The kernel's text exactly as in its file, without a preamble. Empty for an unknown id.
std::string_view kernelText(std::string_view id);

// True if the text names blockSize, so that a compile-time block size is part of its preamble.
bool namesBlockSize(std::string_view kernelText);

// The lines that stand before a kernel's text: T, identity, combine, and blockSize where the text names it.
// Each ends with a newline. Plain CUDA: nvcc and NVRTC compile preamble + text as it is.
std::string preambleOf(std::string_view kernelText, ElementType type, Operator op, unsigned threads);

// One launch of the whole reduction.
struct LaunchShape {
  std::uint64_t elements = 0;  // of its input, before it is filled up to whole blocks with the identity
  std::uint64_t grid = 1;      // blocks; each leaves one partial result
  unsigned threads = 0;
  std::uint64_t sharedBytes = 0;  // dynamic
  std::uint64_t inspected = 0;    // the block that is recorded
};

// The launches from n elements down to one value, in order; at least one (n = 0 gives the identity).
// In launch experiment.launch the block experiment.block is inspected, in later launches the one that reads
// its result, in earlier ones the first that feeds it. Requires experiment.threads to be legal; a launch or
// block out of range is clamped to the last.
std::vector<LaunchShape> planLaunches(const Variant& variant, const Experiment& experiment);

}  // namespace stridescope
