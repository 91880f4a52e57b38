// A person's combine, compiled for the CPU by the machine's C++ compiler.
#pragma once

#include <filesystem>
#include <memory>
#include <string>

#include "base/pending_file.h"
#include "base/result.h"
#include "engine/sandbox/limited_process.h"

namespace stridescope::engine::sandbox {

// A folder that nobody else may enter, removed with everything in it when the object goes; should the program
// be killed, when it starts again (base/pending_file.h).

class PrivateFolder {
 public:
  static Result<std::unique_ptr<PrivateFolder>> make();
  ~PrivateFolder();
  PrivateFolder(const PrivateFolder&) = delete;
  PrivateFolder& operator=(const PrivateFolder&) = delete;

  const std::filesystem::path& path() const { return entry_.path; }  // absolute

 private:
  explicit PrivateFolder(TemporaryEntry entry) : entry_(std::move(entry)) {}
  TemporaryEntry entry_;
};

// The name of the function in the shared object: T stridescope_combine(T, T).
inline constexpr const char* kCombineSymbol = "stridescope_combine";

// A shared object. The file goes with the object.
struct CombineFile {
  std::unique_ptr<PrivateFolder> folder;
  std::filesystem::path path() const;
};

// The compiler's command: $CXX if it is set, else c++, g++ or clang++ in $PATH. The error says what to do.
Result<std::vector<std::string>> findCompiler();

// Calls CUDA's built-in functions what the CPU executor's kernels call them. Integers wrap, products and sums
// are not contracted, as in the kernels. The error quotes the first thing that the compiler found fault with,
// by the line and column of the person's text; details have all of its words. The text may come from anybody:
// as far as sandboxSupport() goes, the compiler opens no file of a person's, writes into its own folder
// alone, and reaches no network and no other process. Blocking: a second or less, at most the limits' time.
Result<CombineFile> compileCombine(const model::CustomOperator& custom, model::ElementType type,
                                   const JobControl& job, const ProcessLimits& limits = {});

}  // namespace stridescope::engine::sandbox
