#include "kernels/hardware_form.h"

namespace stridescope::kernels {
namespace {

bool isInstructionOfIntegers(model::Operator op) {
  switch (op) {
    case model::Operator::Add:
    case model::Operator::Min:
    case model::Operator::Max:
    case model::Operator::And:
    case model::Operator::Or:
    case model::Operator::Xor:
      return true;
    default:
      return false;
  }
}

}  // namespace

bool hasHardwareForm(HardwareForm form, model::ElementType type, model::Operator op) {
  switch (form) {
    case HardwareForm::None:
      return true;
    case HardwareForm::WarpReduction:
      return !model::isFloating(type) && model::bytesOf(type) == 4 && isInstructionOfIntegers(op);
    case HardwareForm::Atomic:
      return model::isFloating(type) ? op == model::Operator::Add : isInstructionOfIntegers(op);
  }
  return false;
}

}  // namespace stridescope::kernels
