#include "engine/gpu/kernel_program.h"

#include "kernels/catalog.h"

namespace stridescope::engine::gpu {

std::string_view embeddedRuntime(std::string_view fileName);  // from kernels/recording, kernels/clocking

namespace {

constexpr const char* kStandard = "--std=c++20";
// A function without __device__ is one for the device: the recording runtime's constexpr functions, which the
// host compiles too, and in the same way a person's, so that what can be recorded can also be timed.
constexpr const char* kDeviceFunctions = "--device-as-default-execution-space";
// A block of 1024 threads has 65,536 registers: with more than 64 per thread it could not be launched.
constexpr const char* kRegisterLimit = "--maxrregcount=64";

constexpr const char* kRuntime = "#include \"recording/gpu.h\"\n";
constexpr const char* kRuntimeWithGroups = "#include \"recording/gpu_groups.h\"\n";

// Lines after it are counted from 1 in a file of that name.
std::string lineDirective(const std::string& fileName) { return "#line 1 \"" + fileName + "\"\n"; }

// A kernel that calls forms of the person's, each of them a function for the device in a namespace of its
// own.
struct CallingKernel {
  const char* name;  // the program's
  std::vector<std::pair<const char*, const std::string*>> forms;
  std::string parameters, body;
};

Program withClocks(const KernelText& kernel, const instrument::Instrumented& instrumented,
                   const std::string& architecture, const std::string& runtime,
                   const CallingKernel& calling) {
  std::string text = "#include \"clocking/" + runtime + "\"\n" + lineDirective("preamble") + kernel.preamble;
  // Headers stand outside the namespaces; within, their guards leave nothing of them.
  for (const std::string& header : instrumented.includes) text += "#include <" + header + ">\n";
  for (const auto& [space, form] : calling.forms)
    text += std::string("namespace ") + space + " {\n" + lineDirective(kernel.fileName) + *form + "\n}\n";
  text += "__global__ void " + kernel.kernel + "(" + calling.parameters + ") { " + calling.body + " }\n";
  Program program{.name = calling.name,
                  .text = std::move(text),
                  .kernel = kernel.kernel,
                  .options = {architecture, kStandard, kDeviceFunctions},
                  .headers = {}};
  for (const char* name : {"block_mark.h", "clock_control.h", "clock_machine.h", "clock.h", "marked_block.h"})
    program.headers.push_back({std::string("clocking/") + name, embeddedRuntime(name)});
  return program;
}

// "(in, out)"
std::string argumentsOf(const instrument::Instrumented& instrumented) {
  std::string arguments = "(";
  for (std::size_t i = 0; i < instrumented.parameters.size(); ++i)
    arguments += (i == 0 ? "" : ", ") + instrumented.parameters[i];
  return arguments + ")";
}

}  // namespace

KernelText kernelTextOf(const model::Experiment& experiment) {
  const model::Kernel& kernel = *kernels::kernelOf(experiment);
  return {.fileName = kernel.id + ".cu",
          .preamble = kernels::preambleOf(kernel.text, experiment),
          .text = kernel.text,
          .kernel = kernel.function};
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
  const std::string arguments = argumentsOf(instrumented);
  return withClocks(kernel, instrumented, architecture, "clock.h",
                    {.name = "clocked",
                     .forms = {{"clocking_marked", &instrumented.clocked.marked},
                               {"clocking_plain", &instrumented.clocked.plain}},
                     .parameters = instrumented.clocked.parameters,
                     .body = "if (clocking::isClocked()) clocking_marked::" + kernel.kernel + arguments +
                             "; else clocking_plain::" + kernel.kernel + arguments + ";"});
}

Program markedProgram(const KernelText& kernel, const instrument::Instrumented& instrumented,
                      const std::string& architecture) {
  return withClocks(kernel, instrumented, architecture, "marked_block.h",
                    {.name = "marked",
                     .forms = {{"clocking_plain", &instrumented.clocked.plain}},
                     .parameters = instrumented.clocked.parameters + ", clocking::BlockMark* clocking_marks",
                     .body = "const clocking::MarkedBlock block(clocking_marks); clocking_plain::" +
                             kernel.kernel + argumentsOf(instrumented) + ";"});
}

}  // namespace stridescope::engine::gpu
