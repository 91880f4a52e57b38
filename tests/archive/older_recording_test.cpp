// Recordings of before format 4 do not say what their arrays hold and are for, nor what the text pass knows
// of their text: it is found out when they are opened. Those in older/ were made then, and one by format 4;
// they are one warp's reduction, and a merge that was cut after its first element.
#include <gtest/gtest.h>
#include <sqlite3.h>

#include <set>
#include <utility>
#include <vector>

#include "archive/launch_reader.h"
#include "archive/recorded_quantity.h"
#include "archive/recording_file.h"
#include "archive/recording_read.h"
#include "instrument/instrument.h"
#include "kernels/catalog.h"
#include "support/temporary_folder.h"
#include "support/trace_builder.h"

namespace stridescope::archive {
namespace {

using support::TraceBuilder;
using Step = std::pair<std::uint32_t, bool>;  // site, and whether it is the second half

std::vector<std::filesystem::path> recordingsIn(const char* folder) {
  std::vector<std::filesystem::path> files;
  for (const auto& entry :
       std::filesystem::directory_iterator(std::filesystem::path(STRIDESCOPE_SOURCE) / folder))
    if (entry.path().extension() == kRecordingSuffix) files.push_back(entry.path());
  return files;
}

// Checks every trace in the folder's recordings.
template <class Check>
void forEachTrace(const char* folder, const Check& check) {
  for (const auto& file : recordingsIn(folder)) {
    const auto index = readIndex(file);
    ASSERT_TRUE(index) << index.error().sentence;
    for (const RecordingEntry& entry : index->traces) {
      SCOPED_TRACE(file.filename().string() + ": " + entry.experiment.variant);
      const auto trace = readTrace(file, entry.id);
      ASSERT_TRUE(trace) << trace.error().sentence;
      check(*trace);
    }
  }
}

constexpr const char* kOlder = "tests/archive/older";
constexpr const char* kShipped = "assets/recordings";

// The catalogue's buffers, in the order of the kernel's parameters.
void expectRolesOfTheCatalogue(const model::Trace& trace) {
  const kernels::Variant* const variant = kernels::findVariant(trace.experiment.variant);
  ASSERT_NE(variant, nullptr);
  for (const model::LaunchTrace& launch : trace.launches) {
    std::size_t at = 0;
    for (const model::KernelParameter& parameter : variant->parameters) {
      if (!model::isBuffer(parameter.role)) continue;
      ASSERT_LT(at, launch.buffers.size());
      EXPECT_EQ(launch.buffers[at].role, parameter.role) << parameter.name;
      EXPECT_EQ(launch.buffers[at].type, parameter.elementType(trace.experiment.type)) << parameter.name;
      ++at;
    }
    EXPECT_EQ(at, launch.buffers.size());
    for (const model::Array& array : launch.recorded().shared) EXPECT_EQ(array.role, std::nullopt);
  }
}

TEST(OlderRecordings, AreOlder) {
  const auto files = recordingsIn(kOlder);
  EXPECT_EQ(files.size(), 3u);
  for (const auto& file : files) {
    const auto opened = OpenRecording::open(file, nullptr);
    ASSERT_TRUE(opened) << opened.error().sentence;
    EXPECT_EQ(opened->hasModel(), file.filename() == "format4.stride") << file;
    ReadState state;
    EXPECT_FALSE(
        opened->has(model::kQuantity<model::ClockRecord>, RecordTables<model::ClockRecord>::tables(), state))
        << file;
    const auto clocks = readQuantity<model::ClockRecord>(file);
    ASSERT_TRUE(clocks) << clocks.error().sentence;
    EXPECT_TRUE(clocks->empty());
  }
}

TEST(OlderRecordings, GetTheRolesThatTheCatalogueHas) {
  std::set<std::string> variants;
  for (const char* folder : {kOlder, kShipped})
    forEachTrace(folder, [&](const model::Trace& trace) {
      variants.insert(trace.experiment.variant);
      expectRolesOfTheCatalogue(trace);
    });
  EXPECT_GE(variants.size(), 15u);
  EXPECT_TRUE(variants.contains("k_way_merge"));
  EXPECT_TRUE(variants.contains("single_pass"));
}

TEST(OlderRecordings, GetTheModelOfTheirText) {
  forEachTrace(kOlder, [](const model::Trace& trace) {
    EXPECT_FALSE(trace.kernel.sites.empty());
    EXPECT_EQ(trace.kernel, instrument::modelFor(trace.kernelText, trace.sites));
  });
}

// heads of the experiment's type; the numbers of the lists beside them are no elements.
TEST(OlderRecordings, GetTheTypesOfSharedArraysFromTheirText) {
  for (const char* folder : {kOlder, kShipped}) {
    bool seen = false;
    forEachTrace(folder, [&](const model::Trace& trace) {
      if (trace.experiment.variant != "k_way_merge") return;
      const auto& shared = trace.launches.at(0).recorded().shared;
      ASSERT_EQ(shared.size(), 2u);
      EXPECT_EQ(shared[0].type, trace.experiment.type);
      EXPECT_EQ(shared[1].type, std::nullopt);
      seen = true;
    });
    EXPECT_TRUE(seen) << folder;
  }
}

// The loads of a trace of before format 8 are put in the order of the text where it is read; those of a newer
// one stand as they were written.

std::vector<Step> stepsOf(const model::Trace& trace) {
  std::vector<Step> steps;
  for (const model::Event& event : trace.launches.at(0).recorded().events)
    steps.emplace_back(event.site(), event.secondHalf());
  return steps;
}

TEST(OlderOrder, SortsRunsOfOneStatementOnly) {
  TraceBuilder b(1);
  const auto data = b.sharedArray("data", 8, 16);
  const auto first = b.site({.kind = model::SiteKind::Load, .text = "data[0]", .statement = 1});
  const auto second = b.site({.kind = model::SiteKind::Load, .text = "data[1]", .statement = 1});
  const auto elsewhere = b.site({.kind = model::SiteKind::Load, .text = "data[2]", .statement = 2});
  for (const auto site : {second, first, second, first, elsewhere, first}) b.load(0, site, data, 0);
  model::Trace trace = b.build();
  putLoadsInOrder(trace.launches[0], trace.sites);
  // Each execution of the statement is sorted on its own, halves stay behind their firsts.
  EXPECT_EQ(stepsOf(trace), (std::vector<Step>{{first, false},
                                               {first, true},
                                               {second, false},
                                               {second, true},
                                               {first, false},
                                               {first, true},
                                               {second, false},
                                               {second, true},
                                               {elsewhere, false},
                                               {elsewhere, true},
                                               {first, false},
                                               {first, true}}));
}

TEST(OlderOrder, IsChangedWhereAnOlderTraceIsRead) {
  TraceBuilder b(2);
  const auto data = b.sharedArray("data", 4);
  const auto left = b.site({.kind = model::SiteKind::Load, .text = "data[tid]", .statement = 1});
  const auto right = b.site({.kind = model::SiteKind::Load, .text = "data[tid + 2]", .statement = 1});
  for (unsigned thread = 0; thread < 2; ++thread) {
    b.load(thread, thread == 0 ? right : left, data, thread == 0 ? 2 : thread);
    b.load(thread, thread == 0 ? left : right, data, thread == 0 ? 0 : 2 + thread);
  }
  const model::Trace written = b.build();
  const support::Folder folder;
  const auto file = folder / "a.stride";
  ASSERT_TRUE(writeRecording(file, std::span(&written, 1), true));
  const auto readAsFormat = [&](const char* sql) {
    sqlite3* database = nullptr;
    EXPECT_EQ(sqlite3_open(file.c_str(), &database), SQLITE_OK);
    EXPECT_EQ(sqlite3_exec(database, sql, nullptr, nullptr, nullptr), SQLITE_OK);
    sqlite3_close(database);
    return stepsOf(readTrace(file, 1).value());
  };
  using Steps = std::vector<Step>;
  EXPECT_EQ(readAsFormat("PRAGMA user_version = 8"),
            (Steps{{right, false}, {left, false}, {left, false}, {right, false}}));
  EXPECT_EQ(readAsFormat("PRAGMA user_version = 7"),
            (Steps{{left, false}, {right, false}, {left, false}, {right, false}}));
}

}  // namespace
}  // namespace stridescope::archive
