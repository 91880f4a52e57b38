#include "engine/gpu/kernel_compiler.h"

#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstdlib>
#include <filesystem>
#include <vector>

#include "base/in_parallel.h"
#include "base/pending_file.h"
#include "base/regular_file.h"
#include "base/result.h"
#include "engine/gpu/shared_library.h"
#include "kernels/catalog.h"
#include "model/trace.h"

namespace stridescope::engine::gpu {

KernelCompiler::KernelCompiler(std::shared_ptr<const NvrtcApi> nvrtc, std::string architecture,
                               const std::string& cacheFolder)
    : nvrtc_(std::move(nvrtc)), architecture_(std::move(architecture)), cache_(cacheFolder) {}

std::optional<CompiledKernel> KernelCompiler::known(const std::string& key) {
  {
    const std::scoped_lock lock(mutex_);
    if (const auto found = memory_.find(key); found != memory_.end()) return found->second;
  }
  auto stored = cache_.find(key);
  if (stored) {
    const std::scoped_lock lock(mutex_);
    memory_.insert_or_assign(key, *stored);
  }
  return stored;
}

Result<CompiledKernel> KernelCompiler::obtain(const Program& program) {
  const std::string key = CompileCache::keyOf(program, nvrtc_->versionText());
  if (auto kernel = known(key)) return std::move(*kernel);
  auto compiled = compile(*nvrtc_, program);
  if (!compiled) return compiled;
  cache_.store(key, *compiled);
  const std::scoped_lock lock(mutex_);
  memory_.insert_or_assign(key, *compiled);
  ++compiled_;
  return compiled;
}

// Names the folders of CUDA's headers to the compiler, if the kernel needs them.
Result<Program> KernelCompiler::withHeaders(Program program, const KernelText& kernel) const {
  if (!includesHeaders(kernel.text)) return program;
  const auto folders = cudaHeaderFolders(nvrtc_->library->path());
  if (folders.empty())
    return unavailable(
        "The kernel " + kernel.fileName +
        " includes <cooperative_groups.h>, but CUDA's headers were not found. Install the CUDA "
        "toolkit, or name the folder of its headers in STRIDESCOPE_CUDA_INCLUDE. The CPU "
        "executor does without (on the command line: --engine host).");
  for (const std::string& folder : folders) program.options.push_back("--include-path=" + folder);
  return program;
}

Result<CompiledKernel> KernelCompiler::clean(const KernelText& kernel) {
  auto program = withHeaders(cleanProgram(kernel, architecture_), kernel);
  if (!program) return tl::unexpected(program.error());
  return obtain(*program);
}

Result<CompiledKernel> KernelCompiler::recorded(const KernelText& kernel,
                                                instrument::Instrumented* instrumented) {
  auto passed = instrument::instrument(kernel.text);
  if (passed) {
    const auto program = withHeaders(recordedProgram(kernel, *passed, architecture_), kernel);
    if (!program) return tl::unexpected(program.error());
    if (instrumented != nullptr) *instrumented = *passed;
    if (auto found = known(CompileCache::keyOf(*program, nvrtc_->versionText()))) return std::move(*found);
    if (auto compiled = clean(kernel); !compiled) return compiled;
    return obtain(*program);
  }
  // A text that is no CUDA at all is better explained by the compiler than by the text pass.
  if (auto compiled = clean(kernel); !compiled) return compiled;
  return tl::unexpected(refused(kernel, passed.error()));
}

Result<CompiledKernel> KernelCompiler::timed(const KernelText& kernel, TimedForm form) {
  if (form == TimedForm::Clean) return clean(kernel);
  const auto passed = instrument::instrument(kernel.text);
  if (!passed) return tl::unexpected(refused(kernel, passed.error()));
  const auto make = form == TimedForm::Clocked  ? clockedProgram
                    : form == TimedForm::Marked ? markedProgram
                                                : peeledProgram;
  Program made = make(kernel, *passed, architecture_);
  if (form == TimedForm::CountingMarks) made.options.emplace_back("--define-macro=CLOCKING_COUNTS_MARKS");
  const auto program = withHeaders(std::move(made), kernel);
  if (!program) return tl::unexpected(program.error());
  return obtain(*program);
}

Result<CompiledKernel> KernelCompiler::compiled(Program program) {
  program.options.insert(program.options.begin(), architecture_);
  for (const std::string& folder : cudaHeaderFolders(nvrtc_->library->path()))
    program.options.push_back("--include-path=" + folder);
  return obtain(program);
}

Result<Program> KernelCompiler::listed(const KernelText& kernel) const {
  Program program = cleanProgram(kernel, architecture_);
  program.options.emplace_back("--generate-line-info");
  return withHeaders(std::move(program), kernel);
}

Error KernelCompiler::refused(const KernelText& kernel, const instrument::Refusal& refusal) {
  return {.kind = ErrorKind::Unavailable,
          .sentence = "The kernel cannot be recorded: " + kernel.fileName + "(" +
                      std::to_string(refusal.line) + "," + std::to_string(refusal.column) +
                      "): " + refusal.reason,
          .details = {}};
}

Result<unsigned> KernelCompiler::precompile(const std::vector<KernelText>& kernels, JobControl& job,
                                            unsigned threads) {
  const auto compiledSoFar = [this] {
    const std::scoped_lock lock(mutex_);
    return compiled_;
  };
  const unsigned before = compiledSoFar();
  std::atomic<std::size_t> done{0};
  std::mutex failureMutex;
  std::optional<Error> failure;
  const auto isOver = [&] {
    const std::scoped_lock lock(failureMutex);
    return job.cancel || failure;
  };

  const auto compile = [&](std::size_t i) {
    if (isOver()) return;
    const auto outcome = withoutExceptions("compiling " + kernels[i].fileName, [&] {
      auto compiled = recorded(kernels[i]);
      return compiled ? clean(kernels[i]) : compiled;
    });
    const std::scoped_lock lock(failureMutex);
    if (!outcome) {
      if (!failure) failure = outcome.error();
      return;
    }
    ++done;
    if (job.progress)
      job.progress(static_cast<float>(done) / static_cast<float>(kernels.size()),
                   "compiled " + kernels[i].fileName);
  };
  inParallel(kernels.size(), compile, threads);
  if (failure) return tl::unexpected(*failure);
  if (job.cancel) return cancelled();
  return compiledSoFar() - before;
}

namespace {

namespace fs = std::filesystem;

// The first line of an entry; the key, the payload's hash and the payload follow. The payload: the lowered
// name, a zero, the image.
constexpr std::string_view kMagic = "stridescope kernel 1\n";
constexpr std::string_view kEnding = ".kernel";

std::string payloadOf(const CompiledKernel& kernel) {
  return kernel.loweredName + std::string(1, '\0') + kernel.image;
}

std::string headerOf(const std::string& key, const std::string& payload) {
  return std::string(kMagic) + key + "\n" + model::hashOf(payload) + "\n";
}

// Length before content: no two lists of fields run together to the same text.
void addField(std::string& all, std::string_view field) {
  all += std::to_string(field.size()) + ":";
  all += field;
}

bool writeAll(int file, std::string_view text) {
  while (!text.empty()) {
    const ssize_t written = ::write(file, text.data(), text.size());
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) return false;
    text.remove_prefix(static_cast<std::size_t>(written));
  }
  return true;
}

bool isUsable(const std::string& folder) {
  std::error_code failed;
  fs::create_directories(folder, failed);
  return !failed && fs::is_directory(folder, failed) && ::access(folder.c_str(), R_OK | W_OK | X_OK) == 0;
}

struct Entry {
  fs::path path;
  std::uint64_t bytes = 0;
  fs::file_time_type used;
};

std::vector<Entry> entriesOf(const std::string& folder) {
  std::vector<Entry> entries;
  std::error_code failed;
  for (fs::directory_iterator item(folder, failed), end; !failed && item != end; item.increment(failed)) {
    std::error_code gone;  // another program may remove it meanwhile
    Entry entry{item->path(), item->file_size(gone), {}};
    if (!gone) entry.used = item->last_write_time(gone);
    if (!gone) entries.push_back(std::move(entry));
  }
  return entries;
}

bool isEntry(const fs::path& path) { return path.extension() == kEnding; }

}  // namespace

