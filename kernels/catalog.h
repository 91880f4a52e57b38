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
  std::string_view id{};     // the kernel file's stem
  std::string_view title{};  // "interleaved, contiguous"
  std::string_view
      family{};  // "ladder", "one warp", "whole program", "merge", "global memory", "what goes wrong"
  std::string_view previous{};  // the id it is taught after; empty for the first
  std::string_view changed{};   // what changed from that one, as a sentence
  std::string_view source{};    // where the idea comes from
  std::vector<ElementType> types{};
  std::vector<Operator> operators{};
  std::vector<unsigned> threads{};       // legal block sizes, ascending
  unsigned elementsPerThread = 1;        // of one block's load, the default n
  unsigned sharedElementsPerThread = 1;  // of dynamic shared memory

  // The kernel's parameters in order; run_plan.h says what each name means.
  std::vector<std::string_view> parameters{"in", "out"};
  // The blocks of a launch over so many elements. None: whole blocks' loads.
  std::uint64_t (*blocksFor)(std::uint64_t elements, unsigned threads) = nullptr;
  bool finishedOnCpu = false;     // one launch; the CPU adds up what its blocks leave
  std::string_view onlyOnCpu{};   // a sentence: why a GPU does not run it; empty: it does
  unsigned leastCapability = 0;   // of the GPU, as 80 for 8.0; 0: any
  bool needsCudaHeaders = false;  // its text includes some of the CUDA Toolkit
  bool isWrong() const { return family == "what goes wrong"; }
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

}  // namespace stridescope
