#include "views/shared/memory_stage.h"

#include <algorithm>

namespace stridescope::views {

MemoryStage::MemoryStage(const model::LaunchTrace& launch, const analysis::LaunchAnalysis& analysis)
    : analysis_(analysis) {
  if (!launch.recorded().shared.empty()) {
    array_ = &launch.recorded().shared.front();
    elements_ = array_->bytes / std::max(1u, array_->elementBytes);
    return;
  }
  const auto& windows = analysis.deviceMemory.windows;
  const auto inPlace = std::ranges::find(windows, true, &analysis::DeviceWindow::readToo);
  if (inPlace == windows.end()) return;
  window_ = std::size_t(inPlace - windows.begin());
  arrayNumber_ = inPlace->buffer;
  array_ = &launch.buffers[arrayNumber_];
  first_ = inPlace->first;
  elements_ = inPlace->elements;
}

bool MemoryStage::holds(const model::Event& event) const {
  if (event.inShared()) return holds(true, event.sharedArray());
  return event.inGlobal() && holds(false, event.buffer());
}

const std::vector<bool>& MemoryStage::liveAfter(const analysis::RoundFlow& flow) const {
  return window_ ? flow.deviceLiveAfter[*window_] : flow.liveAfter.front();
}

MemoryStage::Words MemoryStage::wordsAfter(std::size_t round) const {
  if (window_) return analysis_.deviceMemory.wordsAfter(*window_, round);
  return wordsOf(analysis_.rounds[round].snapshot);
}

MemoryStage::Words MemoryStage::wordsAfter(const narration::RoundAt& at) const {
  return window_ ? wordsAfter(at.index) : wordsOf(at.round().snapshot);
}

std::optional<MemoryStage::Words> MemoryStage::wordsBefore(const narration::RoundAt& at) const {
  if (at.pass != nullptr && at.pass->pass > 0 && !window_) return wordsOf(at.pass->before);
  return at.index == 0 ? std::nullopt : std::optional(wordsAfter(at.index - 1));
}

MemoryStage::Words MemoryStage::wordsOf(const analysis::Snapshot& snapshot) const {
  Words words(elements_);
  const std::size_t bytes = std::max(1u, array_->elementBytes);
  for (std::size_t element = 0; element < words.size(); ++element)
    words[element] = snapshot.word(element * bytes, bytes);
  return words;
}

}  // namespace stridescope::views
