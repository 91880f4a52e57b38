#include "model/trace.h"

#include <sha2.h>

#include <algorithm>
#include <array>

namespace stridescope::model {

std::string_view nameOf(ParameterRole role) {
  constexpr std::array<std::string_view, kParameterRoles.size()> names{
      "input",      "in place", "output",      "accumulator", "partials", "ticket", "counted sum",
      "messages",   "inbox",    "list values", "list starts", "merged",   "origin", "count",
      "list count", "device",   "devices",     "step",        "steps",    "scalar"};
  return names[std::size_t(role)];
}

bool isBuffer(ParameterRole role) { return role < ParameterRole::Count; }

bool joinsBlocks(ParameterRole role) {
  return role == ParameterRole::Accumulator || role == ParameterRole::Ticket ||
         role == ParameterRole::CountedSum || role == ParameterRole::Messages || role == ParameterRole::Inbox;
}

std::string_view nameOf(EngineKind kind) {
  constexpr std::array<std::string_view, 3> names{"host", "gpu", "recorded"};
  return names[std::size_t(kind)];
}

std::string_view nameOf(ProblemKind kind) {
  constexpr std::array<std::string_view, 7> names{
      "deadlock",           "out of bounds", "divergent barrier", "undefined shuffle", "limit",
      "uninitialized read", "crash"};
  return names[std::size_t(kind)];
}

std::string_view nameOf(MeetingPart part) {
  constexpr std::array<std::string_view, 3> names{"meets", "arrives", "waits"};
  return names[std::size_t(part)];
}

std::optional<std::uint32_t> indexOfRole(const std::vector<Array>& buffers, ParameterRole role) {
  for (std::size_t i = 0; i < buffers.size(); ++i)
    if (buffers[i].role == role) return std::uint32_t(i);
  return std::nullopt;
}

Trace beforeTheRun(const Trace& whole) {
  Trace trace;
  trace.experiment = whole.experiment;
  trace.kernelText = whole.kernelText;
  trace.preamble = whole.preamble;
  trace.executor = whole.executor;
  trace.sites = whole.sites;
  trace.kernel = whole.kernel;
  trace.recorderReason = whole.recorderReason;
  return trace;
}

bool leavesArrays(const Trace& trace) { return isKernelFile(trace.experiment.variant); }

std::string_view nameOf(Recorder recorder) { return recorder == Recorder::Source ? "source" : "access"; }

// The source recorder alone knows the text's variables.
Recorder recorderOf(const Trace& trace) {
  return leavesArrays(trace) && trace.kernel.variables.empty() ? Recorder::Access : Recorder::Source;
}

Operator operatorOf(const Trace& trace) {
  return leavesArrays(trace) ? Operator::Custom : trace.experiment.op;
}

bool hasEnded(const Trace& trace) {
  return trace.ok || !(leavesArrays(trace) ? trace.checkNote : trace.result).empty();
}

bool isWrong(const Trace& trace) {
  return !hasEnded(trace) || (!trace.ok && (leavesArrays(trace) || !trace.expected.empty()));
}

std::string hashOf(std::string_view kernelText) {
  char hex[SHA256_DIGEST_STRING_LENGTH] = {};
  return SHA256Data(reinterpret_cast<const std::uint8_t*>(kernelText.data()), kernelText.size(), hex);
}

std::string_view nameOf(TrialProperty property) {
  constexpr std::array<std::string_view, 4> names{"associative", "left identity", "right identity",
                                                  "commutative"};
  return names[std::size_t(property)];
}

std::string_view nameOf(TrialVerdict verdict) {
  constexpr std::array<std::string_view, 3> names{"holds", "up to rounding", "fails"};
  return names[std::size_t(verdict)];
}

// An identity that is none is told even where it does no harm: the next run may fill places up with it.
std::vector<std::string> warningsOf(const OperatorTrial& trial) {
  std::vector<std::string> sentences;
  if (!trial.whyNotTried.empty()) sentences.push_back(trial.whyNotTried);
  bool isIdentityTold = false;  // one of its two sides is enough
  for (const TrialFinding& finding : trial.findings) {
    const bool ofIdentity =
        finding.property == TrialProperty::LeftIdentity || finding.property == TrialProperty::RightIdentity;
    if (ofIdentity ? isIdentityTold || finding.verdict != TrialVerdict::Fails : !finding.isWarning) continue;
    isIdentityTold = isIdentityTold || ofIdentity;
    sentences.push_back(finding.sentence);
  }
  return sentences;
}

bool isCut(const Trace& trace) {
  return std::ranges::any_of(trace.launches, [](const LaunchTrace& launch) {
    return std::ranges::any_of(launch.blocks, &BlockTrace::cut);
  });
}

}  // namespace stridescope::model
