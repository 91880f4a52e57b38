// A kernel as a value: its text, its parameters, how it is launched and what may be run with it. The
// catalogue's entries are kernels (kernels/catalog.h); another one can be made at any time and is carried by
// its experiments (Experiment::kernel).
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/describe.h"
#include "model/dim3.h"

namespace stridescope::model {

// What a kernel's parameter is for. Whoever must know which buffer holds what asks for its role: parameters
// may have any name.
enum class ParameterRole : std::uint8_t {
  Input,        // what this launch reduces: the input, or what the launch before left
  InPlace,      // the same, and the kernel works in it
  Output,       // one value per block
  Accumulator,  // one value, the identity at first, to which every block adds
  Partials,     // one value per block, for the kernel's own use
  Ticket,       // a counter of the blocks that are done, zero before and after a launch
  CountedSum,   // a word with a sum and a counter of the blocks that are done, zero before and after a launch
  Messages,     // the blocks' words to one of them, 8 bytes for each 4 of a value; zero before and after
  Inbox,        // the devices' words to the first one, as Messages
  ListValues,   // a merge's sorted lists
  ListStarts,   // where each list begins in them, and the end
  Merged,       // the merged values
  Origin,       // the list that each merged value came from
  Count,        // passed by value, as all behind it: how many elements the input of this device has
  ListCount,    // passed by value: how many lists are merged
  Device,       // passed by value: which device runs the block, from 0
  Devices,      // passed by value: how many devices there are
  Step,         // passed by value: the number of the launch, from 0
  Steps,        // passed by value: how many launches there are
  Scalar,       // any other value
};
inline constexpr std::array kParameterRoles{
    ParameterRole::Input,    ParameterRole::InPlace,    ParameterRole::Output,     ParameterRole::Accumulator,
    ParameterRole::Partials, ParameterRole::Ticket,     ParameterRole::CountedSum, ParameterRole::Messages,
    ParameterRole::Inbox,    ParameterRole::ListValues, ParameterRole::ListStarts, ParameterRole::Merged,
    ParameterRole::Origin,   ParameterRole::Count,      ParameterRole::ListCount,  ParameterRole::Device,
    ParameterRole::Devices,  ParameterRole::Step,       ParameterRole::Steps,      ParameterRole::Scalar};
constexpr auto allOf(ParameterRole) { return kParameterRoles; }

std::string_view nameOf(ParameterRole role);  // "input", "in place", "list values", ...
bool isBuffer(ParameterRole role);            // else it is passed by value
// Blocks of one launch leave their results there for one another: whoever comes last, or waits, has the
// whole.
bool joinsBlocks(ParameterRole role);
// A word of it brings 32 bits of an element below a flag: from a block to another, or from a GPU to another.
bool bringsElements(std::optional<ParameterRole> role);

// Whether the path or the name is of a file with a person's own kernels rather than a variant of the
// catalogue.
inline bool isKernelFile(std::string_view name) { return name.ends_with(".cu"); }

enum class ElementType : std::uint8_t { Int, Unsigned, Int64, Float, Double };
inline constexpr std::array kElementTypes{ElementType::Int, ElementType::Unsigned, ElementType::Int64,
                                          ElementType::Float, ElementType::Double};

enum class Operator : std::uint8_t {
  Add,
  Multiply,
  Min,
  Max,
  And,
  Or,
  Xor,
  Subtract,  // not associative: what one variant shows
  Custom,    // a person's own: Experiment::custom
};
// The associative ones, in the order in which they are offered.
inline constexpr std::array kOperators{Operator::Add, Operator::Multiply, Operator::Min, Operator::Max,
                                       Operator::And, Operator::Or,       Operator::Xor};

// Names as the command line and the JSON have them: "int64", "+". The parsers also take the operators' words:
// add mul min max and or xor sub. They do not take what needs more than a name: "custom".
std::string_view nameOf(ElementType type);
std::string_view nameOf(Operator op);
std::string_view wordOf(Operator op);  // "add", "mul", "min", ...
std::optional<ElementType> parseElementType(std::string_view name);
std::optional<Operator> parseOperator(std::string_view name);

unsigned bytesOf(ElementType type);            // 4 or 8
std::string_view cppNameOf(ElementType type);  // "int", "unsigned", "long long", "float", "double"
bool isFloating(ElementType type);
bool isOffered(ElementType type, Operator op);  // & | ^ make no sense on floating types

// All values, those that are not offered by name too: what files may hold.
constexpr auto allOf(ElementType) { return kElementTypes; }
constexpr auto allOf(Operator) {
  return std::array{Operator::Add, Operator::Multiply, Operator::Min,      Operator::Max,   Operator::And,
                    Operator::Or,  Operator::Xor,      Operator::Subtract, Operator::Custom};
}

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

// Several GPUs, the devices of a run.
inline constexpr unsigned kMaxGpus = 8, kDefaultGpus = 2;

// Whose copy of a buffer a parameter is, where each device has one.
enum class ParameterOf : std::uint8_t {
  Own,    // that of the device that runs the block
  First,  // the first device's
  All,    // those of all devices: a struct with kMaxGpus pointers, passed by value
};
constexpr auto allOf(ParameterOf) {
  return std::array{ParameterOf::Own, ParameterOf::First, ParameterOf::All};
}
std::string_view nameOf(ParameterOf of);  // "own", "first", "all"

// What the devices of a run share.
enum class DeviceUse : std::uint8_t {
  One,        // there is one
  PartEach,   // each has a part of the elements, of which there is one result
  ArrayEach,  // each has an array of n elements, and gets the combination of all arrays, element by element
};
constexpr auto allOf(DeviceUse) {
  return std::array{DeviceUse::One, DeviceUse::PartEach, DeviceUse::ArrayEach};
}
std::string_view nameOf(DeviceUse use);  // "one", "a part each", "an array each"

// How many launches devices need to combine arrays; the next one begins when all devices have ended one.
enum class DeviceSteps : std::uint8_t {
  One,
  Ring,  // 2 (D - 1), for D devices
  Tree,  // twice the levels of a tree over them: 2 log2 D, rounded up
};
constexpr auto allOf(DeviceSteps) {
  return std::array{DeviceSteps::One, DeviceSteps::Ring, DeviceSteps::Tree};
}
std::string_view nameOf(DeviceSteps steps);  // "one", "ring", "tree"
// At least 1. Requires devices > 0.
unsigned stepsOf(DeviceSteps steps, unsigned devices);

struct KernelParameter {
  std::string name{};
  ParameterRole role = ParameterRole::Scalar;
  ParameterType type{};
  ParameterOf of = ParameterOf::Own;

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

// How many blocks a launch over n elements has. Each rule is a function of n and the block's size alone: a
// trace from one machine equals a trace from another, whatever GPU it has.
enum class GridRule : std::uint8_t {
  WholeLoads,  // as many as load all elements; their threads do not stride
  OneBlock,    // one, whose threads stride over all elements
  // The threads stride over the elements by the whole grid. Each has `elementsPerThread` of them before there
  // is another block, up to eight times the threads that the largest GPU of today holds at once.
  ManyWaves,
  // The same with no more blocks than memory needs loads in flight, all of which an H100 holds at once; and
  // one block up to twice `elementsPerThread`.
  OneWave,
  // The same with several blocks from the second load on, for blocks that agree at the price of less than a
  // load.
  OneWaveAtOnce,
};

// What a launch looks like: computed from the number of elements n and the threads of a block, or fixed.
struct LaunchRule {
  GridRule grid = GridRule::WholeLoads;
  unsigned elementsPerThread = 1;        // in one block's load
  unsigned sharedElementsPerThread = 1;  // in dynamic shared memory
  unsigned paddingPerWarp = 0;           // elements of dynamic shared memory that it has besides
  // Blocks of a cluster, which run at the same time and reach each other's shared memory; a grid is a
  // multiple of it. 1: the launch has no clusters.
  unsigned cluster = 1;
  // One launch that is the same for any n; the members above then say nothing.
  std::optional<FixedLaunch> fixed{};

