// What a message offers to do with one file of a person's is not done to another.
#include <gtest/gtest.h>

#include "engine/sandbox/confinement.h"
#include "session/own_kernel.h"
#include "support/fake_engine.h"
#include "support/own_kernel_services.h"

namespace stridescope::session {
namespace {

TEST(OfferedOfAKernel, IsTakenBackWhenAnotherIsOpened) {
  if (!engine::sandbox::sandboxSupport().isComplete())
    GTEST_SKIP() << engine::sandbox::sandboxSupport().sentence();
  const support::KernelFolder folder;
  support::FakeEngines engines;
  const std::string first = folder.write("k.cu", support::kDoubling),
                    other = folder.write("other.cu", support::kDoubling);
  for (const char* const launches : {"k.launch.json", "other.launch.json"})
    folder.write(launches, support::kDoublingLaunch);
  Session session(folder.services(engines.services()), {},
                  Start{.experiment = support::ladderExperiment("sequential"), .round = 1, .engine = "host"});
  session.waitForJobs();
  session.apply(OpenRecording{first});
  session.waitForJobs();
  session.apply(EditKernel{std::string(support::kDoubling) + "// mine"});
  folder.write("k.cu", std::string(support::kDoubling) + "// theirs");
  ASSERT_TRUE(support::comesTo(session, [&] { return session.app().message().has_value(); }));
  session.apply(OpenRecording{other});
  ASSERT_TRUE(support::comesTo(
      session, [&] { return session.kernel().name() == "other.cu" && session.kernel().isOpen(); }));
  EXPECT_FALSE(session.app().message()) << session.app().message()->sentence;
}

}  // namespace
}  // namespace stridescope::session
