#include "narration/cycles_sentence.h"

#include <cctype>

#include "base/numbers.h"
#include "narration/wording.h"

namespace stridescope::narration {

namespace {

std::string capitalized(std::string text) {
  text.front() = char(std::toupper(static_cast<unsigned char>(text.front())));
  return text;
}

std::string_view counted(MeasuredFrom from) {
  return from == MeasuredFrom::Recording ? "recorded" : "counted";
}

}  // namespace

std::string countedOn(MeasuredFrom from, const std::string& device) {
  return std::string(counted(from)) + " on " + device;
}

std::string countedCycles(MeasuredFrom from, const analysis::Cycles* cycles,
                          const analysis::Cycles* reference, const std::string& referenceName) {
  if (cycles == nullptr) return {};
  std::string text = capitalized(std::string(counted(from))) + ": " + count(cycles->median, "cycle");
  if (reference != nullptr)
    text += "; " + referenceName + ", with as many active threads, takes " + figure(reference->median);
  return text + ".";
}

std::string cyclesSentence(const analysis::LaunchCycles& cycles, std::size_t round,
                           const std::string& counted) {
  const analysis::Cycles* const alone = cycles.alone.at(round);
  const analysis::Cycles* const inGrid = cycles.inGrid.at(round);
  if (alone == nullptr && inGrid == nullptr) return {};
  std::string text;
  if (alone != nullptr) text = count(alone->median, "cycle") + " alone";
  if (inGrid != nullptr)
    text += alone != nullptr ? ", " + figure(inGrid->median) + " in a full grid"
                             : count(inGrid->median, "cycle") + " in a full grid";
  return text + ", " + counted + ".";
}

std::string warpCycles(const analysis::WarpRound& round) {
  std::string text = "works " + count(round.arrive - round.begin, "cycle");
  if (round.end > round.arrive)
    text += ", then waits " + figure(round.end - round.arrive) + " at the barrier";
  return text;
}

std::string clockedLaunch(MeasuredFrom from, const model::ClockRecord& record) {
  const std::string block = record.company == model::ClockedGrid::Alone
                                ? "one block alone"
                                : "block " + figure(record.block) + " of " + figure(record.grid) +
                                      ", n = " + sizeText(record.elements);
  return capitalized(countedOn(from, record.executor.device)) + ": " + block + ", the median of " +
         count(record.firstWarp.size(), "run") + ". The launch took " + timeText(record.clockedMicroseconds) +
         " with clocks, " + timeText(record.cleanMicroseconds) + " without.";
}

std::string noCycles(model::ClockedGrid company, bool other) {
  if (other)
    return company == model::ClockedGrid::Alone ? "No cycles of one block alone are recorded for this launch."
                                                : "No cycles in a full grid are recorded for this launch.";
  return "No cycles are recorded of this kernel at this type, operator, and block size. A GPU that runs it "
         "here counts them, or one that records it with --cycles.";
}

}  // namespace stridescope::narration