  bool strides() const { return grid != GridRule::WholeLoads; }
  // At least 1, whole clusters. Requires threads > 0.
  std::uint64_t blocks(std::uint64_t elements, unsigned threads) const;
  // Dynamic shared memory, in bytes.
  std::uint64_t sharedBytes(unsigned threads, ElementType type) const;
  friend bool operator==(const LaunchRule&, const LaunchRule&) = default;

 private:
  std::uint64_t blocksNeeded(std::uint64_t elements, unsigned threads) const;
};

// How many elements an experiment has to begin with.
enum class FirstSize : std::uint8_t {
  OneLoad,         // one block's load
  EightBlocks,     // eight elements per thread
  FourLoads,       // four blocks' loads, or those of four clusters
  NotAWholeBlock,  // an eighth of the block's threads have none
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
  friend bool operator==(const ExpectedReport&, const ExpectedReport&) = default;
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
  FirstSize firstSize = FirstSize::OneLoad;

  bool finishedOnCpu = false;     // one launch; the CPU adds up what its blocks leave
  bool keepsOrder = false;        // combines neighbours alone, so that an operator need not be commutative
  std::string onlyOnCpu{};        // a sentence: why a GPU does not run it; empty: it does
  unsigned leastCapability = 0;   // the GPU's, as 80 for 8.0; 0: any
  bool needsCudaHeaders = false;  // its text includes some of the CUDA Toolkit
  ExpectedReport report{};
  DeviceUse devices = DeviceUse::One;
  DeviceSteps steps = DeviceSteps::One;
  std::string onlyTimed{};  // a sentence: why it has no steps; empty: it has

