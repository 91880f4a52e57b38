#include "analysis/compared_sides.h"

#include <algorithm>
#include <cstdint>
#include <deque>
#include <map>
#include <tuple>

#include "base/plain_text.h"

namespace stridescope::analysis {
namespace {

// Lines are held against each other word by word: pairs of lines, and of words, in all.
constexpr std::size_t kMaxPairsOfLines = 1 << 20, kMaxPairsOfWords = 1 << 24;
// Differences that so few common words part are one.
constexpr std::size_t kPartingWords = 2;

struct Word {
  std::string_view text;
  TextSpan span;
  // Clauses stand beside clauses: the ends of them count more than any name.
  std::uint32_t weight() const { return text == ";" ? 4 : 1; }
};

bool isBlank(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\n' || c == '\f' || c == '\v'; }
bool isWordCharacter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
         (static_cast<unsigned char>(c) & 0x80) != 0;
}

bool isOperator(char c) { return std::string_view("+-*/%=<>&|^!").find(c) != std::string_view::npos; }

// Names, numbers and operators such as *=; every other character that is no blank is a word by itself.
std::vector<Word> wordsOf(std::string_view line) {
  std::vector<Word> words;
  for (std::size_t begin = 0; begin < line.size();) {
    std::size_t end = begin + 1;
    for (const auto kind : {isWordCharacter, isOperator})
      if (kind(line[begin]))
        while (end < line.size() && kind(line[end])) ++end;
    if (!isBlank(line[begin])) words.push_back({line.substr(begin, end - begin), {begin, end}});
    begin = end;
  }
  return words;
}

std::uint32_t weightOf(const std::vector<Word>& words) {
  std::uint32_t weight = 0;
  for (const Word& word : words) weight += word.weight();
  return weight;
}

// A table of (rows + 1) x (columns + 1) numbers.
struct Table {
  std::size_t columns;
  std::vector<std::uint32_t> cells;
  Table(std::size_t rowCount, std::size_t columnCount)
      : columns(columnCount + 1), cells((rowCount + 1) * (columnCount + 1)) {}
  std::uint32_t& at(std::size_t row, std::size_t column) { return cells[row * columns + column]; }
};

class LinesApart {
 public:
  LinesApart(std::span<const std::string_view> left, std::span<const std::string_view> right, SameWord name)
      : name_(name) {
    for (const std::string_view line : left) left_.push_back(wordsOf(line));
    for (const std::string_view line : right) right_.push_back(wordsOf(line));
  }

  std::vector<LinePair> pairs() {
    const std::size_t shorter = std::min(left_.size(), right_.size());
    std::size_t head = 0, tail = 0;
    while (head < shorter && equal(head, head)) ++head;
    while (tail < shorter - head && equal(left_.size() - 1 - tail, right_.size() - 1 - tail)) ++tail;
    for (std::size_t line = 0; line < head; ++line) addPair(line, line);
    middle(head, left_.size() - tail, right_.size() - tail);
    for (std::size_t line = 0; line < tail; ++line)
      addPair(left_.size() - tail + line, right_.size() - tail + line);
    return std::move(pairs_);
  }

 private:
  bool equal(const Word& left, const Word& right) const {
    return left.text == right.text ||
           (!name_.left.empty() && left.text == name_.left && right.text == name_.right);
  }
  bool equal(std::size_t left, std::size_t right) const {
    return std::ranges::equal(left_[left], right_[right],
                              [this](const Word& a, const Word& b) { return equal(a, b); });
  }

  // The weight of the words that both lines have in the same order, from the words [row, ...) and [column,
  // ...) on.
  Table commonWords(std::size_t left, std::size_t right) const {
    const auto& a = left_[left];
    const auto& b = right_[right];
    Table common(a.size(), b.size());
    for (std::size_t i = a.size(); i-- > 0;)
      for (std::size_t j = b.size(); j-- > 0;)
        common.at(i, j) = equal(a[i], b[j]) ? common.at(i + 1, j + 1) + a[i].weight()
                                            : std::max(common.at(i + 1, j), common.at(i, j + 1));
    return common;
  }

  // How much two lines are worth beside each other; 0: nothing.
  std::uint32_t worth(std::size_t left, std::size_t right) const {
    const std::uint32_t both = weightOf(left_[left]) + weightOf(right_[right]);
    if (equal(left, right)) return both + 1;  // an empty line, too
    if (both == 0) return 0;
    const std::uint32_t common = commonWords(left, right).at(0, 0);
    return 4 * common >= both ? common : 0;
  }

  bool mayBeTried(std::size_t from, std::size_t leftEnd, std::size_t rightEnd) const {
    const auto wordsIn = [&](const std::vector<std::vector<Word>>& lines, std::size_t end) {
      std::size_t words = 0;
      for (std::size_t line = from; line < end; ++line) words += lines[line].size();
      return words;
    };
    return double(leftEnd - from) * double(rightEnd - from) <= double(kMaxPairsOfLines) &&
           double(wordsIn(left_, leftEnd)) * double(wordsIn(right_, rightEnd)) <= double(kMaxPairsOfWords);
  }

