// What is measured of several GPUs of one host together: how long a reduction over all of them takes, and
// what lies between them.
#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/describe.h"
#include "model/experiment.h"
#include "model/quantity.h"
#include "model/trace.h"

namespace stridescope::model {

inline constexpr unsigned kMinGpusTogether = 2;  // kMaxGpus at most (kernel.h)

// From one GPU's memory to another GPU; 0: not known. Both bandwidths are in GB/s (10^9 bytes).
struct GpuLink {
  unsigned from = 0, to = 0;          // the driver's numbers; they differ
  double copyGigabytesPerSecond = 0;  // of a copy from the one memory to the other
  double loadGigabytesPerSecond = 0;  // of a kernel on `to` that only reads the memory of `from`
  // From a store of one GPU into the other's memory until a thread there has seen it: half of the time of a
  // message there and back.
  double messageNanoseconds = 0;
  friend bool operator==(const GpuLink&, const GpuLink&) = default;
};

struct LinkRecord {
  Executor executor{};  // GPUs that are alike; the device is the name of one
  unsigned gpus = 0;
  std::vector<GpuLink> links{};  // every pair, in both directions
  friend bool operator==(const LinkRecord&, const LinkRecord&) = default;
};

// Another subject that was sampled in the same repetitions.
struct PairedTime {
  std::string subject;      // a variant's or a baseline's id: "one_gpu"
  double microseconds = 0;  // the median
  // How many times as long the record's reduction takes: the median of the pairs, and where it lies with 95 %
  // confidence.
  double ratio = 0, low = 0, high = 0;
  friend bool operator==(const PairedTime&, const PairedTime&) = default;
};

// A reduction over several GPUs: from the host's first launch until the host has the one result, or until
// each GPU has finished its array. Microseconds.
struct GroupTimingRecord {
  Experiment experiment;   // its variant, type, operator, block size, n and number of GPUs
  std::string kernelHash;  // hashOf the kernel's text; empty: the library's own kernels
  Executor executor{};     // GPUs that are alike; the compiler names NCCL, too, where it was found
  unsigned samples = 0;
  double least = 0, lowerQuartile = 0, microseconds = 0, upperQuartile = 0;
  double low = 0, high = 0;  // where the median lies with 95 % confidence
  std::vector<PairedTime> others{};
  friend bool operator==(const GroupTimingRecord&, const GroupTimingRecord&) = default;
};

// The fields of an experiment that its time over several GPUs depends on.
inline constexpr std::array<std::string_view, 9> kGroupFields{
    "variant", "type", "op", "combine", "identity", "identity_bits", "threads", "elements", "gpus"};

inline constexpr std::size_t kMaxGroupTimings = 1 << 14, kMaxLinkRecords = 1 << 8;  // per recording
inline constexpr std::size_t kMaxPairedTimes = 64;                                  // per record
inline constexpr std::size_t kMaxLinks = std::size_t(kMaxGpus) * (kMaxGpus - 1);

// The first thing wrong with it, as a clause, or nothing.
std::optional<std::string> faultOf(const LinkRecord& record);
std::optional<std::string> faultOf(const GroupTimingRecord& record);

// Whether it tells of this experiment, whatever its data are.
bool tellsOf(const GroupTimingRecord& record, const Experiment& experiment);

template <class Fields, Described<GpuLink> Value>
constexpr void describe(Fields&& fields, Value& link) {
  fields("from_gpu", link.from);
  fields("to_gpu", link.to);
  fields("copy_gigabytes_per_second", link.copyGigabytesPerSecond);
  fields("load_gigabytes_per_second", link.loadGigabytesPerSecond);
  fields("message_nanoseconds", link.messageNanoseconds);
}

template <class Fields, Described<LinkRecord> Value>
constexpr void describe(Fields&& fields, Value& record) {
  fields("executor", record.executor);
  fields("gpus", record.gpus);
  fields("links", record.links);
}

template <class Fields, Described<PairedTime> Value>
constexpr void describe(Fields&& fields, Value& other) {
  fields("subject", other.subject);
  fields("microseconds", other.microseconds);
  fields("ratio", other.ratio);
  fields("ratio_low", other.low);
  fields("ratio_high", other.high);
}

template <class Fields, Described<GroupTimingRecord> Value>
constexpr void describe(Fields&& fields, Value& record) {
  fields("experiment", record.experiment);
  fields("kernel_sha256", record.kernelHash);
  fields("executor", record.executor);
  fields("samples", record.samples);
  fields("least", record.least);
  fields("lower_quartile", record.lowerQuartile);
  fields("microseconds", record.microseconds);
  fields("upper_quartile", record.upperQuartile);
  fields("low", record.low);
  fields("high", record.high);
  fields("others", record.others);
}

template <>
inline constexpr Quantity kQuantity<LinkRecord>{
    .table = "gpu_links",
    .one = "links between GPUs",
    .many = "records of links between GPUs",
    .where = "the links between GPUs",
    .notMeasured = "Only several GPUs have links.",
    .most = kMaxLinkRecords,
    .fields = {{"gpus", "of this kind, all of one host", kMinGpusTogether, kMaxGpus}},
    .lists = {{.field = "links",
               .table = "gpu_link_pairs",
               .key = "link",
               .count = "link_count",
               .most = kMaxLinks,
               .fields = {{"from_gpu", "whose memory is read", 0, kMaxGpus - 1},
                          {"to_gpu", "that reads it", 0, kMaxGpus - 1},
                          {"copy_gigabytes_per_second", "0, as in the next two: not known", 0, 1'000'000},
                          {"load_gigabytes_per_second", "of a kernel that only reads", 0, 1'000'000},
                          {"message_nanoseconds", "half of there and back", 0, kMaxStoredTime}}}}};

template <>
inline constexpr Quantity kQuantity<GroupTimingRecord>{
    .table = "group_timings",
    .one = "timing over several GPUs",
    .many = "timings over several GPUs",
    .where = "a timing over several GPUs",
    .notMeasured = "Only several GPUs are timed together.",
    .most = kMaxGroupTimings,
    .experiment = kGroupFields,
    .fields = {{"samples", "of the reduction"},
               {"least", "microseconds, as in the next five", 0, kMaxStoredTime},
               {"lower_quartile", {}, 0, kMaxStoredTime},
               {"microseconds", "the median", 0, kMaxStoredTime},
               {"upper_quartile", {}, 0, kMaxStoredTime},
               {"low", "where the median lies with 95 % confidence", 0, kMaxStoredTime},
               {"high", {}, 0, kMaxStoredTime}},
    .lists = {{.field = "others",
               .table = "group_timing_pairs",
               .key = "pair",
               .count = "pair_count",
               .most = kMaxPairedTimes,
               .fields = {{"subject", "sampled in the same repetitions"},
                          {"microseconds", "its median", 0, kMaxStoredTime},
                          {"ratio", "the record's time over its own, in pairs", 0, kMaxStoredTime},
                          {"ratio_low", "with 95 % confidence", 0, kMaxStoredTime},
                          {"ratio_high", {}, 0, kMaxStoredTime}}}}};

}  // namespace stridescope::model
