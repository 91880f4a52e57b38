#include "engine/gpu/gpu_module.h"

#include <vector>

#include "base/result.h"
#include "engine/gpu/compiler.h"
#include "engine/gpu/gpu_memory.h"
#include "model/trace_check.h"

namespace stridescope::engine::gpu {
namespace {

constexpr std::string_view kElf =
    "\x7f"
    "ELF";  // what machine code begins with

}  // namespace

Result<std::unique_ptr<GpuModule>> GpuModule::load(GpuDevice& device, const CompiledKernel& kernel,
                                                   std::string name) {
  const std::string doing = "load " + name;
  std::unique_ptr<GpuModule> module(new GpuModule(device, std::move(name)));
  const DriverApi& api = device.api();
  // PTX is text; the driver compiles it.
  const bool isPtx = !kernel.image.starts_with(kElf);
  const LibraryCall loading("cuModuleLoadData", isPtx ? kLongCall : kPlainCall);
  STRIDESCOPE_TRY(
      device.check(api.cuModuleLoadData(&module->module_, kernel.image.c_str()), "cuModuleLoadData", doing));
  STRIDESCOPE_TRY(
      device.check(api.cuModuleGetFunction(&module->function_, module->module_, kernel.loweredName.c_str()),
                   "cuModuleGetFunction", doing));
  int bytes = 0;
  STRIDESCOPE_TRY(
      device.check(api.cuFuncGetAttribute(&bytes, CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES, module->function_),
                   "cuFuncGetAttribute", doing));
  module->staticSharedBytes_ = static_cast<std::uint64_t>(bytes);
  return module;
}

GpuModule::~GpuModule() {
  if (module_ != nullptr)
    device_.release(generation_, [&](const DriverApi& api) { api.cuModuleUnload(module_); });
}

Result<CUdeviceptr> GpuModule::variable(const char* symbol, std::size_t bytes) {
  CUdeviceptr address = 0;
  std::size_t found = 0;
  STRIDESCOPE_TRY(device_.check(device_.api().cuModuleGetGlobal(&address, &found, module_, symbol),
                                "cuModuleGetGlobal", "find " + std::string(symbol) + " in " + name_));
  if (found != bytes)
    return unavailable(
        "The compiled recorder of " + name_ +
            " does not fit this program. Empty the cache of "
            "compiled kernels (doctor names its folder).",
        std::string(symbol) + ": " + std::to_string(found) + " bytes, not " + std::to_string(bytes));
  return address;
}

Result<void> GpuModule::allow(const LaunchSize& size) {
  if (size.grid.isOneRow() && size.grid.x > model::kMaxGrid.x)
    return usageError("The GPU launches at most " + std::to_string(model::kMaxGrid.x) + " blocks, not " +
                      std::to_string(size.grid.x) + ". Take larger blocks or fewer elements.");
  if (const auto fault = model::faultOfShape(size.grid, size.block))
    return usageError("The GPU cannot launch " + *fault + ". Choose another shape.");
  if (size.sharedBytes + staticSharedBytes_ <= allowedSharedBytes_) return {};
  STRIDESCOPE_TRY(device_.check(
      device_.api().cuFuncSetAttribute(function_, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES,
                                       static_cast<int>(size.sharedBytes)),
      "cuFuncSetAttribute",
      "give a block of " + name_ + " " + bytesText(size.sharedBytes) + " of shared memory"));
  allowedSharedBytes_ = size.sharedBytes + staticSharedBytes_;
  return {};
}

Result<void> GpuModule::launch(const LaunchSize& size, std::span<const std::uint64_t> arguments) {
  STRIDESCOPE_TRY(allow(size));
  const std::string doing = "launch " + name_ + " with " + model::text(size.grid) + " blocks of " +
                            model::text(size.block) + " threads";
  std::vector<std::uint64_t> values(arguments.begin(), arguments.end());
  std::vector<void*> pointers;
  for (std::uint64_t& value : values) pointers.push_back(&value);
  return device_.check(
      device_.api().cuLaunchKernel(function_, static_cast<unsigned>(size.grid.x), size.grid.y, size.grid.z,
                                   static_cast<unsigned>(size.block.x), size.block.y, size.block.z,
                                   static_cast<unsigned>(size.sharedBytes), device_.stream(), pointers.data(),
                                   nullptr),
      "cuLaunchKernel", doing);
}

}  // namespace stridescope::engine::gpu
