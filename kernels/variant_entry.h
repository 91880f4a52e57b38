// How an entry of the catalogue is written, what several entries say, and what becomes of them. variants.cpp
// and common_bugs.cpp have the entries.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "kernels/catalog.h"
#include "kernels/run_plan.h"

namespace stridescope::kernels {

// Block sizes, from the first to the last. Requires from > 0.
std::vector<unsigned> powersOfTwo(unsigned from, unsigned to);

// A line of the catalogue. What it leaves open: every type and operator, and block sizes of all powers of two
// from 2 on.
struct Entry {
  std::string_view id{};      // the kernel file's stem
  std::string_view kernel{};  // the name of its function where that is not the id
  std::string_view title{};
  std::string_view previous{};
  bool sideBranch = false;
  std::string_view changed{}, source{};
  std::vector<model::ElementType> types{};
  std::vector<model::Operator> operators{};
  model::HardwareForm hardwareForm = model::HardwareForm::None;
  std::string_view onlyThese{};
  std::vector<unsigned> threads{};
  std::string_view onlyTheseSizes{};
  unsigned defaultThreads = model::kDefaultThreads;
  model::GridRule grid = model::GridRule::WholeLoads;
  unsigned elementsPerThread = 1;
  unsigned sharedElementsPerThread = 1;
  unsigned paddingPerWarp = 0;
  unsigned cluster = 1;
  model::FirstSize firstSize = model::FirstSize::OneLoad;
  std::vector<model::KernelParameter> parameters{kInput, kOutput};
  bool finishedOnCpu = false;
  bool keepsOrder = false;
  std::string_view onlyOnCpu{};
  unsigned leastCapability = 0;
  bool needsCudaHeaders = false;
  model::ExpectedReport report{};
  model::DeviceUse devices = model::DeviceUse::One;
  model::DeviceSteps steps = model::DeviceSteps::One;
  std::string_view onlyTimed{};
};

// Families with files of their own, in teaching order.
std::vector<Entry> commonBugs();
std::vector<Entry> severalGpus();
std::vector<Entry> libraryCalls();  // of several GPUs, too: no steps of these can be seen
// The whole catalogue, in teaching order. catalog.h is what the program asks.
std::vector<Variant> allVariants();

// Appends a family's variants, in teaching order.
void append(std::vector<Variant>& all, Family family, std::vector<Entry> entries);

// What several entries say: where ideas come from, why blocks have only some sizes, and how many elements a
// thread takes.

inline constexpr std::string_view kHarris1 = "Harris, Optimizing Parallel Reduction in CUDA (2007), 1";
inline constexpr std::string_view kHarris2 = "Harris, Optimizing Parallel Reduction in CUDA (2007), 2";
inline constexpr std::string_view kHarris3 = "Harris, Optimizing Parallel Reduction in CUDA (2007), 3";
inline constexpr std::string_view kHarris4 = "Harris, Optimizing Parallel Reduction in CUDA (2007), 4";
inline constexpr std::string_view kHarris5 = "Harris, Optimizing Parallel Reduction in CUDA (2007), 5";
inline constexpr std::string_view kHarris6 = "Harris, Optimizing Parallel Reduction in CUDA (2007), 6";
inline constexpr std::string_view kHarris7 = "Harris, Optimizing Parallel Reduction in CUDA (2007), 7";

inline constexpr std::string_view kShuffleGuide =
    "NVIDIA, CUDA C++ Programming Guide, Warp Shuffle Functions";
inline constexpr std::string_view kReduceGuide = "NVIDIA, CUDA C++ Programming Guide, Warp Reduce Functions";
inline constexpr std::string_view kGroupsGuide = "NVIDIA, CUDA C++ Programming Guide, Cooperative Groups";
inline constexpr std::string_view kBarrierGuide =
    "NVIDIA, CUDA C++ Programming Guide, Synchronization Functions";
inline constexpr std::string_view kClusterGuide =
    "NVIDIA, CUDA C++ Programming Guide, Distributed Shared Memory";
inline constexpr std::string_view kBulkGuide =
    "NVIDIA, CUDA C++ Programming Guide, Asynchronous Data Copies using the Tensor Memory Accelerator";
inline constexpr std::string_view kVectorTip =
    "Luitjens, Increase Performance with Vectorized Memory Access (2013), and Faster Parallel Reductions on "
    "Kepler (2014)";
inline constexpr std::string_view kMemoryModel =
    "NVIDIA, CUDA C++ Programming Guide, Built-in Atomic Functions";
inline constexpr std::string_view kLookBack =
    "Merrill, Garland, Single-pass Parallel Prefix Scan with Decoupled Look-back (2016)";
inline constexpr std::string_view kFenceSample = "NVIDIA, CUDA Samples, threadFenceReduction";
inline constexpr std::string_view kCourse = "A course's tree sum of 64-bit integers, finished on the CPU";
inline constexpr std::string_view kTutorial = "A tutorial's reduction of one block in global memory";
inline constexpr std::string_view kWarpPage =
    "Stack Overflow Documentation, CUDA: parallel reduction, single warp";
inline constexpr std::string_view kCook = "Cook, CUDA Programming (2013), 6: merging by a reduction";
inline constexpr std::string_view kRing =
    "Patarasuk, Yuan, Bandwidth optimal all-reduce algorithms for clusters of workstations (2009)";
inline constexpr std::string_view kNccl = "NVIDIA, NCCL: Collective Operations";
inline constexpr std::string_view kOwn = "Written for this program";
inline constexpr std::string_view kConflicts =
    "Harris, Sengupta, Owens, Parallel Prefix Sum with CUDA, GPU Gems 3 (2007), 39.2.3: avoiding bank "
    "conflicts";
inline constexpr std::string_view kTranspose = "Harris, An Efficient Matrix Transpose in CUDA C/C++ (2013)";
inline constexpr std::string_view kHigham =
    "Higham, The Accuracy of Floating Point Summation, SIAM Journal on Scientific Computing 14 (1993)";
inline constexpr std::string_view kAssociative = "Associativity: (4 - 2) - 6 is not 4 - (2 - 6)";

// Why a variant takes no smaller blocks.
inline constexpr std::string_view kTwoWarps =
    "Its last warp combines 64 elements without a guard: a block has two warps or more.";
inline constexpr std::string_view kWholeWarps =
    "Its warps reduce with all 32 lanes: a block has whole warps.";
inline constexpr std::string_view kOneWarp = "It is the work of one warp: a block has 32 threads.";
inline constexpr std::string_view kTwoStrides =
    "With fewer than 4 threads there is one stride, and nothing goes wrong.";

// Elements per thread, where there are not enough to give every thread of a full grid more: four loads of one
// element in flight per thread, which only a full GPU has enough of, or four packs of 16 bytes.
inline constexpr unsigned kElementsOfAStridingThread = 8, kElementsOfAPackingThread = 16;

}  // namespace stridescope::kernels
