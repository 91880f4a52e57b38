#include "model/kernel.h"

#include <algorithm>

#include "model/operator_table.h"
#include "model/trace.h"

namespace stridescope::model {

std::uint64_t LaunchRule::blocks(std::uint64_t elements, unsigned threads) const {
  if (fixed) return fixed->grid.count();
  if (blocksFor) return std::max<std::uint64_t>(1, blocksFor(elements, threads));
  const std::uint64_t perBlock = std::uint64_t(threads) * elementsPerThread;
  return std::max<std::uint64_t>(1, elements / perBlock + (elements % perBlock != 0));
}

std::uint64_t LaunchRule::sharedBytes(unsigned threads, ElementType type) const {
  if (fixed) return fixed->sharedBytes;
  return (std::uint64_t(threads) * sharedElementsPerThread + warpsOf(threads) * paddingPerWarp) *
         bytesOf(type);
}

bool Kernel::takesCustom() const {
  return hardwareForm == HardwareForm::None &&
         std::ranges::all_of(kOperators, [&](Operator op) { return std::ranges::count(operators, op) > 0; });
}

bool Kernel::offers(ElementType type, Operator op) const {
  if (op == Operator::Custom) return takesCustom() && std::ranges::find(types, type) != types.end();
  return std::ranges::find(types, type) != types.end() &&
         std::ranges::find(operators, op) != operators.end() && isOffered(type, op) &&
         hasHardwareForm(hardwareForm, type, op);
}

bool Kernel::takes(ParameterRole role) const {
  return std::ranges::find(parameters, role, &KernelParameter::role) != parameters.end();
}

bool hasHardwareForm(HardwareForm form, ElementType type, Operator op) {
  switch (form) {
    case HardwareForm::None:
      return true;
    case HardwareForm::WarpReduction:
      return !isFloating(type) && bytesOf(type) == 4 && !factsOf(op).reduce.empty();
    case HardwareForm::Atomic:
      return isFloating(type) ? op == Operator::Add : !factsOf(op).atomic.empty();
  }
  return false;
}

}  // namespace stridescope::model
