// The one list of reduction variants. To add a variant: one kernel file, one entry in variants.cpp, one
// lesson in assets/lessons/, one test case in tests/kernels/. Nothing else is needed.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "model/experiment.h"
#include "model/kernel.h"

namespace stridescope::kernels {

// The families of variants, in the order in which they are taught.
enum class Family : std::uint8_t {
  FirstSteps,
  GlobalMemory,
  Ladder,
  OneWarp,
  WholeProgram,
  Merge,
  SeveralGpus,
  CommonBugs
};

std::string_view nameOf(Family family);   // as the command line and the JSON have it: "one warp"
std::string_view titleOf(Family family);  // as a heading: "One warp"

// A catalogue's kernel and its place in the course.
struct Variant : model::Kernel {
  Family family{};
  bool sideBranch = false;  // beside the way of its family: the next variant does not build on it
  std::string source{};     // where the idea comes from
};

// All variants that can be stepped, in teaching order.
std::span<const Variant> catalog();
// Those of which no steps can be seen (Kernel::onlyTimed): a library's.
std::span<const Variant> timedOnly();
// Both.
std::span<const Variant> catalogAndTimedOnly();

// The variants family by family: those of one stand together, in the order in which the families first
// appear.
std::vector<std::vector<const Variant*>> byFamily(std::span<const Variant> variants);

// The rungs of the Ladder have the numbers 1, 2, ...; a side branch has its rung's and a letter: 8a, 8b.
// Empty: a variant of another family, or none.
std::string numberOf(std::string_view id);
const Variant* findRung(unsigned number);  // nullptr: there is no such rung

// The variant with that id; nullptr if there is none. For what reads ids that people type and choose; whoever
// has an experiment asks kernelOf().
const Variant* findVariant(std::string_view id);

// The kernel that the experiment runs: its own (Experiment::kernel) or the catalogue's. nullptr: the
// catalogue has none of that id, as an experiment of another version's recording may name. It lives as long
// as the experiment.
const model::Kernel* kernelOf(const model::Experiment& experiment);

// The title of the variant with that id, or of the experiment's kernel; the id itself where there is none.
std::string titleOf(std::string_view id);
std::string titleOf(const model::Experiment& experiment);
std::optional<Family> familyOf(std::string_view id);

// Whether `later` builds on `earlier`, perhaps with others between, all of one family.
bool buildsOn(std::string_view later, std::string_view earlier);

// The data pattern to begin with: digits, whose values and sums stay short; ones with * and &, which digits
// make 0; random in a merge, whose lists then interleave. Without a kernel the operator alone decides.
model::DataPattern defaultData(std::string_view variant, model::Operator op);
model::DataPattern defaultData(const model::Experiment& experiment);

// A variant's text exactly as in its file, without a preamble. Empty for an unknown id.
std::string_view kernelText(std::string_view id);
// The same of the experiment's kernel.
std::string_view kernelText(const model::Experiment& experiment);

// True if the text names blockSize, so that a compile-time block size is part of its preamble.
bool namesBlockSize(std::string_view kernelText);

// The lines that stand before a kernel's text: T, identity, combine, and, where the text names them,
// combineWarp, combineAtomically (model/kernel.h) and blockSize. Each ends with a newline. Plain CUDA:
// nvcc and NVRTC compile preamble + text as it is.
std::string preambleOf(std::string_view kernelText, model::ElementType type, model::Operator op,
                       unsigned threads);

// The same for an experiment, whose operator may be a person's own (engine/own_data.h).
std::string preambleOf(std::string_view kernelText, const model::Experiment& experiment);

// A person's combine as what stands between the braces of the function: an expression is returned, a text
// that returns by itself stands as it is.
std::string combineBody(std::string_view combine);
bool hasOwnReturn(std::string_view combine);

// The parameters that the catalogue's kernels have. T is the element type of the experiment.
//
// run_plan.cpp says how large each buffer is, and what it holds at first.
//   kInput       const T*         a kernel without kCount gets it filled up to whole blocks with the identity
//   kInPlace     T*               the same
//   kOutput      T*               one value per block
//   kCount       unsigned         how many elements the input has
//   kAccumulator T*               one value
//   kPartials    T*               one value per block
//   kTicket      unsigned*        one counter
//   kCountedSum  unsigned long long*  one word
//   kMessages    unsigned long long*  one word per block for each 4 bytes of T
//   kListValues  const T*         the lists one after another, or, in a kernel with kLists, interleaved:
//                                 element j of list i is at i + j * k
//   kListStarts  const unsigned*  one list per thread, the last ones empty where there are fewer
//   kLists       unsigned         k, the number of lists, whose lengths differ by one at most
//   kMerged      T*               n values
//   kOrigin      unsigned*        n numbers
//   kInbox       unsigned long long*  one word per device for each 4 bytes of T, in the memory of the first
//   kInputs      Arrays           a struct with the pointers to all devices' inputs, n values each
//   kOutputs     Arrays           the same of their results
//   kDevice, kDevices, kStep, kSteps  unsigned

inline const model::ParameterType kUnsigned{"unsigned", 4}, kUnsigned64{"unsigned long long", 8};

inline const model::KernelParameter kInput{"in", model::ParameterRole::Input},
    kInPlace{"array", model::ParameterRole::InPlace}, kOutput{"out", model::ParameterRole::Output},
    kCount{"n", model::ParameterRole::Count, kUnsigned},
    kAccumulator{"total", model::ParameterRole::Accumulator},
    kPartials{"partials", model::ParameterRole::Partials},
    kTicket{"finished", model::ParameterRole::Ticket, kUnsigned},
    kCountedSum{"both", model::ParameterRole::CountedSum, kUnsigned64},
    kMessages{"words", model::ParameterRole::Messages, kUnsigned64},
    kListValues{"values", model::ParameterRole::ListValues},
    kListStarts{"starts", model::ParameterRole::ListStarts, kUnsigned},
    kLists{"k", model::ParameterRole::ListCount, kUnsigned}, kMerged{"merged", model::ParameterRole::Merged},
    kOrigin{"origin", model::ParameterRole::Origin, kUnsigned},
    kInbox{"inbox", model::ParameterRole::Inbox, kUnsigned64, model::ParameterOf::First},
    kInputs{"in", model::ParameterRole::Input, {}, model::ParameterOf::All},
    kOutputs{"out", model::ParameterRole::Output, {}, model::ParameterOf::All},
    kDevice{"device", model::ParameterRole::Device, kUnsigned},
    kDevices{"devices", model::ParameterRole::Devices, kUnsigned},
    kStep{"step", model::ParameterRole::Step, kUnsigned},
    kSteps{"steps", model::ParameterRole::Steps, kUnsigned};

}  // namespace stridescope::kernels
