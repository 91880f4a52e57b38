#include "kernels/hardware_form.h"

namespace stridescope {
namespace {

bool isInstructionOfIntegers(Operator op) {
  switch (op) {
    case Operator::Add:
    case Operator::Min:
    case Operator::Max:
    case Operator::And:
    case Operator::Or:
    case Operator::Xor:
      return true;
    default:
      return false;
  }
}

}  // namespace

bool hasHardwareForm(HardwareForm form, ElementType type, Operator op) {
  switch (form) {
    case HardwareForm::None:
      return true;
    case HardwareForm::WarpReduction:
      return !isFloating(type) && bytesOf(type) == 4 && isInstructionOfIntegers(op);
    case HardwareForm::Atomic:
      return isFloating(type) ? op == Operator::Add : isInstructionOfIntegers(op);
  }
  return false;
}

}  // namespace stridescope
