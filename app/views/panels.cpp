#include "views/panels.h"

#include "views/lessons/ladder_panel.h"

namespace stridescope::views {

std::vector<Panel> allPanels() {
  return {
      ladderPanel(),         // the variants and their times
      sharedMemoryPanel(),   // what a round does to it
      lanesPanel(),          // which are active
      divergencePanel(),     // active lanes by round
      banksPanel(),          // a request, and all rounds
      sourcePanel(),         // the kernel's text
      machineCodePanel(),    // and as the GPU executes it
      timingsPanel(),        // live and recorded
      blockTimelinePanel(),  // warps in cycles
      timelinePanel(),       // blocks on the whole GPU
      countersPanel(),       // the hardware's, beside the model's
      whyPanel(),            // what the time is made of
      predictPanel(),        // in the mode of that name alone
  };
}

}  // namespace stridescope::views
