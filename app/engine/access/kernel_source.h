// A person's text with the kernels that its launches name, compiled for the CPU.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "branch_conditions.h"
#include "engine/access/gpu_access.h"
#include "engine/access/kernel_run.h"
#include "engine/sandbox/object_compiler.h"
#include "kernel_text.h"
#include "named_kernels.h"
#include "recorded_text.h"

namespace stridescope::engine::access {

struct CompiledKernels {
  sandbox::ObjectFile object{};
  KernelText text{};  // as it was compiled
  // By number, those of files that the text includes behind its own; empty: they do not tell which way they
  // go.
  std::vector<BranchCondition> branches{};
  bool knowsBranches = false;              // all of them tell
  std::optional<RecordedText> recorded{};  // nothing: it has no recording calls
  std::string whyNotRecorded{};            // a sentence; empty: it has them, or none were asked for
};

// `text`: the file's, without changes for branches. `headers` keeps what is compiled before it; may be null.
// Usage, with line and column: RecorderChoice::Source, and the text pass does not take it.
Result<CompiledKernels> compileKernels(const KernelFile& file, KernelText text, const NamedKernels& kernels,
                                       RecorderChoice recorder, JobControl& job,
                                       const std::shared_ptr<sandbox::CompiledHeaders>& headers = {});

// RecorderChoice::Source, and it cannot be had: why, by line and column.
tl::unexpected<Error> notTakenBySource(const KernelFile& file, const NotRecorded& why);

// The text with conditions that tell, for a GPU, and those conditions by number, as CompiledKernels has them.
struct TellingKernels {
  TellingText telling{};
  std::vector<BranchCondition> branches{};
};
// Where not all conditions can tell, none does; there may be shuffles all the same. Its text is empty where
// nothing in it can tell. Errors: those of readKernelText().
Result<TellingKernels> tellingKernelsOf(const KernelFile& file);

// The files beside it that the text includes, as a compiler of CUDA C++ takes them.
Result<std::vector<SourceText>> deviceFilesOf(const KernelFile& file, const KernelText& text);

}  // namespace stridescope::engine::access
