// What trying a person's own operator showed before it ran.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/describe.h"

namespace stridescope::model {

enum class TrialProperty : std::uint8_t { Associative, LeftIdentity, RightIdentity, Commutative };
enum class TrialVerdict : std::uint8_t {
  Holds,         // no counter-example was found
  UpToRounding,  // a floating type's two results differ by no more than rounding or overflow explains
  Fails,
};

struct TrialFinding {
  TrialProperty property{};
  TrialVerdict verdict{};
  std::string sentence = {};  // the counter-example with its two results; empty where it holds
  bool isWarning = false;     // it may change the result of the variant that runs
  friend bool operator==(const TrialFinding&, const TrialFinding&) = default;
};

struct OperatorTrial {
  std::vector<TrialFinding> findings = {};  // one a property, in its order; empty: not tried
  std::string whyNotTried = {};             // a sentence; empty: it was tried, or there was nothing to try
  friend bool operator==(const OperatorTrial&, const OperatorTrial&) = default;
};

std::string_view nameOf(TrialProperty property);  // "associative", "left identity", ...
std::string_view nameOf(TrialVerdict verdict);    // "holds", "up to rounding", "fails"

constexpr auto allOf(TrialProperty) {
  return std::array{TrialProperty::Associative, TrialProperty::LeftIdentity, TrialProperty::RightIdentity,
                    TrialProperty::Commutative};
}
constexpr auto allOf(TrialVerdict) {
  return std::array{TrialVerdict::Holds, TrialVerdict::UpToRounding, TrialVerdict::Fails};
}

// The sentences that a person must know before believing a result; also why nothing was tried.
std::vector<std::string> warningsOf(const OperatorTrial& trial);

// The fields as files and messages have them (base/describe.h).
template <class Fields, Described<TrialFinding> Value>
constexpr void describe(Fields&& fields, Value& finding) {
  fields("property", finding.property);
  fields("verdict", finding.verdict);
  fields("sentence", finding.sentence);
  fields("warning", finding.isWarning);
}

template <class Fields, Described<OperatorTrial> Value>
constexpr void describe(Fields&& fields, Value& trial) {
  fields("findings", trial.findings);
  fields("why_not_tried", trial.whyNotTried);
}

}  // namespace stridescope::model
