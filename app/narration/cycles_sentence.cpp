#include "narration/cycles_sentence.h"

#include "base/numbers.h"
#include "narration/wording.h"

namespace stridescope::narration {

std::string recordedCycles(const analysis::Cycles* cycles, const analysis::Cycles* reference,
                           const std::string& referenceName) {
  if (cycles == nullptr) return {};
  std::string text = "Recorded: " + count(cycles->median, "cycle");
  if (reference != nullptr)
    text += "; " + referenceName + ", with as many active threads, takes " + figure(reference->median);
  return text + ".";
}

std::string cyclesSentence(const analysis::LaunchCycles& cycles, std::size_t round,
                           const std::string& device) {
  const analysis::Cycles* const alone = cycles.alone.at(round);
  const analysis::Cycles* const inGrid = cycles.inGrid.at(round);
  if (alone == nullptr && inGrid == nullptr) return {};
  std::string text;
  if (alone != nullptr) text = count(alone->median, "cycle") + " alone";
  if (inGrid != nullptr)
    text += alone != nullptr ? ", " + figure(inGrid->median) + " in a full grid"
                             : count(inGrid->median, "cycle") + " in a full grid";
  return text + ", recorded on " + device + ".";
}

}  // namespace stridescope::narration