  // The lines [from, leftEnd) and [from, rightEnd).
  void middle(std::size_t from, std::size_t leftEnd, std::size_t rightEnd) {
    const std::size_t rows = leftEnd - from, columns = rightEnd - from;
    std::size_t i = 0, j = 0;
    if (mayBeTried(from, leftEnd, rightEnd)) {
      Table worths(rows, columns), best(rows, columns);
      for (std::size_t a = rows; a-- > 0;)
        for (std::size_t b = columns; b-- > 0;) {
          worths.at(a, b) = worth(from + a, from + b);
          best.at(a, b) = std::max(best.at(a + 1, b), best.at(a, b + 1));
          if (worths.at(a, b) > 0)
            best.at(a, b) = std::max(best.at(a, b), best.at(a + 1, b + 1) + worths.at(a, b));
        }
      while (i < rows && j < columns) {
        if (worths.at(i, j) > 0 && best.at(i, j) == best.at(i + 1, j + 1) + worths.at(i, j))
          addPair(from + i++, from + j++);
        else if (best.at(i, j) == best.at(i + 1, j))
          pairs_.push_back({.left = from + i++, .right = {}});
        else
          pairs_.push_back({.left = {}, .right = from + j++});
      }
    }
    while (i < rows) pairs_.push_back({.left = from + i++, .right = {}});
    while (j < columns) pairs_.push_back({.left = {}, .right = from + j++});
  }

  void addPair(std::size_t left, std::size_t right) {
    LinePair pair{.left = left, .right = right, .same = equal(left, right)};
    if (!pair.same) addSpans(pair);
    pairs_.push_back(std::move(pair));
  }

  void addSpans(LinePair& pair) const {
    const auto& a = left_[*pair.left];
    const auto& b = right_[*pair.right];
    Table common = commonWords(*pair.left, *pair.right);
    std::vector<bool> leftDiffers(a.size(), true), rightDiffers(b.size(), true);
    for (std::size_t i = 0, j = 0; i < a.size() && j < b.size();) {
      if (equal(a[i], b[j]))
        leftDiffers[i++] = rightDiffers[j++] = false;
      else if (common.at(i, j) == common.at(i + 1, j))
        ++i;
      else
        ++j;
    }
    pair.leftSpans = spansOf(a, leftDiffers);
    pair.rightSpans = spansOf(b, rightDiffers);
  }

  static std::vector<TextSpan> spansOf(const std::vector<Word>& words, const std::vector<bool>& differs) {
    std::vector<TextSpan> spans;
    std::size_t since = kPartingWords + 1;  // common words since the last that differs
    for (std::size_t word = 0; word < words.size(); ++word) {
      if (!differs[word]) {
        ++since;
        continue;
      }
      if (!spans.empty() && since <= kPartingWords)
        spans.back().end = words[word].span.end;
      else
        spans.push_back(words[word].span);
      since = 0;
    }
    return spans;
  }

  SameWord name_;
  std::vector<std::vector<Word>> left_, right_;
  std::vector<LinePair> pairs_;
};

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

std::vector<LinePair> lineDifference(std::span<const std::string_view> left,
                                     std::span<const std::string_view> right, SameWord name) {
  return LinesApart(left, right, name).pairs();
}

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

RoundSums sumsOf(const Round& round) {
  RoundSums sums;
  for (const Request& request : round.requests) {
    if (request.hasWavefronts()) sums.requests += request.requests;
    sums.wavefronts += request.wavefronts;
    sums.ideal += request.ideal;
    sums.way = std::max(sums.way, request.way);
    sums.sectors += request.sectors;
    sums.idealSectors += request.idealSectors;
  }
  return sums;
}

RunSums sumsOf(const Analysis& analysis) {
  RunSums sums;
  for (const LaunchAnalysis& launch : analysis.launches) {
    sums.races += launch.races.size();
    sums.problems += launch.problems.size();
    sums.rounds += launch.rounds.size();
    for (const Round& round : launch.rounds) {
      const RoundSums own = sumsOf(round);
      sums.blockBarriers += round.endsWith == RoundEnd::BlockBarrier;
      // Not every one ends a round.
      sums.warpBarriers += std::uint64_t(
          std::ranges::count(round.operations, model::EventKind::WarpBarrier, &WarpOperation::kind));
      sums.workingWarps += round.activeWarps;
      sums.partialWarps += round.partialWarps;
      sums.divergentBranches += round.divergentBranches.value_or(0);
      sums.wavefronts += own.wavefronts;
      sums.inStrides += round.kind == RoundKind::Combine ? own.wavefronts : 0;
      sums.inMixedRounds += round.kind == RoundKind::Mixed ? own.wavefronts : 0;
      sums.conflicts += own.wavefronts - own.ideal;
      sums.sectors += own.sectors;
    }
  }
  return sums;
}

}  // namespace stridescope::analysis
