// Whether a recorded result is right is the program's own verdict, wherever it can compute one. What must
// come out is written here as numbers that were computed by hand.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <bit>

#include "archive/recording_file.h"
#include "engine/recorded/recorded_engine.h"
#include "engine/reference.h"
#include "kernels/catalog.h"
#include "narration/outcome.h"
#include "support/temporary_folder.h"

namespace stridescope::archive {
namespace {

using engine::recorded::judgeRecorded;
using engine::recorded::readJudgedTrace;
using model::ElementType;
using model::Operator;
using testing::HasSubstr;

struct Words {
  std::string result, expected;
  bool ok = false;
};

model::Trace recordedAs(model::Experiment experiment, const Words& words) {
  model::Trace trace;
  trace.experiment = std::move(experiment);
  trace.result = words.result;
  trace.expected = words.expected;
  trace.ok = words.ok;
  return trace;
}

const model::Experiment kInts{.variant = "sequential", .threads = 64, .elements = 64};  // 0 + ... + 63 = 2016
const model::Experiment kOneFloat{.variant = "sequential",
                                  .type = ElementType::Float,
                                  .threads = 64,
                                  .elements = 1,
                                  .data = model::DataPattern::Ones};

TEST(RecordedVerdict, OfWhatIsRightIsRight) {
  model::Trace trace = recordedAs(kInts, {"2016", "2016", true});
  EXPECT_EQ(judgeRecorded(trace), std::nullopt);
  EXPECT_TRUE(trace.ok);
  EXPECT_FALSE(trace.verdictIsRecorded);
  EXPECT_EQ(trace.checkNote, "");
}

TEST(RecordedVerdict, AResultThatIsWrongAndCalledSoIsWrong) {
  model::Trace trace = recordedAs(kInts, {"7", "2016", false});
  EXPECT_EQ(judgeRecorded(trace), std::nullopt);
  EXPECT_FALSE(trace.ok);
  EXPECT_EQ(narration::resultAndExpected(trace), "result 7, expected 2016: DIFFERENT");
}

TEST(RecordedVerdict, AnotherExpectedResultIsNotBelieved) {
  model::Trace trace = recordedAs(kInts, {"2017", "2017", true});
  const auto contradiction = judgeRecorded(trace);
  EXPECT_EQ(contradiction, "The recording says that 2017 is expected; a plain loop gives 2016.");
  EXPECT_EQ(trace.checkNote, contradiction);
  EXPECT_EQ(narration::resultAndExpected(trace), "result 2017, expected 2016: DIFFERENT");
}

TEST(RecordedVerdict, AFloatBeyondTheBoundIsWrongWhateverTheFileSays) {
  model::Trace trace = recordedAs(kOneFloat, {"5", "7", true});
  EXPECT_THAT(judgeRecorded(trace).value_or(""), HasSubstr("7 is expected; a plain loop gives 1."));
  EXPECT_EQ(narration::resultAndExpected(trace), "result 5, expected 1: DIFFERENT");
  trace = recordedAs(kOneFloat, {"5", "1", true});
  EXPECT_EQ(judgeRecorded(trace),
            "The recording calls its result right, but against a plain loop it is wrong.");
  EXPECT_TRUE(model::isWrong(trace));
}

TEST(RecordedVerdict, InfinityIsNotLeftToTheOrderWhereNoOrderOverflows) {
  for (const char* result : {"inf", "-inf", "nan"}) {
    model::Trace trace = recordedAs(kOneFloat, {result, "1", true});
    EXPECT_NE(judgeRecorded(trace), std::nullopt);
    EXPECT_THAT(trace.checkNote, HasSubstr("The exact sum is 1. In no order does a partial sum overflow."));
    EXPECT_EQ(narration::resultAndExpected(trace),
              std::string("result ") + result + ", expected 1: DIFFERENT");
  }
}

TEST(RecordedVerdict, EqualNumbersAreRightThoughTheFileSaysNo) {
  model::Trace trace = recordedAs(kInts, {"2016", "2016", false});
  EXPECT_EQ(judgeRecorded(trace),
            "The recording calls its result wrong, but against a plain loop it is right.");
  EXPECT_EQ(narration::resultAndExpected(trace), "result 2016, expected 2016: equal");
}

TEST(RecordedVerdict, AResultMayBeNoNumber) {
  const model::Experiment product{.variant = "sequential",
                                  .type = ElementType::Double,
                                  .op = Operator::Multiply,
                                  .threads = 256,
                                  .elements = 512,
                                  .data = model::DataPattern::Random};
  model::Trace trace = recordedAs(product, {"nan", "0", false});  // left to right
  EXPECT_EQ(judgeRecorded(trace), std::nullopt);
  trace.ok = true;
  EXPECT_NE(judgeRecorded(trace), std::nullopt);
  EXPECT_FALSE(trace.ok);
}

TEST(RecordedVerdict, OfInputDataInTheFileIsComputedToo) {
  model::Experiment experiment = kInts;
  experiment.elements = 3;
  experiment.data = model::DataPattern::Given;
  experiment.given = model::SharedData({"three.txt", {5, 7, 0xfffffffe}, {}});  // 5 + 7 - 2
  model::Trace trace = recordedAs(experiment, {"10", "10", true});
  EXPECT_EQ(judgeRecorded(trace), std::nullopt);
  EXPECT_FALSE(trace.verdictIsRecorded);
  trace = recordedAs(experiment, {"12", "12", true});
  EXPECT_NE(judgeRecorded(trace), std::nullopt);
  EXPECT_EQ(trace.expected, "10");
}

TEST(RecordedVerdict, NothingReducesToTheIdentity) {
  model::Experiment experiment = kInts;
  experiment.elements = 0;
  model::Trace trace = recordedAs(experiment, {"0", "0", true});
  EXPECT_EQ(judgeRecorded(trace), std::nullopt);
  EXPECT_FALSE(trace.verdictIsRecorded);
}

TEST(RecordedVerdict, OfARunThatDidNotEndNothingOfTheFileIsTold) {
  model::Trace trace = recordedAs(kInts, {"", "99", false});
  trace.checkNote = "All is well.";
  trace.launches.emplace_back().recorded().problems.push_back({model::ProblemKind::Limit, "Stopped.", -1, 0});
  EXPECT_EQ(judgeRecorded(trace), std::nullopt);
  EXPECT_EQ(trace.expected, "2016");
  EXPECT_EQ(trace.checkNote, "The run did not end: Stopped.");
}

// What the program cannot compute is told as the recording's word.
void expectRecordingSays(model::Trace trace, const std::string& told) {
  const model::Trace before = trace;
  EXPECT_EQ(judgeRecorded(trace), std::nullopt);
  EXPECT_TRUE(trace.verdictIsRecorded);
  EXPECT_EQ(trace.expected, before.expected);
  EXPECT_EQ(trace.ok, before.ok);
  EXPECT_EQ(narration::resultAndExpected(trace), told);
}

TEST(RecordedVerdict, OfAVariantThatIsNotKnownIsTheRecordings) {
  model::Experiment experiment = kInts;
  experiment.variant = "of_a_newer_program";
  expectRecordingSays(recordedAs(experiment, {"7", "7", true}),
                      "result 7; the recording says: expected 7, equal");
  expectRecordingSays(recordedAs(experiment, {"7", "8", false}),
                      "result 7; the recording says: expected 8, DIFFERENT");
}

// A file's block of one thread would reduce nothing from launch to launch.
TEST(RecordedVerdict, OfABlockThatIsNotLegalIsTheRecordings) {
  model::Experiment experiment = kInts;
  experiment.threads = 1;
  expectRecordingSays(recordedAs(experiment, {"2016", "2016", true}),
                      "result 2016; the recording says: expected 2016, equal");
}

TEST(RecordedVerdict, OfAPersonsOperatorIsTheRecordings) {
  model::Experiment experiment = kInts;
  experiment.op = Operator::Custom;
  experiment.custom = {"a + b", "0", 0};
  expectRecordingSays(recordedAs(experiment, {"5", "5", true}),
                      "result 5; the recording says: expected 5, equal");
}

TEST(RecordedVerdict, OfMoreElementsThanAreComputedIsTheRecordings) {
  model::Trace trace = recordedAs(kInts, {"7", "7", true});
  trace.experiment.elements = 1 << 20;
  EXPECT_EQ(judgeRecorded(trace, (1 << 20) - 1), std::nullopt);
  EXPECT_TRUE(trace.verdictIsRecorded);
  EXPECT_NE(judgeRecorded(trace, 1 << 20), std::nullopt);
  EXPECT_FALSE(trace.verdictIsRecorded);
}

// Two lists, 1 3 and 1 2. The threads store each value's list into the buffer `origin`.
model::Trace mergeWith(const std::vector<std::uint32_t>& origins, const Words& words) {
  model::Trace trace = recordedAs({.variant = "k_way_merge",
                                   .op = Operator::Min,
                                   .threads = 32,
                                   .elements = 4,
                                   .data = model::DataPattern::Given,
                                   .lists = 2,
                                   .given = model::SharedData({"lists.json", {1, 3, 1, 2}, {2, 2}})},
                                  words);
  model::LaunchTrace& launch = trace.launches.emplace_back();
  launch.block = 32;
  launch.buffers = {{"origin", 4, 16, std::nullopt, model::ParameterRole::Origin}};
  for (std::size_t i = 0; i < origins.size(); ++i)
    launch.recorded().events.push_back(
        {recording::eventHead(4 * i, 0, model::EventKind::Store, recording::kGlobalSpace, 2), origins[i]});
  return trace;
}

TEST(RecordedVerdict, OfAMergeIsComputedWithTheListsThatWereStored) {
  model::Trace trace = mergeWith({0, 1, 1, 0}, {"1 1 2 3", "1 1 2 3", true});
  EXPECT_EQ(judgeRecorded(trace), std::nullopt);
  EXPECT_TRUE(trace.ok);
  EXPECT_FALSE(trace.verdictIsRecorded);
  trace = mergeWith({1, 0, 1, 0}, {"1 1 2 3", "1 1 2 3", true});
  EXPECT_EQ(judgeRecorded(trace),
            "The recording calls its result right, but against a plain loop it is wrong.");
  EXPECT_THAT(trace.checkNote, HasSubstr("Element 0 is 1 from list 1; it must be 1 from list 0."));
}

TEST(RecordedVerdict, OfAMergeWithoutItsListsIsTheRecordingsIfTheValuesAreRight) {
  for (const auto& origins : std::vector<std::vector<std::uint32_t>>{{}, {0, 1, 1}}) {
    expectRecordingSays(mergeWith(origins, {"1 1 2 3", "1 1 2 3", true}),
                        "result 1 1 2 3; the recording says: expected 1 1 2 3, equal");
    model::Trace wrong = mergeWith(origins, {"1 2 1 3", "1 2 1 3", true});
    EXPECT_NE(judgeRecorded(wrong), std::nullopt);
    EXPECT_FALSE(wrong.verdictIsRecorded);
    EXPECT_THAT(wrong.checkNote, HasSubstr("Element 1 is 2; it must be 1."));
  }
}

TEST(RecordedVerdict, IsWhatAReadTraceHas) {
  const support::Folder folder;
  model::Trace trace = recordedAs(kOneFloat, {"5", "7", true});
  trace.kernelText = kernels::kernelText("sequential");
  trace.preamble = kernels::preambleOf(trace.kernelText, trace.experiment);
  trace.checkNote = "The exact sum is 7.";
  ASSERT_TRUE(writeRecording(folder / "a.stride", {&trace, 1}, false));
  EXPECT_TRUE(readTrace(folder / "a.stride", 1)->verdictIsRecorded) << "the file itself is not believed";
  const auto read = readJudgedTrace(folder / "a.stride", 1);
  ASSERT_TRUE(read) << read.error().sentence;
  EXPECT_FALSE(read->trace.ok);
  EXPECT_EQ(read->trace.expected, "1");
  EXPECT_TRUE(read->contradiction);
  EXPECT_EQ(read->trace.checkNote.find("The exact sum is 7."), std::string::npos);
  // Saved again, the verdict is the program's.
  ASSERT_TRUE(writeRecording(folder / "b.stride", {&read->trace, 1}, false));
  EXPECT_EQ(readJudgedTrace(folder / "b.stride", 1)->contradiction, std::nullopt);
}

TEST(RecordedVerdict, OfTheShippedRecordingsIsTheProgramsAndTheSame) {
  int judged = 0;
  for (const char* name : {"h200-variants.stride", "h200-merges.stride"}) {
    const auto file = std::filesystem::path(STRIDESCOPE_SOURCE) / "assets/recordings" / name;
    if (!std::filesystem::exists(file)) continue;  // they are named after the GPU that made them
    const auto index = readIndex(file);
    ASSERT_TRUE(index) << index.error().sentence;
    for (const RecordingEntry& entry : index->traces) {
      const auto read = readJudgedTrace(file, entry.id);
      ASSERT_TRUE(read) << read.error().sentence;
      EXPECT_EQ(read->contradiction, std::nullopt) << entry.experiment.variant;
      EXPECT_FALSE(read->trace.verdictIsRecorded) << entry.experiment.variant;
      ++judged;
    }
  }
  EXPECT_GE(judged, 30);
}

TEST(RecordedVerdict, AReductionHasOneValue) {
  const support::Folder folder;
  model::Trace trace = recordedAs(kInts, {"2016 2016", "2016 2016", true});
  trace.kernelText = kernels::kernelText("sequential");
  trace.preamble = kernels::preambleOf(trace.kernelText, trace.experiment);
  ASSERT_TRUE(writeRecording(folder / "a.stride", {&trace, 1}, false));
  const auto refused = readJudgedTrace(folder / "a.stride", 1);
  ASSERT_FALSE(refused);
  EXPECT_THAT(refused.error().sentence, HasSubstr("its result has 2 values where its experiment gives 1."));
}

}  // namespace
}  // namespace stridescope::archive
