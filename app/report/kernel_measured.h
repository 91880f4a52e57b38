// What was measured of a person's own kernel on a GPU, as text and as JSON.
#pragma once

#include <cstdint>
#include <ostream>
#include <string>
#include <vector>

#include "model/clock_record.h"
#include "model/dim3.h"
#include "model/trace.h"
#include "report/json_writer.h"

namespace stridescope::report {

// A kernel as it was launched first.
struct KernelCall {
  std::string file, name, templateArguments;
  model::Dim3 grid{}, block{};
  std::uint64_t sharedBytes = 0;  // dynamic
};

// "sum<int><<<2, 256>>> of sum.cu"
std::string calledAs(const KernelCall& call);
// The member "kernel".
void writeKernelCall(JsonWriter& json, const KernelCall& call);

// Each sample times all launches together, in microseconds.
struct KernelTimes {
  KernelCall call;
  std::size_t launches = 1;
  model::Executor executor;
  std::vector<float> whole;  // at least one
  std::vector<float> empty;  // a kernel that does nothing, launched alike; as many
};
std::string kernelTimeText(const KernelTimes& times);
// Members of an object: how many launches and samples, and both times.
void writeKernelTimes(JsonWriter& json, const KernelTimes& times);
void writeKernelTimeJson(std::ostream& out, const KernelTimes& times);  // format 1

// When the blocks of all launches ran, and where.
struct KernelTimeline {
  KernelCall call;
  // Without an experiment. Its moments are nanoseconds since the first block's start.
  model::TimelineRecord record;
};
std::string kernelTimelineText(const KernelTimeline& timeline);
void writeKernelTimelineJson(std::ostream& out, const KernelTimeline& timeline);  // format 1

}  // namespace stridescope::report
