// The driver's release number, which the driver API does not tell.
#include <array>
#include <cctype>
#include <fstream>
#include <sstream>

#include "engine/gpu/driver_api.h"

namespace stridescope::engine::gpu {
namespace {

bool isRelease(const std::string& word) {  // 580.159 or 580.159.03
  return word.size() >= 6 && std::isdigit(static_cast<unsigned char>(word[0])) != 0 &&
         word.find_first_not_of("0123456789.") == std::string::npos && word.find('.') != std::string::npos;
}

std::string firstReleaseIn(const char* path) {
  std::ifstream file(path);
  for (std::string word; file >> word;)
    if (isRelease(word)) return word;
  return {};
}

// NVML answers where the module's files are hidden: in WSL2 and in some containers.
std::string releaseFromNvml() {
  const LibraryCall call("NVML");
  auto library = SharedLibrary::open({"libnvidia-ml.so.1"});
  if (!library) return {};
  using Plain = int (*)();
  using GetVersion = int (*)(char*, unsigned);
  const auto start = (*library)->function<Plain>("nvmlInit_v2");
  const auto end = (*library)->function<Plain>("nvmlShutdown");
  const auto version = (*library)->function<GetVersion>("nvmlSystemGetDriverVersion");
  if (start == nullptr || end == nullptr || version == nullptr || start() != 0) return {};
  std::array<char, 96> text{};  // NVML asks for at least 80
  const bool told = version(text.data(), static_cast<unsigned>(text.size() - 1)) == 0;
  end();
  return told ? text.data() : "";
}

}  // namespace

std::string installedDriverRelease() {
  for (const char* path : {"/sys/module/nvidia/version", "/proc/driver/nvidia/version"})
    if (std::string release = firstReleaseIn(path); !release.empty()) return release;
  return releaseFromNvml();
}

}  // namespace stridescope::engine::gpu
