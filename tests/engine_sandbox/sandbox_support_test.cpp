// Where the kernel cannot confine a person's code it is not run, and the person is told why; unless they say
// so.
#include <gmock/gmock.h>

#include "custom_support.h"
#include "engine/sandbox/confinement.h"
#include "support/refusing_gpu.h"

namespace stridescope::engine::sandbox {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

constexpr SandboxSupport kNoLandlock{.landlock = 0, .seccomp = true},
    kNoSeccomp{.landlock = 3, .seccomp = false}, kNeither{};

std::unique_ptr<Engine> engineWith(const SandboxSupport& support, bool allowUnconfined = false) {
  const auto trust = std::make_shared<CodeTrust>();
  trust->allow("a + b");
  if (allowUnconfined) trust->allowUnconfined();
  return makeCustomEngine(host::makeHostEngine(), trust,
                          {.program = STRIDESCOPE_COMBINE_CHILD, .support = support});
}

TEST(SandboxSupport, SaysWhatIsMissingAndWhatThatMeans) {
  EXPECT_THAT(kNoLandlock.sentence(),
              AllOf(HasSubstr("no Landlock,"), HasSubstr("files"), Not(HasSubstr("seccomp"))));
  EXPECT_THAT(kNoSeccomp.sentence(),
              AllOf(HasSubstr("no seccomp"), HasSubstr("network"), HasSubstr("Use Linux")));
  EXPECT_THAT(kNeither.sentence(), AllOf(HasSubstr("Landlock or seccomp"), HasSubstr("Use Linux")));
  const SandboxSupport all{.landlock = 5, .seccomp = true};
  EXPECT_THAT(all.sentence(), AllOf(HasSubstr("version 5"), HasSubstr("no file"), Not(HasSubstr("Use"))));
}

TEST(SandboxSupport, IsTheKernelsOwnWord) {
  const SandboxSupport support = sandboxSupport();
  if (!support.isComplete()) GTEST_SKIP() << support.sentence();
  EXPECT_GE(support.landlock, 1);
}

TEST(SandboxSupport, WithoutItNothingIsCompiledOrRun) {
  const auto folder = *PrivateFolder::make();
  const Variable temporary("TMPDIR", folder->path());
  for (const SandboxSupport& support : {kNoLandlock, kNoSeccomp, kNeither}) {
    const auto engine = engineWith(support);
    const auto trace = record(*engine, custom("a + b", "0"));
    ASSERT_FALSE(trace);
    EXPECT_EQ(trace.error().kind, ErrorKind::Unavailable);
    EXPECT_EQ(trace.error().cause, ErrorCause::UnconfinedCode);
    EXPECT_EQ(trace.error().details, "a + b");
    EXPECT_THAT(trace.error().sentence, AllOf(HasSubstr("not run"), HasSubstr(support.sentence())));
    EXPECT_EQ(entriesOf(folder->path()), 0u);
  }
}

TEST(SandboxSupport, APersonMayAllowItNevertheless) {
  const auto trace = record(*engineWith(kNeither, true), custom("a + b", "0"));
  ASSERT_TRUE(trace) << trace.error().sentence;
  EXPECT_EQ(trace->result, "2016");
}

TEST(SandboxSupport, ThatIsNoYesToAnyText) {
  const auto trace = record(*engineWith(kNeither, true), custom("a ^ b", "0"));
  ASSERT_FALSE(trace);
  EXPECT_EQ(trace.error().cause, ErrorCause::UntrustedCode);
}

TEST(SandboxSupport, WhoTrustsEverythingAllowsIt) {
  const auto engine = makeCustomEngine(host::makeHostEngine(), support::trustInAll(),
                                       {.program = STRIDESCOPE_COMBINE_CHILD, .support = kNeither});
  EXPECT_TRUE(record(*engine, custom("a + b", "0")));
}

TEST(SandboxSupport, OnAGpuItRunsUntried) {
  const auto trust = std::make_shared<CodeTrust>();
  trust->allow("a + b");
  const auto engine = makeCustomEngine(std::make_unique<support::RefusingGpu>(), trust,
                                       {.program = STRIDESCOPE_COMBINE_CHILD, .support = kNoLandlock});
  const auto trace = record(*engine, custom("a + b", "0"));
  ASSERT_FALSE(trace) << "the GPU refuses it, as it was asked";
  EXPECT_EQ(trace.error().cause, ErrorCause::CombineText);
}

TEST(SandboxSupport, OurOwnOperatorsNeedNone) {
  const model::Experiment builtIn{.variant = "sequential", .threads = 64, .elements = 64};
  EXPECT_TRUE(record(*engineWith(kNeither), builtIn));
}

}  // namespace
}  // namespace stridescope::engine::sandbox
