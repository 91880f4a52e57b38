#include "session/app_state.h"

#include <gtest/gtest.h>

namespace stridescope::session {
namespace {

// By mode: Explore, Compare, Predict, Present.
const std::vector<KnownPanel> kThreePanels{
    {.id = "main", .roles = {PanelRole::Main, PanelRole::Main, PanelRole::Main, PanelRole::Main}},
    {.id = "map",
     .roles = {PanelRole::Docked, PanelRole::Turn, PanelRole::None, PanelRole::Turn},
     .isPresentedFirst = true},
    {.id = "asked", .roles = {PanelRole::None, PanelRole::None, PanelRole::Docked, PanelRole::None}}};

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

TEST(AppState, APanelThatTheModeDoesNotOfferLeadsToOneThatDoes) {
  AppState app({});
  app.setPanels(kThreePanels);
  EXPECT_EQ(app.panels(), (std::vector<std::string>{"main", "map", "asked"}));
  EXPECT_TRUE(app.isShown("map"));
  EXPECT_FALSE(app.isShown("asked"));
  app.showPanel("asked");
  EXPECT_EQ(app.mode(), Mode::Predict);
  EXPECT_FALSE(app.isShown("map"));
  app.showPanel("map");
  EXPECT_EQ(app.mode(), Mode::Explore);
  app.enterMode(Mode::Compare);
  EXPECT_TRUE(app.isShown("map")) << "it offers what Explore has";
  app.showPanel("asked");
  EXPECT_EQ(app.mode(), Mode::Predict);
}

TEST(AppState, PresentBeginsWithItsFirstPanelAndPutsAnotherBesideTheCaption) {
  AppState app({});
  app.setPanels(kThreePanels);
  app.enterMode(Mode::Present);
  EXPECT_EQ(app.presentedMap(), "map");
  EXPECT_FALSE(app.isMapInFront());
  app.showPanel("other");
  EXPECT_EQ(app.presentedMap(), "map") << "it has no place there";
  EXPECT_TRUE(app.isMapInFront());
  app.showPanel("main");
  EXPECT_EQ(app.presentedMap(), "map");
  EXPECT_FALSE(app.isMapInFront());
  app.showPanel("asked");
  EXPECT_EQ(app.mode(), Mode::Predict) << "which Present does not offer";
}

TEST(Modes, AreFoundByWhatShotCallsThem) {
  for (const ModeFacts& facts : kModes) {
    EXPECT_EQ(findMode(facts.id), &facts);
    EXPECT_EQ(&factsOf(facts.mode), &facts);
  }
  EXPECT_EQ(findMode(""), nullptr);
}

// A window that may stand behind others is brought to the front; one that is there closes.
TEST(AppState, NotesBehindOtherWindowsAreRaisedBeforeTheyClose) {
  AppState app{Settings()};
  app.toggleNotes();
  EXPECT_TRUE(app.wantsNotes());
  EXPECT_FALSE(app.takeNotesRaise());
  app.seeNotes(false);
  app.toggleNotes();
  EXPECT_TRUE(app.wantsNotes());
  EXPECT_TRUE(app.takeNotesRaise());
  EXPECT_FALSE(app.takeNotesRaise()) << "once";
  app.seeNotes(true);
  app.toggleNotes();
  EXPECT_FALSE(app.wantsNotes());
  EXPECT_FALSE(app.takeNotesRaise());
}

TEST(AppState, ARemarkGoesByItselfAndLeavesTheMessageAsItWas) {
  for (const MessageKind kind : {MessageKind::Fine, MessageKind::ToDo, MessageKind::Wrong}) {
    AppState app{Settings()};
    app.tell({.kind = kind, .sentence = "The message."});
    app.remark("A remark.");
    EXPECT_EQ(app.message()->sentence, "The message.");
    EXPECT_EQ(app.message()->note, "A remark.");
    app.passTime(kRemarkSeconds / 2);
    app.remark("Another one.");
    app.passTime(kRemarkSeconds * 0.75);
    EXPECT_EQ(app.message()->note, "Another one.");
    app.passTime(kRemarkSeconds * 0.5);
    EXPECT_EQ(app.message()->sentence, "The message.");
    EXPECT_EQ(app.message()->note, "");
    EXPECT_FALSE(app.remarkGoesIn());
  }
}

TEST(Message, LeavesTheCommandLinesOptionsOut) {
  EXPECT_EQ(inWindow("Use the CPU executor (on the command line: --engine host)."), "Use the CPU executor.");
  EXPECT_EQ(inWindow("A (on the command line: --a B), C (on the command line: --c): D."), "A, C: D.");
  EXPECT_EQ(inWindow("It (line 4) is as it was (on the command"), "It (line 4) is as it was (on the command");
  EXPECT_EQ(messageOf(Error{ErrorKind::Unavailable, "No (on the command line: --engine host)."}).sentence,
            "No.");
}

// Whoever steps on after saving can still read where the file is, and copy that later on.
TEST(AppState, WhereSomethingWasSavedStaysForAWhile) {
  AppState app{Settings()};
  app.tell({.sentence = "The file exists already.", .form = Overlay::Export});
  app.openOverlay(Overlay::Export);
  app.tellSaved("/a/b.gif", Overlay::Export, " Look at it.");
  EXPECT_EQ(app.overlay(), Overlay::None);
  EXPECT_FALSE(app.message()) << "it was about the form";
  EXPECT_EQ(app.loneRemark(), "Saved as /a/b.gif. Look at it.");
  app.goOn();
  app.passTime(kRemarkSeconds + 1);
  EXPECT_TRUE(app.isRemarkOfSaved());
  app.passTime(kSavedSeconds);
  EXPECT_FALSE(app.loneRemark());
  EXPECT_EQ(app.savedPath(), "/a/b.gif");
  app.tellSaved("/c.stride", Overlay::SaveFile);
  app.remark("Copied the path.");
  EXPECT_FALSE(app.isRemarkOfSaved());
  app.goOn();
  EXPECT_FALSE(app.loneRemark());
  // What is told beside it is not about its form.
  app.tell({.sentence = "The message."});
  app.tellSaved("/d.stride", Overlay::SaveFile);
  EXPECT_EQ(app.message()->sentence, "The message.");
  EXPECT_EQ(app.loneRemark(), "Saved as /d.stride.");
}

// A page is not told where the browser puts it.
TEST(AppState, WhatAPageSavesIsDownloaded) {
  AppState app{Settings(), "https://example.org/course/"};
  app.tellSaved("/home/web_user/sums.stride", Overlay::SaveFile, " Look at it.");
  EXPECT_EQ(app.loneRemark(), "The browser downloads sums.stride. Look at it.");
  EXPECT_TRUE(app.isRemarkOfSaved());
  EXPECT_EQ(app.savedPath(), "");
}

TEST(AppState, ATextStaysBesideThePanelsUnderAForm) {
  AppState app{Settings()};
  EXPECT_EQ(app.textBeside(), Overlay::None);
  app.openOverlay(Overlay::Lesson);
  app.openOverlay(Overlay::Glossary);
  EXPECT_EQ(app.textBeside(), Overlay::Glossary);
  app.openOverlay(Overlay::OpenFile);
  EXPECT_EQ(app.textBeside(), Overlay::Glossary);
  app.closeOverlay();
  app.closeOverlay();
  EXPECT_EQ(app.textBeside(), Overlay::Lesson);
  app.closeOverlay();
  EXPECT_FALSE(app.isReading());
}

TEST(AppState, TextsAreAwayWhilePresentGoesOn) {
  AppState app{Settings()};
  app.openOverlay(Overlay::Tour);
  app.openOverlay(Overlay::Lesson);
  app.enterMode(Mode::Present);
  EXPECT_EQ(app.overlay(), Overlay::None);
  EXPECT_EQ(app.seenText(), Overlay::None);
  app.openOverlay(Overlay::Glossary);
  EXPECT_EQ(app.seenText(), Overlay::Glossary);
  app.openOverlay(Overlay::Tour);
  EXPECT_EQ(app.seenText(), Overlay::None) << "Present has no place for it";
  app.closeOverlay();
  EXPECT_EQ(app.seenText(), Overlay::Glossary);
  app.enterMode(Mode::Explore);
  for (const Overlay text : {Overlay::Glossary, Overlay::Lesson, Overlay::Tour}) {
    EXPECT_EQ(app.seenText(), text);
    app.closeOverlay();
  }
  EXPECT_EQ(app.overlay(), Overlay::None);
}

TEST(AppState, ARemarkWithoutAMessageIsOneUntilItGoes) {
  AppState app{Settings()};
  app.remark("A remark.");
  EXPECT_EQ(app.loneRemark(), "A remark.");
  EXPECT_FALSE(app.isMessageShown()) << "no strip, for which the panels would move";
  app.passTime(kRemarkSeconds + 1);
  EXPECT_FALSE(app.loneRemark());
  // In Present a message from before is not shown, but a remark is, and the message is there afterwards.
  app.tell({.sentence = "The message."});
  app.enterMode(Mode::Present);
  EXPECT_FALSE(app.isMessageShown());
  app.remark("A remark.");
  EXPECT_EQ(app.loneRemark(), "A remark.");
  EXPECT_FALSE(app.isMessageShown());
  app.endRemark();
  app.enterMode(Mode::Explore);
  EXPECT_EQ(app.message()->sentence, "The message.");
}

}  // namespace
}  // namespace stridescope::session
