// A quantity that is a record with a description is stored, sent, and written as JSON and CSV.
#include <gmock/gmock.h>
#include <sys/socket.h>

#include "../model/sample_traces.h"
#include "archive/recorded_quantity.h"
#include "engine/worker/rpc_server.h"
#include "measure/timing_device.h"
#include "report/record_report.h"
#include "resident_warps.h"
#include "support/temporary_folder.h"

namespace stridescope::archive {
namespace {

using model::ResidentWarps;
using support::Folder;
using testing::HasSubstr;

std::vector<ResidentWarps> someWarps() {
  ResidentWarps record{.experiment = {.variant = "sequential", .threads = 64, .elements = 256},
                       .kernelHash = model::hashOf("text"),
                       .executor = {.kind = model::EngineKind::Gpu, .device = "A GPU, \"fast\""},
                       .most = 64};
  record.executor.recordedOn = "2026-01-02T03:04:05Z";
  record.launches = {{.grid = 4, .block = 64, .multiprocessors = {{0, 2}, {5, 1.5}}},
                     {.grid = 1, .block = 64, .multiprocessors = {{7, 2}}}};
  ResidentWarps custom = record;
  custom.experiment.op = model::Operator::Custom;
  custom.experiment.custom = {.combine = "a + b", .identity = "0", .identityBits = ~0ull};
  custom.launches.clear();
  return {record, custom};
}

struct StoredQuantity : testing::Test {
  Folder folder;
  const std::filesystem::path file = folder / "a.stride";
  const model::Trace trace = model::sample::empty();

  Checked write(const std::vector<ResidentWarps>& records) const {
    AllKept kept = keptOf(Measured());
    kept.push_back(std::make_unique<KeptOf<ResidentWarps>>(records));
    return writeKept(file, {&trace, 1}, true, kept);
  }
  void change(const std::string& sql) const {
    sqlite3* opened = nullptr;
    sqlite3_open(file.c_str(), &opened);
    const Database database(opened);
    EXPECT_EQ(sqlite3_exec(opened, sql.c_str(), nullptr, nullptr, nullptr), SQLITE_OK) << sql;
  }
};

TEST_F(StoredQuantity, IsReadAsItWasWritten) {
  ASSERT_TRUE(write(someWarps()));
  EXPECT_EQ(readRecords<ResidentWarps>(file).value(), someWarps());
  EXPECT_TRUE(readQuantity<model::CounterRecord>(file).value().empty());
  EXPECT_TRUE(readTrace(file, 1));
}

TEST_F(StoredQuantity, HasTheTablesOfItsDescription) {
  const auto tables = RecordTables<ResidentWarps>::tables();
  ASSERT_EQ(tables.size(), 3u);
  EXPECT_EQ(tables[0].sql, R"(CREATE TABLE resident_warps(
  id INTEGER PRIMARY KEY,
  variant TEXT NOT NULL,
  type TEXT NOT NULL,
  op TEXT NOT NULL,
  combine TEXT NOT NULL,            -- of the operator custom; else empty
  identity TEXT NOT NULL,
  identity_bits INTEGER NOT NULL,
  threads INTEGER NOT NULL,         -- of a block
  elements INTEGER NOT NULL,        -- of the input
  kernel_sha256 TEXT NOT NULL,
  engine TEXT NOT NULL,             -- gpu
  device TEXT NOT NULL,
  compute_capability TEXT NOT NULL,
  driver TEXT NOT NULL,
  compiler TEXT NOT NULL,
  recorded_on TEXT NOT NULL,        -- ISO 8601, UTC
  most INTEGER NOT NULL,            -- that an SM can hold
  launch_count INTEGER NOT NULL
))");
  EXPECT_EQ(tables[2].sql, R"(CREATE TABLE resident_warps_per_sm(
  record INTEGER NOT NULL,
  launch INTEGER NOT NULL,
  ordinal INTEGER NOT NULL,         -- from 0
  multiprocessor INTEGER NOT NULL,
  warps REAL NOT NULL,              -- on average
  PRIMARY KEY(record, launch, ordinal)
) WITHOUT ROWID)");
}

TEST_F(StoredQuantity, HasNoTablesWhereNothingIsMeasured) {
  ASSERT_TRUE(write({}));
  EXPECT_TRUE(readRecords<ResidentWarps>(file).value().empty());
  change("CREATE TABLE resident_warps(id INTEGER PRIMARY KEY, variant TEXT)");
  const auto read = readRecords<ResidentWarps>(file);
  ASSERT_FALSE(read);
  EXPECT_THAT(read.error().sentence,
              HasSubstr("its tables of runs with resident warps are not those of this program"));
  change("DROP TABLE resident_warps; CREATE VIEW resident_warps AS SELECT 1 AS id");
  EXPECT_TRUE(readRecords<ResidentWarps>(file).value().empty());
}

TEST_F(StoredQuantity, ThatMakesNoSenseIsNotWritten) {
  auto records = someWarps();
  records[0].launches[1].multiprocessors[0].warps = 65;
  EXPECT_EQ(write(records).error().sentence,
            "The resident warps of 'sequential' cannot be recorded: an SM holds more warps than it can.");
  EXPECT_EQ(write(std::vector<ResidentWarps>(101, someWarps()[1])).error().sentence,
            "There are 101 runs with resident warps, and one recording holds at most 100. Record fewer "
            "experiments at once.");
}

