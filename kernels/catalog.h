// The one list of reduction variants. To add a variant: one kernel file, one entry in variants.cpp, one
// lesson in assets/lessons/, one test case in tests/kernels/. Nothing else is needed.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "kernels/hardware_form.h"
#include "kernels/parameter.h"
#include "model/experiment.h"

namespace stridescope::kernels {

// The families of variants, in the order in which they are taught.
enum class Family : std::uint8_t {
  FirstSteps,
  GlobalMemory,
  Ladder,
  OneWarp,
  WholeProgram,
  Merge,
  CommonBugs
};

std::string_view nameOf(Family family);   // as the command line and the JSON have it: "one warp"
std::string_view titleOf(Family family);  // as a heading: "One warp"

// What a variant that is broken on purpose must be reported for; `verify` fails where it is not.
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
  std::string_view first{}, second{};  // a race's: the texts of its two sites, as the kernel has them
};

// Threads per block, where a variant has no reason for another size.
inline constexpr unsigned kDefaultThreads = 256;

struct Variant {
  std::string_view id{};      // the kernel file's stem
  std::string_view kernel{};  // the name of its function where that is not the id
  std::string_view title{};   // "interleaved, contiguous"
  Family family{};
  std::string_view previous{};  // the id it is taught after; empty for the first
  bool sideBranch = false;      // beside the way of its family: the next variant does not build on it
  std::string_view changed{};   // what changed from that one, as a sentence
  std::string_view source{};    // where the idea comes from
  std::vector<model::ElementType> types{};
  std::vector<model::Operator> operators{};
  HardwareForm hardwareForm = HardwareForm::None;  // that its text calls: which pairs it offers
  std::string_view onlyThese{};       // a sentence: why it offers no more types or operators; may be empty
  std::vector<unsigned> threads{};    // legal block sizes, ascending
  std::string_view onlyTheseSizes{};  // a sentence: why it takes no other blocks; may be empty
  unsigned defaultThreads = kDefaultThreads;  // the size to begin with, one of them
  unsigned elementsPerThread = 1;             // in one block's load
  unsigned sharedElementsPerThread = 1;       // in dynamic shared memory
  unsigned paddingPerWarp = 0;                // elements of dynamic shared memory that it has besides
  // The number of elements to begin with; none: one block's load.
  std::uint64_t (*elementsAtFirst)(unsigned threads) = nullptr;

  std::vector<Parameter> parameters{kInput, kOutput};  // the kernel's, in order
  // The blocks of a launch over so many elements; the threads then stride over them by the whole grid. None:
  // whole blocks' loads.
  std::uint64_t (*blocksFor)(std::uint64_t elements, unsigned threads) = nullptr;
  bool finishedOnCpu = false;     // one launch; the CPU adds up what its blocks leave
  bool keepsOrder = false;        // combines neighbours alone, so that an operator need not be commutative
  std::string_view onlyOnCpu{};   // a sentence: why a GPU does not run it; empty: it does
  unsigned leastCapability = 0;   // the GPU's, as 80 for 8.0; 0: any
  bool needsCudaHeaders = false;  // its text includes some of the CUDA Toolkit
  ExpectedReport report{};        // not None if isWrong()

  std::string_view kernelName() const { return kernel.empty() ? id : kernel; }
  bool offers(model::ElementType type, model::Operator op) const;  // a custom one where takesCustom()
  bool takesCustom() const;  // any combine(a, b): nothing but the preamble's says what is done
  bool takes(model::ParameterRole role) const;
  // Lists, instead of reducing to one value.
  bool merges() const { return takes(model::ParameterRole::Merged); }
  bool isWrong() const { return family == Family::CommonBugs; }
};

// All variants, in teaching order.
std::span<const Variant> catalog();

// The variants family by family: those of one stand together, in the order in which the families first
// appear.
std::vector<std::vector<const Variant*>> byFamily(std::span<const Variant> variants);

// The rungs of the Ladder have the numbers 1, 2, ...; a side branch has its rung's and a letter: 8a, 8b.
// Empty: a variant of another family.
std::string numberOf(const Variant& variant);
const Variant* findRung(unsigned number);  // nullptr: there is no such rung

// The variant with that id; nullptr if there is none.
const Variant* findVariant(std::string_view id);

// The data pattern to begin with: digits, whose values and sums stay short; ones with * and &, which digits
// make 0; random in a merge, whose lists then interleave. For an unknown variant the operator alone decides.
model::DataPattern defaultData(std::string_view variant, model::Operator op);

// The kernel's text exactly as in its file, without a preamble. Empty for an unknown id.
std::string_view kernelText(std::string_view id);

// True if the text names blockSize, so that a compile-time block size is part of its preamble.
bool namesBlockSize(std::string_view kernelText);

// The lines that stand before a kernel's text: T, identity, combine, and, where the text names them,
// combineWarp, combineAtomically (hardware_form.h) and blockSize. Each ends with a newline. Plain CUDA: nvcc
// and NVRTC compile preamble + text as it is.
std::string preambleOf(std::string_view kernelText, model::ElementType type, model::Operator op,
                       unsigned threads);

// The same for an experiment, whose operator may be a person's own (engine/custom_operator.h).
std::string preambleOf(std::string_view kernelText, const model::Experiment& experiment);

// A person's combine as what stands between the braces of the function: an expression is returned, a text
// that returns by itself stands as it is.
std::string combineBody(std::string_view combine);
bool hasOwnReturn(std::string_view combine);

}  // namespace stridescope::kernels
