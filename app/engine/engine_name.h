// What an engine is called, on the command line and in the window: "auto", "host", "gpu", "gpu:N", or a
// recording's file.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace stridescope::engine {

enum class EngineNameKind : std::uint8_t { Auto, Host, Gpu, Recording };

struct EngineName {
  EngineNameKind kind = EngineNameKind::Auto;
  unsigned gpu = 0;  // the driver's number; 0 unless "gpu:N" says otherwise
};

inline constexpr unsigned kMaxGpus = 1024;

// Everything that is none of the other names is taken for a file's. Nothing: "gpu:" without a number below
// kMaxGpus.
std::optional<EngineName> parseEngineName(std::string_view name);

std::string gpuEngineName(unsigned gpu);  // "gpu:0"

// The driver's number of the GPU that a name tells; what is no GPU's name tells the first.
unsigned gpuOf(std::string_view name);

}  // namespace stridescope::engine
