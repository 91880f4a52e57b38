#include "narration/outcome.h"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>

#include "analysis/event_groups.h"
#include "model/array_names.h"
#include "narration/memory_words.h"
#include "narration/round_kind.h"
#include "narration/wording.h"

namespace stridescope::narration {
namespace {

// Infinity or no number: as printElement writes them.
bool isNotFinite(std::string_view value) {
  return value.ends_with("inf") || value.find("nan") != std::string_view::npos;
}

constexpr std::size_t kMaxValues = 64;

// "3", "32 640", "1 2 3", "nothing"; a long merge has the first values and how many there are. Its values
// have blanks between them, and so none within.
std::string shortly(const std::string& values) {
  if (values.empty()) return "nothing";
  std::size_t end = 0;
  for (std::size_t i = 0; i < kMaxValues && end != std::string::npos; ++i) end = values.find(' ', end + 1);
  if (end == std::string::npos) return grouped(values);
  return fmt::format("{} ... ({} values)", values.substr(0, end),
                     figure(std::uint64_t(std::ranges::count(values, ' ') + 1)));
}

enum class Verdict { NoResult, ComparedWithNothing, Different, Equal, WithinTheBound, TheOrderDecides };

Verdict judged(const model::Trace& trace) {
  if (!hasEnded(trace)) return Verdict::NoResult;
  if (trace.ok && trace.result == trace.expected) return Verdict::Equal;
  if (trace.expected.empty()) return Verdict::ComparedWithNothing;
  if (!trace.ok) return Verdict::Different;
  return isNotFinite(trace.result) || isNotFinite(trace.expected) ? Verdict::TheOrderDecides
                                                                  : Verdict::WithinTheBound;
}

std::string wordsOf(Verdict verdict) {
  switch (verdict) {
    case Verdict::NoResult:
      return "no result";
    case Verdict::ComparedWithNothing:
      return "compared with nothing";
    case Verdict::Different:
      return "DIFFERENT";
    case Verdict::Equal:
      return "equal";
    case Verdict::WithinTheBound:
      return "equal within the bound";
    case Verdict::TheOrderDecides:
      return "the order decides";
  }
  return {};
}

std::string programsSentence(Verdict verdict, const std::string& result, const std::string& expected) {
  const auto against = [&](std::string_view how) {
    return fmt::format("The result is {}{} a plain loop gives {}.", result, how, expected);
  };
  switch (verdict) {
    case Verdict::NoResult:
      return fmt::format("The run did not end, so there is no result; a plain loop gives {}.", expected);
    case Verdict::ComparedWithNothing:
      return fmt::format("The result is {}.", result);
    case Verdict::Different:
      return against(", which is WRONG:");
    case Verdict::Equal:
      return fmt::format("The result is {}, the same as a plain loop gives.", result);
    case Verdict::WithinTheBound:
      return against("; within the bound of rounding,");
    case Verdict::TheOrderDecides:
      return against("; the order decides, and");
  }
  return {};
}

// Where the verdict is a file's, and nobody has computed it.
std::string recordedSentence(Verdict verdict, const std::string& result, const std::string& expected) {
  const auto says = [&](std::string_view what) {
    return fmt::format("The result is {}. The recording says that a plain loop gives {}.", result, what);
  };
  switch (verdict) {
    case Verdict::NoResult:
      return "The run did not end, so there is no result.";
    case Verdict::ComparedWithNothing:
      return programsSentence(verdict, result, expected);
    case Verdict::Different:
      return fmt::format(
          "The result is {}, which the recording calls WRONG: it says that a plain loop gives {}.", result,
          expected);
    case Verdict::Equal:
      return says("the same");
    case Verdict::WithinTheBound:
      return says(expected + ", and that the difference is within the bound of rounding");
    case Verdict::TheOrderDecides:
      return says(expected + ", and that the order decides");
  }
  return {};
}

}  // namespace

bool wasStopped(const RoundAt& at) { return !hasEnded(at.trace) && !at.analysis.problems.empty(); }

std::string verdictOf(const model::Trace& trace) {
  const Verdict verdict = judged(trace);
  const bool isCompared = verdict != Verdict::NoResult && verdict != Verdict::ComparedWithNothing;
  return (trace.verdictIsRecorded && isCompared ? "the recording says: " : "") + wordsOf(verdict);
}

bool endsTheRun(const RoundAt& at) {
  return &at.launch == &at.trace.launches.back() && !at.analysis.goesOn &&
         at.index + 1 == at.analysis.rounds.size() && at.endsTheRound();
}

std::string resultAndExpected(const model::Trace& trace) {
  if (model::leavesArrays(trace)) return hasEnded(trace) ? trace.checkNote : "the run did not end";
  const Verdict verdict = judged(trace);
  const std::string result = shortly(trace.result), expected = shortly(trace.expected);
  if (verdict == Verdict::NoResult)
    return trace.verdictIsRecorded ? "no result: the run did not end"
                                   : fmt::format("no result, expected {}: the run did not end", expected);
  if (verdict == Verdict::ComparedWithNothing) return fmt::format("result {}: {}", result, wordsOf(verdict));
  return trace.verdictIsRecorded
             ? fmt::format("result {}; the recording says: expected {}, {}", result, expected,
                           wordsOf(verdict))
             : fmt::format("result {}, expected {}: {}", result, expected, wordsOf(verdict));
}

std::string noteOf(const model::Trace& trace) {
  if (trace.checkNote.empty() || model::leavesArrays(trace)) return {};
  return (trace.verdictIsRecorded ? "The recording's note: " : "") + trace.checkNote;
}

std::string resultSentence(const model::Trace& trace) {
  if (model::leavesArrays(trace)) return hasEnded(trace) ? trace.checkNote : "The run did not end.";
  const auto sentenceOf = trace.verdictIsRecorded ? &recordedSentence : &programsSentence;
  const std::string note = noteOf(trace);
  return sentenceOf(judged(trace), shortly(trace.result), shortly(trace.expected)) +
         (note.empty() || !hasEnded(trace) ? "" : " " + note);
}

std::string recordedBy(const model::Trace& trace) {
  if (model::recorderOf(trace) == model::Recorder::Source)
    return "recorded by the source recorder on the CPU executor: every access that the text has, with its "
           "operands, and what local variables of the elements' type become";
  const bool isOnGpu = !trace.executor.computeCapability.empty();
  const std::string where =
      isOnGpu
          ? trace.executor.device + ": every access of the instructions that the compiler makes of the text"
          : "the CPU executor: every access that the text has";
  return "recorded by the access recorder on " + where + "; operands and local variables are not known";
}

std::string whyNotBySource(const model::Trace& trace) {
  return trace.recorderReason.empty() ? std::string()
                                      : "The source recorder does not take the text. " + trace.recorderReason;
}

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

namespace {

constexpr std::size_t kRacesTold = 6;

RoundAt inRound(const RoundAt& at, std::size_t index) {
  return {at.trace, at.launch, at.analysis, at.flow, index};
}

// Whether the operation shows the problem: by its site and, for an undefined shuffle, by the problem's thread
// shuffling from a lane that takes no part.
bool shows(const RoundAt& at, const analysis::WarpOperation& operation, const model::Problem& problem) {
  if (problem.site < 0 || operation.site != std::uint32_t(problem.site)) return false;
  if (problem.kind != model::ProblemKind::UndefinedShuffle) return true;
  const unsigned lane = problem.thread % model::kWarpSize;
  if (operation.warp != problem.thread / model::kWarpSize || !analysis::contains(operation.mask, lane))
    return false;
  const unsigned source = at.launch.recorded().events[operation.event[lane]].sourceLane();
  return !analysis::contains(operation.mask, source % model::kWarpSize);
}

std::string problemSentence(const RoundAt& at, const model::Problem& problem) {
  const bool placed = problem.site >= 0 && std::size_t(problem.site) < at.trace.sites.size();
  if (!placed) return fmt::format("{} ({})", problem.text, model::nameOf(problem.kind));
  const model::Site& site = at.trace.sites[std::size_t(problem.site)];
  // What crashes is no access, of which there are few on a line.
  const std::string column =
      problem.kind == model::ProblemKind::Crash ? fmt::format(", column {}", site.column) : std::string();
  return fmt::format("{} (line {}{}: {})", problem.text, site.line, column, model::nameOf(problem.kind));
}

// Recorded so far, exactly: "64 MB", "512 kB", "1 200 bytes".
std::string sizeOf(std::uint64_t bytes) {
  constexpr std::uint64_t kKilo = 1024, kMega = kKilo * kKilo;
  if (bytes >= kMega && bytes % kMega == 0) return figure(bytes / kMega) + " MB";
  if (bytes >= kKilo && bytes % kKilo == 0) return figure(bytes / kKilo) + " kB";
  return count(bytes, "byte");
}

// " (line 9)"
std::string inLine(const RoundAt& at, std::uint32_t site) {
  if (site >= at.trace.sites.size()) return {};
  return fmt::format(" (line {})", at.trace.sites[site].line);
}

// Where in the array the two accesses meet.
std::string placeOf(const analysis::Race& race, const model::Array& array) {
  const std::uint64_t bytes = std::max(1u, array.elementBytes);
  return model::placeName(array, race.element * bytes + race.offset % bytes, 1);
}

// "thread 16 wrote 5 to data[16] in stride 16 (line 1)"; the second access is "read 5 from it".
std::string accessText(const RoundAt& at, const analysis::Race& race, const analysis::Race::Access& access,
                       bool named) {
  const model::Array& array = (race.shared ? at.launch.recorded().shared : at.launch.buffers)[race.array];
  const std::string element = named ? placeOf(race, array) : "it";
  std::string what = element;
  if (const auto bits = valueOf(at, access); bits && access.kind != model::EventKind::Atomic)
    what =
        fmt::format("{} {} {}", grouped(printedAccess(at.launch, at.launch.recorded().events[*access.event])),
                    access.kind == model::EventKind::Load ? "from" : "to", element);
  const std::string when =
      access.round == race.round ? std::string() : " in " + nameInSentence(inRound(at, access.round));
  return fmt::format("thread {} {} {}{}{}", figure(access.thread), pastOf(access.kind), what, when,
                     inLine(at, access.site));
}

// What puts the two accesses in an order.
std::string_view remedyFor(const analysis::Race& race) {
  const bool sameStore = race.first.site == race.second.site && race.first.kind == model::EventKind::Store &&
                         race.second.kind == model::EventKind::Store;
  if (sameStore) return "Let one thread write it.";
  if (race.first.thread / model::kWarpSize != race.second.thread / model::kWarpSize)
    return "A __syncthreads() between the two accesses orders them.";
  if (race.acrossWarps)
    return "Threads of different warps meet so here, too: a __syncthreads() between the two accesses orders "
           "them all.";
  return "Lanes of one warp need not run in lockstep: a __syncwarp() between the two accesses orders them.";
}

}  // namespace

std::string_view pastOf(model::EventKind kind) {
  return kind == model::EventKind::Load ? "read" : kind == model::EventKind::Store ? "wrote" : "updated";
}

std::size_t roundOf(const RoundAt& at, const model::Problem& problem) {
  const auto& rounds = at.analysis.rounds;
  for (std::size_t index = 0; index < rounds.size(); ++index)
    for (const analysis::WarpOperation& operation : rounds[index].operations)
      if (shows(at, operation, problem)) return index;
  return rounds.empty() ? 0 : rounds.size() - 1;
}

std::optional<std::uint64_t> valueOf(const RoundAt& at, const analysis::Race::Access& access) {
  if (!access.event) return std::nullopt;
  return at.launch.recorded().events[*access.event].value;
}

std::string raceSentence(const RoundAt& at, const analysis::Race& race) {
  const bool loads = race.first.kind == model::EventKind::Load || race.second.kind == model::EventKind::Load;
  const std::string_view doubt = race.orderKnown ? "Another run may have them the other way round."
                                 : loads         ? "The value may be the old or the new one."
                                                 : "Either value may remain.";
  return fmt::format("Race in {}: {}{} {}{}, and no barrier stands between. {} {}",
                     nameInSentence(inRound(at, race.round)), accessText(at, race, race.first, true),
                     race.orderKnown ? ", then" : " and", accessText(at, race, race.second, false),
                     race.orderKnown ? "" : ", order unknown", doubt, remedyFor(race));
}

// " By then it had read 87 381 of 100 000 elements: some 86 000 fit." Of a single thread in its load alone,
// whose log grows with each element; others' elements tell less of how many fit.
std::string elementsThatFit(const RoundAt& at) {
  const auto input = model::indexOfRole(at.launch.buffers, model::ParameterRole::Input);
  if (!input || at.launch.grid != 1 || at.launch.block != 1 || at.round().kind != analysis::RoundKind::Load)
    return {};
  std::uint64_t read = 0;  // it reads them in their order
  const std::uint64_t bytes = std::max(1u, at.launch.buffers[*input].elementBytes);
  for (const model::Event& event : at.launch.recorded().events)
    if (event.kind() == model::EventKind::Load && !event.inShared() && event.buffer() == *input)
      read = std::max<std::uint64_t>(read, (event.offset() + event.width()) / bytes);
  // What it does behind the load takes a place in the log, too: a hundredth less, in two digits.
  std::uint64_t fit = read - (read + 99) / 100, unit = 1;
  while (fit / unit >= 100) unit *= 10;
  fit -= fit % unit;
  if (fit == 0) return {};
  return fmt::format(" By then it had read {} of {} elements: some {} fit.", figure(read),
                     figure(at.launch.elements), figure(fit));
}

std::string cutSentence(const RoundAt& at) {
  if (!at.launch.recorded().cut) return {};
  const std::string size = sizeOf(at.launch.recorded().events.size() * sizeof(model::Event));
  if (at.analysis.rounds.empty()) return fmt::format("This trace was cut at {}.", size);
  const RoundAt last = inRound(at, at.analysis.rounds.size() - 1);
  if (const auto element = last.round().outputElement)
    return fmt::format(
        "This trace was cut at {} in element {} of {}. What the merge did from there on was not recorded. To "
        "see more of its elements, take a smaller block; to see later ones, give what is left of the lists "
        "as "
        "lists of your own.",
        size, figure(*element + 1), figure(at.launch.elements));
  if (last.round().endsWith == analysis::RoundEnd::End)
    return fmt::format("This trace was cut at {} in {}. What the block did from there on was not recorded.{}",
                       size, nameInSentence(last), elementsThatFit(last));
  return fmt::format("This trace was cut at {} after {}. The rounds after it were not recorded.", size,
                     nameInSentence(last));
}

bool showsIn(const RoundAt& at, const analysis::Race& race) {
  return race.round == at.index && (at.pass == nullptr || at.pass->pass == race.pass);
}

bool showsIn(const RoundAt& at, const model::Problem& problem) {
  if (roundOf(at, problem) != at.index) return false;
  const auto showsAmong = [&](const analysis::Round& round) {
    return std::ranges::any_of(round.operations,
                               [&](const auto& operation) { return shows(at, operation, problem); });
  };
  if (at.pass == nullptr || showsAmong(at.round())) return true;
  return at.endsTheRound() && !showsAmong(at.whole());
}

std::uint32_t passOf(const RoundAt& at, const model::Problem& problem) {
  const analysis::Round& round = at.analysis.rounds[roundOf(at, problem)];
  for (const analysis::WarpOperation& operation : round.operations)
    if (shows(at, operation, problem) && analysis::isAccess(operation.kind)) return operation.pass;
  return round.passes - 1;
}

std::string staleSentence(const RoundAt& at) {
  if (at.pass == nullptr || at.pass->pass == 0) return {};
  unsigned threads = 0, undecided = 0;
  std::string example;
  for (const analysis::ThreadWork& work : at.work().work) {
    const auto stale = std::ranges::find_if(
        work.operands, [](const analysis::Operand& operand) { return operand.left.has_value(); });
    if (stale == work.operands.end()) {
      undecided += std::ranges::any_of(work.operands, &analysis::Operand::orderUnknown) ? 1 : 0;
      continue;
    }
    if (threads++ > 0) continue;
    const WordPrinter printer = printerOf(at.trace, at.launch, *stale);
    example = fmt::format("thread {} read {} from {}, where pass {} left {}", figure(work.thread),
                          grouped(printer.brief(stale->bits)), operandName(at.launch, *stale),
                          figure(at.pass->pass), grouped(printer.brief(*stale->left)));
  }
  if (threads == 0 && undecided == 0) return {};
  std::string text = threads == 0
                         ? std::string()
                         : fmt::format("{}: {} of {} {} a value that is not what the pass before left: {}.",
                                       titleOf(at), figure(threads), count(at.round().activeLanes, "thread"),
                                       threads == 1 ? "reads" : "read", example);
  if (undecided > 0)
    text += fmt::format(
        "{}{}{} the order is unknown: a value is the same before and after the store of another "
        "thread.",
        threads == 0 ? titleOf(at) + ": for " : " For ", count(undecided, "thread"),
        threads == 0 ? "" : " more");
  const auto race = std::ranges::find(at.analysis.races, at.index, &analysis::Race::round);
  if (race != at.analysis.races.end()) text += fmt::format(" This is a race. {}", remedyFor(*race));
  return text;
}

std::vector<std::string> troubleIn(const RoundAt& at) {
  std::vector<std::string> sentences;
  if (std::string stale = staleSentence(at); !stale.empty()) sentences.push_back(std::move(stale));
  for (const analysis::Race& race : at.analysis.races)
    if (showsIn(at, race)) sentences.push_back(raceSentence(at, race));
  for (const model::Problem& problem : at.analysis.problems)
    if (showsIn(at, problem)) sentences.push_back(problemSentence(at, problem));
  if (at.index + 1 == at.analysis.rounds.size() && at.endsTheRound())
    if (std::string cut = cutSentence(at); !cut.empty()) sentences.push_back(std::move(cut));
  return sentences;
}

std::string troubleInAnotherPass(const RoundAt& at, std::span<const analysis::PassPlace> stale) {
  if (at.pass == nullptr) return {};
  std::optional<std::uint32_t> pass;
  const auto note = [&](std::uint32_t other) { pass = std::min(other, pass.value_or(other)); };
  for (const analysis::Race& race : at.analysis.races) {
    if (showsIn(at, race)) return {};
    if (race.round == at.index) note(race.pass);
  }
  for (const analysis::PassPlace& place : stale) {
    if (place.round != at.index) continue;
    if (place.pass == at.pass->pass) return {};
    note(place.pass);
  }
  if (pass) return fmt::format("A race shows in pass {}.", figure(*pass + 1));
  for (const model::Problem& problem : at.analysis.problems) {
    if (showsIn(at, problem)) return {};
    if (roundOf(at, problem) == at.index) note(passOf(at, problem));
  }
  return pass ? fmt::format("A problem shows in pass {}.", figure(*pass + 1)) : std::string();
}

std::vector<std::string> troubleOf(const RoundAt& at) {
  std::vector<std::string> sentences;
  const auto& races = at.analysis.races;
  for (std::size_t i = 0; i < std::min(races.size(), kRacesTold); ++i)
    sentences.push_back(raceSentence(at, races[i]));
  if (races.size() > kRacesTold)
    sentences.push_back(fmt::format("And {} more {} of other lines or in other rounds.",
                                    figure(races.size() - kRacesTold),
                                    races.size() == kRacesTold + 1 ? "race" : "races"));
  for (const model::Problem& problem : at.analysis.problems)
    sentences.push_back(problemSentence(at, problem));
  if (std::string cut = cutSentence(at); !cut.empty()) sentences.push_back(std::move(cut));
  return sentences;
}

}  // namespace stridescope::narration
