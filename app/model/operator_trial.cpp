#include "model/operator_trial.h"

#include <array>

namespace stridescope::model {

std::string_view nameOf(TrialProperty property) {
  constexpr std::array<std::string_view, 4> names{"associative", "left identity", "right identity",
                                                  "commutative"};
  return names[std::size_t(property)];
}

std::string_view nameOf(TrialVerdict verdict) {
  constexpr std::array<std::string_view, 3> names{"holds", "up to rounding", "fails"};
  return names[std::size_t(verdict)];
}

std::vector<std::string> warningsOf(const OperatorTrial& trial) {
  std::vector<std::string> sentences;
  if (!trial.whyNotTried.empty()) sentences.push_back(trial.whyNotTried);
  for (const TrialFinding& finding : trial.findings)
    if (finding.isWarning) sentences.push_back(finding.sentence);
  return sentences;
}

}  // namespace stridescope::model
