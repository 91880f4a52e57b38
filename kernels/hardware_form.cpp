#include "kernels/hardware_form.h"

#include "model/operator_table.h"

namespace stridescope::kernels {
bool hasHardwareForm(HardwareForm form, model::ElementType type, model::Operator op) {
  switch (form) {
    case HardwareForm::None:
      return true;
    case HardwareForm::WarpReduction:
      return !model::isFloating(type) && model::bytesOf(type) == 4 && !model::factsOf(op).reduce.empty();
    case HardwareForm::Atomic:
      return model::isFloating(type) ? op == model::Operator::Add : !model::factsOf(op).atomic.empty();
  }
  return false;
}

}  // namespace stridescope::kernels
