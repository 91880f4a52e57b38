#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

#include "measure/series_store.h"
#include "stand_in.h"

namespace stridescope::measure {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::UnorderedElementsAre;

struct Heard final : SampleListener {
  std::vector<std::pair<std::size_t, model::TimingSample>> samples;
  std::map<std::size_t, std::string> faults;
  std::vector<std::string> notes;
  std::uint64_t repetitions = 0, stopAfter = ~0ull, begun = 0;
  int wrong = 0;
  double lasted = 0;  // seconds
  std::function<void()> wait;
  std::set<std::uint64_t> disturbed;  // samples, counted from 1

  void onReady(std::size_t, const PreparedSubject&) override {}
  void onSample(std::size_t subject, const model::TimingSample& sample, double) override {
    samples.emplace_back(subject, sample);
  }
  void onFault(std::size_t subject, const std::string& sentence) override { faults[subject] = sentence; }
  void onWrongResult(std::size_t subject, const std::string& sentence) override {
    onFault(subject, sentence);
    ++wrong;
  }
  void onNote(const std::string& sentence) override { notes.push_back(sentence); }
  void onRepetition(std::uint64_t done, double seconds) override {
    repetitions = done;
    lasted = seconds;
  }
  bool beginSample(std::size_t) override {
    if (wait) wait();
    return begun++ < stopAfter;
  }
  bool endSample() override { return !disturbed.contains(begun); }

  std::size_t countOf(std::size_t subject) const {
    return std::size_t(std::ranges::count(samples, subject, [](const auto& each) { return each.first; }));
  }
};

struct Sampling : testing::Test {
  std::shared_ptr<StandInBehaviour> behaviour = std::make_shared<StandInBehaviour>();
  std::shared_ptr<StandInClock> clock = std::make_shared<StandInClock>();
  std::vector<model::TimingSubject> subjects{variantNamed("a"), variantNamed("b"), variantNamed("c")};
  std::unique_ptr<TimingDevice> device = makeStandIn(TimingDeviceKind::Gpu, behaviour, clock);
  Heard heard;
  engine::JobControl job;
  model::TimingCase timingCase{.elements = 1000};

