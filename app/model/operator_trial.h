// What trying a person's own operator showed before it ran.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace stridescope::model {

enum class TrialProperty : std::uint8_t { Associative, LeftIdentity, RightIdentity, Commutative };
enum class TrialVerdict : std::uint8_t {
  Holds,         // no counter-example was found
  UpToRounding,  // of a floating type: the two results differ by no more than rounding or overflow explains
  Fails,
};

struct TrialFinding {
  TrialProperty property{};
  TrialVerdict verdict{};
  std::string sentence;    // the counter-example with its two results; empty where it holds
  bool isWarning = false;  // it may change the result of the variant that runs
  friend bool operator==(const TrialFinding&, const TrialFinding&) = default;
};

struct OperatorTrial {
  std::vector<TrialFinding> findings;  // one a property, in its order; empty: not tried
  std::string whyNotTried;             // a sentence; empty: it was tried, or there was nothing to try
  friend bool operator==(const OperatorTrial&, const OperatorTrial&) = default;
};

std::string_view nameOf(TrialProperty property);  // "associative", "left identity", ...
std::string_view nameOf(TrialVerdict verdict);    // "holds", "up to rounding", "fails"

// The sentences that a person must know before believing a result; also why nothing was tried.
std::vector<std::string> warningsOf(const OperatorTrial& trial);

}  // namespace stridescope::model
