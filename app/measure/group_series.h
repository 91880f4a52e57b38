// Times over several GPUs: from samples to records of a recording, and from these to series.
#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "measure/timing_board.h"
#include "model/several_gpus.h"
#include "model/timing_record.h"

namespace stridescope::measure {

// Whether it leaves an array on each GPU rather than one result: only what leaves the same is compared.
bool leavesArrays(const model::TimingSubject& subject);
// Whether a library does it, of which no steps are known.
bool isOfNccl(std::string_view subject);

// One subject over several GPUs at one case.
struct SampledGroup {
  model::TimingSubject subject;
  model::TimingCase timingCase;
  unsigned threads = 0;  // per block, as it ran; 0: there are no blocks of ours
  model::Executor executor;
  unsigned gpus = 0;
  std::vector<model::TimingSample> samples;  // at least one
};
// Another one at the same case.
struct SampledBeside {
  model::TimingSubject subject;
  std::vector<model::TimingSample> samples;
};

// What a recording keeps of it: its figures, and its ratios to the others that leave the same kind of result,
// from the repetitions that both have.
model::GroupTimingRecord groupRecord(const SampledGroup& sampled, std::span<const SampledBeside> beside);

// A series for each subject and GPUs, one GPU alone among them.
std::vector<TimingSeries> recordedGroups(const std::vector<model::GroupTimingRecord>& records,
                                         const std::vector<model::LinkRecord>& links);

}  // namespace stridescope::measure
