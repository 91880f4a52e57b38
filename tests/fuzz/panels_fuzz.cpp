// A legal trace on the screen: every panel draws it at any round, under a pointer that wanders about.
#include <cstdlib>
#include <memory>

#include "fuzz_one.h"
#include "imgui.h"
#include "mutated_trace.h"
#include "session/session.h"
#include "shell/frame.h"
#include "shell/null_context.h"
#include "views/chrome/workbench.h"

namespace stridescope::fuzz {
namespace {

constexpr PixelSize kSize{1600, 1000};

class OneTrace final : public Engine {
 public:
  explicit OneTrace(const Trace& trace) : trace_(trace) {}
  Executor executor() const override { return trace_.executor; }
  Result<Trace> record(const Experiment&, JobControl&) override { return trace_; }

 private:
  const Trace& trace_;
};

SessionServices servicesOf(const Trace& trace) {
  SessionServices services;
  services.makeEngine = [&trace](const std::string&) -> Result<std::shared_ptr<Engine>> {
    return std::make_shared<OneTrace>(trace);
  };
  services.listEngines = [] { return std::vector<EngineChoice>(); };
  services.wake = [] {};
  return services;
}

void wander(InputBytes& input, Session& session) {
  switch (input.byte() % 8) {
    case 0:
      return session.apply(PointAt{Hover{HoverKind::Thread, input.below(1024), 0}});
    case 1:
      return session.apply(PointAt{Hover{HoverKind::Element, input.edge(), 0}});
    case 2:
      return session.apply(PointAt{Hover{HoverKind::Site, input.below(4096), 0}});
    case 3:
      return session.apply(PointAt{Hover{HoverKind::Bank, input.below(32), 0}});
    case 4:
      return session.apply(Pin{Hover{HoverKind::Warp, input.below(32), 0}});
    case 5:
      return session.apply(StepForward{});
    case 6:
      return session.apply(StepBack{});
    default:
      return session.apply(GoToRound{unsigned(input.below(8)), unsigned(input.edge())});
  }
}

}  // namespace

void fuzzOne(std::span<const std::uint8_t> bytes) {
  InputBytes input(bytes);
  const auto trace = mutatedTrace(input);
  if (!trace) return;
  static NullContext graphics(kSize, 1);
  static const auto runner = FrameRunner::create(graphics);
  if (!runner) std::abort();
  Session session(servicesOf(*trace), Settings(),
                  {.experiment = trace->experiment, .elementsGiven = true, .engine = "host"});
  session.waitForJobs();
  Workbench workbench(session, [](const Settings&) {});
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
