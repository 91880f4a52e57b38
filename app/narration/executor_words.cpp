#include "narration/executor_words.h"

namespace stridescope::narration {

std::string executorInWords(const model::Executor& executor) {
  std::string text =
      executor.kind == model::EngineKind::Recorded ? "recorded on " + executor.device : executor.device;
  if (executor.kind == model::EngineKind::Recorded && !executor.recordedOn.empty())
    text += ", " + executor.recordedOn;
  if (!executor.computeCapability.empty()) text += ", compute capability " + executor.computeCapability;
  if (!executor.driver.empty()) text += ", driver " + executor.driver;
  if (!executor.compiler.empty()) text += ", " + executor.compiler;
  return text;
}

}  // namespace stridescope::narration
