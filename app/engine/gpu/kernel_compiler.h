// Compiled kernels for one GPU: from memory, from the disk, or from NVRTC. Any thread may call it.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/engine.h"
#include "engine/gpu/compiler.h"
#include "engine/gpu/gpu_session.h"
#include "instrument/instrument.h"

namespace stridescope::engine::gpu {

// Compiled kernels on disk, so that the next start need not compile them again. One file an entry, named by a
// key that covers everything the compiler was given. Several threads and several programs may use one folder;
// a damaged entry is as good as none; a folder that cannot be used makes an empty cache, not a failure.

inline constexpr std::uint64_t kCacheBytes = 256ull << 20;

class CompileCache {
 public:
  // Makes the folder where it is missing. Above `limit` bytes the entries that were used longest ago go.
  explicit CompileCache(std::string folder, std::uint64_t limit = kCacheBytes);

  // `given`, else STRIDESCOPE_KERNEL_CACHE, else stridescope/kernels in XDG_CACHE_HOME or in ~/.cache; empty
  // if none of them is set.
  static std::string defaultFolder(const std::string& given);

  // SHA-256 over the program, its headers and options (the architecture is one) and the compiler's version.
  static std::string keyOf(const Program& program, const std::string& compilerVersion);

  std::optional<CompiledKernel> find(const std::string& key) const;
  void store(const std::string& key, const CompiledKernel& kernel) const;

  const std::string& folder() const { return folder_; }  // empty: not usable
  std::uint64_t bytes() const;                           // all entries' together

 private:
  void makeRoom() const;

  std::string folder_;
  std::uint64_t limit_;
};

// The programs of a kernel: clean, as a person reads it and as it is timed, recorded, clocked, marked, and
// peeled.

// Preamble and text, verbatim. `architecture` is NVRTC's option (architectureOption). Messages count lines
// from the kernel's own file; those on the preamble say "preamble".
Program cleanProgram(const KernelText& kernel, const std::string& architecture);

// The recording runtime, the preamble, and the instrumented text on the same lines. Multiplications and
// additions are not contracted, so that values equal the CPU executor's.
Program recordedProgram(const KernelText& kernel, const instrument::Instrumented& instrumented,
                        const std::string& architecture);

// The clean program with marks of the clock in it: the same options, the instrumented text's clocked form.
Program clockedProgram(const KernelText& kernel, const instrument::Instrumented& instrumented,
                       const std::string& architecture);

// The clean program with a mark of each block (clocking/marked_block.h): the same options, the kernel as it
// is. It has one parameter more, the marks' place.
Program markedProgram(const KernelText& kernel, const instrument::Instrumented& instrumented,
                      const std::string& architecture);

// The clean program, which ends behind as many marks as it is told (clocking/peeled.h).
Program peeledProgram(const KernelText& kernel, const instrument::Instrumented& instrumented,
                      const std::string& architecture);

// Whether the text includes headers of CUDA, which NVRTC then needs the folders of.
bool includesHeaders(std::string_view kernelText);

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

  // A text that the text pass refuses has none but the clean form.
  Result<CompiledKernel> timed(const KernelText& kernel, TimedForm form);

  // A program of any kind, for this architecture, with the folders of CUDA's headers where it includes any
  // and they are known.
  Result<CompiledKernel> compiled(Program program);

  // The program of the clean text with its lines, to be compiled for reading; its folders of headers are
  // found.
  Result<Program> listed(const KernelText& kernel) const;

  // Both forms of all these kernels, on `threads` threads (0: one a core). Ends at the first failure or when
  // cancelled. Gives the number of modules that NVRTC had to compile.
  Result<unsigned> precompile(const std::vector<KernelText>& kernels, JobControl& job, unsigned threads = 0);

  const NvrtcApi& nvrtc() const { return *nvrtc_; }
  const CompileCache& cache() const { return cache_; }

 private:
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
