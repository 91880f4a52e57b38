// Where libraries are looked for, and how they are opened.
#include "engine/gpu/shared_library.h"

#include <dlfcn.h>
#include <link.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <filesystem>
#include <span>
#include <sstream>

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
constexpr std::array kNcclNames{"libnccl.so.2", "libnccl.so"};
// Below a Python's site-packages: the wheel nvidia-nccl-cu13 and its like, and PyTorch's older ones.
constexpr std::array kNcclPackages{"nvidia/nccl/lib", "torch/lib"};
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

// The folders with packages of the Pythons below `prefix`: lib/python3.12/site-packages.
std::vector<fs::path> packageFolders(const fs::path& prefix) {
  std::vector<fs::path> folders;
  std::error_code ignored;
  for (const char* lib : {"lib", "lib64", "local/lib"})
    for (const auto& entry : fs::directory_iterator(prefix / lib, ignored))
      if (entry.path().filename().string().starts_with("python3"))
        for (const char* packages : {"site-packages", "dist-packages"})
          if (fs::is_directory(entry.path() / packages, ignored)) folders.push_back(entry.path() / packages);
  std::ranges::sort(folders);  // a directory lists them in any order
  return folders;
}

// The folders above those that hold a python3, in the order of PATH.
std::vector<fs::path> pythonPrefixes() {
  std::vector<fs::path> prefixes;
  const auto add = [&](const fs::path& prefix) {
    if (!prefix.empty() && std::ranges::find(prefixes, prefix) == prefixes.end()) prefixes.push_back(prefix);
  };
  for (const char* variable : {"VIRTUAL_ENV", "CONDA_PREFIX"}) add(environment(variable));
  std::error_code ignored;
  std::istringstream path(environment("PATH"));
  for (std::string folder; std::getline(path, folder, ':');)
    if (!folder.empty() && fs::exists(fs::path(folder) / "python3", ignored))
      add(fs::path(folder).parent_path());
  if (const std::string home = environment("HOME"); !home.empty()) add(fs::path(home) / ".local");
  return prefixes;
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

std::vector<std::string> ncclCandidates() {
  const std::string named = environment("STRIDESCOPE_LIBNCCL");
  std::vector<std::string> candidates = toolkitCandidates(named, kNcclNames, {});
  if (!named.empty()) return candidates;
  for (const fs::path& prefix : pythonPrefixes())
    for (const fs::path& packages : packageFolders(prefix))
      for (const char* package : kNcclPackages) addExisting(candidates, kNcclNames, packages / package);
  return candidates;
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