CompileCache::CompileCache(std::string folder, std::uint64_t limit) : limit_(limit) {
  if (!folder.empty() && isUsable(folder)) folder_ = std::move(folder);
}

std::string CompileCache::defaultFolder(const std::string& given) {
  if (!given.empty()) return given;
  const auto variable = [](const char* name) -> std::string {
    const char* value = std::getenv(name);
    return value != nullptr ? value : "";
  };
  if (std::string named = variable("STRIDESCOPE_KERNEL_CACHE"); !named.empty()) return named;
  fs::path base = variable("XDG_CACHE_HOME");
  if (!base.is_absolute()) {  // the XDG specification: a relative one is to be ignored
    const fs::path home = variable("HOME");
    if (!home.is_absolute()) return {};
    base = home / ".cache";
  }
  return (base / "stridescope" / "kernels").string();
}

std::string CompileCache::keyOf(const Program& program, const std::string& compilerVersion) {
  std::string all;
  addField(all, compilerVersion);
  addField(all, program.name);
  addField(all, program.text);
  addField(all, program.kernel);
  for (const std::string& option : program.options) addField(all, option);
  for (const NamedText& header : program.headers) {
    addField(all, header.name);
    addField(all, header.text);
  }
  return model::hashOf(all);
}

std::optional<CompiledKernel> CompileCache::find(const std::string& key) const {
  if (folder_.empty()) return std::nullopt;
  const fs::path path = fs::path(folder_) / (key + std::string(kEnding));
  const auto file = readRegularFile(path, "a compiled kernel", limit_);
  if (!file) return std::nullopt;
  const std::string& content = *file;
  const std::size_t headerBytes = headerOf(key, {}).size();
  if (content.size() < headerBytes) return std::nullopt;
  const std::string payload = content.substr(headerBytes);
  const std::size_t nameEnd = payload.find('\0');
  if (content.substr(0, headerBytes) != headerOf(key, payload) || nameEnd == std::string::npos)
    return std::nullopt;

  std::error_code ignored;  // only the order of removal suffers
  fs::last_write_time(path, fs::file_time_type::clock::now(), ignored);
  return CompiledKernel{payload.substr(nameEnd + 1), payload.substr(0, nameEnd)};
}

