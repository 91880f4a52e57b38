// From samples over several GPUs to what a recording keeps of them, and back to curves; where the second GPU
// begins to pay.
#include "measure/group_series.h"

#include <gmock/gmock.h>

#include <cmath>

#include "analysis/reduction_cost.h"

namespace stridescope::measure {
namespace {

using analysis::GroupPayoff;
using analysis::payoffOf;
using analysis::SizedTime;
using testing::DoubleNear;
using testing::SizeIs;

model::TimingSubject overSeveral(const std::string& id) { return {model::SubjectKind::SeveralGpus, id}; }

std::vector<model::TimingSample> samplesOf(std::vector<float> times, std::uint32_t first = 1) {
  std::vector<model::TimingSample> samples;
  for (const float time : times) samples.push_back({first++, time});
  return samples;
}

SampledGroup sampled(const std::string& id, std::uint64_t n, std::vector<float> times) {
  return {.subject = overSeveral(id),
          .timingCase = {.elements = n},
          .threads = 512,
          .executor = {.kind = model::EngineKind::Gpu, .device = "NVIDIA H200"},
          .gpus = 2,
          .samples = samplesOf(std::move(times))};
}

TEST(GroupRecord, HasItsFiguresAndThoseOfWhatWasSampledBeside) {
  const std::vector<SampledBeside> beside{{kOneGpu, samplesOf({10, 20, 40})},
                                          {overSeveral("nccl_reduce"), samplesOf({5, 5, 5})},
                                          {overSeveral("ring"), samplesOf({1, 1, 1})}};
  const model::GroupTimingRecord record = groupRecord(sampled("nvlink_message", 4096, {5, 10, 10}), beside);
  EXPECT_EQ(model::faultOf(record), std::nullopt);
  EXPECT_EQ(record.experiment.variant, "nvlink_message");
  EXPECT_EQ(record.experiment.elements, 4096u);
  EXPECT_EQ(record.experiment.gpus, 2u);
  EXPECT_EQ(record.samples, 3u);
  EXPECT_EQ(record.microseconds, 10);
  EXPECT_EQ(record.least, 5);
  EXPECT_FALSE(record.kernelHash.empty());
  ASSERT_THAT(record.others, SizeIs(2));  // no array is compared with a sum
  EXPECT_EQ(record.others[0].subject, "one_gpu");
  EXPECT_EQ(record.others[0].microseconds, 20);
  EXPECT_EQ(record.others[0].ratio, 0.5);  // the median of 5/10, 10/20, 10/40
  EXPECT_EQ(record.others[1].ratio, 2);    // of 5/5, 10/5, 10/5
}

TEST(GroupRecord, BecomesCurvesAgain) {
  std::vector<model::GroupTimingRecord> records;
  for (const std::uint64_t n : {1024u, 4096u}) {
    const std::vector<SampledBeside> beside{{kOneGpu, samplesOf({20, 20, 20})}};
    records.push_back(groupRecord(sampled("nvlink_message", n, {10, 10, 10}), beside));
    records.push_back(groupRecord(sampled("host_adds", n, {30, 30, 30}), beside));
  }
  const std::vector<model::LinkRecord> links{
      {.executor = records[0].executor, .gpus = 2, .links = {{.from = 0, .to = 1}}},
      {.executor = records[0].executor, .gpus = 4, .links = {}}};
  const std::vector<TimingSeries> series = recordedGroups(records, links);
  ASSERT_THAT(series, SizeIs(3));
  EXPECT_EQ(series[0].subject, kOneGpu);
  EXPECT_EQ(series[1].subject, overSeveral("nvlink_message"));
  for (const TimingSeries& each : series) {
    EXPECT_EQ(each.source, SeriesSource::Recorded);
    EXPECT_EQ(each.gpus, 2u);
    EXPECT_THAT(each.links, SizeIs(1));
    EXPECT_THAT(each.points, SizeIs(2)) << each.subject.id;  // one GPU's stands once at each size
  }
  EXPECT_EQ(series[0].points[1].time.median, 20);
  EXPECT_EQ(series[1].points[1].time.median, 10);
  EXPECT_EQ(series[1].points[1].timingCase.elements, 4096u);
  ASSERT_TRUE(series[1].points[0].toOneGpu);
  EXPECT_EQ(series[1].points[0].toOneGpu->median, 0.5);
  EXPECT_FALSE(series[1].points[0].toNccl);
}

TEST(GroupRecord, ThatCannotBeIsToldApart) {
  const auto good = groupRecord(sampled("ring", 64, {1, 2, 3}), {});
  EXPECT_EQ(model::faultOf(good), std::nullopt);
  auto bad = good;
  bad.experiment.gpus = 9;
  EXPECT_TRUE(model::faultOf(bad));
  bad = good;
  bad.microseconds = -1;
  EXPECT_TRUE(model::faultOf(bad));
  bad = good;
  bad.others.push_back({.subject = "one_gpu", .ratio = std::nan("")});
  EXPECT_TRUE(model::faultOf(bad));
  model::LinkRecord links{.executor = good.executor, .gpus = 2, .links = {{.from = 0, .to = 1}}};
  EXPECT_EQ(model::faultOf(links), std::nullopt);
  links.links.front().to = 2;
  EXPECT_TRUE(model::faultOf(links));
}

// What a GPU takes: a constant and so much per element. The curves' own crossing is computed by hand.
std::vector<SizedTime> curve(double constant, double perElement) {
  std::vector<SizedTime> points;
  for (int e = 10; e <= 28; e += 2) points.push_back({std::exp2(e), constant + perElement * std::exp2(e)});
  return points;
}

TEST(Payoff, IsWhereTheCurvesCross) {
  // 20 + n/1000 against 30 + n/2000: equal at n = 20 000, which lies between 2^14 and 2^16.
  const GroupPayoff payoff = payoffOf(curve(20, 1e-3), curve(30, 5e-4));
  ASSERT_EQ(payoff.kind, GroupPayoff::Kind::From);
  EXPECT_GT(payoff.from.elements, std::exp2(14));
  EXPECT_LT(payoff.from.elements, std::exp2(16));
  EXPECT_THAT(payoff.from.elements, DoubleNear(20'000, 2'500));  // straight lines between curved points
  EXPECT_THAT(payoff.from.microseconds, DoubleNear(40, 3));
}

TEST(Payoff, IsTheLastCrossingWhereNoiseMakesSeveral) {
  std::vector<SizedTime> one{{1024, 10}, {4096, 10}, {16384, 10}, {65536, 40}};
  std::vector<SizedTime> several{{1024, 9}, {4096, 20}, {16384, 20}, {65536, 20}};
  const GroupPayoff payoff = payoffOf(one, several);
  ASSERT_EQ(payoff.kind, GroupPayoff::Kind::From);
  // From twice as long to half as long: the middle of 2^14 and 2^16 on the logarithmic axis.
  EXPECT_THAT(payoff.from.elements, DoubleNear(32768, 1));
  EXPECT_THAT(payoff.from.microseconds, DoubleNear(20, 0.01));
}

TEST(Payoff, MayBeNeverOrAlwaysOrUnknown) {
  EXPECT_EQ(payoffOf(curve(20, 1e-3), curve(30, 1e-3)).kind, GroupPayoff::Kind::Never);
  EXPECT_EQ(payoffOf(curve(20, 1e-3), curve(10, 1e-3)).kind, GroupPayoff::Kind::Always);
  EXPECT_EQ(payoffOf({}, {}).kind, GroupPayoff::Kind::Unknown);
  const std::vector<SizedTime> small{{1024, 1}, {2048, 1}}, large{{4096, 1}, {8192, 1}};
  EXPECT_EQ(payoffOf(small, large).kind, GroupPayoff::Kind::Unknown);  // they have no size in common
}

}  // namespace
}  // namespace stridescope::measure
