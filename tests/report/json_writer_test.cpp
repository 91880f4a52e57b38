// What the writer prints is what nlohmann's reader takes for the same values, and what its writer prints.
#include "report/json_writer.h"

#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <limits>
#include <nlohmann/json.hpp>
#include <optional>
#include <sstream>
#include <vector>

namespace stridescope::report {
namespace {

using Json = nlohmann::ordered_json;

template <class Value>
std::string written(const Value& value) {
  std::ostringstream out;
  JsonWriter(out).value(value);
  return out.str();
}

TEST(JsonWriter, StringsAreEscapedAndWhatIsNotUtf8IsReplaced) {
  std::vector<std::string> texts{
      "", "plain", "\"quoted\"", "back\\slash", "/", "\u00d7 \u2026 \U0001f600", "a\x7f"};
  for (char c = 0; c < 0x20; ++c) texts.push_back(std::string("a") + c + "b");
  for (const char* notUtf8 :
       {"\xff", "a\xc3", "\xe2\x82z", "\xed\xa0\x80", "\xc0\xaf", "\xf8\x88\x80\x80\x80"})
    texts.push_back(notUtf8);
  for (const std::string& text : texts) {
    const std::string printed = written(text);
    EXPECT_EQ(printed, Json(text).dump(-1, ' ', false, Json::error_handler_t::replace));
    EXPECT_TRUE(Json::accept(printed)) << printed;
  }
  EXPECT_EQ(written("a\nb\x01"), R"("a\nb\u0001")");
  EXPECT_EQ(written("a\xff"), "\"a\uFFFD\"");
}

TEST(JsonWriter, NumbersAreExact) {
  EXPECT_EQ(written(std::numeric_limits<std::uint64_t>::max()), "18446744073709551615");
  EXPECT_EQ(written(std::numeric_limits<std::int64_t>::min()), "-9223372036854775808");
  EXPECT_EQ(written(std::uint8_t{200}), "200");
  for (const double number :
       {0.0, -0.0, 0.1, 1.0, 1e15, 1e16, 1e-5, 1.0 / 3, 5e-324, 1.7976931348623157e308}) {
    EXPECT_EQ(written(number), Json(number).dump());
    EXPECT_EQ(Json::parse(written(number)).get<double>(), number);
  }
  EXPECT_EQ(written(0.1f), Json(0.1f).dump());
  EXPECT_EQ(written(std::nan("")), "null");
  EXPECT_EQ(written(std::numeric_limits<double>::infinity()), "null");
}

TEST(JsonWriter, WhatIsNotThereIsNull) {
  EXPECT_EQ(written(nullptr), "null");
  EXPECT_EQ(written(std::optional<int>()), "null");
  EXPECT_EQ(written(std::optional(7)), "7");
}

TEST(JsonWriter, ListsAndObjectsInOneAnother) {
  std::ostringstream out;
  JsonWriter json(out);
  json.beginObject();
  json.member("empty", std::vector<int>());
  json.key("object");
  json.beginObject();
  json.endObject();
  json.member("flags", std::vector<bool>{true, false});
  json.key("list");
  json.beginArray();
  json.breakLine();
  json.value(1);
  json.breakLine();
  json.beginObject();
  json.member("a\"", "b");
  json.member("c", std::vector<std::string>{"d", "e"});
  json.endObject();
  json.breakLine();
  json.endArray();
  json.member("last", -1);
  json.endObject();
  json.endLine();
  EXPECT_EQ(out.str(),
            "{\"empty\":[],\"object\":{},\"flags\":[true,false],\"list\":[\n1,\n{\"a\\\"\":\"b\",\"c\":["
            "\"d\",\"e\"]}\n],"
            "\"last\":-1}\n");
  EXPECT_EQ(json.written(), out.str().size());
}

TEST(JsonWriter, ObjectsAndListsHaveWhatTheCallerWritesOfEach) {
  const std::vector<int> numbers{1, 2}, none;
  std::ostringstream out;
  JsonWriter json(out);
  json.object([&] {
    json.object("object", [&] { json.member("a", 1); });
    json.list("some", numbers, [&](int number) {
      if (number > 1) json.value(number);
    });
    json.objects("objects", numbers, [&](int number) { json.member("a", number); });
    json.objectLines("lines", numbers, [&](int number) { json.member("a", number); });
    json.objectLines("none", none, [](int) {});
  });
  json.flush();
  EXPECT_EQ(out.str(),
            "{\"object\":{\"a\":1},\"some\":[2],\"objects\":[{\"a\":1},{\"a\":2}],"
            "\"lines\":[\n{\"a\":1},\n{\"a\":2}\n],\"none\":[\n]}");
}

// Counts what comes in one piece, and keeps nothing.
class Pieces : public std::streambuf {
 public:
  std::streamsize most = 0, all = 0;

 private:
  std::streamsize xsputn(const char*, std::streamsize size) override {
    most = std::max(most, size);
    all += size;
    return size;
  }
};

TEST(JsonWriter, KeepsAPieceAtMost) {
  Pieces pieces;
  std::ostream out(&pieces);
  {
    JsonWriter json(out);
    json.beginArray();
    for (int i = 0; i < 1'000'000; ++i) json.value(i);
    json.endArray();
  }
  EXPECT_EQ(pieces.all, 6'888'891);  // 5,888,890 digits, 999,999 commas and two brackets
  EXPECT_LT(pieces.most, 1 << 17);
}

TEST(JsonWriter, AStreamThatFailsSaysSo) {
  std::ofstream full("/dev/full");
  if (!full) GTEST_SKIP() << "there is no /dev/full";
  JsonWriter(full).value("text");
  full.flush();
  EXPECT_FALSE(full);
}

}  // namespace
}  // namespace stridescope::report
