#include "report/recorded_blocks.h"

namespace stridescope::report {

lab::Run runOfBlock(const model::Trace& trace, std::size_t launch, std::size_t block) {
  const model::LaunchTrace& all = trace.launches[launch];
  model::Trace one = model::beforeTheRun(trace);
  one.ok = trace.ok;
  one.checkNote = trace.checkNote;
  model::LaunchTrace& only = one.launches.emplace_back();
  only.elements = all.elements;
  only.buffers = all.buffers;
  only.setShape(all.gridShape(), all.blockShape());
  only.blocks = {all.blocks[block]};
  return lab::runOf(std::move(one));
}

void eachOtherBlock(const model::Trace& trace,
                    const std::function<void(std::size_t launch, const lab::Run& run)>& visit) {
  for (std::size_t launch = 0; launch < trace.launches.size(); ++launch)
    for (std::size_t block = 1; block < trace.launches[launch].blocks.size(); ++block)
      visit(launch, runOfBlock(trace, launch, block));
}

}  // namespace stridescope::report
