// Nothing that came with a file is compiled before somebody has allowed exactly that text.
#include "engine/code_trust.h"

#include <gtest/gtest.h>

#include "custom_support.h"

namespace stridescope::engine::sandbox {
namespace {

TEST(CodeTrust, AllowsTheVeryText) {
  CodeTrust trust;
  EXPECT_FALSE(trust.allows("a + b"));
  trust.allow("a + b");
  EXPECT_TRUE(trust.allows("a + b"));
  EXPECT_FALSE(trust.allows("a + b "));
  EXPECT_FALSE(trust.allows(""));
  trust.allowAll();
  EXPECT_TRUE(trust.allows("a - b"));
}

TEST(CodeTrust, AnUnknownTextIsNotEvenGivenToTheCompiler) {
  const auto trust = std::make_shared<CodeTrust>();
  const auto engine = makeCustomEngine(host::makeHostEngine(), trust, {.program = STRIDESCOPE_COMBINE_CHILD});
  const Variable none("CXX", "no-such-compiler");
  const auto refused = record(*engine, custom("a + b", "0"));
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().cause, ErrorCause::UntrustedCode);
  EXPECT_EQ(refused.error().kind, ErrorKind::Unavailable);
  EXPECT_EQ(refused.error().details, "a + b");
  trust->allow("a + b");
  const auto tried = record(*engine, custom("a + b", "0"));
  ASSERT_FALSE(tried);  // the compiler is looked for now
  EXPECT_EQ(tried.error().cause, ErrorCause::Other);
  EXPECT_NE(tried.error().sentence.find("no-such-compiler"), std::string::npos) << tried.error().sentence;
}

TEST(CodeTrust, TheProgramsOwnOperatorsNeedNone) {
  const auto engine = makeCustomEngine(host::makeHostEngine(), std::make_shared<CodeTrust>(),
                                       {.program = STRIDESCOPE_COMBINE_CHILD});
  EXPECT_TRUE(record(*engine, {.variant = "sequential", .threads = 64, .elements = 64}));
}

}  // namespace
}  // namespace stridescope::engine::sandbox
