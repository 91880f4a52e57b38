// A person's .cu file with its launches, and which of its kernels a launch names.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>

#include "base/result.h"
#include "engine/access/launch_file.h"

namespace stridescope::engine::access {

struct KernelDeclaration;
struct KernelText;

struct KernelFile {
  std::string name;    // "transpose.cu"
  std::string folder;  // where its includes and data are; may be empty
  std::string text;
  LaunchFile launches;
  std::string launchFile{};  // the name of the file that they are from; empty: none was
};

// The name of the file that the launches of `file` are from, or would be: FILE.launch.json.
std::string launchFileOf(const KernelFile& file);

// A kernel's text and a launch file have no more bytes.
inline constexpr std::uint64_t kMaxKernelTextBytes = 4 << 20, kMaxLaunchFileBytes = 64 << 20;

// The text at `path`, without launches. Errors: a file that cannot be read.
Result<KernelFile> readKernelTextFile(const std::filesystem::path& path);

// The same with its launches: those of `launchFile`, or else of FILE.launch.json beside FILE.cu
// where there is one, or else one launch that says nothing. Errors: a file that cannot be read; Usage for
// what is in it.
Result<KernelFile> readKernelFile(const std::string& path, const std::optional<std::string>& launchFile = {});

// Usage: a name that is no kernel's, or several kernels'. The result is one of the text's.
Result<const KernelDeclaration*> kernelOf(const LaunchRequest& launch, const KernelFile& file,
                                          const KernelText& text);

}  // namespace stridescope::engine::access