  Result<void> sample(const CaseLimits& limits) {
    Sampler sampler(
        subjects, {{device.get(), {0, 1, 2}}}, [this] { return clock->now(); }, 1);
    return sampler.sampleCase(timingCase, limits, heard, job);
  }
};

TEST_F(Sampling, TakesOneOfEachATurn) {
  ASSERT_TRUE(sample({.samples = 50}));
  ASSERT_EQ(heard.samples.size(), 150u);
  for (std::size_t repetition = 0; repetition < 50; ++repetition) {
    std::set<std::size_t> inTurn;
    for (std::size_t i = 0; i < 3; ++i) {
      const auto& [subject, taken] = heard.samples[3 * repetition + i];
      inTurn.insert(subject);
      EXPECT_EQ(taken.repetition, repetition + 1);
    }
    EXPECT_EQ(inTurn.size(), 3u);
  }
  EXPECT_EQ(heard.repetitions, 50u);
}

TEST_F(Sampling, DrawsEveryOrderAnew) {
  ASSERT_TRUE(sample({.samples = 120}));
  std::map<std::vector<std::size_t>, int> orders;
  for (std::size_t i = 0; i < heard.samples.size(); i += 3)
    ++orders[{heard.samples[i].first, heard.samples[i + 1].first, heard.samples[i + 2].first}];
  EXPECT_EQ(orders.size(), 6u);  // each with probability 1/6: none missing in 120 but once in 10^9
}

TEST_F(Sampling, LeavesTheWarmUpOut) {
  ASSERT_TRUE(sample({.samples = 2}));
  EXPECT_EQ(behaviour->calls.size(), 3 * (kWarmUpRepetitions + 2));
  EXPECT_EQ(heard.samples.size(), 6u);
}

TEST_F(Sampling, EndsAfterTheSecondsGiven) {
  behaviour->microseconds = {{"a", 1000}, {"b", 1000}, {"c", 2000}};
  ASSERT_TRUE(sample({.seconds = 0.4}));
  EXPECT_NEAR(double(heard.repetitions), 100, 2);
}

// A pause is not the case's.
TEST_F(Sampling, CountsNoSecondsOfWaiting) {
  behaviour->microseconds = {{"a", 1000}, {"b", 1000}, {"c", 2000}};
  heard.wait = [this] { clock->advance(7); };
  ASSERT_TRUE(sample({.seconds = 0.4}));
  EXPECT_NEAR(double(heard.repetitions), 100, 2);
  EXPECT_NEAR(heard.lasted, 0.4, 0.01);
}

TEST_F(Sampling, NeverTakesAWrongResultForASample) {
  behaviour->wrongFromCall["b"] = int(kWarmUpRepetitions) + 5;
  ASSERT_TRUE(sample({.samples = 20}));
  EXPECT_EQ(heard.countOf(1), 5u);
  EXPECT_EQ(heard.countOf(0), 20u);
  EXPECT_EQ(heard.countOf(2), 20u);
  EXPECT_EQ(heard.wrong, 1);
  EXPECT_THAT(heard.faults[1], HasSubstr("instead of"));
}

TEST_F(Sampling, ChecksTheWarmUpToo) {
  behaviour->wrongFromCall["a"] = 0;
  ASSERT_TRUE(sample({.samples = 3}));
  EXPECT_EQ(heard.countOf(0), 0u);
  EXPECT_EQ(heard.wrong, 1);
}

TEST_F(Sampling, GoesOnWithoutWhatIsNotThere) {
  behaviour->unavailable["c"] = "There is no c.";
  ASSERT_TRUE(sample({.samples = 4}));
  EXPECT_EQ(heard.countOf(2), 0u);
  EXPECT_EQ(heard.countOf(0), 4u);
  EXPECT_EQ(heard.faults[2], "There is no c.");
}

TEST_F(Sampling, TellsWhereTheMemoryEndsAndLivesOn) {
  behaviour->mostElements = 999;
  ASSERT_TRUE(sample({.samples = 4}));
  EXPECT_THAT(heard.samples, IsEmpty());
  EXPECT_THAT(heard.notes, ElementsAre("So many elements do not fit."));
  EXPECT_EQ(heard.faults.size(), 3u);
}

TEST_F(Sampling, StopsBetweenTwoSamples) {
  heard.stopAfter = 3 * kWarmUpRepetitions + 7;
  const auto ended = sample({});
  ASSERT_FALSE(ended);
  EXPECT_EQ(ended.error().kind, ErrorKind::Cancelled);
  EXPECT_EQ(heard.samples.size(), 7u);
}

TEST_F(Sampling, DropsWhatWasDisturbed) {
  heard.disturbed = {3 * kWarmUpRepetitions + 1};
  ASSERT_TRUE(sample({.samples = 10}));
  EXPECT_EQ(heard.samples.size(), 29u);
}

TEST_F(Sampling, FailsWhenTheOnlyDeviceIsLost) {
  behaviour->failsAtCall = 15;
  const auto ended = sample({.samples = 100});
  EXPECT_FALSE(ended);
  EXPECT_THAT(heard.notes, ElementsAre("The stand-in is lost."));
}

TEST_F(Sampling, FailsWhenTheDeviceIsLostAsItIsLookedAt) {
  behaviour->lostAtLook = true;
  behaviour->microseconds = {{"a", 400'000}};
  const auto ended = sample({.samples = 100});
  EXPECT_FALSE(ended);
  EXPECT_LT(heard.repetitions, 5u);
  EXPECT_THAT(heard.notes, ElementsAre("The stand-in is lost."));
}

TEST_F(Sampling, GoesOnOnTheOtherDeviceWhenOneIsLost) {
  auto other = std::make_shared<StandInBehaviour>();
  const auto cpu = makeStandIn(TimingDeviceKind::Cpu, other, clock);
  behaviour->failsAtCall = 15;
  Sampler sampler(
      subjects, {{device.get(), {0, 1}}, {cpu.get(), {2}}}, [this] { return clock->now(); }, 1);
  ASSERT_TRUE(sampler.sampleCase(timingCase, {.samples = 40}, heard, job));
  EXPECT_EQ(heard.countOf(2), 40u);
  EXPECT_LT(heard.countOf(0), 10u);
}

TEST_F(Sampling, TellsWhatDisturbsTheDevice) {
  behaviour->disturbances = {"The clock is held down."};
  behaviour->microseconds = {{"a", 600'000}};
  ASSERT_TRUE(sample({.samples = 3}));
  EXPECT_THAT(heard.notes, testing::Contains("The clock is held down."));
}

// Subjects 0 and 1 alternate with CUB, subject 2, and with nothing else.
struct SamplingWithCub : Sampling {
  SamplingWithCub() { subjects[2] = {model::SubjectKind::GpuBaseline, "cub"}; }
};

TEST_F(SamplingWithCub, EachIsSampledAloneWithCub) {
  ASSERT_TRUE(sample({.samples = 60}));
  EXPECT_EQ(heard.countOf(0), 60u);
  EXPECT_EQ(heard.countOf(1), 60u);
  EXPECT_EQ(heard.countOf(2), 120u) << "with either";
  std::map<std::uint32_t, std::set<std::size_t>> repetitions;
  for (const auto& [subject, taken] : heard.samples) repetitions[taken.repetition].insert(subject);
  EXPECT_EQ(repetitions.size(), 120u);
  std::size_t changes = 0, before = 0;
  for (const auto& [number, both] : repetitions) {
    ASSERT_EQ(both.size(), 2u) << number;
    EXPECT_TRUE(both.contains(2)) << number;
    changes += *both.begin() != before;
    before = *both.begin();
  }
  EXPECT_EQ(changes, 5u) << "in stretches of 25, 25 and 10";
}

TEST_F(SamplingWithCub, InterleavedAllStandInEachRepetition) {
  ASSERT_TRUE(sample({.samples = 20, .interleaved = true}));
  for (const std::size_t subject : {0u, 1u, 2u}) EXPECT_EQ(heard.countOf(subject), 20u);
  EXPECT_EQ(heard.samples.back().second.repetition, 20u);
}

TEST_F(SamplingWithCub, WhatCannotGoOnTakesNoMoreOfCub) {
  behaviour->unavailable = {{"a", "Not here."}};
  ASSERT_TRUE(sample({.samples = 30}));
  EXPECT_EQ(heard.countOf(0), 0u);
  EXPECT_EQ(heard.countOf(2), 30u);
}

TEST_F(Sampling, TakesFewerOfWhatTakesLong) {
  behaviour->microseconds = {{"a", 1000}, {"b", 1000}, {"c", 38'000}};
  ASSERT_TRUE(sample({.samples = 60, .secondsPerSubject = 1}));
  EXPECT_EQ(heard.countOf(2), 25u) << "of 40 ms each";
  heard = {};
  behaviour->microseconds["c"] = 998'000;
  ASSERT_TRUE(sample({.samples = 60, .secondsPerSubject = 1}));
  EXPECT_EQ(heard.countOf(2), kMinSamples);
}

TEST_F(Sampling, NumbersTurnsOnFromTheLast) {
  Sampler sampler(
      subjects, {{device.get(), {0, 1, 2}}}, [this] { return clock->now(); }, 1, 41);
  ASSERT_TRUE(sampler.sampleCase(timingCase, {.samples = 1}, heard, job));
  EXPECT_EQ(heard.samples.front().second.repetition, 42u);
}

}  // namespace
}  // namespace stridescope::measure
