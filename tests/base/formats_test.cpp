// JSON and CSV as they are read and written, whatever library does it.
#include "base/formats.h"

#include <gtest/gtest.h>

#include <limits>

namespace stridescope::base_test {
namespace {

template <class Kind>
bool isRead(const char* text, const Kind& wanted) {
  const JsonValue json = parseJson(text);
  const Kind* const kind = json.as<Kind>();
  return kind != nullptr && *kind == wanted;
}

TEST(Json, EachKindIsReadAsItself) {
  EXPECT_TRUE(isRead("null", nullptr));
  EXPECT_TRUE(isRead("true", true));
  EXPECT_TRUE(isRead("18446744073709551615", ~std::uint64_t{0}));
  EXPECT_TRUE(isRead("-9223372036854775808", std::numeric_limits<std::int64_t>::min()));
  EXPECT_TRUE(isRead("0.25", 0.25));
  EXPECT_TRUE(isRead(R"("a\u00fc\n")", std::string("a\u00fc\n")));
  for (const char* three : {"3", "3.0", "3e0"}) EXPECT_EQ(parseJson(three).number(), 3.0) << three;
  EXPECT_EQ(parseJson("-3").number(), -3.0);
  EXPECT_EQ(parseJson("\"3\"").number(), std::nullopt);
}

TEST(Json, WhatIsNoneIsNull) {
  for (const char* text : {"", "{", "[1,]", "nul", "1 2", "{\"a\"}", "\"\xff\"", "1e999", "[1] // one"})
    EXPECT_TRUE(isRead(text, nullptr)) << text;
}

TEST(Json, MembersAreFoundByTheirNames) {
  const JsonValue json = parseJson(R"({"a": 1, "b": [2, "x"], "a": 3})");
  ASSERT_NE(json.member("a"), nullptr);
  EXPECT_EQ(json.member("a")->number(), 3.0) << "the last holds";
  ASSERT_NE(json.member("b"), nullptr);
  EXPECT_EQ(json.member("b")->as<JsonList>()->size(), 2u);
  EXPECT_EQ(json.member("c"), nullptr);
  EXPECT_EQ(parseJson("[1]").member("a"), nullptr);
}

// More of them than fit on the stack, if each took a call.
TEST(Json, ListsInListsAreReadToADepth) {
  constexpr std::size_t kDepth = 1 << 18;
  const JsonValue json = parseJson(std::string(kDepth, '[') + std::string(kDepth, ']'));
  unsigned levels = 0;
  for (const JsonValue* inner = &json; !inner->as<JsonList>()->empty();
       inner = &inner->as<JsonList>()->front())
    ++levels;
  EXPECT_EQ(levels, kMaxJsonLevels);
}

TEST(Json, IsPrintedOnManyLines) {
  const char* const text = R"({
  "flag": true,
  "most": 18446744073709551615,
  "least": -9223372036854775808,
  "half": 0.5,
  "list": [
    "a\"",
    null
  ],
  "none": {}
})";
  EXPECT_EQ(printJson(parseJson(text)), text);
  EXPECT_EQ(printJson({std::string("\xff")}), "\"\uFFFD\"");
}

// Ends at the number 9 and at an object.
class EventsInWords final : public JsonEvents {
 public:
  std::string words;

  bool beginList() override { return says("("); }
  bool endList() override { return says(")"); }
  bool number(const std::string& text) override { return says(text) && text != "9"; }
  bool somethingElse(std::string_view kind) override { return says(kind) && kind != "object"; }

 private:
  bool says(std::string_view word) {
    words += std::string(word) + " ";
    return true;
  }
};

std::string wordsOf(const std::string& text) {
  EventsInWords events;
  const bool ended = !readJson(text, events);
  return events.words + (ended ? "ended" : "read");
}

TEST(Json, IsReadPieceByPiece) {
  EXPECT_EQ(wordsOf("[[1, -0, -2], /* none */ [], 0.10, 18446744073709551616]"),
            "( ( 1 -0 -2 ) ( ) 0.10 18446744073709551616 ) read");
  EXPECT_EQ(wordsOf("[true, null, \"x\"]"), "( boolean null string ) read");
  EXPECT_EQ(wordsOf("[9, 1]"), "( 9 ended");
  EXPECT_EQ(wordsOf("[{\"a\": 1}]"), "( object ended");
  EXPECT_EQ(wordsOf("[1"), "( 1 ended");
  EXPECT_EQ(wordsOf("[] []"), "( ) ended");
}

TEST(Json, TextsAndNumbersOfTheirOwn) {
  EXPECT_EQ(jsonText("a\"\n\xff"), "\"a\\\"\\n\uFFFD\"");
  EXPECT_EQ(jsonText(0.1), "0.1");
  EXPECT_EQ(jsonText(std::numeric_limits<double>::infinity()), "null");
}

TEST(Csv, ATextIsAsItIs) {
  EXPECT_EQ(csvText("Stride 8"), "Stride 8");
  EXPECT_EQ(csvText(""), "");
  EXPECT_EQ(csvText("GPU A", CsvQuotes::Always), "\"GPU A\"");
}

TEST(Csv, WhatWouldBreakALineIsQuoted) {
  EXPECT_EQ(csvText("a,b"), "\"a,b\"");
  EXPECT_EQ(csvText("\"q\""), "\"\"\"q\"\"\"");
  EXPECT_EQ(csvText("two\nlines"), "\"two\nlines\"");
  EXPECT_EQ(csvText("a\rb"), "\"a\rb\"");
}

// OWASP, CSV Injection.
TEST(Csv, NoTextBeginsAsAFormula) {
  EXPECT_EQ(csvText("=HYPERLINK(1)"), "'=HYPERLINK(1)");
  EXPECT_EQ(csvText("+"), "'+");
  EXPECT_EQ(csvText("-5"), "'-5");
  EXPECT_EQ(csvText("@x"), "'@x");
  EXPECT_EQ(csvText("\t=1"), "'\t=1");
  EXPECT_EQ(csvText("\r=1"), "\"'\r=1\"");
  EXPECT_EQ(csvText("=1,2"), "\"'=1,2\"");
  EXPECT_EQ(csvText("=1", CsvQuotes::Always), "\"'=1\"");
}

TEST(Csv, NumbersStayNumbers) {
  for (const char* number : {"", "0", "-5", "+1", "-0", "1.5", "1e+300", "-1e-45", "inf", "-inf", "nan",
                             "18446744073709551615", "1e999"})
    EXPECT_EQ(csvNumber(number), number);
}

TEST(Csv, WhatIsNoNumberIsATextAmongNumbers) {
  EXPECT_EQ(csvNumber("-5+cmd"), "'-5+cmd");
  EXPECT_EQ(csvNumber("+-1"), "'+-1");
  EXPECT_EQ(csvNumber("++1"), "'++1");
  EXPECT_EQ(csvNumber("-nan(1)"), "'-nan(1)");
  EXPECT_EQ(csvNumber("=1"), "'=1");
  EXPECT_EQ(csvNumber("1, 2"), "\"1, 2\"");
}

}  // namespace
}  // namespace stridescope::base_test
