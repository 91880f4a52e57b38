#include "engine/gpu/compiler.h"

#include <algorithm>
#include <mutex>
#include <sstream>

#include "engine/gpu/driver_api.h"
#include "engine/gpu/shared_library.h"

namespace stridescope::engine::gpu {
namespace {

// Its first compilation in a process has NVRTC open more libraries, the driver among them, and call it. With
// an empty text that is soon done, so that a driver that hangs there is noticed as soon as elsewhere.
void compileNothing(const NvrtcApi& nvrtc) {
  static std::once_flag first;
  std::call_once(first, [&] {
    const LibraryCall compiling("nvrtcCompileProgram");
    nvrtcProgram program = nullptr;
    if (nvrtc.nvrtcCreateProgram(&program, "", nullptr, 0, nullptr, nullptr) != NVRTC_SUCCESS) return;
    nvrtc.nvrtcCompileProgram(program, 0, nullptr);
    nvrtc.nvrtcDestroyProgram(&program);
  });
}

// One nvrtcProgram, destroyed at the end of its scope.
class Compilation {
 public:
  Compilation(const NvrtcApi& nvrtc, const Program& program) : nvrtc_(nvrtc), program_(program) {}
  ~Compilation() {
    if (handle_ != nullptr) nvrtc_.nvrtcDestroyProgram(&handle_);
  }
  Compilation(const Compilation&) = delete;
  Compilation& operator=(const Compilation&) = delete;

  Result<void> run() {
    compileNothing(nvrtc_);
    std::vector<std::string> texts;
    std::vector<const char*> names, contents, options;
    texts.reserve(program_.headers.size());
    for (const NamedText& header : program_.headers) {
      names.push_back(header.name.c_str());
      contents.push_back(texts.emplace_back(header.text).c_str());
    }
    for (const std::string& option : program_.options) options.push_back(option.c_str());

    nvrtcResult code =
        nvrtc_.nvrtcCreateProgram(&handle_, program_.text.c_str(), program_.name.c_str(),
                                  static_cast<int>(names.size()), contents.data(), names.data());
    if (code != NVRTC_SUCCESS) return failure("nvrtcCreateProgram", code);
    for (const std::string& kernel : kernels()) {
      code = nvrtc_.nvrtcAddNameExpression(handle_, kernel.c_str());
      if (code != NVRTC_SUCCESS) return failure("nvrtcAddNameExpression", code);
    }
    const LibraryCall compiling("nvrtcCompileProgram", kLongCall);
    code = nvrtc_.nvrtcCompileProgram(handle_, static_cast<int>(options.size()), options.data());
    if (code == NVRTC_ERROR_COMPILATION) return compileError();
    if (code != NVRTC_SUCCESS) return failure("nvrtcCompileProgram", code);
    return {};
  }

  Result<std::string> loweredName() {
    std::string names;
    for (const std::string& kernel : kernels()) {
      const char* name = nullptr;
      const nvrtcResult code = nvrtc_.nvrtcGetLoweredName(handle_, kernel.c_str(), &name);
      if (code != NVRTC_SUCCESS) return tl::unexpected(failure("nvrtcGetLoweredName", code).error());
      if (!names.empty()) names += '\n';
      names += name;
    }
    return names;
  }

  using GetSize = LibraryFunction<decltype(&::nvrtcGetPTXSize)>;
  using GetText = LibraryFunction<decltype(&::nvrtcGetPTX)>;
  Result<std::string> output(const GetSize& sizeOf, const GetText& get, std::string_view call) {
    std::size_t size = 0;
    nvrtcResult code = sizeOf(handle_, &size);
    std::string text(size, '\0');
    if (code == NVRTC_SUCCESS) code = get(handle_, text.data());
    if (code != NVRTC_SUCCESS) return tl::unexpected(failure(call, code).error());
    return text;
  }

 private:
  std::vector<std::string> kernels() const {
    std::vector<std::string> names;
    std::istringstream lines(program_.kernel);
    for (std::string name; std::getline(lines, name);) names.push_back(name);
    return names;
  }

  std::string log() {
    std::size_t size = 0;
    if (nvrtc_.nvrtcGetProgramLogSize(handle_, &size) != NVRTC_SUCCESS || size == 0) return {};
    std::string text(size, '\0');
    if (nvrtc_.nvrtcGetProgramLog(handle_, text.data()) != NVRTC_SUCCESS) return {};
    while (!text.empty() && text.back() == '\0') text.pop_back();
    return text;
  }

  Result<void> compileError() {
    const std::string text = log();
    // "sequential.cu(9): error: identifier "dat" is undefined": the first such line.
    std::string first = text.substr(0, text.find('\n'));
    for (std::size_t begin = 0; begin < text.size();) {
      const std::size_t end = std::min(text.find('\n', begin), text.size());
      const std::string line = text.substr(begin, end - begin);
      if (line.find("error") != std::string::npos) {
        first = line;
        break;
      }
      begin = end + 1;
    }
    return tl::unexpected(Error{ErrorKind::Unavailable,
                                "The kernel does not compile: " + first + ". Fix its text.", text,
                                ErrorCause::KernelText});
  }

  Result<void> failure(std::string_view call, nvrtcResult code) {
    const std::string advice =
        code == NVRTC_ERROR_BUILTIN_OPERATION_FAILURE
            ? "Its second library, libnvrtc-builtins, must lie beside it and be of the same release."
        : code == NVRTC_ERROR_OUT_OF_MEMORY ? "Close other programs."
                                            : "Reinstall NVRTC, or name another in STRIDESCOPE_NVRTC.";
    std::string details = std::string(call) + ": " + std::to_string(code);
    if (handle_ != nullptr) details.append("\n").append(log());
    return tl::unexpected(Error{code == NVRTC_ERROR_OUT_OF_MEMORY ? ErrorKind::Limit : ErrorKind::Unavailable,
                                "NVRTC " + nvrtc_.versionText() + " (" + nvrtc_.library->path() +
                                    ") could not compile the kernel: " + nvrtc_.nvrtcGetErrorString(code) +
                                    ". " + advice,
                                std::move(details)});
  }