void CompileCache::store(const std::string& key, const CompiledKernel& kernel) const {
  if (folder_.empty()) return;
  const std::string payload = payloadOf(kernel);
  const TemporaryEntry temporary = makeTemporaryFile(folder_);
  if (temporary.systemError != 0) return;
  const int file = temporary.lock.number();
  std::error_code failed;
  if (writeAll(file, headerOf(key, payload)) && writeAll(file, payload))
    // Whoever opens the entry sees all of it or none.
    fs::rename(temporary.path, fs::path(folder_) / (key + std::string(kEnding)), failed);
  else
    failed = std::make_error_code(std::errc::io_error);
  if (failed) fs::remove(temporary.path, failed);
  makeRoom();
}

std::uint64_t CompileCache::bytes() const {
  std::uint64_t total = 0;
  if (folder_.empty()) return total;
  for (const Entry& entry : entriesOf(folder_))
    if (isEntry(entry.path)) total += entry.bytes;
  return total;
}

void CompileCache::makeRoom() const {
  std::vector<Entry> entries = entriesOf(folder_);
  std::error_code ignored;
  std::erase_if(entries, [](const Entry& entry) { return !isEntry(entry.path); });
  std::ranges::sort(entries, {}, &Entry::used);
  std::uint64_t total = 0;
  for (const Entry& entry : entries) total += entry.bytes;
  for (const Entry& entry : entries) {
    if (total <= limit_) return;
    fs::remove(entry.path, ignored);
    total -= entry.bytes;
  }
}

std::string_view embeddedRuntime(std::string_view fileName);  // from kernels/recording, kernels/clocking

namespace {

constexpr const char* kStandard = "--std=c++20";
// A function without __device__ is one for the device: the recording runtime's constexpr functions, which the
// host compiles too, and in the same way a person's, so that what can be recorded can also be timed.
constexpr const char* kDeviceFunctions = "--device-as-default-execution-space";
// A block of 1024 threads has 65,536 registers: with more than 64 per thread it could not be launched.
constexpr const char* kRegisterLimit = "--maxrregcount=64";

constexpr const char* kRuntime = "#include \"recording/gpu.h\"\n";
constexpr const char* kRuntimeWithGroups = "#include \"recording/gpu_groups.h\"\n";

// Lines after it are counted from 1 in a file of that name.
std::string lineDirective(const std::string& fileName) { return "#line 1 \"" + fileName + "\"\n"; }

// Puts before the text what a compiler before 12.8 lacks, if the kernel calls it.
Program forOlderCompilers(Program program, const KernelText& kernel) {
  if (kernel.text.find("__nv_atomic_") == std::string::npos) return program;
  constexpr const char* kHeader = "recording/older_nvrtc.h";
  program.text = std::string("#include \"") + kHeader + "\"\n" + lineDirective(program.name) + program.text;
  program.headers.push_back({kHeader, embeddedRuntime("older_nvrtc.h")});
  return program;
}

// A kernel that calls forms of the person's, each of them a function for the device in a namespace of its
// own.
struct CallingKernel {
  const char* name;  // the program's
  std::vector<std::pair<const char*, const std::string*>> forms;
  std::string parameters, body;
};

Program withClocks(const KernelText& kernel, const instrument::Instrumented& instrumented,
                   const std::string& architecture, const std::string& runtime,
                   const CallingKernel& calling) {
  std::string text = "#include \"clocking/" + runtime + "\"\n" + lineDirective("preamble") + kernel.preamble;
  // Headers stand outside the namespaces; within, their guards leave nothing of them.
  for (const std::string& header : instrumented.includes) text += "#include <" + header + ">\n";
  for (const auto& [space, form] : calling.forms)
    text += std::string("namespace ") + space + " {\n" + lineDirective(kernel.fileName) + *form + "\n}\n";
  text += "__global__ void " + kernel.kernel + "(" + calling.parameters + ") { " + calling.body + " }\n";
  Program program{.name = calling.name,
                  .text = std::move(text),
                  .kernel = kernel.kernel,
                  .options = {architecture, kStandard, kDeviceFunctions},
                  .headers = {}};
  for (const char* name :
       {"clock_control.h", "clocked_operations.h", "clock.h", "marked_block.h", "peeled.h"})
    program.headers.push_back({std::string("clocking/") + name, embeddedRuntime(name)});
  return forOlderCompilers(std::move(program), kernel);
}

// "(in, out)"
std::string argumentsOf(const instrument::Instrumented& instrumented) {
  std::string arguments = "(";
  for (std::size_t i = 0; i < instrumented.parameters.size(); ++i)
    arguments += (i == 0 ? "" : ", ") + instrumented.parameters[i];
  return arguments + ")";
}

}  // namespace

