#include "analysis/compared_sides.h"

#include <algorithm>
#include <deque>
#include <map>
#include <tuple>

#include "base/plain_text.h"

namespace stridescope::analysis {
namespace {

const std::vector<Round>& roundsOf(const Analysis& analysis, std::size_t launch) {
  static const std::vector<Round> none;
  return launch < analysis.launches.size() ? analysis.launches[launch].rounds : none;
}

// Rounds that stand beside each other have the same step; in a merge, they serve the same element. A distance
// between the elements that a thread loads is no stride of the reduction.
auto stepOf(const Round& round) {
  const bool hasStride = round.kind != RoundKind::Load && round.kind != RoundKind::Write;
  return std::tuple(round.kind, hasStride ? round.stride : std::nullopt, round.outputElement);
}

void lockByRound(unsigned launch, std::size_t left, std::size_t right, std::vector<LockedRound>& locked) {
  for (unsigned round = 0; round < std::max(left, right); ++round) {
    LockedRound both{.launch = launch};
    if (round < left) both.round.left = round;
    if (round < right) both.round.right = round;
    locked.push_back(both);
  }
}

// Takes the first that waits there.
template <class Waiting, class Step>
std::optional<unsigned> takeFirst(Waiting& waiting, const Step& step) {
  const auto found = waiting.find(step);
  if (found == waiting.end() || found->second.empty()) return std::nullopt;
  const unsigned round = found->second.front();
  found->second.pop_front();
  return round;
}

void lockByStride(unsigned launch, const std::vector<Round>& left, const std::vector<Round>& right,
                  std::vector<LockedRound>& locked) {
  using Step = decltype(stepOf(left.front()));
  std::map<Step, std::deque<unsigned>> waiting;
  for (unsigned round = 0; round < right.size(); ++round) waiting[stepOf(right[round])].push_back(round);
  std::vector<bool> taken(right.size());
  std::vector<LockedRound> ofLaunch;
  for (unsigned round = 0; round < left.size(); ++round) {
    LockedRound both{.launch = launch, .round = {.left = round}};
    both.round.right = takeFirst(waiting, stepOf(left[round]));
    if (both.round.right) taken[*both.round.right] = true;
    ofLaunch.push_back(both);
  }
  // What the right one has alone comes after what it did before.
  for (unsigned round = 0; round < right.size(); ++round) {
    if (taken[round]) continue;
    auto at = ofLaunch.begin();
    if (round > 0)
      at = std::ranges::find(ofLaunch, std::optional(round - 1),
                             [](const LockedRound& each) { return each.round.right; }) +
           1;
    ofLaunch.insert(at, {.launch = launch, .round = {.right = round}});
  }
  locked.insert(locked.end(), ofLaunch.begin(), ofLaunch.end());
}

}  // namespace

std::vector<LockedRound> lockedRounds(const Analysis& left, const Analysis& right, LockedBy by) {
  std::vector<LockedRound> locked;
  const std::size_t launches = std::max(left.launches.size(), right.launches.size());
  for (unsigned launch = 0; launch < launches; ++launch) {
    const auto& leftRounds = roundsOf(left, launch);
    const auto& rightRounds = roundsOf(right, launch);
    if (by == LockedBy::Round)
      lockByRound(launch, leftRounds.size(), rightRounds.size(), locked);
    else
      lockByStride(launch, leftRounds, rightRounds, locked);
  }
  return locked;
}

RoundOfRun lastState(const Analysis& analysis, unsigned launch) {
  for (unsigned before = std::min(launch + 1, unsigned(analysis.launches.size())); before-- > 0;)
    if (const auto& rounds = analysis.launches[before].rounds; !rounds.empty())
      return {before, unsigned(rounds.size()) - 1};
  const auto first = std::ranges::find_if(analysis.launches,
                                          [](const LaunchAnalysis& each) { return !each.rounds.empty(); });
  return {unsigned(first - analysis.launches.begin()), 0};
}

namespace {

// Goes through a text and leaves its comments out; those in strings are none.
class CodeReader {
 public:
  // Code that stands on the line, comments replaced by nothing.
  std::string read(std::string_view line) {
    std::string code;
    char quote = 0;
    for (std::size_t i = 0; i < line.size(); ++i) {
      const std::string_view rest = line.substr(i);
      if (inComment_) {
        if (rest.starts_with("*/")) inComment_ = false, ++i;
      } else if (quote != 0) {
        code += line[i];
        if (line[i] == '\\' && i + 1 < line.size())
          code += line[++i];
        else if (line[i] == quote)
          quote = 0;
      } else if (rest.starts_with("//")) {
        break;
      } else if (rest.starts_with("/*")) {
        inComment_ = true, ++i;
      } else {
        if (line[i] == '"' || line[i] == '\'') quote = line[i];
        code += line[i];
      }
    }
    code.erase(code.find_last_not_of(" \t\r\f\v") + 1);
    return code;
  }

 private:
  bool inComment_ = false;
};

std::string_view kernelNameOf(const model::Trace& trace) {
  const auto& functions = trace.kernel.functions;
  const auto kernel = std::ranges::find(functions, true, &model::KernelFunction::isKernel);
  return kernel == functions.end() ? std::string_view() : std::string_view(kernel->name);
}

std::vector<std::string_view> textsOf(const std::vector<CodeLine>& lines) {
  std::vector<std::string_view> texts;
  for (const CodeLine& line : lines) texts.emplace_back(line.text);
  return texts;
}

}  // namespace

std::vector<CodeLine> codeLines(std::string_view kernelText) {
  std::vector<CodeLine> lines;
  CodeReader reader;
  int number = 0;
  for (std::size_t begin = 0; begin < kernelText.size();) {
    const std::size_t end = std::min(kernelText.find('\n', begin), kernelText.size());
    ++number;
    if (std::string code = reader.read(kernelText.substr(begin, end - begin)); !code.empty())
      lines.push_back({number, printable(code, Lines::Many)});
    begin = end + 1;
  }
  return lines;
}

std::size_t SourceDifference::countOf(Side side) const {
  return std::size_t(std::ranges::count_if(
      pairs, [&](const LinePair& pair) { return !pair.same && lineOf(pair, side) != nullptr; }));
}

const CodeLine* SourceDifference::lineOf(const LinePair& pair, Side side) const {
  const std::optional<std::size_t> place = side == Side::Left ? pair.left : pair.right;
  return place ? &lines[side][*place] : nullptr;
}

SourceDifference sourceDifference(const model::Trace& left, const model::Trace& right) {
  SourceDifference difference{.lines = {codeLines(left.kernelText), codeLines(right.kernelText)},
                              .pairs = {}};
  difference.pairs = lineDifference(textsOf(difference.lines.left), textsOf(difference.lines.right),
                                    {kernelNameOf(left), kernelNameOf(right)});
  return difference;
}

}  // namespace stridescope::analysis
