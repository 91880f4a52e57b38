#include "followed_links.h"

#include <map>
#include <regex>

#include "base/numbers.h"

namespace stridescope::views::test {
namespace {

// What the link says, piece by piece: "show", its variant, and name=value. "predict" has a question, and
// "compare" another variant.
struct Said {
  std::string action, variant, question, other;
  std::map<std::string, std::string> parts;
  std::string operator[](const std::string& name) const {
    const auto found = parts.find(name);
    return found == parts.end() ? std::string() : found->second;
  }
};

Said saidIn(const std::string& text) {
  static const std::regex kPart("([a-z-]+)=([^&]+)"), kPanel("([a-z_]+)(?:@([a-z0-9]+))?");
  Said said;
  std::smatch match;
  if (std::regex_match(text, match, kPanel)) {
    said.parts["panel"] = match[1];
    const std::string at = match[2];
    if (at == "0" || at == "last")
      said.parts["round"] = at == "0" ? "first" : at;
    else if (!at.empty())
      said.parts["stride"] = at;
    return said;
  }
  const std::string head = text.substr(0, text.find('?'));
  said.action = head.substr(0, head.find('/'));
  std::string& first = said.action == "predict" ? said.question : said.variant;
  if (head.find('/') != head.npos) first = head.substr(head.find('/') + 1);
  if (const std::size_t slash = first.find('/'); slash != first.npos) {
    said.other = first.substr(slash + 1);
    first.resize(slash);
  }
  for (auto it = std::sregex_iterator(text.begin() + std::ptrdiff_t(head.size()), text.end(), kPart);
       it != std::sregex_iterator(); ++it)
    said.parts[(*it)[1]] = (*it)[2];
  return said;
}

// Where the link says it at all.
void expectAs(const Said& said, const std::string& name, const std::string& seen) {
  if (const std::string wanted = said[name]; !wanted.empty()) {
    EXPECT_EQ(seen, wanted) << name;
  }
}

void expectExperiment(const Said& said, const model::Experiment& shown) {
  if (!said.variant.empty()) {
    EXPECT_EQ(shown.variant, said.variant);
  }
  expectAs(said, "type", std::string(model::nameOf(shown.type)));
  expectAs(said, "op", std::string(model::wordOf(shown.op)));
  expectAs(said, "threads", std::to_string(shown.threads));
  expectAs(said, "data", std::string(model::nameOf(shown.data)));
  if (const std::string n = said["n"]; !n.empty()) {
    EXPECT_EQ(shown.elements, typedNumber(n));
  }
  std::string schedule(model::nameOf(shown.schedule));
  std::ranges::replace(schedule, ' ', '-');
  expectAs(said, "schedule", schedule);
  std::string blockOrder(model::nameOf(shown.blockOrder));
  std::ranges::replace(blockOrder, ' ', '-');
  expectAs(said, "block-order", blockOrder);
}

void expectPlace(const Said& said, const session::Replay& replay) {
  const session::Playhead at = replay.playhead();
  const std::size_t rounds = replay.launchAnalysis().rounds.size();
  const std::string round = said["round"];
  if (round == "first") {
    EXPECT_TRUE(at.launch == 0 && at.round == 0);
  } else if (round == "last") {
    EXPECT_EQ(at.round + 1, rounds);
  } else {
    expectAs(said, "round", std::to_string(at.round));
  }
  expectAs(said, "stride", std::to_string(replay.wholeRound().stride.value_or(0)));
  expectAs(said, "pass", std::to_string(at.pass));
  expectAs(said, "launch", std::to_string(at.launch));
}

// The round is hidden, and the question is the chosen one of those that are asked of it.
void expectAsked(const Said& said, const session::Session& session) {
  static const std::map<std::string, std::string> kTopics{{"active", "active threads"},
                                                          {"warps", "partial warps"},
                                                          {"conflict", "conflict ways"},
                                                          {"value", "values of cells"}};
  const session::Predict& predict = session.predict();
  ASSERT_TRUE(predict.isHidden());
  const lab::RoundName& hidden = *session.replay().hidden();
  expectAs(said, "round", std::to_string(hidden.round));
  expectAs(said, "stride", hidden.tick);
  ASSERT_LT(predict.chosen(), predict.asked().size());
  EXPECT_EQ(nameOf(predict.asked()[predict.chosen()].question.topic), kTopics.at(said.question));
}

void expectCompared(const Said& said, const session::Comparison* comparison) {
  ASSERT_TRUE(comparison != nullptr && comparison->hasRuns());
  EXPECT_EQ(comparison->replay(analysis::Side::Left).run()->trace.experiment.variant, said.variant);
  EXPECT_EQ(comparison->replay(analysis::Side::Right).run()->trace.experiment.variant, said.other);
}

void expectRing(const Said& said, const session::Replay& replay) {
  static const std::map<std::string, session::HoverKind> kKinds{
      {"thread", session::HoverKind::Thread},   {"warp", session::HoverKind::Warp},
      {"element", session::HoverKind::Element}, {"bank", session::HoverKind::Bank},
      {"line", session::HoverKind::Site},       {"request", session::HoverKind::Site}};
  const std::string ring = said["ring"];
  if (ring.empty()) return;
  ASSERT_TRUE(replay.pinned()) << ring;
  const auto hover = replay.hover();
  const std::string kind = ring.substr(0, ring.find(':')), value = ring.substr(ring.find(':') + 1);
  EXPECT_EQ(hover->kind, kKinds.at(kind));
  if (hover->kind != session::HoverKind::Site) {
    EXPECT_EQ(std::to_string(hover->index), value);
    return;
  }
  const auto& operations = replay.round().operations;
  const auto executed =
      std::ranges::find(operations, std::uint32_t(hover->index), &analysis::WarpOperation::site);
  EXPECT_NE(executed, operations.end()) << "the round does not execute what is ringed";
  if (kind == "line") {
    EXPECT_EQ(std::to_string(replay.run()->trace.sites[hover->index].line), value);
  }
}

}  // namespace

void expectToLand(WorkbenchUi& w, const session::LinkText& link) {
  const auto parsed = session::parseLink(link.text, idsOf(allPanels()));
  ASSERT_TRUE(parsed) << parsed.error().sentence;
  w.session().apply(session::DismissMessage{});
  w.apply(session::FollowLink{*parsed});
  expectShown(w, link);
}

void expectShown(WorkbenchUi& w, const session::LinkText& link) {
  SCOPED_TRACE("line " + std::to_string(link.line) + ": " + link.text);
  ASSERT_NE(w.session().replay().run(), nullptr);
  EXPECT_FALSE(w.session().app().message()) << w.session().app().message()->sentence;
  const Said said = saidIn(link.text);
  if (said.action == "compare") return expectCompared(said, w.session().comparison());
  expectExperiment(said, w.session().replay().run()->trace.experiment);
  if (said.action == "predict") return expectAsked(said, w.session());
  expectPlace(said, w.session().replay());
  expectRing(said, w.session().replay());
  if (const std::string panel = said["panel"]; !panel.empty()) {
    EXPECT_GT(w.workbench().areaOf(panel).max.x, 0) << panel << " is not in front";
  }
  if (std::getenv("STRIDESCOPE_PRINT_LINKS") != nullptr)
    std::printf("%s\n    %s\n", link.text.c_str(), w.textsIn("##transport").c_str());
}

}  // namespace stridescope::views::test
