#include <gtest/gtest.h>

#include "base/formats.h"

namespace stridescope {
namespace {

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
}  // namespace stridescope
