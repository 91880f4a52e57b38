#include "session/app_state.h"

#include <gtest/gtest.h>

namespace stridescope::session {
namespace {

TEST(AppState, PresentEndsWhereItBegan) {
  AppState app({});
  EXPECT_EQ(app.mode(), Mode::Explore);
  app.enterMode(Mode::Predict);
  app.enterMode(Mode::Present);
  EXPECT_EQ(app.mode(), Mode::Present);
  app.enterMode(Mode::Present);
  EXPECT_EQ(app.mode(), Mode::Predict);
  app.enterMode(Mode::Present);
  app.enterMode(Mode::Compare);
  EXPECT_EQ(app.mode(), Mode::Compare);
}

}  // namespace
}  // namespace stridescope::session
