#include "engine/access/gpu/telling_run.h"

#include <algorithm>
#include <array>

#include "engine/access/gpu/host_headers.h"
#include "engine/access/gpu/printed_text.h"

namespace stridescope::engine::access::gpu {

std::string_view embeddedPatches(std::string_view fileName);  // generated from kernels/access_gpu/

namespace {

constexpr std::string_view kToldHeader = "stridescope_told.h";
constexpr std::chrono::seconds kTellingTime{5};

// The names of what the text includes, without brackets.
std::vector<std::string_view> includedIn(std::string_view text) {
  constexpr std::string_view kDirective = "#include";
  std::vector<std::string_view> names;
  for (auto at = text.find(kDirective); at != std::string_view::npos; at = text.find(kDirective, at)) {
    at += kDirective.size();
    const auto begin = text.find_first_of("<\"\n", at);
    if (begin == std::string_view::npos || text[begin] == '\n') continue;
    const auto end = text.find_first_of(">\"\n", begin + 1);
    if (end == std::string_view::npos) break;
    names.push_back(text.substr(begin + 1, end - begin - 1));
  }
  return names;
}

// Whether a header of CUDA's library may include those of half precision, which declare shuffles of their
// own.
bool mayHaveHalfPrecision(std::string_view name, const TellingText& telling) {
  if (std::ranges::count(telling.headers, name, &SourceText::name) != 0) return false;
  for (const SourceText& header : hostHeaders())
    if (header.name == name) return header.text.find("cuda/std") != std::string::npos;
  return true;
}

}  // namespace

void describeTelling(const TellingText& telling, GpuAccessOrder& order) {
  std::vector<std::string_view> included = includedIn(telling.text);
  for (const SourceText& header : telling.headers)
    for (const std::string_view name : includedIn(header.text)) included.push_back(name);
  std::string text;
  if (std::ranges::any_of(included,
                          [&](std::string_view name) { return mayHaveHalfPrecision(name, telling); }))
    for (const std::string_view header : {"cuda_fp16.h", "cuda_bf16.h"})
      text += "#if __has_include(<" + std::string(header) + ">)\n#include <" + std::string(header) +
              ">\n#endif\n";
  order.text = text + "#include \"" + std::string(kToldHeader) + "\"\n#line 1 \"" + order.order.textFile +
               "\"\n" + telling.text;
  order.headers = telling.headers;
  order.headers.push_back({std::string(kToldHeader), std::string(embeddedPatches("told.h"))});
}

Result<std::unique_ptr<TellingRun>> TellingRun::load(engine::gpu::GpuSession& session,
                                                     const SanitizerApi& sanitizer,
                                                     const GpuAccessOrder& asked) {
  GpuAccessOrder order{.order = {.textFile = asked.order.textFile}, .kernels = asked.kernels};
  describeTelling(asked.telling, order);
  auto kernels = PatchedKernels::load(session, sanitizer, order, Patching::Told);
  if (!kernels) return tl::unexpected(kernels.error());
  std::unique_ptr<TellingRun> run(new TellingRun(session));
  run->kernels_ = *std::move(kernels);
  return run;
}

Result<std::vector<WrittenLog>> TellingRun::written(std::span<RecordedLaunch> launches, DeviceArrays& arrays,
                                                    LogMemory& log, JobControl& job) {
  STRIDESCOPE_TRY(arrays.restore());
  const PrintedText unheard;
  std::vector<WrittenLog> all;
  for (RecordedLaunch& launch : launches) {
    if (job.cancel) return cancelled();
    launch.told = kernels_->variable("stridescopeTold");
    auto values = arrays.argumentsOf(launch.launch);
    std::vector<void*> arguments = addressesOf(values);
    STRIDESCOPE_TRY(log.prepare(launch, arrays));
    STRIDESCOPE_TRY(kernels_->launch(launch.launch, arguments, log.address()));
    STRIDESCOPE_TRY(session_.device->finish("run " + launch.launch.function + " once more", kTellingTime));
    auto written = log.fetch(launch);
    if (!written) return tl::unexpected(written.error());
    if (written->faults > 0) return unavailable("It was ended when it ran once more.");
    all.push_back(*std::move(written));
  }
  return all;
}

}  // namespace stridescope::engine::access::gpu
