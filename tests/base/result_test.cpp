#include "base/result.h"

#include <gtest/gtest.h>

#include <memory>
#include <new>
#include <stdexcept>

namespace stridescope::base_test {
namespace {

TEST(WithoutExceptions, GivesWhatTheFunctionGives) {
  EXPECT_EQ(withoutExceptions("counting", []() -> Result<int> { return 7; }).value(), 7);
  EXPECT_EQ(withoutExceptions("counting", []() -> Result<int> { return cancelled(); }).error().kind,
            ErrorKind::Cancelled);
  bool ran = false;
  EXPECT_TRUE(withoutExceptions("counting", [&] { ran = true; }));
  EXPECT_TRUE(ran);
  EXPECT_TRUE(withoutExceptions("counting", []() -> Result<std::unique_ptr<int>> { return nullptr; }));
}

TEST(WithoutExceptions, OutOfMemoryIsASentence) {
  const auto ended =
      withoutExceptions("recording sequential", []() -> Result<int> { throw std::bad_alloc(); });
  ASSERT_FALSE(ended);
  EXPECT_EQ(ended.error().kind, ErrorKind::Limit);
  EXPECT_EQ(ended.error().sentence,
            "Out of memory while recording sequential. Take fewer elements, or close other programs.");
  const auto length = withoutExceptions("counting", [] { throw std::bad_array_new_length(); });
  EXPECT_EQ(length.error().sentence.find("Out of memory while counting."), 0u);
}

TEST(WithoutExceptions, AnythingElseIsASentenceWithItsDetails) {
  const auto ended =
      withoutExceptions("starting threads", [] { throw std::runtime_error("no threads left"); });
  ASSERT_FALSE(ended);
  EXPECT_NE(ended.error().sentence.find("starting threads"), std::string::npos);
  EXPECT_EQ(ended.error().details, "no threads left");
  EXPECT_FALSE(withoutExceptions("counting", [] { throw 7; }));
}

}  // namespace
}  // namespace stridescope::base_test
