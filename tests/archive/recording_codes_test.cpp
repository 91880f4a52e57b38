// Machine code in a recording: it comes back whole, and what is damaged is refused.
#include <gtest/gtest.h>
#include <sqlite3.h>

#include <functional>

#include "../model/sample_traces.h"
#include "archive/recording_file.h"
#include "support/grid_records.h"
#include "support/temporary_folder.h"

namespace stridescope::archive {
namespace {

std::vector<model::MachineCode> someCodes() {
  model::MachineCode other = support::smallCode("grid_stride");
  other.kind = model::CodeKind::Ptx;
  other.target = "compute_90";
  other.lines = {{4'000'000'000, std::string(model::kMaxCodeLineBytes, 'x')}, {0, ""}};
  return {support::smallCode(), other};
}

struct RecordedCodes : testing::Test {
  support::Folder folder;
  const model::Trace trace = model::sample::everyField();
  const std::filesystem::path file = folder / "a.stride";

  Result<std::monostate> tryToWrite(const std::vector<model::MachineCode>& codes) const {
    return writeRecording(file, std::span(&trace, 1), true, {codes});
  }
};

TEST_F(RecordedCodes, ComeBackWhole) {
  ASSERT_TRUE(tryToWrite(someCodes()));
  const auto codes = readQuantity<model::MachineCode>(file);
  ASSERT_TRUE(codes) << codes.error().sentence;
  EXPECT_EQ(*codes, someCodes());
}

TEST_F(RecordedCodes, ThatMakeNoSenseAreNotWritten) {
  for (const auto& spoil : std::vector<std::function<void(model::MachineCode&)>>{
           [](model::MachineCode& code) { code.lines.clear(); },
           [](model::MachineCode& code) { code.lines.resize(model::kMaxCodeLines + 1); },
           [](model::MachineCode& code) { code.lines[0].text.assign(model::kMaxCodeLineBytes + 1, 'x'); },
           [](model::MachineCode& code) { code.lines[0].text = "two\nlines"; },
           [](model::MachineCode& code) { code.lines[0].text = "\xff"; },
           [](model::MachineCode& code) { code.target = "\xff"; },
           [](model::MachineCode& code) { code.executor.kind = model::EngineKind::Host; },
           [](model::MachineCode& code) { code.experiment.variant.clear(); }}) {
    auto codes = someCodes();
    spoil(codes[1]);
    const auto written = tryToWrite(codes);
    ASSERT_FALSE(written);
    EXPECT_TRUE(written.error().sentence.ends_with('.')) << written.error().sentence;
  }
}

TEST_F(RecordedCodes, ThatAreDamagedAreRefused) {
  for (const char* damage :
       {"code = ''", "code = 'BRA'", "code = char(10)", "code = '1' || char(9) || 'BRA'",
        "code = '-1' || char(9) || 'BRA' || char(10)", "code = '5000000000' || char(9) || 'BRA' || char(10)",
        "code = '1 BRA' || char(10)", "code = X'00'", "code_kind = 'HEX'", "engine = 'host'", "threads = 0",
        "id = 7", "identity_bits = 'one'"}) {
    ASSERT_TRUE(tryToWrite(someCodes()));
    sqlite3* database = nullptr;
    ASSERT_EQ(sqlite3_open(file.c_str(), &database), SQLITE_OK);
    const std::string sql = std::string("UPDATE machine_codes SET ") + damage + " WHERE id = 2";
    EXPECT_EQ(sqlite3_exec(database, sql.c_str(), nullptr, nullptr, nullptr), SQLITE_OK) << sql;
    sqlite3_close(database);
    const auto read = readQuantity<model::MachineCode>(file);
    ASSERT_FALSE(read) << damage;
    EXPECT_TRUE(read.error().sentence.ends_with('.')) << read.error().sentence;
  }
}

}  // namespace
}  // namespace stridescope::archive