  const NvrtcApi& nvrtc_;
  const Program& program_;
  nvrtcProgram handle_ = nullptr;
};

bool forVirtualArchitecture(const Program& program) {
  return std::ranges::any_of(program.options, [](const std::string& option) {
    return option.find("gpu-architecture=compute_") != std::string::npos;
  });
}

}  // namespace

Result<CompiledKernel> compile(const NvrtcApi& nvrtc, const Program& program) {
  Compilation compilation(nvrtc, program);
  if (auto done = compilation.run(); !done) return tl::unexpected(done.error());
  auto name = compilation.loweredName();
  if (!name) return tl::unexpected(name.error());
  auto image = forVirtualArchitecture(program)
                   ? compilation.output(nvrtc.nvrtcGetPTXSize, nvrtc.nvrtcGetPTX, "nvrtcGetPTX")
                   : compilation.output(nvrtc.nvrtcGetCUBINSize, nvrtc.nvrtcGetCUBIN, "nvrtcGetCUBIN");
  if (!image) return tl::unexpected(image.error());
  return CompiledKernel{std::move(*image), std::move(*name)};
}

Result<std::string> compileToPtx(const NvrtcApi& nvrtc, const Program& program) {
  Compilation compilation(nvrtc, program);
  if (auto done = compilation.run(); !done) return tl::unexpected(done.error());
  return compilation.output(nvrtc.nvrtcGetPTXSize, nvrtc.nvrtcGetPTX, "nvrtcGetPTX");
}

namespace {

constexpr int kOldestMajor = 12;

std::string capabilityText(int capability) {
  return std::to_string(capability / 10) + "." + std::to_string(capability % 10);
}

// One candidate, with its functions and what it says of itself; the reason if it is of no use.
Result<std::shared_ptr<NvrtcApi>> openNvrtc(const std::string& candidate) {
  auto library = SharedLibrary::open({candidate});
  if (!library) return tl::unexpected(library.error());
  auto api = std::make_shared<NvrtcApi>();
  api->library = *library;
#define STRIDESCOPE_LOOK_UP(name)                               \
  api->name = api->library->function<decltype(&::name)>(#name); \
  if (api->name == nullptr) return unavailable({}, candidate + " has no " #name);
  STRIDESCOPE_NVRTC_FUNCTIONS(STRIDESCOPE_LOOK_UP)
#undef STRIDESCOPE_LOOK_UP

  int count = 0;
  if (api->nvrtcVersion(&api->major, &api->minor) != NVRTC_SUCCESS ||
      api->nvrtcGetNumSupportedArchs(&count) != NVRTC_SUCCESS || count <= 0)
    return unavailable({}, candidate + " does not tell its version");
  api->architectures.resize(static_cast<std::size_t>(count));
  if (api->nvrtcGetSupportedArchs(api->architectures.data()) != NVRTC_SUCCESS)
    return unavailable({}, candidate + " does not tell its architectures");
  std::ranges::sort(api->architectures);
  return api;
}

}  // namespace

Result<std::shared_ptr<const NvrtcApi>> loadNvrtc(const std::string& given, int driverVersion) {
  std::string reasons, tooNew;
  for (const std::string& candidate : nvrtcCandidates(given)) {
    auto opened = openNvrtc(candidate);
    std::string reason;
    if (!opened)
      reason = opened.error().details;
    else if ((*opened)->major < kOldestMajor)
      reason = candidate + " is NVRTC " + (*opened)->versionText() + ", older than 12";
    else if (driverVersion != 0 && (*opened)->major > driverVersion / 1000)
      reason = candidate + " is NVRTC " + (tooNew = (*opened)->versionText());
    else
      return *opened;
    if (!reasons.empty()) reasons += '\n';
    reasons += reason;
  }
  if (!tooNew.empty())
    return unavailable("The NVIDIA driver runs programs of CUDA " + cudaVersionText(driverVersion) +
                           " at most, but the compiler found is NVRTC " + tooNew +
                           ". Update the driver (CUDA 13 needs 580 or newer), or name a libnvrtc.so.12 in "
                           "STRIDESCOPE_NVRTC.",
                       reasons);
  return unavailable(
      "NVRTC, CUDA's run-time compiler, was not found (libnvrtc.so.13 or .12). Install the CUDA toolkit or "
      "unpack this program's NVRTC archive over it, or name the file in STRIDESCOPE_NVRTC.",
      reasons);
}

Result<std::string> architectureOption(const NvrtcApi& nvrtc, int computeCapability) {
  const auto& known = nvrtc.architectures;
  if (std::ranges::binary_search(known, computeCapability))
    return "--gpu-architecture=sm_" + std::to_string(computeCapability);
  if (computeCapability < known.front())
    return unavailable("This GPU has compute capability " + capabilityText(computeCapability) +
                       ", but NVRTC " + nvrtc.versionText() + " compiles for " +
                       capabilityText(known.front()) +
                       " and newer. Name an older libnvrtc (12 compiles for 5.0 and newer) in "
                       "STRIDESCOPE_NVRTC, or use the CPU executor (on the command line: --engine host).");
  const auto newest = std::prev(std::ranges::upper_bound(known, computeCapability));
  return "--gpu-architecture=compute_" + std::to_string(*newest);
}

}  // namespace stridescope::engine::gpu
