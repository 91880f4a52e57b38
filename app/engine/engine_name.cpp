#include "engine/engine_name.h"

#include <charconv>

namespace stridescope::engine {
namespace {

constexpr std::string_view kNumbered = "gpu:";

}  // namespace

std::optional<EngineName> parseEngineName(std::string_view name) {
  if (name == "auto") return EngineName{EngineNameKind::Auto};
  if (name == "host") return EngineName{EngineNameKind::Host};
  if (name == "gpu") return EngineName{EngineNameKind::Gpu};
  if (!name.starts_with(kNumbered)) return EngineName{EngineNameKind::Recording};
  EngineName gpu{EngineNameKind::Gpu};
  const char* const begin = name.data() + kNumbered.size();
  const char* const end = name.data() + name.size();
  const auto [rest, fault] = std::from_chars(begin, end, gpu.gpu);
  if (fault != std::errc() || rest != end || gpu.gpu >= kMostGpus) return std::nullopt;
  return gpu;
}

std::string gpuEngineName(unsigned gpu) { return std::string(kNumbered) + std::to_string(gpu); }

}  // namespace stridescope::engine
