// A kernel as a value: its text, its parameters, how it is launched and what may be run with it. The
// catalogue's entries are kernels (kernels/catalog.h); another one can be made at any time and is carried by
// its experiments (Experiment::kernel).
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "model/dim3.h"
#include "model/experiment.h"
#include "model/parameter_role.h"

namespace stridescope::model {

// Which operators the hardware has an instruction of its own for. A kernel that calls one offers those pairs
// alone, and its preamble defines the call (kernels/catalog.h).
//
// Source: CUDA C++ Programming Guide, Warp Reduce Functions and Atomic Functions.

enum class HardwareForm : std::uint8_t {
  None,
  WarpReduction,  // combineWarp(value): redux.sync on 32-bit integers; compute capability 8.0
  Atomic,         // combineAtomically(total, value): one atomic instruction, no compare-and-swap loop
};

bool hasHardwareForm(HardwareForm form, ElementType type, Operator op);

// The type of one parameter: of a buffer's elements, or of a value that is passed.
struct ParameterType {
  std::string name = "T";  // as CUDA C++ writes it: "T", "unsigned", "float4", "Pack"
  unsigned bytes = 0;      // of one element; 0: it is the experiment's element type, T

  bool isElement() const { return bytes == 0; }
  friend bool operator==(const ParameterType&, const ParameterType&) = default;
};

struct KernelParameter {
  std::string name{};
  ParameterRole role = ParameterRole::Scalar;
  ParameterType type{};

  // Nothing: they are no elements, but numbers or structs of the kernel's own.
  std::optional<ElementType> elementType(ElementType t) const {
    return type.isElement() ? std::optional(t) : std::nullopt;
  }
  unsigned elementBytes(ElementType t) const { return type.isElement() ? bytesOf(t) : type.bytes; }
  friend bool operator==(const KernelParameter&, const KernelParameter&) = default;
};

struct FixedLaunch {
  Dim3 grid{}, block{};           // in blocks, in threads
  std::uint64_t sharedBytes = 0;  // dynamic shared memory
  friend bool operator==(const FixedLaunch&, const FixedLaunch&) = default;
};

// What a launch looks like: computed from the number of elements n and the threads of a block, or fixed.
struct LaunchRule {
  unsigned elementsPerThread = 1;        // in one block's load
  unsigned sharedElementsPerThread = 1;  // in dynamic shared memory
  unsigned paddingPerWarp = 0;           // elements of dynamic shared memory that it has besides
  // The blocks of a launch over so many elements; the threads then stride over them by the whole grid. Empty:
  // whole blocks' loads.
  std::function<std::uint64_t(std::uint64_t elements, unsigned threads)> blocksFor{};
  // One launch that is the same for any n; the members above then say nothing.
  std::optional<FixedLaunch> fixed{};

  bool strides() const { return bool(blocksFor); }
  // At least 1. Requires threads > 0.
  std::uint64_t blocks(std::uint64_t elements, unsigned threads) const;
  // Dynamic shared memory, in bytes.
  std::uint64_t sharedBytes(unsigned threads, ElementType type) const;
};

// What a kernel that is broken on purpose must be reported for; `verify` fails where it is not.
enum class ReportKind : std::uint8_t {
  None,
  Race,
  UndefinedShuffle,
  DivergentBarrier,
  OrderMatters,
  OutOfBounds,   // where blocks are not full
  LostElements,  // a thread's result in shared memory that nobody reads
};
struct ExpectedReport {
  ReportKind kind = ReportKind::None;
  std::string first{}, second{};  // a race's: the texts of its two sites, as the kernel has them
};

// Threads per block, where a kernel has no reason for another size.
inline constexpr unsigned kDefaultThreads = 256;

struct Kernel {
  std::string id{};        // the name that experiments, links and files have for it
  std::string title{};     // "interleaved, contiguous"
  std::string previous{};  // the id of the one that it is taught after; empty: it is taught first
  std::string changed{};   // what changed from that one, as a sentence
  std::string text{};      // CUDA C++, exactly as in its file, without a preamble
  std::string function{};  // the name of the __global__ function
  std::vector<KernelParameter> parameters{};  // the function's, in order
  LaunchRule launch{};

  // What it may be run with.
  std::vector<ElementType> types{};
  std::vector<Operator> operators{};
  HardwareForm hardwareForm = HardwareForm::None;  // that its text calls: which pairs it offers
  std::string onlyThese{};                         // a sentence: why it offers no more; may be empty
  std::vector<unsigned> threads{};                 // legal block sizes, ascending
  std::string onlyTheseSizes{};                    // a sentence: why it takes no other blocks; may be empty
  unsigned defaultThreads = kDefaultThreads;       // the size to begin with, one of them
  // The number of elements to begin with; empty: one block's load.
  std::function<std::uint64_t(unsigned threads)> elementsAtFirst{};

  bool finishedOnCpu = false;     // one launch; the CPU adds up what its blocks leave
  bool keepsOrder = false;        // combines neighbours alone, so that an operator need not be commutative
  std::string onlyOnCpu{};        // a sentence: why a GPU does not run it; empty: it does
  unsigned leastCapability = 0;   // the GPU's, as 80 for 8.0; 0: any
  bool needsCudaHeaders = false;  // its text includes some of the CUDA Toolkit
  ExpectedReport report{};

  bool offers(ElementType type, Operator op) const;  // a custom one where takesCustom()
  bool takesCustom() const;  // any combine(a, b): nothing but the preamble's says what is done
  bool takes(ParameterRole role) const;
  // Lists, instead of reducing to one value.
  bool merges() const { return takes(ParameterRole::Merged); }
  // It shows a common bug.
  bool isWrong() const { return report.kind != ReportKind::None; }
};

}  // namespace stridescope::model
