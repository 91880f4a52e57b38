// An app that is one function, for tests of a single thing.
#pragma once

#include <functional>
#include <utility>

#include "shell/app.h"

namespace stridescope {

class FunctionApp final : public App {
 public:
  explicit FunctionApp(std::function<void(Frame&)> draw) : draw_(std::move(draw)) {}

  Appearance look;

  void drawFrame(Frame& frame) override { draw_(frame); }
  Appearance appearance() const override { return look; }

 private:
  std::function<void(Frame&)> draw_;
};

}  // namespace stridescope
