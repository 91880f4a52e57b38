// Every link of every lesson, followed: the window then shows what the link says.
#include <gtest/gtest.h>

#include "followed_links.h"
#include "support/variant_ids.h"
#include "support/whole_sweeps.h"
#include "views/reading/lesson.h"

namespace stridescope::views {
namespace {

using test::WorkbenchUi;

class LessonLinks : public testing::TestWithParam<std::string> {};

TEST_P(LessonLinks, LandWhereTheySay) {
  WorkbenchUi w({.round = 0});
  for (const session::LinkText& link : session::linksIn(lessonText(GetParam()))) {
    w.apply(session::Choose(&model::Experiment::variant, GetParam()));  // whose lesson is read
    test::expectToLand(w, link);
  }
}

INSTANTIATE_TEST_SUITE_P(Catalog, LessonLinks, testing::ValuesIn(support::someOf(support::variantIds())),
                         [](const auto& one) { return one.param; });

}  // namespace
}  // namespace stridescope::views
