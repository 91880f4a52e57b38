// How the fields of each structure stand in a recording's tables, where their names and types do not say it.
#pragma once

#include "archive/described_rows.h"
#include "model/measured_origin.h"
#include "model/timing_record.h"
#include "model/trace_check.h"
#include "recording/event.h"

namespace stridescope::archive {

inline constexpr std::int64_t kMaxInt = std::numeric_limits<int>::max();
inline constexpr std::int64_t kMaxSite = recording::kMaxSites - 1;

inline constexpr RowShape kExperimentRow{
    .limits = {{"threads", 1, model::kMaxThreads}, {"lists", 0, model::kMaxThreads}}};
inline constexpr RowShape kExecutorRow{.renamed = {{"kind", "engine"}}};
inline constexpr RowShape kSiteRow{.limits = {{"id", 0, kMaxSite},
                                              {"line", 1, kMaxInt},
                                              {"column", 1, kMaxInt},
                                              {"length", 0, kMaxInt},
                                              {"statement", 0, kMaxInt}}};
inline constexpr RowShape kLaunchRow{.limits = {{"block", 1, model::kMaxThreads}}};
// It stands in the row of its launch, whose number of events and copies that row has, too.
inline constexpr RowShape kBlockRow{};
inline constexpr RowShape kArrayRow{.limits = {{"element_bytes", 1, model::kMaxElementBytes}}};
// Who reads a file sets it: no row has it.
inline constexpr RowShape kTraceRow{.renamed = {{"verdict_is_recorded", ""}}};
// -1 stands as NULL.
inline constexpr RowShape kProblemRow{.renamed = {{"site", ""}}};
inline constexpr RowShape kSubjectRow{.renamed = {{"id", "subject"}}};
inline constexpr RowShape kCaseRow{.renamed = {{"threads", "wished_threads"}},
                                   .limits = {{"threads", 0, model::kMaxThreads}}};
// Ceilings in GB/s.
inline constexpr RowShape kTimingRow{.limits = {{"threads", 0, model::kMaxThreads},
                                                {"read_ceiling", 0, std::int64_t(model::kMaxCeiling)},
                                                {"copy_ceiling", 0, std::int64_t(model::kMaxCeiling)}}};
inline constexpr RowShape kSampleRow{.limits = {{"microseconds", 0, std::int64_t(model::kMaxMicroseconds)}}};

// Who ran it then: a host or a GPU, never a recording.
inline void readExecutor(RowReader& row, model::Executor& executor) {
  readFields(row, executor, kExecutorRow);
  if (executor.kind == model::EngineKind::Recorded)
    row.fault(row.column("engine"), "holds a name that is not known");
}

}  // namespace stridescope::archive
