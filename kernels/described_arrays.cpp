#include "kernels/described_arrays.h"

#include <algorithm>
#include <array>

#include "kernels/catalog.h"

namespace stridescope::kernels {
namespace {

bool isIntegerWord(std::string_view word) {
  constexpr std::array<std::string_view, 6> kWords{"unsigned", "int", "bool", "char", "short", "long"};
  return std::ranges::find(kWords, word) != kWords.end();
}

// The words of the type with which the kernel declares a parameter; empty: it has none of this name.
std::string_view parameterType(const model::KernelModel& kernel, std::string_view name) {
  for (const model::KernelVariable& variable : kernel.variables)
    if (variable.kind == model::VariableKind::Parameter && variable.name == name &&
        kernel.functions[std::size_t(variable.function)].isKernel)
      return variable.type;
  return {};
}

const model::KernelParameter* parameterOf(const model::Kernel* kernel, std::string_view name) {
  if (kernel == nullptr) return nullptr;
  const auto found = std::ranges::find(kernel->parameters, name, &model::KernelParameter::name);
  return found == kernel->parameters.end() ? nullptr : &*found;
}

}  // namespace

std::optional<model::ElementType> typeOfDeclared(std::string_view words, unsigned elementBytes,
                                                 model::ElementType t) {
  const std::string_view last = words.substr(words.rfind(' ') + 1);
  if (elementBytes != model::bytesOf(t) || isIntegerWord(last)) return std::nullopt;
  return t;
}

// Both are in the order of the text. Several functions may have arrays of one name.
void describeShared(const model::KernelModel& kernel, model::ElementType t,
                    std::vector<model::Array>& shared) {
  auto next = kernel.variables.begin();
  for (model::Array& array : shared) {
    const auto found = std::find_if(next, kernel.variables.end(), [&](const model::KernelVariable& variable) {
      return variable.kind == model::VariableKind::Shared && variable.name == array.name;
    });
    const bool known = found != kernel.variables.end();
    array.type = typeOfDeclared(known ? found->type : std::string_view(), array.elementBytes, t);
    if (known) next = found + 1;
  }
}

void describeArrays(model::Trace& trace) {
  const model::Kernel* const kernel = kernelOf(trace.experiment);
  const model::ElementType t = trace.experiment.type;
  for (model::LaunchTrace& launch : trace.launches) {
    describeShared(trace.kernel, t, launch.recorded().shared);
    for (model::Array& buffer : launch.buffers) {
      const model::KernelParameter* const parameter = parameterOf(kernel, buffer.name);
      const bool known = parameter != nullptr && model::isBuffer(parameter->role) &&
                         parameter->elementBytes(t) == buffer.elementBytes;
      buffer.type = known ? parameter->elementType(t)
                          : typeOfDeclared(parameterType(trace.kernel, buffer.name), buffer.elementBytes, t);
      buffer.role = known ? std::optional(parameter->role) : std::nullopt;
    }
  }
}

}  // namespace stridescope::kernels
