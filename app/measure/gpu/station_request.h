// What the program asks its timing worker to get ready.
#pragma once

#include <vector>

#include "base/describe.h"
#include "model/timing_record.h"

namespace stridescope::measure::gpu {

struct StationRequest {
  model::TimingStation station;
  std::vector<model::TimingSubject> subjects;
};

template <class Fields, Described<StationRequest> Value>
constexpr void describe(Fields&& fields, Value& request) {
  fields("station", request.station);
  fields("subjects", request.subjects);
}

}  // namespace stridescope::measure::gpu
