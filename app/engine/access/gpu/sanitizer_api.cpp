#include "engine/access/gpu/sanitizer_api.h"

namespace stridescope::engine::access::gpu {
namespace {

template <class Function>
bool lookUp(const engine::gpu::SharedLibrary& library, const char* name,
            LibraryFunction<Function>& function) {
  function = library.function<Function>(name);
  return !(function == nullptr);
}

bool lookUpAll(SanitizerApi& api) {
  const auto& library = *api.library;
  return lookUp(library, "sanitizerSubscribe", api.subscribe) &&
         lookUp(library, "sanitizerAddPatches", api.addPatches) &&
         lookUp(library, "sanitizerPatchInstructions", api.patchInstructions) &&
         lookUp(library, "sanitizerPatchModule", api.patchModule) &&
         lookUp(library, "sanitizerSetCallbackData", api.setCallbackData) &&
         lookUp(library, "sanitizerGetFunctionPcAndSize", api.functionPcAndSize) &&
         lookUp(library, "sanitizerGetResultString", api.resultString);
}

}  // namespace

Result<void> SanitizerApi::check(Answer code, std::string_view call) const {
  if (code == 0) return {};
  const char* text = nullptr;
  resultString(code, &text);
  return unavailable(
      "NVIDIA's Sanitizer API (" + library->path() +
          ") could not record the kernel: " + (text != nullptr ? text : "error " + std::to_string(code)) +
          ". Its release must fit the driver; the CPU records without it (on the command line: "
          "--engine host).",
      std::string(call) + ": " + std::to_string(code));
}

Result<std::shared_ptr<const SanitizerApi>> subscribeToSanitizer() {
  auto library = engine::gpu::SharedLibrary::open(engine::gpu::sanitizerCandidates());
  if (!library)
    return unavailable(
        "NVIDIA's Sanitizer API, which records kernels on a GPU, was not found (libsanitizer-public.so). The "
        "CUDA Toolkit has it in its folder compute-sanitizer; name the file in STRIDESCOPE_SANITIZER, or "
        "record on the CPU (on the command line: --engine host).",
        library.error().details);
  auto api = std::make_shared<SanitizerApi>();
  api->library = *library;
  if (!lookUpAll(*api))
    return unavailable((*library)->path() +
                       " lacks functions of NVIDIA's Sanitizer API. Name a newer one in "
                       "STRIDESCOPE_SANITIZER, or record on the CPU (on the command line: --engine "
                       "host).");
  void* subscriber = nullptr;
  // Nothing is enabled: the module is patched where it is loaded.
  const auto ignore = [](void*, int, std::uint32_t, const void*) {};
  if (auto subscribed = api->check(api->subscribe(&subscriber, ignore, nullptr), "sanitizerSubscribe");
      !subscribed)
    return tl::unexpected(subscribed.error());
  return api;
}

}  // namespace stridescope::engine::access::gpu
