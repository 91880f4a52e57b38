// An app that is one function, for tests of a single thing.
#pragma once

#include <functional>
#include <utility>

#include "shell/frame.h"

namespace stridescope::support {

class FunctionApp final : public shell::App {
 public:
  explicit FunctionApp(std::function<void(shell::Frame&)> draw) : draw_(std::move(draw)) {}

  shell::Appearance look;

  void drawFrame(shell::Frame& frame) override { draw_(frame); }
  shell::Appearance appearance() const override { return look; }

 private:
  std::function<void(shell::Frame&)> draw_;
};

}  // namespace stridescope::support
