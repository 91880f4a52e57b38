// The register of panels, and who makes each.
#pragma once

#include <memory>
#include <vector>

#include "views/shared/panel.h"

namespace stridescope::views {

struct TimingsState;

// All panels, each with a state of its own, in the order in which menus list them.
std::vector<Panel> allPanels();

// Lanes: one row per warp, 32 cells; which threads of the block are active in the current round.
Panel lanesPanel();

// Lane utilization: warps x rounds, coloured by the number of active lanes; below it the divergent branches
// in the source.
Panel divergencePanel();

// Banks: one request of one warp as a punch card of lanes x 32 banks, split into wavefronts; below it banks x
// strides. If the launch works in device memory alone, the sectors take the banks' place: lanes x sectors,
// and below them warps x strides, coloured by sectors.
Panel banksPanel();

// The Timings panel: what each variant costs, live from this machine, and recorded from real GPUs.
// With a state of the caller's (views/measure/timings_look.h), what the panel shows can be chosen from
// outside. Null: one of its own.
Panel timingsPanel(std::shared_ptr<TimingsState> state = nullptr);

// Block timeline: a row for each warp, cycles to the right; where the warp works and where it waits at a
// barrier, round after round. One block alone, or the same block in a full grid.
Panel blockTimelinePanel();

// The Timeline panel: every block of the reduction in time, a row for each multiprocessor, all launches and
// the gaps between them; or one multiprocessor with its slots.
Panel timelinePanel();

// The Counters panel: what the hardware counted of the shown launch, beside what the model says.
Panel countersPanel();

// The Why panel: what the time of the shown variant is made of, and what changed from the one before.
Panel whyPanel();

// Shared memory: the hero. Memory after each round as rows, the current round large, with operands, the
// threads that combine them, and results.
Panel sharedMemoryPanel();

// Source: the kernel's text as it is compiled, the executing lines marked, with the values of one thread.
Panel sourcePanel();

// The Machine code panel: the kernel as the GPU executes it, tied to the lines of its text.
Panel machineCodePanel();

// Predict: what is asked of the round that comes next, and once it is revealed what the guesses were worth
// and why; below it the score.
Panel predictPanel();

}  // namespace stridescope::views
