// Compiled kernels for one GPU: from memory, from the disk, or from NVRTC. Any thread may call it.
#pragma once

#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "engine/engine.h"
#include "engine/gpu/compile_cache.h"
#include "engine/gpu/kernel_program.h"

namespace stridescope::engine::gpu {

class KernelCompiler {
 public:
  // `architecture` is NVRTC's option (architectureOption).
  KernelCompiler(std::shared_ptr<const NvrtcApi> nvrtc, std::string architecture,
                 const std::string& cacheFolder);

  Result<CompiledKernel> clean(const KernelText& kernel);

  // A text that is not known yet is compiled clean first, so that the compiler's messages quote what the
  // person wrote; then it is instrumented and compiled again. `instrumented`, if given, receives the text
  // pass's result.
  Result<CompiledKernel> recorded(const KernelText& kernel, instrument::Instrumented* instrumented = nullptr);

  // The clean text with marks of the clock, and with a mark of each block. A text that the text pass refuses
  // has neither.
  Result<CompiledKernel> clocked(const KernelText& kernel);
  Result<CompiledKernel> marked(const KernelText& kernel);

  // The program of the clean text with its lines, to be compiled for reading; its folders of headers are
  // found.
  Result<Program> listed(const KernelText& kernel) const;

  // Both forms of all these kernels, on `threads` threads (0: one a core). Ends at the first failure or when
  // cancelled. Gives the number of modules that NVRTC had to compile.
  Result<unsigned> precompile(const std::vector<KernelText>& kernels, JobControl& job, unsigned threads = 0);

  const NvrtcApi& nvrtc() const { return *nvrtc_; }
  const CompileCache& cache() const { return cache_; }

 private:
  using MakeProgram = Program (*)(const KernelText&, const instrument::Instrumented&, const std::string&);
  Result<CompiledKernel> passedThrough(const KernelText& kernel, MakeProgram make);
  static Error refused(const KernelText& kernel, const instrument::Refusal& refusal);
  Result<Program> withHeaders(Program program, const KernelText& kernel) const;
  std::optional<CompiledKernel> known(const std::string& key);
  Result<CompiledKernel> obtain(const Program& program);

  std::shared_ptr<const NvrtcApi> nvrtc_;
  std::string architecture_;
  CompileCache cache_;
  std::mutex mutex_;  // guards what follows
  std::map<std::string, CompiledKernel> memory_;
  unsigned compiled_ = 0;
};

}  // namespace stridescope::engine::gpu
