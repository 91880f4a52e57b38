// The language of links: what each says, and what is said of those that lead nowhere.
#include "session/link.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <ostream>

#include "kernels/catalog.h"

namespace stridescope::session {
namespace {

const std::vector<std::string> kPanels{"shared_memory", "lanes", "banks", "source"};

Link linkOf(const std::string& text) {
  const auto link = parseLink(text, kPanels);
  EXPECT_TRUE(link) << text << ": " << (link ? "" : link.error().sentence);
  return link.value_or(Link());
}
std::string faultIn(const std::string& text) {
  const auto link = parseLink(text, kPanels);
  return link ? "none" : std::to_string(link.error().at) + " " + link.error().sentence;
}

TEST(Links, LeadToAPanelAndARound) {
  EXPECT_EQ(linkOf("banks").panel, "banks");
  EXPECT_EQ(linkOf("banks").place, std::nullopt);
  EXPECT_EQ(linkOf("banks@16").place, (LinkPlace{.stride = 16}));
  EXPECT_EQ(linkOf("banks@0").place, (LinkPlace{.launch = 0, .round = 0}));
  EXPECT_EQ(linkOf("banks@last").place, (LinkPlace{.launch = ~0u, .round = ~0u}));
  EXPECT_EQ(linkOf("banks@16").action, LinkAction::Show);
}

TEST(Links, LeadToAVariant) {
  const Link link = linkOf("variant/sequential");
  EXPECT_EQ(link.variant, "sequential");
  EXPECT_FALSE(link.anew) << "what else was chosen stays";
  EXPECT_EQ(link.panel, "");
}

TEST(Links, ShowAVariantAsItIsByDefaultAndRingSomething) {
  const Link link =
      linkOf("show/interleaved_contiguous?threads=128&stride=8&pass=1&panel=banks&ring=thread:5");
  EXPECT_EQ(link.action, LinkAction::Show);
  EXPECT_TRUE(link.anew);
  EXPECT_EQ(link.choices.get(&model::Experiment::threads), 128u);
  EXPECT_EQ(link.place, (LinkPlace{.stride = 8, .pass = 1}));
  EXPECT_EQ(link.panel, "banks");
  EXPECT_EQ(link.ring, (LinkRing{.kind = RingKind::Thread, .index = 5}));
  EXPECT_FALSE(linkOf("show?round=3").anew) << "of what is on the screen";
  EXPECT_EQ(linkOf("show?round=last&launch=1").place, (LinkPlace{.launch = 1, .round = ~0u}));
}

TEST(Links, RingByNumberOrByName) {
  using enum RingKind;
  EXPECT_EQ(linkOf("show?ring=warp:3").ring, (LinkRing{.kind = Warp, .index = 3}));
  EXPECT_EQ(linkOf("show?ring=element:80").ring, (LinkRing{.kind = Element, .index = 80}));
  EXPECT_EQ(linkOf("show?ring=bank:16").ring, (LinkRing{.kind = Bank, .index = 16}));
  EXPECT_EQ(linkOf("show?ring=line:15").ring, (LinkRing{.kind = Line, .index = 15}));
  EXPECT_EQ(linkOf("show?ring=request:load-A").ring, (LinkRing{.kind = Request, .request = "load A"}));
  EXPECT_EQ(linkOf("show?request=store").request, "store");
}

TEST(Links, TryAnExperiment) {
  const Link link =
      linkOf("try?type=int64&op=max&threads=512&n=2^20&data=random&seed=3&schedule=random&schedule-seed=5");
  EXPECT_EQ(link.action, LinkAction::Try);
  EXPECT_FALSE(link.anew);
  model::ChosenFields tried;
  tried.give(&model::Experiment::type, model::ElementType::Int64);
  tried.give(&model::Experiment::op, model::Operator::Max);
  tried.give(&model::Experiment::threads, 512);
  tried.give(&model::Experiment::elements, 1u << 20);
  tried.give(&model::Experiment::seed, 3);
  tried.give(&model::Experiment::scheduleSeed, 5);
  tried.give(&model::Experiment::data, model::DataPattern::Random);
  tried.give(&model::Experiment::schedule, model::Schedule::Random);
  EXPECT_EQ(link.choices, tried);
  EXPECT_EQ(linkOf("try?schedule=lane-by-lane").choices.get(&model::Experiment::schedule),
            model::Schedule::LaneByLane);
  model::ChosenFields order;
  order.give(&model::Experiment::blockOrder, model::BlockOrder::Random);
  order.give(&model::Experiment::blockOrderSeed, 7);
  EXPECT_EQ(linkOf("try?block-order=random&block-order-seed=7").choices, order);
  EXPECT_EQ(linkOf("try?block-order=in-order").choices.get(&model::Experiment::blockOrder),
            model::BlockOrder::InOrder);
  EXPECT_FALSE(linkOf("try/sequential?threads=64").anew) << "what else was chosen stays";
}

TEST(Links, NeedAMode) {
  const Link question = linkOf("predict/active?stride=8");
  EXPECT_EQ(question.question, "active");
  EXPECT_EQ(modeOf(question), Mode::Predict);
  const Link pair = linkOf("compare/interleaved_contiguous/sequential");
  EXPECT_EQ(pair.other, "sequential");
  EXPECT_EQ(modeOf(pair), Mode::Compare);
  EXPECT_EQ(modeOf(linkOf("banks")), Mode::Explore);
}

TEST(Links, TakeAliasesAndCountsAsTheCommandLineDoes) {
  EXPECT_EQ(linkOf("variant/reduce2").variant, "sequential");
  EXPECT_EQ(linkOf("compare/reduce1/reduce2").other, "sequential");
  const Link link = linkOf("try?type=long&op=sum&n=65,536");
  EXPECT_EQ(link.choices.get(&model::Experiment::type), model::ElementType::Int64);
  EXPECT_EQ(link.choices.get(&model::Experiment::op), model::Operator::Add);
  EXPECT_EQ(link.choices.get(&model::Experiment::elements), 65536u);
  EXPECT_EQ(linkOf("try?n=1<<16").choices.get(&model::Experiment::elements), 65536u);
}

TEST(Links, ThatLeadNowhereSayWhy) {
  EXPECT_EQ(faultIn("bank"),
            "0 'bank' is no link: one begins with a panel, variant, show, try, predict or "
            "compare; did you mean banks?");
  EXPECT_EQ(faultIn(""), "0 '' is no link: one begins with a panel, variant, show, try, predict or compare.");
  EXPECT_EQ(faultIn("banks@x"), "6 the stride is a number, such as 8 or 2^20, not 'x'.");
  EXPECT_EQ(faultIn("variant/sequentail"), "8 there is no variant 'sequentail'; did you mean sequential?");
  EXPECT_EQ(faultIn("variant"), "7 the id of a variant is missing, as in show/sequential.");
  EXPECT_EQ(faultIn("show/sequential?thread=64"),
            "16 there is no part of a link called 'thread'; did you mean threads?");
  EXPECT_EQ(faultIn("show?threads"), "5 'threads' needs one value, such as threads=512.");
  EXPECT_EQ(faultIn("show?panel=bnks"), "11 there is no panel 'bnks'; did you mean banks?");
  EXPECT_EQ(faultIn("try?type=int63"), "9 there is no type 'int63'; did you mean int64?");
  EXPECT_EQ(faultIn("try?type=int64&seed=-1"), "20 the seed is a number, such as 8 or 2^20, not '-1'.");
  EXPECT_EQ(faultIn("show?ring=thread5"),
            "10 a ring marks a thread, warp, element, bank, line or "
            "request, as in ring=thread:5, not 'thread5'.");
  EXPECT_EQ(faultIn("compare/sequential"), "18 the id of a variant is missing, as in show/sequential.");
  EXPECT_EQ(faultIn("predict/actve"), "8 there is no question 'actve'; did you mean active?");
  EXPECT_EQ(faultIn("show/sequential/more"), "16 'more' is one / too many.");
}

// What the variant would not take, or take otherwise, is told where the link stands and not when it is
// followed.
TEST(Links, ChooseWhatTheVariantOffers) {
  EXPECT_NE(faultIn("show/sequential?threads=100").find("takes these block sizes"), std::string::npos);
  EXPECT_NE(faultIn("try/warp_redux?type=double").find("is not offered"), std::string::npos);
  EXPECT_EQ(faultIn("show/any_block_size?threads=96"), "none");
}

// 256 threads have 8 warps; the kernel's text and the banks are the same in each run.
TEST(Links, RingWhatTheVariantHas) {
  EXPECT_EQ(faultIn("show/sequential?ring=thread:256"),
            "21 the block has threads 0 to 255, and no thread 256.");
  EXPECT_EQ(faultIn("show/sequential?threads=512&ring=thread:256"), "none");
  EXPECT_EQ(faultIn("show/sequential?ring=warp:8"), "21 the block has 8 warps, from 0 on, and no warp 8.");
  EXPECT_EQ(faultIn("show/sequential?ring=warp:7"), "none");
  EXPECT_EQ(faultIn("banks?ring=bank:32"), "11 the banks are 0 to 31; there is no bank 32.");
  EXPECT_EQ(faultIn("show?ring=thread:900"), "none") << "of a block that is not known";
  const auto lines = std::ranges::count(kernels::kernelText("sequential"), '\n');
  EXPECT_EQ(faultIn("variant/sequential?ring=line:" + std::to_string(lines)), "none");
  EXPECT_NE(faultIn("variant/sequential?ring=line:" + std::to_string(lines + 1)).find("no line"),
            std::string::npos);
  EXPECT_NE(faultIn("show/sequential?ring=line:0").find("no line 0"), std::string::npos);
}

TEST(Links, ABlockThatNoVariantTakesIsAFault) {
  EXPECT_EQ(faultIn("try?threads=512"), "none");
  EXPECT_NE(faultIn("try?threads=5000"), "none");
}

TEST(Links, AreFoundInATextWithTheirPlaces) {
  const auto links =
      linksIn("# A\n\nµ [one](#banks) and [two\nlines](#show?round=1), [no](http://x)\n](#open\n");
  ASSERT_EQ(links.size(), 2u);
  EXPECT_EQ(links[0].text, "banks");
  EXPECT_EQ(links[0].line, 3u);
  EXPECT_EQ(links[0].column, 9u) << "the # behind 8 characters";
  EXPECT_EQ(links[1].text, "show?round=1");
  EXPECT_EQ(links[1].line, 4u);
  EXPECT_EQ(links[1].column, 8u);
}

TEST(Links, FaultsAreSentencesWithLineAndColumn) {
  EXPECT_EQ(faultOf(linksIn("a\n[µ](#variant/sequentail)").at(0), kPanels),
            "Line 2, column 14: there is no variant 'sequentail'; did you mean sequential?");
  EXPECT_EQ(faultOf(linksIn("[a](#banks)").at(0), kPanels), std::nullopt);
}

}  // namespace
}  // namespace stridescope::session
