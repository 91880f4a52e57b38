// Compiled kernels on disk, so that the next start need not compile them again. One file an entry, named by a
// key that covers everything the compiler was given. Several threads and several programs may use one folder;
// a damaged entry is as good as none; a folder that cannot be used makes an empty cache, not a failure.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "engine/gpu/compiler.h"

namespace stridescope::engine::gpu {

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

}  // namespace stridescope::engine::gpu
