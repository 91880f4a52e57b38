#include "engine/gpu/kernel_compiler.h"

#include <algorithm>
#include <atomic>

#include "base/in_parallel.h"
#include "base/result.h"
#include "engine/gpu/library_search.h"

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
        "executor does without: --engine host.");
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

Result<CompiledKernel> KernelCompiler::clocked(const KernelText& kernel) {
  return passedThrough(kernel, clockedProgram);
}

Result<CompiledKernel> KernelCompiler::marked(const KernelText& kernel) {
  return passedThrough(kernel, markedProgram);
}

Result<CompiledKernel> KernelCompiler::passedThrough(const KernelText& kernel, MakeProgram make) {
  const auto passed = instrument::instrument(kernel.text);
  if (!passed) return tl::unexpected(refused(kernel, passed.error()));
  const auto program = withHeaders(make(kernel, *passed, architecture_), kernel);
  if (!program) return tl::unexpected(program.error());
  return obtain(*program);
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

}  // namespace stridescope::engine::gpu
