// A person's own files: what is in them, and sentences for everything that may be wrong with them.
#include "engine/own_data.h"

#include <gmock/gmock.h>
#include <sys/stat.h>
#include <unistd.h>

#include <fstream>

namespace stridescope::engine {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::EndsWith;
using testing::HasSubstr;
using testing::Not;

class OwnData : public testing::Test {
 protected:
  ~OwnData() override { std::filesystem::remove(file_); }

  const std::filesystem::path& fileOf(const std::string& text) {
    std::ofstream(file_, std::ios::binary) << text;
    return file_;
  }
  Error faultOfNumbers(const std::string& text, model::ElementType type = model::ElementType::Int) {
    return faultIn(readNumbers(fileOf(text), type));
  }
  Error faultOfLists(const std::string& text, model::ElementType type = model::ElementType::Int) {
    return faultIn(readLists(fileOf(text), type));
  }
  static Error faultIn(const Result<model::GivenData>& data) {
    EXPECT_FALSE(data);
    return data ? Error{} : data.error();
  }

  std::filesystem::path file_ =
      std::filesystem::temp_directory_path() / ("own_data_" + std::to_string(::getpid()));
};

TEST_F(OwnData, NumbersStandOneALine) {
  const auto data = readNumbers(fileOf("# weights\n 4\n\n-2 # the second\n+7"), model::ElementType::Int64);
  ASSERT_TRUE(data) << data.error().sentence;
  EXPECT_THAT(data->values, ElementsAre(4, ~1ull, 7));
  EXPECT_THAT(faultOfNumbers("1\ntwo\n").sentence,
              AllOf(HasSubstr("line 2: 'two' is no int"),
                    EndsWith("Write one number per line, or commas between numbers.")));
}

// In a list of numbers a comma or a blank separates; in a count it groups digits (base/numbers.h).
TEST_F(OwnData, NumbersOfALineStandBetweenCommasSemicolonsOrBlanks) {
  for (const char* text :
       {"1,2,3", "1, 2, 3\n", "1,2,\n3", "1;2;3", "1 2\t3", " 1 , 2\r\n 3 ,\r\n", "1 2,3#4,5"}) {
    const auto data = readNumbers(fileOf(text), model::ElementType::Int);
    ASSERT_TRUE(data) << text << ": " << data.error().sentence;
    EXPECT_THAT(data->values, ElementsAre(1, 2, 3)) << text;
  }
  EXPECT_THAT(faultOfNumbers("1\n2,x,3").sentence, HasSubstr("line 2, number 2: 'x' is no int."));
  EXPECT_THAT(faultOfNumbers("1,,2").sentence, HasSubstr("line 1, number 2: there is none before ','."));
  EXPECT_THAT(faultOfNumbers(",1").sentence, HasSubstr("line 1, number 1: there is none before ','."));
  EXPECT_THAT(faultOfNumbers("1,5;2,5").sentence,
              AllOf(HasSubstr("line 1: commas and semicolons both stand between numbers."),
                    HasSubstr("Write decimals with a point")));
  EXPECT_THAT(faultOfNumbers("1,5\n1;5").sentence, HasSubstr("line 2: commas and semicolons"));
}

TEST_F(OwnData, AByteOrderMarkIsSkipped) {
  const auto numbers = readNumbers(fileOf("\xef\xbb\xbf"
                                          "1\n2\n"),
                                   model::ElementType::Int);
  ASSERT_TRUE(numbers) << numbers.error().sentence;
  EXPECT_THAT(numbers->values, ElementsAre(1, 2));
  const auto lists = readLists(fileOf("\xef\xbb\xbf[[1], [2]]"), model::ElementType::Int);
  ASSERT_TRUE(lists) << lists.error().sentence;
  EXPECT_THAT(lists->values, ElementsAre(1, 2));
}

TEST_F(OwnData, OtherEncodingsThanUtf8AreRefused) {
  using namespace std::string_literals;
  for (const std::string& text : {"\xff\xfe"
                                  "1\0\n\0"s,
                                  "\xfe\xff\0"
                                  "1\0\n"s,
                                  "1\0"
                                  "2\0"s,
                                  "\0"
                                  "1"s,
                                  "\xff\xfe\0\0"
                                  "1\0\0\0"s}) {
    const std::string sentence = "is UTF-16 or UTF-32 text, not UTF-8. Save it as UTF-8.";
    EXPECT_THAT(faultOfNumbers(text).sentence, EndsWith(sentence));
    EXPECT_THAT(faultOfLists(text).sentence, EndsWith(sentence));
  }
}

TEST_F(OwnData, WithoutANumberIsRefused) {
  for (const char* text : {"", "\n\n", "# nothing\n", "  \t", "\xef\xbb\xbf"}) {
    const Error fault = faultOfNumbers(text);
    EXPECT_EQ(fault.kind, ErrorKind::Usage);
    EXPECT_THAT(fault.sentence, HasSubstr("' holds no number.")) << text;
  }
  for (const char* text : {"[[]]", "[[], [], []]"}) {
    const Error fault = faultOfLists(text);
    EXPECT_EQ(fault.kind, ErrorKind::Usage);
    EXPECT_THAT(fault.sentence, HasSubstr("are empty, so there is nothing to merge.")) << text;
  }
  EXPECT_THAT(faultOfLists("[]").sentence, HasSubstr("has no lists"));
}

TEST_F(OwnData, OfATextIsCalledWhereItCameFrom) {
  const auto data = numbersOf("1\n2", "standard input", model::ElementType::Int);
  ASSERT_TRUE(data) << data.error().sentence;
  EXPECT_EQ(data->name, "standard input");
  EXPECT_THAT(faultIn(numbersOf("1\nx", "standard input", model::ElementType::Int)).sentence,
              HasSubstr("standard input, line 2: 'x' is no int."));
  EXPECT_THAT(faultIn(listsOf("[[2, 1]]", "standard input", model::ElementType::Int)).sentence,
              HasSubstr("standard input, list 0, position 1: 1 is less"));
}

TEST_F(OwnData, ListsAreJson) {
  const auto data = readLists(fileOf("[[1, 4], [], [2, 2]]"), model::ElementType::Int);
  ASSERT_TRUE(data) << data.error().sentence;
  EXPECT_THAT(data->values, ElementsAre(1, 4, 2, 2));
  EXPECT_THAT(data->listLengths, ElementsAre(2, 0, 2));
  EXPECT_THAT(faultOfLists("[[1, 2], [3, 1]]").sentence, HasSubstr("list 1, position 1: 1 is less"));
  EXPECT_THAT(faultOfLists("[[1, 2]").sentence, HasSubstr("no JSON array of arrays"));
  EXPECT_THAT(faultOfLists("[[1], 2]").sentence, HasSubstr("list 1: it is no array"));
}

// A result with them is held against the rules for it (reference_test.cpp).
TEST_F(OwnData, NanIsANumberOfFloatingTypes) {
  const auto data = readNumbers(fileOf("1\nnan\n-NaN\n"), model::ElementType::Float);
  ASSERT_TRUE(data) << data.error().sentence;
  EXPECT_THAT(data->values, ElementsAre(0x3f800000u, 0x7fc00000u, 0x7fc00000u));
  EXPECT_THAT(faultOfNumbers("nan").sentence, HasSubstr("'nan' is no int"));
}

TEST_F(OwnData, NegativeZerosAreKept) {
  constexpr std::uint64_t kNegativeZero = 0x80000000;
  const auto numbers = readNumbers(fileOf("-0\n0\n-0.0\n+0\n"), model::ElementType::Float);
  ASSERT_TRUE(numbers) << numbers.error().sentence;
  EXPECT_THAT(numbers->values, ElementsAre(kNegativeZero, 0, kNegativeZero, 0));
  const auto lists = readLists(fileOf("[[-0, 0, -0.0], [0.0, -0e0]]"), model::ElementType::Float);
  ASSERT_TRUE(lists) << lists.error().sentence;
  EXPECT_THAT(lists->values, ElementsAre(kNegativeZero, 0, kNegativeZero, 0, kNegativeZero));
  const auto integers = readLists(fileOf("[[-0, 0]]"), model::ElementType::Int);
  ASSERT_TRUE(integers) << integers.error().sentence;
  EXPECT_THAT(integers->values, ElementsAre(0, 0));
}

TEST_F(OwnData, AnotherKindOfNumberInAListIsNotToStandOnALine) {
  EXPECT_THAT(faultOfLists("[[1.5]]").sentence,
              AllOf(HasSubstr("list 0, position 0: '1.5' is no int"), Not(HasSubstr("a line")),
                    EndsWith("take another type.")));
  EXPECT_THAT(faultOfLists("[[1, \"two\"]]").sentence,
              HasSubstr("list 0, position 1: here is no number, but a JSON string."));
}

// Arrays in arrays in arrays: more of them than fit on the stack, if each took a call.
TEST_F(OwnData, DeepArraysAreNoCrash) {
  constexpr std::size_t kDepth = 1 << 20;
  const std::string deep(kDepth, '[');
  for (const std::string& text : {deep, deep + std::string(kDepth, ']')})
    EXPECT_THAT(faultOfLists(text).sentence,
                HasSubstr("list 0, position 0: here is no number, but a JSON array."));
}

TEST_F(OwnData, AFileThatMayNotBeReadIsNotCalledWrong) {
  fileOf("[[1]]");
  ASSERT_EQ(::chmod(file_.c_str(), 0), 0);
  const uid_t before = ::geteuid();
  if (before == 0) {
    ASSERT_EQ(::seteuid(65534), 0);  // root may read everything
  }
  const auto lists = readLists(file_, model::ElementType::Int),
             numbers = readNumbers(file_, model::ElementType::Int);
  if (before == 0) {
    ASSERT_EQ(::seteuid(before), 0);
  }
  for (const auto& data : {lists, numbers}) {
    const Error fault = faultIn(data);
    EXPECT_EQ(fault.kind, ErrorKind::Unavailable);
    EXPECT_THAT(fault.sentence, HasSubstr("cannot be read"));
  }
}

// The kernel lets nobody read a process's memory at address 0, which is where the file begins.
TEST_F(OwnData, AReadThatFailsIsNotTheEnd) {
  for (const auto& data : {readLists("/proc/self/mem", model::ElementType::Int),
                           readNumbers("/proc/self/mem", model::ElementType::Int)}) {
    const Error fault = faultIn(data);
    EXPECT_EQ(fault.kind, ErrorKind::Unavailable);
    EXPECT_THAT(fault.sentence, HasSubstr("cannot be read"));
  }
}

TEST_F(OwnData, APipeIsNotWaitedFor) {
  ASSERT_EQ(::mkfifo(file_.c_str(), 0600), 0);
  EXPECT_THAT(faultIn(readNumbers(file_, model::ElementType::Int)).sentence,
              HasSubstr("is a named pipe, not a file of numbers"));
  EXPECT_THAT(faultIn(readLists(file_, model::ElementType::Int)).sentence,
              HasSubstr("is a named pipe, not a file of lists"));
}

// 3 GB that take no room on the disk.
TEST_F(OwnData, AHugeFileTakesNoMemory) {
  fileOf("1\n");
  std::filesystem::resize_file(file_, 3ull << 30);
  EXPECT_THAT(faultIn(readNumbers(file_, model::ElementType::Int)).sentence, HasSubstr("is too large"));
  EXPECT_THAT(faultIn(readLists(file_, model::ElementType::Int)).sentence, HasSubstr("is too large"));
}

TEST_F(OwnData, TheLastLineNeedsNoEnd) {
  for (const char* text : {"1\n2", "1\n2\n", "1\r\n2\r\n", "\n1\n\n2\n\n"}) {
    const auto data = readNumbers(fileOf(text), model::ElementType::Int);
    ASSERT_TRUE(data) << data.error().sentence;
    EXPECT_THAT(data->values, ElementsAre(1, 2));
  }
  EXPECT_THAT(faultOfNumbers("1\n\nx\n").sentence, HasSubstr("line 3: 'x'"));
}

TEST_F(OwnData, AFileThatIsNotThereIsToldOf) {
  EXPECT_THAT(faultIn(readLists("/no/such/file.json", model::ElementType::Int)).sentence,
              HasSubstr("There is no file"));
  EXPECT_THAT(faultIn(readNumbers("/proc", model::ElementType::Int)).sentence,
              HasSubstr("not a file of numbers"));
}

}  // namespace
}  // namespace stridescope::engine
