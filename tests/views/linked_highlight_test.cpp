// What lights with what: stride 8 of the contiguous rung, in which thread t < 16 adds data[16 t + 8] to
// data[16 t].
#include "views/shared/linked_highlight.h"

#include <gtest/gtest.h>

#include "support/fake_engine.h"
#include "support/trace_builder.h"
#include "views/source/source_lines.h"
#include "views/transport/round_text.h"

namespace stridescope::views {
namespace {

using support::FakeEngines;
using support::ladderExperiment;
using support::sessionOf;

class LinkedAtStride8 : public testing::Test {
 protected:
  LinkedHighlight linkedOf(session::HoverKind kind, std::uint64_t index) {
    session_->apply(session::PointAt{session::Hover{kind, index}});
    return LinkedHighlight(session_->replay());
  }
  // "tag: piece, piece"
  std::string lineOf(session::HoverKind kind, std::uint64_t index) {
    const LinkedHighlight linked = linkedOf(kind, index);
    const HoverLine line = hoverLineOf(session_->replay(), *session_->replay().hover(), linked);
    std::string text = line.tag;
    for (const std::string& piece : line.pieces) text += " | " + piece;
    return text;
  }
  std::uint32_t siteOf(const std::string& text, model::SiteKind kind) {
    for (const model::Site& site : session_->replay().run()->trace.sites)
      if (site.text == text && site.kind == kind) return std::uint32_t(site.id);
    ADD_FAILURE() << "no site " << text;
    return 0;
  }