KernelText kernelTextOf(const model::Experiment& experiment) {
  const model::Kernel& kernel = *kernels::kernelOf(experiment);
  return {.fileName = kernel.id + ".cu",
          .preamble = kernels::preambleOf(kernel.text, experiment),
          .text = kernel.text,
          .kernel = kernel.function};
}

bool includesHeaders(std::string_view kernelText) {
  return kernelText.find("#include") != std::string_view::npos;
}

Program cleanProgram(const KernelText& kernel, const std::string& architecture) {
  return forOlderCompilers({.name = "preamble",
                            .text = kernel.preamble + lineDirective(kernel.fileName) + kernel.text,
                            .kernel = kernel.kernel,
                            .options = {architecture, kStandard, kDeviceFunctions},
                            .headers = {}},
                           kernel);
}

Program recordedProgram(const KernelText& kernel, const instrument::Instrumented& instrumented,
                        const std::string& architecture) {
  Program program{.name = "recorded",
                  .text = std::string(instrumented.includes.empty() ? kRuntime : kRuntimeWithGroups) +
                          lineDirective("preamble") + kernel.preamble + lineDirective(kernel.fileName) +
                          instrumented.text,
                  .kernel = kernel.kernel,
                  .options = {architecture, kStandard, kDeviceFunctions, "--fmad=false", kRegisterLimit},
                  .headers = {}};
  for (const char* name : {"event.h", "core.h", "atomics.h", "warp_operations.h", "gpu_control.h",
                           "gpu_groups.h", "gpu_machine.h", "gpu.h"})
    program.headers.push_back({std::string("recording/") + name, embeddedRuntime(name)});
  return forOlderCompilers(std::move(program), kernel);
}

Program clockedProgram(const KernelText& kernel, const instrument::Instrumented& instrumented,
                       const std::string& architecture) {
  const std::string arguments = argumentsOf(instrumented);
  return withClocks(kernel, instrumented, architecture, "clock.h",
                    {.name = "clocked",
                     .forms = {{"clocking_marked", &instrumented.clocked.marked},
                               {"clocking_plain", &instrumented.clocked.plain}},
                     .parameters = instrumented.clocked.parameters,
                     .body = "if (clocking::isClocked()) clocking_marked::" + kernel.kernel + arguments +
                             "; else clocking_plain::" + kernel.kernel + arguments + ";"});
}

Program markedProgram(const KernelText& kernel, const instrument::Instrumented& instrumented,
                      const std::string& architecture) {
  return withClocks(kernel, instrumented, architecture, "marked_block.h",
                    {.name = "marked",
                     .forms = {{"clocking_plain", &instrumented.clocked.plain}},
                     .parameters = instrumented.clocked.parameters + ", clocking::BlockMark* clocking_marks",
                     .body = "const clocking::MarkedBlock block(clocking_marks); clocking_plain::" +
                             kernel.kernel + argumentsOf(instrumented) + ";"});
}

Program peeledProgram(const KernelText& kernel, const instrument::Instrumented& instrumented,
                      const std::string& architecture) {
  return withClocks(kernel, instrumented, architecture, "peeled.h",
                    {.name = "peeled",
                     .forms = {{"clocking_marked", &instrumented.clocked.marked}},
                     .parameters = instrumented.clocked.parameters,
                     .body = "clocking_marked::" + kernel.kernel + argumentsOf(instrumented) + ";"});
}

}  // namespace stridescope::engine::gpu