TEST_F(StoredQuantity, ThatIsDamagedIsRefused) {
  for (const auto& [damage, sentence] : std::vector<std::pair<std::string, std::string>>{
           {"UPDATE resident_warps SET launch_count = 3 WHERE id = 1", "resident_warp_launches"},
           {"UPDATE resident_warps SET most = 65", "most"},
           {"UPDATE resident_warps SET engine = 'host'", "it is not from a GPU"},
           {"UPDATE resident_warp_launches SET launch = 5 WHERE launch = 1", "launch"},
           {"UPDATE resident_warps_per_sm SET warps = 64.5", "warps"},
           {"UPDATE resident_warps_per_sm SET ordinal = 9 WHERE ordinal = 1", "ordinal"},
           {"DROP TABLE resident_warps_per_sm", "are not those of this program"}}) {
    ASSERT_TRUE(write(someWarps()));
    change(damage);
    const auto read = readRecords<ResidentWarps>(file);
    ASSERT_FALSE(read) << damage;
    EXPECT_THAT(read.error().sentence, HasSubstr(sentence)) << damage;
  }
}

class WarpDevice final : public measure::TimingDevice {
 public:
  explicit WarpDevice(bool hasWarps) {
    if (hasWarps)
      measures<ResidentWarps>([](const model::Experiment& experiment, engine::JobControl&) {
        ResidentWarps record = someWarps()[0];
        record.experiment = experiment;
        return Result<ResidentWarps>(record);
      });
  }
  const measure::TimingDeviceFacts& facts() const override { return facts_; }
  Result<std::vector<measure::PreparedSubject>> prepare(const model::TimingCase&,
                                                        std::span<const model::TimingSubject>,
                                                        engine::JobControl&) override {
    return unavailable("Not asked for.");
  }
  Result<measure::Timed> sample(std::size_t, engine::JobControl&) override {
    return unavailable("Not asked for.");
  }

 private:
  measure::TimingDeviceFacts facts_;
};

// A call and its answer over a socket, as the timing worker has them.
TEST(SentQuantity, ArrivesAsItWasMeasured) {
  using namespace engine::worker;
  constexpr CallType<model::Experiment, ResidentWarps> kCall{9, kMaxBodyBytes};
  WarpDevice device(true);
  CallTable calls;
  calls.on(kCall, [&](const model::Experiment& asked, engine::JobControl& job) {
    return device.measure<ResidentWarps>(asked, job);
  });
  int ends[2];
  ASSERT_EQ(::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends), 0);
  const Descriptor client(ends[0]), server(ends[1]);
  const model::Experiment asked{.variant = "grid_stride", .elements = 1000};
  ASSERT_TRUE(sendMessage(ByteStream(client.number()), {MessageKind::Call, kCall.number, 1}, asked));

  MessageReader arriving(ByteStream(server.number()));
  const Arrived call = arriving.next(kForEver);
  engine::JobControl job;
  const auto answer = calls.answer(std::get<Message>(call), job);
  ASSERT_TRUE(answer && *answer);
  ASSERT_TRUE(
      sendBytes(ByteStream(server.number()), {MessageKind::Reply, kCall.number, 1}, (*answer)->bytes()));

  MessageReader answers(ByteStream(client.number()));
  const Arrived reply = answers.next(kForEver);
  ResidentWarps expected = someWarps()[0];
  expected.experiment = asked;
  EXPECT_EQ(std::get<Message>(reply).body<ResidentWarps>(), expected);
}

TEST(SentQuantity, IsNotMeasuredByADeviceThatCannot) {
  engine::JobControl job;
  WarpDevice device(false);
  EXPECT_EQ(device.measure<ResidentWarps>({}, job).error().sentence, "Only a GPU has resident warps.");
  EXPECT_EQ(device.measure<model::CounterRecord>({}, job).error().sentence,
            "Only a GPU has counters that can be read.");
}

TEST(PrintedQuantity, IsJsonOfItsDescription) {
  const std::vector<ResidentWarps> records = someWarps();
  const JsonValue json = parseJson(report::recordsJson(std::span(records)));
  ASSERT_NE(json.member("format"), nullptr);
  const JsonList& list = *json.member("resident_warps")->as<JsonList>();
  ASSERT_EQ(list.size(), 2u);
  EXPECT_EQ(*list[0].member("experiment")->member("op")->as<std::string>(), "+");
  EXPECT_EQ(*list[1].member("experiment")->member("combine")->as<std::string>(), "a + b");
  EXPECT_EQ(list[0].member("experiment")->member("seed"), nullptr) << "it does not depend on it";
  EXPECT_EQ(*list[0].member("executor")->member("kind")->as<std::string>(), "gpu");
  const JsonList& launches = *list[0].member("launches")->as<JsonList>();
  const JsonValue& second = (*launches[0].member("multiprocessors")->as<JsonList>())[1];
  EXPECT_EQ(second.member("multiprocessor")->number(), 5);
  EXPECT_EQ(second.member("warps")->number(), 1.5);
}

TEST(PrintedQuantity, IsCsvWithARowForEachInnermostElement) {
  const std::vector<ResidentWarps> records{someWarps()[0]};
  const std::string begin = "sequential,int,'+,64,256,,,0," + model::hashOf("text") +
                            ",gpu,\"A GPU, \"\"fast\"\"\",,,,2026-01-02T03:04:05Z,64,";
  EXPECT_EQ(report::recordsCsv(std::span(records)),
            "variant,type,op,threads,elements,combine,identity,identity_bits,kernel_sha256,kind,device,"
            "compute_capability,driver,compiler,recorded_on,most,launch,grid,block,ordinal,multiprocessor,"
            "warps\n" +
                begin + "0,4,64,0,0,2\n" + begin + "0,4,64,1,5,1.5\n" + begin + "1,1,64,0,7,2\n");
}

}  // namespace
}  // namespace stridescope::archive