  // The number of elements to begin with.
  std::uint64_t firstElements(unsigned threads) const;
  bool offers(ElementType type, Operator op) const;  // a custom one where takesCustom()
  bool takesCustom() const;  // any combine(a, b): nothing but the preamble's says what is done
  bool takes(ParameterRole role) const;
  // A launch of several blocks leaves one value by itself.
  bool joinsBlocks() const;
  // Lists, instead of reducing to one value.
  bool merges() const { return takes(ParameterRole::Merged); }
  bool isOfSeveralGpus() const { return devices != DeviceUse::One; }
  // How many elements of the experiment's each of so many devices has; at most so many of a part.
  std::uint64_t elementsOfDevice(std::uint64_t elements, unsigned gpus) const;
  // It shows a common bug.
  bool isWrong() const { return report.kind != ReportKind::None; }
  friend bool operator==(const Kernel&, const Kernel&) = default;
};

// The fields as messages have them (base/describe.h).
template <class Fields, Described<ParameterType> Value>
constexpr void describe(Fields&& fields, Value& type) {
  fields("name", type.name);
  fields("bytes", type.bytes);
}

template <class Fields, Described<KernelParameter> Value>
constexpr void describe(Fields&& fields, Value& parameter) {
  fields("name", parameter.name);
  fields("role", parameter.role);
  fields("type", parameter.type);
  fields("of", parameter.of);
}

template <class Fields, Described<FixedLaunch> Value>
constexpr void describe(Fields&& fields, Value& launch) {
  fields("grid", launch.grid);
  fields("block", launch.block);
  fields("shared_bytes", launch.sharedBytes);
}

template <class Fields, Described<LaunchRule> Value>
constexpr void describe(Fields&& fields, Value& rule) {
  fields("grid", rule.grid);
  fields("elements_per_thread", rule.elementsPerThread);
  fields("shared_elements_per_thread", rule.sharedElementsPerThread);
  fields("padding_per_warp", rule.paddingPerWarp);
  fields("cluster", rule.cluster);
  fields("fixed", rule.fixed);
}

template <class Fields, Described<ExpectedReport> Value>
constexpr void describe(Fields&& fields, Value& report) {
  fields("kind", report.kind);
  fields("first", report.first);
  fields("second", report.second);
}

template <class Fields, Described<Kernel> Value>
constexpr void describe(Fields&& fields, Value& kernel) {
  fields("id", kernel.id);
  fields("title", kernel.title);
  fields("previous", kernel.previous);
  fields("changed", kernel.changed);
  fields("text", kernel.text);
  fields("function", kernel.function);
  fields("parameters", kernel.parameters);
  fields("launch", kernel.launch);
  fields("types", kernel.types);
  fields("operators", kernel.operators);
  fields("hardware_form", kernel.hardwareForm);
  fields("only_these", kernel.onlyThese);
  fields("threads", kernel.threads);
  fields("only_these_sizes", kernel.onlyTheseSizes);
  fields("default_threads", kernel.defaultThreads);
  fields("first_size", kernel.firstSize);
  fields("finished_on_cpu", kernel.finishedOnCpu);
  fields("keeps_order", kernel.keepsOrder);
  fields("only_on_cpu", kernel.onlyOnCpu);
  fields("least_capability", kernel.leastCapability);
  fields("needs_cuda_headers", kernel.needsCudaHeaders);
  fields("report", kernel.report);
  fields("devices", kernel.devices);
  fields("steps", kernel.steps);
  fields("only_timed", kernel.onlyTimed);
}

}  // namespace stridescope::model
