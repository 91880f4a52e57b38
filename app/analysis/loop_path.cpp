#include "analysis/loop_path.h"

namespace stridescope {

void LoopPath::moveTo(std::uint32_t site, const SiteTable& sites) {
  const auto loops = sites.loopsOf(site);
  std::size_t common = 0;
  while (common < loops.size() && common < levels_.size() && levels_[common].loopSite == loops[common])
    ++common;
  levels_.resize(common, {});
  for (std::size_t i = common; i < loops.size(); ++i) levels_.push_back({loops[i], 0});
}

void LoopPath::pass(std::uint32_t loopSite, bool goesOn) {
  if (levels_.empty() || levels_.back().loopSite != loopSite) return;
  if (goesOn)
    ++levels_.back().passed;
  else
    levels_.pop_back();
}

void LoopPath::locate(const Event& event, Position& position) const {
  position.clear();
  // Sites up to the condition belong to the iteration that the condition will open: the condition itself, and
  // the body of a do-while, which stands before it.
  for (const Level& level : levels_)
    position.enterLoop(level.loopSite, level.passed + (event.site() <= level.loopSite ? 1 : 0));
  position.arrive(event.site(), std::uint32_t(event.head >> 52) & 0x7ff);
}

}  // namespace stridescope
