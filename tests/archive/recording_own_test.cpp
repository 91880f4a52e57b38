// What a person's own experiments have more comes back, and only they have rows of it.
#include <gtest/gtest.h>
#include <sqlite3.h>

#include "../model/sample_traces.h"
#include "archive/recording_file.h"
#include "model/trace_check.h"
#include "support/temporary_folder.h"

namespace stridescope::archive {
namespace {

using support::Folder;

model::Trace ownTrace() {
  model::Trace trace = model::sample::everyField();
  model::Experiment& experiment = trace.experiment;
  experiment.op = model::Operator::Custom;
  experiment.custom = {"a > b ? a : b", "-1e300", 0xfe37e43c8800759cull};
  experiment.data = model::DataPattern::Given;
  experiment.given = model::SharedData({"numbers.json", {1, ~0ull, 3}, {2, 0, 1}});
  experiment.elements = 3;
  experiment.schedule = model::Schedule::Random;
  experiment.scheduleSeed = ~0ull;
  experiment.lists = 3;
  trace.trial = {{{model::TrialProperty::Associative, model::TrialVerdict::Holds, "", false},
                  {model::TrialProperty::LeftIdentity, model::TrialVerdict::UpToRounding, "About.", false},
                  {model::TrialProperty::RightIdentity, model::TrialVerdict::Fails, "No.", true}},
                 "Not to the end."};
  return trace;
}

std::string ask(const std::filesystem::path& file, const char* sql) {
  sqlite3* database = nullptr;
  std::string answer;
  const auto append = [](void* to, int count, char** values, char**) {
    for (int i = 0; i < count; ++i)
      *static_cast<std::string*>(to) += std::string(values[i] ? values[i] : "-") + " ";
    return 0;
  };
  char* error = nullptr;
  sqlite3_open(file.c_str(), &database);
  if (sqlite3_exec(database, sql, append, &answer, &error) != SQLITE_OK) answer = error;
  sqlite3_free(error);
  sqlite3_close(database);
  return answer;
}

TEST(OwnRecording, GivesBackOperatorNumbersAndSchedule) {
  const Folder folder;
  const std::vector<model::Trace> traces{model::sample::everyField(), ownTrace()};
  ASSERT_FALSE(model::faultOf(traces[1])) << *model::faultOf(traces[1]);
  const auto written = writeRecording(folder / "a.stride", traces, false);
  ASSERT_TRUE(written) << written.error().sentence << written.error().details;
  for (std::int64_t id : {1, 2}) {
    const auto read = readTrace(folder / "a.stride", id);
    ASSERT_TRUE(read) << read.error().sentence;
    EXPECT_TRUE(*read == model::sample::recorded(traces[std::size_t(id - 1)])) << id;
  }
  const auto index = readIndex(folder / "a.stride");
  ASSERT_TRUE(index) << index.error().sentence;
  EXPECT_EQ(index->traces[0].experiment, traces[0].experiment);
  EXPECT_EQ(index->traces[1].experiment, traces[1].experiment);
  const auto timings = readQuantity<model::TimingRecord>(folder / "a.stride");
  ASSERT_TRUE(timings) << timings.error().sentence;
  EXPECT_TRUE(timings->empty());
}

TEST(OwnRecording, IsNotReadToTheEndWhenCancelled) {
  const Folder folder;
  model::Trace trace = ownTrace();
  trace.experiment.given = model::SharedData({"many.txt", std::vector<std::uint64_t>(100'000), {}});
  trace.experiment.elements = 100'000;
  const auto written = writeRecording(folder / "a.stride", std::span(&trace, 1), false);
  ASSERT_TRUE(written) << written.error().sentence;
  const std::atomic<bool> cancel{true};
  const auto index = readIndex(folder / "a.stride", &cancel);
  ASSERT_FALSE(index);
  EXPECT_EQ(index.error().kind, ErrorKind::Cancelled);
}

TEST(OwnRecording, KeepsEachThingByItself) {
  const Folder folder;
  std::vector<model::Trace> traces(5, model::sample::everyField());
  traces[0].experiment.schedule = model::Schedule::Lockstep;
  traces[1].experiment.scheduleSeed = 2;
  traces[2].experiment.lists = 7;
  traces[3].experiment.data = model::DataPattern::Given;
  traces[3].experiment.given = model::SharedData({"nothing.txt", {}, {}});
  traces[3].experiment.elements = 0;
  traces[4].trial.whyNotTried = "There was no compiler.";
  for (const model::Trace& trace : traces) {
    const auto written = writeRecording(folder / "a.stride", std::span(&trace, 1), true);
    ASSERT_TRUE(written) << written.error().sentence;
    const auto read = readTrace(folder / "a.stride", 1);
    ASSERT_TRUE(read) << read.error().sentence;
    EXPECT_TRUE(*read == model::sample::recorded(trace));
    EXPECT_EQ(ask(folder / "a.stride", "SELECT count(*) FROM own_experiments"), "1 ");
  }
}

TEST(OwnRecording, HasNoRowsOfWhatHasNothingOfItsOwn) {
  const Folder folder;
  const model::Trace plain = model::sample::everyField();
  ASSERT_TRUE(writeRecording(folder / "a.stride", std::span(&plain, 1), false));
  EXPECT_EQ(ask(folder / "a.stride", "PRAGMA user_version"), "8 ");
  for (const std::string table : {"own_experiments", "own_trials", "own_values", "own_lists"})
    EXPECT_EQ(ask(folder / "a.stride", ("SELECT count(*) FROM " + table).c_str()), "0 ") << table;
}

TEST(OwnRecording, IsNotWrittenOfWhatDoesNotHoldTogether) {
  const auto faultAfter = [](auto change) {
    model::Trace trace = ownTrace();
    change(trace);
    return model::faultOf(trace).value_or("");
  };
  EXPECT_NE(faultAfter([](model::Trace& trace) { trace.experiment.custom.combine.clear(); }), "");
  EXPECT_NE(faultAfter([](model::Trace& trace) { trace.experiment.op = model::Operator::Add; }), "");
  EXPECT_NE(faultAfter([](model::Trace& trace) { trace.experiment.given = {}; }), "");
  EXPECT_NE(faultAfter([](model::Trace& trace) { trace.experiment.data = model::DataPattern::Ramp; }), "");
  EXPECT_NE(faultAfter([](model::Trace& trace) { trace.experiment.custom.combine = "\xff"; }), "");
  EXPECT_NE(faultAfter([](model::Trace& trace) { trace.trial.findings[0].verdict = model::TrialVerdict(9); }),
            "");
  EXPECT_EQ(faultAfter([](model::Trace& trace) {
              trace.experiment.given = model::SharedData({"n", {1, 2, 3}, {2, 2, 0}});
            }),
            "its lists have 4 of 3 numbers");
  EXPECT_EQ(faultAfter([](model::Trace& trace) { trace.experiment.elements = 1; }),
            "it has 3 numbers of its own for 1 elements");
  EXPECT_EQ(faultAfter([](model::Trace& trace) { trace.experiment.lists = 2; }),
            "it has 3 lists of its own where it merges 2");
}

TEST(OwnRecording, OfDamagedValuesIsRefused) {
  const Folder folder;
  const model::Trace trace = ownTrace();
  for (const char* damage : {"DELETE FROM own_experiments",
                             "UPDATE traces SET elements = 1",
                             "UPDATE own_experiments SET lists = 2",
                             "UPDATE own_experiments SET schedule = 'backwards'",
                             "UPDATE own_experiments SET lists = 1025",
                             "UPDATE own_experiments SET lists = -1",
                             "UPDATE own_experiments SET combine = ''",
                             "UPDATE own_experiments SET combine = x'ff'",
                             "UPDATE own_experiments SET given_count = NULL",
                             "UPDATE own_experiments SET given_count = 4",
                             "UPDATE own_experiments SET given_count = -1",
                             "UPDATE own_experiments SET given_count = 99999999999",
                             "UPDATE own_experiments SET list_count = 2",
                             "DELETE FROM own_values WHERE ordinal = 1",
                             "UPDATE own_values SET value = 'x' WHERE ordinal = 0",
                             "DELETE FROM own_lists WHERE list = 0",
                             "UPDATE own_lists SET length = 9 WHERE list = 0",
                             "UPDATE own_trials SET verdict = 'maybe'",
                             "UPDATE own_trials SET warning = 2",
                             "DELETE FROM own_trials WHERE ordinal = 0",
                             "UPDATE own_trials SET property = ''",
                             "DROP TABLE own_lists",
                             "PRAGMA user_version = 9",
                             "PRAGMA user_version = 2"}) {
    ASSERT_TRUE(writeRecording(folder / "a.stride", std::span(&trace, 1), true));
    EXPECT_EQ(ask(folder / "a.stride", damage), "") << damage;
    const auto read = readTrace(folder / "a.stride", 1);
    EXPECT_FALSE(read) << damage;
    EXPECT_TRUE(read || read.error().sentence.ends_with('.')) << damage;
  }
}

}  // namespace
}  // namespace stridescope::archive
