#include "engine/gpu/kernel_program.h"

#include "kernels/catalog.h"

namespace stridescope::engine::gpu {

std::string_view embeddedRuntime(std::string_view fileName);  // from kernels/recording, kernels/clocking

namespace {

constexpr const char* kStandard = "--std=c++20";
// A function without __device__ is one for the device: the recording runtime's constexpr functions, which the
// host compiles too, and in the same way a person's, so that what can be recorded can also be timed.
constexpr const char* kDeviceFunctions = "--device-as-default-execution-space";
// A block of 1024 threads has 65,536 registers: more than 64 a thread, and it could not be launched.
constexpr const char* kRegisterLimit = "--maxrregcount=64";

constexpr const char* kRuntime = "#include \"recording/gpu.h\"\n";
constexpr const char* kClocking = "#include \"clocking/clock.h\"\n";
constexpr const char* kRuntimeWithGroups = "#include \"recording/gpu_groups.h\"\n";

// Lines after it are counted from 1 in a file of that name.
std::string lineDirective(const std::string& fileName) { return "#line 1 \"" + fileName + "\"\n"; }

}  // namespace

KernelText kernelTextOf(const model::Experiment& experiment) {
  const std::string_view text = kernels::kernelText(experiment.variant);
  return {.fileName = experiment.variant + ".cu",
          .preamble = kernels::preambleOf(text, experiment),
          .text = std::string(text),
          .kernel = std::string(kernels::findVariant(experiment.variant)->kernelName())};
}

bool includesHeaders(std::string_view kernelText) {
  return kernelText.find("#include") != std::string_view::npos;
}

Program cleanProgram(const KernelText& kernel, const std::string& architecture) {
  return {.name = "preamble",
          .text = kernel.preamble + lineDirective(kernel.fileName) + kernel.text,
          .kernel = kernel.kernel,
          .options = {architecture, kStandard, kDeviceFunctions},
          .headers = {}};
}

Program recordedProgram(const KernelText& kernel, const instrument::Instrumented& instrumented,
                        const std::string& architecture) {
  Program program{.name = "recorded",
                  .text = std::string(instrumented.includes.empty() ? kRuntime : kRuntimeWithGroups) +
                          lineDirective("preamble") + kernel.preamble + lineDirective(kernel.fileName) +
                          instrumented.text,
                  .kernel = kernel.kernel,
                  .options = {architecture, kStandard, kDeviceFunctions, "--fmad=false", kRegisterLimit},
                  .headers = {}};
  for (const char* name : {"event.h", "core.h", "atomics.h", "warp_operations.h", "gpu_control.h",
                           "gpu_groups.h", "gpu_machine.h", "gpu.h"})
    program.headers.push_back({std::string("recording/") + name, embeddedRuntime(name)});
  return program;
}

Program clockedProgram(const KernelText& kernel, const instrument::Instrumented& instrumented,
                       const std::string& architecture) {
  std::string text = std::string(kClocking) + lineDirective("preamble") + kernel.preamble;
  // Headers stand outside the namespaces; within, their guards leave nothing of them.
  for (const std::string& header : instrumented.includes) text += "#include <" + header + ">\n";
  const auto add = [&](const char* name, const std::string& form) {
    text += std::string("namespace ") + name + " {\n" + lineDirective(kernel.fileName) + form + "\n}\n";
  };
  add("clocking_marked", instrumented.clocked.marked);
  add("clocking_plain", instrumented.clocked.plain);
  std::string call = kernel.kernel + "(";
  for (std::size_t i = 0; i < instrumented.parameters.size(); ++i)
    call += (i == 0 ? "" : ", ") + instrumented.parameters[i];
  text += "__global__ void " + kernel.kernel + "(" + instrumented.clocked.parameters +
          ") { if (clocking::isClocked()) clocking_marked::" + call + "); else clocking_plain::" + call +
          "); }\n";
  Program program{.name = "clocked",
                  .text = std::move(text),
                  .kernel = kernel.kernel,
                  .options = {architecture, kStandard, kDeviceFunctions},
                  .headers = {}};
  for (const char* name : {"clock_control.h", "clock_machine.h", "clock.h"})
    program.headers.push_back({std::string("clocking/") + name, embeddedRuntime(name)});
  return program;
}

}  // namespace stridescope::engine::gpu
