// Which fields of timings travel between the program and its timing worker (engine/worker/byte_archive.h).
#pragma once

#include "engine/worker/trace_fields.h"
#include "measure/timing_device.h"

namespace stridescope::measure::gpu {

struct StationRequest {
  model::TimingStation station;
  std::vector<model::TimingSubject> subjects;
};

}  // namespace stridescope::measure::gpu

namespace stridescope::engine::worker {

template <>
inline constexpr bool kIsPlain<measure::Interval> = std::is_trivially_copyable_v<measure::Interval>;
template <>
inline constexpr bool kIsPlain<measure::Timed> = std::is_trivially_copyable_v<measure::Timed>;
static_assert(sizeof(measure::Interval) == 2 * sizeof(double) &&
                  sizeof(measure::Timed) == sizeof(double) + sizeof(std::uint64_t),
              "nothing but the numbers travels");

template <class Archive, Is<model::TimingSubject> Value>
void exchangeFields(Archive& archive, Value& subject) {
  auto& [kind, id] = subject;
  archive(kind, id);
}
template <class Archive, Is<model::TimingStation> Value>
void exchangeFields(Archive& archive, Value& station) {
  auto& [type, op, elements, threads, warmL2, graph] = station;
  archive(type, op, elements, threads, warmL2, graph);
}
template <class Archive, Is<measure::gpu::StationRequest> Value>
void exchangeFields(Archive& archive, Value& request) {
  auto& [station, subjects] = request;
  archive(station, subjects);
}
template <class Archive, Is<measure::PreparedSubject> Value>
void exchangeFields(Archive& archive, Value& subject) {
  auto& [threads, unavailable] = subject;
  archive(threads, unavailable);
}
template <class Archive, Is<measure::Summary> Value>
void exchangeFields(Archive& archive, Value& summary) {
  auto& [count, least, lowerQuartile, median, upperQuartile, medianInterval] = summary;
  archive(count, least, lowerQuartile, median, upperQuartile, medianInterval);
}
template <class Archive, Is<measure::MeasuredCeiling> Value>
void exchangeFields(Archive& archive, Value& ceiling) {
  auto& [bytes, read, copy, datasheet] = ceiling;
  archive(bytes, read, copy, datasheet);
}
template <class Archive, Is<measure::TimingDeviceFacts> Value>
void exchangeFields(Archive& archive, Value& facts) {
  auto& [kind, executor, ceiling] = facts;
  archive(kind, executor);
  bool there = ceiling.has_value();
  archive(there);
  if constexpr (!std::is_const_v<Value>) {
    if (there) ceiling.emplace();
  }
  if (ceiling) archive(*ceiling);
}

}  // namespace stridescope::engine::worker
