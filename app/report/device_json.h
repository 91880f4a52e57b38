// What goes between the devices of a launch, as JSON.
#pragma once

#include "analysis/analysis.h"
#include "model/trace.h"
#include "report/json_writer.h"

namespace stridescope::report {

// Writes "devices", "traffic" (round by round: transfers and waits), "links" (the bytes over each of them up
// to the end of the launch) and "device_races". Requires a launch on several devices.
void writeTraffic(JsonWriter& json, const model::LaunchTrace& launch,
                  const analysis::LaunchAnalysis& analysis);

}  // namespace stridescope::report
