#include "engine/access/gpu/loaded_kernels.h"

#include <algorithm>
#include <cstring>
#include <sstream>

#include "engine/access/gpu/host_headers.h"
#include "engine/library_call.h"

namespace stridescope::engine::access::gpu {

using engine::gpu::DriverApi;
using engine::gpu::GpuDevice;
using engine::gpu::GpuSession;
using engine::gpu::Program;

Program programOf(const GpuAccessOrder& order, const std::vector<SourceText>& hostHeaders,
                  Contraction contraction) {
  Program program{.name = order.order.textFile,
                  .text = order.text,
                  .kernel = {},
                  // A function of the text without __host__ or __device__ is used in kernels, or not at all.
                  // NVRTC lacks GCC's functions that nvcc has by its host compiler.
                  .options = {"--std=c++20", "--device-as-default-execution-space",
                              "--define-macro=__builtin_huge_valf()=__int_as_float(0x7f800000)",
                              "--define-macro=__builtin_huge_val()=__longlong_as_double(0x7ff0000000000000)"},
                  .headers = {}};
  if (contraction == Contraction::Separate) program.options.emplace_back("--fmad=false");
  for (const std::string& kernel : order.kernels)
    program.kernel += (program.kernel.empty() ? "" : "\n") + kernel;
  for (const SourceText& header : order.headers) program.headers.push_back({header.name, header.text});
  for (const SourceText& header : hostHeaders) {
    const bool isTheirs = std::ranges::count(order.headers, header.name, &SourceText::name) != 0;
    if (!isTheirs) program.headers.push_back({header.name, header.text});
  }
  return program;
}

Result<std::unique_ptr<LoadedKernels>> LoadedKernels::load(GpuSession& session, const GpuAccessOrder& order,
                                                           Contraction contraction) {
  const std::vector<SourceText> headers = hostHeaders();
  Program program = programOf(order, headers, contraction);
  program.options.emplace_back("--generate-line-info");
  auto compiled = session.compile(std::move(program));
  if (!compiled) return tl::unexpected(compiled.error());
  std::unique_ptr<LoadedKernels> kernels(new LoadedKernels(session));
  kernels->image_ = std::move(compiled->image);
  std::istringstream names(compiled->loweredName);
  for (std::string name; std::getline(names, name);) kernels->symbols_.push_back(name);
  GpuDevice& device = *session.device;
  const LibraryCall loading("cuModuleLoadData", kLongCall);
  STRIDESCOPE_TRY(device.check(device.api().cuModuleLoadData(&kernels->module_, kernels->image_.c_str()),
                               "cuModuleLoadData", "load " + order.order.textFile));
  return kernels;
}

LoadedKernels::~LoadedKernels() {
  if (module_ != nullptr && session_.device->isUsable()) session_.device->api().cuModuleUnload(module_);
}

Result<void> LoadedKernels::find() {
  GpuDevice& device = *session_.device;
  for (const std::string& symbol : symbols_) {
    CUfunction function = nullptr;
    STRIDESCOPE_TRY(device.check(device.api().cuModuleGetFunction(&function, module_, symbol.c_str()),
                                 "cuModuleGetFunction", "find " + symbol));
    functions_.push_back(function);
  }
  return {};
}

Result<void> LoadedKernels::launch(const AccessLaunch& launch, std::span<void*> arguments) {
  GpuDevice& device = *session_.device;
  const DriverApi& api = device.api();
  const CUfunction kernel = functions_[launch.kernel];
  constexpr std::uint64_t kWithoutAsking = 48 << 10;  // CUDA's rule; more must be asked for
  if (launch.sharedBytes > kWithoutAsking)
    STRIDESCOPE_TRY(
        device.check(api.cuFuncSetAttribute(kernel, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES,
                                            int(launch.sharedBytes)),
                     "cuFuncSetAttribute",
                     "give a block of " + launch.function + " " + engine::gpu::bytesText(launch.sharedBytes) +
                         " of shared memory"));
  return device.check(
      api.cuLaunchKernel(kernel, unsigned(launch.grid.x), launch.grid.y, launch.grid.z,
                         unsigned(launch.block.x), launch.block.y, launch.block.z,
                         unsigned(launch.sharedBytes), device.stream(), arguments.data(), nullptr),
      "cuLaunchKernel",
      "launch " + launch.function + " with " + model::text(launch.grid) + " blocks of " +
          model::text(launch.block) + " threads");
}

namespace {

constexpr std::uint64_t kGap = 64 << 10;  // between arrays: an index that misses one does not hit the next
constexpr std::uint64_t kAlignment = 256;

}  // namespace

Result<void> DeviceArrays::fill(std::span<const std::vector<std::uint8_t>> contents) {
  initial_ = contents;
  std::uint64_t bytes = kGap;
  for (const auto& array : contents) {
    ranges_.push_back({bytes, array.size()});
    bytes += (array.size() + kAlignment - 1) / kAlignment * kAlignment + kGap;
  }
  STRIDESCOPE_TRY(memory_.reserve(bytes));
  whole_ = {memory_.address(), bytes};
  for (DeviceRange& range : ranges_) range.base += memory_.address();
  return restore();
}

Result<void> DeviceArrays::restore() {
  for (std::size_t i = 0; i < ranges_.size(); ++i)
    STRIDESCOPE_TRY(copyToGpu(device_, ranges_[i].base, initial_[i].data(), initial_[i].size()));
  return {};
}

Result<std::vector<std::vector<std::uint8_t>>> DeviceArrays::contents() {
  std::vector<std::vector<std::uint8_t>> all;
  for (const DeviceRange& range : ranges_) {
    auto& bytes = all.emplace_back(range.bytes);
    STRIDESCOPE_TRY(copyFromGpu(device_, bytes.data(), range.base, bytes.size()));
  }
  return all;
}

std::vector<void*> addressesOf(std::vector<std::vector<std::uint8_t>>& values) {
  std::vector<void*> addresses;
  for (auto& value : values) addresses.push_back(value.data());
  return addresses;
}

std::vector<std::vector<std::uint8_t>> DeviceArrays::argumentsOf(const AccessLaunch& launch) const {
  std::vector<std::vector<std::uint8_t>> all;
  for (const AccessArgument& argument : launch.arguments)
    all.push_back(bytesOf(argument, [&](std::uint32_t buffer) { return ranges_[buffer].base; }));
  return all;
}

Result<void> copyToGpu(GpuDevice& device, std::uint64_t to, const void* from, std::size_t bytes) {
  if (bytes == 0) return {};
  const LibraryCall copying("cuMemcpyHtoDAsync", kLongCall);
  STRIDESCOPE_TRY(device.check(device.api().cuMemcpyHtoDAsync(to, from, bytes, device.stream()),
                               "cuMemcpyHtoDAsync", "copy to the GPU"));
  return device.check(device.api().cuStreamSynchronize(device.stream()), "cuStreamSynchronize",
                      "copy to the GPU");
}

Result<void> copyFromGpu(GpuDevice& device, void* to, std::uint64_t from, std::size_t bytes) {
  if (bytes == 0) return {};
  const LibraryCall copying("cuMemcpyDtoHAsync", kLongCall);
  STRIDESCOPE_TRY(device.check(device.api().cuMemcpyDtoHAsync(to, from, bytes, device.stream()),
                               "cuMemcpyDtoHAsync", "copy from the GPU"));
  return device.check(device.api().cuStreamSynchronize(device.stream()), "cuStreamSynchronize",
                      "copy from the GPU");
}

}  // namespace stridescope::engine::access::gpu
