// An app that draws something of everything, with made-up numbers: what the tests of draw/ and shell/ look
// at.
#pragma once

#include <string>
#include <vector>

#include "shell/default_layout.h"
#include "shell/frame.h"

namespace stridescope::support {

class DemoApp final : public shell::App {
 public:
  shell::Appearance look;  // what appearance() answers
  int clicks = 0;          // on the button 'Play'
  bool moving = false;     // what wantsFrameSoon() answers
  int framesDrawn = 0;
  int saves = 0;
  float messageUnits = 0;     // the height of a strip below the bar
  int framesBeforeClose = 0;  // 0: never wants to close
  // The panels of demo_maps.cpp, in a layout like the program's.
  std::vector<shell::PlacedPanel> panels{
      {"Ladder", {shell::Region::Left}},       {"Shared memory", {shell::Region::Centre}},
      {"Lanes", {shell::Region::Below, 272}},  {"Divergence", {shell::Region::Below, 236}},
      {"Banks", {shell::Region::Below, 316}},  {"Source", {shell::Region::Right}},
      {"Timings", {shell::Region::RightBelow}}};

  void drawFrame(shell::Frame& frame) override;
  shell::Appearance appearance() const override { return look; }
  bool wantsFrameSoon() const override { return moving; }
  bool wantsToClose() const override { return framesBeforeClose > 0 && framesDrawn >= framesBeforeClose; }
  std::string title() const override { return "Stridescope demo"; }
  void saveState() override { ++saves; }

 private:
  void drawTop(shell::Frame& frame);
  void drawBottom(shell::Frame& frame);
};

// The panels of demo_maps.cpp.
void drawDemoPanels(draw::DrawContext& context);

}  // namespace stridescope::support
