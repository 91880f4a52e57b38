#include "kernel_library.h"

#include <dlfcn.h>
#include <link.h>

#include "access_recorder.h"
#include "engine/sandbox/confinement.h"

namespace stridescope::engine::access {
namespace {

struct TlsSearch {
  std::uint64_t address;  // in the library
  std::uint64_t storage = 0;
};
int findTls(dl_phdr_info* info, std::size_t, void* given) {
  auto& search = *static_cast<TlsSearch*>(given);
  for (int i = 0; i < info->dlpi_phnum; ++i) {
    const auto& part = info->dlpi_phdr[i];
    const std::uint64_t begin = info->dlpi_addr + part.p_vaddr;
    if (part.p_type != PT_LOAD || search.address < begin || search.address - begin >= part.p_memsz) continue;
    search.storage = reinterpret_cast<std::uint64_t>(info->dlpi_tls_data);
    return 1;
  }
  return 0;
}

}  // namespace

Result<KernelLibrary> loadKernelLibrary(const std::string& file) {
  const auto attach = sandbox::loadConfined(file, kAttachSymbol, "kernel", [] {});
  if (!attach) return tl::unexpected(attach.error());
  Dl_info where{};
  void* const handle = ::dlopen(file.c_str(), RTLD_NOW | RTLD_NOLOAD);
  const auto symbol = [&](const char* name) { return handle == nullptr ? nullptr : ::dlsym(handle, name); };
  KernelLibrary library;
  library.kernels = static_cast<const ::accesses::KernelEntry*>(symbol(kKernelsSymbol));
  const auto* const count = static_cast<const unsigned*>(symbol(kKernelCountSymbol));
  const auto anchor = reinterpret_cast<void* (*)()>(symbol(kAnchorSymbol));
  if (library.kernels == nullptr || count == nullptr || anchor == nullptr || ::dladdr(*attach, &where) == 0)
    return unavailable("The compiled kernel lacks what the program looks for in it.");
  library.kernelCount = *count;
  library.base = reinterpret_cast<std::uint64_t>(where.dli_fbase);
  reinterpret_cast<void (*)(const ::accesses::Hooks*)> (*attach)(&AccessRecorder::hooks());
  anchor();  // the storage is there from now on
  TlsSearch search{reinterpret_cast<std::uint64_t>(library.kernels)};
  ::dl_iterate_phdr(findTls, &search);
  library.threadStorage = search.storage;
  return library;
}

std::vector<KernelTypes> typesOf(const KernelLibrary& library, const DebugInfo& info) {
  std::vector<KernelTypes> all;
  for (unsigned k = 0; k < library.kernelCount; ++k) {
    const ::accesses::KernelEntry& kernel = library.kernels[k];
    const auto address = reinterpret_cast<std::uint64_t>(kernel.function) - library.base;
    KernelTypes types;
    if (const FunctionCode* const function = info.functionOf(address))
      types.parameters = function->parameters;
    // What the debug information does not tell is of a type that nothing is known of.
    types.parameters.resize(kernel.parameters, {.isWhole = false});
    for (std::size_t p = 0; p < types.parameters.size(); ++p) {
      std::vector<std::uint8_t> bytes;
      const auto* const from =
          kernel.defaults == nullptr ? nullptr : static_cast<const std::uint8_t*>(kernel.defaults[p]);
      if (from != nullptr) bytes.assign(from, from + types.parameters[p].bytes);
      types.defaults.push_back(std::move(bytes));
    }
    all.push_back(std::move(types));
  }
  return all;
}

}  // namespace stridescope::engine::access
