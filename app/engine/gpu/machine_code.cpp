#include "engine/gpu/machine_code.h"

#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>

#include "base/run_tool.h"
#include "engine/gpu/code_listing.h"
#include "engine/gpu/gpu_device.h"
#include "engine/gpu/kernel_compiler.h"
#include "kernels/catalog.h"
#include "model/utc_now.h"

namespace stridescope::engine::gpu {
namespace {

constexpr std::size_t kMaxListing = std::size_t{16} << 20;
constexpr std::chrono::seconds kListingTime{20};

// A file with these bytes, removed with the object.
class TemporaryFile {
 public:
  static Result<std::unique_ptr<TemporaryFile>> with(const std::string& bytes) {
    std::error_code ignored;
    std::string name = (std::filesystem::temp_directory_path(ignored) / "stridescope.XXXXXX").string();
    const int descriptor = ::mkstemp(name.data());
    if (descriptor < 0) return unavailable("No temporary file could be made for nvdisasm.");
    std::unique_ptr<TemporaryFile> file(new TemporaryFile(name));
    const ssize_t written = ::write(descriptor, bytes.data(), bytes.size());
    ::close(descriptor);
    if (written != ssize_t(bytes.size()))
      return unavailable("The disk is full: nvdisasm has nothing to read.");
    return file;
  }
  ~TemporaryFile() { ::unlink(name_.c_str()); }
  TemporaryFile(const TemporaryFile&) = delete;
  TemporaryFile& operator=(const TemporaryFile&) = delete;
  const std::string& name() const { return name_; }

 private:
  explicit TemporaryFile(std::string name) : name_(std::move(name)) {}
  std::string name_;
};

std::string findDisassembler() {
  std::vector<std::string> folders;
  for (const char* variable : {"CUDA_HOME", "CUDA_PATH"})
    if (const char* const folder = std::getenv(variable)) folders.push_back(std::string(folder) + "/bin");
  folders.emplace_back("/usr/local/cuda/bin");
  return findTool("nvdisasm", folders);
}

Result<std::string> disassembled(const std::string& tool, const std::string& cubin) {
  const auto file = TemporaryFile::with(cubin);
  if (!file) return tl::unexpected(file.error());
  return runTool({tool, "--print-code", "--print-line-info-inline", (*file)->name()}, kMaxListing,
                 kListingTime);
}

// "--gpu-architecture=sm_90"
std::string targetIn(const std::string& option) { return option.substr(option.find('=') + 1); }

}  // namespace

Result<model::MachineCode> machineCodeOf(const model::Experiment& experiment, std::optional<unsigned> index,
                                         const GpuPlaces& places) {
  model::MachineCode code{.experiment = experiment,
                          .kernelHash = model::hashOf(kernels::kernelText(experiment)),
                          .executor = {.kind = model::EngineKind::Gpu, .recordedOn = model::utcNow()}};
  int driver = 0, capability = kReadCapability;
  if (index) {
    const auto api = loadDriver(places.driver);
    if (!api) return tl::unexpected(api.error());
    const auto facts = deviceFacts(**api, *index);
    if (!facts) return tl::unexpected(facts.error());
    driver = (*api)->version;
    capability = facts->computeCapability;
    code.executor.device = facts->name;
    code.executor.computeCapability = facts->capabilityText();
    code.executor.driver = installedDriverRelease();
  }
  const auto nvrtc = loadNvrtc(places.nvrtc, driver);
  if (!nvrtc) return tl::unexpected(nvrtc.error());
  code.executor.compiler = "NVRTC " + (*nvrtc)->versionText();
  auto architecture = architectureOption(**nvrtc, capability);
  if (!architecture) return tl::unexpected(architecture.error());
  code.target = targetIn(*architecture);

  const KernelText kernel = kernelTextOf(experiment);
  const auto program = KernelCompiler(*nvrtc, *architecture, {}).listed(kernel);
  if (!program) return tl::unexpected(program.error());
  const std::string tool = findDisassembler();
  if (const bool isMachine = code.target.starts_with("sm_"); isMachine && !tool.empty()) {
    const auto compiled = compile(**nvrtc, *program);
    if (!compiled) return tl::unexpected(compiled.error());
    if (const auto listing = disassembled(tool, compiled->image))
      code.lines = sassLines(*listing, kernel.fileName);
  }
  if (code.lines.empty()) {
    const auto ptx = compileToPtx(**nvrtc, *program);
    if (!ptx) return tl::unexpected(ptx.error());
    code.kind = model::CodeKind::Ptx;
    code.lines = ptxLines(*ptx, kernel.fileName);
  }
  if (const auto fault = model::faultOf(code))
    return unavailable("The machine code of " + experiment.variant + " cannot be shown: " + *fault + ".");
  return code;
}

}  // namespace stridescope::engine::gpu
