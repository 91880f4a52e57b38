// A legal trace on the screen: every panel draws it at any round, under a pointer that wanders about.
#include <cstdlib>
#include <memory>

#include "fuzz_one.h"
#include "imgui.h"
#include "mutated_trace.h"
#include "session/session.h"
#include "shell/frame.h"
#include "shell/graphics_context.h"
#include "views/frame/workbench.h"
#include "views/panels.h"

namespace stridescope::fuzz {
namespace {

constexpr shell::PixelSize kSize{1600, 1000};

class OneTrace final : public engine::Engine {
 public:
  explicit OneTrace(const model::Trace& trace) : trace_(trace) {}
  model::Executor executor() const override { return trace_.executor; }
  Result<model::Trace> record(const model::Experiment&, engine::JobControl&) override { return trace_; }

 private:
  const model::Trace& trace_;
};

session::SessionServices servicesOf(const model::Trace& trace) {
  session::SessionServices services;
  services.makeEngine = [&trace](const std::string&) -> Result<std::shared_ptr<engine::Engine>> {
    return std::make_shared<OneTrace>(trace);
  };
  services.listEngines = [] { return std::vector<session::EngineChoice>(); };
  services.wake = [] {};
  return services;
}

void wander(InputBytes& input, session::Session& session) {
  switch (input.byte() % 8) {
    case 0:
      return session.apply(
          session::PointAt{session::Hover{session::HoverKind::Thread, input.below(1024), 0}});
    case 1:
      return session.apply(session::PointAt{session::Hover{session::HoverKind::Element, input.edge(), 0}});
    case 2:
      return session.apply(session::PointAt{session::Hover{session::HoverKind::Site, input.below(4096), 0}});
    case 3:
      return session.apply(session::PointAt{session::Hover{session::HoverKind::Bank, input.below(32), 0}});
    case 4:
      return session.apply(session::Pin{session::Hover{session::HoverKind::Warp, input.below(32), 0}});
    case 5:
      return session.apply(session::StepForward{});
    case 6:
      return session.apply(session::StepBack{});
    default:
      return session.apply(session::GoToRound{unsigned(input.below(8)), unsigned(input.edge())});
  }
}

}  // namespace

void fuzzOne(std::span<const std::uint8_t> bytes) {
  InputBytes input(bytes);
  const auto trace = mutatedTrace(input);
  if (!trace) return;
  static shell::NullContext graphics(kSize, 1);
  static const auto runner = shell::FrameRunner::create(graphics);
  if (!runner) std::abort();
  session::Session session(servicesOf(*trace), session::Settings(),
                           {.experiment = trace->experiment, .elementsGiven = true, .engine = "host"});
  session.waitForJobs();
  views::Workbench workbench(
      session, [](const session::Settings&) {}, views::allPanels());
  for (int frame = 0; frame < 6; ++frame) {
    wander(input, session);
    ImGuiIO& io = ImGui::GetIO();
    io.AddMousePosEvent(float(input.below(1600)), float(input.below(1000)));
    io.AddMouseButtonEvent(0, frame < 5 && input.byte() % 4 == 0);
    if (input.byte() % 8 == 0) io.AddMouseWheelEvent(0, float(input.below(5)) - 2);
    (*runner)->run(workbench);
  }
}

}  // namespace stridescope::fuzz
