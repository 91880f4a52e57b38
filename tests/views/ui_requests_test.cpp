// The Banks panel's tabs are the requests of the round: for every variant, against a count of the events, and
// chosen by their labels.
#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <functional>
#include <map>
#include <set>
#include <sstream>
#include <tuple>

#include "analysis/requests.h"
#include "imgui_internal.h"
#include "narration/requests.h"
#include "support/variant_ids.h"
#include "support/whole_sweeps.h"
#include "views/maps/punch_card.h"
#include "views/shared/shown_round.h"
#include "workbench_ui.h"

namespace stridescope::views {
namespace {

using test::UiRequest;
using test::WorkbenchUi;

constexpr shell::PixelSize kSmall{1280, 720};

// What tells requests apart, in the order in which they are listed.
using Key = std::tuple<model::EventKind, std::uint32_t, bool>;  // kind, site, in global memory
Key keyOf(const model::Event& event) { return {event.kind(), event.site(), event.inGlobal()}; }
Key keyOf(const analysis::RequestId& request) { return {request.kind, request.site, !request.shared}; }
bool isAccess(const model::Event& event) {
  return event.kind() == model::EventKind::Load || event.kind() == model::EventKind::Store ||
         event.kind() == model::EventKind::Atomic;
}

// The events of a round that access memory.
using Accesses = std::map<Key, std::set<std::uint32_t>>;
Accesses accessesOf(const model::LaunchTrace& launch, const analysis::Round& round) {
  Accesses accesses;
  for (const analysis::WarpOperation& operation : round.operations)
    for (unsigned lane = 0; lane < model::kWarpSize; ++lane)
      if ((operation.mask >> lane & 1) != 0)
        if (const model::Event& event = launch.recorded().events[operation.event[lane]]; isAccess(event))
          accesses[keyOf(event)].insert(operation.event[lane]);
  return accesses;
}

// Two loads of which the second one is combine's first argument.
bool secondLoadIsA(const model::Trace& trace, const Accesses& accesses) {
  std::vector<bool> first;  // argument, each of the loads
  for (const auto& [key, events] : accesses) {
    if (std::get<0>(key) != model::EventKind::Load) continue;
    std::istringstream text(trace.kernelText);
    std::string line;
    for (int number = 0; number < trace.sites[std::get<1>(key)].line; ++number) std::getline(text, line);
    first.push_back(line.find("combine(" + trace.sites[std::get<1>(key)].text) != std::string::npos);
  }
  return first == std::vector{false, true};
}

// "load A", "load B", "store": a letter where there are several of a kind.
std::vector<std::string> labelsOf(const model::Trace& trace, const Accesses& accesses) {
  std::map<model::EventKind, unsigned> all, met;
  for (const auto& [key, events] : accesses) ++all[std::get<0>(key)];
  const bool swapped = secondLoadIsA(trace, accesses);
  std::vector<std::string> labels;
  for (const auto& [key, events] : accesses) {
    const model::EventKind kind = std::get<0>(key);
    std::string label = kind == model::EventKind::Load    ? "load"
                        : kind == model::EventKind::Store ? "store"
                                                          : "atomic";
    const unsigned place = met[kind]++;
    const bool other = swapped && kind == model::EventKind::Load;
    if (all[kind] > 1) label += std::string(" ") + char('A' + (other ? 1 - place : place));
    labels.push_back(std::move(label));
  }
  return labels;
}

class RequestsOf : public testing::TestWithParam<std::string> {
 protected:
  // Shows the variant with what it can reduce.
  static void show(WorkbenchUi& w) {
    w.apply(session::Choose(&model::Experiment::variant, GetParam()));
    ASSERT_EQ(w.session().replay().run()->trace.experiment.variant, GetParam());
  }
};

TEST_P(RequestsOf, EachRoundAreItsAccessesBySiteAndKind) {
  WorkbenchUi w;
  show(w);
  const lab::Run& run = *w.session().replay().run();
  for (std::size_t number = 0; number < run.trace.launches.size(); ++number) {
    const model::LaunchTrace& launch = run.trace.launches[number];
    const analysis::LaunchAnalysis& analysis = run.analysis.launches[number];
    std::map<Key, std::size_t> inRequests;
    for (std::size_t index = 0; index < analysis.rounds.size(); ++index) {
      const analysis::Round& round = analysis.rounds[index];
      const Accesses accesses = accessesOf(launch, round);
      const auto named = narration::namedRequests({run.trace, launch, analysis, run.flow[number], index});
      const std::vector<std::string> labels = labelsOf(run.trace, accesses);
      ASSERT_EQ(named.size(), accesses.size()) << "round " << index;
      auto expected = accesses.begin();
      for (std::size_t place = 0; place < named.size(); ++place, ++expected) {
        const analysis::Request& request = *named[place].request;
        EXPECT_EQ(named[place].name, labels[place]) << "round " << index;
        ASSERT_TRUE(keyOf(request) == expected->first) << "round " << index << ", " << labels[place];
        std::set<std::uint32_t> events;
        for (const std::uint32_t operation : request.operations)
          for (unsigned lane = 0; lane < model::kWarpSize; ++lane)
            if ((round.operations[operation].mask >> lane & 1) != 0)
              events.insert(round.operations[operation].event[lane]);
        EXPECT_EQ(events, expected->second) << "round " << index << ", " << labels[place];
        inRequests[expected->first] += events.size();
      }
    }
    std::map<Key, std::size_t> inLaunch;
    for (std::size_t index = 0; index < launch.recorded().events.size(); ++index)
      if (const model::Event& event = launch.recorded().events[index]; isAccess(event))
        if (index == 0 || !event.isUpperHalfOf(launch.recorded().events[index - 1])) ++inLaunch[keyOf(event)];
    EXPECT_EQ(inRequests, inLaunch) << "launch " << number;
  }
}

// Chooses a request as a person would: by its tab or, where there are more than fit, from the list.
void choose(ImGuiTestContext* test, const std::string& label) {
  test->SetRef("//Banks");
  if (test->ItemExists("##request"))
    test->ComboClick(("##request/" + label).c_str());
  else
    test->ItemClick(label.c_str());
}

// Each lane of the punch card belongs to one operation of the request, and no lane of it is missing.
void expectCardOf(WorkbenchUi& w, const Accesses& accesses, const Key& key) {
  const session::Replay& replay = w.session().replay();
  const auto shown = shownOperation(replay);
  ASSERT_TRUE(shown);
  EXPECT_TRUE(keyOf(shown->request) == key);
  const std::set<std::uint32_t>& events = accesses.at(key);
  for (unsigned lane = 0; lane < model::kWarpSize; ++lane)
    if ((shown->operation.mask >> lane & 1) != 0) {
      EXPECT_TRUE(events.contains(shown->operation.event[lane])) << "lane " << lane;
    }
  const draw::PaintedGrid* card = w.ui().findGrid("punch card");
  ASSERT_NE(card, nullptr);
  EXPECT_EQ(card->rows, std::popcount(shown->operation.mask));
  const std::string warp = "warp " + std::to_string(shown->operation.warp) + "\n";
  EXPECT_TRUE(w.shows(warp, "Banks")) << w.textsIn("Banks");
}

// The requests of what the playhead stands in.
void expectEachReached(WorkbenchUi& w) {
  const session::Replay& replay = w.session().replay();
  const Accesses accesses = accessesOf(replay.launch(), replay.round());
  if (accesses.empty()) {
    EXPECT_TRUE(w.shows("No thread touches memory in this round.", "Banks"));
    return;
  }
  // A pass calls its requests as the whole round does.
  const Accesses ofRound = accessesOf(replay.launch(), replay.wholeRound());
  const std::vector<std::string> labels = labelsOf(w.session().replay().run()->trace, ofRound);
  for (auto access = accesses.rbegin(); access != accesses.rend(); ++access) {
    const std::string& label =
        labels[std::size_t(std::distance(ofRound.begin(), ofRound.find(access->first)))];
    SCOPED_TRACE(label);
    w.run(label, [&](ImGuiTestContext* test) { choose(test, label); });
    w.ui().drawFrames(2);
    expectCardOf(w, accesses, access->first);
  }
}

void expectEachOfEveryRoundReached(WorkbenchUi& w) {
  w.apply(session::ShowPanel{"banks"});
  const session::Replay& replay = w.session().replay();
  const lab::Run& run = *replay.run();
  std::set<std::vector<Key>> seen;  // rounds and passes with the same requests look the same
  for (unsigned number = 0; number < run.trace.launches.size(); ++number)
    for (unsigned index = 0; index < run.analysis.launches[number].rounds.size(); ++index)
      for (unsigned pass = 0; pass < run.analysis.launches[number].rounds[index].passes; ++pass) {
        w.session().apply(session::GoToRound{number, index, pass});
        std::vector<Key> keys;
        for (const auto& [key, events] : accessesOf(replay.launch(), replay.round())) keys.push_back(key);
        if (!seen.insert(keys).second) continue;
        w.settle();
        SCOPED_TRACE("round " + std::to_string(index) + ", pass " + std::to_string(pass));
        expectEachReached(w);
      }
}

// In the first shuffle no thread touches memory: the map of all rounds has the room. It has what the card of
// the last store, of one lane, leaves of it, too.
TEST(UiRequests, TheMapOfAllRoundsHasTheRoomThatTheRoundLeaves) {
  for (const shell::PixelSize size :
       {shell::PixelSize{1280, 680}, shell::PixelSize{1280, 700}, shell::PixelSize{1280, 720},
        shell::PixelSize{1366, 768}, shell::PixelSize{1600, 1000}, shell::PixelSize{3840, 2160}}) {
    WorkbenchUi w({.variant = "warp_shuffle", .size = size});
    w.apply(session::ShowPanel{"banks"});
    const unsigned last = unsigned(w.session().replay().launchAnalysis().rounds.size()) - 1;
    for (const unsigned round : {2u, last}) {
      if (round == last && size.width < 1600) continue;  // the card has all of the room
      w.session().apply(session::GoToRound{0, round});
      w.settle();
      SCOPED_TRACE(std::to_string(size.width) + ", round " + std::to_string(round));
      const draw::PaintedGrid* const map = w.ui().findGrid("banks by round");
      if (map == nullptr && size.height < 720) continue;  // none of the rounds that fit has a request
      ASSERT_NE(map, nullptr);
      const draw::PaintedGrid* const card = w.ui().findGrid("punch card");
      EXPECT_EQ(card == nullptr, round == 2);
      const PanelArea area = w.workbench().areaOf("banks");
      const float taken = map->max.y - map->min.y + (card == nullptr ? 0 : card->max.y - card->min.y);
      if (size.width >= 1600) {
        EXPECT_GE(taken, 0.5f * (area.max.y - area.min.y));
      } else {  // as many rounds as fit: less than one more, and the panel's edge
        EXPECT_GE(map->max.y + 14 + 16, area.max.y);
      }
      for (const draw::TextLog::Entry& entry : w.ui().texts().entries())
        if (entry.text.starts_with("No thread touches memory") && entry.window.starts_with("Banks")) {
          EXPECT_LE(entry.max.y, map->min.y) << "the map lies over the sentence";
        }
      EXPECT_LE(map->max.y, area.max.y);
      EXPECT_TRUE(w.shows("24", "Banks")) << "its banks are numbered";
    }
  }
}

// The numbers of the lowest row of a window that goes up from 0, from left to right.
std::vector<int> numbersAbove(const WorkbenchUi& w, const std::string& window) {
  std::map<float, std::map<float, int>> rows;
  for (const draw::TextLog::Entry& entry : w.ui().texts().entries())
    if (entry.window.starts_with(window) && !entry.text.empty() &&
        entry.text.find_first_not_of("0123456789") == std::string::npos)
      rows[entry.min.y][entry.min.x] = std::stoi(entry.text);
  std::vector<int> numbers;
  for (const auto& [y, row] : rows) {
    std::vector<int> found;
    for (const auto& [x, number] : row) found.push_back(number);
    if (found.front() == 0 && found.size() > 1 &&
        std::ranges::adjacent_find(found, std::greater_equal<>()) == found.end())
      numbers = found;
  }
  return numbers;
}

// However wide they are: never 0 4 8 _ 16 20 _ 28.
TEST(UiNumbers, StandAtOneDistanceOverHiddenCells) {
  for (const int width : {1280, 1366, 1500, 1600, 1800, 1920, 2560}) {
    SCOPED_TRACE(width);
    WorkbenchUi w({.variant = "interleaved_modulo", .round = 2, .size = {width, 900}});
    w.apply(session::EnterMode{session::Mode::Predict});
    const std::vector<int> numbers = numbersAbove(w, "Shared memory");
    ASSERT_GE(numbers.size(), 4u) << w.textsIn("Shared memory");
    for (std::size_t i = 2; i < numbers.size(); ++i)
      EXPECT_EQ(numbers[i] - numbers[i - 1], numbers[1] - numbers[0]) << testing::PrintToString(numbers);
  }
}

class RequestsInLittleRoom : public RequestsOf {};

// Under a tab bar, with the width of three panels.
TEST_P(RequestsInLittleRoom, EachRoundAreReachedByTheirLabelsInASmallWindow) {
  WorkbenchUi w({.size = kSmall});
  show(w);
  expectEachOfEveryRoundReached(w);
}

// Beside other panels, where few tabs fit.
TEST_P(RequestsInLittleRoom, EachRoundAreReachedByTheirLabelsInANarrowPanel) {
  WorkbenchUi w;
  show(w);
  expectEachOfEveryRoundReached(w);
}

INSTANTIATE_TEST_SUITE_P(Variants, RequestsOf, testing::ValuesIn(support::variantIds()),
                         [](const auto& param) { return param.param; });
INSTANTIATE_TEST_SUITE_P(Variants, RequestsInLittleRoom,
                         testing::ValuesIn(support::someOf(support::variantIds())),
                         [](const auto& param) { return param.param; });

TEST(UiRequests, UnderATabBarTheTabsHaveALineOfTheirOwn) {
  WorkbenchUi w({.size = kSmall});
  w.apply(session::ShowPanel{"banks"});
  const ImGuiWindow* banks = ImGui::FindWindowByName("Banks");
  ASSERT_TRUE(banks->DockNode != nullptr && banks->DockNode->TabBar != nullptr);
  w.run("tabs", [&](ImGuiTestContext* test) {
    for (const char* label : {"load A", "load B", "store"}) {
      const ImRect tab = test->ItemInfo((std::string("//Banks/") + label).c_str()).RectFull;
      IM_CHECK(banks->InnerRect.Contains(tab));
    }
  });
}

// The thread that is pointed at decides the warp; a thread that makes no such request, its warp.
TEST(UiRequests, TheCardFollowsTheHoveredThread) {
  WorkbenchUi w({.variant = "sequential", .round = 1});  // threads 0 to 127 add
  const session::Replay& replay = w.session().replay();
  EXPECT_EQ(shownOperation(replay)->operation.warp, 0u);
  w.apply(session::PointAt{session::hoverThread(70)});
  EXPECT_EQ(shownOperation(replay)->operation.warp, 2u);
  w.apply(session::PointAt{session::hoverThread(200)});
  EXPECT_EQ(shownOperation(replay)->operation.warp, 0u) << "warp 6 does nothing";
  w.apply(session::PointAt{session::Hover{session::HoverKind::Warp, 3}});
  EXPECT_EQ(shownOperation(replay)->operation.warp, 3u);
}

// As in Shared memory: operands A filled, operands B outlined.
TEST(UiRequests, CardsLookLikeTheOperandsThatTheyServe) {
  WorkbenchUi w({.variant = "unrolled_last_warp", .round = 4});  // stride 16, operand A in a register
  const auto looks = [&] {
    std::vector<CardLook> found;
    for (const analysis::Request* request : analysis::listRequests(w.session().replay().round()))
      found.push_back(lookOf(w.session().replay(), *request));
    return found;
  };
  EXPECT_EQ(looks(), (std::vector{CardLook::OperandB, CardLook::Result}));
  w.apply(session::GoToRound{0, 0});
  EXPECT_EQ(looks(), (std::vector{CardLook::OperandA, CardLook::OperandB, CardLook::Result}));
}

}  // namespace
}  // namespace stridescope::views
