#include "narration/requests.h"

#include <gtest/gtest.h>

#include <set>

#include "hand_built.h"

namespace stridescope::narration {
namespace {

using model::EventKind;

std::vector<std::string> namesOf(const std::vector<NamedRequest>& requests) {
  std::vector<std::string> names;
  for (const NamedRequest& request : requests) names.push_back(request.name);
  return names;
}

const auto kFirst = touches(4, [](unsigned t) { return t; });

TEST(NamedRequests, OneLetterRunsThroughBothSpaces) {
  HandBuilt built(32);
  built.round(analysis::RoundEnd::BlockBarrier, {}, below(4));
  built.access(EventKind::Load, false, "in[i]", kFirst);
  built.access(EventKind::Store, true, "data[tid]", kFirst);
  built.access(EventKind::Load, true, "data[tid  +\n s]", kFirst);
  built.access(EventKind::Atomic, false, "atomicAdd(out, 1)", kFirst);
  built.access(EventKind::Atomic, true, "atomicAdd(data, 1)", kFirst);
  const std::vector<NamedRequest> all = namedRequests(built.last());
  EXPECT_EQ(namesOf(all), (std::vector<std::string>{"load A", "load B", "store", "atomic A", "atomic B"}));
  EXPECT_EQ(all[0].text, "in[i]");
  EXPECT_EQ(all[0].line, 1);
  EXPECT_EQ(all[1].line, 3);
  EXPECT_EQ(all[1].text, "data[tid + s]") << "in one line";
  EXPECT_EQ(namesOf(bankRequests(built.last())), (std::vector<std::string>{"load B", "store"}));
  EXPECT_EQ(namesOf(deviceRequests(built.last())), (std::vector<std::string>{"load A", "atomic A"}));
}

TEST(NamedRequests, NoTwoShareANameHoweverManyThereAre) {
  HandBuilt built(32);
  built.round(analysis::RoundEnd::BlockBarrier, {}, below(4));
  for (int i = 0; i < 800; ++i) built.access(EventKind::Load, true, "data[tid]", kFirst);
  const std::vector<std::string> names = namesOf(namedRequests(built.last()));
  EXPECT_EQ(names.size(), 800u);
  EXPECT_EQ(std::set(names.begin(), names.end()).size(), 800u);
  EXPECT_EQ(names[0], "load A");
  EXPECT_EQ(names[25], "load Z");
  EXPECT_EQ(names[26], "load AA");
  EXPECT_EQ(names[51], "load AZ");
  EXPECT_EQ(names[52], "load BA");
  EXPECT_EQ(names[702], "load AAA");
}

}  // namespace
}  // namespace stridescope::narration
