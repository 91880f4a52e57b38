// Timings as plain data: what was timed, where, and every sample that is kept. Statistics are derived from
// the samples (measure/statistics.h), never stored.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/describe.h"
#include "model/experiment.h"
#include "model/trace.h"

namespace stridescope::model {

enum class SubjectKind : std::uint8_t {
  Variant,      // one of the catalogue's: its clean kernels on a GPU
  GpuBaseline,  // what the field uses on a GPU: "cub", "thrust"
  CpuBaseline,  // what the CPU does without a GPU: "cpu_loop", "cpu_reduce_par", "cpu_openmp"
};
inline constexpr std::array kSubjectKinds{SubjectKind::Variant, SubjectKind::GpuBaseline,
                                          SubjectKind::CpuBaseline};
std::string_view nameOf(SubjectKind kind);  // "variant", "gpu peer", "cpu peer"

// What is timed.
struct TimingSubject {
  SubjectKind kind = SubjectKind::Variant;
  std::string id;  // a catalogue id or a baseline's
  friend bool operator==(const TimingSubject&, const TimingSubject&) = default;
};

// One reduction of n elements, timed.
struct TimingSample {
  std::uint32_t repetition = 0;  // samples of different subjects with the same repetition are a pair
  float microseconds = 0;
  friend bool operator==(const TimingSample&, const TimingSample&) = default;
};

// How a reduction is timed.
struct TimingCase {
  ElementType type = ElementType::Int;
  Operator op = Operator::Add;
  std::uint64_t elements = 0;
  unsigned threads = 0;  // per block; 0: each subject's own number
  bool warmL2 = false;  // true: the same input again and again; false: inputs rotate, nothing lies in a cache
  bool graph = false;   // true: a variant's launches are one CUDA graph
  friend bool operator==(const TimingCase&, const TimingCase&) = default;
};

// The timings of one subject at one case, as a recording keeps them.
struct TimingRecord {
  TimingSubject subject;
  TimingCase timingCase;
  unsigned threads = 0;                     // per block, as it ran; 0 where there are no blocks of ours
  Executor executor;                        // who ran it: kind Host (the CPU's name) or Gpu
  double readCeiling = 0, copyCeiling = 0;  // that GPU's, measured beside it: GB/s; 0: not measured
  std::vector<TimingSample> samples;        // in ascending order of their repetitions; at least one
  friend bool operator==(const TimingRecord&, const TimingRecord&) = default;
};

inline constexpr std::size_t kMaxTimings = 1 << 16;                           // per recording
inline constexpr std::size_t kMaxTimingSamples = 1 << 16;                     // per timing
inline constexpr std::uint64_t kMaxRecordedSamples = std::uint64_t{1} << 24;  // per recording, all timings'
inline constexpr double kMaxCeiling = 1'000'000;                              // GB/s

// The first thing wrong with it, as a clause, or nothing.
std::optional<std::string> faultOf(const TimingRecord& timing);

constexpr auto allOf(SubjectKind) { return kSubjectKinds; }

// The fields as files and messages have them (base/describe.h).
template <class Fields, Described<TimingSubject> Value>
constexpr void describe(Fields&& fields, Value& subject) {
  fields("kind", subject.kind);
  fields("id", subject.id);
}

template <class Fields, Described<TimingSample> Value>
constexpr void describe(Fields&& fields, Value& sample) {
  fields("turn", sample.repetition);
  fields("microseconds", sample.microseconds);
}

template <class Fields, Described<TimingCase> Value>
constexpr void describe(Fields&& fields, Value& timingCase) {
  fields("type", timingCase.type);
  fields("op", timingCase.op);
  fields("elements", timingCase.elements);
  fields("threads", timingCase.threads);
  fields("warm_l2", timingCase.warmL2);
  fields("graph", timingCase.graph);
}

template <class Fields, Described<TimingRecord> Value>
constexpr void describe(Fields&& fields, Value& timing) {
  fields("subject", timing.subject);
  fields("station", timing.timingCase);
  fields("threads", timing.threads);
  fields("executor", timing.executor);
  fields("read_ceiling", timing.readCeiling);
  fields("copy_ceiling", timing.copyCeiling);
  fields("samples", timing.samples);
}

}  // namespace stridescope::model