  FakeEngines engines_;
  std::unique_ptr<session::Session> session_ =
      sessionOf(engines_, ladderExperiment("interleaved_contiguous"), 4);
};

TEST_F(LinkedAtStride8, OfNothingAreNone) {
  const LinkedHighlight linked(session_->replay());
  EXPECT_TRUE(linked.threads().empty());
  EXPECT_EQ(linked.banks(), 0u);
  EXPECT_FALSE(linked.anyElement(0, 256));
}

TEST_F(LinkedAtStride8, OfAThreadAreWhatItTouched) {
  const LinkedHighlight linked = linkedOf(session::HoverKind::Thread, 5);
  EXPECT_EQ(linked.threads(), std::vector<unsigned>{5});
  for (std::uint64_t element = 0; element < 256; ++element)
    EXPECT_EQ(linked.element(element), element == 80 || element == 88) << element;
  EXPECT_EQ(linked.banks(), 1u << 16 | 1u << 24);
  EXPECT_TRUE(linked.warp(0));
  EXPECT_FALSE(linked.warp(1));
  EXPECT_TRUE(linked.site(siteOf("data[index + s]", model::SiteKind::Load)));
}

TEST_F(LinkedAtStride8, OfAnIdleThreadAreItselfAlone) {
  const LinkedHighlight linked = linkedOf(session::HoverKind::Thread, 200);
  EXPECT_EQ(linked.threads(), std::vector<unsigned>{200});
  EXPECT_FALSE(linked.anyElement(0, 256));
}

TEST_F(LinkedAtStride8, OfAWarpAreItsThreadsAndTheirs) {
  const LinkedHighlight linked = linkedOf(session::HoverKind::Warp, 0);
  EXPECT_EQ(linked.threads().size(), 32u);
  for (std::uint64_t element = 0; element < 256; ++element)
    EXPECT_EQ(linked.element(element), element % 8 == 0) << element;
  EXPECT_EQ(linked.banks(), 1u | 1u << 8 | 1u << 16 | 1u << 24);
  EXPECT_EQ(linkedOf(session::HoverKind::Warp, 7).banks(), 0u);
}

TEST_F(LinkedAtStride8, OfAnElementAreItsReaderItsBankAndItsSites) {
  const LinkedHighlight read = linkedOf(session::HoverKind::Element, 88);
  EXPECT_EQ(read.threads(), std::vector<unsigned>{5});
  EXPECT_EQ(read.banks(), 1u << 24);
  EXPECT_FALSE(read.element(80)) << "the pair's other one is read by another access";
  EXPECT_TRUE(read.site(siteOf("data[index + s]", model::SiteKind::Load)));
  EXPECT_FALSE(read.site(siteOf("data[index]", model::SiteKind::Load)));
  EXPECT_TRUE(linkedOf(session::HoverKind::Element, 81).threads().empty()) << "nobody touches it";
}

// Banks 0 and 16 hold the operands A: bank 0 those of even threads, bank 16 those of odd ones.
TEST_F(LinkedAtStride8, OfABankAreTheThreadsThatAskItForAWord) {
  const LinkedHighlight linked = linkedOf(session::HoverKind::Bank, 16);
  EXPECT_EQ(linked.threads(), (std::vector<unsigned>{1, 3, 5, 7, 9, 11, 13, 15}));
  EXPECT_EQ(linked.banks(), 1u << 16);
  EXPECT_TRUE(linked.element(80));
  EXPECT_FALSE(linked.element(88));
  EXPECT_TRUE(linkedOf(session::HoverKind::Bank, 3).threads().empty());
}

TEST_F(LinkedAtStride8, OfASiteAreTheAccessesItMade) {
  const LinkedHighlight linked =
      linkedOf(session::HoverKind::Site, siteOf("data[index + s]", model::SiteKind::Load));
  EXPECT_EQ(linked.threads().size(), 16u);
  for (std::uint64_t element = 0; element < 256; ++element)
    EXPECT_EQ(linked.element(element), element % 16 == 8) << element;
}

TEST_F(LinkedAtStride8, OfARoundAreNoThreads) {
  const LinkedHighlight linked = linkedOf(session::HoverKind::Round, 2);
  EXPECT_TRUE(linked.round(2));
  EXPECT_FALSE(linked.round(4));
  EXPECT_TRUE(linked.threads().empty());
}

TEST_F(LinkedAtStride8, TellTheirNumbers) {
  EXPECT_EQ(lineOf(session::HoverKind::Warp, 0),
            "warp 0 | threads 0 to 31 | 16 of 32 lanes active | load A: 8 wavefronts, 8-way | load B: 8 "
            "wavefronts, 8-way | store: 8 wavefronts, 8-way");
  EXPECT_EQ(lineOf(session::HoverKind::Warp, 7), "warp 7 | threads 224 to 255 | 0 of 32 lanes active");
  EXPECT_EQ(
      lineOf(session::HoverKind::Bank, 16),
      "bank 16 | load A: 8 words for 8 lanes of a warp | load B: nothing | store: 8 words for 8 lanes of a "
      "warp");
  // 8 p + 28 from 80 on, then 16 of them.
  EXPECT_EQ(lineOf(session::HoverKind::Element, 80),
            "data[80] | 668 becomes 1400 | bank 16 | A of thread 5 | result of thread 5 | still needed");
  EXPECT_EQ(lineOf(session::HoverKind::Element, 88),
            "data[88] | 732 | bank 24 | B of thread 5 | no longer needed");
  EXPECT_EQ(lineOf(session::HoverKind::Element, 81),
            "data[81] | 81 | bank 17 | not touched in this round | no longer needed");
  const std::string site = lineOf(session::HoverKind::Site, siteOf("data[index + s]", model::SiteKind::Load));
  EXPECT_NE(
      site.find(
          " | data[index + s] | 16 threads of 1 warp | 8 wavefronts instead of 1 | 92, 220, 348, 476, …"),
      std::string::npos)
      << site;
  EXPECT_TRUE(
      lineOf(session::HoverKind::Round, 5).starts_with("16 | Stride 16: the first 8 of 256 threads add, "))
      << lineOf(session::HoverKind::Round, 5);
}

// An element far out in a large buffer lights itself, and costs no memory for those before it.
TEST(LinkedHighlight, AFarElementIsOneOfFew) {
  FakeEngines engines;
  support::TraceBuilder b(32);
  const auto out = b.buffer("out", 32);
  const auto update = b.site({.kind = model::SiteKind::Update, .text = "out[0]"});
  b.load(0, update, out, 0);
  b.store(0, update, out, 0, 1);
  engines.trace = b.build();
  engines.trace->launches[0].buffers[0].bytes = std::uint64_t{1} << 40;
  const auto session = sessionOf(engines, ladderExperiment("global_memory"));
  const std::uint64_t far = std::uint64_t{1} << 37;
  session->apply(session::PointAt{session::Hover{session::HoverKind::Element, far}});
  const LinkedHighlight linked(session->replay());
  EXPECT_TRUE(linked.element(far));
  EXPECT_FALSE(linked.element(far - 1));
  EXPECT_TRUE(linked.anyElement(far - 10, far + 1));
  EXPECT_FALSE(linked.anyElement(0, far));
}

}  // namespace
}  // namespace stridescope::views
