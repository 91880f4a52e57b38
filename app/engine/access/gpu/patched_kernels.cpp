#include "engine/access/gpu/patched_kernels.h"

#include <algorithm>
#include <array>
#include <sstream>

#include "base/numbers.h"
#include "engine/access/gpu/host_headers.h"
#include "engine/gpu/compiler.h"
#include "engine/gpu/gpu_device.h"
#include "engine/library_call.h"

namespace stridescope::engine::access::gpu {

std::string_view embeddedPatches(std::string_view fileName);  // generated from kernels/access_gpu/

namespace {

using engine::gpu::GpuSession;
using engine::gpu::NamedText;
using engine::gpu::Program;

struct Patch {
  Instruction instruction;
  const char* function;
  bool isOptional = false;  // older releases of the API do not know it
};
constexpr std::array kPatches{Patch{Instruction::SharedAccess, "onShared"},
                              Patch{Instruction::GlobalAccess, "onGlobal"},
                              Patch{Instruction::AsyncCopy, "onAsyncCopy"},
                              Patch{Instruction::Barrier, "onBarrier"},
                              Patch{Instruction::BlockExit, "onEnd"},
                              Patch{Instruction::WarpBarrier, "onWarpBarrier"},
                              Patch{Instruction::Shuffle, "onShuffle"},
                              Patch{Instruction::RemoteSharedAccess, "onRemoteShared"},
                              Patch{Instruction::BulkCopyToShared, "onBulkCopy"},
                              Patch{Instruction::BulkCopyToGlobal, "onBulkCopyOut", true},
                              Patch{Instruction::BulkCopyBetweenBlocks, "onBulkCopyOver", true},
                              Patch{Instruction::BulkReductionToGlobal, "onBulkReduction", true},
                              Patch{Instruction::AsyncStore, "onAsyncStore", true},
                              Patch{Instruction::ClusterBarrierArrival, "onClusterBarrier", true},
                              Patch{Instruction::ArrivalBarrier, "onArrivalBarrier"}};
constexpr std::array kClockPatches{Patch{Instruction::BlockEnter, "onClockedStart"},
                                   Patch{Instruction::BlockExit, "onClockedEnd"},
                                   Patch{Instruction::Barrier, "onClockedArrive"},
                                   Patch{Instruction::BarrierRelease, "onClockedLeave"},
                                   Patch{Instruction::WarpBarrierRelease, "onClockedWarpBarrier"},
                                   Patch{Instruction::Shuffle, "onClockedShuffle"}};

constexpr std::array kTimePatches{Patch{Instruction::BlockEnter, "onTimedStart"},
                                  Patch{Instruction::BlockExit, "onTimedEnd"}};

// Whether a name of the program's is that of the variable: "tile", or "sum::tile" of the function sum.
bool isNamed(const CubinVariable& variable, std::string_view name) {
  const std::size_t scope = name.rfind("::");
  if (scope == std::string_view::npos) return variable.name == name;
  return variable.name == name.substr(scope + 2) && variable.function == name.substr(0, scope);
}

}  // namespace

Result<std::string> compiledPatches(GpuSession& session) {
  Program program{.name = "patches.cu",
                  .text = std::string(embeddedPatches("patches.cu")),
                  .kernel = {},
                  .options = {"--std=c++17", "--ptxas-options=--compile-as-tools-patch"},
                  .headers = {NamedText{"log.h", embeddedPatches("log.h")}}};
  auto compiled = session.compile(std::move(program));
  if (!compiled) return tl::unexpected(compiled.error());
  return std::move(compiled->image);
}

Result<GpuKernelFacts> factsOf(GpuSession& session, const GpuAccessOrder& order) {
  const std::vector<SourceText> headers = hostHeaders();
  Program program = programOf(order, headers, Contraction::Separate);
  program.options.emplace_back("--device-debug");
  const auto compiled = session.compile(std::move(program));
  if (!compiled) return tl::unexpected(compiled.error());
  const auto cubin = readCubin(compiled->image);
  if (!cubin) return tl::unexpected(cubin.error());
  std::vector<std::string> symbols;
  std::istringstream names(compiled->loweredName);
  for (std::string name; std::getline(names, name);) symbols.push_back(name);
  GpuKernelFacts facts{.types = parametersIn(compiled->image, symbols)};
  for (const std::string& symbol : symbols) {
    SharedLayout& layout = facts.shared.emplace_back();
    layout.dynamic = {.name = "dynamic", .elementBytes = 4, .bytes = 0};
    for (const CubinVariable& variable : cubin->shared) {
      if (variable.kernel == symbol)
        layout.arrays.push_back({.name = variable.name, .elementBytes = 4, .bytes = variable.bytes});
      if (variable.kernel.empty()) layout.dynamic.name = variable.name;
    }
  }
  return facts;
}

namespace {

// The names of shared arrays are in what is compiled for a debugger; they lie there as in the other.
Cubin describedCubin(GpuSession& session, const GpuAccessOrder& order) {
  const std::vector<SourceText> headers = hostHeaders();
  Program program = programOf(order, headers, Contraction::Separate);
  program.options.emplace_back("--device-debug");
  const auto compiled = session.compile(std::move(program));
  if (!compiled) return {};
  return readCubin(compiled->image).value_or(Cubin{});
}

}  // namespace

Result<std::unique_ptr<PatchedKernels>> PatchedKernels::load(GpuSession& session,
                                                             const SanitizerApi& sanitizer,
                                                             const GpuAccessOrder& order, Patching patching) {
  // Values are to be those of the CPU.
  auto loaded = LoadedKernels::load(session, order, Contraction::Separate);
  if (!loaded) return tl::unexpected(loaded.error());
  std::unique_ptr<PatchedKernels> kernels(new PatchedKernels(session, sanitizer));
  kernels->kernels_ = *std::move(loaded);
  auto cubin = readCubin(kernels->kernels_->image());
  if (!cubin) return tl::unexpected(cubin.error());
  kernels->cubin_ = *std::move(cubin);

  if (patching == Patching::Accesses) kernels->described_ = describedCubin(session, order);
  STRIDESCOPE_TRY(kernels->patch(patching));
  STRIDESCOPE_TRY(kernels->kernels_->find());
  kernels->readFunctions();
  return kernels;
}

Result<void> PatchedKernels::patch(Patching patching) {
  std::span<const Patch> patches = kPatches;
  if (patching == Patching::Clock) patches = kClockPatches;
  if (patching == Patching::Times) patches = kTimePatches;
  for (const Patch& patch : patches) {
    const auto answer =
        sanitizer_.patchInstructions(int(patch.instruction), kernels_->module(), patch.function);
    if (!patch.isOptional)
      STRIDESCOPE_TRY(sanitizer_.check(answer, "sanitizerPatchInstructions " + std::string(patch.function)));
  }
  const LibraryCall calling("sanitizerPatchModule", kLongCall);
  return sanitizer_.check(sanitizer_.patchModule(kernels_->module()), "sanitizerPatchModule");
}

void PatchedKernels::readFunctions() {
  for (std::size_t i = 0; i < cubin_.functions.size(); ++i) {
    LoadedFunction loaded{.bytes = cubin_.functions[i].bytes, .function = i};
    std::uint64_t ownBytes = 0;
    if (sanitizer_.functionPcAndSize(kernels_->module(), cubin_.functions[i].symbol.c_str(), &loaded.begin,
                                     &ownBytes) == 0)
      loaded_.push_back(loaded);
  }
  std::ranges::sort(loaded_, {}, &LoadedFunction::begin);
}

InstructionPlace PatchedKernels::placeOf(std::uint64_t pc, std::string_view textFile) const {
  const auto after = std::ranges::upper_bound(loaded_, pc, {}, &LoadedFunction::begin);
  if (after == loaded_.begin()) return {.offset = pc};
  const LoadedFunction& loaded = *std::prev(after);
  const std::uint64_t offset = pc - loaded.begin;
  if (offset >= loaded.bytes) return {.offset = pc};
  return {loaded.function, offset, cubin_.functions[loaded.function].lineOf(offset, textFile)};
}

std::uint64_t PatchedKernels::variable(const char* symbol) const {
  CUdeviceptr address = 0;
  std::size_t bytes = 0;
  const auto found = session_.device->api().cuModuleGetGlobal(&address, &bytes, kernels_->module(), symbol);
  return found == CUDA_SUCCESS ? address : 0;
}

Result<PatchedKernels::Window> PatchedKernels::windowOf(std::uint32_t kernel, const SharedLayout& layout,
                                                        std::uint64_t dynamicBytes) {
  engine::gpu::GpuDevice& device = *session_.device;
  int bytes = 0;
  STRIDESCOPE_TRY(device.check(device.api().cuFuncGetAttribute(&bytes, CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES,
                                                               kernels_->function(kernel)),
                               "cuFuncGetAttribute", "ask how much shared memory the kernel takes"));
  const auto staticBytes = std::uint64_t(bytes);
  Window window;
  // The first bytes of the window may be the system's. Since compute capability 9.0 they are 1 KiB.
  int reserved = 0;
  STRIDESCOPE_TRY(device.check(
      device.api().cuDeviceGetAttribute(&reserved, CU_DEVICE_ATTRIBUTE_RESERVED_SHARED_MEMORY_PER_BLOCK,
                                        device.facts().device),
      "cuDeviceGetAttribute", "ask where a block's shared memory begins"));
  const auto sectionEnd = cubin_.sharedEndOf(kernels_->symbol(kernel));
  window.begin =
      sectionEnd && *sectionEnd >= staticBytes ? *sectionEnd - staticBytes : std::uint64_t(reserved);
  window.end = window.begin + staticBytes;

  const bool liesAlike = described_.sharedEndOf(kernels_->symbol(kernel)) == sectionEnd;
  std::vector<bool> isTaken(described_.shared.size());
  for (const model::Array& array : layout.arrays) {
    std::size_t found = described_.shared.size();
    for (std::size_t i = 0; liesAlike && i < described_.shared.size(); ++i)
      if (!isTaken[i] && found == described_.shared.size() && described_.shared[i].bytes == array.bytes &&
          described_.shared[i].kernel == kernels_->symbol(kernel) &&
          isNamed(described_.shared[i], array.name))
        found = i;
    if (found == described_.shared.size()) continue;  // not used by this kernel
    isTaken[found] = true;
    window.arrays.push_back({array, described_.shared[found].offset});
  }
  std::uint64_t known = 0;
  for (const PlacedArray& placed : window.arrays) known += placed.array.bytes;
  // What lies between arrays is less than the alignment of one.
  constexpr std::uint64_t kMostPadding = 128;
  if (staticBytes > known + kMostPadding * (window.arrays.size() + 1) ||
      window.arrays.size() >= recording::kMaxSharedArrays)
    window.arrays = {{model::Array{.name = "shared", .elementBytes = 4, .bytes = staticBytes}, window.begin}};
  std::ranges::sort(window.arrays, {}, &PlacedArray::begin);
  if (dynamicBytes > 0) {
    constexpr std::uint64_t kAlignment = 16;
    const auto named = std::ranges::find(described_.shared, "", &CubinVariable::kernel);
    const std::uint64_t begin = liesAlike && named != described_.shared.end()
                                    ? std::max(named->offset, window.end)
                                    : (window.end + kAlignment - 1) / kAlignment * kAlignment;
    window.arrays.push_back({layout.dynamic, begin});
    window.end = begin + dynamicBytes;
  }
  return window;
}

Result<void> PatchedKernels::launch(const AccessLaunch& launch, std::span<void*> arguments, CUdeviceptr log) {
  STRIDESCOPE_TRY(sanitizer_.check(
      sanitizer_.setCallbackData(kernels_->function(launch.kernel), reinterpret_cast<const void*>(log)),
      "sanitizerSetCallbackData"));
  return kernels_->launch(launch, arguments);
}

}  // namespace stridescope::engine::access::gpu
