#include "worker_answer.h"

#include <algorithm>
#include <string_view>
#include <utility>

#include "instrument/instrument.h"
#include "kernels/catalog.h"
#include "model/utc_now.h"

namespace stridescope::engine::sandbox {
namespace {

constexpr std::size_t kMaxLineBytes = 1 << 10;
constexpr std::size_t kMaxLinesBytes = 64 << 10;
constexpr std::size_t kMaxNumberBytes = 32;
constexpr unsigned kProperties = 4;  // TrialProperty

bool isPrintable(char c) { return c >= 0x20 && c < 0x7f; }

tl::unexpected<Error> noAnswer(const char* what) {
  return unavailable("The process that runs your combine gave an answer that makes no sense: " +
                     std::string(what) + ". Fix the text of combine.");
}

bool isNumber(std::string_view text) {
  return !text.empty() && text.size() <= kMaxNumberBytes && std::ranges::all_of(text, [](char c) {
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || c == '-' || c == '+' || c == '.';
  });
}

}  // namespace

std::string plainLine(std::string text) {
  text.resize(std::min(text.size(), kMaxLineBytes));
  std::ranges::replace_if(
      text, [](char c) { return !isPrintable(c); }, '?');
  return text;
}

std::string plainLines(std::string text) {
  text.resize(std::min(text.size(), kMaxLinesBytes));
  std::ranges::replace(text, '\t', ' ');
  std::ranges::replace_if(
      text, [](char c) { return c != '\n' && !isPrintable(c); }, '?');
  return text;
}

Result<model::Trace> plainTrace(model::Trace trace, const model::Experiment& experiment,
                                model::Executor executor) {
  const std::string_view kernel = kernels::kernelText(experiment);
  const auto text = instrument::instrument(kernel);
  if (trace.experiment != experiment) return noAnswer("it is of another experiment");
  if (!text || trace.kernelText != kernel || trace.preamble != kernels::preambleOf(kernel, experiment) ||
      trace.sites != text->sites || trace.kernel != text->model)
    return noAnswer("it is of another kernel");
  if (!trace.result.empty() && !isNumber(trace.result)) return noAnswer("its result is no number");
  trace.executor = std::move(executor);
  trace.executor.recordedOn = model::utcNow();
  trace.expected.clear();
  trace.ok = false;
  trace.verdictIsRecorded = false;
  trace.checkNote = plainLine(std::move(trace.checkNote));
  for (model::LaunchTrace& launch : trace.launches) {
    for (model::Array& buffer : launch.buffers) buffer.name = plainLine(std::move(buffer.name));
    for (model::BlockTrace& block : launch.blocks) {
      for (model::Array& array : block.shared) array.name = plainLine(std::move(array.name));
      for (model::Problem& problem : block.problems) problem.text = plainLine(std::move(problem.text));
    }
  }
  trace.trial = {};
  return trace;
}

Result<model::OperatorTrial> plainTrial(model::OperatorTrial trial) {
  unsigned property = 0;
  for (model::TrialFinding& finding : trial.findings) {
    if (finding.property != model::TrialProperty(property++) || finding.verdict > model::TrialVerdict::Fails)
      return noAnswer("what it found in the trial is unknown");
    finding.sentence = plainLine(std::move(finding.sentence));
  }
  if (property != kProperties) return noAnswer("it did not try everything");
  trial.whyNotTried = plainLine(std::move(trial.whyNotTried));
  return trial;
}

Result<std::string> plainNumber(std::string text) {
  if (!isNumber(text)) return noAnswer("what the plain loop gave is no number");
  return text;
}

}  // namespace stridescope::engine::sandbox
