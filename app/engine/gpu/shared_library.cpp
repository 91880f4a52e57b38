// Where libraries are looked for, and how they are opened.
#include "engine/gpu/shared_library.h"

#include <dlfcn.h>
#include <link.h>

#include <array>
#include <cstdlib>
#include <filesystem>
#include <span>

#include "base/memory_limits.h"
#include "engine/library_call.h"

namespace stridescope::engine::gpu {
namespace {

namespace fs = std::filesystem;

constexpr std::array kNvrtcNames{"libnvrtc.so.13", "libnvrtc.so.12", "libnvrtc.so"};
constexpr std::array kCuptiNames{"libcupti.so.13", "libcupti.so.12", "libcupti.so"};
constexpr std::array kNvrtcFolders{"lib64", "lib"};  // a toolkit's
constexpr std::array kCuptiFolders{"lib64", "lib", "extras/CUPTI/lib64"};
constexpr std::array kSanitizerNames{"libsanitizer-public.so"};
constexpr std::array kSanitizerFolders{"compute-sanitizer", "extras/compute-sanitizer"};
constexpr const char* kToolkit = "/usr/local/cuda";
constexpr unsigned kOpening = 2;  // NVRTC has 100 MB, which a disk may have to bring

std::string environment(const char* name) {
  const char* value = std::getenv(name);
  return value != nullptr ? value : "";
}

// A missing file is left out: the loader's sentence on it would only hide the others.
void addExisting(std::vector<std::string>& candidates, std::span<const char* const> names,
                 const fs::path& folder) {
  std::error_code ignored;
  for (const char* name : names)
    if (fs::exists(folder / name, ignored)) candidates.push_back((folder / name).string());
}

// `named` is a file or a folder, and then the only candidate; if it is empty, a candidate is wherever one of
// the names may be. `folders` are a toolkit's.
std::vector<std::string> toolkitCandidates(const std::string& named, std::span<const char* const> names,
                                           std::span<const char* const> folders) {
  std::vector<std::string> candidates;
  std::error_code ignored;
  if (!named.empty()) {
    if (fs::is_directory(named, ignored)) addExisting(candidates, names, named);
    if (candidates.empty()) candidates.push_back(named);
    return candidates;
  }
  const fs::path program = fs::read_symlink("/proc/self/exe", ignored).parent_path();
  if (!program.empty()) {
    addExisting(candidates, names, program);
    addExisting(candidates, names, program.parent_path() / "lib");
  }
  for (const char* variable : {"CUDA_HOME", "CUDA_PATH"})
    if (const fs::path root = environment(variable); !root.empty())
      for (const char* folder : folders) addExisting(candidates, names, root / folder);
  candidates.insert(candidates.end(), names.begin(), names.end());
  for (const char* folder : folders) addExisting(candidates, names, fs::path(kToolkit) / folder);
  return candidates;
}

// Folders that may hold CUDA's headers, best first.
std::vector<fs::path> headerCandidates(const std::string& nvrtc) {
  if (const std::string named = environment("STRIDESCOPE_CUDA_INCLUDE"); !named.empty()) return {named};
  std::vector<fs::path> candidates;
  std::error_code ignored;
  const fs::path library = fs::canonical(nvrtc, ignored);  // lib64 may be a link to targets/.../lib
  if (!ignored && fs::path(nvrtc).has_parent_path())
    for (const fs::path& file : {fs::path(nvrtc), library})
      candidates.push_back(file.parent_path().parent_path() / "include");
  const fs::path program = fs::read_symlink("/proc/self/exe", ignored).parent_path();
  if (!program.empty()) candidates.push_back(program.parent_path() / "include");
  for (const char* variable : {"CUDA_HOME", "CUDA_PATH"})
    if (const std::string root = environment(variable); !root.empty())
      candidates.push_back(fs::path(root) / "include");
  candidates.insert(candidates.end(), {"/usr/local/cuda/include", "/usr/lib/cuda/include"});
  return candidates;
}

}  // namespace

std::vector<std::string> cudaHeaderFolders(const std::string& nvrtc) {
  std::error_code ignored;
  for (const fs::path& folder : headerCandidates(nvrtc)) {
    if (!fs::exists(folder / "cooperative_groups.h", ignored)) continue;
    std::vector<std::string> folders{folder.string()};
    if (fs::is_directory(folder / "cccl", ignored)) folders.push_back((folder / "cccl").string());
    return folders;
  }
  return {};
}

std::vector<std::string> driverCandidates(const std::string& given) {
  const std::string named = !given.empty() ? given : environment("STRIDESCOPE_LIBCUDA");
  if (!named.empty()) return {named};
  return {"libcuda.so.1"};
}

std::vector<std::string> nvrtcCandidates(const std::string& given) {
  return toolkitCandidates(!given.empty() ? given : environment("STRIDESCOPE_NVRTC"), kNvrtcNames,
                           kNvrtcFolders);
}

std::vector<std::string> cuptiCandidates() {
  return toolkitCandidates(environment("STRIDESCOPE_CUPTI"), kCuptiNames, kCuptiFolders);
}

std::vector<std::string> sanitizerCandidates() {
  return toolkitCandidates(environment("STRIDESCOPE_SANITIZER"), kSanitizerNames, kSanitizerFolders);
}

Result<std::shared_ptr<SharedLibrary>> SharedLibrary::open(const std::vector<std::string>& candidates) {
  if (const auto room = checkAddressSpace(candidates.empty() ? "a library" : candidates.front()); !room)
    return unavailable("None of the libraries could be opened.", room.error().sentence);
  std::string reasons;
  for (const std::string& name : candidates) {
    const LibraryCall opening("opening " + name, kOpening);
    // RTLD_LOCAL: two releases of a library may be open at once without seeing each other's symbols.
    // Never unloaded again: the driver and NVRTC keep threads and tables of their own until the program ends.
    if (void* handle = dlopen(name.c_str(), RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE)) {
      const link_map* map = nullptr;
      const bool told = dlinfo(handle, RTLD_DI_LINKMAP, static_cast<void*>(&map)) == 0 && map != nullptr;
      const std::string path = told && map->l_name != nullptr ? map->l_name : "";
      return std::shared_ptr<SharedLibrary>(new SharedLibrary(handle, path.empty() ? name : path));
    }
    const char* reason = dlerror();
    if (!reasons.empty()) reasons += '\n';
    reasons += reason != nullptr ? reason : name.c_str();
  }
  return unavailable("None of the libraries could be opened.", reasons);
}

SharedLibrary::~SharedLibrary() { dlclose(handle_); }

void* SharedLibrary::symbol(const char* name) const { return dlsym(handle_, name); }

}  // namespace stridescope::engine::gpu
